"""A notice says who is waited for and where to look; it carries no word of an agent's."""

from datetime import timedelta

import msgspec
from msgspec.structs import replace
from tests.builders import T0, TOOL, a_hold
from tests.hostile_texts import HOSTILE

from holdpoint.core import card as cards
from holdpoint.messages.card import Card
from holdpoint.messages.hold import Outcome
from holdpoint.notices.notice import mail_of, notice_of
from holdpoint.runtime.config.channel_files import MailEntry

NOW = T0 + timedelta(minutes=1)
LINK = "http://localhost:8330/holds/crm-agent/h1"
ENTRY = MailEntry(
    host="localhost", security="none", sender="gate@acme.example", groups={"finance": ["a@b.c"]}
)


def a_card(says: str = "", **fields: object) -> Card:
    shown = cards.Shown(group="finance", state="rendered", seal_key="", revision=2)
    card = cards.card_of(a_hold(ui=None, title="", says=says), TOOL, shown)
    return replace(card, **fields)


def test_an_open_card_is_told_with_a_link() -> None:
    notice = notice_of(a_card(), LINK, NOW)

    assert notice is not None
    mail = mail_of(notice, ENTRY, NOW)
    assert mail["Subject"] == "Holdpoint: an action waits for finance (high risk)"
    assert LINK in mail.get_content()
    assert mail["To"] == "a@b.c"


def test_nobody_is_told_of_what_ended_or_is_asked_later() -> None:
    ended = a_card(state="resumed", outcome=Outcome.EXPIRED.value)

    assert notice_of(ended, LINK, NOW) is None
    assert notice_of(a_card(called_at=NOW + timedelta(hours=1)), LINK, NOW) is None


def test_a_reminder_is_another_notice_and_a_redrawn_card_is_the_same() -> None:
    first = notice_of(a_card(), LINK, NOW)
    same = notice_of(a_card(revision=9), LINK, NOW)
    later = notice_of(a_card(called_at=NOW), LINK, NOW)

    assert first
    assert same
    assert later
    assert first.id == same.id != later.id


def test_n13_in_a_notice_stands_no_word_of_an_agents() -> None:
    plain = notice_of(a_card(), LINK, NOW)
    for text in HOSTILE:
        notice = notice_of(a_card(text, title=text, reason=text), LINK, NOW)
        assert notice == plain
        assert notice is not None
        assert b"evil" not in msgspec.json.encode(notice)
