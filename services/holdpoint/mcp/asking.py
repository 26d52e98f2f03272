"""Ways to show a client's user where to answer. Nothing that a client says back is ever a yes."""

import contextlib
import json
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.request_state import RequestStateBoundary, RequestStateSecurity
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from holdpoint.client import Outcome
from holdpoint.core.redaction.display import one_line, visible
from holdpoint.messages.card import Card
from holdpoint.runtime.config import files
from holdpoint.runtime.process import clock
from holdpoint.runtime.store.lru_cache import Recent

KEY_FILE = "request-state.key"
STATE_LIVES_S = 24 * 60 * 60.0
REQUEST = "review"
"""The only thing that a result asks a client for."""

MOST_STATES = 4_096
NO_FIELDS: types.ElicitRequestedSchema = {
    "type": "object",
    "properties": {"answered": {"type": "boolean", "title": "I have answered on the card"}},
}
"""Of a form for clients that open no links: what it says is not read."""


class Way(StrEnum):
    """Kind of request that a client answers."""

    NONE = "none"
    LINK = "link"
    FORM = "form"
    """A form without a question, which shows the link."""


def way_of(ctx: ServerRequestContext[Any, Any]) -> Way:
    """What the client says that it can show; `elicitation: {}` alone means forms."""
    capabilities = ctx.session.client_capabilities
    elicitation = capabilities.elicitation if capabilities else None
    if elicitation is None:
        return Way.NONE
    return Way.LINK if elicitation.url is not None else Way.FORM


def takes_forms(ctx: ServerRequestContext[Any, Any]) -> bool:
    """Whether the client shows forms, and sends back what its user chose."""
    capabilities = ctx.session.client_capabilities
    elicitation = capabilities.elicitation if capabilities else None
    return elicitation is not None and (elicitation.form is not None or elicitation.url is None)


def is_modern(ctx: ServerRequestContext[Any, Any]) -> bool:
    """Whether a result may ask for input, in place of a request from the server."""
    return ctx.protocol_version in MODERN_PROTOCOL_VERSIONS


def client_of(ctx: ServerRequestContext[Any, Any]) -> tuple[str, str]:
    """Name and version of the client, as it says."""
    params = ctx.session.client_params
    return (params.client_info.name, params.client_info.version) if params else ("", "")


def request_of(way: Way, outcome: Outcome, url: str) -> types.ElicitRequest:
    """Show where people answer."""
    summary = outcome.confirmation.summary if outcome.confirmation else "A call"
    said = f"{one_line(visible(summary))} waits for a person, who answers on the card."
    params: types.ElicitRequestParams
    if way is Way.LINK and url:
        params = types.ElicitRequestURLParams(message=said, url=url, elicitation_id=outcome.hold_id)
    else:
        text = f"{said} It is at {url}" if url else said
        params = types.ElicitRequestFormParams(message=text, requested_schema=NO_FIELDS)
    return types.ElicitRequest(params=params)


@dataclass(eq=False, kw_only=True)
class States:
    """Request states that were given out, each of which counts once."""

    _open: Recent[tuple[str, Card | None]] = field(default_factory=lambda: Recent(MOST_STATES))
    """The hold of each and the card that was shown, by its nonce."""

    def state_of(self, hold_id: str, card: Card | None = None) -> str:
        """A state for the next round about a hold."""
        nonce = clock.new_nonce()
        self._open.put(nonce, (hold_id, card))
        return json.dumps({"nonce": nonce, "hold_id": hold_id})

    def take(self, state: str) -> tuple[str, Card | None]:
        """The hold that a state is about; empty where it was used, or is from another process."""
        none = "", None
        try:
            said = json.loads(state)
            nonce, hold_id = said["nonce"], said["hold_id"]
        except (ValueError, KeyError, TypeError):
            return none
        found = self._open.take(nonce) or none
        return found if found[0] == hold_id else none


def boundary(folder: Path, agent: str) -> RequestStateBoundary:
    """Seals each state: with its time, its call, and the agent it was given to."""
    security = RequestStateSecurity(
        keys=[_key(files.private_folder(folder) / KEY_FILE)],
        ttl=STATE_LIVES_S,
        bind_principal=lambda _: agent,
    )
    return RequestStateBoundary(security, default_audience="holdpoint")


def _key(path: Path) -> bytes:
    """A key of this machine, made when it is first needed."""
    with contextlib.suppress(FileExistsError):
        files.create(path, f"{clock.new_nonce()}{clock.new_nonce()}".encode(), files.PRIVATE)
    return files.read_secret(path)
