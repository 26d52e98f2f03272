"""Files that everybody may write from now on: `777`, `a+rwx`, and 511, which is the same."""

import re
from collections.abc import Iterator
from typing import Any

from holdpoint.core.risk.calls.leaf import Leaf, words_of
from holdpoint.core.risk.lexicon import word_set

MODES = word_set("chmod mode modes permission permissions perms")
_MODES = word_set("mode modes permission permissions perms octal chmod rights access")
_PATHS = word_set("path paths file files filepath filename dir directory folder target")
_octal = re.compile(r"(?:0o?)?[0-7]{2}([0-7])")
_symbols = re.compile(r"(?:[ugoa]*[+=][rwxXst]+,)*[ug]*[oa][ugoa]*[+=][rxXst]*w[rwxXst]*")
_listed = re.compile(r"[-d]?[r-][w-][xs-][r-][w-][xs-][r-]w[xt-]")

_OTHERS_WRITE = 0o002
_MOST = 0o777


def opened_to_write(named: frozenset[str], leaves: tuple[Leaf, ...]) -> Iterator[str]:
    """What the call does; `named`: the words of the tool's name."""
    if not MODES.isdisjoint(named) and any(map(_is_open, leaves)):
        yield "lets everybody write to it"


def _is_open(leaf: Leaf) -> bool:
    if _MODES.isdisjoint(words_of(leaf.key)):
        return False
    on_file = any(not _PATHS.isdisjoint(words_of(str(key))) for key in leaf.siblings)
    return on_file and writable(leaf.value)


def writable(mode: Any) -> bool:
    """Whether others may write by it: in octal digits, as the number that they are, in letters."""
    if isinstance(mode, bool) or not isinstance(mode, int | str):
        return False
    said = str(mode).strip()
    if found := _octal.fullmatch(said):
        if int(found[1]) & _OTHERS_WRITE:
            return True
    elif isinstance(mode, str):
        return bool(_symbols.fullmatch(said) or _listed.fullmatch(said))
    return isinstance(mode, int) and 0 < mode <= _MOST and bool(mode & _OTHERS_WRITE)
