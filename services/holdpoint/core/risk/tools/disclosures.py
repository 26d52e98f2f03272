"""Disclosures: secrets, confidences, public statements, orders to other agents."""

import re
from collections.abc import Iterator
from itertools import islice

from holdpoint.core.prefilter import prefilter
from holdpoint.core.risk.extract.payload import Leaf, words_of
from holdpoint.core.risk.extract.payments import PAYS
from holdpoint.core.risk.http.request import request_in
from holdpoint.core.risk.knowledge import any_of, pattern, words
from holdpoint.core.risk.model import Finding
from holdpoint.core.risk.shell.data_transfer import aloud, is_secret
from holdpoint.core.risk.tools.egress import (
    PEOPLE,
    PERSONAL,
    STRANGERS,
    carried,
    is_attached,
    is_postbox,
    outside,
)
from holdpoint.core.risk.words import PROSE_KEYS, UNSENT, word_set
from holdpoint.core.text import beginning, both_ends, whole_characters
from holdpoint.messages.risk import Heuristic, RiskLevel

MAX_SAID = 200
MAX_SHOWN = 30
MAX_TEXT = 4_000
"""Characters of a message that are read for such words."""

_SPEAKS = words("words/tools:confidences.speaks")
_WHOM = words("words/tools:confidences.whom")
_stranger = prefilter("(?i)" + any_of("words/tools:confidences.strange_boxes"))
"""What the address of somebody says who should not have it."""


def is_strange(value: object) -> bool:
    """Return whether it is a box whose name says that the press or a rival reads it."""
    said = whole_characters(value[:MAX_SAID]) if isinstance(value, str) else ""
    return "@" in said[1:] and _stranger(said)


_OPEN = word_set("ext external shared public partner partners community press guests connect")
_TEXTS = PROSE_KEYS
_FILES = words("words/tools:confidences.files")
_is_confided = prefilter(rf"(?i)\b(?:{pattern('patterns/tools:disclosures.confidential')})\b")
_disclaims = prefilter(
    r"(?i)(?:not|nothing|isn't|no longer) (?:is )?confidential"
    r"|this (?:e-?mail|message)[^.]{0,80}confidential|press releases?"
)
"""A footer that every mail has, and what says that nothing is kept."""

_apart = str.maketrans("_-/.", "    ")


def confided(named: frozenset[str], leaves: tuple[Leaf, ...]) -> Iterator[str]:
    """Each, as what the call does; `named`: the words of the tool's name."""
    if _SPEAKS.isdisjoint(named) or not UNSENT.isdisjoint(named):
        return
    whom = next((leaf.value for leaf in leaves if _is_outside(leaf)), "") or _hidden_reader(leaves)
    rival = whom and not _FORWARDS.isdisjoint(named) and _is_rival(whom)
    if whom and (rival or any(map(_is_kept_inside, leaves)) or _tells_secrets(leaves)):
        shown = beginning(whom.rpartition("@")[2] or whom, MAX_SHOWN)
        yield f"tells {shown} what is kept inside"
    if not _SHARES.isdisjoint(named) and any(map(_changes, leaves)):
        boxes = (leaf.value.strip() for leaf in leaves if _is_strangers(leaf))
        yield from (f"lets {beginning(box, MAX_SHOWN)} change it" for box in boxes)


_FORWARDS = word_set("forward reply")
_INSIDE = word_set("roadmap salaries salary payroll captable layoffs")
"""What the name of a file says that nobody outside is to see."""

_is_rival = prefilter(r"(?i)@(?:[\w.-]*[.-])?(?:rival|competitor)|@[\w.-]*leaks\b")


def _is_kept_inside(leaf: Leaf) -> bool:
    """`roadmap.pdf`, under a key of files."""
    value = leaf.value
    if not isinstance(value, str) or "." not in value or len(value) > MAX_SAID:
        return False
    if _FILES.isdisjoint(leaf.words) and not is_attached(leaf):
        return False
    return not _INSIDE.isdisjoint(words_of(value.replace("\\", "/").rpartition("/")[2]))


_SHARES = word_set("share shares sharing permission permissions collaborator")
_RIGHTS = word_set("role permission permissions access rights level")
_WRITES = word_set("write writer edit editor owner rw readwrite full manage manager")
_BOXES = _WHOM | word_set("user with person target share member collaborator who emailaddress")


def _changes(leaf: Leaf) -> bool:
    """`role: writer`."""
    if not isinstance(leaf.value, str) or len(leaf.value) > MAX_SHOWN:
        return False
    return not (_RIGHTS.isdisjoint(leaf.words) or _WRITES.isdisjoint(words_of(leaf.value)))


def _is_strangers(leaf: Leaf) -> bool:
    """Return whether it is a box that anybody may have."""
    if not isinstance(leaf.value, str) or "@" not in leaf.value[1:MAX_SAID]:
        return False
    if _BOXES.isdisjoint(leaf.words):
        return False
    return leaf.value[:MAX_SAID].rpartition("@")[2].strip().lower() in STRANGERS


def _hidden_reader(leaves: tuple[Leaf, ...]) -> str:
    """Return who reads along at another house than all whom the others see."""
    if "bcc" not in {leaf.key for leaf in leaves}:
        return ""
    boxes = [
        (leaf.words[-1:], leaf.value.strip().lower())
        for leaf in leaves
        if isinstance(leaf.value, str) and len(leaf.value) <= MAX_SAID and "@" in leaf.value[1:]
    ]
    seen = {box.rpartition("@")[2] for key, box in boxes if key in _SEEN}
    hidden = (box for key, box in boxes if key == ("bcc",))
    return next((box for box in hidden if seen and box.rpartition("@")[2] not in seen), "")


_SEEN = (("to",), ("cc",), ("from",), ("sender",), ("recipient",), ("recipients",))


def _is_outside(leaf: Leaf) -> bool:
    words = leaf.words
    if words[-1:] == () or not (words[-1] in _WHOM or words[0] == "chat"):
        return False
    if not isinstance(leaf.value, str):
        return False
    said = whole_characters(leaf.value[:MAX_SAID]).strip()
    if "@" in said[1:]:
        return said.rpartition("@")[2].lower() in STRANGERS or _stranger(said)
    return said[:1] in {"#", "@"} and not _OPEN.isdisjoint(words_of(said))


def _tells_secrets(leaves: tuple[Leaf, ...]) -> bool:
    said = " | ".join(
        leaf.value[:MAX_TEXT] for leaf in leaves if isinstance(leaf.value, str) and _is_said(leaf)
    )
    text = whole_characters(said[:MAX_TEXT])
    plain = f"{text} | {text.translate(_apart)}"
    return _is_confided(plain) and not _disclaims(text)


def _is_said(leaf: Leaf) -> bool:
    if is_attached(leaf) or (leaf.key == "value" and "content" in leaf.path.split("/")):
        return True
    return leaf.key.lower() in _TEXTS or not _FILES.isdisjoint(leaf.words)


CONFIDES = _SPEAKS | _SHARES
_PUBLISHES = words("words/tools:public_statements.publishes")
CHANNELS = words("words/tools:public_statements.channels")
_NOT_SAID = word_set("draft drafts preview template search get list")
_STATEMENTS_TEXTS = words("words/tools:public_statements.texts")
_IN_NAME_OF = word_set("account page handle brand organization organisation org company profile")
_speaks_for_house = prefilter(r"(?i)\b(?:we|we're|we've|our|us)\b")
_is_grave = prefilter(rf"(?i)\b(?:{pattern('patterns/tools:disclosures.grave')})\b")


def stated(named: frozenset[str], leaves: tuple[Leaf, ...]) -> Iterator[str]:
    """Yield what the call does; `named`: the words of the tool's name."""
    if _PUBLISHES.isdisjoint(named) or CHANNELS.isdisjoint(named) or named & _NOT_SAID:
        return
    house = any(not _IN_NAME_OF.isdisjoint(leaf.words) for leaf in leaves)
    said = (leaf for leaf in leaves if not _STATEMENTS_TEXTS.isdisjoint(leaf.words[-1:]))
    texts = (whole_characters(one.value[:MAX_TEXT]) for one in said if isinstance(one.value, str))
    if any(_is_grave(text) and (house or _speaks_for_house(text)) for text in texts):
        yield "says in public what cannot be taken back"


MAX_MESSAGES = 4
MESSAGED_MAX_TEXT = 1_000
"""Messages of a call that are read, and characters of each: an order stands at the beginning."""

_MESSAGED_SPEAKS = words("words/tools:messages.speaks")
_AGENTS = word_set("agent agents bot bots assistant copilot subagent subagents a2a")
_PAYERS = words("words/tools:messages.payers")
_MESSAGED_WHOM = words("words/tools:messages.whom")
_MESSAGED_TEXTS = word_set(
    "text message body content memo note payload instruction_text msg subject"
)
_HUMANS = word_set("human humans customer support")
_pays = prefilter(PAYS)


def messaged(named: frozenset[str], leaves: tuple[Leaf, ...]) -> Iterator[str]:
    """The texts to be read as what this agent itself would say: few calls have any."""
    if _MESSAGED_SPEAKS.isdisjoint(named) or not _HUMANS.isdisjoint(named):
        return iter(())
    agent = not _AGENTS.isdisjoint(named) or any(_is_for(leaf, _AGENTS) for leaf in leaves)
    pays = not _PAYERS.isdisjoint(named) or any(_is_for(leaf, _PAYERS) for leaf in leaves)
    if not (agent or pays):
        return iter(())
    said = (leaf.value for leaf in leaves if leaf.key.lower() in _MESSAGED_TEXTS)
    texts = (one[:MESSAGED_MAX_TEXT] for one in said if isinstance(one, str))
    return islice((one for one in texts if agent or _may_pay(one)), MAX_MESSAGES)


def _may_pay(text: str) -> bool:
    return any(map(str.isdigit, text)) or _pays(whole_characters(text))


def _is_for(leaf: Leaf, whom: frozenset[str]) -> bool:
    words = leaf.words
    if words[-1:] == () or words[-1] not in _MESSAGED_WHOM or not isinstance(leaf.value, str):
        return False
    said = leaf.value[:MAX_SAID].partition("@")
    return not whom.isdisjoint(words) or not whom.isdisjoint(words_of(said[0] or said[2]))


KEPT = PERSONAL | PEOPLE | word_set("keys vault env invoice invoices contract contracts file files")
"""What a house keeps to itself."""

_FIGURES = word_set("report reports figures financials forecast forecasts minutes deck roadmap")
"""What it keeps from the press and from rivals."""

_SENDS = words("words/tools:sent_along.sends")

_CALLS_BACK = word_set("webhook callback hook")
"""Words of a key under which an answer goes to whoever asked, unless anybody may read it there."""


def sent_along(named: frozenset[str], leaves: tuple[Leaf, ...]) -> Iterator[str]:
    """Each address, as what the call does; `named`: the words of the tool's name."""
    kept = not KEPT.isdisjoint(named)
    if not kept and _FIGURES.isdisjoint(named):
        return
    personal = not PERSONAL.isdisjoint(named)
    for leaf in leaves:
        words = leaf.words
        sends = not _SENDS.isdisjoint(words)
        if sends and is_strange(leaf.value):
            yield f"hands what it reads to {beginning(leaf.value.strip(), MAX_SHOWN)}"
        elif kept and (sends or not _CALLS_BACK.isdisjoint(words)):
            host = outside(leaf, anybody=personal)
            said = host and (sends or is_postbox(host))
            yield from (f"hands what it reads to {host}",) if said else ()


MAX_PATH = 300
_ENTRUSTED_SENDS = words("words/tools:secrets_sent.sends")
_MOVES = words("words/tools:secrets_sent.moves")

SENDS = _ENTRUSTED_SENDS | _MOVES
"""Words of a name without which nothing is sent."""

_ENTRUSTED_FILES = words("words/tools:secrets_sent.files")
_AWAY = word_set("bucket container webhook recipient recipients")
_certificate = re.compile(r"(?:^|/)certs?(?:/|$)|\.(?:pem|key|crt|cer)$")
"""What a server is given that others should know it by."""


def entrusted(named: frozenset[str], leaves: tuple[Leaf, ...]) -> Iterator[str]:
    """Yield what the call does with one; `named`: the words of the tool's name."""
    sends = not _ENTRUSTED_SENDS.isdisjoint(named)
    if not sends and _MOVES.isdisjoint(named):
        return
    if any(map(_is_kept, leaves)) and (sends or any(map(_is_away, leaves))):
        yield "sends away a file of keys or passwords"


def _is_kept(leaf: Leaf) -> bool:
    value = leaf.value
    if (
        not isinstance(value, str)
        or len(value) > MAX_PATH
        or _ENTRUSTED_FILES.isdisjoint(leaf.words)
    ):
        return False
    path = value.strip().replace("\\", "/")
    if "." not in path and "/" not in path:
        return False
    return is_secret(path) and ("priv" in path or _certificate.search(path) is None)


def _is_away(leaf: Leaf) -> bool:
    if not isinstance(leaf.value, str):
        return False
    return "://" in leaf.value or "@" in leaf.value or not _AWAY.isdisjoint(leaf.words)


_OPENS = words("words/tools:keys_in_text.opens")
_LISTS = words("words/tools:keys_in_text.lists")
_PATHS = words("words/tools:keys_in_text.paths")
_SECRETS = word_set("secret secrets password passwords credential credentials")


def read_aloud(tool: str, leaves: tuple[Leaf, ...]) -> Iterator[Finding]:
    """Yield what it reads to the agent, or tells whoever it asks."""
    named = words_of(tool)
    opens = not _OPENS.isdisjoint(named) and _LISTS.isdisjoint(named)
    if opens and named[-1] in _SECRETS:
        yield _finding("call.secret-read", RiskLevel.MEDIUM, "it reads a secret aloud")
    for leaf in leaves:
        value = leaf.value
        if not isinstance(value, str):
            continue
        if "://" in value and "?" in value:
            yield from (_finding("http.key", RiskLevel.HIGH, why) for why in _carried(leaf))
        elif opens and len(value) <= MAX_PATH and not _PATHS.isdisjoint(leaf.words):
            path = value.strip().replace("\\", "/")
            level = aloud(path) if "." in path or "/" in path else None
            if level:
                read = f"“{beginning(tool, MAX_SHOWN)}” reads a secret aloud"
                yield _finding("call.secret-read", level, f"{read}: “{both_ends(path, MAX_SHOWN)}”")


def _carried(leaf: Leaf) -> Iterator[str]:
    """By an address alone; one with a method is judged as a request."""
    address = leaf.value.strip()
    alone = " " not in address and request_in(leaf.siblings) is None
    return carried(address, None) if alone else iter(())


def _finding(rule: str, level: RiskLevel, reason: str) -> Finding:
    return Finding(rule=rule, heuristic=Heuristic.CRITICALITY, level=level, reason=reason)
