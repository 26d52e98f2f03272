"""Literals in code: whatever a call is given in plain, in any of the languages, is read."""

from time import perf_counter
from typing import Any

import pytest

from holdpoint.core.risk.extract.literals import WORKED_OUT, given
from holdpoint.core.risk.shell.code_requests import requests_in

SUM = {"amount": 90_000, "currency": "EUR"}


def _unknown(_: str) -> Any:
    return WORKED_OUT


@pytest.mark.parametrize(
    "written",
    [
        "{'amount': 90_000, 'currency': 'EUR'})",
        '{amount: 90000, "currency": `EUR`})',
        "{ // pays out\n amount: 900 * 100, // cents\n currency: 'EUR' })",
        "{:amount => 90000, 'currency' => 'EUR'}.to_json)",
        "['amount' => 90000, 'currency' => 'EUR'])",
        "JSON.stringify({...rest, amount: 90000n, currency: 'E' + 'UR'}))",
        "json.dumps(dict(amount=90000, currency='EUR')).encode('utf-8'))",
        "{'amount': 180000 // 2, # half of it\n 'currency': 'EU' 'R'})",
    ],
)
def test_an_object_is_read_as_each_language_writes_it(written: str) -> None:
    assert given(written, _unknown).plain == [SUM]


def test_what_does_not_stand_there_in_plain_is_worked_out() -> None:
    told = given("f(1), x if y else z, 1 / 0, 'https://a/' + id, amount=rate() * 2) + 5", _unknown)

    assert told.plain == [WORKED_OUT, WORKED_OUT, WORKED_OUT, "https://a/{}"]
    assert told.named == {"amount": WORKED_OUT}


@pytest.mark.parametrize(
    "part", ["post(", "fetch({", "fetch(/*", "post('http://a'\\'", "a=b;", "fetch('''", ".send( "]
)
def test_hostile_code_is_read_in_linear_time(part: str) -> None:
    code = (part * 16_384)[:16_384]
    start = perf_counter()
    requests_in(code)

    assert perf_counter() - start < 1
