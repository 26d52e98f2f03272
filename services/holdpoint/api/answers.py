"""Answers: the HTTP status of what became of a call, and the one form that every body has."""

from collections.abc import Mapping
from http import HTTPStatus

import msgspec
from starlette.responses import Response

from holdpoint.api.bodies import Answer
from holdpoint.client.outcome import RefusedError, UnavailableError
from holdpoint.messages.base import CONTENT_TYPE
from holdpoint.messages.envelope import (
    FINAL,
    TOO_MANY_CALLS,
    TOO_MANY_HOLDS,
    TOO_MANY_QUESTIONS,
    UNKNOWN_CALL,
    UNKNOWN_HOLD,
    Envelope,
    Status,
)

RAN = frozenset({Status.DONE, Status.ALREADY_PROCESSED, Status.CONFIRMED})

NOT_RUN: Mapping[Status, HTTPStatus] = {
    Status.DENIED: HTTPStatus.FORBIDDEN,
    Status.FAILED: HTTPStatus.UNPROCESSABLE_ENTITY,
}
"""Every other ending without success is a conflict."""

REFUSED: Mapping[str, HTTPStatus] = {
    UNKNOWN_HOLD: HTTPStatus.NOT_FOUND,
    UNKNOWN_CALL: HTTPStatus.NOT_FOUND,
    "unknown_tool": HTTPStatus.NOT_FOUND,
    "idempotency_key_reused": HTTPStatus.CONFLICT,
    "already_closed": HTTPStatus.CONFLICT,
    "already_started": HTTPStatus.CONFLICT,
    "too_late": HTTPStatus.CONFLICT,
    "not_dispatched": HTTPStatus.FORBIDDEN,
    "not_your_principal": HTTPStatus.FORBIDDEN,
    "too_large": HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    "arguments_too_large": HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    "reasoning_too_large": HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    "text_too_large": HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    "no_dry_run": HTTPStatus.SERVICE_UNAVAILABLE,
    TOO_MANY_CALLS: HTTPStatus.TOO_MANY_REQUESTS,
    TOO_MANY_HOLDS: HTTPStatus.TOO_MANY_REQUESTS,
    TOO_MANY_QUESTIONS: HTTPStatus.TOO_MANY_REQUESTS,
}
"""The status of a refusal; of every other code it is 400."""

RETRY_S = 1


def answered(told: Envelope, review_url: str = "") -> Answer:
    """Return the body for what the gate told; what waits for people carries the link."""
    waits = told.status is Status.PENDING_CONFIRMATION
    said = {name: getattr(told, name) for name in Envelope.__struct_fields__}
    return Answer(**said, review_url=review_url if waits else "")


def made(answer: Answer) -> Response:
    """Answer a call: 200 only if it ran or was confirmed, 202 while it waits."""
    if answer.status in RAN:
        return body(answer, HTTPStatus.OK)
    if answer.status is Status.WAITING:
        known = msgspec.structs.replace(answer, hold_id="")
        return unavailable("Nobody was asked yet. Repeat it with the same key.", known)
    if answer.status not in FINAL:
        where = {"Location": f"/v1/actions/{answer.hold_id}"}
        return body(answer, HTTPStatus.ACCEPTED, where)
    coded = msgspec.structs.replace(answer, code=answer.code or answer.status.value)
    return body(coded, NOT_RUN.get(answer.status, HTTPStatus.CONFLICT))


def refused(error: RefusedError) -> Response:
    """Answer a call or a question that does not count."""
    status = REFUSED.get(error.code, HTTPStatus.BAD_REQUEST)
    return problem(status, error.code, error.text, error.hold_id, error.retry_after_s)


def out_of_reach(error: UnavailableError) -> Response:
    """Answer while broker or gate are away: the same call, repeated, is the same hold."""
    known = Answer(
        status=Status.WAITING, hold_id=error.hold_id, idempotency_key=error.idempotency_key
    )
    return unavailable(error.text, known)


def unavailable(text: str, known: Answer) -> Response:
    """Answer that it can be tried again."""
    answer = msgspec.structs.replace(known, code="unavailable", reason=text, retry_after_s=RETRY_S)
    return body(answer, HTTPStatus.SERVICE_UNAVAILABLE, {"Retry-After": str(RETRY_S)})


def problem(
    status: HTTPStatus, code: str, text: str, hold_id: str = "", retry_after_s: float = 0.0
) -> Response:
    """Answer a request that does not count, with its stable code."""
    answer = Answer(
        status=Status.REFUSED,
        code=code,
        reason=text,
        message_for_user=text,
        hold_id=hold_id,
        retry_after_s=retry_after_s,
    )
    headers = {"Retry-After": str(max(1, round(retry_after_s)))} if retry_after_s else {}
    if status is HTTPStatus.UNAUTHORIZED:
        headers["WWW-Authenticate"] = "Bearer"
    return body(answer, status, headers)


def body(answer: Answer, status: HTTPStatus, headers: Mapping[str, str] | None = None) -> Response:
    """Write the answer; nobody on the way keeps a copy."""
    every = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", **(headers or {})}
    content = msgspec.json.encode(answer)
    return Response(content, status.value, every, media_type=CONTENT_TYPE)
