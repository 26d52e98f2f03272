"""Canonical forms and digests, recomputed by a second implementation that fits on a page."""

import hashlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.builders import TITLE, UI, a_policy, an_action

from holdpoint.core.digest import (
    action_digest,
    canonical,
    enrolment_challenge,
    hold_id,
    may_be_hold_id,
    money_as_text,
    passkey_challenge,
    policy_digest,
    render_digest,
    sentence_digest,
)
from holdpoint.messages.answer import Answer, Choice
from holdpoint.messages.risk import RiskLevel


def jcs(value: Any) -> str:
    """RFC 8785 for what needs no floats: keys in UTF-16 order, no blanks, no escapes to spare."""
    match value:
        case dict():
            keys = sorted(value, key=lambda key: key.encode("utf-16-be"))
            return "{" + ",".join(f"{jcs(key)}:{jcs(value[key])}" for key in keys) + "}"
        case list() | tuple():
            return "[" + ",".join(jcs(part) for part in value) + "]"
        case _:
            return json.dumps(value, ensure_ascii=False)


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


SIMPLE = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(SIMPLE)
def test_the_canonical_form_is_rfc_8785(value: Any) -> None:
    assert canonical(value).decode() == jcs(value)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1.0, "1"),
        (1, "1"),
        (-0.0, "0"),
        (1e21, "1e+21"),
        (333333333.33333329, "333333333.3333333"),
        (1e-6, "0.000001"),
        (1e-7, "1e-7"),
        (4.50, "4.5"),
        ("\u20ac$\u000f\n", '"€$\\u000f\\n"'),
        ({"\u20ac": 1, "\r": 2, "1": 3, "\U0001f600": 4, "\ufb33": 5}, None),
    ],
)
def test_the_examples_of_the_rfc(value: Any, text: str | None) -> None:
    assert canonical(value).decode() == (jcs(value) if text is None else text)


def test_an_action_s_digest_can_be_recomputed_by_anybody() -> None:
    said = (
        '{"agent":"crm-agent","arguments":{"table":"prod.users",'
        '"where":"last_seen < \'2020-01-01\'"},'
        '"domain":"database","on_behalf_of":"olga",'
        '"preconditions":{"affected":412,"sample":["user 17","user 23"]},"tenant":"acme",'
        f'"tool":"delete_rows","tool_schema_sha256":"{"5c" * 32}"}}'
    )

    assert action_digest(an_action()) == sha256("holdpoint/action/v1\n" + said)


def test_empty_preconditions_are_digested_too() -> None:
    said = (
        '{"agent":"crm-agent","arguments":{},"domain":"database","on_behalf_of":"olga",'
        '"preconditions":{},"tenant":"acme","tool":"delete_rows",'
        f'"tool_schema_sha256":"{"5c" * 32}"}}'
    )
    bare = an_action(arguments={}, preconditions={})

    assert action_digest(bare) == sha256("holdpoint/action/v1\n" + said)


def test_one_and_one_point_nought_are_the_same_number() -> None:
    whole, point = an_action(arguments={"n": 1}), an_action(arguments={"n": 1.0})

    assert action_digest(whole) == action_digest(point)


def test_a_number_and_its_text_are_not_the_same() -> None:
    assert action_digest(an_action(arguments={"n": 1})) != action_digest(
        an_action(arguments={"n": "1"})
    )


def test_the_order_of_keys_plays_no_part() -> None:
    one, two = {"a": 1, "b": {"c": 2, "d": 3}}, {"b": {"d": 3, "c": 2}, "a": 1}

    assert action_digest(an_action(arguments=one)) == action_digest(an_action(arguments=two))


def test_the_other_digests_can_be_recomputed_too() -> None:
    said = sentence_digest("acme", "crm-agent", "olga", {"text": "Should I proceed?"})

    assert said == sha256(
        'holdpoint/sentence/v1\n["acme","crm-agent","olga",{"text":"Should I proceed?"}]'
    )
    assert render_digest(UI, "delete users") == sha256(
        'holdpoint/render/v1\n{"title":"delete users",'
        '"ui":{"action":{"target":"prod.users","tool":"delete_rows",'
        '"type":"batch_delete"},"buttons":["Proceed","Cancel"],'
        '"message":"These users have not been seen since 2020.","risk_level":"high",'
        '"show_details":true}}'
    )


def test_what_is_on_the_screen_is_under_the_render_digest() -> None:
    detail = UI.action
    others = [
        replace(UI, message="Others have."),
        replace(UI, risk_level=RiskLevel.LOW),
        replace(UI, show_details=False),
        replace(UI, action=replace(detail, target="prod.orders")),
        replace(UI, action=replace(detail, affected=1)),
        replace(UI, action=replace(detail, arguments={"all": True})),
        replace(UI, action=replace(detail, reversible=True)),
    ]

    digests = {render_digest(other, TITLE) for other in others}
    assert render_digest(UI, TITLE) not in digests | {render_digest(UI, "delete 1 row")}


def test_a_policy_s_digest_changes_with_each_rule() -> None:
    policy = a_policy()
    others = [
        a_policy(version="8"),
        a_policy(levels={**policy.levels, 5: policy.levels[1]}),
        a_policy(risk_levels={**policy.risk_levels, RiskLevel.HIGH: 1}),
        a_policy(groups={"finance": ("mallory",)}),
        a_policy(grant_s=60),
    ]

    assert policy_digest(policy) not in {policy_digest(other) for other in others}
    assert policy_digest(policy) == policy_digest(a_policy())


def test_one_kind_of_digest_never_passes_for_another() -> None:
    kinds = ("action", "sentence", "render", "policy")

    assert len({sha256(f"holdpoint/{kind}/v1\n[]") for kind in kinds}) == len(kinds)


def test_the_same_key_is_the_same_hold() -> None:
    one = hold_id("acme", "crm-agent", "olga", "delete_rows", "delete-users-2026")

    assert one == hold_id("acme", "crm-agent", "olga", "delete_rows", "delete-users-2026")
    assert one == "".join(one.split())


@given(st.lists(st.text(), min_size=5, max_size=5))
def test_a_hold_id_is_26_letters_of_base_32(parts: list[str]) -> None:
    tenant, agent, principal, tool, key = parts
    made = hold_id(tenant, agent, principal, tool, key)

    assert len(made) == 26
    assert set(made) <= set("abcdefghijklmnopqrstuvwxyz234567")


@pytest.mark.parametrize("at", range(5))
def test_each_part_of_the_key_makes_another_hold(at: int) -> None:
    parts = ["acme", "crm-agent", "olga", "delete_rows", "k1"]
    others = [*parts[:at], "other", *parts[at + 1 :]]

    assert hold_id(*parts) != hold_id(*others)


def test_parts_that_run_together_are_not_the_same_hold() -> None:
    assert hold_id("a", "bc", "d", "e", "f") != hold_id("ab", "c", "d", "e", "f")


@pytest.mark.parametrize(
    ("said", "text"),
    [
        (150, "150.00"),
        (150.0, "150.00"),
        (150.5, "150.50"),
        (0.1, "0.10"),
        (1.2345, "1.2345"),
        (0, "0.00"),
        (-3, "-3.00"),
        (1e21, "1000000000000000000000.00"),
        (1e-7, "0.0000001"),
        ("150.00", "150.00"),
        ("one", "one"),
        (True, True),
        (None, None),
    ],
)
def test_money_becomes_text(said: object, text: object) -> None:
    assert money_as_text({"amount": {"value": said, "currency": "USD"}}) == {
        "amount": {"value": text, "currency": "USD"}
    }


def test_money_is_found_wherever_it_stands() -> None:
    fee = {"value": 2, "currency": "EUR"}
    given = [{"rows": [{"value": 1, "currency": "USD", "fee": fee}]}, 7]

    assert money_as_text(given) == [
        {
            "rows": [
                {"value": "1.00", "currency": "USD", "fee": {"value": "2.00", "currency": "EUR"}}
            ]
        },
        7,
    ]


@pytest.mark.parametrize(
    "said", [{"value": 1}, {"value": 1, "currency": 840}, {"amount": 1, "currency": "USD"}]
)
def test_what_is_not_money_stays_as_it_is(said: dict[str, object]) -> None:
    assert money_as_text(said) == said


@given(st.decimals(allow_nan=False, allow_infinity=False, places=4, min_value=0, max_value=10**9))
def test_money_keeps_its_value(amount: Any) -> None:
    made = money_as_text({"value": float(amount), "currency": "USD"})["value"]

    assert float(made) == float(amount)
    assert len(made.partition(".")[2]) >= 2


@given(st.lists(st.text(), min_size=5, max_size=5))
def test_every_hold_s_id_may_be_one(parts: list[str]) -> None:
    assert may_be_hold_id(hold_id(*parts))


@pytest.mark.parametrize("text", ["", "nope", "a" * 25, "a" * 27, "A" * 26, "1" * 26])
def test_what_no_hold_can_be_called_is_no_id(text: str) -> None:
    assert not may_be_hold_id(text)


ANSWER = Answer(hold_id="h1", digest="d1", render_digest="r1", answer=Choice.PROCEED)


@pytest.mark.parametrize(
    "other",
    [
        replace(ANSWER, hold_id="h2"),
        replace(ANSWER, digest="d2"),
        replace(ANSWER, render_digest="r2"),
        replace(ANSWER, answer=Choice.CANCEL),
    ],
)
def test_a_passkey_signs_just_one_answer(other: Answer) -> None:
    signed = passkey_challenge(ANSWER, "n1")

    assert passkey_challenge(other, "n1") != signed
    assert passkey_challenge(ANSWER, "n2") != signed
    assert len(signed) == 32


def test_what_a_browser_makes_of_an_answer_is_what_the_gate_expects() -> None:
    """As static/passkeys.js writes it."""
    said = '{"answer":"proceed","digest":"d1","hold_id":"h1","nonce":"n1","render_digest":"r1"}'

    made = hashlib.sha256(f"holdpoint/passkey/v1\n{said}".encode()).digest()

    assert passkey_challenge(ANSWER, "n1") == made


def test_a_new_passkey_is_of_one_person() -> None:
    made = enrolment_challenge("acme", "ann", "n1")

    assert made not in {
        enrolment_challenge("acme", "ben", "n1"),
        enrolment_challenge("beta", "ann", "n1"),
        enrolment_challenge("acme", "ann", "n2"),
    }
