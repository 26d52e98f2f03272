"""What must hold under any fault, judged from outside: streams, ledger, and real effects only.

Each check is named after its line in INVARIANTS.md and yields one sentence for each breach.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, TypeAlias

import msgspec
from sqlalchemy import func, select
from tests.road import StreamEyes
from tests.running import TENANT, Road

from holdpoint.core.digest import action_digest
from holdpoint.messages import subjects as s
from holdpoint.messages.answer import Answer, Choice
from holdpoint.messages.call import Intent, Propose, Withdraw
from holdpoint.messages.codec import UnreadableError
from holdpoint.messages.hold import Halted, Hold, Outcome, Passed, Refused, Resolved, Resumed
from holdpoint.messages.run import Barred, Finished, Lapsed, RunStatus, Started
from holdpoint.messages.subjects import command_id, stream
from holdpoint.runtime import clock
from holdpoint.runtime.errors import SignatureError
from holdpoint.runtime.journal import Stored
from holdpoint.runtime.keys import GATE, Keyset
from holdpoint.runtime.ledger.tables import events

SKEW = timedelta(seconds=5)
LET_GO = (Passed, Resumed)


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """Everything that was said, what came of it, and when we looked."""

    messages: Mapping[str, Sequence[tuple[Stored, Any]]]
    """By kind of stream; what cannot be read is None."""

    last: Mapping[str, int]
    entered: Mapping[str, int]
    """How many events of each stream the ledger has."""

    effects: Mapping[str, int]
    """How often the effect of each hold happened."""

    keyset: Keyset
    at: datetime

    def of(self, kind: str, *types: type[Any]) -> Iterator[tuple[Stored, Any]]:
        return ((it, said) for it, said in self.messages[kind] if isinstance(said, types))

    def holds(self) -> Mapping[str, list[tuple[Stored, Any]]]:
        told: defaultdict[str, list[tuple[Stored, Any]]] = defaultdict(list)
        for it, fact in self.messages[s.HOLDS]:
            if fact is not None and not isinstance(fact, Refused):
                told[fact.hold.hold_id].append((it, fact))
        return told

    def runs(self) -> Mapping[str, list[tuple[Stored, Any]]]:
        told: defaultdict[str, list[tuple[Stored, Any]]] = defaultdict(list)
        for it, fact in self.messages[s.RUNS]:
            told[fact.hold_id].append((it, fact))
        return told


Check: TypeAlias = Callable[[Evidence], Iterator[str]]


async def look(road: Road, eyes: StreamEyes, effects: Mapping[str, int]) -> Evidence:
    """Read every stream and count the ledger."""
    messages, last = {}, {}
    for kind in s.AUDITED:
        found = await eyes.on(kind, ">")
        messages[kind] = [(it, _read(it)) for it in found]
        subject = f"$JS.API.STREAM.INFO.{stream(TENANT, kind)}"
        reply = await eyes.client.request(subject, b"", timeout=5)
        last[kind] = msgspec.json.decode(reply.data)["state"]["last_seq"]
    counts = select(events.c.src_stream, func.count()).group_by(events.c.src_stream)
    rows = road.ledger(lambda it: it.execute(counts).all())
    return Evidence(
        messages=messages,
        last=last,
        entered={s.kind_of(name): count for name, count in rows},
        effects=effects,
        keyset=Keyset(road.settings.keys_dir),
        at=clock.now(),
    )


def breaches(evidence: Evidence) -> list[str]:
    """Every line of INVARIANTS.md that does not hold."""
    return [f"{check.__name__}: {told}" for check in CHECKS for told in check(evidence)]


def s1_each_effect_has_a_grant_for_exactly_that(it: Evidence) -> Iterator[str]:
    holds, runs = it.holds(), it.runs()
    for hold, times in it.effects.items():
        starts = [(at, run) for at, run in runs[hold] if isinstance(run, Started)]
        grants = [fact for at, fact in holds[hold] if _is_leave(it, at, fact)]
        if times and not any(_covers(fact, at.at, run) for at, run in starts for fact in grants):
            yield f"{hold} took effect without a grant"


def s2_each_effect_happens_once(it: Evidence) -> Iterator[str]:
    for hold, times in it.effects.items():
        if times > 1:
            yield f"{hold} took effect {times} times"
    nonces = Counter(run.nonce for _, run in it.of(s.RUNS, Started))
    yield from (f"the nonce {nonce} started {times} runs" for nonce, times in nonces.items()
                if times > 1)  # fmt: skip


def s3_nothing_runs_after_it_was_stopped(it: Evidence) -> Iterator[str]:
    for hold, runs in it.runs().items():
        kinds = Counter(type(run) for _, run in runs)
        if kinds[Started] + kinds[Barred] + kinds[Lapsed] > 1:
            yield f"{hold} was claimed more than once"
        if it.effects.get(hold) and not kinds[Started]:
            yield f"{hold} took effect, and nobody claimed it"
    for hold, facts in it.holds().items():
        stopped = facts[-1][1].hold.outcome not in {None, Outcome.CONFIRMED}
        if stopped and it.effects.get(hold):
            yield f"{hold} ended as {facts[-1][1].hold.outcome} and took effect"


def s4_each_hold_is_resolved_once_as_its_answers_say(it: Evidence) -> Iterator[str]:
    said = {command_id(stream(TENANT, kind), at.seq): (at, message)
            for kind in (s.ANSWERS, s.CALLS) for at, message in it.messages[kind]}  # fmt: skip
    for hold, facts in it.holds().items():
        resolved = [fact for _, fact in facts if isinstance(fact, Resolved)]
        if not isinstance(facts[0][1], Halted):
            continue
        if len(resolved) > 1:
            yield f"{hold} was resolved {len(resolved)} times"
        for fact in resolved:
            yield from (f"{hold}: {wrong}" for wrong in _unlike(fact, said.get(fact.cause)))


def s7_silence_and_faults_are_no_yes(it: Evidence) -> Iterator[str]:
    for hold, facts in it.holds().items():
        asked = isinstance(facts[0][1], Halted)
        yes = any(isinstance(fact, Resolved) and fact.outcome is Outcome.CONFIRMED
                  for _, fact in facts)  # fmt: skip
        if asked and it.effects.get(hold) and not yes:
            yield f"{hold} took effect without a yes"


def d1_each_call_ends_or_waits_with_a_live_deadline(it: Evidence) -> Iterator[str]:
    holds, runs = it.holds(), it.runs()
    counted = {cause: hold for hold, facts in holds.items() for _, fact in facts
               for cause in fact.hold.causes}  # fmt: skip
    refused = {fact.cause for _, fact in it.of(s.HOLDS, Refused)}
    for at, _ in it.of(s.CALLS, Propose, Intent):
        call = command_id(stream(TENANT, s.CALLS), at.seq)
        if call in refused:
            continue
        if call not in counted:
            yield f"{call} was never judged"
        elif not _has_ended(it, holds[counted[call]][-1][1], runs[counted[call]]):
            yield f"{call} neither ended nor waits"


def d2_each_claim_has_one_result(it: Evidence) -> Iterator[str]:
    for hold, runs in it.runs().items():
        finished = [run for _, run in runs if isinstance(run, Finished)]
        started = [run for _, run in runs if isinstance(run, Started)]
        if len(finished) > 1:
            yield f"{hold} has {len(finished)} results"
        if started and not finished and started[0].lease_until < it.at - timedelta(seconds=30):
            yield f"{hold} was claimed long ago and has no result"
        done = [run for run in finished if run.status is RunStatus.DONE]
        if done and it.effects.get(hold) == 0:
            yield f"{hold} is said to be done and never happened"


def a1_each_message_is_in_the_ledger(it: Evidence) -> Iterator[str]:
    for kind, last in it.last.items():
        if it.entered.get(kind, 0) != last:
            yield f"{kind} has {last} messages, the ledger {it.entered.get(kind, 0)}"


CHECKS: tuple[Check, ...] = (
    s1_each_effect_has_a_grant_for_exactly_that,
    s2_each_effect_happens_once,
    s3_nothing_runs_after_it_was_stopped,
    s4_each_hold_is_resolved_once_as_its_answers_say,
    s7_silence_and_faults_are_no_yes,
    d1_each_call_ends_or_waits_with_a_live_deadline,
    d2_each_claim_has_one_result,
    a1_each_message_is_in_the_ledger,
)


def _read(it: Stored) -> Any:
    try:
        return it.message
    except UnreadableError:
        return None


def _is_leave(evidence: Evidence, at: Stored, fact: Any) -> bool:
    try:
        evidence.keyset.verify(at.data, at.signature, GATE, at.at)
    except SignatureError:
        return False
    return isinstance(fact, LET_GO) and fact.grant is not None


def _covers(fact: Any, started_at: datetime, run: Started) -> bool:
    action, grant = fact.hold.action, fact.grant
    return bool(
        grant.nonce == run.nonce
        and grant.aud == f"domain:{action.domain}"
        and action.tenant == TENANT
        and action_digest(action) == fact.hold.digest == run.digest
        and grant.nbf - SKEW <= started_at <= grant.exp + SKEW
    )


def _unlike(fact: Resolved, cause: tuple[Stored, Any] | None) -> Iterator[str]:
    """How the outcome differs from what was said."""
    message = cause[1] if cause else None
    fits = {
        Outcome.CONFIRMED: isinstance(message, Answer) and message.answer is Choice.PROCEED,
        Outcome.CANCELLED: isinstance(message, Answer) and message.answer is Choice.CANCEL,
        Outcome.WITHDRAWN: isinstance(message, Withdraw),
        Outcome.EXPIRED: fact.cause.startswith(s.TIMERS),
    }
    if not fits[fact.outcome] and "Kill switch" not in fact.hold.reason:
        yield f"{fact.outcome} by {fact.cause}, which says {message}"
    if isinstance(message, Answer) and message.digest != fact.hold.digest:
        yield "the answer was to another action"
    late = fact.hold.expires_at is not None and cause and cause[0].at >= fact.hold.expires_at
    if fact.outcome is Outcome.CONFIRMED and late:
        yield "the yes came after the deadline"


def _has_ended(evidence: Evidence, fact: Any, runs: Sequence[tuple[Stored, Any]]) -> bool:
    it: Hold = fact.hold
    if it.requirement is not None and it.outcome is None:
        return it.expires_at is not None and it.expires_at > evidence.at
    granted = isinstance(fact, LET_GO) and fact.grant is not None
    if isinstance(fact, Resolved):
        return False
    return not granted or any(isinstance(run, Finished | Barred | Lapsed) for _, run in runs)
