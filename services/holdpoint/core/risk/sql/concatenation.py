"""Texts that a statement puts together: `'DR' || 'OP'`, `CONCAT(a, 'b')`, `N'x' + @y`."""

from collections.abc import Iterator

import msgspec
import re2

from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.sql.tokens import Tokens, unquoted

MAX_PIECES = 64
"""Pieces of one text; of more the first count."""

MAX_DEPTH = 8
"""Calls of CONCAT within each other whose pieces are looked at."""

_SIGNS = frozenset({"||", "+"})
_JOINS = frozenset({"CONCAT", "CONCAT_WS"})
_RUN = words("words/sql:no_piece")
"""What is no piece although a bracket may follow."""

_DECODES = words("words/sql:decoders")
"""Functions whose text nobody can read off what they are given."""

_UNKNOWN = "some_name"
"""Stands for a piece that is known only when it runs."""

_begins_whole = re2.compile(r"^[\s(;]*(?:--[^\n]*\n\s*)*\pL+[\s(*;]")


class Joined(msgspec.Struct, frozen=True, kw_only=True):
    """A text in pieces."""

    text: str
    readable: bool
    """Whether it is known at least what it does: its first word stands there whole."""

    span: tuple[int, int]


def joined(tokens: Tokens) -> Iterator[Joined]:
    """Each text that is put together of more than one piece, or by a function that hides it."""
    statement = _Statement(tokens)
    place = 0
    while place < len(tokens):
        parts, end = statement.run(place, len(tokens), MAX_DEPTH)
        if _is_text(tokens[place:end], parts):
            yield _whole(parts, (tokens[place].start, tokens[end - 1].end))
        place = end if len(parts) > 1 else place + 1


def _is_text(tokens: Tokens, parts: list[str | None]) -> bool:
    """Numbers are added by the same sign; a decoder hides a text even when it stands alone."""
    if not parts:
        return False
    if tokens[0].text in _DECODES and len(tokens) > 1:
        return True
    said = any(part is not None for part in parts)
    return len(parts) > 1 and (said or any(token.text in _JOINS | {"||"} for token in tokens))


def _whole(parts: list[str | None], span: tuple[int, int]) -> Joined:
    text = "".join(_UNKNOWN if part is None else part for part in parts[:MAX_PIECES])
    known = None not in parts or (parts[0] is not None and bool(_begins_whole.search(parts[0])))
    return Joined(text=text, readable=known, span=span)


class _Statement:
    """The tokens of one, and where each bracket in it is closed."""

    def __init__(self, tokens: Tokens) -> None:
        self.tokens = tokens
        self.closes: dict[int, int] = {}
        opened: list[int] = []
        for place, token in enumerate(tokens):
            if token.text == "(":
                opened.append(place)
            elif token.text == ")" and opened:
                self.closes[opened.pop()] = place

    def run(self, place: int, end: int, depth: int) -> tuple[list[str | None], int]:
        """The pieces that begin here, and where they end."""
        parts, at = self._operand(place, end, depth)
        while parts and at < end:
            beside = self.tokens[at].kind == "string" == self.tokens[at - 1].kind
            if not beside and self.tokens[at].text not in _SIGNS:
                break
            more, after = self._operand(at if beside else at + 1, end, depth)
            if not more:
                break
            parts, at = [*parts, *more], after
        return parts, at

    def _operand(self, place: int, end: int, depth: int) -> tuple[list[str | None], int]:
        """A string, what CONCAT is given, or anything else, which nobody knows yet."""
        if place >= end or self.tokens[place].text in _RUN:
            return [], place + 1
        first = self.tokens[place]
        if first.kind == "string":
            return [unquoted(first.text)], place + 1
        if first.kind not in {"word", "name", "number"}:
            return [], place + 1
        after = place + 1
        while after + 1 < end and self.tokens[after].text == ".":
            after += 2
        if after >= end or self.tokens[after].text != "(":
            return [None], after
        close = self.closes.get(after, end - 1)
        inside = self._given(after + 1, close, depth - 1) if first.text in _JOINS and depth else []
        return inside or [None], close + 1

    def _given(self, place: int, end: int, depth: int) -> list[str | None]:
        """The pieces between the commas."""
        parts: list[str | None] = []
        while place < end:
            more, after = self.run(place, end, depth)
            parts.extend(more)
            place = max(after, place + 1)
        return parts
