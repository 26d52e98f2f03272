"""What must hold under any fault, judged from outside: one check for each line of INVARIANTS.md.

Each yields one sentence for each breach. Those about holds and runs stand in
`checker_holds.py`, those about people's voices in `checker_voices.py`, about the ledger in
`checker_ledger.py`, and about what agents are told in `checker_told.py`.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any, TypeAlias

from tests.faults import checker_holds as of_holds
from tests.faults import checker_ledger as of_ledger
from tests.faults import checker_told as of_told
from tests.faults import checker_voices as of_voices
from tests.faults.effects_domain import Effect
from tests.faults.evidence import Evidence
from tests.running_system import TENANT

from holdpoint.core.digest import action_digest
from holdpoint.messages import subjects as s
from holdpoint.messages.hold import Halted, Outcome, Passed, Resolved, Resumed, Witnessed
from holdpoint.messages.run import AnyRunFact, Barred, Lapsed, Started

SKEW = timedelta(seconds=5)
LET_GO = (Passed, Witnessed, Resumed)
REPEATABLE = frozenset({"look", "put"})
"""Doing it twice is the same as doing it once: it may happen again after a crash."""

UNCLAIMED = frozenset({"look"})
SETTLED = frozenset({"look", "put", "book"})
"""What another worker may do after the lease of the one that claimed it."""

Check: TypeAlias = Callable[[Evidence], Iterator[str]]


def breaches(evidence: Evidence) -> list[str]:
    """Every line of INVARIANTS.md that does not hold."""
    return [f"{check.__name__}: {told}" for check in CHECKS for told in check(evidence)]


def s1_each_effect_has_a_grant_for_exactly_that(it: Evidence) -> Iterator[str]:
    for hold, times in it.effects.items():
        starts = [(at.at, run) for at, run in it.runs_of(hold) if isinstance(run, Started)]
        grants = [fact for _, fact in it.facts_of(hold) if isinstance(fact, LET_GO) and fact.grant]
        claimed = any(_covers(fact, *start) for start in starts for fact in grants)
        if times and not claimed and not _unclaimed(it, hold):
            yield f"{hold} took effect without a grant"
    for deed in it.deeds:
        grants = [fact for _, fact in it.facts_of(deed.hold_id) if _allows(fact, deed)]
        if not grants:
            yield f"{deed.hold_id}: no grant allows {deed.tool} {deed.arguments}"
        elif deed.tool in UNCLAIMED and not any(
            _in_time(fact, deed.begun_by_worker) for fact in grants
        ):
            yield f"{deed.hold_id} took effect outside of its grant's time"


def s2_each_effect_happens_once(it: Evidence) -> Iterator[str]:
    again = {deed.hold_id for deed in it.deeds if deed.tool in REPEATABLE}
    for hold, times in it.effects.items():
        if times > 1 and hold not in again:
            yield f"{hold} took effect {times} times"
    keys = Counter((deed.tool, deed.arguments["mark"].partition("/")[0]) for deed in it.deeds
                   if deed.tool not in REPEATABLE)  # fmt: skip
    yield from (f"{key} took effect {times} times" for key, times in keys.items() if times > 1)
    starts = Counter(run.nonce for _, run in it.of(s.RUNS, Started) if not run.extended)
    acted: defaultdict[str, set[str]] = defaultdict(set)
    for deed in it.deeds:
        acted[deed.nonce].add(deed.hold_id)
    for nonce in starts.keys() | acted.keys():
        if max(starts[nonce], len(acted[nonce])) > 1:
            yield f"the nonce {nonce} started {starts[nonce]} runs, acted in {acted[nonce]}"


def s3_nothing_runs_after_it_was_stopped(it: Evidence) -> Iterator[str]:
    for hold, runs in it.runs.items():
        kinds = Counter(type(run) for _, run in runs if not _extends(run))
        if kinds[Started] + kinds[Barred] + kinds[Lapsed] > 1:
            yield f"{hold} was claimed more than once"
        if it.effects.get(hold) and not kinds[Started] and not _unclaimed(it, hold):
            yield f"{hold} took effect, and nobody claimed it"
        if it.effects.get(hold) and kinds[Barred] + kinds[Lapsed] and not _unclaimed(it, hold):
            yield f"{hold} took effect, though it was stopped before it started"
    for hold, facts in it.holds.items():
        outcome = facts[-1][1].hold.outcome
        if outcome not in {None, Outcome.CONFIRMED} and it.effects.get(hold):
            yield f"{hold} ended as {outcome} and took effect"


def _extends(run: AnyRunFact) -> bool:
    """Whether it only makes a claim's lease longer."""
    return isinstance(run, Started) and run.extended


def s3_nothing_begins_too_early_or_too_late(it: Evidence) -> Iterator[str]:
    for deed in it.deeds:
        if not it.facts_of(deed.hold_id):
            continue
        hold = it.facts_of(deed.hold_id)[-1][1].hold
        asked = hold.requirement
        if asked and hold.resolved_at:
            cooled = hold.resolved_at + timedelta(seconds=asked.cooling_off_s)
            if deed.begun < cooled:
                yield f"{deed.hold_id} began at {deed.begun}, before it had cooled off at {cooled}"
        claims = (run for _, run in it.runs_of(deed.hold_id) if isinstance(run, Started))
        leases = [run.lease_until for run in claims]
        if leases and deed.tool not in SETTLED and deed.begun_by_worker > max(leases):
            yield f"{deed.hold_id} began at {deed.begun}, after its lease until {max(leases)}"


def s7_silence_and_faults_are_no_yes(it: Evidence) -> Iterator[str]:
    for hold, facts in it.holds.items():
        asked = isinstance(facts[0][1], Halted)
        yes = any(isinstance(fact, Resolved) and fact.outcome is Outcome.CONFIRMED
                  for _, fact in facts)  # fmt: skip
        if asked and it.effects.get(hold) and not yes:
            yield f"{hold} took effect without a yes"


CHECKS: tuple[Check, ...] = (
    s1_each_effect_has_a_grant_for_exactly_that,
    s2_each_effect_happens_once,
    s3_nothing_runs_after_it_was_stopped,
    s3_nothing_begins_too_early_or_too_late,
    of_holds.s4_each_hold_is_resolved_once_as_its_answers_say,
    of_holds.s4_each_answer_counts_once_or_is_refused,
    of_holds.s4_nothing_expires_before_its_deadline,
    of_voices.s5_enough_of_the_right_people_said_yes,
    of_voices.s5_each_voice_is_an_answer_of_that_person,
    of_holds.s6_the_digest_is_the_same_everywhere,
    s7_silence_and_faults_are_no_yes,
    of_holds.d1_each_call_ends_or_waits_with_a_live_deadline,
    of_holds.d2_each_claim_has_one_result,
    of_holds.l1_nothing_stays_past_its_deadline,
    of_told.l2_who_comes_back_learns_the_outcome,
    of_told.l2_whoever_is_told_at_once_is_told_what_stands,
    of_ledger.a1_each_message_is_in_the_ledger,
    of_ledger.a2_the_chain_is_whole_and_was_never_rewritten,
    of_ledger.a3_each_effect_has_its_story,
    of_ledger.i3_what_does_not_verify_leaves_a_trace,
)


def _unclaimed(it: Evidence, hold: str) -> bool:
    """Whether its tool needs no claim."""
    return any(deed.hold_id == hold and deed.tool in UNCLAIMED for deed in it.deeds)


def _allows(fact: Any, deed: Effect) -> bool:
    """Whether this is a grant for exactly this deed."""
    if not isinstance(fact, LET_GO) or fact.grant is None or fact.hold.action is None:
        return False
    same = fact.hold.action.tool == deed.tool and fact.hold.action.arguments == deed.arguments
    return same and fact.grant.nonce == deed.nonce


def _in_time(fact: Any, begun: Any) -> bool:
    return bool(fact.grant.nbf - SKEW <= begun <= fact.grant.exp + SKEW)


def _covers(fact: Any, started_at: Any, run: Started) -> bool:
    action, grant = fact.hold.action, fact.grant
    return bool(
        grant.nonce == run.nonce
        and grant.aud == f"domain:{action.domain}"
        and action.tenant == TENANT
        and action_digest(action) == fact.hold.digest == run.digest
        and _in_time(fact, started_at)
    )
