"""Recipients outside of the domains that configuration calls one's own."""

import re
import unicodedata
from collections.abc import Iterator
from email.errors import HeaderParseError
from email.header import decode_header, make_header

from holdpoint.core.risk.extract.payload import Leaf, words_of
from holdpoint.core.risk.knowledge import phrases, words
from holdpoint.core.risk.tools.names import HOUSEHOLD, OWN, tool_name
from holdpoint.core.risk.words import UNSENT, word_set
from holdpoint.core.text import beginning
from holdpoint.messages.risk import Heuristic, RiskLevel, Signal

MAX_SHOWN = 40
MAX_READ = 65_536
"""Characters of all texts of a call that are searched for addresses; more of them go up."""

_handle = re.compile(r"(?<![^\s<>,;:\"'()])@[\w-]+(?![\w.@-])")
"""`@ann` in a chat, which no mail goes to."""

_place = re.compile(
    r"(?:@|%40|://|(?<=[\s)])(?:at|\(at\)|\[at\])\s(?=\s{0,3}[\w-]+\.))\s{0,3}"
    r"(?P<host>[^\s@<>,;:\"'()\[\]/?&#]{0,253})"
)
"""Where an address goes to, however it is written: `@`, `%40`, ` at `, the host of a URL."""

_WRITTEN_TO = words("words/actions:recipients.written_to")
_NAMED = words("words/actions:recipients.named")
_SENDS = words("words/actions:recipients.sends")


def sent_outside(
    tool: str, leaves: tuple[Leaf, ...], own: tuple[str, ...], *, reads: bool
) -> Iterator[Signal]:
    """Where it goes to an address outside of the house's `own` domains, if it has told them."""
    if not own or reads:
        return
    sends = not _SENDS.isdisjoint(tool_name(tool).words)
    left = MAX_READ
    for leaf in leaves:
        words = words_of(leaf.path) if isinstance(leaf.value, str) else ()
        if _WRITTEN_TO.isdisjoint(words) and not (sends and not _NAMED.isdisjoint(words)):
            continue
        left -= len(leaf.value)
        if left < 0:
            yield _signal("it has more recipients than can be looked at")
            return
        # As mailers read it: wide letters are plain ones, but a letter of another script is another
        # letter, however alike the two look. Looks count where they can only raise.
        text = unicodedata.normalize("NFKC", _decoded(leaf.value)).casefold()
        for found in _place.finditer(_handle.sub("", text)):
            host = found["host"].rstrip(".")
            if not any(host == domain or host.endswith(f".{domain}") for domain in own):
                where = beginning(host, MAX_SHOWN) or "an address that cannot be read"
                yield _signal(f"it goes to {where}, which is none of your own domains")
                return


def _decoded(written: str) -> str:
    """With the words in another encoding that a header may hold: `=?utf-8?q?eve=40a.example?=`."""
    if "=?" not in written:
        return written
    try:
        return str(make_header(decode_header(written)))
    except (HeaderParseError, LookupError, ValueError):
        return f"{written} @"


def _signal(reason: str) -> Signal:
    level = RiskLevel.HIGH
    return Signal(rule="call.outside", heuristic=Heuristic.CRITICALITY, level=level, reason=reason)


MAX_SAID = 80
"""Characters of a value that may say whom."""

MAX_BEFORE = 2
"""Words before the one that says all: `the whole town`, `tag: all patients`."""

_WHOM = words("words/tools:audiences.whom")
_SAYS_ALL = word_set("all every everyone everybody entire whole")
_SAYS_FULL = word_set("full complete each")
"""What says so only beside people or a list of them."""

_PLACES = words("words/tools:audiences.places")
_FEW = words("words/tools:audiences.few")
_BODIES = words("words/tools:audiences.bodies")
_SIZED = word_set("list base segment audience database population roster directory")


def whole_bodies(leaves: tuple[Leaf, ...]) -> Iterator[str]:
    """Each value that names one."""
    return (leaf.value for leaf in leaves if _names_whole(leaf))


def _names_whole(leaf: Leaf) -> bool:
    words = leaf.words
    if not words or words[-1] not in _WHOM:
        return False
    value = leaf.value
    short = isinstance(value, str) and len("all") < len(value) <= MAX_SAID
    said = words_of(value.partition("@")[0]) if short else ()
    named = words[-1] in _PLACES
    start = next((at for at, word in enumerate(said[: MAX_BEFORE + 1]) if word in _ALL), -1)
    if start < 0:
        return said[-1:] != () and said[-1] in _SIZED and not _BODIES.isdisjoint(said)
    if named or said[start] in _SAYS_FULL:
        return not _BODIES.isdisjoint(said)
    return len(said) > start + 1 and _FEW.isdisjoint(said[start + 1 : start + 3])


_ALL = _SAYS_ALL | _SAYS_FULL

REACH_MAX_SAID = 40
"""Characters of a value that may say who."""

_SPEAKS = words("words/tools:reach.speaks")
SPOKEN = word_set("message messages chat notifications notify broadcast send")
"""Words of a request's path that say so; more of them are names of things there."""

_calls = re.compile(
    r"<!(?:channel|here|everyone)(?:\|[^>]*)?>|<!subteam\^|(?:^|[\s>(*_\"'])@(?:everyone|here|channel|all|room|team)"
    r"(?:[^\w.@-]|\.?$|\.\s)"
)
_calls_may = ("<!", "@")
_OUTSIDE = word_set("external outside guest guests connect")
_SAYS_SO = word_set("is has include includes allow")
_COUNTED = words("words/tools:reach.counted")
_OPENNESS = words("words/tools:reach.openness")
_PUBLIC = frozenset(phrases("words/tools:reach.public"))  # fmt: skip
_ACTS = words("words/tools:reach.acts")
_TRIED = words("words/tools:reach.tried")
_MILD = OWN | HOUSEHOLD | _TRIED
_EACH = frozenset({"all", "*", "every", "any", "each", "everything", "everyone", "entire", "**"})


def reached(named: frozenset[str], leaves: tuple[Leaf, ...]) -> Iterator[str]:
    """Each, as what the call does; `named`: the words of the tool's name."""
    speaks = not _SPEAKS.isdisjoint(named) and UNSENT.isdisjoint(named)
    acts = not _ACTS.isdisjoint(named) and _MILD.isdisjoint(named)
    if _mails_a_list(named) and all(
        leaf.value is not True or _TRIALS.isdisjoint(leaf.words) for leaf in leaves
    ):
        yield "reaches everybody on a list"
    if speaks and (any(map(_is_list, leaves)) or next(whole_bodies(leaves), "")):
        yield "reaches everybody on a list"
    pushes = speaks and not _PUSHED.isdisjoint(named)
    for leaf in leaves if speaks or acts else ():
        if speaks and (why := _spoken(leaf)):
            yield why
        if pushes and isinstance(leaf.value, str) and leaf.words[-1:] in _TOPICS:
            topic = words_of(leaf.value[:REACH_MAX_SAID])
            if topic[:1] in _TO_ALL and len(topic) <= len(("all", "users")):
                yield "reaches everybody on a list"
        if acts and _is_every(leaf):
            yield f"applies to everything there is: “{leaf.key}”"


_PUSHED = word_set("push fcm apns notification notifications onesignal firebase sns")
_TOPICS = (("topic",), ("topics",), ("tag",), ("tags",), ("interest",), ("interests",))
_TO_ALL = (("all",), ("everyone",), ("everybody",), ("global",))


def _is_list(leaf: Leaf) -> bool:
    """`recipients_file: customers.csv`."""
    words = leaf.words
    if words == ("segments",):
        words = (*words_of(leaf.path), *words)
    if not isinstance(leaf.value, str):
        return False
    listed = words[-1:] in _LISTS and not _HEARERS.isdisjoint(words)
    in_a_file = leaf.value[:1] == "@" and "/" in leaf.value[:3]  # `emails: "@/srv/list.txt"`
    return (listed and bool(leaf.value.strip())) or (in_a_file and words[-1:] in _ADDRESSES)


_ADDRESSES = tuple((one,) for one in ("emails", "recipients", "users", "contacts", "numbers", "to"))
_LISTS = (("file",), ("csv",), ("path",), ("sheet",), ("segment",), ("segments",))
_HEARERS = word_set("recipient recipients audience contacts subscribers bcc cc to mailing")


def _mails_a_list(named: frozenset[str]) -> bool:
    """`campaign_send`, `send_newsletter`; not one that is only tried."""
    if not _CAST.isdisjoint(named) and not _WIRES.isdisjoint(named):
        return _UNMEANT.isdisjoint(named)
    mailed = not _CAMPAIGNS.isdisjoint(named) or named >= {"mail", "merge"}
    sends = mailed and not _SENT_OFF.isdisjoint(named)
    return sends and _UNMEANT.isdisjoint(named)


_CAST = word_set("broadcast blast robocall")
_WIRES = words("words/tools:reach.wires")
_CAMPAIGNS = word_set(
    "campaign campaigns newsletter newsletters broadcast blast emailblast mailblast mailing "
    "singlesend"
)
_SENT_OFF = word_set("send publish launch schedule trigger dispatch release deliver resume fire")
_TRIALS = word_set("test trial preview proof sandbox")
_UNMEANT = UNSENT | _TRIALS


def _spoken(leaf: Leaf) -> str:
    """Return whom a message reaches beyond those that it names."""
    value = leaf.value
    if isinstance(value, str):
        if any(sign in value for sign in _calls_may) and _calls.search(value):
            return "calls everybody who is in it"
        words = leaf.words
        if (
            "@" in value
            and words[-1:] in _ADDRESSED
            and value[:REACH_MAX_SAID].lower().startswith(_TO_EACH)
        ):
            return "reaches everybody on a list"
        public = len(value) <= REACH_MAX_SAID and value.strip().lower() in _PUBLIC
        return "is for everybody to see" if public and not _OPENNESS.isdisjoint(words) else ""
    if not isinstance(value, int | float) or not value:
        return ""
    words = leaf.words
    abroad = not _OUTSIDE.isdisjoint(words) or "ext" in words
    counted = words[-1:] != () and (words[-1] in _COUNTED or words[0] in _SAYS_SO)
    return "reaches people outside" if abroad and counted else ""


_ADDRESSED = (("email",), ("address",), ("to",), ("cc",), ("bcc",), ("recipient",), ("recipients",))
_TO_EACH = ("all@", "everyone@", "everybody@", "allstaff@", "all-staff@", "all-hands@", "company@")
"""How the address of a list of everybody begins."""


def _is_every(leaf: Leaf) -> bool:
    """`doors: "ALL"`, `gates: ["*"]`, `all_valves: true`."""
    words = leaf.words
    if not words or words[-1] in _TRIED:
        return False
    if leaf.value is True:
        return len(words) > 1 and words[0] in {"all", "every"} and words[-1].endswith("s")
    if not isinstance(leaf.value, str) or len(leaf.value) > REACH_MAX_SAID:
        return False
    said = leaf.value.strip().lower()
    if said not in _EACH:
        return said[:4] in {"all ", "all_", "all-"} and words[-1] in said
    return words[-1].endswith("s") or said in {"every", "each", "entire"}


REACHES = _SPEAKS | _ACTS | _CAST | _CAMPAIGNS | {"mail"}
