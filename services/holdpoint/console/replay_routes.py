"""The replay page: what another level of one pattern would have changed, from the ledger."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from importlib import import_module
from itertools import islice
from typing import Any

from msgspec.structs import replace
from sqlalchemy import Connection
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from holdpoint.console.context import AUDITORS_ONLY, Visitor, fields_of
from holdpoint.console.overview_routes import Overviews
from holdpoint.core.catalog import Catalog
from holdpoint.ledger.verdicts import answered, judged, outcomes
from holdpoint.messages.catalog import may_read_ledger
from holdpoint.messages.policy import Policy
from holdpoint.messages.risk import RiskLevel
from holdpoint.runtime.config.registry import load_registry
from holdpoint.runtime.errors import SetupError, UnavailableError
from holdpoint.runtime.process import clock

PLOT, REPLAY = "holdpoint.policy_lab.plot", "holdpoint.policy_lab.replay"
INPUT, RISK = "holdpoint.policy_lab.replay_input", "holdpoint.core.risk"
"""Loaded when a replay is first asked for: they take time and memory."""

MOST = 2_000
"""Verdicts of one replay; `holdpoint policy replay` judges all of them."""

LOOKS_BACK = timedelta(days=30)
OUT = "out"
CHANGES = {OUT: "left out", **{it.value: it.value for it in RiskLevel}}
_BUSY = "Another replay is running. Try again when it is done."
_UNKNOWN = "Choose a pattern of this policy, and what becomes of it."


@dataclass(frozen=True, kw_only=True)
class Replays:
    """The page, for auditors; nothing of it changes the policy."""

    overviews: Overviews
    catalog: Callable[[], Catalog]
    _one: asyncio.Lock = field(default_factory=asyncio.Lock)

    def routes(self) -> list[Route]:
        """Return where it is."""
        known = self.overviews.console.for_visitors
        return [
            Route("/policy/replay", known(self.ask), methods=["GET"]),
            Route("/policy/replay", known(self.replay), methods=["POST"]),
        ]

    async def ask(self, request: Request, visitor: Visitor) -> Response:
        """Show the form."""
        rule = request.query_params.get("rule", "")
        return await self._page(visitor, {"rule": rule, "change": OUT})

    async def replay(self, request: Request, visitor: Visitor) -> Response:
        """Judge the ledger's verdicts again by both policies."""
        form = await fields_of(request)
        asked = {"rule": form.get("rule", ""), "change": form.get("change", "")}
        return await self._page(visitor, asked, is_asked=True)

    async def _page(
        self, visitor: Visitor, asked: dict[str, str], *, is_asked: bool = False
    ) -> Response:
        console = self.overviews.console
        if not may_read_ledger(visitor.person):
            return console.problem(visitor, AUDITORS_ONLY, 403)
        try:
            _, policy = await self.overviews.in_force()
            told = await self._told(policy, asked) if is_asked else {}
        except (SetupError, UnavailableError) as error:
            return console.problem(visitor, str(error), 503)
        values = {"problem": "", "told": None, "policy": policy, "changes": CHANGES, "most": MOST}
        values |= {**asked, **told, "days": LOOKS_BACK.days}
        status = 400 if values["problem"] else 200
        return console.pages.page("replay", {**console.frame(visitor), **values}, status)

    async def _told(self, policy: Policy, asked: dict[str, str]) -> dict[str, Any]:
        candidate = candidate_of(policy, asked["rule"], asked["change"])
        if candidate is None:
            return {"problem": _UNKNOWN}
        if self._one.locked():
            return {"problem": _BUSY}
        async with self._one:
            question = partial(self._replayed, policy, candidate)
            told = await self.overviews.console.archive.replayed(question)
        rows = import_module(PLOT).rows_of(told)
        return {"told": told, "rows": rows, "kinds": import_module(REPLAY).changes(told)}

    def _replayed(self, policy: Policy, candidate: Policy, connection: Connection) -> Any:
        risk, given = import_module(RISK), import_module(INPUT)
        for each in (policy, candidate):
            risk.make_ready(each.patterns)
        since = clock.now() - LOOKS_BACK
        registry = load_registry(self.overviews.settings.config_dir)
        agents = {agent.name: agent for agent in registry.agents}
        known = given.Known(self.catalog(), agents, outcomes(connection, since))
        cases = given.from_ledger(judged(connection, since), known)
        took = [it.took for it in answered(connection, since)]
        return import_module(REPLAY).replay(islice(cases, MOST), policy, candidate, took)


def candidate_of(policy: Policy, rule: str, change: str) -> Policy | None:
    """Return the policy with one pattern left out or at another level; None where there is none."""
    if change not in CHANGES or rule not in {it.id for it in policy.patterns}:
        return None
    others = tuple(it for it in policy.patterns if it.id != rule)
    if change == OUT:
        return replace(policy, patterns=others)
    level = RiskLevel(change)
    patterns = [replace(it, level=level) if it.id == rule else it for it in policy.patterns]
    return replace(policy, patterns=tuple(patterns))
