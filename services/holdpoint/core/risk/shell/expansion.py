"""Expansion of words: variables and their operators, substitutions, braces, arithmetic."""

import re
from collections.abc import Callable, Iterator
from fnmatch import translate
from functools import lru_cache

import msgspec

from holdpoint.core.risk.shell.lexer import (
    braces,
    closing,
    closing_quote,
    find_sign,
    next_match,
    unescape,
)
from holdpoint.core.risk.shell.model import HOLE, HOLE_END, UNWORKED, hole
from holdpoint.core.risk.shell.scope import (
    APART,
    MAX_LENGTH,
    NAMES,
    Scope,
    is_unread,
    leads,
    substitutes,
)
from holdpoint.core.risk.shell.state import State

MAX_CUT = 256
"""Characters of a value that are tried against a pattern."""

MAX_PATTERN = 64
"""Characters of a pattern that is tried."""


def edited(value: str, sign: str, operand: str, text: Callable[[str], str], name: str = "") -> str:
    """Substrings, cut ends, replacements, other case, escapes; of arguments some of the words."""
    if sign == ":":
        return UNWORKED if name in {"@", "*"} else _substring(value, text(operand))
    if sign in "#%/":
        made = _matched(value, sign, operand, text)
        return made if made.count(HOLE) == made.count(HOLE_END) else value
    if sign in "^,":
        text(operand)
        head = value if operand.startswith(sign) else value[:1]
        return (head.upper() if sign == "^" else head.lower()) + value[len(head) :]
    return _TURNS[operand](value) if sign == "@" and operand in _TURNS else value


_TURNS: dict[str, Callable[[str], str]] = {
    "E": unescape, "U": str.upper, "L": str.lower, "u": lambda value: value[:1].upper() + value[1:],
}  # fmt: skip
"""`${x@E}` and its kin."""


def _substring(value: str, operand: str) -> str:
    """Some of its characters, of an array some of its words."""
    start, _, length = operand.partition(":")
    parts = value.split(APART) if APART in value else value
    try:
        cut = parts[int(start) :]
        cut = cut if not length else cut[: int(length)]
    except ValueError:
        return UNWORKED
    return cut if isinstance(cut, str) else APART.join(cut)


def _matched(value: str, sign: str, operand: str, text: Callable[[str], str]) -> str:
    if sign == "/":
        return _replaced(value, operand, text)
    longest = operand.startswith(sign)
    return _cut(value, sign, text(operand[longest:]), longest=longest)


def _cut(value: str, sign: str, pattern: str, *, longest: bool) -> str:
    """`${x#…}` and `${x%…}`: the shortest or the longest part that fits falls away."""
    if not _is_pattern(pattern):
        return value.removesuffix(pattern) if sign == "%" else value.removeprefix(pattern)
    if len(value) > MAX_CUT or len(pattern) > MAX_PATTERN:
        return UNWORKED
    fits, sizes = _fitting(pattern), range(len(value) + 1)
    for size in reversed(sizes) if longest else sizes:
        end = len(value) - size
        if fits(value[end:] if sign == "%" else value[:size]):
            return value[:end] if sign == "%" else value[size:]
    return value


def _replaced(value: str, operand: str, text: Callable[[str], str]) -> str:
    """`${x/a/b}`, `${x//a/b}` of plain texts; a pattern is not worked out."""
    everywhere = operand[:1] == "/"
    old, _, new = operand[everywhere:].partition("/")
    pattern, put = text(old.replace("\\/", "/")), text(new)
    if operand[:1] in {"#", "%"} or _is_pattern(pattern):
        return UNWORKED
    return value.replace(pattern, put, -1 if everywhere else 1) if pattern else value


def _is_pattern(text: str) -> bool:
    return "*" in text or "?" in text or ("[" in text and "]" in text)


@lru_cache(maxsize=64)
def _fitting(pattern: str) -> Callable[[str], re.Match[str] | None]:
    return re.compile(translate(pattern)).match


MAX_GROUPS = 8
"""Groups of one text that look like sums, and are read; with more of them it is not known whole."""


def groups_in(text: str, state: State) -> Iterator[str]:
    """Yield what stands in each substitution that looks like a sum, and is a group of commands.

    Only the outermost: those inside are found when it is read. What is never closed is quoted, or
    no shell takes it.
    """
    last = places = 0
    for match in _opens.finditer(text):
        start = match.start() + 1
        if start < last:
            continue
        end = closing(text, start)
        inside = text[start + 1 : end]
        if end < len(text):
            last = end
            if is_sum(inside):
                continue
        places += 1
        if places > MAX_GROUPS:
            state.stuck = state.stuck or "it has too many parts"
            return
        if end < len(text):
            state.grouped(len(inside))
            yield inside


_opens = re.compile(r"\$\(\(")


def is_sum(inside: str) -> bool:
    """Return whether the bracket that it begins with goes up to its end; `inside` of `$(…)`."""
    return inside.startswith("(") and closing(inside, 0) == len(inside) - 1


def is_said(inside: str) -> bool:
    """Return whether what looks like a sum may be commands."""
    return inside.startswith("(") and _in_words.search(inside) is not None


_in_words = re.compile(r"[\w}\"']\s+[\w$\"'/~.]|[;|&]\s*\w*[a-z]")

MAX_WORDS = 256
"""Words that one word may become."""

MAX_EXPANDED = 4 * MAX_LENGTH
"""Characters that are expanded of one text, those inside of others again, and values that split."""

MAX_NESTED = 12
"""Values inside each other."""

_special = re.compile(r"['\"\\$`{]|[<>]\(")
_stop = re.compile(r"['\"\\$`]|[<>]\(")
_quoted_stop = re.compile(r"[\\$`]")
_backslash = re.compile(r"\\([$`\\])")
"""What a backslash takes between backquotes."""

_name = re.compile(r"[A-Za-z_]\w*|[0-9@*#?$!-]")
_parameter = re.compile(r"(!?)(#?)([A-Za-z_]\w*|[0-9@*#?$!-])(\[[^\]]*\])?(.*)", re.DOTALL)

_default = re.compile(r"[\w@*#?$!-]+(?:\[[^\]]*\])?:?[-=+#%/^,?]|[\w@*]+:", re.DOTALL)
"""Begins a parameter whose word between double quotes keeps its single quotes."""


def _unquoted(inside: str) -> str:
    """With a backslash before each single quote that quotes nothing: those outside of `$(…)` do."""
    made, at = "", 0
    while match := _quote.search(inside, at):
        made += inside[at : match.start()]
        at = match.end()
        if match[0] == "'":
            made += "\\'"
        else:
            end = closing(inside, at - 1) if match[0] == "$(" else find_sign(inside, "`", at)
            made += inside[match.start() : end + 1]
            at = end + 1
    return made + inside[at:]


_quote = re.compile(r"'|\$\(|`")

Piece = tuple[str, bool]
"""A text, and whether it may split into several words."""


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

    expanded: int = 0
    """Characters that were."""

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
        return [word for one in braces(raw, self._spends) for word in self._fields(one)][:MAX_WORDS]

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

    def _spends(self, text: str) -> bool:
        """Return whether so much more may be expanded; what may not is remembered."""
        self.expanded += len(text)
        self.overrun |= self.expanded > MAX_EXPANDED
        return not self.overrun

    def _pieces(self, raw: str) -> Iterator[Piece]:
        at, size = 0, len(raw)
        if not self._spends(raw):
            at = size
            yield raw, False
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
        if not self._spends(raw):
            at = size
            yield raw, False
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
                whole = arguments or (several and APART in value)
                yield from _each(value) if whole else ((value, several),)
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
            return self._group(raw, at + 1, in_quotes=quoted)
        if not (match := _name.match(raw, at + 1)):
            return "$", False, at + 1
        return self._variable(match[0]), True, match.end()

    def _group(self, raw: str, at: int, *, in_quotes: bool) -> tuple[str, bool, int]:
        end = closing(raw, at)
        inside = raw[at + 1 : end]
        if raw[at] == "{":
            if in_quotes and "'" in inside and _default.match(inside):
                inside = _unquoted(inside)
            return self._parameter(inside), True, end + 1
        if raw[at] == "[" or is_sum(inside):
            self._counted(inside)
            return hole("number"), False, end + 1
        said = self.run(inside)
        if said == hole("(…)"):
            kind = (
                "(file)" if inside.lstrip()[:1] == "<" else "number" if _counts(inside) else "(…)"
            )
            said = hole(kind)
        return said, True, end + 1

    def evaluated(self, text: str) -> str:
        """Return what is evaluated once more: a sum, a subscript, a prompt, what its names hold."""
        self.scope.evaluates(text)
        self.scope.loads_code |= "=" in text and any(map(leads, NAMES.findall(text)))
        if self._is_deep():
            return text
        self.depth += 1
        known = {*NAMES.findall(text)}
        worked = self.body(text) if "$" in text or "`" in text else text
        self.scope.loads_code |= is_unread(worked)
        waiting = [worked] if worked != text and substitutes(worked) else []
        named = self.scope.waiting({*known, *NAMES.findall(worked)})
        self.overrun |= named is None
        for one in (*waiting, *(named or ())):
            self.body(one)
        self.depth -= 1
        return worked

    def _counted(self, inside: str) -> None:
        """Arithmetic: what it substitutes runs, and `$((` may also open a group of commands."""
        self.scope.evaluates(inside)
        if self._is_deep():
            return
        self.depth += 1
        self.scope.loads_code |= "=" in inside and any(map(leads, NAMES.findall(inside)))
        if not self.scope.latent and "'" not in inside:
            self.scope.evaluates(self.text(inside))
        else:
            self.evaluated(inside)
        if is_said(inside):
            self.run(inside.strip("()"))
        self.depth -= 1

    def _is_deep(self) -> bool:
        """Return whether no more is worked out; then it is remembered."""
        self.overrun |= self.depth >= MAX_NESTED
        return self.depth >= MAX_NESTED

    def _variable(self, name: str) -> str:
        value = self.scope.get(name)
        if name == "IFS":
            return value or " "
        if value is None or not self._spends(value):
            return hole(name)
        return value

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
        if index and (self.scope.latent or self.scope.unread or substitutes(index + rest)):
            self.evaluated(index + rest)
        if count:
            return hole("number")
        value = self.scope.get(name + index) if index else None
        value = self.scope.get(name) if value is None else value
        if indirect:
            keys = index in {"[@]", "[*]"} or rest in {"@", "*"}
            self.scope.loads_code |= value is None and not keys
            self.evaluated(value or "")
            value = self.scope.get(value or "")
        return self._changed(name, value, rest) if rest else self._plain(name, value)

    def _plain(self, name: str, value: str | None) -> str:
        return self._variable(name) if value is None else value

    def _changed(self, name: str, value: str | None, rest: str) -> str:
        """Return what an operator in `${…}` makes of a value."""
        sign, operand = rest[0], rest[1:]
        empty_counts = sign == ":" and operand[:1] in {"-", "=", "+"}
        if empty_counts:
            sign, operand = operand[0], operand[1:]
        if sign in "-=+":
            unset = value is None or (empty_counts and not value)
            return self._otherwise(name, value, sign, operand, unset=unset)
        if sign == ":" and not _offsets.fullmatch(operand):
            self.evaluated(operand)
        if value is None:
            self.scope.loads_code |= sign == "@"
            self.text(operand)
            return hole(name)
        if sign == "@" and operand[:1] in {"P", "E"}:
            value = self.evaluated(value)
        return edited(value, sign, operand, self.text, name)

    def _otherwise(
        self, name: str, value: str | None, sign: str, operand: str, *, unset: bool
    ) -> str:
        if sign == "+":
            given = not unset if value is not None else self.scope.runs((f"{name}+{operand}", -3))
            return self.text(operand) if given else ""
        if not unset:
            return value or ""
        other = self.text(operand)
        if sign == "=":
            self.scope.put(name, other)
        return other


_offsets = re.compile(r"[ ]?-?\d*(?::[ ]?-?\d+)?")
_counts = re.compile(r"(?:^|\|)\s*wc\s+-[lcmwL]+\s*(?:<\s*[\w./-]+\s*)?$").search
"""Where a substitution prints a bare number: `wc` that is given no name."""


def _each(arguments: str) -> Iterator[Piece]:
    """The arguments of `"$@"` or the words of `"${x[@]}"`, whole as they were given."""
    for place, one in enumerate(arguments.split(APART)):
        if place:
            yield APART, True
        yield one, False
