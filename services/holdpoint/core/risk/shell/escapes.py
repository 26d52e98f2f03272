"""Undo what hides a text in plain sight: ANSI-C escapes, base64, hex, reversal, substitution."""

import base64
import binascii
import re
import string
from collections.abc import Callable
from typing import Final

_escape = re.compile(
    r"\\(?:x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|(0?[0-7]{1,3})|c(.)|(.))",
    re.DOTALL,
)
_LETTERS: Final = {
    "a": "\a", "b": "\b", "e": "\x1b", "E": "\x1b", "f": "\f", "n": "\n", "r": "\r", "t": "\t",
    "v": "\v", "\\": "\\", "'": "'", '"': '"', "?": "?",
}  # fmt: skip
_CONTROL = 31
_HALVES = range(0xD800, 0xE000)
"""Halves of characters, which are none by themselves."""

_LAST = 0x10FFFF


def unescape(text: str) -> str:
    """What `$'…'`, `printf` and `echo -e` make of backslashes."""
    if "\\" not in text:
        return text
    made = _escape.sub(_unescaped, text)
    return made if made.isascii() else _joined_bytes(made)


def _joined_bytes(text: str) -> str:
    """Bytes written one by one, which together make a character."""
    try:
        return text.encode("latin-1").decode()
    except UnicodeError:
        return text


def _unescaped(match: re.Match[str]) -> str:
    two, four, eight, octal, control, letter = match.groups()
    code = two or four or eight
    if code:
        number = int(code, 16)
        return chr(number) if number <= _LAST and number not in _HALVES else ""
    if octal:
        return chr(int(octal, 8) & 0xFF)
    if control:
        return chr(ord(control) & _CONTROL)
    return _LETTERS.get(letter, match[0])


def from_base64(text: str) -> str | None:
    """The text behind base64 in either alphabet; None when it is not any."""
    cleaned = "".join(text.split()).rstrip("=").replace("-", "+").replace("_", "/")
    return _decoded(lambda: base64.b64decode(cleaned + "=" * (-len(cleaned) % 4), validate=True))


def from_base32(text: str) -> str | None:
    """The text behind base32."""
    return _decoded(lambda: base64.b32decode("".join(text.split()), casefold=True))


def from_hex(text: str) -> str | None:
    """The text behind hexadecimal digits."""
    return _decoded(lambda: bytes.fromhex("".join(text.replace("\\x", "").split())))


def _decoded(decode: Callable[[], bytes]) -> str | None:
    try:
        return decode().decode()
    except (ValueError, binascii.Error):
        return None


def translate(text: str, args: tuple[str, ...]) -> str | None:
    """What `tr SET1 SET2` prints, for plain characters and ranges."""
    if not args or args[0].startswith("-"):
        return _deleted(text, args)
    if len(args) != len(("from", "to")):
        return None
    old, new = _range(args[0]), _range(args[1])
    if not new:
        return None
    table = {ord(one): new[min(place, len(new) - 1)] for place, one in enumerate(old)}
    return text.translate(table)


def _deleted(text: str, args: tuple[str, ...]) -> str | None:
    if args[:1] in {("-d",), ("--delete",)} and len(args) > 1:
        return text.translate({ord(one): None for one in _range(args[1])})
    return None


def _range(written: str) -> str:
    """`a-z` written out; `[:upper:]` and `[:lower:]` too."""
    spelled = written.replace("[:upper:]", string.ascii_uppercase)
    spelled = unescape(spelled.replace("[:lower:]", string.ascii_lowercase))
    return re.sub(r"([!-~])-([!-~])", _spelled, spelled)


def _spelled(match: re.Match[str]) -> str:
    return "".join(map(chr, range(ord(match[1]), ord(match[2]) + 1)))
