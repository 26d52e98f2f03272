"""Settings that a state folder remembers: those that its streams and its ledger were made with."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
from pydantic.fields import FieldInfo
from pydantic_settings import PydanticBaseSettingsSource

from holdpoint.runtime.config import files
from holdpoint.runtime.errors import SetupError

FILE = "settings.json"
NODES = "broker_nodes"
LEDGER = "ledger_url"
OWN_LEDGER = "ledger.db"
"""The ledger's file where none was chosen."""

NAMES = (
    NODES,
    "broker_hosts",
    "replicas",
    "stream_max_bytes",
    "sync_interval",
    LEDGER,
    "environment",
)


class Remembered(PydanticBaseSettingsSource):
    """Source of settings that the environment leaves out."""

    def get_field_value(self, field: FieldInfo, field_name: str) -> tuple[Any, str, bool]:  # noqa: ARG002  # pydantic's names
        """Return one setting's value."""
        return self().get(field_name), field_name, False

    def __call__(self) -> dict[str, Any]:
        """Return every remembered setting."""
        default = self.settings_cls.model_fields["state_dir"].default
        return read(Path(self.current_state.get("state_dir", default)))


def read(state_dir: Path) -> dict[str, Any]:
    """Return what the folder remembers; nothing of it where it is not ours to read."""
    path = state_dir / FILE
    try:
        known = msgspec.json.decode(path.read_bytes(), type=dict[str, Any])
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return {}
    except msgspec.DecodeError as error:
        raise SetupError(
            f"{path} is damaged: {error}. Remove it, and start with the settings that it held "
            f"({', '.join(f'HP_{name.upper()}' for name in NAMES)})."
        ) from None
    return {name: value for name, value in known.items() if name in NAMES}


def write(state_dir: Path, chosen: Mapping[str, Any]) -> None:
    """Write down what was chosen, for its owner alone: a ledger's URL may hold a password."""
    known = {name: value for name, value in chosen.items() if name in NAMES}
    if url := _from_anywhere(known.pop(LEDGER, ""), state_dir):
        known[LEDGER] = url
    if known != read(state_dir):
        files.replace(state_dir / FILE, msgspec.json.encode(known), files.PRIVATE)


def _from_anywhere(url: str, state_dir: Path) -> str:
    """Return the URL as it counts in every folder; empty for the ledger that moves with its own."""
    scheme, _, path = url.partition(":///")
    if not (scheme.startswith("sqlite") and path):
        return url
    file = Path(path).absolute()
    return "" if file == state_dir.absolute() / OWN_LEDGER else f"{scheme}:///{file}"
