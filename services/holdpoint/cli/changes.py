"""Changes to a call, as `holdpoint modify` reads and shows them."""

from collections.abc import Sequence

import msgspec

from holdpoint.cli.output import CommandError, ExitCode
from holdpoint.core.modifying import change_from
from holdpoint.messages.answer import Change
from holdpoint.messages.card import Card


def change_of(card: Card, sets: Sequence[str], unset: Sequence[str]) -> Change:
    """Read each `name=value`; CommandError says what is wrong with it."""
    texts: dict[str, str] = {}
    for said in sets:
        name, equals, value = said.partition("=")
        if not equals:
            raise _wrong(f"Say --set name=value, not {said!r}.")
        texts[name] = value
    change = change_from(card.form, texts, unset)
    if isinstance(change, str):
        raise _wrong(change)
    return change


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


def _plain(value: object) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _wrong(text: str) -> CommandError:
    return CommandError(ExitCode.USAGE, "bad_option", text)
