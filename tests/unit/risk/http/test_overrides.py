"""A header or a field asks to be taken for another method, in every shape that holds both."""

from collections.abc import Iterator
from typing import Any

from tests.unit.risk.builders import the_policy

from holdpoint.messages.risk import RiskLevel
from holdpoint.policy_lab.assess import judged
from holdpoint.policy_lab.cases import Line, LineKind

NAMES = ("X-HTTP-Method-Override", "x-method-override", "X-HTTP-Method")


def _shapes(name: str, said: str) -> tuple[dict[str, Any], ...]:
    return (
        {"headers": {name: said}},
        {"headers": {name: [said]}},
        {"headers": [[name, said]]},
        {"headers": [["Accept", "*/*"], [name, [said]]]},
        {"headers": [f"{name}: {said}"]},
        {"headers": ["Accept: */*", f"{name}:{said}"]},
        {"headers": [{"name": name, "value": [said]}]},
        {"headers": f"Accept: */*\r\n{name}: {said}"},
        {"options": {"headers": [[name, said]]}},
    )


def _fields(said: str) -> tuple[dict[str, Any], ...]:
    pairs = [["note", "a"], ["_method", said]]
    return (
        {"body": pairs},
        {"form": pairs},
        {"params": pairs},
        {"data": {"_method": [said]}},
        {"data": [{"name": "_method", "value": said}]},
    )


def _asking(said: str) -> Iterator[dict[str, Any]]:
    yield from (shape for name in NAMES for shape in _shapes(name, said))
    yield from _fields(said.lower())


def _level(more: dict[str, Any]) -> RiskLevel:
    payload = {"method": "POST", "url": "https://x.example/v1/projects/9"} | more
    return judged(Line(id="", kind=LineKind.HTTP, payload=payload), the_policy()).level


def test_one_that_takes_away_counts() -> None:
    assert [more for more in _asking("DELETE") if _level(more) < RiskLevel.HIGH] == []


def test_one_that_changes_little_asks_nobody() -> None:
    assert [more for more in _asking("PATCH") if _level(more) >= RiskLevel.HIGH] == []


def test_what_is_no_override_asks_nobody() -> None:
    said = _shapes("X-Last-Seen", "DELETE")

    assert [more for more in said if _level(more) >= RiskLevel.HIGH] == []


def test_a_move_that_overwrites_is_seen_in_a_list() -> None:
    moved = {"method": "MOVE", "headers": [["Overwrite", "T"]]}

    assert _level(moved) >= RiskLevel.HIGH
    assert _level(moved | {"headers": [["Overwrite", "F"]]}) < RiskLevel.HIGH
