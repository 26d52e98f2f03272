"""AgentRequest of seed 003: each broken rule is one clear sentence."""

import json
from typing import Any

import pytest

from holdpoint.coordinator.requests import BadRequestError, checked, request_of

ID = "3f0e5b1c-6a34-4d4e-9a51-6a6d3c2f7b10"
GOOD: dict[str, Any] = {"message": " hello ", "conversation_history": [], "request_id": ID}


def test_a_request_is_read_and_stripped() -> None:
    history = [{"role": "user", "content": "hi", "timestamp": "2026-03-02T09:30:01Z"}]
    request = request_of("ann", json.dumps(GOOD | {"conversation_history": history}).encode())
    assert (request.user_id, request.message, request.request_id) == ("ann", "hello", ID)
    assert request.conversation_history[0].role == "user"


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"user_id": "ben"}, "`user_id` names somebody else"),
        ({"user_id": 7}, "`user_id` names somebody else"),
        ({"message": None}, "`message` is missing or no text"),
        ({"message": " \n "}, "`message` is empty"),
        ({"message": "x" * 2001}, "`message` has 2001 characters, and may have 2000"),
        ({"conversation_history": None}, "`conversation_history` is no list"),
        ({"conversation_history": "hi"}, "`conversation_history` is no list"),
        ({"conversation_history": [{"role": "system", "content": ""}]}, "Message 1 of `conv"),
        ({"conversation_history": [{"role": "user"}]}, "Message 1 of `conversation_history`"),
        ({"request_id": "7"}, "`request_id` is missing or no UUID"),
        ({"request_id": None}, "`request_id` is missing or no UUID"),
        ({"approved": True}, "A request has no field approved"),
    ],
)
def test_one_broken_rule_is_one_sentence(change: dict[str, Any], told: str) -> None:
    with pytest.raises(BadRequestError) as error:
        checked("ann", GOOD | change)
    assert len(error.value.problems) == 1
    assert told in error.value.problems[0]
    assert not error.value.response.success


def test_every_broken_rule_is_told_at_once() -> None:
    with pytest.raises(BadRequestError) as error:
        checked("", {})
    assert len(error.value.problems) == 4


@pytest.mark.parametrize("body", [b"", b"[]", b"{", b'{"message": "a", "message": "b"}', b"\xff"])
def test_what_is_no_request_is_told(body: bytes) -> None:
    with pytest.raises(BadRequestError):
        request_of("ann", body)


def test_two_thousand_code_points_are_enough() -> None:
    assert len(checked("ann", GOOD | {"message": f"  {'ü' * 2000} "}).message) == 2000
