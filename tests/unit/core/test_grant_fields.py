"""Every leaf of a good grant's JSON, changed: it does not open, or the field plays no part."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import msgspec
import pytest
from tests.builders import T0, a_leave, a_tool, a_voice, an_action, asked_of

from holdpoint.core.digest import action_digest
from holdpoint.core.grant import Claimed, Door, Flaw, Leave, open_grant
from holdpoint.messages.action import Action
from holdpoint.messages.hold import Resumed
from holdpoint.messages.policy import Voices

DAY = timedelta(days=1)
COOLED = T0 + timedelta(seconds=60)
DOOR = Door(tenant="acme", domain="database", tools={"delete_rows": a_tool()})
Path = tuple[str | int, ...]

LEAVE = a_leave(
    at=COOLED,
    requirement=asked_of(
        Voices(group="finance"), Voices(group="security"), four_eyes=True, cooling_off_s=60
    ),
    voices=(a_voice("bob"), a_voice("eve")),
)
"""After the yes of two people and a minute of cooling-off."""

IRRELEVANT = {
    "cause": "who led here: told, not executed",
    "grant.iat": "nbf and exp are the window",
    "grant.nonce": "makes the claim single-use; the signature ties it to this fact",
    "hold.hold_id": "names the run; the signed subject ties it to this fact",
    "hold.call_digest": "what repeats are compared with, by the gate",
    "hold.policy": "evidence",
    "hold.assessment": "evidence",
    "hold.metadata": "evidence",
    "hold.proposed_at": "after a yes, the time of the yes counts",
    "hold.says": "words",
    "hold.ui": "words: the gate compared their digest with what was answered",
    "hold.render_digest": "the gate compared it with what was answered",
    "hold.expires_at": "the gate compared it with when it was answered",
    "hold.valid_for_s": "a worker sees only that the grant ends before it",
    "hold.grant_s": "what counts is the window itself",
    "hold.causes": "history",
    "hold.voices.0.at": "the gate compared it with the deadline",
    "hold.voices.1.at": "the gate compared it with the deadline",
    "hold.requirement.four_eyes": "less is asked than was answered",
    "hold.requirement.cooling_off_s": "less is asked than was waited for",
    "hold.requirement.approvers.finance.0": "somebody else who was asked",
    "hold.requirement.approvers.finance.2": "somebody else who was asked",
    "hold.requirement.approvers.security.1": "somebody else who was asked",
}
"""What may differ while the same action runs for the same people, and why. The signature covers
each of them; this list says what a worker would not notice if it did not."""


def leaves_of(document: Any, path: Path = ()) -> Iterator[Path]:
    match document:
        case dict():
            for key, part in document.items():
                yield from leaves_of(part, (*path, key))
        case list():
            for at, part in enumerate(document):
                yield from leaves_of(part, (*path, at))
        case _:
            yield path


def at(document: Any, path: Path) -> Any:
    for step in path:
        document = document[step]
    return document


def changed(document: Any, path: Path, value: Any) -> Any:
    if not path:
        return value
    head, rest = path[0], path[1:]
    return type(document)(
        _items(document, {head: changed(document[head], rest, value)})  # dicts and lists alike
    )


def _items(document: Any, new: dict[Any, Any]) -> Any:
    if isinstance(document, dict):
        return {**document, **new}
    return [new.get(place, part) for place, part in enumerate(document)]


def other_values(leaf: Any) -> tuple[Any, ...]:
    match leaf:
        case bool():
            return (not leaf,)
        case int():
            return (leaf + 1, leaf - 1)
        case str() if leaf.endswith("Z"):
            moment = datetime.fromisoformat(leaf)
            return ((moment + DAY).isoformat(), (moment - DAY).isoformat())
        case _:
            return (f"{leaf}x", "")


def mutants(leave: Leave | Action) -> Iterator[tuple[str, Any]]:
    """The value with each leaf of its JSON changed, one at a time, where it still decodes."""
    document = msgspec.json.decode(msgspec.json.encode(leave))
    for path in leaves_of(document):
        for other in other_values(at(document, path)):
            try:
                made = msgspec.convert(changed(document, path, other), type(leave))
            except msgspec.ValidationError:
                continue
            yield ".".join(map(str, path)), made


MUTANTS = tuple(mutants(LEAVE))


def plays_no_part(path: str) -> bool:
    return any(path == known or path.startswith(f"{known}.") for known in IRRELEVANT)


def test_as_it_stands_it_opens() -> None:
    assert isinstance(open_grant(LEAVE, DOOR, COOLED), Claimed)


@pytest.mark.parametrize(
    ("path", "made"), [(path, made) for path, made in MUTANTS if not plays_no_part(path)]
)
def test_a_changed_field_never_opens(path: str, made: Resumed) -> None:
    assert isinstance(open_grant(made, DOOR, COOLED), Flaw), path


@pytest.mark.parametrize("known", IRRELEVANT)
def test_a_field_on_the_list_really_plays_no_part(known: str) -> None:
    about = [made for path, made in MUTANTS if path == known or path.startswith(f"{known}.")]

    assert any(isinstance(open_grant(made, DOOR, COOLED), Claimed) for made in about)


def test_every_part_of_an_action_is_under_its_digest() -> None:
    digests = [action_digest(made) for _, made in mutants(an_action())]

    assert len(digests) > 2 * len(Action.__struct_fields__) - 2
    assert action_digest(an_action()) not in digests
