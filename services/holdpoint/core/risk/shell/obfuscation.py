"""Inline code in plain spelling: encoded texts, quoting operators and computed names undone."""

import re

import re2

from holdpoint.core.prefilter import QUIET
from holdpoint.core.risk.knowledge import pattern
from holdpoint.core.risk.shell.inner_commands import MAX_INNER
from holdpoint.core.risk.words import word_set

_known = "(os|shutil|subprocess|pathlib|pty)"
_module = re.compile(rf"\bimport\s+{_known}\s+as\s+(\w+)")
_members = re.compile(rf"\bfrom\s+{_known}\s+import\s+\(?([\w \t,]+)")
MAX_NAMES = 16
"""Names that are given back their own."""


def without_aliases(code: str) -> str:
    """`import os as o; o.remove(x)` as `os.remove(x)`; `from os import remove` likewise."""
    if "import" not in code or not (" as " in code or "from" in code):
        return code
    modules = {found[2]: found[1] for found in _module.finditer(code)}
    members = dict(pair for found in _members.finditer(code) for pair in _named(*found.groups()))
    for alias, own in list(modules.items())[:MAX_NAMES]:
        code = re.sub(rf"(?<![\w.]){alias}\s*(?=[.),])", own, code)
    for alias, own in list(members.items())[:MAX_NAMES]:
        code = re.sub(rf"(?<![\w.]){alias}\s*(?=\()", own, code)
    return code


def _named(module: str, said: str) -> list[tuple[str, str]]:
    """Each name that is imported, with what it stands for."""
    names = (one.split() for one in said.split(","))
    return [(words[-1], f"{module}.{words[0]}") for words in names if words]


_own_quotes = re.compile(
    r"(?:(?<=#\{)|(?<![\w$@%>&{-]))"
    r"(?:(?:q([qx]?)|%([qQx]))\s*([({\[</|!#~,])|%([(\[<]|\{(?![$%])))"
)
_put_in = re.compile(r"#\{\s*([\"'`])([^\"'`{}]*)\1\s*\}")
"""A text that a text of Ruby takes in: `#{"a"}`."""

_brackets = re.compile(r"\\.|[(){}\[\]<>]", re.DOTALL)
_PAIRS = {")": "(", "}": "{", "]": "[", ">": "<"}
_core = re.compile(r"\bCORE::(?:GLOBAL::)?")
_piped = re.compile(
    r"\bopen\b[^;\"']*[\"'](?:\s*\|\s*([^\"'|-][^\"'|]*)|\s*([^\"'|-][^\"'|]*)\|\s*)[\"']"
)
_piped_by_mode = re.compile(r"\bopen\b[^;\"']*[\"'](?:-\||\|-)[\"']((?:\s*,\s*[\"'][^\"']*[\"'])+)")


def in_common_spelling(code: str, language: str) -> str:
    """The code of one of these languages, its texts and calls written as others write them."""
    if language in OWN_QUOTES:
        code = by_common_quotes(code)
        code = _put_in.sub(lambda one: one[2] if one[1] != "`" else f"$({one[2]})", code)
    for way, common in _CALLS_BY_NAME.get(language, ()):
        code = way.sub(common, code)
    if language == "php" and (named := _held.findall(code)):
        for name, function in named[:MAX_INNER]:
            code = code.replace(f"${name}(", f"{function}(")
    return code


OWN_QUOTES = word_set("perl ruby jruby raku")
_sent = (re.compile(r"\.\s*(?:__|public_)?send(?:__)?\s*\(?\s*:(\w+[?!]?)\s*,?\s*"), r".\1(")
_asked = (re.compile(r"\.\s*method\s*\(\s*:(\w+)\s*\)\s*\.\s*(?:call\b|\(|\[)"), r".\1")
_by_name = (re.compile(r"\bcall_user_func(?:_array)?\s*\(\s*['\"](\w+)['\"]\s*,"), r"\1(")
_CALLS_BY_NAME = {
    "ruby": (_sent, _asked), "jruby": (_sent, _asked), "php": (_by_name,),
}  # fmt: skip
"""How a function may be called by its name."""

_held = re.compile(r"\$(\w+)\s*=\s*['\"]([a-z_]\w*)['\"]\s*;")


def by_common_quotes(code: str) -> str:
    """`qq(a)` and `%Q{a {b}}` as a text in quotes, `qx/a/` and `%x(a)` between backticks."""
    if not _own_quotes.search(code):
        return _core.sub("", code)
    ends = _ends(code)
    made: list[str] = []
    at = 0
    while found := _own_quotes.search(code, at):
        start = found.end()
        paired = code[start - 1] in _PAIRS.values()
        end = ends.get(start - 1, -1) if paired else _on_line(code, found)
        made.append(code[at : found.start() if end >= 0 else start])
        if end >= 0:
            sign = "`" if "x" in (found[1], found[2]) else '"'
            made.append(f"{sign}{code[start:end].replace(sign, chr(92) + sign)}{sign}")
        at = max(end + 1, start)
    return _core.sub("", "".join((*made, code[at:])))


def _on_line(code: str, opened: re.Match[str]) -> int:
    """Find the next sign like the one that opened, on its line; -1 where there is none."""
    line = code.find("\n", opened.end())
    return code.find(opened[3], opened.end(), line if line >= 0 else len(code))


def _ends(code: str) -> dict[int, int]:
    """Find the end of each bracket by its beginning, also of those inside each other."""
    opened: dict[str, list[int]] = {sign: [] for sign in _PAIRS.values()}
    ends: dict[int, int] = {}
    for found in _brackets.finditer(code):
        sign = found[0]
        if sign in opened:
            opened[sign].append(found.start())
        elif sign in _PAIRS and opened[_PAIRS[sign]]:
            ends[opened[_PAIRS[sign]].pop()] = found.start()
    return ends


def piped_commands(code: str) -> list[str]:
    """Return what `open F, "|TEXT"` and `open F, "TEXT|"` run."""
    if "open" not in code or "|" not in code:
        return []
    found = [to or of for to, of in _piped.findall(code)]
    found += [re.sub(r"[\s\"',]+", " ", words) for words in _piped_by_mode.findall(code)]
    return [one.strip() for one in found[:MAX_INNER]]


_hidden = re2.compile(pattern("patterns/shell:code_obfuscation.hidden"), QUIET)
_evaluates = re2.compile(pattern("patterns/shell:code_obfuscation.evaluates"), QUIET)
_by_words = re2.compile(
    r"(?:^|[\s;{(=&|])(?:system|exec|spawn|eval)\s+[\w\"'$@\[(]|`[^`]*(?:[#$@]\{|\$\w)|%x|\bqx\b",
    QUIET,
)
_BY_WORDS = frozenset({"ruby", "perl", "jruby", "raku", "php", "elixir"})
"""Languages in which a command needs no brackets."""


def decodes(code: str) -> bool:
    """Return whether anything in it is decoded."""
    return _hidden.search(code) is not None


def evaluates(code: str, language: str) -> bool:
    """Return whether it runs a text that it holds, or hands one to a shell."""
    if _evaluates.search(code):
        return True
    return language in _BY_WORDS and _by_words.search(code) is not None
