"""Why a command does not count: each objection by itself, and what comes close to it."""

from datetime import datetime, timedelta

import pytest
from tests.builders import (
    DEADLINE,
    T0,
    a_confirmed_hold,
    a_halted_hold,
    a_hold,
    a_passed_hold,
    a_voice,
    asked_of,
    cancel,
    expire,
    kill,
    mint,
    proceed,
    render,
    resume,
    withdraw,
)

from holdpoint.core.commands import Command, Objected
from holdpoint.core.hold import decide
from holdpoint.core.sentences import text_of
from holdpoint.messages.answer import CLIENT_FORM
from holdpoint.messages.hold import Hold, Outcome, Reason, Resolved, Stage
from holdpoint.messages.policy import Method, Voices

MINUTE = timedelta(minutes=1)
BOTH = (Method.PASSKEY, Method.TOTP)
FINANCE, SECURITY = Voices(group="finance"), Voices(group="security")

REFUSED = [
    ("closed to a yes", a_confirmed_hold(), proceed("bob"), T0, Reason.ALREADY_CLOSED),
    (
        "closed to a no",
        a_hold(stage=Stage.RESOLVED, outcome=Outcome.EXPIRED),
        cancel("bob"),
        T0,
        Reason.ALREADY_CLOSED,
    ),
    (
        "resumed to a no",
        a_confirmed_hold(stage=Stage.RESUMED),
        cancel("bob"),
        T0,
        Reason.ALREADY_CLOSED,
    ),
    (
        "resumed to a kill",
        a_confirmed_hold(stage=Stage.RESUMED),
        kill(),
        T0,
        Reason.ALREADY_CLOSED,
    ),
    (
        "withdrawn twice",
        a_hold(stage=Stage.RESOLVED, outcome=Outcome.WITHDRAWN),
        withdraw(),
        T0,
        Reason.ALREADY_CLOSED,
    ),
    ("rendered twice", a_hold(), render(), T0, Reason.ALREADY_CLOSED),
    ("expired after a yes", a_confirmed_hold(), expire(), DEADLINE, Reason.ALREADY_CLOSED),
    (
        "resumed twice",
        a_confirmed_hold(stage=Stage.RESUMED),
        resume(),
        T0,
        Reason.ALREADY_CLOSED,
    ),
    ("resumed while open", a_hold(), resume(), T0, Reason.ALREADY_CLOSED),
    (
        "a yes unseen",
        a_halted_hold(),
        proceed("ann", render_digest=""),
        T0,
        Reason.NOT_YET_SHOWN,
    ),
    ("a no unseen", a_halted_hold(), cancel("ann", render_digest=""), T0, Reason.NOT_YET_SHOWN),
    ("a stranger's yes", a_hold(), proceed("mallory"), T0, Reason.NOT_AN_APPROVER),
    ("a stranger's no", a_hold(), cancel("mallory"), T0, Reason.NOT_AN_APPROVER),
    (
        "the agent's yes",
        a_hold(requirement=asked_of(FINANCE, approvers={"finance": ("crm-agent", "ann")})),
        proceed("crm-agent"),
        T0,
        Reason.NOT_AN_APPROVER,
    ),
    ("nobody was asked", a_hold(requirement=None), proceed("ann"), T0, Reason.NOT_AN_APPROVER),
    (
        "the principal's yes",
        a_hold(requirement=asked_of(FINANCE, four_eyes=True)),
        proceed("olga"),
        T0,
        Reason.OWN_ACTION,
    ),
    ("another action's yes", a_hold(), proceed("ann", digest="d2"), T0, Reason.OTHER_DIGEST),
    ("another action's no", a_hold(), cancel("ann", digest="d2"), T0, Reason.OTHER_DIGEST),
    ("another card's yes", a_hold(), proceed("ann", render_digest="r2"), T0, Reason.OTHER_RENDER),
    ("another card's no", a_hold(), cancel("ann", render_digest="r2"), T0, Reason.OTHER_RENDER),
    ("a late yes", a_hold(), proceed("ann"), DEADLINE, Reason.TOO_LATE),
    ("a late no", a_hold(), cancel("ann"), DEADLINE, Reason.TOO_LATE),
    ("a late mint", a_passed_hold(), mint(), T0 + timedelta(seconds=900), Reason.TOO_LATE),
    (
        "a second voice",
        a_hold(requirement=asked_of(FINANCE, SECURITY), voices=(a_voice("ann"),)),
        proceed("ann"),
        T0,
        Reason.SECOND_VOICE,
    ),
    (
        "too weak a proof",
        a_hold(requirement=asked_of(FINANCE, proofs=(Method.TOTP, Method.PASSKEY))),
        proceed("ann", method=Method.CHAT),
        T0,
        Reason.PROOF_MISSING,
    ),
    (
        "one proof where every one is needed",
        a_hold(requirement=asked_of(FINANCE, proofs=BOTH, every_proof=True)),
        proceed("ann", method=Method.PASSKEY),
        T0,
        Reason.PROOF_MISSING,
    ),
    (
        "no proof is asked for, so none is enough",
        a_hold(requirement=asked_of(FINANCE, proofs=())),
        proceed("ann", method=Method.PASSKEY),
        T0,
        Reason.PROOF_MISSING,
    ),
    (
        "a no after a yes that does not cool off",
        a_confirmed_hold(),
        cancel("ben"),
        T0,
        Reason.ALREADY_CLOSED,
    ),
    ("a stranger withdraws", a_hold(), withdraw(by="ann"), T0, Reason.NOT_THE_PROPOSER),
    ("another agent withdraws", a_hold(), withdraw(by="spy-agent"), T0, Reason.NOT_THE_PROPOSER),
    ("the alarm rings early", a_hold(), expire(), DEADLINE - MINUTE, Reason.NOT_YET_DUE),
    ("there is no deadline", a_hold(expires_at=None), expire(), DEADLINE, Reason.NOT_YET_DUE),
    ("minted while open", a_hold(), mint(), T0, Reason.NOTHING_TO_RUN),
    ("minted while it cools off", a_confirmed_hold(), mint(), T0, Reason.NOTHING_TO_RUN),
    (
        "minted after a denial",
        a_passed_hold(stage=Stage.DENIED),
        mint(),
        T0,
        Reason.NOTHING_TO_RUN,
    ),
    (
        "minted for a sentence",
        a_confirmed_hold(stage=Stage.RESUMED, action=None),
        mint(),
        T0,
        Reason.NOTHING_TO_RUN,
    ),
    (
        "minted after a no",
        a_confirmed_hold(stage=Stage.RESUMED, outcome=Outcome.CANCELLED),
        mint(),
        T0,
        Reason.NOTHING_TO_RUN,
    ),
]


@pytest.mark.parametrize(
    ("hold", "command", "now", "reason"),
    [case[1:] for case in REFUSED],
    ids=[case[0] for case in REFUSED],
)
def test_it_does_not_count(hold: Hold, command: Command, now: datetime, reason: Reason) -> None:
    assert decide(hold, command, now) == Objected(reason=reason)


def test_the_principal_may_answer_unless_four_eyes_are_asked() -> None:
    assert isinstance(decide(a_hold(), proceed("olga"), T0), Resolved)


def test_the_principal_may_always_say_no() -> None:
    hold = a_hold(requirement=asked_of(FINANCE, four_eyes=True))

    assert isinstance(decide(hold, cancel("olga"), T0), Resolved)


def test_a_no_never_needs_a_proof() -> None:
    hold = a_hold(requirement=asked_of(FINANCE, proofs=(Method.PASSKEY,)))

    assert isinstance(decide(hold, cancel("ann"), T0), Resolved)


def test_a_yes_with_every_proof_that_is_needed_counts() -> None:
    hold = a_hold(requirement=asked_of(FINANCE, proofs=BOTH, every_proof=True))

    resolved = decide(hold, proceed("ann", method=Method.PASSKEY, methods=BOTH), T0)

    assert isinstance(resolved, Resolved)
    assert [(voice.method, voice.methods) for voice in resolved.hold.voices] == [
        (Method.PASSKEY, BOTH)
    ]


@pytest.mark.parametrize(
    ("channel", "level", "counts"),
    [("slack", 3, True), ("slack", 4, False), ("slack", 5, False), ("console", 5, True)],
)
def test_slacks_yes_ends_at_level_3_whatever_it_carries(
    channel: str, level: int, counts: bool
) -> None:
    hold = a_hold(level=level)
    told = decide(hold, proceed("ann", channel=channel), T0)

    assert isinstance(told, Resolved) is counts
    assert counts or told == Objected(reason=Reason.PROOF_MISSING)
    assert isinstance(decide(hold, cancel("ann"), T0), Resolved)


@pytest.mark.parametrize(
    ("level", "allowed", "counts"),
    [(3, True, True), (3, False, False), (4, True, False), (5, True, False)],
)
def test_a_clients_form_is_a_yes_up_to_level_3_where_the_policy_says_so(
    level: int, allowed: bool, counts: bool
) -> None:
    hold = a_hold(level=level, requirement=asked_of(FINANCE, client_may_answer=allowed))
    told = decide(hold, proceed("ann", channel=CLIENT_FORM), T0)

    assert isinstance(told, Resolved) is counts
    assert counts or told == Objected(reason=Reason.PROOF_MISSING)
    assert isinstance(decide(hold, cancel("ann"), T0), Resolved)


def test_a_yes_just_before_the_deadline_counts() -> None:
    assert isinstance(
        decide(a_hold(), proceed("ann"), DEADLINE - timedelta(microseconds=1)), Resolved
    )


def test_every_reason_has_its_sentence() -> None:
    sentences = {text_of(reason) for reason in Reason}

    assert len(sentences) == len(Reason)
    assert all(sentence.endswith(".") for sentence in sentences)
