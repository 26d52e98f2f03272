"""Whose turn it is: so many open holds of one agent for each group."""

from tests.builders import METADATA, T0, a_hold, a_tool

from holdpoint.core.attention import in_turn, same_action
from holdpoint.core.responses import report
from holdpoint.messages.envelope import Status
from holdpoint.messages.hold import Halted
from holdpoint.messages.state import OpenHold


def a(name: str, *groups: str, asked: bool = False) -> OpenHold:
    return OpenHold(hold_id=name, call_digest=f"d-{name}", groups=groups, at=T0, asked=asked)


def turns(*holds: OpenHold, most: int = 2) -> str:
    return "".join(it.hold_id for it in in_turn(holds, most) if it.asked)


def test_as_many_as_may_are_asked_about_the_oldest_first() -> None:
    assert turns(a("x", "ops"), a("y", "ops"), a("z", "ops")) == "xy"


def test_whoever_is_asked_about_keeps_its_place() -> None:
    assert turns(a("x", "ops"), a("y", "ops", asked=True), a("z", "ops", asked=True)) == "yz"


def test_one_group_does_not_delay_another() -> None:
    holds = (a("x", "ops", asked=True), a("y", "ops"), a("z", "finance"))

    assert turns(*holds, most=1) == "xz"


def test_what_asks_two_groups_waits_for_both() -> None:
    holds = (a("x", "ops", asked=True), a("y", "ops", "finance"), a("z", "finance"))

    assert turns(*holds, most=1) == "xz"


def test_the_same_action_is_found_by_its_digest() -> None:
    holds = (a("x", "ops"), a("y", "ops"))

    assert same_action(holds, "d-y") == holds[1]
    assert same_action(holds, "d-z") is None


def test_its_agent_hears_that_it_need_not_wait() -> None:
    told = report(
        Halted(hold=a_hold(queued=True), cause="CALLS:1", metadata=METADATA), None, a_tool(), ""
    )

    assert (told.status, told.parked) == (Status.PENDING_CONFIRMATION, True)
    assert "in its turn" in told.message_for_user
