"""Changes to a call, as `holdpoint modify` reads and shows them."""

from collections.abc import Sequence
from typing import Any

import msgspec

from holdpoint.cli.output import CommandError, ExitCode
from holdpoint.messages.answer import Change
from holdpoint.messages.card import Card


def change_of(card: Card, sets: Sequence[str], unset: Sequence[str]) -> Change:
    """Read `name=value`: a text stays one, everything else is read as JSON."""
    kinds = {field.name: field.kind for field in card.form}
    arguments: dict[str, Any] = {}
    for said in sets:
        name, equals, value = said.partition("=")
        if not equals:
            raise _wrong(f"Say --set name=value, not {said!r}.")
        arguments[name] = value if kinds.get(name) in {"text", "choice"} else _read(name, value)
    for name in (*arguments, *unset):
        if name not in kinds:
            known = ", ".join(kinds) or "none"
            raise _wrong(f"{name!r} cannot be changed here. What can be: {known}.")
    return Change(arguments=arguments, removed=tuple(unset))


def difference(card: Card, change: Change) -> list[str]:
    """Name each changed argument, before and after."""
    before = card.ui.action.arguments
    return [
        *(
            f"  {name}: {_plain(before[name]) if name in before else '(not given)'} -> {_plain(it)}"
            for name, it in change.arguments.items()
        ),
        *(f"  {name}: {_plain(before.get(name))} -> (left out)" for name in change.removed),
    ]


def _read(name: str, value: str) -> Any:
    try:
        return msgspec.json.decode(value)
    except msgspec.DecodeError:
        raise _wrong(f"The value of {name!r} is no JSON: {value!r}.") from None


def _plain(value: object) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _wrong(text: str) -> CommandError:
    return CommandError(ExitCode.USAGE, "bad_option", text)
