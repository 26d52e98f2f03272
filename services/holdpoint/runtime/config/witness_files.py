"""witnesses.yaml: where the ledger's checkpoints are published."""

from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import ConfigDict, Field, field_validator, model_validator
from pydantic_core import PydanticCustomError

from holdpoint.messages.base import ID_PATTERN
from holdpoint.runtime.config.api_files import LOOPBACK_NAMES
from holdpoint.runtime.config.yaml_files import Part, read
from holdpoint.runtime.errors import SetupError

WITNESSES_FILE = "witnesses.yaml"


class WitnessEntry(Part):
    """One place that holds checkpoints: a directory or a web address."""

    model_config = ConfigDict(strict=True)

    name: Annotated[str, Field(pattern=ID_PATTERN)]
    directory: str = ""
    """An absolute path; the audit only appends to files there."""

    url: str = ""
    """An address that takes each checkpoint by POST; `https://`, or this machine."""

    @field_validator("directory")
    @classmethod
    def _is_absolute(cls, directory: str) -> str:
        if directory and not Path(directory).is_absolute():
            raise PydanticCustomError("bad_directory", "it is no absolute path")
        return directory

    @field_validator("url")
    @classmethod
    def _is_safe(cls, url: str) -> str:
        parts = urlsplit(url)
        here = parts.scheme == "http" and parts.hostname in LOOPBACK_NAMES
        if url and not (here or (parts.scheme == "https" and parts.hostname)):
            raise PydanticCustomError("bad_address", "it does not begin with https://")
        return url

    @model_validator(mode="after")
    def _is_one(self) -> "WitnessEntry":
        if bool(self.directory) == bool(self.url):
            raise PydanticCustomError("bad_witness", "it names a directory or a url, one of them")
        return self


class WitnessesFile(Part):
    """witnesses.yaml."""

    model_config = ConfigDict(strict=True)

    witnesses: list[WitnessEntry] = []


def load_witnesses(config_dir: Path) -> tuple[WitnessEntry, ...]:
    """Read witnesses.yaml; without that file there are none. Raises SetupError."""
    path = config_dir / WITNESSES_FILE
    file = read(path, WitnessesFile) if path.exists() else WitnessesFile()
    names = [it.name for it in file.witnesses]
    if twice := sorted({it for it in names if names.count(it) > 1}):
        raise SetupError(f"{path}: the witness {', '.join(twice)} stands more than once.")
    return tuple(file.witnesses)
