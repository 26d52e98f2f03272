"""What `echo`, `printf` and `yes` print."""

from holdpoint.core.risk.shell.escapes import unescape
from holdpoint.core.risk.shell.model import HOLE, Command, Flow, Origin

MAX_TEXT = 16_384
"""Characters that are kept of what a command prints."""


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
            bare = part.lstrip("0123456789.-+# '")
            value = rest.pop(0) if rest else ""
            out += (unescape(value) if bare[:1] == "b" else value) + unescape(bare[1:])
    return out, rest


def yes(command: Command) -> Flow:
    """One line of what it prints for ever."""
    return Flow(Origin.PLAIN, " ".join(command.args) or "y")
