"""What commands leave behind for those after them: files, variables, aliases, streams."""

from collections.abc import Callable

import msgspec

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.expand import APART
from holdpoint.core.risk.shell.flow import output_of
from holdpoint.core.risk.shell.interpret import LANGUAGES, SHELLS, unseen
from holdpoint.core.risk.shell.model import HOLE, Command, Danger, Flow, Origin
from holdpoint.core.risk.shell.options import read_options
from holdpoint.core.risk.shell.state import State
from holdpoint.core.risk.shell.unwrap import fed


class Effects(msgspec.Struct, frozen=True):
    """The state that is changed, and how to run a text."""

    state: State
    nested: Callable[[str], Flow]

    def written(self, command: Command) -> None:
        """A file that holds what this prints, fetches or copies."""
        files = self.state.files
        for one in command.redirects:
            if one.sign in {">", ">>", ">|", "&>"}:
                files[_plain(one.target)] = output_of(command)
        target = _fetched(command)
        if target and not any("file://" in arg for arg in command.args):
            files["*" if HOLE in target else _plain(target)] = Flow(Origin.REMOTE)
        if command.name in {"cp", "mv", "install", "ln", "dd"}:
            _copied(command, files)
        if command.name == "tee" and command.stdin:
            files.update({_plain(word): command.stdin for word in command.args})

    def unseen(self, command: Command) -> list[Danger]:
        """Running a file that this very text wrote or fetched."""
        file = _program(command)
        files = self.state.files
        flow = files.get(_plain(file), files.get("*")) if file else None
        if flow is None:
            return []
        if flow.text is not None:
            self.nested(flow.text)
            return []
        return [unseen(flow.origin)] if flow.origin in {Origin.REMOTE, Origin.DECODED} else []


def _plain(file: str) -> str:
    return file.removeprefix("./").rpartition("/")[2]


def _program(command: Command) -> str:
    """The file whose text this command runs."""
    path = command.path
    if "/" in path and not path.startswith(("/usr/", "/bin/", "/sbin/")):
        return path
    language = command.name.rstrip("0123456789.")
    if command.name in SHELLS or language in LANGUAGES or command.name in {"source", "."}:
        words = [arg for arg in command.args if not arg.startswith("-")]
        return words[0] if words else ""
    return ""


def _fetched(command: Command) -> str:
    if command.name not in {"curl", "wget", "aria2c", "fetch"}:
        return ""
    options = read_options(
        command.args, word_set("-o --output -H -d -X --output-document -x -A -e -u")
    )
    named = options.value("-o", "--output", "--output-document")
    if command.name == "wget" and not named:
        wget = read_options(command.args, word_set("-O --output-document -P -U"))
        named = wget.value("-O", "--output-document")
        return named if named not in {"-", ""} else (wget.word(0).rpartition("/")[2])
    if not named and options.has("-O --remote-name"):
        return options.word(0).rpartition("/")[2] or options.word(0)
    return named


def _copied(command: Command, files: dict[str, Flow]) -> None:
    if command.name == "dd":
        named = dict(arg.partition("=")[::2] for arg in command.args)
        source, target = named.get("if", ""), named.get("of", "")
    else:
        words = [arg for arg in command.args if not arg.startswith("-")]
        source, target = (words[0], words[-1]) if len(words) > 1 else ("", "")
    flow = files.get(_plain(source))
    if flow and target:
        files[_plain(target)] = flow


def _alias(effects: Effects, command: Command) -> None:
    for arg in command.args:
        name, assigned, value = arg.partition("=")
        if assigned:
            effects.state.aliases[name] = value
            effects.nested(value)


def _read(effects: Effects, command: Command) -> None:
    """`read x`: a line of the input."""
    options = read_options(command.args, word_set("-p -d -n -N -t -u -a -i"))
    flow = command.stdin
    stream = options.value("-u")
    if stream:
        streams = effects.state.streams
        flow = streams.get(_stream(stream), streams.get("*", flow))
    text = flow.text if flow and flow.text is not None else None
    words = [word for word in options.words if word.isidentifier()] or ["REPLY"]
    for name in words:
        effects.state.scope.put(name, text.strip("\n") if text is not None else fed(flow))


def _mapfile(effects: Effects, command: Command) -> None:
    options = read_options(command.args, word_set("-C -c -d -n -O -s -u"))
    stream = options.value("-u")
    flow = effects.state.streams.get(_stream(stream)) if stream else command.stdin
    name = options.word(len(options.words) - 1) if options.words else "MAPFILE"
    if flow and flow.text is not None:
        scope = effects.state.scope
        for place, line in enumerate(flow.text.splitlines()[:16]):
            scope.put(f"{name}[{place}]", line)
        scope.put(f"{name}[@]", flow.text)


def _stream(name: str) -> str:
    return name.strip("\ue000\ue001{}$")


def _exec(effects: Effects, command: Command) -> None:
    """`exec 3<file`, `exec {fd}<<<text`: a stream for later."""
    if command.stdin:
        name = command.args[0] if command.args else "*"
        effects.state.streams[_stream(name)] = command.stdin


def _set(effects: Effects, command: Command) -> None:
    """`set -- a b`."""
    if "--" in command.args:
        words = command.args[command.args.index("--") + 1 :]
        for place, word in enumerate(words[:9], 1):
            effects.state.scope.put(str(place), word)
        effects.state.scope.put("@", APART.join(words))


def _printf(effects: Effects, command: Command) -> None:
    if command.args[:1] == ("-v",) and len(command.args) > 1:
        effects.state.scope.put(command.args[1], output_of(command).text or "")


def _unset(effects: Effects, command: Command) -> None:
    for word in command.args:
        effects.state.scope.put(word, "")


def _hash(effects: Effects, command: Command) -> None:
    """`hash -p /bin/rm name`."""
    if command.args[:1] == ("-p",) and len(command.args) > len(("-p", "file")):
        effects.state.aliases[command.args[2]] = command.args[1]


BUILTINS: dict[str, Callable[[Effects, Command], None]] = {
    "alias": _alias, "read": _read, "mapfile": _mapfile, "readarray": _mapfile, "exec": _exec,
    "set": _set, "printf": _printf, "unset": _unset, "hash": _hash,
}  # fmt: skip

LEAVES = frozenset(BUILTINS) | word_set("curl wget aria2c fetch cp mv install ln dd tee")
"""Commands that may leave something behind without a redirection."""
