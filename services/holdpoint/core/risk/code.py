"""Arguments that are programs: shell, SQL, code and requests, each handed to its own reader."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec
import re2

from holdpoint.core.risk.calls.composed import commands_in
from holdpoint.core.risk.calls.leaf import Leaf, words_of
from holdpoint.core.risk.glance import glance
from holdpoint.core.risk.http.door import read_addressless, read_object
from holdpoint.core.risk.keys import CODE_KEYS, SHELL_KEYS, SQL_KEYS
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.money import Money
from holdpoint.core.risk.shell.disguise import unhidden
from holdpoint.core.risk.shell.door import read_shell
from holdpoint.core.risk.sql.door import read_sql
from holdpoint.messages.risk import RiskLevel, Signal

MAX_HEAD = 2_000
"""Characters in which a text must begin like a statement."""

MAX_VERB = 16
"""Characters of its first word that are looked at: more than any verb of SQL has."""

MAX_READ = 24
"""Programs in one action: a person would not check more."""

_MARK = "HOLDPOINT_CODE"

_STARTS = tuple(
    word_set(
        "select with insert update delete drop truncate alter grant revoke create merge exec call "
        "begin explain replace copy do delimiter use set declare prepare if -- /*"
    )
)
"""How every text begins that the next one fits: asked first, because it is cheap."""

_BEFORE = "; \t\n\v\f\r"
"""What may stand before it."""

_states = glance(
    r"(?i)^[\s;]*(?:--[^\n]*\n|/\*[^*]*\*/|\s)*(?:select\b|with\s+\w+|insert\s+into\b|update\s+\S+\s+(?:with\s*\([^)]*\)\s*|as\s+\w+\s+)?set\b|"
    r"delete\s+from\b|drop\s+(?:table|database|schema|view|index|user|role|policy|function|procedure|trigger|"
    r"sequence|extension|materialized\s+view|type|owned\s+by|publication)\b|"
    r"truncate\s+(?:table\s+)?[\w\"`]|alter\s+(?:table|user|role|database|system)\b|grant\s+|revoke\s+|"
    r"create\s+(?:or\s+replace\s+)?(?:table|user|role|database|schema|view|index)\b|merge\s+into\b|"
    r"(?:exec|execute|call)\s+\w|begin\s*;|explain\s|replace\s+into\b|copy\s+\w|"
    r"begin\s+(?:delete|update|drop|truncate|alter|grant|revoke|insert|exec|create|tran)|do\s+\$|"
    r"exec(?:ute)?\s*(?:\(|')|delimiter\s|use\s+\w+\s*(?:;|\sgo\s)|set\s+@|set\s+\w[\w.]*\s*=[^;\n]{1,80};|declare\s+@|"
    r"prepare\s+\w+\s+(?:as|from)\b|if\s[^\n]{1,80}\bbegin\b|"
    r"create\s+(?:or\s+replace\s+)?(?:procedure|function|trigger)\b)"
)


class Programs(msgspec.Struct, frozen=True, kw_only=True):
    """What the programs in an action would do."""

    signals: tuple[Signal, ...] = ()
    verb: str = ""
    targets: tuple[str, ...] = ()
    amounts: tuple[Money, ...] = ()
    """Sums that they move."""

    unreadable: str = ""
    read: int = 0
    """How many were read."""

    reads_only: bool = False
    """Proven: there is at least one, and each only reads."""

    known: bool = False
    """Whether each is a shell text of programs that are known."""

    covers: bool = False
    """Whether they are all the text that there is, so that nothing else needs to be looked at."""

    @property
    def complete(self) -> bool:
        """Whether the parse alone decides: it saw every text, and could read it."""
        return self.covers and not self.unreadable


class _Seen(msgspec.Struct, frozen=True, kw_only=True):
    signals: tuple[Signal, ...]
    reads_only: bool
    known: bool = False
    verb: str = ""
    targets: tuple[str, ...] = ()
    amounts: tuple[Money, ...] = ()
    unreadable: str = ""
    whole: bool = True
    """False for other languages: their strings may hold what nobody parsed."""


def programs(
    domain: str,
    leaves: tuple[Leaf, ...],
    objects: tuple[Mapping[str, Any], ...],
    dialect: str,
    tool: str = "",
) -> Programs:
    """Read each argument that is a program, and those that a call spells out in parts."""
    texts = [
        leaf for leaf in leaves if isinstance(leaf.value, str) and leaf.value[:MAX_HEAD].strip()
    ]
    seen: list[_Seen] = []
    offset, covered = 0, 0
    for leaf in texts:
        found = _read(domain, leaf, dialect) if len(seen) < MAX_READ else None
        if found:
            covered += found.whole
            seen.append(_shifted(found, leaf.value, offset))
        offset += len(leaf.value) + 1
    seen.extend(_requests(tool, objects))
    seen.extend(_spelled(tool, objects, dialect))
    return _together(seen, covers=bool(texts) and covered == len(texts))


def _together(seen: list[_Seen], *, covers: bool) -> Programs:
    if not seen:
        return Programs(covers=covers)
    worst = max(seen, key=_rank) if len(seen) > 1 else seen[0]
    return Programs(
        signals=tuple(signal for one in seen for signal in one.signals),
        verb=worst.verb,
        targets=tuple(target for one in seen for target in one.targets),
        amounts=tuple(money for one in seen for money in one.amounts),
        unreadable=next((one.unreadable for one in seen if one.unreadable), ""),
        read=len(seen),
        reads_only=all(one.reads_only for one in seen),
        known=all(one.known for one in seen),
        covers=covers,
    )


def _rank(seen: _Seen) -> int:
    return max((signal.level.rank for signal in seen.signals), default=0)


def _read(domain: str, leaf: Leaf, dialect: str) -> _Seen | None:
    key = leaf.key.lower()
    text = leaf.value
    if domain == "shell" and key in SHELL_KEYS:
        return shell(text, dialect)
    if (domain == "database" and key in SQL_KEYS) or _is_sql(text):
        return sql(text, dialect)
    if key in SHELL_KEYS:
        return shell(text, dialect)
    if key in CODE_KEYS:
        found = shell(f"python3 - <<'{_MARK}'\n{text}\n{_MARK}\n", dialect)
        return msgspec.structs.replace(found, whole=False)
    return None


def _is_sql(text: str) -> bool:
    """Whether it begins like a statement; comments stand for blanks."""
    head = text[:MAX_HEAD] if text.isascii() else unhidden(text[:MAX_HEAD])
    if not head.lstrip(_BEFORE)[:MAX_VERB].casefold().startswith(_STARTS):
        return False
    return _states(str(_comment.sub(" ", head)) if "/*" in head or "--" in head else head)


_comment = re2.compile(r"/\*[^*]*\*/|--[^\n]*\n")


def sql(text: str, dialect: str) -> _Seen:
    """A text of SQL, with the programs that it hands to the machine of its server."""
    found = read_sql(text, dialect)
    inner = (signal for one in found.programs for signal in read_shell(one).signals)
    return _Seen(
        signals=(*found.signals, *map(_placeless, inner)),
        reads_only=found.reads_only,
        verb=found.verb,
        targets=found.targets,
        amounts=found.amounts,
        unreadable=found.unreadable,
    )


def shell(text: str, dialect: str) -> _Seen:
    """A shell text, with the SQL that it hands to a database."""
    found = read_shell(text)
    if not found.sql:
        return _Seen(
            signals=found.signals,
            reads_only=found.reads_only,
            known=found.known,
            verb=found.verb,
            targets=found.targets,
            unreadable=found.unreadable,
        )
    inner = [read_sql(one, dialect) for one in found.sql[:MAX_READ]]
    told = {(signal.rule, signal.reason) for signal in found.signals}
    within = tuple(
        _placeless(signal)
        for one in inner
        for signal in one.signals
        if (signal.rule, signal.reason) not in told
    )
    return _Seen(
        signals=(*found.signals, *within),
        reads_only=found.reads_only and all(one.reads_only for one in inner),
        verb=found.verb or next((one.verb for one in inner if one.verb), ""),
        targets=(*found.targets, *(target for one in inner for target in one.targets)),
        amounts=tuple(money for one in inner for money in one.amounts),
        unreadable=found.unreadable,
    )


def _requests(tool: str, objects: Iterable[Mapping[str, Any]]) -> Iterator[_Seen]:
    """The requests that a call holds; a tool that sends them is asked where to."""
    sends = not _SENDERS.isdisjoint(words_of(tool))
    for place, one in enumerate(objects):
        found = read_object(one) or (read_addressless(one) if sends and not place else None)
        if found:
            yield _Seen(signals=found.signals, reads_only=found.reads_only, verb=found.verb)


_SENDERS = word_set("http https rest curl fetch webhook requests axios httpx")
"""Words in the names of tools that send requests."""


def _spelled(tool: str, objects: tuple[Mapping[str, Any], ...], dialect: str) -> Iterator[_Seen]:
    for line in commands_in(tool, objects):
        found = shell(line, dialect)
        yield msgspec.structs.replace(found, signals=tuple(map(_placeless, found.signals)))


def _shifted(seen: _Seen, text: str, offset: int) -> _Seen:
    """Places in the text of the whole action; none where normalising could have moved them."""
    if not seen.signals:
        return seen
    if text.isascii():
        moved = tuple(_at(signal, offset, len(text)) for signal in seen.signals)
    else:
        moved = tuple(map(_placeless, seen.signals))
    return msgspec.structs.replace(seen, signals=moved)


def _at(signal: Signal, offset: int, length: int) -> Signal:
    if signal.span is None or signal.span[1] > length:
        return _placeless(signal)
    start, end = signal.span
    return msgspec.structs.replace(signal, span=(start + offset, end + offset))


def _placeless(signal: Signal) -> Signal:
    return msgspec.structs.replace(signal, span=None)


def worrying(seen: Programs) -> bool:
    """Whether anything in it is more than nothing."""
    return any(signal.level > RiskLevel.LOW for signal in seen.signals)


def dialect_of(facts: Mapping[str, Any]) -> str:
    """The SQL dialect, where configuration says it."""
    said = facts.get("dialect")
    return said if isinstance(said, str) else ""
