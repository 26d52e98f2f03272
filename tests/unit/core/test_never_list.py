"""Of the never-list, what the pure core alone promises: N5, N16 and N17."""

import msgspec
import pytest
from msgspec.structs import replace
from tests.builders import T0, a_hold, a_leave, a_tool, an_action, asked_of, proceed

from holdpoint.core.commands import Objected
from holdpoint.core.digest import action_digest
from holdpoint.core.grant import Claimed, Door, Flaw, open_grant
from holdpoint.core.hold import decide
from holdpoint.messages.hold import Answered, Outcome, Reason, Resolved
from holdpoint.messages.policy import Method, PolicyRef, Voices

DOOR = Door(tenant="acme", domain="database", tools={"delete_rows": a_tool()})


def test_n5_what_was_seen_is_what_runs() -> None:
    leave = a_leave()
    assert isinstance(open_grant(leave, DOOR, T0), Claimed)
    other = an_action(arguments={"table": "prod.orders"})
    assert action_digest(other) != leave.hold.digest

    edited = replace(leave, hold=replace(leave.hold, action=other))
    assert open_grant(edited, DOOR, T0) is Flaw.OTHER_DIGEST


def test_n5_a_yes_to_another_action_or_card_is_none() -> None:
    for other in ({"digest": "d2"}, {"render_digest": "r2"}):
        fact = decide(a_hold(), proceed("ann", **other), T0)
        assert isinstance(fact, Objected)
        assert fact.reason in {Reason.OTHER_DIGEST, Reason.OTHER_RENDER}


def test_n16_a_quorums_first_voice_decides_nothing_and_counts_once() -> None:
    hold = a_hold(requirement=asked_of(Voices(group="finance", voices=2)))
    first = decide(hold, proceed("ann", cause="ANSWERS:1"), T0)
    assert isinstance(first, Answered)

    again = decide(first.hold, proceed("ann", cause="ANSWERS:2"), T0)
    assert again == Objected(reason=Reason.SECOND_VOICE)
    second = decide(first.hold, proceed("bob", cause="ANSWERS:3"), T0)
    assert isinstance(second, Resolved)
    assert second.outcome is Outcome.CONFIRMED
    assert [voice.person for voice in second.hold.voices] == ["ann", "bob"]


@pytest.mark.parametrize("method", [Method.CHAT, Method.TOTP])
def test_n17_a_hold_is_answered_by_the_rule_that_halted_it(method: Method) -> None:
    """Nothing of a policy is read after the halt: what counts is frozen into the hold."""
    asked = asked_of(Voices(group="finance"), proofs=(Method.TOTP,))
    hold = a_hold(requirement=asked)

    fact = decide(hold, proceed("ann", method=method), T0)

    if method is Method.CHAT:
        assert fact == Objected(reason=Reason.PROOF_MISSING)
    else:
        assert isinstance(fact, Resolved)
        assert fact.hold.policy == hold.policy
        newer = replace(hold, policy=PolicyRef(version="2", digest="p2"))
        same = decide(newer, proceed("ann", method=method), T0)
        assert isinstance(same, Resolved)
        assert msgspec.structs.asdict(same.hold)["voices"] == fact.hold.voices
