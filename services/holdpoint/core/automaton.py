"""Which of many patterns may fire in a text, in one pass over it: hyperscan, or RE2's set.

Either only narrows down: whoever asks has RE2 search with each pattern that is marked, so both give
the same hits. This is the one place that knows hyperscan, whose wheel exists for some machines.
"""

import codecs
import hashlib
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Protocol

import msgspec
import re2

MAX_MEMORY = 64 * 1024 * 1024
"""Bytes that RE2 may use for one automaton before it falls back to a slower linear search."""

MOST_COUNTED = 8
"""A longer counted repetition is widened for hyperscan: unrolled it takes minutes to compile."""

Marks = Callable[[str], Sequence[int]]
"""For a folded text: the places, in ascending order, of the patterns that may fire."""

hyperscan: Any = import_module("hyperscan") if find_spec("hyperscan") else None
_ONE_BYTE = "holdpoint.one-byte"
_counted = re2.compile(r"\{(\d+)(?:,(\d*))?\}")
_foreign = re2.compile(r"[^\x00-\x7f]")
_alone = re2.compile(r"\\[pPxC]|\[\^[^\]]*[^\x00-\x7f]|\[[^\]]*\{\d|\(\?[a-zA-Z]*U")
"""What hyperscan would read differently once every foreign character is one byte."""


class AutomatonError(ValueError):
    """The patterns cannot be run, or a scan failed; whoever judges holds."""


class CompiledStore(Protocol):
    """Compiled automata that outlive a process: compiling takes seconds, loading does not."""

    def load(self, key: str) -> bytes | None:
        """Return what was saved under this key; None when nothing was, or it cannot be read."""

    def save(self, key: str, compiled: bytes) -> None:
        """Keep it for later processes, if possible."""


def automaton(patterns: tuple[str, ...], store: CompiledStore | None = None) -> Marks:
    """Build an automaton, by hyperscan where it is installed.

    store: where hyperscan's databases are looked for first, and kept.
    """
    return by_hyperscan(patterns, store) if hyperscan else by_re2(patterns)


def by_re2(patterns: tuple[str, ...]) -> Marks:
    """RE2's set. Its last pattern is empty and always fires.

    When that one is missing, the set ran out of memory, and every pattern may fire.
    """
    known = re2.Set.SearchSet(options())
    for pattern in (*patterns, ""):
        known.Add(pattern)
    try:
        known.Compile()
    except re2.error:
        text = "the patterns together need more memory than RE2 may use"
        raise AutomatonError(text) from None
    return set_marks(known, len(patterns))


def set_marks(known: Any, sentinel: int) -> Marks:
    """The marks of a compiled set whose last pattern always fires."""

    def marks(text: str) -> Sequence[int]:
        marked = known.Match(text) or []
        if sentinel not in marked:
            return range(sentinel)
        return sorted(one for one in marked if one != sentinel)

    return marks


class _Compiled(msgspec.Struct, frozen=True, kw_only=True):
    """A hyperscan database as it is kept, with the patterns that it does not know."""

    key: str
    alone: tuple[int, ...]
    database: bytes


_compiled = msgspec.msgpack.Decoder(_Compiled)


def by_hyperscan(patterns: tuple[str, ...], store: CompiledStore | None = None) -> Marks:
    """Hyperscan over bytes: each foreign character is the byte ff, in texts and in patterns.

    What it cannot take is left to RE2.
    """
    # Named as this version of hyperscan and of this file compiles these very patterns.
    named = msgspec.json.encode((_FORMAT, hyperscan.__version__, patterns))
    key = hashlib.sha256(named).hexdigest()
    kept = _loaded(store, key) if store else None
    if kept is not None:
        return _scanner(*kept)
    database, alone = _compile(patterns)
    if store and database is not None:
        compiled = _Compiled(
            key=key, alone=tuple(sorted(alone)), database=hyperscan.dumpb(database)
        )
        store.save(key, msgspec.msgpack.encode(compiled))
    return _scanner(database, alone)


_FORMAT = 1
"""Of the kept databases: raised when patterns are translated or compiled differently."""


def _loaded(store: CompiledStore, key: str) -> tuple[Any, frozenset[int]] | None:
    """Return a kept database; None when there is none for this key or machine, or it is damaged."""
    raw = store.load(key)
    if raw is None:
        return None
    try:
        kept = _compiled.decode(raw)
        database = hyperscan.loadb(kept.database, hyperscan.HS_MODE_BLOCK)
    except (msgspec.MsgspecError, hyperscan.error):
        return None
    return (database, frozenset(kept.alone)) if kept.key == key else None


def _compile(patterns: tuple[str, ...]) -> tuple[Any, frozenset[int]]:
    alone = {place for place, pattern in enumerate(patterns) if _alone.search(pattern)}
    taken = [place for place in range(len(patterns)) if place not in alone]
    try:
        database = _database(patterns, taken)
    except hyperscan.error:
        alone |= {place for place in taken if not _takes(patterns, place)}
        database = _rest(patterns, [place for place in taken if place not in alone])
    return database, frozenset(alone)


def _rest(patterns: tuple[str, ...], places: list[int]) -> Any:
    """Those that hyperscan takes one by one, which may still be too many for it."""
    try:
        return _database(patterns, places)
    except hyperscan.error as error:
        text = f"the patterns together are refused by hyperscan: {error!r}"
        raise AutomatonError(text) from None


def _scanner(database: Any, always: frozenset[int]) -> Marks:
    """One scan marks what fires; `always` are the patterns that it does not know."""
    if database is None:
        return lambda _text: sorted(always)
    scratch = hyperscan.Scratch(database)

    def marks(text: str) -> Sequence[int]:
        found = set(always)

        def fired(place: int, *_where: object) -> None:
            found.add(place)

        data = text.encode("ascii", _ONE_BYTE)
        try:
            database.scan(data, match_event_handler=fired, scratch=scratch)
        except hyperscan.error as error:
            raise AutomatonError(f"the patterns could not be run: {error!r}") from None
        return sorted(found)

    return marks


def _database(patterns: tuple[str, ...], places: list[int]) -> Any:
    """Those at these places compiled together; None when there are none."""
    if not places:
        return None
    database = hyperscan.Database()
    database.compile(
        expressions=[_widened(patterns[place]) for place in places],
        ids=places,
        elements=len(places),
        flags=hyperscan.HS_FLAG_CASELESS | hyperscan.HS_FLAG_SINGLEMATCH,
    )
    return database


def _takes(patterns: tuple[str, ...], place: int) -> bool:
    try:
        return _database(patterns, [place]) is not None
    except hyperscan.error:
        return False


def _widened(pattern: str) -> bytes:
    wide = _counted.sub(_without_count, pattern)
    return str(_foreign.sub(r"\\xff", wide)).encode()


def _without_count(match: Any) -> str:
    least, most = match.groups()
    bound = least if most is None else most
    if bound and int(bound) <= MOST_COUNTED:
        return str(match.group())
    return "*" if int(least) == 0 else "+"


def _one_byte(error: UnicodeError) -> tuple[bytes, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return b"\xff" * (error.end - error.start), error.end


codecs.register_error(_ONE_BYTE, _one_byte)


def options() -> Any:
    """Return how RE2 runs patterns: ignoring case, within its memory."""
    chosen = re2.Options()
    chosen.case_sensitive = False
    chosen.log_errors = False
    chosen.max_mem = MAX_MEMORY
    return chosen
