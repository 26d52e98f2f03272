"""Results between MCP and Holdpoint, request states, and who may speak over HTTP."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from mcp_types import ElicitRequestFormParams, ElicitRequestURLParams, TextContent

from holdpoint.client import Outcome, RefusedError, Status
from holdpoint.mcp.asking import States, Way, request_of
from holdpoint.mcp.replies import refusal_of, reply_to
from holdpoint.mcp.results import LARGEST_BYTES, failed, result_of
from holdpoint.mcp.serving import Guarded, http_token, token_file
from holdpoint.messages.envelope import Confirmation, MethodCall
from holdpoint.messages.run import RunStatus

RAN = {"tool": "files_write", "arguments": {}}
URL = "http://localhost:8330/holds/mcp-client/abc"
PENDING = Outcome(
    status=Status.PENDING_CONFIRMATION,
    hold_id="abc",
    confirmation=Confirmation(
        operation="files_write",
        summary="Write a.txt (MCP server files)",
        details={},
        confirmation_method=MethodCall(tool="confirm_files_write"),
        cancel_method=MethodCall(tool="cancel_pending_operation"),
        expires_at=datetime(2026, 11, 27, tzinfo=UTC),
    ),
)


def told(outcome: Outcome, *, is_strict: bool = False) -> tuple[str, Any, bool]:
    reply = reply_to(outcome, URL, is_strict=is_strict)
    (said,) = reply.content
    assert isinstance(said, TextContent)
    return said.text, reply.structured_content, reply.is_error


def test_a_servers_result_comes_through_unchanged() -> None:
    answered = {
        "content": [{"type": "text", "text": "a"}, {"type": "image", "data": "", "mimeType": "x"}],
        "structuredContent": {"n": 1.5},
        "isError": False,
        "_meta": {"k": 1},
    }
    result = result_of(answered, RAN)
    assert result.status is RunStatus.DONE
    reply = reply_to(Outcome(status=Status.DONE, data=result.data), URL, is_strict=True)
    assert reply.model_dump(by_alias=True, exclude_none=True, exclude={"result_type"}) == answered


def test_an_error_of_the_tool_is_a_failure_with_its_own_words() -> None:
    result = result_of({"content": [{"type": "text", "text": "no"}], "isError": True}, RAN)
    assert (result.status, result.error) == (RunStatus.FAILED, "no")
    assert failed("gone", RAN).error == "gone"


def test_a_result_that_is_too_large_is_not_shown_and_says_that_it_ran() -> None:
    result = result_of({"content": [{"type": "text", "text": "x" * LARGEST_BYTES}]}, RAN)
    assert result.status is RunStatus.DONE
    assert "It ran" in result.formatted
    assert result.executed == RAN


def test_a_pending_call_tells_where_people_answer_and_how_to_wait() -> None:
    text, state, is_error = told(PENDING)
    assert URL in text
    assert "holdpoint_await" in text
    assert state["state"] == "pending"
    assert (state["hold_id"], state["review_url"]) == ("abc", URL)
    assert state["expires_at"].startswith("2026-11-27")
    assert not is_error
    assert told(PENDING, is_strict=True)[2]


@pytest.mark.parametrize(
    "status",
    [
        Status.DENIED, Status.CANCELLED, Status.EXPIRED, Status.WITHDRAWN, Status.SUPERSEDED,
        Status.BARRED, Status.LAPSED, Status.IN_DOUBT, Status.FAILED,
    ],
)  # fmt: skip
def test_every_other_ending_is_an_error_that_names_itself(status: Status) -> None:
    text, state, is_error = told(Outcome(status=status, hold_id="abc", reason="why"))
    assert text.startswith(f"{status.value}:")
    assert state["state"] == status.value
    assert is_error


def test_a_refusal_says_that_nothing_ran() -> None:
    reply = refusal_of(RefusedError("bad_arguments", "path: it must be a string."))
    assert reply.is_error
    assert reply.structured_content["code"] == "bad_arguments"


def test_a_request_state_counts_once() -> None:
    states = States()
    state = states.state_of("abc")
    assert [states.take(state)[0], states.take(state)[0]] == ["abc", ""]
    assert states.take('{"nonce": "x", "hold_id": "abc"}') == ("", None)
    assert states.take("no json") == ("", None)


def test_a_link_is_shown_as_one_where_the_client_opens_links() -> None:
    link = request_of(Way.LINK, PENDING, URL).params
    assert isinstance(link, ElicitRequestURLParams)
    assert link.url == URL
    form = request_of(Way.FORM, PENDING, URL).params
    assert isinstance(form, ElicitRequestFormParams)
    assert URL in form.message
    assert isinstance(request_of(Way.LINK, PENDING, "").params, ElicitRequestFormParams)


@pytest.mark.parametrize(
    ("header", "status"),
    [(b"Bearer right", 200), (b"Bearer wrong", 401), (b"right", 401), (None, 401)],
)
async def test_only_who_knows_the_token_is_served(header: bytes | None, status: int) -> None:
    sent: list[Any] = []

    async def app(_: Any, __: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def keep(message: Any) -> None:
        sent.append(message)

    async def nothing() -> Any:
        return {"type": "http.request"}

    headers = [(b"authorization", header)] if header else []
    scope = {"type": "http", "method": "POST", "headers": headers}
    await Guarded(app, "right")(scope, nothing, keep)
    assert sent[0]["status"] == status


def test_a_token_speaks_as_one_agent_alone(tmp_path: Path) -> None:
    """The client of one agent knows its token, and would be another agent at that one's gateway."""
    robot, rival = (http_token(token_file(tmp_path, agent)) for agent in ("robot", "rival"))

    assert robot != rival
    assert http_token(token_file(tmp_path, "robot")) == robot
