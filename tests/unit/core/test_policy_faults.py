"""A policy is refused whose yes no worker would act on."""

from typing import Any

import pytest
from tests.builders import AGENT, a_policy

from holdpoint.core.policy_faults import policy_faults
from holdpoint.messages.policy import LevelRule, Method, VerdictKind, Voices

ANYBODY = (Voices(group="finance"),)
BOTH = (Method.TOTP, Method.PASSKEY)


def faults_of(level: int, from_level: int, **rule: Any) -> list[str]:
    asked = LevelRule(**{"verdict": VerdictKind.HOLD, "all_of": ANYBODY, **rule})
    policy = a_policy(levels={**a_policy().levels, level: asked})
    return policy_faults(policy, [AGENT], from_level)


@pytest.mark.parametrize(
    ("level", "from_level", "rule", "is_fault"),
    [
        (5, 5, {"proofs": (Method.CHAT,)}, True),
        (5, 5, {"proofs": BOTH}, True),
        (4, 3, {"proofs": (Method.TOTP,)}, True),
        (5, 5, {"proofs": (Method.PASSKEY,)}, False),
        (5, 5, {"proofs": BOTH, "every_proof": True}, False),
        (5, 6, {"proofs": (Method.CHAT,)}, False),
        (4, 5, {"proofs": (Method.CHAT,)}, False),
        (5, 5, {"verdict": VerdictKind.DENY, "all_of": (), "why": "Never."}, False),
    ],
)
def test_a_level_at_which_workers_verify_passkeys_takes_one(
    level: int, from_level: int, rule: dict[str, Any], is_fault: bool
) -> None:
    told = [it for it in faults_of(level, from_level, **rule) if it.startswith(f"levels.{level}: ")]

    assert bool(told) is is_fault
    assert all("HP_PASSKEY_FROM_LEVEL" in it for it in told)
