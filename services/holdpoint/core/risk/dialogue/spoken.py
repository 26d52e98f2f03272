"""Programs inside a sentence: SQL and commands that an agent quotes, for their own readers."""

from collections.abc import Iterator
from typing import Any

import re2

from holdpoint.core.risk.dialogue.cues import shared

MAX_PIECES = 6
"""Programs in one text; the policy's patterns see the whole of it anyway."""

MAX_PIECE = 2_000

_sql: Any = re2.compile(
    r"(?i)\b(?:drop\s+(?:table|database|schema|user|role|view|index)\s+\S|truncate\s+table\s+\S|"
    r"delete\s+from\s+[\w.\"`]+|update\s+[\w.\"`]+\s+set\s+[\w.\"`]+\s*=|alter\s+table\s+\S|"
    r"grant\s+(?:all|select|insert|update|delete)\b[^.]{0,60}\bon\b|insert\s+into\s+[\w.\"`]+\s*\(|"
    r"exec(?:ute)?\s+(?:xp_|sp_|immediate))"
)
_shell: Any = re2.compile(
    r"(?:`+|\b(?:run|execute|running|executing|command|type|with)\b:?\s*[\"'`]?|:\s+[\"'`]?|\n\s*\$?\s*)"
    r"((?:sudo\s+)?(?:rm|dd|mkfs\S*|chmod|chown|kill|git|kubectl|helm|terraform|docker|podman|aws|gcloud|"
    r"az|curl|wget|shutdown|reboot|systemctl|find|shred|wipefs|truncate|mv|psql|mysql|redis-cli|mongo|"
    r"npm|pip|apt|apt-get|yum|dnf|iptables|crontab|userdel|python3?|bash|sh|echo)\s+[^\n`]+)"
)
_has_sql, _has_shell = shared(_sql.pattern), shared(_shell.pattern)
_ends = frozenset(";`\n")


def has_programs(text: str) -> bool:
    """Whether there is any piece that begins like a statement or a command."""
    read = _as_read(text)
    return _has_sql(read) or _has_shell(read)


def sql_in(text: str) -> Iterator[str]:
    """Each piece that begins like a statement, up to where it ends."""
    if not _has_sql(_as_read(text)):
        return
    for count, match in enumerate(_sql.finditer(text)):
        if count >= MAX_PIECES:
            return
        yield _statement(text, match.start())


def _as_read(text: str) -> str:
    """In lower case, as sentences are read: what a text has, that has too."""
    return text.lower() if text.isascii() else text


def _statement(text: str, start: int) -> str:
    """Up to a semicolon, a backtick or the end of the line; quotes around it are not part of it."""
    piece = text[start : start + MAX_PIECE]
    end = next((at for at, char in enumerate(piece) if char in _ends), len(piece))
    said = piece[:end].rstrip()
    before = text[start - 1] if start else ""
    return said.split(before)[0] if before in {"'", '"'} else said.rstrip(".")


def shell_in(text: str) -> Iterator[str]:
    """Each piece that begins like a command."""
    if not _has_shell(_as_read(text)):
        return
    for count, match in enumerate(_shell.finditer(text)):
        if count >= MAX_PIECES:
            return
        piece, before = match.group(1)[:MAX_PIECE], text[match.start(1) - 1 : match.start(1)]
        quoted = before in {"'", '"'} and before in piece
        yield piece[: piece.rindex(before)] if quoted else piece.rstrip("\"' ")
