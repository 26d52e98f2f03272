"""What people have to set up before their yes can count, and where."""

from collections.abc import Mapping

import pytest
from msgspec.structs import replace
from tests.builders import ONE_VOICE, a_hold, a_tool

from holdpoint.core.card import Shown, card_of
from holdpoint.core.enrolment import has_set_up, missing, not_set_up, step_up_of, to_set_up
from holdpoint.messages.card import Card
from holdpoint.messages.hold import Requirement, Stage
from holdpoint.messages.policy import Method

CHAT, TOTP, PASSKEY = Method


def asks(*proofs: Method, every: bool = False) -> Requirement:
    return replace(ONE_VOICE, proofs=proofs, every_proof=every)


def card(asked: Requirement, **enrolled: tuple[Method, ...]) -> Card:
    known: Mapping[str, frozenset[Method]] = {it: frozenset(has) for it, has in enrolled.items()}
    shown = Shown(group="finance", state="rendered", seal_key="", revision=1, enrolled=known)
    return card_of(replace(a_hold(), requirement=asked, stage=Stage.RENDERED), a_tool(), shown)


@pytest.mark.parametrize(
    ("asked", "has", "lacks"),
    [
        (asks(CHAT), (), ()),
        (asks(TOTP, PASSKEY), (), (TOTP, PASSKEY)),
        (asks(TOTP, PASSKEY), (TOTP,), ()),
        (asks(TOTP, PASSKEY, every=True), (TOTP,), (PASSKEY,)),
        (asks(TOTP, PASSKEY, every=True), (TOTP, PASSKEY), ()),
    ],
)
def test_one_of_the_proofs_is_enough_unless_every_one_is_asked_for(
    asked: Requirement, has: tuple[Method, ...], lacks: tuple[Method, ...]
) -> None:
    assert missing(asked, has) == lacks


def test_a_card_names_what_to_set_up_and_where() -> None:
    asked = card(asks(TOTP, PASSKEY), ann=(), bob=(TOTP,))

    assert asked.missing == {"ann": (TOTP, PASSKEY), "bob": (PASSKEY,)}
    told = to_set_up(asked, "ann")
    assert "a one-time code or a passkey, and ann has not set that up" in told
    assert "holdpoint people totp ann" in told
    assert to_set_up(asked, "bob") == ""
    assert step_up_of(asked) == "a one-time code or a passkey"
    assert not_set_up(asked) == (
        "ann cannot proceed yet, as that is not set up. To set it up: holdpoint people totp ann"
    )


def test_a_missing_passkey_is_set_up_in_the_console() -> None:
    """A terminal has none."""
    alone = card(asks(PASSKEY), ann=())
    both = card(asks(TOTP, PASSKEY, every=True), ann=(TOTP,))
    neither = card(asks(TOTP, PASSKEY, every=True), ann=())

    for one in (alone, both):
        assert not_set_up(one).endswith(
            "To set it up: add a passkey in the console, under your name"
        )
        assert to_set_up(one, "ann").endswith("Add one in the console, under your name")
    assert not_set_up(neither).endswith(
        "holdpoint people totp ann; add a passkey in the console, under your name"
    )
    assert "people totp ann" in to_set_up(neither, "ann")
    assert to_set_up(neither, "ann").endswith(
        "; then add a passkey in the console, under your name"
    )


def test_once_everybody_has_it_nothing_is_left_to_set_up() -> None:
    asked = card(asks(TOTP, PASSKEY, every=True), ann=(TOTP, PASSKEY), bob=(TOTP, PASSKEY))

    assert (asked.missing, not_set_up(asked)) == ({}, "")
    assert step_up_of(asked) == "a one-time code and a passkey"
    assert step_up_of(card(asks(CHAT))) == ""


def test_who_has_one_of_two_proofs_is_known_to_lack_the_other() -> None:
    asked = card(asks(TOTP, PASSKEY), bob=(TOTP,))

    assert has_set_up(asked, "bob", TOTP)
    assert not has_set_up(asked, "bob", PASSKEY)
    assert not_set_up(asked) == ""
    assert card(asks(CHAT, TOTP), bob=()).missing == {}


def test_who_has_codes_adds_the_passkey_in_the_console() -> None:
    told = to_set_up(card(asks(TOTP, PASSKEY, every=True), ann=(TOTP,)), "ann")

    assert told.endswith("Add one in the console, under your name")
