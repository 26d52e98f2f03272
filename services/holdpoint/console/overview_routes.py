"""Pages that look at the whole: figures, the policy, people, and what is late."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from importlib import import_module
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from holdpoint.console import figures
from holdpoint.console.context import AUDITORS_ONLY, Console, Visitor, fields_of
from holdpoint.console.health import HealthWatch
from holdpoint.console.invites import Invites
from holdpoint.console.people_view import known_of, levels_now, people_now
from holdpoint.console.policy_view import VERDICTS, levels_of, rules_of, silent_of
from holdpoint.console.status_labels import is_open
from holdpoint.console.timeline import lasting
from holdpoint.messages.catalog import may_read_ledger
from holdpoint.messages.policy import Policy
from holdpoint.messages.state import (
    CURRENT,
    DelegationState,
    PolicyBody,
    PolicyState,
    StepUpState,
)
from holdpoint.messages.subjects import CARDS, kind_of, stream
from holdpoint.runtime.config.policy import load_policy
from holdpoint.runtime.config.registry import groups_of, load_registry
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.errors import SetupError, UnavailableError
from holdpoint.runtime.process import clock

EXPLAIN, CASES = "holdpoint.policy_lab.explain", "holdpoint.policy_lab.cases"
RISK = "holdpoint.core.risk"
"""Loaded when a text is first tried: the risk engine takes time and 60 MB."""

LONGEST_TRY = 4_000
"""Characters of a text that is tried."""

TRY_S = 10.0
KINDS: Mapping[str, str] = {
    "dialogue": "A sentence of an agent",
    "shell": "A shell command",
    "sql": "An SQL statement",
    "tool_call": "A tool call, as JSON",
    "http": "An HTTP request",
}


@dataclass(frozen=True, kw_only=True)
class Overviews:
    """The pages."""

    console: Console
    settings: Settings
    health: HealthWatch
    invites: Invites
    _one_try: asyncio.Lock = field(default_factory=asyncio.Lock)

    def routes(self) -> list[Route]:
        """Return where they are."""
        known = self.console.for_visitors
        return [
            Route("/figures", known(self.figures), methods=["GET"]),
            Route("/policy", known(self.policy), methods=["GET"]),
            Route("/policy", known(self.tried), methods=["POST"]),
            Route("/people", known(self.people), methods=["GET"]),
            Route("/health", known(self.healthy), methods=["GET"]),
        ]

    async def figures(self, request: Request, visitor: Visitor) -> Response:
        """Show holds over time, as plots with tables."""
        if not may_read_ledger(visitor.person):
            return self.console.problem(visitor, AUDITORS_ONLY, 403)
        asked = request.query_params.get("days", "")
        period = next((it for it in figures.PERIODS if str(it) == asked), figures.PERIODS[1])
        today = clock.now().date()
        try:
            endings = await self.console.archive.endings(figures.since(today, period))
        except UnavailableError as error:
            return self.console.problem(visitor, str(error), 503)
        found = figures.figures_of(endings, today, period)
        values = {
            "period": period,
            "periods": figures.PERIODS,
            "whole": found.whole,
            "days": found.days,
            "waits": found.waits,
            "share": figures.share,
            "lasting": _lasting,
            "plots": {
                "risk": figures.by_risk(found),
                "wait": figures.by_wait(found),
                "approved": figures.by_share(found, expired=False),
                "expired": figures.by_share(found, expired=True),
            },
        }
        return self._page("figures", visitor, values)

    async def policy(self, request: Request, visitor: Visitor) -> Response:
        """Show the policy in force, and how its rules did."""
        _ = request
        return await self._policy(visitor, {"text": "", "kind": "dialogue", "tried": None})

    async def tried(self, request: Request, visitor: Visitor) -> Response:
        """Say what the policy makes of a text; nothing is kept of it."""
        form = await fields_of(request)
        kind, text = form.get("kind", ""), form.get("text", "").strip()
        values: dict[str, Any] = {"text": text, "kind": kind, "tried": None}
        if kind not in KINDS or not 0 < len(text) <= LONGEST_TRY:
            values["problem"] = f"Type a text of at most {LONGEST_TRY:,} characters."
        return await self._policy(visitor, values, 400 if "problem" in values else 200)

    async def people(self, request: Request, visitor: Visitor) -> Response:
        """Show who can approve what right now."""
        _ = request
        archive, now = self.console.archive, clock.now()
        try:
            _, policy = await self.in_force()
            step_ups = await archive.states(StepUpState)
            made = await archive.states(DelegationState)
        except (SetupError, UnavailableError) as error:
            return self.console.problem(visitor, str(error), 503)
        people = self.console.people.everybody()
        new = [it.name for it in people if self.invites.is_new(it.name)]
        known = known_of(people, step_ups, made, new)
        levels = levels_now(policy, people, known, now)
        values = {
            "levels": levels,
            "people": people_now(people, levels, known, now),
            "new": new,
        }
        return self._page("people", visitor, values)

    async def healthy(self, request: Request, visitor: Visitor) -> Response:
        """Show what is late, and since when."""
        _ = request
        await self.health.look()
        services = tuple(self.health.services.values())
        board, problem = self.console.board, ""
        try:
            streams = await self.console.archive.streams()
        except UnavailableError as error:
            streams, problem = [], str(error)
        cards = stream(self.settings.tenant, CARDS)
        entered = next((it for it in streams if it.stream == cards), None)
        waiting = [it for it in board.every_card() if is_open(it)]
        values = {
            "services": services,
            "late": [it for it in services if not it.is_ready],
            "problem": problem,
            "streams": [(kind_of(it.stream), it) for it in streams],
            "is_live": self.console.is_live,
            "behind": max(0, board.last_seq - (entered.last_seq if entered else 0)),
            "entered": entered,
            "open_holds": len(waiting),
            "oldest": min((it.halted_at for it in waiting), default=None),
        }
        return self._page("health", visitor, values)

    async def _policy(
        self, visitor: Visitor, values: dict[str, Any], status: int = 200
    ) -> Response:
        try:
            state, policy = await self.in_force()
            counts, holds = await self.console.archive.rules()
        except (SetupError, UnavailableError) as error:
            return self.console.problem(visitor, str(error), 503)
        if values["text"] and "problem" not in values:
            values = {**values, **await self._try(values["text"], values["kind"], policy)}
        values |= {
            "state": state,
            "policy": policy,
            "levels": levels_of(policy),
            "rules": rules_of(policy, counts),
            "silent": silent_of(policy, counts),
            "holds": holds,
            "kinds": KINDS,
            "verdicts": VERDICTS,
            "longest": LONGEST_TRY,
        }
        return self._page("policy", visitor, {"problem": "", **values}, status)

    async def in_force(self) -> tuple[PolicyState | None, Policy]:
        """Return the policy that gates judge by, as the ledger has it; else the one on disk."""
        archive = self.console.archive
        state = (await archive.states(PolicyState, CURRENT)).get(CURRENT)
        bodies = await archive.states(PolicyBody, state.digest) if state else {}
        if state is not None and state.digest in bodies:
            return state, bodies[state.digest].policy
        config = self.settings.config_dir
        return None, await asyncio.to_thread(
            lambda: load_policy(config, groups_of(load_registry(config)))
        )

    async def _try(self, text: str, kind: str, policy: Policy) -> dict[str, Any]:
        """Judge one text at a time: it takes the processor."""
        async with self._one_try:
            try:
                async with asyncio.timeout(TRY_S):
                    return await asyncio.to_thread(partial(_judged, text, kind, policy))
            except TimeoutError:
                return {"problem": "Judging this text took too long. Try a shorter one."}

    def _page(
        self, name: str, visitor: Visitor, values: Mapping[str, Any], status: int = 200
    ) -> Response:
        return self.console.pages.page(name, {**self.console.frame(visitor), **values}, status)


def _judged(text: str, kind: str, policy: Policy) -> dict[str, Any]:
    cases, explain, risk = import_module(CASES), import_module(EXPLAIN), import_module(RISK)
    try:
        line = cases.line_of(text, cases.LineKind(kind))
        risk.make_ready(policy.patterns)
        return {"tried": explain.explanation(line, policy)}
    except cases.BadLineError as error:
        return {"problem": str(error)}


def _lasting(seconds: float) -> str:
    return lasting(timedelta(seconds=seconds)) if seconds >= 1 else "under 1 s"
