"""Values that a call in code is given, as Python, JavaScript, Ruby and PHP write them."""

import math
import operator
import re
from collections.abc import Callable
from typing import Any

import msgspec

from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.words import word_set

WORKED_OUT = "(worked out)"
"""For whatever does not stand there in plain: an amount that cannot be read asks."""

MAX_TOKENS = 4_000
"""Tokens of one call that are read."""

MAX_DEPTH = 24

_token = re.compile(
    r"(?is)(?P<blank>\s+|//[^\n]*|\#[^\n]*|/\*.*?(?:\*/|\Z))"
    r"|(?P<string>[rbuf]{0,2}(?:\"{3}.*?(?:\"{3}|\Z)|'{3}.*?(?:'{3}|\Z)"
    r"|\"(?:[^\"\\]|\\.)*(?:\"|\\?\Z)|'(?:[^'\\]|\\.)*(?:'|\\?\Z)|`(?:[^`\\]|\\.)*(?:`|\\?\Z)))"
    r"|(?P<number>\d[\d_]*(?:\.\d+)?(?:e[+-]?\d+)?n?)(?!\w)"
    r"|(?P<name>[$@]?[a-z_]\w*(?:(?:\?\.|::|->|\.)[$@]?[a-z_]\w*)*)"
    r"|(?P<sign>=>|\.\.\.|\*\*|[=!<>]=+|.)"
)
"""What is opened and never closed goes to the end, so that nothing is looked at twice."""

_dots = re.compile(r"\?\.|::|->|\.")
_escaped = re.compile(r"(?s)\\(.)")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}
_OPENS = frozenset("([{")
_CLOSES = frozenset(")]}")
_BETWEEN = frozenset(",;")
_GIVES = frozenset({":", "=>", "="})
_CONSTANTS: dict[str, Any] = {
    "true": True, "false": False, "null": None, "none": None, "nil": None, "undefined": None,
}  # fmt: skip
_PASSES_ON = words("words/shell-flow:passing_on")
"""Functions whose value is what they are given, in another dress: `JSON.stringify`."""

_COLLECTS = word_set("dict array hash object")
_BEFORE = word_set("new await")

Lookup = Callable[[str], Any]
"""The value of a variable; WORKED_OUT where nobody knows it."""


class Given(msgspec.Struct, frozen=True):
    """What a call is given in order, and by name, and how many characters that takes."""

    plain: list[Any]
    named: dict[str, Any]
    size: int = 0


def given(inside: str, known: Lookup) -> Given:
    """Read what follows the bracket of a call, up to where that is closed."""
    reader = _Reader(inside, known)
    found = reader.given(0)
    return msgspec.structs.replace(found, size=reader.size)


def literal(text: str, known: Lookup) -> Any:
    """The value that a text begins with."""
    return _Reader(text, known).value(0)


class _Reader:
    """One pass over the tokens, each of which is read once."""

    def __init__(self, text: str, known: Lookup) -> None:
        self.text = text
        self.known = known
        self.ahead: list[tuple[str, str]] = []
        self.size = self.count = 0
        self.is_term = False
        """Whether a value stands before the next token."""

    def token(self, at: int = 0) -> tuple[str, str]:
        """Kind and text of a token ahead; both are empty at the end."""
        while len(self.ahead) <= at:
            self.ahead.append(self._next())
        return self.ahead[at]

    def _next(self) -> tuple[str, str]:
        """The next token that is no blank; of too many the rest counts as read."""
        found = _token.match(self.text, self.size) if self.count < MAX_TOKENS else None
        while found and found.lastgroup == "blank" and not self._divides(found[0]):
            self.size = found.end()
            found = _token.match(self.text, self.size)
        if found is None:
            self.size = len(self.text)
            return "", ""
        said = found[0][:2] if found.lastgroup == "blank" else found[0]
        self.size += len(said)
        self.count += 1
        kind = "sign" if found.lastgroup == "blank" else found.lastgroup or ""
        self.is_term = kind != "sign" or said in _CLOSES
        return kind, said

    def _divides(self, blank: str) -> bool:
        """Return whether `//` stands behind a value, where Python divides by what follows."""
        return blank[:2] == "//" and self.is_term

    def step(self) -> tuple[str, str]:
        """Take the next token."""
        found = self.token()
        del self.ahead[0]
        return found

    def sign(self, at: int = 0) -> str:
        """The sign that stands there; empty for any other token."""
        kind, text = self.token(at)
        return text if kind == "sign" else ""

    @property
    def ends(self) -> bool:
        """Whether nothing follows inside this bracket."""
        return self.token()[0] == "" or self.sign() in _CLOSES

    def given(self, depth: int, opening: str = "(") -> Given:
        """Values up to the bracket that closes, with names or without."""
        plain: list[Any] = []
        named: dict[str, Any] = {}
        while not self.ends:
            if self.sign() in _BETWEEN:
                self.step()
            elif self.sign() in {"...", "**", ":"}:
                more = self.value(depth) if self.step()[1] != ":" else None
                named |= more if isinstance(more, dict) else {}
            elif not self.sign() and self.sign(1) in _GIVES:
                key = _key(*self.step())
                self.step()
                named[key] = self._item(depth)
            elif opening == "{" and self.token()[0] == "name" and self._stands_alone():
                key = self.token()[1]
                named[key] = self.value(depth)
            else:
                plain.append(self._item(depth))
        self.step()
        return Given(plain, named)

    def _stands_alone(self) -> bool:
        """Return whether a key of JavaScript is the name of its value: `{amount, currency}`."""
        return self.sign(1) in _BETWEEN | _CLOSES

    def value(self, depth: int) -> Any:
        """One value, with what is joined to it or done to it."""
        found = self._term(depth)
        while self._goes_on(found):
            found = self._going_on(found, depth)
        return found

    def _goes_on(self, found: Any) -> bool:
        """Return whether an operator follows, or another text; a name begins something else."""
        if self.token()[0] == "string":
            return isinstance(found, str)
        return self.sign() != "" and self.sign() not in _BETWEEN | _CLOSES

    def _going_on(self, found: Any, depth: int) -> Any:
        """The value with what stands behind it: a method, another text, an operator."""
        if self.token()[0] == "string":
            return _joined(found, self._term(depth))
        _, sign = self.step()
        kind, text = self.token()
        if sign == "." and kind == "name" and text[0] != "$":
            self.step()
            self._over()
            return found if isinstance(found, str) or _is_passed_on(text) else WORKED_OUT
        if sign in {"+", "."} and isinstance(found, str):
            return _joined(found, self._term(depth))
        if sign in _SUMS and isinstance(found, int | float) and kind == "number":
            return _worked_out(sign, found, self._term(depth))
        self._over(sign)
        return WORKED_OUT

    def _item(self, depth: int) -> Any:
        """One value of a list, up to what parts it from the next."""
        found = self.value(depth)
        while not self.ends and self.sign() not in _BETWEEN:
            found = WORKED_OUT
            self._over(self.step()[1])
        return found

    def _over(self, opening: str = "") -> None:
        """Step over what stands in a bracket that was opened, or opens here."""
        if not opening and self.sign() in _OPENS:
            opening = self.step()[1]
        depth = int(opening in _OPENS)
        while depth and self.token()[0]:
            _, text = self.step()
            depth += (text in _OPENS) - (text in _CLOSES)

    def _term(self, depth: int) -> Any:
        kind, text = self.step()
        if kind == "name":
            return self._named(text, depth)
        if text == "-" and self.token()[0] == "number":
            return _number(f"-{self.step()[1]}")
        if text in _OPENS:
            return self._inside(text, depth)
        return {"string": _text, "number": _number}.get(kind, _unknown)(text)

    def _inside(self, opening: str, depth: int) -> Any:
        """An object or a list; what stands alone in round brackets is itself."""
        found = self._held(opening, depth)
        if opening == "(" and not found.named and len(found.plain) == 1:
            return found.plain[0]
        return found.named if found.named or opening == "{" else found.plain

    def _held(self, opening: str, depth: int) -> Given:
        """What stands in a bracket that was opened."""
        if depth <= MAX_DEPTH:
            return self.given(depth + 1, opening)
        self._over(opening)
        return Given([WORKED_OUT], {})

    def _named(self, name: str, depth: int) -> Any:
        """A constant, a variable, or what a function makes of what it is given."""
        if name in _BEFORE:
            return self._term(depth)
        if self.sign() == "(":
            return self._made(name, self._held(self.step()[1], depth))
        base = name.rpartition(".")[0] if _is_passed_on(name) else ""
        return (
            _CONSTANTS.get(name.lower()) if name.lower() in _CONSTANTS else self.known(base or name)
        )

    def _made(self, name: str, told: Given) -> Any:
        """What a function makes of what it is given, or of what it belongs to."""
        if _dots.split(name)[-1].lower() in _COLLECTS:
            return told.named or told.plain
        if not _is_passed_on(name):
            return WORKED_OUT
        if told.plain or told.named:
            return told.plain[0] if told.plain else told.named
        return self.known(name.rpartition(".")[0])


def _is_passed_on(name: str) -> bool:
    return _dots.split(name)[-1].lower() in _PASSES_ON


def _joined(before: str, after: Any) -> str:
    """A text put together of two; for what nobody knows stand empty brackets."""
    return f"{_part(before)}{_part(after)}"


def _part(value: Any) -> str:
    return "{}" if value == WORKED_OUT else str(value)


def _key(kind: str, text: str) -> str:
    return _text(text) if kind == "string" else text.rpartition(".")[2]


def _text(written: str) -> str:
    """The text of a string, without its prefix and its quotes."""
    bare = written.lstrip("rbufRBUF")
    quotes = 3 if bare[:3] in {'"""', "'''"} else 1
    raw = "r" in written[: len(written) - len(bare)].lower()
    said = bare[quotes:-quotes]
    return said if raw else _escaped.sub(lambda found: _ESCAPES.get(found[1], found[1]), said)


def _number(written: str) -> int | float | str:
    plain = written.replace("_", "").rstrip("n")
    if len(plain) > MAX_DIGITS:
        return WORKED_OUT
    found = float(plain) if not plain.lstrip("-").isdigit() else int(plain)
    return found if math.isfinite(found) else WORKED_OUT


MAX_DIGITS = 40


_SUMS: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
}


def _worked_out(sign: str, one: float, other: Any) -> Any:
    """What a sum of two numbers comes to: `900 * 100`."""
    try:
        found = _SUMS[sign](one, other)
    except (ArithmeticError, TypeError):
        return WORKED_OUT
    return found if abs(found) < MAX_SUM else WORKED_OUT


MAX_SUM = 10**MAX_DIGITS


def _unknown(_: str) -> str:
    return WORKED_OUT
