"""Builder: calls and sentences as a gate judges them by the real policy, and people's answers."""

from datetime import datetime, timedelta
from functools import cache
from typing import Any

import msgspec
from tests.integration.ledger_bus import AGENT, RENDER, TENANT, Bus
from tests.unit.risk.builders import policy_with_reader, the_policy

from holdpoint.cli.domains import catalog
from holdpoint.core import commands
from holdpoint.core.card import draw
from holdpoint.core.catalog import Catalog
from holdpoint.core.digest import action_digest, sentence_digest
from holdpoint.core.hold import begin, decide
from holdpoint.core.risk import Context, Sentence, assess, metadata_of
from holdpoint.core.verdict import Facts, Verdict, judge, judge_sentence
from holdpoint.messages import answer, call
from holdpoint.messages.action import DESCRIBING, Action, Plan
from holdpoint.messages.base import JsonObject
from holdpoint.messages.catalog import Agent
from holdpoint.messages.hold import Hold, Stage
from holdpoint.messages.policy import Method, PolicyRef
from holdpoint.messages.risk import Assessment, IntentClaim
from holdpoint.runtime.config.settings import Settings


@cache
def the_catalog() -> Catalog:
    return catalog(Settings())


class Office(Bus):
    """The streams of an office where people take their time."""

    def __init__(self) -> None:
        super().__init__()
        self.waited = timedelta()

    @property
    def now(self) -> datetime:
        return super().now + self.waited

    def proposes(
        self,
        tool: str,
        arguments: JsonObject,
        *,
        plan: Plan | None = None,
        reasoning: str = "",
        taint: tuple[str, ...] = (),
    ) -> Hold:
        """A call of a real tool, judged by the real policy."""
        asked = call.Propose(tool=tool, arguments=arguments, reasoning=reasoning, taint=taint)
        cause = self.call(asked, "propose").cause
        entry = the_catalog().tools[tool]
        action = Action(
            tenant=TENANT,
            agent=AGENT,
            on_behalf_of="alice",
            domain=entry.domain,
            tool=tool,
            tool_schema_sha256=entry.schema_sha256,
            arguments=arguments,
            preconditions=_frozen(plan),
        )
        context = Context(tool=entry, plan=plan, reasoning=reasoning, taint=taint)
        found = assess(action, context, the_policy())
        facts = Facts(
            agent=Agent(name=AGENT, tools=(tool,)), tool=entry, assessment=found, planned=True
        )
        verdict = judge(facts, the_policy())
        about = self._hold(cause, found, verdict, action_digest(action))
        return self._begun(msgspec.structs.replace(about, action=action, says=reasoning), verdict)

    def says(
        self, text: str, detail: JsonObject | None = None, claim: IntentClaim | None = None
    ) -> Hold:
        """A sentence, judged by the real policy."""
        claimed = claim or IntentClaim()
        said = call.Intent(text=text, action_detail=detail or {}, metadata=claimed)
        cause = self.call(said, "intent").cause
        sentence = Sentence(text=text, action_detail=detail or {}, claim=claimed)
        found = assess(sentence, Context(), policy_with_reader())
        verdict = judge_sentence(metadata_of(found), policy_with_reader(), "")
        digest = sentence_digest(TENANT, AGENT, "alice", {"text": text})
        about = self._hold(cause, found, verdict, digest)
        return self._begun(msgspec.structs.replace(about, says=text, claim=detail or {}), verdict)

    def answered(self, about: Hold, choice: answer.Choice, after_s: float = 30.0) -> Hold:
        """A person answers so many seconds after the proposal, and it is resumed."""
        self.waited += about.proposed_at + timedelta(seconds=after_s) - self.now
        cause = self.answer(about, "olivia", choice).cause
        said: dict[str, Any] = {
            "cause": cause,
            "by": "olivia",
            "digest": about.digest,
            "render_digest": RENDER,
        }
        command: commands.Command = (
            commands.Proceed(method=_proof(about), **said)
            if choice is answer.Choice.PROCEED
            else commands.Cancel(reason="No.", **said)
        )
        ended = self._step(about, command, about.proposed_at + timedelta(seconds=after_s))
        resume = commands.Resume(cause=self.last_cause, nonce="n" * 32, at=self.now)
        return self._step(ended, resume, self.now)

    def _hold(self, cause: str, found: Assessment, verdict: Verdict, digest: str) -> Hold:
        at = self.entries[-1].at
        return Hold(
            hold_id=f"hold{len(self.entries):022d}",
            tenant=TENANT,
            agent=AGENT,
            on_behalf_of="alice",
            stage=Stage.HALTED,
            level=verdict.level,
            digest=digest,
            call_digest=digest,
            policy=PolicyRef(version="1", digest="9" * 64),
            assessment=found,
            metadata=metadata_of(found),
            proposed_at=at,
            requirement=verdict.requirement,
            expires_at=at + timedelta(seconds=900),
            valid_for_s=900,
            grant_s=300,
            causes=(cause,),
            reason=verdict.reason,
        )

    def _begun(self, about: Hold, verdict: Verdict) -> Hold:
        first = commands.Begin(
            cause=about.causes[0], hold=about, verdict=verdict.kind, nonce="n" * 32, at=self.now
        )
        opened = self.fact(begin(first))
        if opened.stage is not Stage.HALTED:
            return opened
        ui = draw(opened, the_catalog().find(opened.action.tool) if opened.action else None)
        shown = commands.Render(cause=self.last_cause, ui=ui, title="t", render_digest=RENDER)
        return self._step(opened, shown, self.now)

    def _step(self, about: Hold, command: commands.Command, now: datetime) -> Hold:
        fact = decide(about, command, now)
        assert not isinstance(fact, commands.Objected), fact
        return self.fact(fact)


def _frozen(plan: Plan | None) -> JsonObject:
    if plan is None or plan.error:
        return {}
    whole: JsonObject = msgspec.to_builtins(plan)
    return {name: whole[name] for name in ("affected", *DESCRIBING) if name in whole}


def _proof(about: Hold) -> Method:
    """The weakest proof that the hold takes."""
    asked = about.requirement
    return Method.CHAT if asked is None or Method.CHAT in asked.proofs else Method.TOTP
