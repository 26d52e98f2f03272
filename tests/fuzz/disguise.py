"""A disguise: another way to say the same thing, which must stay as dangerous as it was."""

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from msgspec.structs import replace

from holdpoint.messages.base import JsonObject
from holdpoint.policy_lab.cases import Line, LineKind

Reworded: TypeAlias = Callable[[str], str]
Reworked: TypeAlias = Callable[[JsonObject], JsonObject]
Changed: TypeAlias = Callable[[Line], Line]


class Disguise(NamedTuple):
    """One disguise, and the kind of line that it fits."""

    name: str
    kind: LineKind
    change: Changed
    """It gives the very line back where it does not fit."""


def of_text(kind: LineKind, names: dict[str, Reworded]) -> tuple[Disguise, ...]:
    """Disguises that change a line's text and leave its kind."""
    return tuple(Disguise(name, kind, _text(change)) for name, change in names.items())


def _text(change: Reworded) -> Changed:
    return lambda line: replace(line, text=change(line.text))


def of_payload(kind: LineKind, names: dict[str, Reworked]) -> tuple[Disguise, ...]:
    """Disguises that change a line's payload and leave its kind."""
    return tuple(Disguise(name, kind, _payload(change)) for name, change in names.items())


def _payload(change: Reworked) -> Changed:
    return lambda line: replace(line, payload=change(line.payload))


def as_shell(line: Line, text: str) -> Line:
    """The same, as a command; what was known of it stays known."""
    return replace(line, kind=LineKind.SHELL, text=text, payload={})


def as_call(line: Line, tool: str, **arguments: object) -> Line:
    """The same, as a tool call."""
    payload = {"tool": tool, "args": arguments}
    return replace(line, kind=LineKind.TOOL_CALL, text="", payload=payload)
