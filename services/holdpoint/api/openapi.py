"""The OpenAPI document: the routes here, every form from the structs that are read and written."""

import json
from functools import cache
from typing import Any, TypeAlias

import msgspec

from holdpoint.api.bodies import ActionRequest, Answer, Event, IntentRequest, PersonRequest
from holdpoint.core.webhook_signature import HEADER
from holdpoint.messages.base import CONTENT_TYPE, ID_PATTERN, KEY_PATTERN
from holdpoint.messages.request import AgentResponse

Part: TypeAlias = dict[str, Any]

REF = "#/components/schemas/{name}"

SAYS = {
    200: "It ran or was confirmed, now or before; of a question: how it stands.",
    202: "It waits: for people at `review_url`, or for its run. Ask at `Location`.",
    400: "It does not count: `code` and `reason` say why.",
    401: "The token does not prove an agent.",
    403: "It is denied, and nothing ran.",
    404: "There is no such tool, or no such action of this agent.",
    409: "It ended without having run, or is in doubt; or the key was used for another call.",
    413: "It is too large.",
    422: "It ran and failed.",
    429: "It is one too many: try the same again after `Retry-After` seconds.",
    503: "Nobody answers: try the same again, with the same key.",
}
REFUSALS = (400, 401, 429, 503)

DESCRIPTION = """\
Agents propose actions; risky ones wait until the right people say yes.

An action that passes runs at once and is answered with 200. One that waits for people is answered
with 202: show `review_url` to a person, and ask `GET /v1/actions/{hold_id}?wait=55` until `status`
is final. Nothing here confirms anything. Every answer has one form; of a refusal `code` is stable.
"""


@cache
def document() -> bytes:
    """Return the document as JSON."""
    return (json.dumps(openapi(), indent=2, ensure_ascii=False) + "\n").encode()


def openapi() -> Part:
    """Return the document."""
    kinds = (ActionRequest, IntentRequest, PersonRequest, AgentResponse, Answer, Event)
    _, schemas = msgspec.json.schema_components(kinds, ref_template=REF)
    one = "/v1/actions/{hold_id}"
    return {
        "openapi": "3.1.0",
        "info": {"title": "Holdpoint", "version": "1", "description": DESCRIPTION},
        "servers": [{"url": "http://localhost:8340"}],
        "security": [{"agent": []}],
        "paths": {
            "/v1/actions": {"post": _making("proposeAction", "Propose a tool call", ActionRequest)},
            "/v1/intents": {"post": _making("sayIntent", "Announce an action", IntentRequest)},
            "/v1/requests": {"post": _ASK},
            one: {"parameters": [_HOLD_ID], "get": _LOOK, "delete": _WITHDRAW},
        },
        "webhooks": {"action": {"post": _TOLD}},
        "components": {
            "securitySchemes": {"agent": _TOKEN, "person": _TOKEN},
            "schemas": schemas,
        },
    }


def _content(kind: type[msgspec.Struct]) -> Part:
    return {CONTENT_TYPE: {"schema": {"$ref": REF.format(name=kind.__name__)}}}


def _answers(*statuses: int) -> Part:
    return {
        str(status): {"description": SAYS[status], "content": _content(Answer)}
        for status in sorted({*statuses, *REFUSALS})
    }


def _in(place: str, name: str, schema: Part, description: str, *, required: bool) -> Part:
    return {
        "in": place,
        "name": name,
        "required": required,
        "schema": schema,
        "description": description,
    }


_TOKEN: Part = {
    "type": "http",
    "scheme": "bearer",
    "bearerFormat": "JWT",
    "description": "EdDSA, with `kid` in its header and iss, aud, sub, iat, exp; an hour at most.",
}
_KEY = _in(
    "header",
    "Idempotency-Key",
    {"type": "string", "pattern": KEY_PATTERN},
    "Yours, for this call: the same key repeats the same call, and runs nothing twice.",
    required=True,
)
_HOLD_ID = _in(
    "path", "hold_id", {"type": "string", "pattern": ID_PATTERN}, "As the call said.", required=True
)
_WAIT = _in(
    "query",
    "wait",
    {"type": "number", "minimum": 0, "maximum": 55, "default": 0},
    "Seconds to wait until it is final.",
    required=False,
)
_REASON = _in("query", "reason", {"type": "string"}, "For people.", required=False)


def _making(name: str, summary: str, kind: type[msgspec.Struct]) -> Part:
    return {
        "operationId": name,
        "summary": summary,
        "parameters": [_KEY],
        "requestBody": {"required": True, "content": _content(kind)},
        "responses": _answers(200, 202, 403, 404, 409, 413, 422),
    }


_LOOK: Part = {
    "operationId": "getAction",
    "summary": "Tell how an action stands",
    "parameters": [_WAIT],
    "responses": _answers(200, 404),
}
_WITHDRAW: Part = {
    "operationId": "withdrawAction",
    "summary": "Take an action back before it runs",
    "parameters": [_REASON],
    "responses": _answers(200, 404, 409),
}
_ASK: Part = {
    "operationId": "askCoordinator",
    "summary": "Ask for something in plain words, as a person",
    "description": "The same `request_id` again is the same request: nothing is done twice.",
    "security": [{"person": []}],
    "requestBody": {"required": True, "content": _content(PersonRequest)},
    "responses": _answers(413)
    | {"200": {"description": "The coordinator's answer.", "content": _content(AgentResponse)}},
}
_TOLD: Part = {
    "operationId": "actionChanged",
    "summary": "An action of the subscribed agent has news",
    "description": "Sent until it is answered with 2xx, in order. The same news has the same `id`.",
    "parameters": [
        _in(
            "header",
            HEADER,
            {"type": "string"},
            "`t=<Unix time>,v1=<hex>`: HMAC-SHA256 over `<t>.<body>` with your webhook secret.",
            required=True,
        )
    ],
    "requestBody": {"required": True, "content": _content(Event)},
    "responses": {"2XX": {"description": "It was taken."}},
}
