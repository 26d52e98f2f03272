"""What a GET orders although it should only read: `/users/42/delete`, `?action=delete&id=42`.

A page about deletions, a list of what is deleted, and a search or a filter with the word in it
order nothing.
"""

from collections.abc import Iterator

from holdpoint.core.risk.http.target import Target, targets
from holdpoint.core.risk.http.words import OWN_MARKS, SENT_MARKS, tells, words_of
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.lexicon import word_set

MAX_SHOWN = 24
MOST_WORDS = 4
"""Words of a part of a path; more are a heading."""

_DEEDS = word_set("delete destroy purge wipe erase terminate remove")
_PLAIN = _DEEDS - {"remove"}
_CLEARS = word_set("drop flush reset clear empty clean truncate remove")
"""Deeds only with one of those behind them; alone they are names of many things."""

_WHOLE = words("words/http:commanded.whole")
_WORDY = words("words/http:commanded.wordy")

_PAGES = words("words/http:commanded.pages")

TITLED = words("words/http:commanded.titled")
"""Parts of a path behind which nothing but titles stands."""

_PAGE_HOSTS = words("words/http:commanded.page_hosts")
_FILES = words("words/http:commanded.files")
_SCRIPTS = word_set("php asp aspx cgi do pl jsp action cfm")
_ASKED = word_set("action act op cmd do command operation task")
_STAFF = word_set("admin cron manage internal backend console")
_TARGETS = words("words/http:commanded.targets")
_NO = word_set("0 false no off none null never")


_STOPS = word_set("reboot shutdown poweroff halt restart reset factory")
"""What the script of a device is named for, and does."""

SAID = _DEEDS | _CLEARS
_ANY = SAID | _STOPS
"""A part of whatever is ordered: a plain address without one orders nothing."""


def commanded(url: str) -> str:
    """What it orders, in a few words; empty when it only reads."""
    low = url.lower()
    hides = "%" in low or not low.isascii()
    if "/" not in low or not (hides or any(deed in low for deed in _ANY)):
        return ""
    return next(filter(None, map(commanded_at, targets(url))), "")


def commanded_at(target: Target) -> str:
    """The same of an address that was read."""
    parts = target.path
    if _is_page(target.host, parts) or tells(parts) or _is_kept(target):
        return ""
    deed = "" if _is_bare(target) else _in_path(parts)
    if deed:
        return f"its path says {deed[:MAX_SHOWN]}"
    said = next(_in_query(parts, target.asked), "")
    return f"its query says {said[:MAX_SHOWN]}" if said else ""


def _is_page(host: str, parts: list[str]) -> bool:
    """Whether the words are about a deed, or about something of the asker's own."""
    named = {part.lower() for part in parts}
    last = parts[-1].lower() if parts else ""
    file = "." in last and last.rpartition(".")[2] in _FILES
    about = _PAGES | OWN_MARKS | SENT_MARKS
    return file or not about.isdisjoint(named) or not _PAGE_HOSTS.isdisjoint(host.split("."))


def _is_kept(target: Target) -> bool:
    """`/v1/kv/delete-after`: the name of a value that is got, and says of nothing that it goes."""
    before = [part.lower() for part in target.path[:-1]]
    words = words_of(target.path[-1]) if target.path else ()
    named = len(words) > 1 and _WHOLE.isdisjoint(words[1:])
    return named and _stores(before) and not target.asked


def _stores(before: list[str]) -> bool:
    """Whether it is Consul's store of keys: `/v1/kv/…`, with nothing but names in between."""
    return before[:2] == ["v1", "kv"] and SAID.isdisjoint(before)


def _is_bare(target: Target) -> bool:
    """`/delete` alone: nobody says what."""
    alone = len(target.path) == 1 and not target.asked
    return alone and not words_of(target.path[0].partition(".")[0])[1:]


def _in_path(parts: list[str]) -> str:
    """The last part that is no id, where it is a deed."""
    last = next((part for part in reversed(parts) if not any(map(str.isdigit, part))), "")
    stem, _, end = last.rpartition(".")
    words = words_of(stem if stem and end.lower() in _SCRIPTS else last)
    if not words or len(words) > MOST_WORDS or not _WORDY.isdisjoint(words):
        return ""
    runs = end.lower() in _SCRIPTS and ("cgi-bin" in parts or end.lower() == "cgi")
    deed = words[0] in _PLAIN or words[-1] in _DEEDS or words[-2:] in _FOR_GOOD
    deed = deed or (runs and not _STOPS.isdisjoint(words))
    return last if deed or _empties(words) else ""


_FOR_GOOD = (("factory", "reset"), ("hard", "reset"), ("remote", "wipe"), ("self", "destruct"))
"""Deeds of machines in two words."""


def _empties(words: tuple[str, ...]) -> bool:
    return words[0] in _CLEARS and not _WHOLE.isdisjoint(words[1:])


def _in_query(parts: list[str], asked: tuple[tuple[str, str], ...]) -> Iterator[str]:
    """`?delete=42`, `?purge_all`; what is to be done, and to what or by whom."""
    script = not parts or parts[-1].rpartition(".")[2].lower() in _SCRIPTS
    staff = not _STAFF.isdisjoint(part.lower() for part in parts)
    aimed = script or staff or any(_is_target(key) for key, _ in asked)
    for key, value in asked:
        words = words_of(key)
        whole = not words[1:] or not _WHOLE.isdisjoint(words[1:])
        if words and words[0] in _PLAIN and whole and value.lower() not in _NO:
            yield key
        told = words_of(value) if key.lower() in _ASKED and aimed else ()
        if told and (told[0] in _DEEDS or told[-1] in _DEEDS or _empties(told)):
            yield value


def _is_target(key: str) -> bool:
    return key.lower() in _TARGETS or key.lower().endswith("id")
