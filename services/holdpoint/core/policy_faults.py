"""Faults of a policy as a whole: what gates could not judge by, and yeses that could never run."""

from collections.abc import Iterable, Iterator

from holdpoint.core.policy_check import check_policy
from holdpoint.core.verdict import unanswerable
from holdpoint.messages.catalog import Agent
from holdpoint.messages.policy import LevelRule, Method, Policy, VerdictKind


def policy_faults(policy: Policy, agents: Iterable[Agent], passkey_from_level: int) -> list[str]:
    """Return what keeps a policy from being used; empty where nothing does.

    `passkey_from_level` is the level from which on workers run only what passkeys signed.
    """
    return [*check_policy(policy)] or [
        *unanswerable(policy, agents),
        *_without_passkey(policy, passkey_from_level),
    ]


def _without_passkey(policy: Policy, from_level: int) -> Iterator[str]:
    """Yield the levels at which a yes counts that workers would not act on."""
    for level, rule in sorted(policy.levels.items()):
        if level >= from_level and rule.verdict is VerdictKind.HOLD and not _takes_passkey(rule):
            yield (
                f"levels.{level}: workers run nothing from level {from_level} up that no passkey "
                "signed, and here a yes counts without one. Write `proofs: [passkey]`, or put "
                "passkey among `proofs` with `every_proof: true`; HP_PASSKEY_FROM_LEVEL sets "
                "from which level on."
            )


def _takes_passkey(rule: LevelRule) -> bool:
    """Return whether no yes counts without a passkey."""
    every = rule.every_proof or len(set(rule.proofs)) == 1
    return every and Method.PASSKEY in rule.proofs
