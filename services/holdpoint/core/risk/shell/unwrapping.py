"""Wrappers: the command that `sudo`, `env`, `xargs` or `timeout` runs in its turn.

Most are rows of `data/wrappers.toml`.
"""

import re
import shlex
from collections.abc import Callable

import msgspec

from holdpoint.core.risk.knowledge import data_file, words
from holdpoint.core.risk.model import Finding
from holdpoint.core.risk.shell.command_rules import KNOWN_HARMLESS
from holdpoint.core.risk.shell.data_transfer import sought
from holdpoint.core.risk.shell.filesystem_commands import FILES
from holdpoint.core.risk.shell.inner_commands import MAX_INNER, Found, Inner, fed
from holdpoint.core.risk.shell.model import FED_DATA, FED_SECRET, FILL, Command, Flow
from holdpoint.core.risk.shell.options import NONE
from holdpoint.core.risk.words import word_set
from holdpoint.messages.program_rules import WrapperForm, Wrappers
from holdpoint.messages.risk import RiskLevel


class Wrapper(msgspec.Struct, frozen=True, kw_only=True):
    """Where a wrapper keeps the command that it runs."""

    path: tuple[str, ...] = ()
    """Words that must come first: `exec` in `docker exec`."""

    values: frozenset[str] = NONE
    """Options that take the next word."""

    skip: int = 0
    """Its own words before the command: a duration, a host, a container."""

    joined: bool = False
    """Whether a shell reads the words again, joined by blanks."""

    script: frozenset[str] = NONE
    """Options whose value is a shell text."""

    dashed: bool = False
    """Whether the command stands behind `--` only."""


_FILE = msgspec.convert(data_file("wrappers"), Wrappers)


def _wrapper(form: WrapperForm) -> Wrapper:
    options = (_FILE.options.get(word, word) for word in form.values.split())
    script = frozenset(form.script.split())
    return Wrapper(
        path=tuple(form.path.split()),
        values=frozenset(" ".join(options).split()) | script,
        skip=form.own_words,
        joined=form.joined,
        script=script,
        dashed=form.dashed,
    )


WRAPPERS: dict[str, tuple[Wrapper, ...]] = {
    name: wrappers
    for names, forms in {**_FILE.wrappers, _FILE.plain: (WrapperForm(),)}.items()
    for wrappers in [tuple(map(_wrapper, forms))]
    for name in names.split()
}
"""By name; the first whose path fits and which leaves a command is taken."""

MANAGERS = word_set(_FILE.managers)
"""Those of them whose other words are orders of their own: `juju destroy-model`."""

_HEADS = {
    name: frozenset(wrapper.path[0] for wrapper in wrappers)
    for name, wrappers in WRAPPERS.items()
    if all(wrapper.path and not wrapper.script for wrapper in wrappers)
}
"""The first words of those that run something only behind one."""


def option(args: tuple[str, ...], at: int, wrapper: Wrapper) -> tuple[str, str, int]:
    """An option of the wrapper: its name, its value, where the next word is."""
    arg = args[at]
    name, assigned, value = arg.partition("=")
    following = args[at + 1] if at + 1 < len(args) else ""
    if assigned and arg.startswith("--"):
        return name, value, at + 1
    if arg in wrapper.values:
        return arg, following, at + 2
    if arg.startswith("--"):
        return arg, "", at + 1
    for place, letter in enumerate(arg[1:], 1):
        flag = f"-{letter}"
        if flag in wrapper.values or flag == "-S":
            attached = arg[place + 1 :]
            return flag, attached or following, at + (1 if attached else 2)
    return arg, "", at + 1


_XARGS = words("words/shell-flow:xargs_valued_options")


def _xargs(command: Command) -> Found:
    args, at, mark = command.args, 0, ""
    wrapper = Wrapper(values=_XARGS)
    while at < len(args) and args[at].startswith("-") and args[at] != "--":
        name, value, at = option(args, at, wrapper)
        if name in {"-I", "-J", "-i", "--replace"} or name.startswith("-i"):
            mark = value or name.removeprefix("--replace").removeprefix("-i") or "{}"
            mark = "{}" if mark in {"-I", "-J"} else mark
    words = args[at + (args[at : at + 1] == ("--",)) :]
    if not words:
        return []
    known = command.stdin.text if command.stdin else None
    known = known.replace("\0", "\n") if known else known
    lines = (known.splitlines() if mark else known.split())[:MAX_INNER] if known else []
    lines = lines or [fed(command.stdin)]
    if mark and not any(mark in word for word in words):
        words = (*words, mark)
    if mark and any("-exec" in word and mark in word for word in words):
        lines = [*lines, mark]
    if mark:
        return [
            Inner(words=tuple(word.replace(mark, line) for word in words), many=True)
            for line in lines
        ]
    fed_words: Found = [*_as_scripts(words, known), Inner(words=(*words, *lines), many=True)]
    return fed_words if command.stdin else [Inner(words=words), *fed_words]


def _as_scripts(words: tuple[str, ...], known: str | None) -> Found:
    """`xargs -0 -n1 sh -c`: each line is one word, and the shell reads it as its script."""
    if known is None or not (words[-1].startswith("-") and words[-1].endswith(("c", "e"))):
        return []
    lines = known.splitlines()[:MAX_INNER]
    return [Inner(words=(*words, line.strip("'\"")), many=True) for line in lines]


_PARALLEL = words("words/shell-flow:parallel_valued_options")


def _parallel(command: Command) -> Found:
    args, at = command.args, 0
    wrapper = Wrapper(values=_PARALLEL)
    while at < len(args) and args[at].startswith("-") and args[at] != "--":
        _, _, at = option(args, at, wrapper)
    if "--dry-run" in args[:at] or "--dryrun" in args[:at]:
        return []
    rest = list(args[at:])
    cut = next((place for place, word in enumerate(rest) if word.startswith(":::")), len(rest))
    words, given = rest[:cut][:MAX_INNER], rest[cut + 1 :][:MAX_INNER] or _fed_lines(command.stdin)
    if not words and (given[:1] in _UNKNOWN or rest[cut : cut + 1] == ["::::"]):
        return [_UNSEEN]
    if any("{" in word for word in words):
        scripts = [" ".join(words).replace("{}", one) for one in given]
    else:
        scripts = [" ".join((*words, _quoted(words, one))) for one in given]
    return [Inner(script=script, many=True) for script in scripts]


def _fed_lines(flow: Flow | None) -> list[str]:
    """The lines that come down a pipe, or one that nobody knows."""
    known = flow.text if flow else None
    return known.splitlines()[:MAX_INNER] if known else [fed(flow)]


_UNKNOWN = ([FILL], [FED_DATA], [FED_SECRET])
_UNSEEN = Finding("shell.unseen-code", RiskLevel.HIGH, "runs a text that is made on the way", "run")


def _quoted(words: list[str], one: str) -> str:
    return "'" + one.replace("'", "'\\''") + "'" if words else one


MAX_ORDERED = 2048
"""Words of all programs that one `find` is told to run, for each place where it starts."""

MANY = 64
"""Words before an order that cost as much as one of it: they are looked through for each."""

_TANGLED = Finding("shell.unseen-code", RiskLevel.HIGH, "runs more programs than are read", "run")
_EXECUTES = word_set("-exec -execdir -ok -okdir")


def _find(command: Command) -> Found:
    args = command.args
    found: Found = []
    left = MAX_ORDERED
    for at in [place for place, arg in enumerate(args) if arg in _EXECUTES]:
        last = min(at + 1 + left, len(args))
        end = next((place for place in range(at + 1, last) if args[place] in _ENDS), last)
        files = sought(args[:at])[:4]
        left -= 1 + (end - at - 1) * len(files) + at // MANY
        if left < 0:
            return [*found, _TANGLED]
        for file in files:
            words = tuple(word.replace("{}", file) for word in args[at + 1 : end])
            if args[end : end + 1] == ("{};",):
                words = (*words, file)
            found.append(Inner(words=words, many=args[at].startswith("-exec")))
    return found


_ENDS = frozenset({";", "+", "\\;", "\\", "{};", "';'"})


def _fd(command: Command) -> Found:
    """`fd -x COMMAND`: the command follows the option, up to a lone `;`."""
    args = command.args
    at = next((place for place, arg in enumerate(args) if _fd_runs.fullmatch(arg)), len(args))
    words = tuple(word.replace("{}", FILL) for word in args[at + 1 :] if word not in _ENDS)
    if not words:
        return []
    return [Inner(words=words if FILL in words else (*words, FILL), many=True)]


_fd_runs = re.compile(r"-[a-zA-Z]*[xX]|--exec(?:-batch)?")
"""Options of fd behind which a command stands, alone or at the end of a bundle: `-Hx`."""

FEEDS: dict[str, Callable[[Command], Found]] = {
    "xargs": _xargs, "gxargs": _xargs, "parallel": _parallel, "fd": _fd, "fdfind": _fd,
    "find": _find, "gfind": _find,
}  # fmt: skip
"""By name."""

_LOOKS_UP = {"command": word_set("-v -V"), "sudo": word_set("-l -v -k -K --list --validate")}


def unwrap(command: Command) -> Found | None:
    """Return what it runs, when it is a wrapper; None when it is none."""
    special = _SPECIAL.get(command.name)
    if special:
        return special(command)
    wrappers = WRAPPERS.get(command.name)
    if wrappers is None and "--" in command.args and command.name not in KNOWN_HARMLESS:
        return _behind_dashes(command)
    if not wrappers or _LOOKS_UP.get(command.name, frozenset()) & set(command.args[:1]):
        return None
    heads = _HEADS.get(command.name)
    if heads is not None and heads.isdisjoint(command.args) and not _split_by(command.args):
        return None
    asks_to_edit = command.name == "sudo" and not _EDITS.isdisjoint(command.args)
    if asks_to_edit and (files := _to_edit(wrappers[0], command.args)):
        return [Inner(words=("sudoedit", *files), stdin=command.stdin)]
    found = (_opened(wrapper, command) for wrapper in wrappers if _may_open(wrapper, command.args))
    return next((one for one in found if one), None) or _shell_behind(command)


def _to_edit(wrapper: Wrapper, args: tuple[str, ...]) -> tuple[str, ...]:
    """The files behind `sudo -e`; none where it runs a command, which may have such an option."""
    at, edits = 0, False
    while at < len(args) and args[at][:1] == "-" and args[at] != "--":
        name, _, at = option(args, at, wrapper)
        edits |= name in _EDITS
    return args[at:] if edits else ()


_EDITS = frozenset({"-e", "--edit"})


def _shell_behind(command: Command) -> Found | None:
    """`su - bob`, `sudo -s`, `chroot x`: a shell, which runs what stands on its input."""
    opens = command.name in _OPENS or not _AS_SHELL.isdisjoint(command.args)
    if command.stdin is None or not opens:
        return None
    return [Inner(words=("sh",), stdin=command.stdin)]


_OPENS = word_set("su newgrp sg chroot arch-chroot runuser unshare nsenter systemd-nspawn")
_AS_SHELL = word_set("-s -i --shell --login -is -si")
"""What makes `sudo` and its like open a shell."""


def _behind_dashes(command: Command) -> Found | None:
    """`TOOL … -- rm -rf x`: what nobody knows may run a program for files, or a shell."""
    words = command.args[command.args.index("--") + 1 :]
    runs = len(words) > 1 and (words[0] in FILES or words[0] in _STARTERS)
    return [Inner(words=words, stdin=command.stdin)] if runs else None


_STARTERS = word_set("sudo doas sh bash zsh dash ash env")


def _may_open(wrapper: Wrapper, args: tuple[str, ...]) -> bool:
    """Return whether its first word is there, or a script may stand in an option anywhere."""
    return not wrapper.path or wrapper.path[0] in args or bool(wrapper.script) or _split_by(args)


def _split_by(args: tuple[str, ...]) -> bool:
    """Return whether an option may be one that splits a text."""
    return any(arg[:1] == "-" and ("S" in arg or "--split" in arg) for arg in args)


def _opened(wrapper: Wrapper, command: Command) -> Found:
    scripts, rest = _rest(wrapper, command)
    if command.name == "env" and not scripts and not rest:
        return []
    is_text = wrapper.joined or (len(rest) == 1 and " " in rest[0])  # no program is named so
    if is_text and rest and not scripts:
        return [Inner(script=" ".join(rest), stdin=command.stdin)]
    run: Found = [Inner(script=script, stdin=command.stdin) for script in scripts]
    return [*run, Inner(words=rest, stdin=command.stdin)] if rest else run


def _rest(wrapper: Wrapper, command: Command) -> tuple[list[str], tuple[str, ...]]:
    """The values of its script options, and the words behind its own."""
    args, at, path, skip = command.args, 0, list(wrapper.path), wrapper.skip
    scripts: list[str] = []
    prefix: tuple[str, ...] = ()
    done = False
    while at < len(args) and not done:
        arg = args[at]
        if arg == "--" and not (path or (skip and not wrapper.dashed)):
            at, done = at + 1, True
        elif arg.startswith("-") and len(arg) > 1:
            name, value, at = option(args, at, wrapper)
            if name in _SPLITS - wrapper.values:
                return [*scripts, f"{value} {shlex.join(args[at:])}"], ()
            scripts += [f"{value} "] if name in wrapper.script else []
            prefix = (value,) if name in _PROGRAMS - wrapper.script else prefix
        elif path:
            if arg != path.pop(0):
                return [], ()
            at += 1
        elif skip:
            skip, at = skip - 1, at + 1
            done = not skip and not wrapper.script and args[at : at + 1] != ("--",)
        else:
            done = not wrapper.dashed
            at += wrapper.dashed
    return scripts, (prefix + args[at:] if done else ())


_PROGRAMS = frozenset({"--entrypoint", "--command"})
"""Options whose value is the program that gets the words."""

_SPLITS = frozenset({"-S", "--split-string"})


def _exec(command: Command) -> Found:
    """`exec {fd}<…` runs nothing."""
    first = command.args[0] if command.args else ""
    if not first or first.startswith("{") or first.isdigit():
        return []
    return _opened(WRAPPERS["exec"][0], command)


def _java(command: Command) -> Found:
    """`java -jar TOOL.jar`: the tool's own words follow."""
    args = command.args
    if "-jar" in args[:-1]:
        return [Inner(words=args[args.index("-jar") + 1 :], stdin=command.stdin)]
    return []


def _cmake(command: Command) -> Found:
    """`cmake -E rm x`, `cmake -E env rm x`: its own small tools."""
    words = command.args[1:] if command.args[:1] == ("-E",) else ()
    if not words or words[0] in _TELLS:
        return []
    removes = words[0] in {"remove_directory", "remove"}
    return [Inner(words=("rm", "-rf", *words[1:]) if removes else words, stdin=command.stdin)]


_TELLS = word_set("echo echo_append make_directory touch copy compare_files capabilities")
"""Those that print and copy."""

_SPECIAL: dict[str, Callable[[Command], Found]] = {
    **FEEDS, "exec": _exec, "java": _java, "cmake": _cmake,
}  # fmt: skip

RUNNERS = frozenset((*_SPECIAL, *WRAPPERS))
"""Programs that may run another one."""
