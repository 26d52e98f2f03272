"""Parameters of a sentence, by name; what is not said is missing, and asked for."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from holdpoint.coordinator.amounts import bare_amount, money_in, number_in
from holdpoint.coordinator.intent_table import table
from holdpoint.coordinator.plain_text import as_said, plain
from holdpoint.coordinator.words import ACCOUNT_ID, MONEY, QUOTED, TRANSACTION, words_beside
from holdpoint.messages.base import JsonObject
from holdpoint.messages.request import ConversationMessage, Speaker

ACCOUNTS: Mapping[str, str] = {
    "checking": "checking", "girokonto": "checking", "corriente": "checking",
    "current account": "checking", "savings": "savings", "sparkonto": "savings",
    "ahorros": "savings", "epargne": "savings", "card": "card", "credit card": "card",
}  # fmt: skip
"""Kinds of accounts as people say them."""

_KIND = "|".join(sorted(ACCOUNTS, key=len, reverse=True))
_TO = re.compile(
    rf"(?:to|into|auf|aufs|ins|in|zum|a|al|en|vers|sur|dans)"
    rf"(?: my| the| das| mein| mi| mis| mon)?(?: \w+)? ({_KIND})\b"
)
_FROM = re.compile(
    rf"(?:from|von|vom|de|desde)(?: my| the| dem| meinem| mi| mon)?(?: \w+)? ({_KIND})\b"
)
IBAN = re.compile(
    r"\b[A-Z]{2}\d{2}(?:[A-Z0-9]{11,30}|(?: [A-Z0-9]{4}){2,7}(?: [A-Z0-9]{1,3})?)\b", re.IGNORECASE
)
_TO_ANY = re.compile(r"\b(?:to|auf|para|vers)\b|^ *(?:a|an)\b")
_LONGEST_NAME = 3
_TASK_WORDS = re.compile(
    r"^(?:please |can you |could you |i'm |im |i |i've |the |my )*"
    r"(?:mark|complete|completed|done with|finished|finish|tick off|check off|delete|remove|"
    r"cancel|update|change|edit|rename|erledige?|losche?|streiche?|elimina|borra|andere|entferne?|"
    r"get rid of|drop)\b(?: off)?"
    r"(?: the title of)?(?:(?: the| my| a| an| with| die| der| das| la| el)\b)*"
    r"(?: task| tarea| aufgabe)?"
    r"(?: about| called| named| to| with)?(?: the)? *"
)
_TASK_TAIL = re.compile(
    r" *\b(?:task|tarea|aufgabe|as done|as complete|as completed|as finished|is done|are done|"
    r"is finished|is complete|complete|done|please|from my list|off my list|now)\b[ .!?]*$"
)
_NEW_TITLE = re.compile(
    r"(?: to |: | in | a | als | into )(?P<title>[^:]+?)(?: um)?[.!]*$", re.IGNORECASE
)
_CHANGES = re.compile(
    r"\b(?:rename|change|edit|update|andere|reword|cambia|u?m?benenn\w*|renomm\w*|renombr\w*)\b"
)
_SUBJECT = re.compile(
    r"(?:about|because of|with|regarding|concerning|:|that|for|sobre|wegen) (?P<subject>.+)$"
)
_BECAUSE = re.compile(
    r"\b(?:because|since|weil|denn|porque|parce que)\b,? (?P<reason>.+)$", re.IGNORECASE
)
_DISPUTE = re.compile(
    r"(?:(?:please|bitte|can you|could you|i'd like to|i would like to|i want to|ich|je|quiero) )*"
    r"(?:dispute|contest|reklamier|disput|conteste|reclam)"
)
_MORE = re.compile(r"[,;:] \w")
NO_REASON = "No reason was given."
_NOT_SAID = frozenset({"", "it", "that", "this", "one", "something", "task", "a task", "the", "my"})
MOST_ROWS = 100


def extract(text: str, title: str, history: Sequence[ConversationMessage]) -> dict[str, Any]:
    """Return everything that the sentence says, by the names that workflows use.

    The history only explains `it`: the last thing that the person named.
    """
    line = " ".join(text.split())
    told = {name: value for name, read in _READERS.items() if (value := read(line)) is not None}
    told["message"] = line[:200]
    if title:
        told["title"] = title
    if "task" not in told and _says_it(line) and (named := _named_before(history)):
        told["task"] = named
    told.setdefault("status", "all")
    told.setdefault("limit", 10)
    return told


def _amount(line: str) -> JsonObject | None:
    """An amount; where only its currency is missing, without that."""
    return money_in(line) or bare_amount(line)


def _says_it(line: str) -> bool:
    return bool(re.search(r"\b(?:it|that|this|that one|this one)\b", plain(line)))


def _named_before(history: Sequence[ConversationMessage]) -> str | None:
    for said in reversed(history):
        if said.role is Speaker.USER and (found := _task(" ".join(said.content.split()))):
            return found
    return None


def _status(line: str) -> str | None:
    words = plain(line)
    if re.search(r"\b(?:pending|open|outstanding|left|unfinished|not done|to do today)\b", words):
        return "pending"
    if re.search(r"\b(?:completed|finished|done|erledigte?n?|completadas)\b", words):
        return "completed"
    return None


def _title(line: str) -> str | None:
    """Of `add milk`: what stands behind the keyword."""
    match = re.search(
        r"\b(?:add|create|remember|note|remind me)\b(?: a| an| the)?(?: task)?[: ]+(.+)$",
        line,
        re.IGNORECASE,
    )
    title = match.group(1).strip(" .!?\"'") if match else ""
    return None if plain(title) in _NOT_SAID else title[:200]


def _task(line: str) -> str | None:
    """The number or the words of a task that is there."""
    quoted = QUOTED.search(line)
    if quoted and not re.search(r"\bto [\"“']", line):
        return next(it for it in quoted.groups() if it)
    folded = plain(line).rstrip(" .!?")
    head = re.split(r" (?:to|in|als|into) |: ", folded)[0] if _changes(folded) else folded
    number = number_in(head)
    if number is not None and re.search(
        r"(?:task|aufgabe|tarea|tache|number|#|\b\d+$|\b(?:mark|complete|delete|remove) \d)", head
    ):
        return str(number)
    rest = _TASK_WORDS.sub("", head)
    before = None
    while rest != before:
        before, rest = rest, _TASK_TAIL.sub("", rest).strip()
    rest = re.sub(r"^(?:the|my|a|an) ", "", rest)
    return None if rest in _NOT_SAID else as_said(line, rest)


def _changes(folded: str) -> bool:
    return bool(_CHANGES.search(folded))


def _new_title(line: str) -> str | None:
    if not _changes(plain(line)):
        return None
    quoted = [next(it for it in found if it) for found in QUOTED.findall(line)]
    if quoted:
        return str(quoted[-1])
    match = _NEW_TITLE.search(line)
    title = match.group("title").strip(" \"'“”") if match else ""
    return None if plain(title) in _NOT_SAID else title[:200]


def _account(line: str) -> str | None:
    if found := ACCOUNT_ID.search(line):
        return found.group().upper()
    words = plain(line)
    kinds = {kind for said, kind in ACCOUNTS.items() if re.search(rf"\b{said}\b", words)}
    return kinds.pop() if len(kinds) == 1 else None


def _to_account(line: str) -> str | None:
    """An account to pay into: of the person, or what is named in its place."""
    if found := re.search(rf"\bto (?:my )?({ACCOUNT_ID.pattern})", line, re.IGNORECASE):
        return found.group(1).upper()
    words = plain(line)
    if (iban := IBAN.search(line)) and iban.group() != _from_account(line):
        return re.sub(r"\s", "", iban.group()).upper()
    if found := _TO.search(words):
        return ACCOUNTS[found.group(1)]
    named = {kind for said, kind in ACCOUNTS.items() if re.search(rf"\b{said}\b", words)}
    others = named - {_from_account(line)}
    if len(others) == 1:
        return others.pop()
    return None if others else _recipient(line)


def _recipient(line: str) -> str | None:
    """The name behind the `to` of a transfer, which may be of an account or of somebody."""
    words = plain(line)
    ends = [it.end() for it in (_verb().search(words), MONEY.search(words)) if it]
    return next(filter(None, (_name(line, _TO_ANY.split(words[end:])) for end in ends)), None)


def _name(line: str, parts: Sequence[str]) -> str | None:
    """Return the words behind the last preposition that say nothing about money."""
    near = " ".join(parts[-1].split()[:_LONGEST_NAME]) if len(parts) > 1 else ""
    found = words_beside(near, _words_of_money())
    return as_said(line, found) if re.search(r"[a-z]", found) else None


def _from_account(line: str) -> str | None:
    if found := re.search(rf"\bfrom (?:my )?({ACCOUNT_ID.pattern})", line, re.IGNORECASE):
        return found.group(1).upper()
    words = plain(line)
    if found := _FROM.search(words):
        return ACCOUNTS[found.group(1)]
    return _name(line, re.split(r"\b(?:from|von)\b", _TO_ANY.split(words)[0]))


@cache
def _verb() -> re.Pattern[str]:
    verbs = "|".join(re.escape(it.rstrip("*")) for it in table().words["transfer"])
    return re.compile(rf"\b(?:{verbs})\w*\b")


@cache
def _words_of_money() -> tuple[str, ...]:
    it = table()
    names = ("account", "money", "transfer")
    return (
        *it.fillers,
        *it.later,
        *it.little,
        *(word for name in names for word in it.words[name]),
    )


def _transaction(line: str) -> str | None:
    """The id of a transaction, or the words that tell it from others, such as a shop's name."""
    if found := TRANSACTION.search(line):
        return found.group().upper()
    command = _BECAUSE.split(line, maxsplit=1)[0]
    if _DISPUTE.match(plain(line)):
        command = re.split(r"[,;:] ", command, maxsplit=1)[0]
    return words_beside(command, _words_of_disputes()) or None


@cache
def _words_of_disputes() -> tuple[str, ...]:
    """Return the words with which people dispute whatever charge."""
    it = table()
    groups = [group for way in it.rules["DISPUTE"].any for group in way]
    groups += [it.fillers, it.little, it.negations, it.beside_charges]
    groups += [
        it.words[name] for name in ("charge", "transactions", "wronged", "assist", "account")
    ]
    return tuple(dict.fromkeys(word for it in groups for phrase in it for word in phrase.split()))


def _reason(line: str) -> str:
    """Why, as it was said; a command by itself is no reason."""
    if found := _BECAUSE.search(line):
        return found.group("reason")[:200]
    if not _DISPUTE.match(plain(line)):
        return line[:200]
    return re.split(r"[,;:] ", line, maxsplit=1)[1][:200] if _MORE.search(line) else NO_REASON


def _subject(line: str) -> str | None:
    match = _SUBJECT.search(line)
    subject = match.group("subject").strip(" .!?\"'") if match else ""
    return subject[:200] or None


def _limit(line: str) -> int | None:
    match = re.search(
        r"\b(?:last|latest|recent|letzten|ultimos?|ultimas?) (\d{1,3})\b", plain(line)
    )
    return max(1, min(int(match.group(1)), MOST_ROWS)) if match else None


_READERS: Mapping[str, Callable[[str], Any]] = {
    "amount": _amount,
    "status": _status,
    "title": _title,
    "task": _task,
    "new_title": _new_title,
    "account": _account,
    "to_account": _to_account,
    "from_account": _from_account,
    "transaction": _transaction,
    "reason": _reason,
    "subject": _subject,
    "limit": _limit,
}
