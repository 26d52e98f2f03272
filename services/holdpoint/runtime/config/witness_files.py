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
    """One place that holds checkpoints: a directory, a web address, or another account's stream."""

    model_config = ConfigDict(strict=True)

    name: Annotated[str, Field(pattern=ID_PATTERN)]
    directory: str = ""
    """An absolute path; the audit only appends to files there."""

    url: str = ""
    """An address that takes each checkpoint by POST; `https://`, or this machine."""

    nats: str = ""
    """A NATS server, `nats://host:4222` or `tls://…`: an account of its own, with JetStream."""

    stream: str = ""
    """With `nats`: the stream there that keeps what is published."""

    subject: str = ""
    """With `nats`: the subject of that stream."""

    credential: str = ""
    """With `nats`: the file with the nkey seed of a user there; only its owner may read it."""

    ca: str = ""
    """With `tls://`: the file with the authority of that server's certificate."""

    @field_validator("directory", "credential", "ca")
    @classmethod
    def _is_absolute(cls, path: str) -> str:
        if path and not Path(path).is_absolute():
            raise PydanticCustomError("bad_directory", "it is no absolute path")
        return path

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
        if sum(map(bool, (self.directory, self.url, self.nats))) != 1:
            raise PydanticCustomError(
                "bad_witness", "it names a directory, a url or nats, one of them"
            )
        beside = (self.stream, self.subject, self.credential)
        if any(beside) != bool(self.nats) or all(beside) != bool(self.nats):
            raise PydanticCustomError(
                "bad_witness", "nats, stream, subject and credential go together"
            )
        if bool(self.ca) != self.nats.startswith("tls://"):
            raise PydanticCustomError("bad_witness", "ca and tls:// go together")
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
