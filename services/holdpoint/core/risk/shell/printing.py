"""What `echo`, `printf` and `yes` print."""

import re

from holdpoint.core.risk.shell.escapes import unescape
from holdpoint.core.risk.shell.model import HOLE, Command, Flow, Origin, hole

MAX_TEXT = 16_384
"""Characters that are kept of what a command prints."""

MAX_FORMS = 256
"""Conversions of one form; no person writes more."""


def echo(command: Command) -> Flow:
    """Its words, with a line's end unless told otherwise."""
    args = list(command.args)
    escapes = plain = False
    while args and args[0] in {"-n", "-e", "-ne", "-en", "-E"}:
        option = args.pop(0)
        escapes |= "e" in option
        plain |= "n" in option
    text = " ".join(args) + ("" if plain else "\n")
    return _printed(unescape(text) if escapes else text)


def _printed(text: str) -> Flow:
    if f"{HOLE}(fetched)" in text:
        return Flow(Origin.REMOTE)
    if f"{HOLE}(decoded)" in text:
        return Flow(Origin.DECODED)
    return Flow(Origin.PLAIN, text[:MAX_TEXT])


def printf(command: Command) -> Flow:
    """Its form, once for each round of words."""
    args = [arg for arg in command.args if arg != "--"]
    if args[:1] == ["-v"]:
        args = args[2:]
    if not args:
        return Flow(Origin.PLAIN, "")
    form, rest = args[0], args[1:]
    pieces: list[str] = []
    if form.count("%") > MAX_FORMS:
        return _printed(_UNKNOWN)
    while True:
        text, rest = _formatted(form, rest)
        pieces.append(text)
        if not rest or "%" not in form or len(pieces) > MAX_TEXT // 256:
            return _printed("".join(pieces))


def _formatted(form: str, args: list[str]) -> tuple[str, list[str]]:
    """One round of `printf`: `%s`, `%b`, `%d` and the rest each take a word."""
    head, *parts = form.split("%")
    out = unescape(head)
    rest = list(args)
    skip = False
    for part in parts:
        if skip:
            out += unescape(part)
            skip = False
        elif not part:
            out += "%"
            skip = True
        else:
            said = _conversion.match(part)
            stars = part[: said.end()].count("*") if said else 0
            value = (rest[stars : stars + 1] or [""])[0]
            del rest[: stars + 1]
            out += _worked_out(said, value) + unescape(part[said.end() :] if said else part)
    return out, rest


_conversion = re.compile(r"([-+ #0']*)(\*|\d*)(?:\.(\*|-?\d*))?[hlLqjzt]*(?:\(.*?\)T|([a-zA-Z]))")
_UNKNOWN = hole("…")
_BASES = {"d": "d", "i": "d", "u": "d", "o": "o", "x": "x", "X": "X"}


def _worked_out(said: re.Match[str] | None, value: str) -> str:
    """One word in its form; a hole where that takes more than is worked out here."""
    flags, width, cut, letter = said.groups() if said else ("", "", None, "")
    if letter == "s" and not width and cut is None:
        return value
    if HOLE in value or "*" in {width, cut}:
        return value if letter in _WHOLE else _UNKNOWN
    text = _as_number(value, flags, letter) if letter in _BASES else _as_text(value, cut, letter)
    if text is None or len(width) > len("99"):
        return _UNKNOWN
    pad = int(width or 0)
    if "-" in flags:
        return text.ljust(pad)
    return text.zfill(pad) if "0" in flags and letter in _BASES else text.rjust(pad)


_WHOLE = frozenset("sbq")
"""Conversions that leave a word as it is."""


def _as_text(value: str, cut: str | None, letter: str) -> str | None:
    if letter == "c":
        return value[:1]
    if letter not in _WHOLE:
        return value if letter and letter in "eEfFgG" and value.isdigit() else None
    text = unescape(value) if letter == "b" else value
    return text[: int(cut or 0)] if cut is not None and not cut.startswith("-") else text


def _as_number(value: str, flags: str, letter: str) -> str | None:
    """`%o` of 114 is 162; `'r` is the code of that letter, and a leading zero means octal."""
    try:
        number = ord(value[1]) if value[:1] in {"'", '"'} and value[1:] else _number(value)
    except ValueError:
        return None
    sign = "#" if "#" in flags else ""
    return format(number, f"{sign}{_BASES[letter]}").replace("0o", "0")


def _number(value: str) -> int:
    if len(value) > MAX_DIGITS or "_" in value:
        raise ValueError(value)
    bare = value.lstrip("+-")
    octal = bare[:1] == "0" and bare[1:].isdigit()
    return int(value, 8) if octal else int(value or "0", 0)


MAX_DIGITS = 20
"""Digits of a number that is worked out."""


def yes(command: Command) -> Flow:
    """One line of what it prints for ever."""
    return Flow(Origin.PLAIN, " ".join(command.args) or "y")
