"""Parity files: what users can do in an interface, and which tool does the same (seed 000)."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

from pydantic import Field

from holdpoint.runtime.config.yaml_files import Part, Text, read

PARITY_FOLDER = "parity"


class Exclusion(StrEnum):
    """Kinds of actions that agents are kept from on purpose."""

    AUTHENTICATION = "authentication"
    """Password resets, step-up: security-sensitive."""

    LEGAL = "legal"
    """Terms and answers: they take the user's direct action."""

    IDENTITY = "identity"
    """KYC and AML: a regulatory requirement."""


class UiAction(Part):
    """One button, form, link or workflow."""

    action: Text
    tool: str = ""
    """The tool that does the same; a name or an alias."""

    frequency: Annotated[int, Field(ge=0)] = 0
    """Uses a month."""

    excluded: Exclusion | None = None
    why: str = ""
    route: str = ""
    """Where the interface serves it: `POST /stop`."""


class ParityFile(Part):
    """A file of the parity folder."""

    actions: list[UiAction]


def parity_files(folder: Path) -> list[Path]:
    """Every file of the folder."""
    return sorted(folder.glob("*.y*ml"))


def load_parity(path: Path) -> tuple[UiAction, ...]:
    """Read one file. Raises SetupError, one line for each mistake."""
    return tuple(read(path, ParityFile).actions)
