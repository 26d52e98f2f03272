"""What a command prints, as far as it is known without running it."""

import base64
import re
from collections.abc import Callable

from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.shell.data_transfer import (
    READERS,
    SECRET_PRINTERS,
    hands_out,
    is_secret,
    prints_secrets,
    sought,
    weighs,
)
from holdpoint.core.risk.shell.lexer import unescape
from holdpoint.core.risk.shell.machine_commands import listed, numbers, pid_file_content
from holdpoint.core.risk.shell.model import (
    CONFIDED,
    FILL,
    HOLE,
    MAX_PRINTED,
    Command,
    Flow,
    Origin,
    hole,
)
from holdpoint.core.risk.shell.paths import Place, is_made_again, place_of
from holdpoint.core.risk.words import word_set

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
    return Flow(Origin.PLAIN, text[:MAX_PRINTED])


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
        return _printed(_UNKNOWN_FIELD)
    while True:
        text, rest = _formatted(form, rest)
        pieces.append(text)
        if not rest or "%" not in form or len(pieces) > MAX_PRINTED // 256:
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
_UNKNOWN_FIELD = hole("…")


def _worked_out(said: re.Match[str] | None, value: str) -> str:
    """One word in its form; a hole where that takes more than is worked out here."""
    _, width, cut, letter = said.groups() if said else ("", "", None, "")
    if letter == "c":
        return value[:1]
    if letter in _NUMBERS and not (value.isdigit() and value[:1] != "0"):
        return _UNKNOWN_FIELD
    if letter not in _WHOLE and letter not in _NUMBERS:
        return _UNKNOWN_FIELD
    if cut is not None and "*" not in {width, cut}:
        return value[: int(cut)] if cut.isdigit() else value
    return unescape(value) if letter == "b" else value


_WHOLE = frozenset("sbq")
"""Conversions that leave a word as it is."""

_NUMBERS = frozenset("diu")


def yes(command: Command) -> Flow:
    """One line of what it prints for ever."""
    return Flow(Origin.PLAIN, " ".join(command.args) or "y")


MAX_PIECES = 32
"""Texts of one query that are looked at."""

_text = re.compile(r"'((?:[^']|'')*)'")
_begins = re.compile(
    r"(?i)\s*(?:drop|delete|truncate|alter|update|grant|revoke|kill|rename|detach)\s"
)


def generated(query: str) -> str:
    """Return what its texts say together when one of them begins a statement; empty when none does.

    What stands between them only the database knows: each gap is filled by one name.
    """
    pieces = [piece.replace("''", "'") for piece in _text.findall(query)[:MAX_PIECES]]
    first = next((at for at, piece in enumerate(pieces) if _begins.match(piece)), None)
    if first is None:
        return ""
    text = "x".join(pieces[first:])
    return _marks.sub("x", text if text[-1:] != " " else f"{text}x")


_marks = re.compile(r"%[IsL]")
"""Where `format` fills in a name."""

_FETCHES = words("words/shell-flow:network_readers")
_DECODES = words("words/shell-flow:decoders")
_DECODING = words("words/shell-flow:decoding_options")
_ALWAYS = words("words/shell-flow:always_decoders")
_PASSES = words("words/shell-flow:filters")
_KEEPS = words("words/shell-flow:passing_programs")
_NOTHING = Flow(Origin.UNKNOWN)
_SILENCE = Flow(Origin.PLAIN, "")


def output_of(command: Command) -> Flow:
    """Return what it prints; its origin follows what it reads."""
    name = command.name
    if name not in TELLING:
        return _marked(command.stdin)
    if name in _PRINTS:
        return _PRINTS[name](command)
    return _confided(command) or _worked(command)


def _is_archive(command: Command) -> bool:
    """`git archive HEAD`, `git bundle create -`: files of a repository."""
    return not {"archive", "bundle"}.isdisjoint(command.args[:3])


def _worked(command: Command) -> Flow:
    """Return what it makes of what it reads."""
    name = command.name
    flow = None if name in _COUNTS else command.stdin
    if name in _FETCHES:
        return Flow(Origin.REMOTE)
    if name == "git":
        return Flow(Origin.FILE) if _is_archive(command) else _marked(flow)
    if name in _DECODES and (_ALWAYS & {name} or _decoding(command)):
        return _decoded(command, flow)
    if name in _RESHAPES:
        return _reshaped(command, flow)
    return _passed(command, flow) if name in _PASSES else _marked(flow)


def _reshaped(command: Command, flow: Flow | None) -> Flow:
    """A file's content in another shape."""
    plain = [arg for arg in command.args if not arg.startswith("-")]
    packs = command.name in _ARCHIVERS
    if flow is None or flow.origin is Origin.FILE or (packs and plain):
        whole = packs or bool(flow and flow.whole) or any(map(weighs, plain))
        return Flow(Origin.FILE, whole=whole) if flow or plain else _NOTHING
    return _marked(flow)


_ARCHIVERS = word_set("tar bsdtar gtar zip cpio")


_RESHAPES = words("words/shell-flow:encoders")
"""Programs that encode or pack."""


def _confided(command: Command) -> Flow | None:
    """Return what must not leave: a secret that it reads, every variable, what a database holds."""
    if hands_out(command) or (command.name in _SURROUNDINGS and not command.args):
        return Flow(Origin.SECRET)
    return (
        Flow(Origin.DATA) if command.name in SECRET_PRINTERS and prints_secrets(command) else None
    )


def _marked(flow: Flow | None) -> Flow:
    """A program that nobody knows: what it read leaves its mark."""
    if flow is None:
        return _NOTHING
    marked = flow.origin in _MARKED
    return Flow(flow.origin) if marked else _NOTHING


_MARKED = CONFIDED | {Origin.REMOTE, Origin.DECODED}
_COUNTS = word_set("wc md5sum sha1sum sha256sum sha512sum shasum cksum b2sum")
"""Programs that tell nothing of what they read but a measure."""

_SURROUNDINGS = word_set("env printenv history")
"""Programs that print every variable, or command, when nobody says which."""


def _decoding(command: Command) -> bool:
    args = command.args
    if command.name in {"rev", "tr"}:
        return True
    if command.name == "openssl":
        return "-d" in args or "-D" in args
    if command.name == "xxd":
        return any(arg[:1] == "-" and "r" in arg for arg in args)
    return bool(_DECODING & set(args)) or any(
        arg.startswith("-") and not arg.startswith("--") and ("d" in arg or "D" in arg)
        for arg in args
    )


def _decoded(command: Command, flow: Flow | None) -> Flow:
    if flow is None:
        return Flow(Origin.DECODED)
    if flow.origin is Origin.DATA or (flow.origin is Origin.SECRET and _packs(command)):
        return Flow(flow.origin)
    if flow.text is None or HOLE in flow.text:
        mild = command.name in {"rev", "tr"} and flow.origin is not Origin.REMOTE
        return Flow(flow.origin if mild else Origin.DECODED)
    decode = _DECODED_HERE.get(command.name)
    return Flow(Origin.DECODED, decode(flow.text) if decode else None)


def _from_base64(text: str) -> str | None:
    try:
        return base64.b64decode("".join(text.split()), validate=True).decode()
    except ValueError:
        return None


def _reversed(text: str) -> str:
    return "\n".join(line[::-1] for line in text.split("\n"))


_DECODED_HERE = {"base64": _from_base64, "gbase64": _from_base64, "rev": _reversed}
"""Programs whose output is worked out from a known text."""


def _packs(command: Command) -> bool:
    """Return whether it makes a text smaller or stranger, rather than readable again."""
    return not any(arg.startswith("-") and _UNPACKS.search(arg) for arg in command.args) and (
        command.name not in _ALWAYS
    )


_UNPACKS = re.compile(r"^-[a-zA-Z]*[dDr]|^--(?:de|un)")


def _passed(command: Command, flow: Flow | None) -> Flow:
    plain = [arg for arg in command.args if not arg.startswith("-")]
    if command.name == "cat":
        if any(word.startswith(f"{HOLE}(fetched)") for word in plain):
            return Flow(Origin.REMOTE)
        if plain == ["/dev/null"]:
            return _SILENCE
        if plain and plain != ["-"]:
            return Flow(Origin.FILE, pid_file_content(plain), any(map(weighs, plain)))
    if flow is None:
        return Flow(Origin.FILE) if plain else _NOTHING
    return flow if command.name in _KEEPS else Flow(flow.origin, whole=flow.whole)


def _queried(command: Command) -> Flow:
    """A database prints the statements that a query makes, or a whole table."""
    if prints_secrets(command):
        return Flow(Origin.DATA)
    return Flow(Origin.UNKNOWN, generated(" ".join(command.args)) or None)


def _located(command: Command) -> Flow:
    """Return where a program lies: its name does for that."""
    names = [arg for arg in command.args if not arg.startswith("-")]
    return Flow(Origin.PLAIN, " ".join(names))


def _found(command: Command) -> Flow:
    """Where secrets, a build's products or parts of the system lie: other names say nothing."""
    files = sought(command.args)
    if any(map(is_secret, files)):
        return Flow(Origin.SECRET, "\n".join(files))
    told = all(map(is_made_again, files)) or all(place_of(file) is Place.SYSTEM for file in files)
    return Flow(Origin.UNKNOWN, "\n".join(files)) if told else _NOTHING


def _listed(command: Command) -> Flow:
    """`ls build/*.o`: what it is told to show."""
    files = [arg for arg in command.args if not arg.startswith("-")]
    shown = files and all("*" in file and is_made_again(file) for file in files)
    return Flow(Origin.UNKNOWN, f"{FILL}\n".join((*files, ""))) if shown else _marked(command.stdin)


def _new_scratch(_command: Command) -> Flow:
    """`mktemp` makes something that nobody else has."""
    return Flow(Origin.PLAIN, "/tmp/tmp.new")  # noqa: S108  # a name in a reading, no file


def _silent(command: Command) -> Flow:
    """`:`, `true`: nothing; what such a one reads may be meant for the command behind its pipe."""
    return _SILENCE if command.stdin is None else _marked(command.stdin)


def _oneself(command: Command) -> Flow:
    """Return who runs it, which `$USER` says too: `whoami`, `id -u`, `id -gn`."""
    told = frozenset(command.args)
    named = command.name != "id" or (told and told <= _OWN_WORDS)
    return Flow(Origin.UNKNOWN, hole("USER")) if named else _marked(command.stdin)


_OWN_WORDS = words("words/shell-flow:own_name_options")
_PRINTS: dict[str, Callable[[Command], Flow]] = {
    "mktemp": _new_scratch,
    "tempfile": _new_scratch,
    "echo": echo,
    "printf": printf,
    "yes": yes,
    "print": echo,
    **dict.fromkeys([":", "true"], _silent),
    **dict.fromkeys(["pgrep", "pidof"], numbers),
    "ps": listed,
    **dict.fromkeys(["whoami", "logname", "id"], _oneself),
    "find": _found,
    "gfind": _found,
    "ls": _listed,
    "which": _located,
    "command": _located,
    "type": _located,
    **dict.fromkeys(
        ["psql", "mysql", "mariadb", "sqlite3", "sqlcmd", "cockroach", "duckdb"], _queried
    ),
}
TELLING = frozenset((*_PRINTS, *READERS, *_FETCHES, *_DECODES, *_PASSES, *_SURROUNDINGS, *_COUNTS,
                       *SECRET_PRINTERS))  # fmt: skip
"""Programs of whose output something is known."""
