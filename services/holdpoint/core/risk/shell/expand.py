"""Turn a word as written into the words that a command gets: quotes, braces, variables, splits."""

import re
from collections.abc import Callable, Iterator

import msgspec

from holdpoint.core.risk.shell.brackets import braces, closing, closing_quote, find_sign, next_match
from holdpoint.core.risk.shell.escapes import unescape
from holdpoint.core.risk.shell.model import hole
from holdpoint.core.risk.shell.operators import edited

MAX_WORDS = 256
"""Words that one word may become."""

MAX_LENGTH = 16_384
"""Characters of one expanded word; what is longer is cut."""

MAX_ELEMENTS = 64
"""Elements of an array that are kept."""

MAX_NESTED = 12
"""Values inside each other."""

_special = re.compile(r"['\"\\$`{]|[<>]\(")

_stop = re.compile(r"['\"\\$`]|[<>]\(")

_quoted_stop = re.compile(r"[\\$`]")

_backslash = re.compile(r"\\([$`\\])")
"""What a backslash takes between backquotes."""

_name = re.compile(r"[A-Za-z_]\w*|[0-9@*#?$!-]")

_parameter = re.compile(r"(!?)(#?)([A-Za-z_]\w*|[0-9@*#?$!-])(\[[^\]]*\])?(.*)", re.DOTALL)

APART = "\ue002"
"""Stands between the arguments in the value of `$@`."""

Piece = tuple[str, bool]
"""A text, and whether it may split into several words."""


class Scope(msgspec.Struct):
    """What variables hold; each keeps every value that it was given, the last one counts."""

    values: dict[str, list[str]]
    names: dict[str, str] = {}
    """Variables that only stand for another one: `declare -n x=y`."""

    def get(self, name: str) -> str | None:
        """Its value; None when nothing here gave it one."""
        found = self.values.get(self.names.get(name, name) if self.names else name)
        return found[-1] if found else None

    def put(self, name: str, value: str) -> None:
        """Give it a value."""
        self.values.setdefault(name, []).append(value[:MAX_LENGTH])

    def arguments(self, words: tuple[str, ...]) -> None:
        """What a script or a function is called by, and with."""
        for place, word in enumerate(words[:10]):
            self.put(str(place), word)
        if words:
            self.put("@", APART.join(words[1:]))
            self.put("*", " ".join(words[1:]))

    def elements(self, name: str, words: list[str]) -> None:
        """Give an array these elements."""
        for place, word in enumerate(words[:MAX_ELEMENTS]):
            self.put(f"{name}[{place}]", word)
        for whole in (f"{name}[@]", f"{name}[*]"):
            self.put(whole, " ".join(words))
        self.put(name, words[0] if words else "")


class Expander(msgspec.Struct):
    """Expands words in a scope; substitutions are run by whoever walks the commands."""

    scope: Scope
    run: Callable[[str], str]
    stream: Callable[[str], str]
    """Names the file that a process substitution is read from."""

    depth: int = 0
    """How many values inside each other are being worked out."""

    overrun: bool = False
    """Whether there were more than are worked out."""

    def every(self, written: list[str]) -> list[str]:
        """The words that all of these become: most hold nothing to expand."""
        if not _special.search(" ".join(written)):
            return written
        found: list[str] = []
        for one in written:
            if _special.search(one):
                found += self.words(one)
            else:
                found.append(one)
        return found

    def words(self, raw: str) -> list[str]:
        """The words that one written word becomes."""
        if not _special.search(raw):
            return [raw]
        if raw[0] == raw[-1] == "'" and raw.count("'") == len("''"):
            return [raw[1:-1]]
        if raw == '"$@"' and self.scope.get("@") == "":
            return []
        return [word for one in braces(raw) for word in self._fields(one)][:MAX_WORDS]

    def text(self, raw: str) -> str:
        """The same, unsplit: the value of an assignment, the target of a redirection."""
        if not _special.search(raw):
            return raw
        return "".join(piece for piece, _ in self._pieces(raw))[:MAX_LENGTH].replace(APART, " ")

    def body(self, raw: str) -> str:
        """A here-document's text: only variables and substitutions count in it."""
        return "".join(piece for piece, _ in self._quoted(raw))[:MAX_LENGTH].replace(APART, " ")

    def _fields(self, raw: str) -> list[str]:
        fields: list[str] = []
        current: str | None = None
        for piece, splits in self._pieces(raw):
            if not splits:
                current = (current or "") + piece
                continue
            parts = re.split(self._blank(), piece)
            for place, part in enumerate(parts[:MAX_WORDS]):
                if place and current is not None:
                    fields.append(current)
                    current = None
                if part:
                    current = (current or "") + part
        return fields if current is None else [*fields, current]

    def _blank(self) -> str:
        separators = self.scope.get("IFS")
        return f"[{re.escape(separators)}{APART}]" if separators else rf"[\s{APART}]+"

    def _pieces(self, raw: str) -> Iterator[Piece]:
        at, size = 0, len(raw)
        while at < size:
            sign = raw[at]
            if sign == '"':
                end = closing_quote(raw, at + 1)
                yield "", False
                yield from self._quoted(raw[at + 1 : end])
                at = end + 1
            elif sign in "$`":
                value, splits, at = self._value(raw, at)
                yield value, splits
            else:
                value, at = self._literal(raw, at, sign)
                yield value, False

    def _literal(self, raw: str, at: int, sign: str) -> tuple[str, int]:
        """Plain text, single quotes, an escape, a process substitution; and where it ends."""
        if sign == "'":
            end = find_sign(raw, "'", at + 1)
            return raw[at + 1 : end], end + 1
        if sign == "\\":
            return raw[at + 1 : at + 2].replace("\n", ""), at + 2
        if sign in "<>" and raw.startswith("(", at + 1):
            end = closing(raw, at + 1)
            inside = raw[at + 2 : end]
            return self.stream(f">{inside}" if sign == ">" else inside), end + 1
        end = next_match(_stop, raw, at)
        return raw[at:end], end

    def _quoted(self, raw: str) -> Iterator[Piece]:
        at, size = 0, len(raw)
        while at < size:
            sign = raw[at]
            if sign == "\\":
                following = raw[at + 1 : at + 2]
                yield (following if following in {"$", "`", '"', "\\"} else raw[at : at + 2]), False
                at += 2
            elif sign in "$`":
                arguments = raw.startswith(("$@", "${@}"), at)
                several = "[@]" in raw[at : at + 64] or raw.startswith("${@", at)
                value, _, at = self._value(raw, at, quoted=True)
                yield from _each(value) if arguments else ((value, several),)
            else:
                end = next_match(_quoted_stop, raw, at)
                yield raw[at:end], False
                at = end

    def _value(self, raw: str, at: int, *, quoted: bool = False) -> tuple[str, bool, int]:
        """What stands at a dollar or backtick: its value, whether it splits, where it ends."""
        if raw[at] == "`":
            end = find_sign(raw, "`", at + 1)
            return self.run(_backslash.sub(r"\1", raw[at + 1 : end])), True, end + 1
        following = raw[at + 1 : at + 2]
        if following == "'" and not quoted:
            end = closing_quote(raw, at + 2, "'")
            return unescape(raw[at + 2 : end]), False, end + 1
        if following == '"' and not quoted:
            return "", False, at + 1
        if following in {"(", "{", "["}:
            return self._group(raw, at + 1)
        match = _name.match(raw, at + 1)
        if not match:
            return "$", False, at + 1
        return self._variable(match[0]), True, match.end()

    def _group(self, raw: str, at: int) -> tuple[str, bool, int]:
        end = closing(raw, at)
        inside = raw[at + 1 : end]
        if raw[at] == "{":
            return self._parameter(inside), True, end + 1
        if raw[at] == "[" or inside.startswith("("):
            self._counted(inside)
            return hole("number"), False, end + 1
        return self.run(inside), True, end + 1

    def _counted(self, inside: str) -> None:
        """Arithmetic: what it substitutes runs, and `$((` may also open a group of commands."""
        if self._is_deep():
            return
        self.depth += 1
        self.text(inside)
        if inside.startswith("("):
            self.run(inside.strip("()"))
        self.depth -= 1

    def _is_deep(self) -> bool:
        """Whether no more is worked out; then it is remembered."""
        self.overrun |= self.depth >= MAX_NESTED
        return self.depth >= MAX_NESTED

    def _variable(self, name: str) -> str:
        value = self.scope.get(name)
        if name == "IFS":
            return value or " "
        return hole(name) if value is None else value

    def _parameter(self, inside: str) -> str:
        """`${x…}`; what begins with no name, as in `${ date; }`, is run."""
        if self._is_deep():
            return hole("…")
        match = _parameter.fullmatch(inside)
        if match is None:
            return self.run(inside.removeprefix("|"))
        self.depth += 1
        value = self._value_of(match)
        self.depth -= 1
        return value

    def _value_of(self, match: re.Match[str]) -> str:
        indirect, count, name, index, rest = match.groups()
        if count:
            return hole("number")
        value = self.scope.get(name + index) if index else None
        value = self.scope.get(name) if value is None else value
        if indirect:
            value = self.scope.get(value or "")
        return self._changed(name, value, rest) if rest else self._plain(name, value)

    def _plain(self, name: str, value: str | None) -> str:
        return self._variable(name) if value is None else value

    def _changed(self, name: str, value: str | None, rest: str) -> str:
        """What an operator in `${…}` makes of a value."""
        sign, operand = rest[0], rest[1:]
        empty_counts = sign == ":" and operand[:1] in {"-", "=", "+"}
        if empty_counts:
            sign, operand = operand[0], operand[1:]
        if sign in "-=+":
            unset = value is None or (empty_counts and not value)
            return self._otherwise(name, value, sign, operand, unset=unset)
        if value is None:
            self.text(operand)
            return hole(name)
        return edited(value, sign, operand, self.text)

    def _otherwise(
        self, name: str, value: str | None, sign: str, operand: str, *, unset: bool
    ) -> str:
        if sign == "+":
            return self.text(operand) if value is None or not unset else ""
        if not unset:
            return value or ""
        other = self.text(operand)
        if sign == "=":
            self.scope.put(name, other)
        return other


def _each(arguments: str) -> Iterator[Piece]:
    """The arguments of `"$@"`, whole as they were given."""
    for place, one in enumerate(arguments.split(APART)):
        if place:
            yield APART, True
        yield one, False
