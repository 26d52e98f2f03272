"""Files of keys and passwords that a call sends away: `upload_file {"path": "~/.ssh/id_rsa"}`."""

import re
from collections.abc import Iterator

from holdpoint.core.risk.calls.leaf import Leaf, words_of
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.secrets import is_secret

MAX_PATH = 300

_SENDS = words("words/tools:entrusted.sends")
_MOVES = words("words/tools:entrusted.moves")

SENDS = _SENDS | _MOVES
"""Words of a name without which nothing is sent."""

_FILES = words("words/tools:entrusted.files")
_AWAY = word_set("bucket container webhook recipient recipients")
_certificate = re.compile(r"(?:^|/)certs?(?:/|$)|\.(?:pem|key|crt|cer)$")
"""What a server is given that others should know it by."""


def entrusted(named: frozenset[str], leaves: tuple[Leaf, ...]) -> Iterator[str]:
    """What the call does with one; `named`: the words of the tool's name."""
    sends = not _SENDS.isdisjoint(named)
    if not sends and _MOVES.isdisjoint(named):
        return
    if any(map(_is_kept, leaves)) and (sends or any(map(_is_away, leaves))):
        yield "sends away a file of keys or passwords"


def _is_kept(leaf: Leaf) -> bool:
    value = leaf.value
    if not isinstance(value, str) or len(value) > MAX_PATH or _FILES.isdisjoint(words_of(leaf.key)):
        return False
    path = value.strip().replace("\\", "/")
    if "." not in path and "/" not in path:
        return False
    return is_secret(path) and ("priv" in path or _certificate.search(path) is None)


def _is_away(leaf: Leaf) -> bool:
    if not isinstance(leaf.value, str):
        return False
    return "://" in leaf.value or "@" in leaf.value or not _AWAY.isdisjoint(words_of(leaf.key))
