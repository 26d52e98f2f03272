"""Arguments of the shell's tools."""

from typing import Annotated

import msgspec

from holdpoint.core.tool import NO_NUL

Path = Annotated[str, msgspec.Meta(min_length=1, max_length=4096, pattern=NO_NUL)]


class ListDirectory(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A folder: relative to the working folder, or absolute inside of it."""

    path: Path = "."


class ReadFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A file, and the byte to start at."""

    path: Path
    offset: Annotated[int, msgspec.Meta(ge=0)] = 0


class CreateFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A new file and its text."""

    path: Path
    content: Annotated[str, msgspec.Meta(max_length=48 * 1024)] = ""


class RunCommand(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A command line for bash; it runs in the working folder."""

    command: Annotated[str, msgspec.Meta(min_length=1, max_length=16 * 1024, pattern=NO_NUL)]
