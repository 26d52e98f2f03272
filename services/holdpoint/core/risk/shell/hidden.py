"""Code that hides what it runs behind an encoding: what the literals say when they are decoded."""

import codecs
from binascii import Error, a2b_uu
from collections.abc import Callable, Iterator
from urllib.parse import unquote

import re2

from holdpoint.core.risk.shell.escapes import from_base32, from_base64, from_hex
from holdpoint.core.risk.shell.inner import MAX_INNER

MAX_NUMBERS = 2_000
"""Characters of one list of numbers that are read as letters."""

_options = re2.Options()
_options.log_errors = False
_hidden = re2.compile(
    r"\b(?:b(?:16|32|64|85)decode|a85decode|standard_b64decode|urlsafe_b64decode|urlsafe_decode64"
    r"|strict_decode64|decodebytes|base64|base64_decode|decode_base64|decode64|atob|unhexlify"
    r"|a2b_\w+|fromhex|hex2bin|unpack1?|codecs|rot_?13|str_rot13|strrev|zlib|gzinflate"
    r"|gzuncompress|gzdecode|convert_uudecode|marshal|fromCharCode|fromCodePoint|b64d|getDecoder"
    r"|FromBase64String)\b"
    r"|\bchr\s*\(\s*\d+\s*\)\s*[+.]|\bchr\s*\(\s*\w+\s*\)\s*for\b|\bmap\s*\(\s*chr\b|\bmap\s*\{?\s*chr\b|string\.char\s*\("
    r"|\bpack\s*\(?\s*['\"][HhCUuAac]|\]\s*\.\s*pack\b|\bbytes\s*\(\s*\["
    r"|\bBuffer\s*\.\s*from\s*\([^)]*['\"](?:hex|base64(?:url)?|latin1|binary)",
    _options,
)
_turned = re2.compile(
    r"\[\s*:\s*:\s*-1\s*\]|\.\s*reverse\b|\breverse\s*\(?|\.tr\s*\(|\b(?:raw)?urldecode\b|\bunquote\b"
    r"|\bdecodeURI(?:Component)?\b|\bbytearray\b",
    _options,
)
"""What also stands where nothing is hidden."""

_evaluates = re2.compile(
    r"\b(?:exec|eval|compile|Function|instance_eval|class_eval|module_eval|assert|subprocess|system"
    r"|execSync|popen|shell_exec|passthru|proc_open|pcntl_exec|spawn|spawnSync|execFile|execFileSync"
    r"|Popen|check_output|check_call|getoutput|create_function|loadstring|execlp?|execvp?"
    r"|posix_spawn|run_in_shell)\s*[(.]"
    r"|\beval\b|\bos\s*\.\s*execute\b|\bDeno\s*\.\s*(?:Command|run)\b|\bBun\s*\.\s*(?:spawn|\$)",
    _options,
)
_by_words = re2.compile(
    r"(?:^|[\s;{(=&|])(?:system|exec|spawn|eval)\s+[\w\"'$@\[(]|`[^`]*(?:[#$@]\{|\$\w)|%x|\bqx\b",
    _options,
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
