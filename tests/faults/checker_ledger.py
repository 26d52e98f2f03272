"""The ledger under any fault: A1, A2, A3 and I3 of INVARIANTS.md."""

from collections.abc import Iterator
from typing import Any

from tests.faults.evidence import Evidence, sha256_of

from holdpoint.messages import subjects as s
from holdpoint.messages.hold import Halted, Resolved
from holdpoint.messages.run import Barred, Finished, Lapsed, Started
from holdpoint.messages.subjects import command_id

NEVER_SIGNED = frozenset({s.CALLS, s.ANSWERS, s.ADMIN})
"""Said by agents and people: the broker vouches for who they are."""


def a1_each_message_is_in_the_ledger(it: Evidence) -> Iterator[str]:
    for kind, last in it.last.items():
        wanted = {f"{kind}:{seq}" for seq in range(1, last + 1)}
        there = {event for event in it.entered if event.startswith(f"{kind}:")}
        if wanted != there:
            lost, more = sorted(wanted - there)[:3], sorted(there - wanted)[:3]
            yield f"{kind} has {last} messages, the ledger {len(there)}: without {lost}, and {more}"
        for at, _ in it.messages[kind]:
            told = [sha256 for sha256, _ in it.entered.get(f"{kind}:{at.seq}", ())]
            if told and told != [sha256_of(at)]:
                yield f"{kind}:{at.seq} stands in the ledger {len(told)} times or otherwise"


def a2_the_chain_is_whole_and_was_never_rewritten(it: Evidence) -> Iterator[str]:
    yield from it.broken


def a3_each_effect_has_its_story(it: Evidence) -> Iterator[str]:
    for hold in {deed.hold_id for deed in it.deeds}:
        facts = [*it.facts_of(hold), *it.runs_of(hold)]
        if not it.facts_of(hold):
            yield f"{hold} took effect, and no gate ever spoke of it"
            continue
        halted = isinstance(facts[0][1], Halted)
        told = {type(fact) for _, fact in facts}
        missing: set[Any] = ({Resolved} if halted else set()) - told
        if not told & {Started, Finished, Barred, Lapsed}:
            missing.add(Started)
        missing_ids = [
            cause
            for cause in (*facts[0][1].hold.causes, *(_id(at.subject, at.seq) for at, _ in facts))
            if cause not in it.entered
        ]
        if missing or missing_ids:
            yield f"{hold} took effect; its story misses {missing or missing_ids}"


def i3_what_does_not_verify_leaves_a_trace(it: Evidence) -> Iterator[str]:
    refused, holds, runs = it.refused, it.holds, it.runs
    good = {at.seq for facts in holds.values() for at, _ in facts}
    ran = {at.seq for facts in runs.values() for at, _ in facts}
    for kind, told in it.messages.items():
        for at, message in told:
            if message is None and kind.partition("@")[0] in NEVER_SIGNED:
                if command_id(s.stream("", kind), at.seq) not in refused:
                    yield f"{kind}:{at.seq} is unreadable and was not refused"
            elif kind == s.HOLDS and ".hold." in at.subject and at.seq not in good:
                if f"{kind}:{at.seq}" not in it.unsigned:
                    yield f"{kind}:{at.seq} is not the gate's, and the ledger does not say so"
            elif kind == s.RUNS and at.seq not in ran and f"{kind}:{at.seq}" not in it.unsigned:
                yield f"{kind}:{at.seq} is nobody's, and the ledger does not say so"


def _id(subject: str, seq: int) -> str:
    return f"{s.HOLDS if '.hold.' in subject else s.RUNS}:{seq}"
