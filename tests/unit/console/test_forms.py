"""What a person typed into a card's forms becomes a change or a permission, or a clear no."""

from datetime import timedelta
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from tests.builders import T0, a_confirmed_hold
from tests.unit.console.test_card_view import a_card

from holdpoint.console.forms import beside_of
from holdpoint.console.permission_routes import revoke_order, rows_for
from holdpoint.core.permissions import Yes, given
from holdpoint.messages.answer import Change, Choice, Limit, Remember
from holdpoint.messages.card import FormField
from holdpoint.messages.catalog import Person, Role
from holdpoint.messages.policy import Thresholds

FORM = (
    FormField(name="path", kind="text", required=True),
    FormField(name="count", kind="number"),
    FormField(name="tags", kind="json"),
)
CARD = a_card(form=FORM)


def typed(**fields: Any) -> dict[str, Any]:
    return {"change": fields}


def test_texts_are_taken_as_they_are_and_the_rest_as_json() -> None:
    said = typed(texts={"path": "12", "count": "12", "tags": '["a"]'}, removed=[])

    assert beside_of(CARD, Choice.MODIFY, said) == Change(
        arguments={"path": "12", "count": 12, "tags": ["a"]}
    )


MONEY = FormField(
    name="amount",
    kind="json",
    required=True,
    parts=(
        FormField(name="value", kind="text", required=True),
        FormField(name="currency", kind="text", required=True),
        FormField(name="note", kind="text"),
        FormField(name="rank", kind="number"),
    ),
)
PAYS = replace(
    a_card(form=(MONEY,)),
    ui=replace(
        CARD.ui,
        action=replace(
            CARD.ui.action,
            arguments={"amount": {"value": "10.00", "currency": "USD", "note": "x", "more": 1}},
        ),
    ),
)


def test_a_member_that_differs_is_put_into_its_object() -> None:
    said = typed(parts={"amount": {"value": "12.50", "note": "", "rank": "2"}})

    assert beside_of(PAYS, Choice.MODIFY, said) == Change(
        arguments={"amount": {"value": "12.50", "currency": "USD", "more": 1, "rank": 2}}
    )


@pytest.mark.parametrize(
    ("parts", "told"),
    [
        ({"amount": {"rank": "two"}}, "amount: The value of 'rank' is no JSON: 'two'."),
        ({"amount": {"other": "1"}}, "amount: 'other' cannot be changed here."),
        ({"payee": {"value": "1"}}, "'payee' cannot be changed here."),
    ],
)
def test_a_member_that_cannot_be_changed_is_named(parts: dict[str, Any], told: str) -> None:
    assert str(beside_of(PAYS, Choice.MODIFY, typed(parts=parts))).startswith(told)


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (typed(texts={"pin": "1"}), "'pin' cannot be changed here"),
        (typed(removed=["pin"]), "'pin' cannot be changed here"),
        (typed(texts={"count": "many"}), "'count' is no JSON"),
        (typed(texts=[]), "cannot be read"),
    ],
)
def test_a_change_that_cannot_be_read_says_why(said: dict[str, Any], why: str) -> None:
    told = beside_of(CARD, Choice.MODIFY, said)

    assert isinstance(told, str)
    assert why in told


def test_a_yes_is_remembered_with_the_limits_that_were_typed() -> None:
    limits = {"path": "reports/", "count": "9", "tags": ""}
    said = {"remember": {"uses": 3, "hours": 0.5, "amount": "10", "limits": limits}}

    assert beside_of(CARD, Choice.PROCEED, said) == Remember(
        uses=3,
        lasts_s=1800,
        amount="10",
        limits={"path": Limit(prefix="reports/"), "count": Limit(at_most="9")},
    )
    assert beside_of(CARD, Choice.CANCEL, said) is None
    assert beside_of(CARD, Choice.PROCEED, {}) is None


@pytest.mark.parametrize("wrong", [{"uses": 0}, {"uses": 101}, {"hours": 0}, {"hours": 721}])
def test_a_permission_out_of_bounds_is_none(wrong: dict[str, Any]) -> None:
    said = {"remember": {"uses": 3, "hours": 1, **wrong}}

    assert "cannot be read" in str(beside_of(CARD, Choice.PROCEED, said))


def test_a_person_sees_the_permissions_that_are_theirs_and_an_admin_sees_all() -> None:
    yes = Yes(cause="ANSWERS:7", at=T0, person="ann", wanted=Remember(uses=2))
    one = given(a_confirmed_hold(), yes, Thresholds(currency="EUR"), "Delete 412 rows")
    found = [("robot", one), ("robot", replace(one, used=2))]
    ann = Person(name="ann", roles=(Role.APPROVER,))
    ben = replace(ann, name="ben")
    ada = replace(ben, name="ada", admin=True)

    (row,) = rows_for(ann, found, T0)
    assert (row.agent, row.allows, row.left, row.may_revoke) == (
        "robot",
        "Delete 412 rows",
        2,
        True,
    )
    assert rows_for(ben, found, T0) == ()
    assert len(rows_for(ada, found, T0)) == 1
    assert rows_for(ann, found, T0 + timedelta(days=1)) == ()


def test_only_a_form_of_ours_takes_a_permission_back() -> None:
    order, word = revoke_order({"agent": "robot", "permission": "p7", "reason": " why "}, "")

    assert word == "permission"
    assert getattr(order, "reason", "") == "why"
    with pytest.raises(msgspec.DecodeError):
        revoke_order({"agent": "robot.*", "permission": "p7"}, "")
