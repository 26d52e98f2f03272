"""Remembered permissions: who may give one, and what asks again whatever was remembered."""

from datetime import timedelta
from typing import Any

import pytest
from msgspec.structs import replace
from tests.builders import (
    ACTION,
    FOUND,
    ONE_VOICE,
    T0,
    a_confirmed_hold,
    a_hold,
    a_sentence,
    a_tool,
    an_action,
    asked_of,
)

from holdpoint.core.permissions import (
    MOST,
    REMEMBERED,
    Candidate,
    Yes,
    added,
    covers,
    given,
    is_full,
    refusal,
    revoked,
    used,
)
from holdpoint.messages.action import Action
from holdpoint.messages.answer import Limit, Remember
from holdpoint.messages.hold import Hold
from holdpoint.messages.policy import Method, Thresholds, Voices
from holdpoint.messages.risk import Heuristic, RiskLevel, Signal
from holdpoint.messages.state import Permission, PermissionState

EUROS = Thresholds(currency="EUR")
NOTHING = PermissionState(by="", cause="")
PAY = an_action(arguments={"to": "shop-1", "cents": 400, "note": "rent"}, preconditions={})
ALARM = Signal(
    rule="tally.day", heuristic=Heuristic.TALLY, level=RiskLevel.HIGH, reason="it is a lot"
)
BELOW = timedelta(seconds=1)


def permission(
    hold: Hold | None = None, action: Action = ACTION, cause: str = "ANSWERS:7", **wanted: Any
) -> Permission:
    held = hold or a_confirmed_hold(action=action)
    yes = Yes(cause=cause, at=T0, person="ann", wanted=Remember(**wanted))
    return given(held, yes, EUROS, "delete 412 rows in prod.users")


def call(action: Action = ACTION, **fields: Any) -> Candidate:
    usual: dict[str, Any] = {
        "cause": "CALLS:9",
        "at": T0,
        "action": action,
        "level": 3,
        "requirement": ONE_VOICE,
        "assessment": FOUND,
        "thresholds": EUROS,
    }
    return Candidate(**{**usual, **fields})


def paying(**arguments: Any) -> Action:
    return replace(PAY, arguments={**PAY.arguments, **arguments})


def costing(value: str) -> Any:
    return replace(FOUND, amount={"value": value, "currency": "EUR"})


def why_not(hold: Hold, person: str = "ann", **wanted: Any) -> str:
    return refusal(hold, a_tool(), person, Remember(**wanted))


def test_whoever_can_answer_alone_can_have_it_remembered() -> None:
    assert why_not(a_hold()) == ""
    assert why_not(a_hold(), amount="500.00") == ""


@pytest.mark.parametrize(
    "asked",
    [
        asked_of(Voices(group="finance"), four_eyes=True),
        asked_of(Voices(group="finance", voices=2)),
        asked_of(Voices(group="finance"), cooling_off_s=60),
        asked_of(Voices(group="finance"), proofs=(Method.TOTP,)),
        asked_of(Voices(group="finance"), proofs=(Method.CHAT, Method.TOTP), every_proof=True),
        asked_of(Voices(group="finance"), approvers={"finance": ("bob",)}),
        asked_of(Voices(group="finance"), level=4),
        None,
    ],
)
def test_a_yes_that_is_not_enough_by_itself_is_never_remembered(asked: Any) -> None:
    assert "enough by itself" in why_not(a_hold(requirement=asked))
    if asked is not None:
        assert not covers(permission(), call(requirement=asked))


def test_an_agent_never_gives_itself_a_permission() -> None:
    asked = asked_of(Voices(group="finance"), approvers={"finance": ("crm-agent",)})
    assert why_not(a_hold(requirement=asked), person="crm-agent")


@pytest.mark.parametrize(
    "hold",
    [a_hold(level=4), a_hold(level=5), a_hold(assessment=replace(FOUND, level=RiskLevel.CRITICAL))],
)
def test_only_level_3_is_remembered_and_never_what_is_critical(hold: Hold) -> None:
    assert "Only level 3" in why_not(hold)


def test_a_sentence_is_never_remembered() -> None:
    assert "not to a sentence" in refusal(a_sentence(), a_tool(), "ann", Remember())
    assert "not to a sentence" in refusal(a_hold(), None, "ann", Remember())
    with pytest.raises(ValueError, match="never remembered"):
        permission(a_sentence())


@pytest.mark.parametrize("amount", ["much", "-1", "NaN", "Infinity"])
def test_an_amount_is_a_number(amount: str) -> None:
    assert "decimal" in why_not(a_hold(), amount=amount)


@pytest.mark.parametrize(
    ("tool", "limits", "told"),
    [
        ({}, {"nobody": Limit(prefix="shop")}, "no argument 'nobody'"),
        ({"secret": ("/to",)}, {"to": Limit(prefix="shop")}, "no argument 'to'"),
        ({}, {"to": Limit()}, "either"),
        ({}, {"to": Limit(prefix="shop", at_most="3")}, "either"),
        ({}, {"to": Limit(prefix="sh")}, "at least 3"),
        ({"by_risk": True}, {"to": Limit(prefix="shop")}, "only this exact action"),
        ({}, {"cents": Limit(at_most="399")}, "would not allow"),
        ({}, {"cents": Limit(at_most="some")}, "would not allow"),
        ({}, {"to": Limit(prefix="shop" * 2000)}, "4 KiB"),
        ({}, {"to": Limit(prefix="shop-"), "cents": Limit(at_most="400")}, ""),
    ],
)
def test_limits_are_of_arguments_that_were_seen(tool: Any, limits: Any, told: str) -> None:
    said = refusal(a_hold(action=PAY), a_tool(**tool), "ann", Remember(limits=limits))
    assert told in said if told else said == ""


def test_a_limit_names_the_sign_that_it_does_not_cover() -> None:
    pay = replace(PAY, arguments={**PAY.arguments, "to": "Main street 5"})

    def told(prefix: str) -> str:
        wish = Remember(limits={"to": Limit(prefix=prefix)})
        return refusal(a_hold(action=pay), a_tool(), "ann", wish)

    assert "a blank does" in told("Main street")
    assert told("Main street ") == ""
    assert "would not allow" in told("High street")


def test_exactly_the_action_is_covered_whatever_its_dry_run_tells_of_the_moment() -> None:
    later = {**ACTION.preconditions, "sample": ["user 24"], "at": "2026-01-02T00:00:00Z"}

    assert covers(permission(), call(an_action(preconditions=later)))
    assert not covers(permission(), call(an_action(preconditions={**later, "affected": 413})))
    assert not covers(permission(), call(an_action(arguments={"table": "prod.users"})))


@pytest.mark.parametrize(
    "fields",
    [{"tool": "drop"}, {"on_behalf_of": "eve"}, {"tool_schema_sha256": "0"}, {"agent": "ann"}],
)
def test_another_tool_person_schema_or_agent_asks_again(fields: dict[str, str]) -> None:
    assert not covers(permission(), call(an_action(**fields)))
    limited = permission(action=PAY, limits={"to": Limit(prefix="shop-")})
    assert covers(limited, call(PAY))
    if "agent" not in fields:
        assert not covers(limited, call(replace(PAY, **fields)))


def test_another_level_and_a_risk_that_nobody_saw_ask_again() -> None:
    assert not covers(permission(), call(level=4))
    critical = replace(FOUND, level=RiskLevel.CRITICAL)
    assert not covers(permission(), call(assessment=critical))
    assert not covers(permission(), call(assessment=replace(FOUND, signals=(ALARM,))))
    calm = a_confirmed_hold(assessment=replace(FOUND, level=RiskLevel.LOW))
    assert not covers(permission(calm), call())
    seen = a_confirmed_hold(assessment=replace(FOUND, signals=(ALARM,)))
    assert covers(permission(seen), call(assessment=replace(FOUND, signals=(ALARM,))))


@pytest.mark.parametrize(
    ("arguments", "covered"),
    [
        ({"to": "shop-22"}, True),
        ({"to": "shop-1/a.b@c:d+e"}, True),
        ({"to": "shop"}, False),
        ({"to": "shop-1; rm -r /"}, False),
        ({"to": "shop-1\n"}, False),
        ({"to": "shop-../../etc"}, False),
        ({"to": 7}, False),
        ({"cents": 500}, True),
        ({"cents": "499.99"}, True),
        ({"cents": 501}, False),
        ({"cents": -1}, False),
        ({"cents": True}, False),
        ({"cents": float("inf")}, False),
        ({"cents": "all"}, False),
        ({"cents": None}, False),
        ({"note": "other"}, False),
        ({"more": 1}, False),
    ],
)
def test_limits_cover_what_fits_and_nothing_else(arguments: Any, covered: bool) -> None:
    limits = {"to": Limit(prefix="shop-"), "cents": Limit(at_most="500")}
    it = permission(action=PAY, limits=limits)
    assert covers(it, call(paying(**arguments))) is covered


def test_a_missing_argument_and_more_rows_than_were_seen_ask_again() -> None:
    rows = {"table": "prod.users", "where": "id-1"}
    seen = an_action(arguments=rows)
    action = replace(seen, preconditions={"affected": 3})
    it = permission(action=action, limits={"where": Limit(prefix="id-")})

    assert covers(it, call(replace(seen, preconditions={"affected": 2})))
    assert not covers(it, call(replace(seen, preconditions={"affected": 4})))
    assert not covers(it, call(replace(seen, preconditions={})))
    assert not covers(it, call(replace(seen, preconditions={"affected": 3, "files": {"x": "1"}})))
    assert not covers(it, call(an_action(arguments={"table": "prod.users"}, preconditions={})))
    assert not covers(replace(it, limits={}), call(action))


def test_the_amounts_of_all_uses_are_summed() -> None:
    it = permission(amount="10.00")
    assert not covers(it, call())
    assert covers(it, call(assessment=costing("10.00")))
    assert not covers(it, call(assessment=costing("10.01")))
    assert not covers(it, call(assessment=costing("unknown")))
    dollars = Thresholds(currency="USD", rates={"EUR": "1"})
    assert not covers(it, call(assessment=costing("1.00"), thresholds=dollars))

    state = added(NOTHING, it, T0)
    first = used(state, call(assessment=costing("6.00")))
    assert first is not None
    assert first.state.permissions[0].spent == 600
    second = call(cause="CALLS:10", assessment=costing("6.00"))
    assert used(first.state, second) is None


def test_a_use_is_counted_once_and_the_last_one_ends_it() -> None:
    state = added(NOTHING, permission(uses=2), T0)

    first = used(state, call())
    assert first is not None
    assert used(first.state, call()) == first
    second = used(first.state, call(cause="CALLS:10"))
    assert second is not None

    assert [it.permitted.use for it in (first, second)] == [1, 2]
    assert (first.permitted.by, first.permitted.answer) == ("ann", "ANSWERS:7")
    assert used(second.state, call(cause="CALLS:11")) is None
    assert used(first.state, call(cause="CALLS:10", at=T0 + timedelta(hours=8))) is None
    assert used(first.state, call(cause="CALLS:10", at=T0 + timedelta(hours=8) - BELOW))


@pytest.mark.parametrize("otherwise", [
    {"requirement": replace(ONE_VOICE, four_eyes=True)},
    {"requirement": replace(ONE_VOICE, proofs=(Method.TOTP,))},
    {"level": 4},
    {"assessment": replace(FOUND, level=RiskLevel.CRITICAL)},
    {"action": replace(ACTION, tool_schema_sha256="other")},
])  # fmt: skip
def test_a_use_that_was_counted_lets_nothing_pass_that_asks_for_more_by_now(
    otherwise: Any,
) -> None:
    """The gate died after it counted, and another policy was adopted before the call came again."""
    first = used(added(NOTHING, permission(uses=1), T0), call())
    assert first is not None

    assert used(first.state, call()) == first
    assert used(first.state, call(**otherwise)) is None


def test_a_permission_that_was_taken_back_covers_nothing() -> None:
    state = added(NOTHING, permission(), T0)
    first = used(state, call())
    assert first is not None

    left = revoked(first.state, "p7", "ann", "ADMIN:3")

    assert used(left, call(cause="CALLS:10")) is None
    assert used(left, call()) is None
    assert (left.by, left.settled) == ("ann", ("ANSWERS:7", "ADMIN:3"))


def test_an_agent_has_so_many_permissions_and_those_that_ended_make_room() -> None:
    state = NOTHING
    for number in range(MOST):
        assert not is_full(state, T0)
        state = added(state, permission(cause=f"ANSWERS:{number}"), T0)
    assert is_full(state, T0)

    tomorrow = T0 + timedelta(days=1)
    assert not is_full(state, tomorrow)
    assert len(added(state, permission(cause="ANSWERS:99"), tomorrow).permissions) == 1


def test_so_many_settled_messages_are_remembered() -> None:
    state = NOTHING
    for number in range(REMEMBERED + 5):
        state = revoked(state, "p0", "ann", f"ADMIN:{number}")
    assert len(state.settled) == REMEMBERED
