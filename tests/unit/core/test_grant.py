"""What a worker checks before it claims: each flaw alone, and every field of a good grant."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from msgspec.structs import replace
from tests.builders import (
    T0,
    a_hold,
    a_leave,
    a_pass,
    a_passed_hold,
    a_tool,
    a_voice,
    an_action,
    asked_of,
    begin_with,
    mint,
    with_grant,
    with_hold,
)

from holdpoint.core.grant import Claimed, Door, Flaw, Leave, open_grant, stored_late
from holdpoint.core.hold import begin, decide
from holdpoint.messages.hold import Outcome, Passed, Permitted, Stage, Witnessed
from holdpoint.messages.policy import Method, VerdictKind, Voices

FINANCE, SECURITY = Voices(group="finance"), Voices(group="security")
DAY = timedelta(days=1)
TICK = timedelta(microseconds=1)
DOOR = Door(tenant="acme", domain="database", tools={"delete_rows": a_tool()})
HARMLESS = Door(tenant="acme", domain="database", tools={"delete_rows": a_tool(level=1)})


def test_a_good_grant_opens() -> None:
    leave = a_leave()
    opened = open_grant(leave, DOOR, T0)

    assert isinstance(opened, Claimed)
    assert (opened.hold, opened.grant, opened.action) == (leave.hold, leave.grant, an_action())


def test_what_passed_opens_without_a_voice() -> None:
    assert isinstance(open_grant(a_pass(), HARMLESS, T0), Claimed)


def test_what_was_witnessed_opens_without_a_voice() -> None:
    fact = begin(begin_with(VerdictKind.WITNESS, a_passed_hold(level=2)))

    assert isinstance(fact, Witnessed)
    assert isinstance(open_grant(fact, HARMLESS, T0), Claimed)


def test_clocks_may_differ_by_five_seconds() -> None:
    skew, lives = timedelta(seconds=5), timedelta(seconds=300)

    assert isinstance(open_grant(a_leave(), DOOR, T0 - skew), Claimed)
    assert isinstance(
        open_grant(a_leave(), DOOR, T0 + lives + skew - timedelta(microseconds=1)), Claimed
    )
    assert open_grant(a_leave(), DOOR, T0 - skew - timedelta(microseconds=1)) is Flaw.NOT_YET
    assert open_grant(a_leave(), DOOR, T0 + lives + skew) is Flaw.TOO_OLD


FLAWS: list[tuple[str, Leave, Door, datetime, Flaw]] = [
    ("no grant", replace(a_leave(), grant=None), DOOR, T0, Flaw.NO_GRANT),
    ("a sentence", with_hold(a_leave(), action=None), DOOR, T0, Flaw.NO_GRANT),
    ("a no", replace(a_leave(), confirmed=False), DOOR, T0, Flaw.NO_GRANT),
    (
        "passed, it says, but held",
        with_hold(a_pass(), stage=Stage.RENDERED),
        HARMLESS,
        T0,
        Flaw.NO_GRANT,
    ),
    (
        "resumed, it says, but resolved",
        with_hold(a_leave(), stage=Stage.RESOLVED),
        DOOR,
        T0,
        Flaw.NO_GRANT,
    ),
    (
        "witnessed, it says, but denied",
        Witnessed(hold=a_passed_hold(stage=Stage.DENIED), cause="CALLS:1", grant=a_pass().grant),
        HARMLESS,
        T0,
        Flaw.NO_GRANT,
    ),
    ("another tenant's worker", a_leave(), replace(DOOR, tenant="other"), T0, Flaw.WRONG_TENANT),
    ("another tenant's hold", with_hold(a_leave(), tenant="other"), DOOR, T0, Flaw.WRONG_TENANT),
    ("another domain's worker", a_leave(), replace(DOOR, domain="shell"), T0, Flaw.WRONG_AUDIENCE),
    ("another audience", with_grant(a_leave(), aud="domain:shell"), DOOR, T0, Flaw.WRONG_AUDIENCE),
    ("too early", a_leave(), DOOR, T0 - DAY, Flaw.NOT_YET),
    ("too old", a_leave(), DOOR, T0 + DAY, Flaw.TOO_OLD),
    (
        "minted when the yes was over: no clock makes it good",
        with_grant(a_leave(), exp=T0 - timedelta(seconds=1)),
        DOOR,
        T0,
        Flaw.TOO_OLD,
    ),
    (
        "minted before the yes",
        with_hold(a_leave(), resolved_at=T0 + timedelta(seconds=1)),
        DOOR,
        T0,
        Flaw.NOT_YET,
    ),
    (
        "minted before its cooling-off was over",
        with_hold(a_leave(), requirement=asked_of(FINANCE, cooling_off_s=1)),
        DOOR,
        T0,
        Flaw.NOT_YET,
    ),
    (
        "lives longer than a grant may",
        with_grant(a_pass(), exp=T0 + timedelta(seconds=301)),
        HARMLESS,
        T0,
        Flaw.LIVES_TOO_LONG,
    ),
    ("outlives its yes", with_hold(a_leave(), valid_for_s=299), DOOR, T0, Flaw.LIVES_TOO_LONG),
    (
        "another object than was seen",
        with_hold(a_leave(), action=an_action(arguments={"table": "prod.orders"})),
        DOOR,
        T0,
        Flaw.OTHER_DIGEST,
    ),
    ("another digest", with_hold(a_leave(), digest="d2"), DOOR, T0, Flaw.OTHER_DIGEST),
    (
        "another agent's action",
        with_hold(a_leave(), agent="spy-agent"),
        DOOR,
        T0,
        Flaw.OTHER_DIGEST,
    ),
    ("another principal's", with_hold(a_leave(), on_behalf_of="ann"), DOOR, T0, Flaw.OTHER_DIGEST),
    ("a tool nobody has", a_leave(), replace(DOOR, tools={}), T0, Flaw.UNKNOWN_TOOL),
    (
        "another schema",
        a_leave(),
        replace(DOOR, tools={"delete_rows": a_tool(schema_sha256="00" * 32)}),
        T0,
        Flaw.SCHEMA_CHANGED,
    ),
    ("talked down", with_hold(a_leave(), level=2), DOOR, T0, Flaw.LEVEL_TOO_LOW),
    ("nobody said yes", with_hold(a_leave(), voices=()), DOOR, T0, Flaw.NOT_APPROVED),
    (
        "the agent said yes",
        with_hold(
            a_leave(),
            voices=(a_voice("crm-agent"),),
            requirement=asked_of(FINANCE, approvers={"finance": ("crm-agent",)}),
        ),
        DOOR,
        T0,
        Flaw.NOT_APPROVED,
    ),
    (
        "the principal was one of four eyes",
        with_hold(
            a_leave(),
            voices=(a_voice("ann"), a_voice("olga")),
            requirement=asked_of(FINANCE, four_eyes=True),
        ),
        DOOR,
        T0,
        Flaw.NOT_APPROVED,
    ),
    (
        "one group is missing",
        with_hold(
            a_leave(),
            voices=(a_voice("bob"), a_voice("olga")),
            requirement=asked_of(FINANCE, SECURITY),
        ),
        DOOR,
        T0,
        Flaw.NOT_APPROVED,
    ),
    (
        "one person twice",
        with_hold(
            a_leave(),
            voices=(a_voice("ann"), a_voice("ann")),
            requirement=asked_of(Voices(group="finance", voices=2)),
        ),
        DOOR,
        T0,
        Flaw.NOT_APPROVED,
    ),
    (
        "a stranger said yes",
        with_hold(a_leave(), voices=(a_voice("eve"),)),
        DOOR,
        T0,
        Flaw.NOT_APPROVED,
    ),
    (
        "a proof that was not asked for",
        with_hold(a_leave(), requirement=asked_of(FINANCE, proofs=(Method.TOTP,))),
        DOOR,
        T0,
        Flaw.NOT_APPROVED,
    ),
    (
        "one proof where every one was asked for",
        with_hold(
            a_leave(),
            requirement=asked_of(FINANCE, proofs=(Method.CHAT, Method.TOTP), every_proof=True),
        ),
        DOOR,
        T0,
        Flaw.NOT_APPROVED,
    ),
    (
        "it was cancelled",
        with_hold(a_leave(), outcome=Outcome.CANCELLED),
        DOOR,
        T0,
        Flaw.NOT_APPROVED,
    ),
    ("another level was asked for", with_hold(a_leave(), level=4), DOOR, T0, Flaw.NOT_APPROVED),
    ("never resolved", with_hold(a_leave(), resolved_at=None), DOOR, T0, Flaw.NOT_APPROVED),
    ("nobody was asked", with_hold(a_leave(), requirement=None), DOOR, T0, Flaw.NOT_APPROVED),
    (
        "passed although people were to be asked",
        with_hold(a_pass(), requirement=asked_of(FINANCE)),
        HARMLESS,
        T0,
        Flaw.NOT_APPROVED,
    ),
    (
        "passed after a no",
        with_hold(a_pass(), outcome=Outcome.CANCELLED),
        HARMLESS,
        T0,
        Flaw.NOT_APPROVED,
    ),
]


def test_a_pass_rests_on_its_verdict_for_a_quarter_of_a_second() -> None:
    latest = T0 + timedelta(seconds=0.25)

    assert not stored_late(a_pass(), latest)
    assert stored_late(a_pass(), latest + TICK)


def test_what_was_looked_at_again_is_never_late() -> None:
    minted = decide(a_passed_hold(), mint(), T0)

    assert isinstance(minted, Passed)
    assert not stored_late(minted, T0 + DAY)
    assert not stored_late(a_leave(), T0 + DAY)


@pytest.mark.parametrize(
    ("leave", "door", "now", "flaw"), [case[1:] for case in FLAWS], ids=[case[0] for case in FLAWS]
)
def test_it_does_not_open(leave: Leave, door: Door, now: datetime, flaw: Flaw) -> None:
    assert open_grant(leave, door, now) is flaw


def test_every_flaw_is_told_apart() -> None:
    by_the_worker_itself = {Flaw.NO_PASSKEY}

    assert {case[-1] for case in FLAWS} == set(Flaw) - by_the_worker_itself


@pytest.mark.parametrize("own", range(1, 6))
@pytest.mark.parametrize("said", range(6))
def test_a_gate_cannot_talk_a_level_down(own: int, said: int) -> None:
    door = replace(DOOR, tools={"delete_rows": a_tool(level=own)})
    opened = open_grant(a_pass(level=said), door, T0)

    assert isinstance(opened, Claimed) == (own <= said <= 2)


@pytest.mark.parametrize("level", [-1, 0, 6, 99])
def test_a_level_that_nobody_knows_needs_a_yes(level: int) -> None:
    door = replace(DOOR, tools={"delete_rows": a_tool(level=level)})

    assert open_grant(a_pass(level=level), door, T0) is Flaw.NOT_APPROVED


PERMITTED = Permitted(
    permission_id="p7",
    by="ann",
    answer="ANSWERS:7",
    hold_id="h0",
    use=1,
    uses=2,
    expires_at=T0 + timedelta(hours=8),
)


def permitted(level: int = 3, **fields: Any) -> Leave:
    hold = a_hold(
        stage=Stage.PASSED,
        level=level,
        requirement=None,
        permitted=replace(PERMITTED, **fields),
        proposed_at=T0,
    )
    return Passed(hold=hold, cause="CALLS:2", grant=a_leave().grant)


def test_a_call_that_a_person_permitted_before_runs() -> None:
    assert isinstance(open_grant(permitted(), DOOR, T0), Claimed)


@pytest.mark.parametrize(
    "leave",
    [
        permitted(use=3),
        permitted(use=0),
        permitted(by=""),
        permitted(answer=""),
        permitted(expires_at=T0),
        permitted(level=4),
        with_hold(permitted(), permitted=None),
    ],
)
def test_a_permission_that_is_over_or_for_another_level_runs_nothing(leave: Leave) -> None:
    assert open_grant(leave, DOOR, T0) is Flaw.NOT_APPROVED
