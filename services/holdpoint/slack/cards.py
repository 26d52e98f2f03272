"""A card as Slack's blocks: plain text only, whole or not at all.

Nothing here is Slack's markup: no mention, link, emoji or format of anybody's text counts. A card
that does not fit is not cut; it says so, and is answered in the console.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any, TypeAlias

import msgspec

from holdpoint.console.card_view import Face, face_of
from holdpoint.console.status_labels import cools_off, is_open, standing
from holdpoint.console.text_segments import marked, pieces_of
from holdpoint.core.card_facts import may_take_passkey, takes_code
from holdpoint.core.card_reasons import in_words
from holdpoint.core.objections import MOST_LEVELS
from holdpoint.messages.base import Value
from holdpoint.messages.card import Card
from holdpoint.messages.catalog import Person
from holdpoint.messages.risk import Signal
from holdpoint.runtime.security.credentials import SLACK

Block: TypeAlias = dict[str, Any]

PROCEED, CANCEL, OPEN = "holdpoint_proceed", "holdpoint_cancel", "holdpoint_open"
REASON_MODAL, REASON, REASON_FIELD = "holdpoint_reason", "reason", "said"
LONGEST_REASON = 500

MOST_SIGNS, MOST_LINES = 2_800, 60
"""Of all that other people wrote: what is longer is out of sight on a phone."""

LONGEST_BUTTON = 75
NOBODY = Person(name="")

TOO_LONG = "It is too long for Slack, so none of it is shown here. Read all of it in the console."
ABOVE = "A yes to this takes more proof than Slack has. Answer it in the console."
LATER = "People are asked later; it is answered in the console until then."


class Ref(Value, frozen=True, kw_only=True):
    """The very card that a button stands below; who pressed it is never taken from here."""

    group: str
    hold_id: str
    digest: str
    render_digest: str


class Place(Value, frozen=True, kw_only=True):
    """A message in Slack."""

    channel: str
    ts: str


class Asked(Value, frozen=True, kw_only=True):
    """Content of the form for the reason: the card, and the message below which it was opened."""

    ref: Ref
    place: Place


def ref_of(card: Card) -> Ref:
    """Return what pins an answer to this card."""
    return Ref(
        group=card.group,
        hold_id=card.hold_id,
        digest=card.digest,
        render_digest=card.render_digest,
    )


def takes_yes(card: Card, now: datetime) -> bool:
    """Return whether a yes in Slack can count: at level 3 and below, with nothing left out."""
    low = card.level <= MOST_LEVELS[SLACK] and not (takes_code(card) or may_take_passkey(card))
    return is_open(card) and low and fits(card) and not _is_later(card, now)


def takes_no(card: Card) -> bool:
    """Return whether a no can count."""
    return is_open(card) or cools_off(card)


def fits(card: Card) -> bool:
    """Return whether all of it can be read in Slack at a glance."""
    text = "\n".join(_texts(face_of(card, NOBODY)))
    return len(text) <= MOST_SIGNS and text.count("\n") < MOST_LINES


def fallback(card: Card) -> str:
    """Return the line of a notification: the gate's words only."""
    if not is_open(card):
        return f"{standing(card).word}: hold {card.hold_id}"
    risk = card.ui.risk_level.value.capitalize()
    return f"{risk} risk: an action waits for you (hold {card.hold_id})"


def blocks_of(card: Card, link: str, now: datetime) -> list[Block]:
    """Return the message: what would run, why it was stopped, and the buttons that may count."""
    face = face_of(card, NOBODY)
    return [
        _header(f"{face.risk}: {card.agent} wants to act"),
        *(_body(face) if fits(card) else [_section(TOO_LONG)]),
        _section(_state(card, now)),
        _context(f"Hold {card.hold_id}. Group {card.group}.{_silence(card)}"),
        *_buttons(card, link, now),
    ]


def reason_form(ref: Ref, place: Place) -> Block:
    """Return the form in which a person who cancels may say why."""
    asked = msgspec.json.encode(Asked(ref=ref, place=place)).decode()
    field: Block = {
        "type": "plain_text_input",
        "action_id": REASON_FIELD,
        "multiline": True,
        "max_length": LONGEST_REASON,
    }
    return {
        "type": "modal",
        "callback_id": REASON_MODAL,
        "private_metadata": asked,
        "title": _plain("Cancel this action"),
        "submit": _plain("Cancel it"),
        "close": _plain("Back"),
        "blocks": [
            _section("Nothing runs, and the agent is told that you cancelled it, and why."),
            {
                "type": "input",
                "block_id": REASON,
                "optional": True,
                "label": _plain("Reason"),
                "element": field,
            },
        ],
    }


def note(text: str) -> list[Block]:
    """Return some words of ours."""
    return [_section(text)]


def _body(face: Face) -> Iterator[Block]:
    """Yield everything on the card; each text of others in a box of its own."""
    yield _section(marked(pieces_of(face.card.title)))
    yield from map(_section, _danger(face))
    if facts := "\n".join(_facts(face)):
        yield _section(facts)
    yield from _boxed("What a person changed", face.changes)
    yield from _boxed("Why it was stopped", _reasons(face))
    yield from _boxed("Exactly what will run", _arguments(face))
    if sample := _sample(face):
        yield from _boxed("It would touch or run, for example", (sample,))
    for warning in face.card.warnings:
        yield _section(f"Careful: {marked(pieces_of(warning))}")
    words = marked(face.words)
    title = "The agent's own words. Nobody has verified them"
    yield from _boxed(title, (words or "(it said nothing)",))


def _texts(face: Face) -> Iterator[str]:
    yield face.card.title
    yield from _danger(face)
    yield from _facts(face)
    yield from face.changes
    yield from _reasons(face)
    yield from _arguments(face)
    yield _sample(face)
    yield from face.card.warnings
    yield marked(face.words)


def _sample(face: Face) -> str:
    return marked(pieces_of("\n".join(face.card.sample)))


def _danger(face: Face) -> Iterator[str]:
    if face.danger:
        yield _said(face.danger)


def _facts(face: Face) -> Iterator[str]:
    for fact in face.facts:
        yield f"{fact.name}: {_one(fact.text)}"


def _reasons(face: Face) -> Iterator[str]:
    for why in face.whys:
        for signal in why.signals:
            yield f"{why.name} ({signal.level.value}): {_said(signal)}"


def _said(signal: Signal) -> str:
    """A reason, with the text that gave it away."""
    return in_words(marked(pieces_of(signal.reason)), marked(pieces_of(signal.evidence)))


def _arguments(face: Face) -> Iterator[str]:
    for it in face.arguments:
        yield f"{_one(it.name)} = {marked(it.pieces)}"


def _one(text: str) -> str:
    """A text of one line."""
    return marked(pieces_of(text)).replace("\n", "\\n")


def _state(card: Card, now: datetime) -> str:
    told = f"{standing(card).text}"
    if card.result:
        told += f" {_one(card.result.strip())}"
    if card.reason and not is_open(card):
        told += f" Reason: {_one(card.reason)}"
    if not is_open(card):
        return told[:3_000] if len(told) <= MOST_SIGNS else standing(card).text
    if not fits(card):
        return told
    if _is_later(card, now):
        return f"{told} {LATER}"
    return told if takes_yes(card, now) else f"{told} {ABOVE}"


def _silence(card: Card) -> str:
    ends = card.cools_off_until or card.expires_at
    when = f" Until {ends:%Y-%m-%d %H:%M} UTC." if ends else ""
    after_yes = f" {card.on_yes}" if card.on_yes else ""
    return f"{after_yes} {card.on_silence}{when}" if takes_no(card) else ""


def _is_later(card: Card, now: datetime) -> bool:
    return card.asked_from is not None and card.asked_from > now


def _buttons(card: Card, link: str, now: datetime) -> Iterator[Block]:
    value = msgspec.json.encode(ref_of(card)).decode()
    found: list[Block] = []
    if takes_yes(card, now):
        sure = {
            "title": _plain("Proceed?"),
            "text": _plain(f"This lets hold {card.hold_id} go on, exactly as this message shows."),
            "confirm": _plain("Proceed"),
            "deny": _plain("Back"),
        }
        found.append(_button(PROCEED, "Proceed", value) | {"confirm": sure})
    if takes_no(card):
        found.append(_button(CANCEL, "Stop" if cools_off(card) else "Cancel", value))
    if link:
        found.append(_button(OPEN, "Open in the console", card.hold_id) | {"url": link})
    if found:
        yield {"type": "actions", "block_id": "holdpoint", "elements": found}


def _button(action: str, label: str, value: str) -> Block:
    return {"type": "button", "action_id": action, "text": _plain(label), "value": value}


def _boxed(title: str, texts: Iterable[str]) -> Iterator[Block]:
    """Other people's words as preformatted text: nothing in it is a block, a link or a mention."""
    if all_of_it := "\n".join(texts):
        yield _section(f"{title}:")
        text = {"type": "text", "text": all_of_it}
        yield {
            "type": "rich_text",
            "elements": [{"type": "rich_text_preformatted", "elements": [text]}],
        }


def _header(text: str) -> Block:
    return {"type": "header", "text": _plain(text[:150])}


def _section(text: str) -> Block:
    return {"type": "section", "text": _plain(text), "expand": True}


def _context(text: str) -> Block:
    return {"type": "context", "elements": [_plain(text)]}


def _plain(text: str) -> Block:
    return {"type": "plain_text", "text": text, "emoji": False}
