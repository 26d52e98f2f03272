"""A name that stands twice in a JSON text: whichever value a reader takes, the gravest counts."""

from itertools import permutations

import pytest
from tests.unit.risk.builders import the_policy

from holdpoint.core.risk.extract.embedded import repeated_keys as spelled_out
from holdpoint.messages.risk import RiskLevel
from holdpoint.policy_lab.assess import judged
from holdpoint.policy_lab.cases import BadLineError, Line, LineKind, line_in, line_of

GRAVE = (
    ('"action":"delete_all"', '"action":"list"'),
    ('"amount":90000', '"amount":5'),
    ('"method":"drop_database"', '"method":"ping"'),
    ('"command":["rm","-rf","/data"]', '"command":["ls"]'),
)


def level(body: str) -> RiskLevel:
    payload = {"tool": "pay_and_call", "args": {"body": body}}
    return judged(Line(id="", kind=LineKind.TOOL_CALL, payload=payload), the_policy()).level


@pytest.mark.parametrize("pair", GRAVE)
def test_the_gravest_of_two_values_counts(pair: tuple[str, str]) -> None:
    for said in permutations(pair):
        assert level(f"{{{','.join(said)}}}") >= RiskLevel.HIGH, said
        assert level(f'{{"a":[{{{",".join(said)}}}]}}') >= RiskLevel.HIGH, said


def test_a_request_in_it_is_read_by_each_of_its_methods() -> None:
    for said in permutations(('"method":"DELETE"', '"method":"GET"')):
        body = f'{{{",".join(said)},"url":"https://a.example/users/1"}}'
        assert level(body) >= RiskLevel.HIGH, said


def test_what_stands_once_is_as_it_is() -> None:
    assert spelled_out('{"a": [{"b": 1}, {"b": 2}]}') == {"a": [{"b": 1}, {"b": 2}]}
    assert spelled_out('{"a": 1, "b": 3, "a": 2}') == [{"a": 1, "b": 3}, {"a": 2, "b": 3}]


def test_the_last_of_many_counts() -> None:
    many = ",".join(['"action":"list"'] * 20)
    assert level(f'{{{many},"action":"delete_all"}}') >= RiskLevel.HIGH


def test_a_line_that_says_something_twice_is_refused() -> None:
    with pytest.raises(BadLineError, match="same key twice"):
        line_in(b'{"id":"1","kind":"shell","text":"rm -rf /","text":"ls"}')
    with pytest.raises(BadLineError, match="same key twice"):
        line_of('{"method":"DELETE","method":"GET","url":"https://a.example"}', LineKind.HTTP)
