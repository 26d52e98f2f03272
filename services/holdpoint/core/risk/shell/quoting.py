"""Perl's and Ruby's own ways to write a text or a call, written as in other languages."""

import re

import re2

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.inner import MAX_INNER

_options = re2.Options()
_options.log_errors = False
_own = re2.compile(r"(?:^|[^\w$@%>&{])(?:q[qx]?|%[qQx]?)\s*[^\w\s,;)=]|CORE::", _options)
"""One look for most code, which has none."""

_PAIRS = {"(": ")", "{": "}", "[": "]", "<": ">"}
_opens = re.compile(r"(?<![\w$@%>&{-])(?:q([qx]?)|%([qQx]))\s*([^\w\s,;)=])")
_core = re.compile(r"\bCORE::(?:GLOBAL::)?")
_piped = re.compile(
    r"\bopen\b[^;\"']*[\"'](?:\s*\|\s*([^\"'|-][^\"'|]*)|\s*([^\"'|-][^\"'|]*)\|\s*)[\"']"
)
_by_mode = re.compile(r"\bopen\b[^;\"']*[\"'](?:-\||\|-)[\"']((?:\s*,\s*[\"'][^\"']*[\"'])+)")
_between = re.compile(r"[\s\"',]+")


def plainly(code: str, language: str) -> str:
    """The code of one of these languages, its texts and calls written as others write them."""
    if language in OWN_QUOTES:
        code = by_common_quotes(code)
    for way, common in _CALLS.get(language, ()):
        code = way.sub(common, code)
    if language == "php" and (named := _held.findall(code)):
        for name, function in named[:MAX_INNER]:
            code = code.replace(f"${name}(", f"{function}(")
    return code


OWN_QUOTES = word_set("perl ruby jruby raku")
_sent = (re.compile(r"\.\s*(?:__|public_)?send(?:__)?\s*\(?\s*:(\w+[?!]?)\s*,?\s*"), r".\1(")
_asked = (re.compile(r"\.\s*method\s*\(\s*:(\w+)\s*\)\s*\.\s*(?:call\b|\(|\[)"), r".\1")
_by_name = (re.compile(r"\bcall_user_func(?:_array)?\s*\(\s*['\"](\w+)['\"]\s*,"), r"\1(")
_CALLS = {
    "ruby": (_sent, _asked), "jruby": (_sent, _asked), "php": (_by_name,),
}  # fmt: skip
"""How a function may be called by its name."""

_held = re.compile(r"\$(\w+)\s*=\s*['\"]([a-z_]\w*)['\"]\s*;")


def by_common_quotes(code: str) -> str:
    """`qq(a)` and `%Q{a}` as a text in quotes, `qx/a/` and `%x(a)` between backticks."""
    if not _own.search(code):
        return code
    at, parts = 0, []
    for _ in range(MAX_INNER):
        opening = _opens.search(code, at)
        if opening is None:
            break
        end = _closing(code, opening.end(), opening[3])
        kind = opening[1] if opening[1] is not None else opening[2]
        sign = "`" if kind == "x" else "'" if kind in {"", "q"} else '"'
        inner = code[opening.end() : end].replace("\\", "\\\\").replace(sign, "\\" + sign)
        parts += [code[at : opening.start()], sign, inner, sign]
        at = end + 1
    return _core.sub("", "".join((*parts, code[at:])))


def _closing(code: str, at: int, opening: str) -> int:
    """Where a text ends that begins with this sign: brackets may stand in each other."""
    closes, depth = _PAIRS.get(opening, opening), 1
    for place in range(at, len(code)):
        sign = code[place]
        if sign == closes:
            depth -= 1
        elif sign == opening:
            depth += 1
        if not depth:
            return place
    return len(code)


def piped(code: str) -> list[str]:
    """What `open F, "|TEXT"`, `open F, "TEXT|"` and `open F, "-|", "TEXT"` run."""
    if "open" not in code or "|" not in code:
        return []
    found = [to or of for to, of in _piped.findall(code)]
    found += [_between.sub(" ", words) for words in _by_mode.findall(code)]
    return [one.strip() for one in found[:MAX_INNER]]
