"""What a house keeps to itself, sent to the press, to a rival or to a stranger's box."""

from collections.abc import Iterator

from holdpoint.core.risk.calls.leaf import Leaf, words_of
from holdpoint.core.risk.calls.leaving import STRANGERS, is_attached
from holdpoint.core.risk.excerpt import beginning
from holdpoint.core.risk.glance import glance
from holdpoint.core.risk.keys import PROSE_KEYS
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.text import whole_characters

MAX_SAID = 200
MAX_SHOWN = 24
MAX_TEXT = 4_000
"""Characters of a message that are read for such words."""

_SPEAKS = words("words/tools:confidences.speaks")
_UNSENT = word_set("draft drafts preview template templates")
_WHOM = words("words/tools:confidences.whom")
_stranger = glance(
    r"(?i)press|news|herald|tribune|gazette|journal|reporter|media|editor|daily|magazine|tips@"
    r"|capital|ventures|equity|hedge|fund|analyst|invest|rival|competitor|leaks"
)
"""What the address of somebody says who should not have it."""


def is_strange(value: object) -> bool:
    """Whether it is a box whose name says that the press or a rival reads it."""
    said = whole_characters(value[:MAX_SAID]) if isinstance(value, str) else ""
    return "@" in said[1:] and _stranger(said)


_OPEN = word_set("ext external shared public partner partners community press guests connect")
_TEXTS = PROSE_KEYS
_FILES = words("words/tools:confidences.files")
_is_confided = glance(
    r"(?i)\b(?:(?:strictly |highly |company )?confidential|unreleased|unpublished|unannounced"
    r"|non ?-?public|nonpublic|trade secrets?|proprietary|cap ?table|term ?sheet"
    r"|not (?:yet |been )?(?:public|announced|released|published)|internal only|internals?-only"
    r"|for internal use|do not (?:share|distribute|forward|circulate)|under nda"
    r"|before (?:it is|they are|the) (?:announced|public)|board (?:deck|minutes|memo|pack|papers?)"
    r"|(?:customer|client|employee|subscriber|patient|donor) (?:list|database)s?"
    r"|(?:unaudited|q[1-4]) financials?|board minutes"
    r"|ssn:? ?#?\d{3}-?\d{2}-?\d{4}|social security (?:number|no\.?):? ?\d{3}-?\d{2}-?\d{4}"
    r"|internal (?:\w+ ){0,2}(?:memo|deck|roadmap|figures|numbers|forecast|report|financials"
    r"|strategy|plans?|pricing|documents?|emails?|notes|slides|minutes|data|results))\b"
)
_disclaims = glance(
    r"(?i)(?:not|nothing|isn't|no longer) (?:is )?confidential"
    r"|this (?:e-?mail|message)[^.]{0,80}confidential|press releases?"
)
"""A footer that every mail has, and what says that nothing is kept."""

_apart = str.maketrans("_-/.", "    ")


def confided(named: frozenset[str], leaves: tuple[Leaf, ...]) -> Iterator[str]:
    """Each, as what the call does; `named`: the words of the tool's name."""
    if _SPEAKS.isdisjoint(named) or not _UNSENT.isdisjoint(named):
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

_is_rival = glance(r"(?i)@(?:[\w.-]*[.-])?(?:rival|competitor)|@[\w.-]*leaks\b")


def _is_kept_inside(leaf: Leaf) -> bool:
    """`roadmap.pdf`, under a key of files."""
    value = leaf.value
    if not isinstance(value, str) or "." not in value or len(value) > MAX_SAID:
        return False
    if _FILES.isdisjoint(words_of(leaf.key)) and not is_attached(leaf):
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
    return not (_RIGHTS.isdisjoint(words_of(leaf.key)) or _WRITES.isdisjoint(words_of(leaf.value)))


def _is_strangers(leaf: Leaf) -> bool:
    """Whether it is a box that anybody may have."""
    if not isinstance(leaf.value, str) or "@" not in leaf.value[1:MAX_SAID]:
        return False
    if _BOXES.isdisjoint(words_of(leaf.key)):
        return False
    return leaf.value[:MAX_SAID].rpartition("@")[2].strip().lower() in STRANGERS


def _hidden_reader(leaves: tuple[Leaf, ...]) -> str:
    """Who reads along at another house than all whom the others see."""
    if "bcc" not in {leaf.key for leaf in leaves}:
        return ""
    boxes = [
        (words_of(leaf.key)[-1:], leaf.value.strip().lower())
        for leaf in leaves
        if isinstance(leaf.value, str) and len(leaf.value) <= MAX_SAID and "@" in leaf.value[1:]
    ]
    seen = {box.rpartition("@")[2] for key, box in boxes if key in _SEEN}
    hidden = (box for key, box in boxes if key == ("bcc",))
    return next((box for box in hidden if seen and box.rpartition("@")[2] not in seen), "")


_SEEN = (("to",), ("cc",), ("from",), ("sender",), ("recipient",), ("recipients",))


def _is_outside(leaf: Leaf) -> bool:
    words = words_of(leaf.key)
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
    return leaf.key.lower() in _TEXTS or not _FILES.isdisjoint(words_of(leaf.key))


CONFIDES = _SPEAKS | _SHARES
