"""At level 5 a person types what a yes is about; below it nobody types anything."""

from typing import Any

import pytest
from msgspec.structs import replace
from tests.builders import TOOL, a_hold

from holdpoint.core.card import Shown, card_of
from holdpoint.core.typed_target import is_typed, to_type
from holdpoint.messages.card import Card, FormField

SHOWN = Shown(group="finance", state="rendered", seal_key="", revision=2)
CARD = card_of(a_hold(), TOOL, SHOWN)


def a_card(level: int, **action: Any) -> Card:
    ui = replace(CARD.ui, action=replace(CARD.ui.action, **action))
    return replace(CARD, level=level, ui=ui)


def test_level_5_takes_the_target_to_the_letter() -> None:
    card = a_card(5, target="prod.users")

    assert to_type(card) == "prod.users"
    assert is_typed(card, " prod.users ")
    assert not is_typed(card, "prod.user")
    assert not is_typed(card, "")


HARD = ("", "x" * 61, "prod.us\u0435rs", "a\nb", " padded")


@pytest.mark.parametrize("target", HARD)
def test_where_nobody_can_type_the_target_it_is_what_the_call_names(target: str) -> None:
    form = (FormField(name="id", kind="number", required=True),)
    card = replace(a_card(5, target=target, arguments={"id": 3}), form=form)

    assert to_type(card) == "3"


@pytest.mark.parametrize("target", HARD)
def test_of_a_call_that_names_nothing_it_is_the_title_or_the_tool(target: str) -> None:
    card = a_card(5, target=target, tool="drop_users", arguments={})

    assert to_type(replace(card, title="Drop everything")) == "Drop everything"
    assert to_type(replace(card, title="Dr\u043ep everything")) == "drop_users"


def test_below_level_5_and_for_a_sentence_nothing_is_typed() -> None:
    assert is_typed(a_card(4, target="prod.users"), "")
    assert not to_type(a_card(5, tool="", target="prod.users"))
