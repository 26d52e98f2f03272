"""A card in Slack: within Block Kit's limits, whole or not at all, and in nobody's markup."""

import json
from datetime import timedelta
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from tests.builders import ACTION, T0, TOOL, a_hold
from tests.hostile_texts import HOSTILE
from tests.slack_server import buttons_of, fault_of, text_of

from holdpoint.core import card as cards
from holdpoint.core.redaction.display import visible
from holdpoint.messages.card import Card
from holdpoint.messages.hold import Outcome
from holdpoint.messages.policy import Method
from holdpoint.messages.risk import Heuristic, RiskLevel, Signal
from holdpoint.slack.cards import (
    ABOVE,
    CANCEL,
    OPEN,
    PROCEED,
    TOO_LONG,
    Place,
    Ref,
    blocks_of,
    fallback,
    reason_form,
    ref_of,
)
from holdpoint.slack.listeners import Replays, is_answer

LINK = "http://localhost:8330/holds/crm-agent/h1"
NOW = T0 + timedelta(minutes=1)


def a_card(says: str = "", arguments: dict[str, Any] | None = None, **fields: Any) -> Card:
    action = replace(ACTION, arguments=arguments) if arguments is not None else ACTION
    hold = a_hold(ui=None, title="", action=action, says=says)
    shown = cards.Shown(group="finance", state="rendered", seal_key="", revision=2)
    return replace(cards.card_of(hold, TOOL, shown), **fields)


def message(card: Card, link: str = LINK) -> dict[str, Any]:
    return {"text": fallback(card), "blocks": blocks_of(card, link, NOW)}


def test_a_letter_that_passes_for_another_one_is_numbered() -> None:
    assert "Run rm -r \u043e⟦U+043E⟧ld" in text_of(message(a_card(title="Run rm -r \u043eld")))


def test_a_level_3_card_has_two_buttons_and_a_link() -> None:
    buttons = buttons_of(message(a_card()))

    assert list(buttons) == [PROCEED, CANCEL, OPEN]
    assert [it["text"]["text"] for it in buttons.values()] == [
        "Proceed",
        "Cancel",
        "Open in the console",
    ]
    assert buttons[OPEN]["url"] == LINK
    assert msgspec.json.decode(buttons[PROCEED]["value"], type=Ref) == ref_of(a_card())
    assert fault_of(message(a_card())) == ""


@pytest.mark.parametrize(
    "more",
    [{"level": 4}, {"level": 5}, {"proofs": (Method.TOTP,)}, {"proofs": (Method.PASSKEY,)}],
)
def test_above_level_3_there_is_a_link_and_no_proceed(more: dict[str, Any]) -> None:
    shown = message(a_card(**more))

    assert list(buttons_of(shown)) == [CANCEL, OPEN]
    assert ABOVE in text_of(shown)


def test_a_card_that_ended_says_how_and_has_no_buttons_but_the_link() -> None:
    ended = a_card(
        state="resumed", outcome=Outcome.CANCELLED.value, closed_by="ann", reason="not today"
    )

    assert list(buttons_of(message(ended))) == [OPEN]
    assert "Cancelled by ann; nothing ran. Reason: not today" in text_of(message(ended))


def test_everything_on_the_card_is_in_the_message() -> None:
    shown = text_of(message(a_card(says="These users are gone.")))

    for part in ("412 rows", "prod.users", "last_seen < '2020-01-01'", "user 17", "users are gone"):
        assert part in shown


def test_n13_in_slack_what_does_not_fit_is_not_cut_and_takes_no_yes() -> None:
    tail = "; rm -rf /"
    for hidden in ("x" * 50_000 + tail, "a\n" * 100 + tail, "x " * 1_500 + tail):
        shown = message(a_card(arguments={"command": hidden}))
        assert fault_of(shown) == ""
        assert PROCEED not in buttons_of(shown)
        assert text_of(shown).count(TOO_LONG) == 1
        assert "rm -rf" not in text_of(shown)


def test_a_result_ends_without_its_line_break() -> None:
    failed = message(a_card(state="failed", outcome="confirmed", result="rm: no such file\n"))

    assert "rm: no such file" in text_of(failed)
    assert "\\n" not in text_of(failed)


def test_the_danger_stands_below_the_title_and_is_said_once() -> None:
    lost = Signal(
        rule="sql.delete", heuristic=Heuristic.IRREVERSIBILITY, level=RiskLevel.HIGH, reason="Lost."
    )
    sections = [text_of({"blocks": [it]}) for it in message(a_card(signals=(lost,)))["blocks"]]

    assert [it for it in sections if "Lost." in it] == [sections[2]]


def test_n13_in_slack_blank_lines_push_nothing_out_of_sight() -> None:
    shown = text_of(message(a_card(arguments={"command": "ls" + "\n" * 300 + "rm -rf /"})))

    assert "ls\n⟦… 299 blank lines⟧\nrm -rf /" in shown


def test_n13_in_slack_no_secret_stands_in_a_message() -> None:
    given = {"table": "users", "password": "hunter2-hunter2", "note": "it is hunter2-hunter2"}
    shown = json.dumps(message(a_card("The password is hunter2-hunter2.", given)))

    assert "hunter2" not in shown
    assert "\\u2022\\u2022\\u2022" in shown


def test_n14_in_slack_no_text_of_others_is_markup_or_passes_for_the_gates() -> None:
    ours = [it for it in message(a_card())["blocks"] if it["type"] in {"context", "header"}]
    for text in HOSTILE:
        card = a_card(text, {"table": text, text[:200] or "x": "1"})
        shown = message(card)

        assert fault_of(shown) == ""
        assert set(_types(shown)) <= PLAIN
        assert text_of(shown) == visible(text_of(shown))
        assert [it for it in shown["blocks"] if it["type"] in {"context", "header"}] == ours
        assert shown["text"] == "High risk: an action waits for you (hold h1)"
        labels = {it["text"]["text"] for it in buttons_of(shown).values()}
        assert labels <= {"Proceed", "Cancel", "Open in the console"}


PLAIN = frozenset(
    {
        "actions",
        "button",
        "context",
        "header",
        "plain_text",
        "rich_text",
        "rich_text_preformatted",
        "section",
        "text",
    }
)


def _types(part: Any) -> list[str]:
    if isinstance(part, dict):
        own = [part["type"]] if isinstance(part.get("type"), str) else []
        return own + [it for value in part.values() for it in _types(value)]
    return [it for value in part for it in _types(value)] if isinstance(part, list) else []


def test_the_form_for_a_reason_keeps_the_very_card() -> None:
    place = Place(channel="C0", ts="1.2")
    form = reason_form(ref_of(a_card()), place)

    assert len(form["private_metadata"]) <= 3000
    assert all(len(form[it]["text"]) <= 24 for it in ("title", "submit", "close"))
    assert msgspec.json.decode(form["private_metadata"])["place"] == {"channel": "C0", "ts": "1.2"}


def test_a_typed_answer_is_recognised() -> None:
    for text in ("yes", "Yes!", " OK ", "go ahead", "no", "ja", "LGTM", "approve"):
        assert is_answer(text), text
    for text in ("yesterday I moved", "what is my balance", "", "notify bob"):
        assert not is_answer(text), text


def test_a_signature_counts_once() -> None:
    replays = Replays()

    assert [replays.is_again("v0=a", 1.0), replays.is_again("v0=a", 500.0)] == [False, True]
    assert not replays.is_again("v0=b", 500.0)
    assert not replays.is_again("v0=a", 602.0)
