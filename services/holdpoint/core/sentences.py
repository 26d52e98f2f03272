"""The gate's sentences for people: why something did not count, and why a hold ended."""

import re
from collections.abc import Mapping, Sequence

from holdpoint.core.redaction.display import one_line
from holdpoint.messages.hold import EndedBy, Reason
from holdpoint.messages.risk import Signal

NOBODY_ANSWERED = "Nobody answered in time. That is not a no: ask again if it still matters."
WITHDRAWN = "The agent withdrew it."

_TEXTS: Mapping[Reason, str] = {
    Reason.ALREADY_CLOSED: "This hold is closed already; your answer changes nothing.",
    Reason.NOT_YET_SHOWN: "This hold was not shown to anybody yet. Look at its card first.",
    Reason.OWN_ACTION: "Four eyes: another person has to say yes to what is done in your name.",
    Reason.NOT_AN_APPROVER: "You were not asked about this one; only who was asked may answer.",
    Reason.OTHER_DIGEST: "You answered to another action than this one. Look at the card again.",
    Reason.OTHER_RENDER: "The card has changed since you saw it. Look at it again.",
    Reason.SECOND_VOICE: "You said yes already; somebody else has to be the second voice.",
    Reason.PROOF_MISSING: "This level asks for a stronger proof of who you are.",
    Reason.CODE_WRONG: "This one-time code is wrong. Five wrong ones end your say on this hold.",
    Reason.CODE_USED: "This one-time code was used already. Wait for the next one.",
    Reason.NO_CODES: (
        "You have set up no one-time codes. Set them up in the console, or with: "
        "holdpoint people totp NAME."
    ),
    Reason.TRIES_OVER: "Five wrong one-time codes ended your say on this hold; you may cancel it.",
    Reason.LOCKED: (
        "Too many wrong one-time codes lock your say for an hour. If they were not yours, change "
        "your password."
    ),
    Reason.PASSKEY_WRONG: (
        "This passkey did not confirm just this answer, or is not one of yours. Read the card "
        "again and press Proceed again."
    ),
    Reason.NOT_THE_PROPOSER: "Only the agent that proposed it can take it back.",
    Reason.NOT_YET_DUE: "It is not time yet.",
    Reason.TOO_LATE: "The deadline is over; your answer came too late to count.",
    Reason.ALREADY_STARTED: "Too late, it has started.",
    Reason.NOTHING_TO_RUN: "There is nothing to run.",
    Reason.NOT_EXTENDABLE: (
        "Its deadline cannot be moved like this: it takes a reason, and the policy says by how "
        "much at most."
    ),
    Reason.NOT_MODIFIABLE: "Only an open tool call can be changed; cancel this one instead.",
    Reason.NOT_THE_NEXT_STEP: "This is not the next step of a confirmed plan.",
    Reason.NOT_ANNOUNCED: "This sentence announced no such call, or its yes stands for another.",
}


def text_of(reason: Reason) -> str:
    """The sentence for a reason."""
    return _TEXTS[reason]


def cancelled_by(person: str) -> str:
    """The reason of a hold that a person cancelled without giving one."""
    return f"{person} cancelled it."


def superseded_by(hold_id: str) -> str:
    """The reason of a sentence whose call people are asked about instead."""
    return f"People are asked about the call that it announced instead: {hold_id}."


def modified_by(person: str, reason: str) -> str:
    """The reason of a call whose arguments a person changed."""
    return f"{person} changed it: {reason}" if reason else f"{person} changed it."


def killed(reason: str) -> str:
    """The reason of what the kill switch stopped."""
    return f"Kill switch: {reason}"


def without_reason(ended_by: str, closed_by: str) -> str:
    """The gate's own sentence where a hold was ended without a reason; empty if there is none."""
    match ended_by:
        case EndedBy.PERSON:
            return cancelled_by(closed_by)
        case EndedBy.TIMEOUT:
            return NOBODY_ANSWERED
        case EndedBy.AGENT:
            return WITHDRAWN
        case _:
            return ""


def as_sentence(text: str) -> str:
    """The text with a capital and a full stop: `it drops a table` reads `It drops a table.`"""
    begun = text[:1].upper() + text[1:]
    return begun if begun.endswith((".", "!", "?", "…")) else f"{begun}."


_UNITS = ((86_400, "day"), (3600, "hour"), (60, "minute"), (1, "second"))


def time_in_words(seconds: int) -> str:
    """Return a time in the largest unit that fits: `1 day`, `36 hours`."""
    size, unit = next(it for it in _UNITS if seconds % it[0] == 0)
    count = seconds // size
    return f"{count:,} {unit}{'' if count == 1 else 's'}"


LONGEST_QUOTE = 80
"""Characters of an agent's sentence in a title; the card shows all of it below."""

_asks = re.compile(
    r"(?:ok(?:ay)?|so|now|then)?[, ]*"
    r"(?:shall|should|may|can|could|do you want me to|would you like me to|"
    r"is it ok(?:ay)? (?:if|to))?"
    r"(?: i)? ?(?:proceed|go ahead|continue|go on|do (?:it|this|that|so))"
    r"(?: now| with (?:it|this|that))?[?.! ]*"
)
_ends = re.compile(r"(?<=[.!?])\s+|\n+")


def gravest_of(words: str, signals: Sequence[Signal]) -> str:
    """Return the sentence that the gravest reason is about, else the first one, shortened."""
    sentences = [part for part in map(str.strip, _ends.split(words)) if part]
    sentences = [it for it in sentences if not only_asks(it)] or sentences
    evidence = next((it.evidence.strip() for it in signals if it.evidence.strip()), "")
    said = next((it for it in sentences if evidence and evidence in it), sentences[0])
    return shortened(one_line(said).removesuffix("."))


def title_of_words(words: str, signals: Sequence[Signal], call: str) -> str:
    """Return a title: the sentence, quoted; of one that only asks, the call that it is about."""
    told = gravest_of(words, signals) if words.strip() else ""
    if call and only_asks(told):
        return shortened(call)
    return f"“{told}”" if told else ""


def only_asks(sentence: str) -> bool:
    """Return whether it asks for leave and names nothing: `Should I proceed?`"""
    return bool(sentence) and _asks.fullmatch(sentence.casefold()) is not None


def shortened(told: str) -> str:
    """Return at most as much as a title has room for."""
    return told if len(told) <= LONGEST_QUOTE else f"{told[: LONGEST_QUOTE - 1].rstrip()}…"
