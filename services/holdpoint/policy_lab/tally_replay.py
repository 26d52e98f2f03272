"""Counts that a gate would have had so far, while a policy judges one call after the other again.

Gates keep rolling sums and the trails of untrusted content in counters that all of them share.
Here they are kept in memory, apart for each policy, because what a policy sums is its own.
"""

from collections import Counter
from datetime import datetime

from msgspec.structs import replace

from holdpoint.core.risk import Brought, Tallied
from holdpoint.core.tallies import Due, Trail, bucket_of, bucket_s, covered, due, marks, trails
from holdpoint.messages.action import Action
from holdpoint.messages.policy import Policy, VerdictKind
from holdpoint.policy_lab.judge import Judgement
from holdpoint.policy_lab.replay_input import Again


class Memory:
    """One policy, and what it has counted of the calls that it judged, in their order."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self._counted = Counter[tuple[str, int, int]]()

    def judged(self, case: Again) -> Judgement:
        """Judge a call after those before it; what did not run then adds nothing."""
        found = case.judged(self._policy)
        action, at = case.subject, case.at
        if not isinstance(action, Action) or at is None or found.verdict is VerdictKind.DENY:
            return found
        summed = due(action, case.context, found.assessment, self._policy)
        added = (*summed, *marks(action, case.context, self._policy))
        looked = trails(action, case.context, self._policy)
        self._add(added, at, 1)
        around = replace(
            case.context,
            tallies=tuple(
                Tallied(rule=it.rule, total=self._total(it, at), person=it.person) for it in added
            ),
            brought=tuple(self._brought(trail, at) for trail in looked),
        )
        if not case.ran:
            self._add(added, at, -1)
        return replace(case, context=around).judged(self._policy) if added or looked else found

    def _add(self, added: tuple[Due, ...], at: datetime, times: int) -> None:
        for one in added:
            size = bucket_s(one.rule)
            self._counted[one.key, size, bucket_of(at, size)] += times * one.amount

    def _total(self, one: Due, at: datetime) -> int:
        size = bucket_s(one.rule)
        return sum(self._counted[one.key, size, bucket] for bucket in covered(at, at, size))

    def _brought(self, trail: Trail, at: datetime) -> Brought:
        times = self._total(trail.own, at) - trail.own.amount
        return Brought(source=trail.source, within_s=trail.own.rule.window_s, times=times)
