"""Answers: only what ran is 200, what waits is 202, everything else says why with a code."""

import msgspec
import pytest
from starlette.responses import Response

from holdpoint.api import answers
from holdpoint.api.bodies import Answer
from holdpoint.client.outcome import RefusedError
from holdpoint.messages.envelope import FINAL, Envelope, Status

RAN = {Status.DONE, Status.ALREADY_PROCESSED, Status.CONFIRMED}


def made(status: Status, hold_id: str = "h1") -> tuple[Response, Answer]:
    told = answers.answered(Envelope(status=status, hold_id=hold_id), "http://localhost/holds/a/h1")
    response = answers.made(told)
    return response, msgspec.json.decode(bytes(response.body), type=Answer)


@pytest.mark.parametrize("status", Status)
def test_only_what_ran_is_200(status: Status) -> None:
    response, answer = made(status)

    assert (response.status_code == 200) is (status in RAN)
    assert (response.status_code == 202) is (status not in FINAL | {Status.WAITING})
    assert bool(answer.code) is (response.status_code >= 400)
    assert bool(answer.review_url) is (status is Status.PENDING_CONFIRMATION)


def test_what_is_not_judged_yet_is_to_be_sent_again_and_names_no_hold() -> None:
    response, answer = made(Status.WAITING, "abc")

    assert (response.status_code, answer.code) == (503, "unavailable")
    assert (answer.hold_id, "Location" in response.headers) == ("", False)
    assert response.headers["Retry-After"] == "1"


def test_one_call_too_many_says_when_to_come_again() -> None:
    response = answers.refused(RefusedError("too_many_calls", "Slower.", retry_after_s=2.6))

    assert (response.status_code, response.headers["Retry-After"]) == (429, "3")
