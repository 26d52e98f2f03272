"""How a wrapper keeps the command that it runs among its own options and words."""

import msgspec

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.options import NONE


class Wrapper(msgspec.Struct, frozen=True, kw_only=True):
    """Where a wrapper keeps the command that it runs."""

    path: tuple[str, ...] = ()
    """Words that must come first: `exec` in `docker exec`."""

    values: frozenset[str] = NONE
    """Options that take the next word."""

    skip: int = 0
    """Its own words before the command: a duration, a host, a container."""

    joined: bool = False
    """Whether a shell reads the words again, joined by blanks."""

    script: frozenset[str] = NONE
    """Options whose value is a shell text."""

    dashed: bool = False
    """Whether the command stands behind `--` only."""


def wrap(values: str = "", skip: int = 0, path: str = "", script: str = "") -> Wrapper:
    """One that hands its words on as they are."""
    return Wrapper(
        path=tuple(path.split()), values=word_set(f"{values} {script}"), skip=skip,
        script=word_set(script),
    )  # fmt: skip


def shell(values: str = "", skip: int = 0, path: str = "", script: str = "") -> Wrapper:
    """One whose words a shell reads again."""
    return Wrapper(
        path=tuple(path.split()), values=word_set(f"{values} {script}"), skip=skip, joined=True,
        script=word_set(script),
    )  # fmt: skip


def dashed(path: str, values: str = "") -> Wrapper:
    """One whose command stands behind `--`."""
    return Wrapper(path=tuple(path.split()), values=word_set(values), dashed=True)
