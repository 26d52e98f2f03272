"""Inline code in plain spelling: encoded texts, quoting operators and computed names undone."""

import codecs
import re
from binascii import Error, a2b_uu
from collections.abc import Callable, Iterator
from urllib.parse import unquote

import re2

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.escapes import from_base32, from_base64, from_hex
from holdpoint.core.risk.shell.inner_commands import MAX_INNER

_known = "(os|shutil|subprocess|pathlib|pty)"
_module = re.compile(rf"\bimport\s+{_known}\s+as\s+(\w+)")
_members = re.compile(rf"\bfrom\s+{_known}\s+import\s+\(?([\w \t,]+)")
_stars = re.compile(rf"\bfrom\s+{_known}\s+import\s+\*")
_asks = re2.compile(
    r"__(?:dict|getattribute)__|\bvars\s*\(|\bgetattr\b|\bmodules\b|\bglobals\b|\blocals\b|\bposix\b|\bmethodcaller\b|\battrgetter\b"
)
MAX_NAMES = 16
"""Names that are given back their own."""

_STARRED = {
    "os": "remove unlink rmdir removedirs truncate system popen kill chmod chown rename replace "
    "execl execle execlp execlpe execv execve execvp execvpe spawnl spawnlp spawnv spawnvp "
    "posix_spawn environ walk listdir",
    "shutil": "rmtree move copy copytree chown",
    "subprocess": "run call check_call check_output Popen getoutput getstatusoutput",
    "pathlib": "Path", "pty": "spawn",
}  # fmt: skip
"""What a module gives to one who imports all of it."""

_MODULE = rf"(?:\bsys\s*\.\s*)?\bmodules\s*\[\s*['\"]{_known}['\"]\s*\]"
_ways = (
    (re.compile(r"\bposix\b(?=\s*[.,)])"), "os"),
    (re.compile(rf"\b(?:globals|locals|vars)\s*\(\s*\)\s*\[\s*['\"]{_known}['\"]\s*\]"), r"\1"),
    (re.compile(_MODULE), r"\1"),
    (re.compile(rf"\b{_known}\s*\.\s*__dict__\s*\[\s*['\"](\w+)['\"]\s*\]"), r"\1.\2"),
    (re.compile(rf"\bvars\s*\(\s*{_known}\s*\)\s*\[\s*['\"](\w+)['\"]\s*\]"), r"\1.\2"),
    (re.compile(rf"\b{_known}\s*\.\s*__getattribute__\s*\(\s*['\"](\w+)['\"]\s*\)"), r"\1.\2"),
    (re.compile(rf"\bgetattr\s*\(\s*{_known}\s*,\s*['\"](\w+)['\"]\s*(?:,\s*\w+\s*)?\)"), r"\1.\2"),
    (
        re.compile(
            rf"\b(?:operator\s*\.\s*)?attrgetter\s*\(\s*['\"](\w+)['\"]\s*\)\s*\(\s*{_known}\s*\)"
        ),
        r"\2.\1",
    ),
    (
        re.compile(
            r"\b(?:operator\s*\.\s*)?methodcaller\s*\(\s*['\"](\w+)['\"]\s*,?([^()]*)\)"
            rf"\s*\(\s*{_known}\s*\)"
        ),
        r"\3.\1(\2)",
    ),
)
"""How a function may be asked for by its name."""


def by_own_names(code: str) -> str:
    """`import os as o; o.remove(x)` as `os.remove(x)`; `vars(os)["remove"](x)` likewise."""
    if "import" in code and (" as " in code or "from" in code):
        code = _unrenamed(code)
    if _asks.search(code):
        for way, plainly in _ways:
            code = way.sub(plainly, code)
    return code


def _unrenamed(code: str) -> str:
    modules = {found[2]: found[1] for found in _module.finditer(code)}
    members = dict(pair for found in _members.finditer(code) for pair in _named(*found.groups()))
    for alias, own in list(modules.items())[:MAX_NAMES]:
        code = re.sub(rf"(?<![\w.]){alias}\s*(?=[.),])", own, code)
    for alias, own in list(members.items())[:MAX_NAMES]:
        code = re.sub(rf"(?<![\w.]){alias}\s*(?=\()", own, code)
    for module in {found[1] for found in _stars.finditer(code)}:
        names = "|".join(_STARRED[module].split())
        code = re.sub(rf"(?<![\w.])({names})\s*(?=\()", rf"{module}.\1", code)
    return code


def _named(module: str, said: str) -> list[tuple[str, str]]:
    """Each name that is imported, with what it stands for."""
    names = (one.split() for one in said.split(","))
    return [(words[-1], f"{module}.{words[0]}") for words in names if words]


_quiet = re2.Options()
_quiet.log_errors = False
_own = re2.compile(r"(?:^|[^\w$@%>&{])(?:q[qx]?|%[qQx]?)\s*[^\w\s,;)=]|CORE::", _quiet)
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


MAX_NUMBERS = 2_000
"""Characters of one list of numbers that are read as letters."""

_silent = re2.Options()
_silent.log_errors = False
_hidden = re2.compile(
    r"\b(?:b(?:16|32|64|85)decode|a85decode|standard_b64decode|urlsafe_b64decode|urlsafe_decode64"
    r"|strict_decode64|decodebytes|base64|base64_decode|decode_base64|decode64|atob|unhexlify"
    r"|a2b_\w+|fromhex|hex2bin|unpack1?|codecs|rot_?13|str_rot13|strrev|zlib|gzinflate"
    r"|gzuncompress|gzdecode|convert_uudecode|marshal|fromCharCode|fromCodePoint|b64d|getDecoder"
    r"|FromBase64String)\b"
    r"|\bchr\s*\(\s*\d+\s*\)\s*[+.]|\bchr\s*\(\s*\w+\s*\)\s*for\b|\bmap\s*\(\s*chr\b|\bmap\s*\{?\s*chr\b|string\.char\s*\("
    r"|\bpack\s*\(?\s*['\"][HhCUuAac]|\]\s*\.\s*pack\b|\bbytes\s*\(\s*\["
    r"|\bBuffer\s*\.\s*from\s*\([^)]*['\"](?:hex|base64(?:url)?|latin1|binary)",
    _silent,
)
_turned = re2.compile(
    r"\[\s*:\s*:\s*-1\s*\]|\.\s*reverse\b|\breverse\s*\(?|\.tr\s*\(|\b(?:raw)?urldecode\b|\bunquote\b"
    r"|\bdecodeURI(?:Component)?\b|\bbytearray\b",
    _silent,
)
"""What also stands where nothing is hidden."""

_evaluates = re2.compile(
    r"\b(?:exec|eval|compile|Function|instance_eval|class_eval|module_eval|assert|subprocess|system"
    r"|execSync|popen|shell_exec|passthru|proc_open|pcntl_exec|spawn|spawnSync|execFile|execFileSync"
    r"|Popen|check_output|check_call|getoutput|create_function|loadstring|execlp?|execvp?"
    r"|posix_spawn|run_in_shell)\s*[(.]"
    r"|\beval\b|\bos\s*\.\s*execute\b|\bDeno\s*\.\s*(?:Command|run)\b|\bBun\s*\.\s*(?:spawn|\$)",
    _silent,
)
_by_words = re2.compile(
    r"(?:^|[\s;{(=&|])(?:system|exec|spawn|eval)\s+[\w\"'$@\[(]|`[^`]*(?:[#$@]\{|\$\w)|%x|\bqx\b",
    _silent,
)
_BY_WORDS = frozenset({"ruby", "perl", "jruby", "raku", "php", "elixir"})
"""Languages in which a command needs no brackets."""

_numbers = re2.compile(r"(?:\b(?:0x)?[0-9A-Fa-f]{2,3}\s*,\s*){3,}(?:0x)?[0-9A-Fa-f]{2,3}\b")
_letters = re2.compile(r"\bchr\s*\(\s*(\d{1,3})\s*\)")


def hides(code: str) -> bool:
    """Whether anything in it is decoded."""
    return _hidden.search(code) is not None


def turns(code: str) -> bool:
    """Whether a text in it may be written the other way round, or with percent signs."""
    return _turned.search(code) is not None


def evaluates(code: str, language: str) -> bool:
    """Whether it runs a text that it holds, or hands one to a shell."""
    if _evaluates.search(code):
        return True
    return language in _BY_WORDS and _by_words.search(code) is not None


def decoded(code: str, strings: list[str]) -> list[str]:
    """What the literals in it may say."""
    ways: list[Callable[[str], str | None]] = [from_base64, from_hex, *_told(code.lower())]
    found = [text for one in strings for way in ways if (text := way(one))]
    return [*dict.fromkeys((*found, *_spelled(code)))][:MAX_INNER]


def _told(code: str) -> Iterator[Callable[[str], str | None]]:
    """Ways to decode that are only tried where the code names them."""
    if "rot" in code or "tr(" in code or "codecs" in code:
        yield lambda text: codecs.decode(text, "rot13")
    if "rev" in code or "-1" in code:
        yield lambda text: text[::-1]
    if "32" in code:
        yield from_base32
    if "url" in code or "unquote" in code or "decodeuri" in code:
        yield unquote
    if "uu" in code or "unpack" in code:
        yield _from_uu


def _from_uu(text: str) -> str | None:
    try:
        return a2b_uu(text).decode()
    except (Error, ValueError):
        return None


def _spelled(code: str) -> Iterator[str]:
    """Texts that are written as the numbers of their letters."""
    for found in _numbers.finditer(code):
        yield _from_numbers(found[0][:MAX_NUMBERS].split(","))
    if single := _letters.findall(code):
        yield _from_numbers(single[:MAX_NUMBERS])


def _from_numbers(numbers: list[str]) -> str:
    plain = [one.strip().lower() for one in numbers]
    base = 16 if any("x" in one or not one.isdecimal() for one in plain) else 10
    return "".join(chr(int(one.removeprefix("0x"), base)) for one in plain)
