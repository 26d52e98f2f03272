"""Who can approve what right now: groups, roles, step-up and delegations, all at once."""

from datetime import UTC, datetime, timedelta

from holdpoint.console.people_view import Known, known_of, levels_now, people_now
from holdpoint.messages.catalog import Delegation, Person, Role
from holdpoint.messages.policy import LevelRule, Method, Policy, VerdictKind, Voices
from holdpoint.messages.state import DelegationState, Passkey, StepUpState

NOW = datetime(2026, 11, 27, 12, tzinfo=UTC)
ANN, BEN = Person(name="ann", groups=("operators",)), Person(name="ben", groups=("operators",))
CEM = Person(name="cem", groups=("finance",))
EVE = Person(name="eve", groups=("operators",), roles=(Role.VIEWER,))
EVERYBODY = (ANN, BEN, CEM, EVE)
ASKED = (Voices(group="operators"),)
POLICY = Policy(
    version="1",
    risk_levels={},
    levels={
        1: LevelRule(verdict=VerdictKind.PASS),
        3: LevelRule(verdict=VerdictKind.HOLD, all_of=ASKED, proofs=(Method.CHAT,)),
        4: LevelRule(
            verdict=VerdictKind.HOLD,
            all_of=ASKED,
            proofs=(Method.TOTP, Method.PASSKEY),
            every_proof=True,
        ),
        5: LevelRule(verdict=VerdictKind.HOLD, all_of=ASKED, proofs=(Method.CHAT,), four_eyes=True),
    },
)
A_KEY = Passkey(credential_id="c", public_key="k", sign_count=0, at=NOW)
CODES = StepUpState(sealed="x", by="ann", cause="")
BOTH = StepUpState(sealed="x", passkeys=(A_KEY,), by="ann", cause="")


def until(days: int, to: str) -> DelegationState:
    made = Delegation(to=to, since=NOW - timedelta(days=2), until=NOW + timedelta(days=days))
    return DelegationState(delegations=(made,), by="ben", cause="")


def able(known: Known, people: tuple[Person, ...] = EVERYBODY) -> dict[int, list[str]]:
    levels = levels_now(POLICY, people, known, NOW)
    return {level.number: [seat.name for seat in level.able] for level in levels}


def test_a_group_answers_without_its_viewers() -> None:
    known = known_of(EVERYBODY, {}, {})

    assert able(known) == {3: ["ann", "ben"], 4: [], 5: ["ann", "ben"]}
    (third, fourth, _) = levels_now(POLICY, EVERYBODY, known, NOW)
    assert (third.is_enough, fourth.is_enough) == (True, False)
    assert fourth.not_yet == ("ann", "ben")


def test_nobody_without_a_password_can_approve() -> None:
    known = known_of(EVERYBODY, {"ben": BOTH}, {}, new=["ben"])
    levels = levels_now(POLICY, EVERYBODY, known, NOW)

    assert able(known) == {3: ["ann"], 4: [], 5: ["ann"]}
    assert [level.is_enough for level in levels] == [True, False, False]
    assert [it.levels for it in people_now(EVERYBODY, levels, known, NOW)][:2] == [(3, 5), ()]


def test_a_yes_that_takes_both_proofs_takes_both() -> None:
    known = known_of(EVERYBODY, {"ann": BOTH, "ben": CODES}, {})

    assert able(known)[4] == ["ann"]
    (ann, *_) = people_now(EVERYBODY, levels_now(POLICY, EVERYBODY, known, NOW), known, NOW)
    assert ann.step_up == ("a one-time code", "a passkey")
    assert ann.levels == (3, 4, 5)


def test_a_delegate_answers_until_the_delegation_ends() -> None:
    standing = known_of(EVERYBODY, {}, {"ben": until(1, "cem")})
    over = known_of(EVERYBODY, {}, {"ben": until(-1, "cem")})

    assert able(standing)[3] == ["ann", "ben", "cem"]
    assert able(over)[3] == ["ann", "ben"]
    seat = levels_now(POLICY, EVERYBODY, standing, NOW)[0].able[-1]
    assert seat.instead_of == ("ben",)


def test_four_eyes_are_not_one_person() -> None:
    alone = levels_now(POLICY, (ANN, CEM), known_of((ANN, CEM), {}, {}), NOW)

    assert [level.is_enough for level in alone] == [True, False, False]
