"""Keys and passwords in a text that a call hands to others, by the shape their makers gave them."""

from collections.abc import Iterator

from holdpoint.core.risk.glance import glance
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.text import MAX_TEXT, whole_characters

TELLS = words("words/tools:secrets.tells")
_PIECE = r"[\w!#$%&*+?^~.-]"
_MIXED = rf"{_PIECE}*(?:[a-z]{_PIECE}*\d|\d{_PIECE}*[a-z]){_PIECE}{{3}}"
"""Letters and figures together: no word that somebody says about a password."""

_ENDED = r"[A-Za-z]{5,}\d{1,6}|[A-Za-z]{4}\d{2,6}"
"""A word with figures behind it."""

ASSIGNED = (
    r"\b[A-Z][A-Z0-9_]*(?:SECRET|TOKEN|PASSWORD|PASSWD|API_?KEY|PRIVATE_KEY|ACCESS_KEY)[A-Z0-9_]*"
    rf"\s*=\s*[\"']?(?:[^\s\"'<>${{}}*]{{12,}}|(?i:{_MIXED}))"
)
"""`DB_PASSWORD=…`, wherever it stands."""

NAMED = (
    rf"{ASSIGNED}"
    rf"|(?i)\b(?:password|passwd|passcode|passwort|pwd)(?: is|:| =|=) ?[\"'`]?(?:{_MIXED}|{_ENDED})"
    rf"|(?i)\b(?:login|logins|credentials|creds)(?: is| are|:) ?[\w.@-]+ ?(?:/|:|and) ?"
    rf"(?:{_MIXED})"
)
"""A password or a key by what stands before it."""

names_secret = glance(NAMED)
_is_secret = glance(
    r"-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----|\bA(?:KIA|SIA)[0-9A-Z]{16}\b"
    r"|\bgh[opsur]_[A-Za-z0-9]{30,}|\bgithub_pat_\w{30,}|\bglpat-[\w-]{18,}|\bxox[abprs]-[\w-]{10,}|\b[sr]k_live_\w{16,}"
    r"|\bSG\.[\w-]{16,}\.[\w-]{16,}|\bnpm_[A-Za-z0-9]{30,}|\bAIza[\w-]{30,}|\bsk-[\w-]{32,}"
    rf"|{NAMED}"
)


def told(named: frozenset[str], text: str) -> Iterator[str]:
    """What the call does with one in its text; `named`: the words of the tool's name."""
    if not TELLS.isdisjoint(named) and _is_secret(whole_characters(text[:MAX_TEXT])):
        yield "hands out what looks like a key or a password"
