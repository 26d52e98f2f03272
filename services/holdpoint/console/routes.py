"""The pages behind the login: the inbox, one hold, the ledger; and the two buttons."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import msgspec
from sse_starlette import EventSourceResponse
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from holdpoint.console.answering import Pressed
from holdpoint.console.context import AUDITORS_ONLY, Console, Visitor, fields_of
from holdpoint.console.event_stream import SEND_S, LivePage
from holdpoint.console.forms import LONGEST_FORM
from holdpoint.console.inbox_view import GROUPS, RECENT, RISKS, pager_of, view_of
from holdpoint.console.ledger_view import MOST_ACTIONS, OUTCOMES, Filters, Story
from holdpoint.console.status_labels import has_ended, is_answerable, is_witnessed
from holdpoint.messages.answer import Choice, Proof
from holdpoint.messages.base import JsonObject, is_id
from holdpoint.messages.card import Card
from holdpoint.messages.catalog import audiences, may_answer, may_read_ledger
from holdpoint.messages.policy import Method
from holdpoint.messages.state import EVERYONE, Kill
from holdpoint.runtime.errors import SetupError, UnavailableError

LONGEST_CODE = 16
LONGEST_ASSERTION = 6 * 1024
LONGEST_REASON = 300
"""Characters, as the field allows."""

_ADMINS_ONLY = "Only admins can stop agents: people.yaml says who is one."
_APPROVERS_ONLY = "Only approvers answer: people.yaml says who is one."
_NOT_ASKED = "There is no such hold, or none of your groups was asked about it."


@dataclass(frozen=True, kw_only=True)
class Screens:
    """Pages for people who are logged in."""

    console: Console

    def routes(self) -> list[Route]:
        """Return where they are."""
        known, hold = self.console.for_visitors, "/holds/{agent}/{hold_id}"
        return [
            Route("/", known(self.inbox), methods=["GET"]),
            Route(hold, known(self.hold), methods=["GET"]),
            Route(f"{hold}/answer", known(self.answer), methods=["POST"]),
            Route("/ledger", known(self.ledger), methods=["GET"]),
            Route("/actions", known(self.actions), methods=["GET"]),
            Route("/stop", known(self.stop), methods=["GET"]),
            Route("/stop", known(self.kill), methods=["POST"]),
            Route("/live", known(self.live), methods=["GET"]),
        ]

    async def inbox(self, request: Request, visitor: Visitor) -> Response:
        """Return what waits for this person, and what ended lately."""
        view = view_of(request.query_params)
        cards = self.console.board.cards_for(audiences(visitor.person))
        newest = tuple(it for it in reversed(cards) if view.wants(it))
        values = {
            "view": view,
            "agents": sorted({it.agent for it in cards if is_answerable(it)} | {view.agent} - {""}),
            "risks": RISKS,
            "groups": GROUPS,
            "cards": view.window(cards),
            "pager": pager_of(view, cards),
            "witnessed": [card for card in newest if is_witnessed(card)][:RECENT],
            "ended": [card for card in newest if has_ended(card)][:RECENT],
            "recent": RECENT,
        }
        return self.console.pages.page("inbox", {**self.console.frame(visitor), **values})

    async def hold(self, request: Request, visitor: Visitor) -> Response:
        """One hold: its card, its story, its result."""
        hold_id = request.path_params["hold_id"]
        try:
            card = await self._card(visitor, hold_id, request.path_params["agent"])
            story = await self.console.archive.story(hold_id) if card else Story()
        except UnavailableError as error:
            return self.console.problem(visitor, str(error), 503)
        if card is None:
            return self.console.problem(visitor, _NOT_ASKED, 404)
        await self.console.has_read(visitor, "hold", hold=hold_id)
        values = {"card": card, "story": story}
        return self.console.pages.page("hold", {**self.console.frame(visitor), **values})

    async def ledger(self, request: Request, visitor: Visitor) -> Response:
        """Confirmations, newest first."""
        if not may_read_ledger(visitor.person):
            return self.console.problem(visitor, AUDITORS_ONLY, 403)
        known = {name: request.query_params.get(name, "") for name in Filters.__struct_fields__}
        filters = Filters(**known)
        try:
            found = await self.console.archive.page(visitor.person, filters)
            reads = await self.console.archive.reads()
        except SetupError as error:
            return self.console.problem(visitor, str(error), 400)
        except UnavailableError as error:
            return self.console.problem(visitor, str(error), 503)
        await self.console.has_read(visitor, "ledger", **known)
        values = {
            "filters": filters,
            "found": found,
            "reads": reads,
            "outcomes": OUTCOMES,
            "same": {name: value for name, value in known.items() if value and name != "before"},
        }
        return self.console.pages.page("ledger", {**self.console.frame(visitor), **values})

    async def actions(self, request: Request, visitor: Visitor) -> Response:
        """All actions: passed, denied, waiting, answered and run."""
        if not may_read_ledger(visitor.person):
            return self.console.problem(visitor, AUDITORS_ONLY, 403)
        agent = request.query_params.get("agent", "")
        try:
            rows = await self.console.archive.actions(agent)
        except SetupError as error:
            return self.console.problem(visitor, str(error), 400)
        except UnavailableError as error:
            return self.console.problem(visitor, str(error), 503)
        await self.console.has_read(visitor, "actions", agent=agent)
        values = {"agent": agent, "rows": rows, "most": MOST_ACTIONS}
        return self.console.pages.page("actions", {**self.console.frame(visitor), **values})

    async def stop(self, request: Request, visitor: Visitor) -> Response:
        """The kill switch, for admins."""
        _ = request
        if not visitor.person.admin:
            return self.console.problem(visitor, _ADMINS_ONLY, 403)
        thrown = await self.console.thrown()
        stopped = sorted(thrown.stopped) if thrown else None
        values = {
            "agents": self.console.kill_switch.agents(),
            "stopped": stopped,
            "all_of_them": EVERYONE in (stopped or ()),
        }
        return self.console.pages.page("stop", {**self.console.frame(visitor), **values})

    async def kill(self, request: Request, visitor: Visitor) -> Response:
        """Carry out an order to stop agents, or to let them go on."""
        if not visitor.session.is_own_form(request.headers.get("x-holdpoint-csrf", "")):
            return JSONResponse({"text": "This page is too old. Load it again."}, 403)
        if not visitor.person.admin:
            return JSONResponse({"text": _ADMINS_ONLY}, 403)
        form = await fields_of(request)
        agent, reason = form.get("agent", ""), form.get("reason", "").strip()
        if not 0 < len(reason) <= LONGEST_REASON:
            return JSONResponse({"text": "Say why, in at most 300 characters."}, 400)
        if form.get("on") not in {"yes", "no"} or (agent and not is_id(agent)):
            return JSONResponse({"text": "That was no order of this page."}, 400)
        order = Kill(on=form["on"] == "yes", agent=agent or EVERYONE, reason=reason)
        page_half = request.headers.get("x-holdpoint-page", "")
        ordered = await self.console.kill_switch.order(visitor.session, page_half, order)
        return JSONResponse(msgspec.to_builtins(msgspec.structs.asdict(ordered)))

    async def live(self, request: Request, visitor: Visitor) -> Response:
        """The stream of changes of one page."""
        _ = visitor
        page = LivePage(
            console=self.console,
            cookie=request.cookies[self.console.cookie],
            hold_id=request.query_params.get("hold", ""),
            view=view_of(request.query_params),
        )
        return EventSourceResponse(page.events(), send_timeout=SEND_S)

    async def answer(self, request: Request, visitor: Visitor) -> Response:
        """A button was pressed."""
        if not visitor.session.is_own_form(request.headers.get("x-holdpoint-csrf", "")):
            return JSONResponse({"text": "This page is too old. Load it again."}, 403)
        pressed = _pressed(request, await fields_of(request))
        if pressed is None:
            return JSONResponse({"text": "That was no answer of this page."}, 400)
        if not may_answer(visitor.person):
            return JSONResponse({"text": _APPROVERS_ONLY}, 403)
        groups = audiences(visitor.person)
        told = await self.console.answering.answer(visitor.session, groups, pressed)
        return JSONResponse(msgspec.to_builtins(msgspec.structs.asdict(told)))

    async def _card(self, visitor: Visitor, hold_id: str, agent: str) -> Card | None:
        """As it hangs on the board, else as the ledger keeps it."""
        if not is_id(hold_id):
            return None
        groups = audiences(visitor.person)
        card = self.console.board.card_for(groups, hold_id)
        card = card or await self.console.archive.card(visitor.person, hold_id)
        return card if card is not None and card.agent == agent else None


def _pressed(request: Request, form: Mapping[str, str]) -> Pressed | None:
    """Return what the page says was pressed; None when no page of ours says such a thing."""
    try:
        choice, seconds = Choice(form["choice"]), float(form["seconds_shown"])
        digest, render_digest = form["digest"], form["render_digest"]
        extend_s = int(form.get("extend_s", "0"))
    except (KeyError, ValueError):
        return None
    reason = form.get("reason", "")
    proof = _proof(request.path_params["hold_id"], form)
    beside = _typed(form.get("beside", ""))
    if not math.isfinite(seconds) or len(reason) > LONGEST_REASON or proof is None:
        return None
    if beside is None:
        return None
    return Pressed(
        hold_id=request.path_params["hold_id"],
        digest=digest,
        render_digest=render_digest,
        choice=choice,
        extend_s=extend_s,
        seconds_shown=seconds,
        reason=reason,
        proof=proof,
        page_half=request.headers.get("x-holdpoint-page", ""),
        beside=beside,
        typed=form.get("typed", "")[:LONGEST_REASON],
        like=(form.get("like", ""), form.get("like_render", "")),
    )


def _typed(said: str) -> JsonObject | None:
    """Return what was typed into the card's forms, or None when no page of ours sends such."""
    if len(said.encode()) > LONGEST_FORM:
        return None
    try:
        return msgspec.json.decode(said, type=JsonObject) if said else {}
    except msgspec.DecodeError:
        return None


def _proof(hold_id: str, form: Mapping[str, str]) -> Proof | None:
    """Return the proof that the page sent, or None when no page of ours sends such a thing."""
    code, signed = "".join(form.get("code", "").split()), form.get("assertion", "")
    if len(code) > LONGEST_CODE or len(signed) > LONGEST_ASSERTION:
        return None
    try:
        assertion = msgspec.json.decode(signed, type=JsonObject) if signed else {}
    except msgspec.DecodeError:
        return None
    if not code and not assertion:
        return Proof(method=Method.CHAT)
    method = Method.PASSKEY if assertion else Method.TOTP
    nonce = form.get("nonce", "")
    return Proof(method=method, hold_id=hold_id, code=code, assertion=assertion, nonce=nonce)
