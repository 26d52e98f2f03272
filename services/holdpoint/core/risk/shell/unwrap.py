"""See what a wrapper will run: `sudo`, `ssh host '…'`, `xargs`, `find -exec`, `docker exec` …"""

from collections.abc import Callable

import msgspec

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.model import FILL, Command, Danger, Flow, Origin, hole
from holdpoint.core.risk.shell.wrappers import HEADS, WRAPPERS, Wrapper

_LOOKS_UP = {"command": word_set("-v -V"), "sudo": word_set("-l -v -k -K --list --validate")}
MAX_FED = 16
"""Words of a known text that are handed to `xargs`."""


class Inner(msgspec.Struct, frozen=True, kw_only=True):
    """What a command runs: words, or a text that a shell reads."""

    words: tuple[str, ...] = ()
    script: str = ""
    args: tuple[str, ...] = ()
    """`$1`, `$2` … of the script."""

    many: bool = False
    stdin: Flow | None = None


Found = list[Inner | Danger]


def unwrap(command: Command) -> Found | None:
    """What it runs, when it is a wrapper; None when it is none."""
    special = _SPECIAL.get(command.name)
    if special:
        return special(command)
    wrappers = WRAPPERS.get(command.name)
    if not wrappers or _LOOKS_UP.get(command.name, frozenset()) & set(command.args[:1]):
        return None
    if _runs_nothing(command):
        return None
    found = (_opened(wrapper, command) for wrapper in wrappers)
    return next((one for one in found if one), None)


def _runs_nothing(command: Command) -> bool:
    """Whether no wrapper's first word is there, and no option that splits a text either."""
    heads, args = HEADS.get(command.name), command.args
    if heads is None or not heads.isdisjoint(args):
        return False
    return not any(arg[:1] == "-" and ("S" in arg or "--split" in arg) for arg in args)


def _opened(wrapper: Wrapper, command: Command) -> Found:
    scripts, rest = _rest(wrapper, command)
    if command.name == "env" and not scripts and not rest:
        return []
    if wrapper.joined and rest and not scripts:
        return [Inner(script=" ".join(rest), stdin=command.stdin)]
    run: Found = [Inner(script=script, stdin=command.stdin) for script in scripts]
    return [*run, Inner(words=rest, stdin=command.stdin)] if rest else run


def _rest(wrapper: Wrapper, command: Command) -> tuple[list[str], tuple[str, ...]]:
    """The values of its script options, and the words behind its own."""
    own = _Own(wrapper, command)
    args = command.args
    while own.at < len(args):
        arg = args[own.at]
        if arg == "--" and own.ends_at_dashes():
            return own.scripts, own.prefix + args[own.at + 1 :]
        if arg.startswith("-") and len(arg) > 1:
            own.option()
        elif not own.takes(arg):
            return own.rest()
    return own.scripts, ()


_SPLITS = frozenset({"-S", "--split-string"})


class _Own:
    """How far a wrapper's own words reach."""

    def __init__(self, wrapper: Wrapper, command: Command) -> None:
        self.wrapper = wrapper
        self.command = command
        self.path = list(wrapper.path)
        self.skip = wrapper.skip
        self.at = 0
        self.scripts: list[str] = []
        self.prefix: tuple[str, ...] = ()
        self.fits = True

    def ends_at_dashes(self) -> bool:
        """Whether the command stands behind this `--`."""
        return not (self.path or (self.skip and not self.wrapper.dashed))

    def option(self) -> None:
        """One of its options, with its value."""
        name, value, self.at = _option(self.command.args, self.at, self.wrapper)
        if name in self.wrapper.script or name in _SPLITS:
            rest = self.command.args[self.at :] if name in _SPLITS else ()
            self.scripts.append(" ".join((value, *rest)))
            self.at += len(rest)
        elif name == "--entrypoint":
            self.prefix = (value,)

    def takes(self, arg: str) -> bool:
        """Whether a word is the wrapper's own."""
        wrapper = self.wrapper
        following = self.command.args[self.at + 1 : self.at + 2]
        done = False
        if self.path:
            self.fits = arg == self.path.pop(0)
            done = not self.fits
        elif self.skip:
            self.skip -= 1
            done = not self.skip and not wrapper.script and following != ("--",)
            self.at += done
        elif not wrapper.dashed:
            return False
        self.at += not done
        return not done

    def rest(self) -> tuple[list[str], tuple[str, ...]]:
        """The words behind."""
        if not self.fits:
            return [], ()
        return self.scripts, self.prefix + self.command.args[self.at :]


def _option(args: tuple[str, ...], at: int, wrapper: Wrapper) -> tuple[str, str, int]:
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


def fed(flow: Flow | None) -> str:
    """How a word from a pipe is called, when nobody can know it."""
    if flow and flow.origin is Origin.REMOTE:
        return hole("(fetched)")
    return hole("(decoded)") if flow and flow.origin is Origin.DECODED else FILL


_XARGS = word_set(
    "-I -n -P -a -d -s -L -E -J -R -S --arg-file --delimiter --max-args --max-procs --max-chars "
    "--max-lines --eof --process-slot-var"
)


def _xargs(command: Command) -> Found:
    args, at, mark = command.args, 0, ""
    wrapper = Wrapper(values=_XARGS)
    while at < len(args) and args[at].startswith("-") and args[at] != "--":
        name, value, at = _option(args, at, wrapper)
        if name in {"-I", "-J", "-i", "--replace"} or name.startswith("-i"):
            mark = value or name.removeprefix("--replace").removeprefix("-i") or "{}"
            mark = "{}" if mark in {"-I", "-J"} else mark
    words = args[at + (args[at : at + 1] == ("--",)) :]
    if not words:
        return []
    known = command.stdin.text if command.stdin else None
    lines = (known.splitlines() if mark else known.split())[:MAX_FED] if known else []
    lines = lines or [fed(command.stdin)]
    if mark and not any(mark in word for word in words):
        words = (*words, mark)
    if mark:
        return [
            Inner(words=tuple(word.replace(mark, line) for word in words), many=True)
            for line in lines
        ]
    return [Inner(words=(*words, *lines), many=True)]


_PARALLEL = word_set(
    "-j -n -N -S -a -d -I -L -P -C -s --jobs --max-args --sshlogin --arg-file --delimiter --colsep "
    "--joblog --results --timeout --delay --tmpdir --retries --load --memfree --workdir --env"
)


def _parallel(command: Command) -> Found:
    args, at = command.args, 0
    wrapper = Wrapper(values=_PARALLEL)
    while at < len(args) and args[at].startswith("-") and args[at] != "--":
        _, _, at = _option(args, at, wrapper)
    rest = list(args[at:])
    cut = next((place for place, word in enumerate(rest) if word.startswith(":::")), len(rest))
    words, given = rest[:cut][:MAX_FED], rest[cut + 1 :][:MAX_FED] or [fed(command.stdin)]
    if any("{" in word for word in words):
        scripts = [" ".join(words).replace("{}", one) for one in given]
    else:
        scripts = [" ".join((*words, _quoted(words, one))) for one in given]
    return [Inner(script=script, many=True) for script in scripts]


def _quoted(words: list[str], one: str) -> str:
    return "'" + one.replace("'", "'\\''") + "'" if words else one


_EXECUTES = word_set("-exec -execdir -ok -okdir")


def _find(command: Command) -> Found:
    args = command.args
    roots = find_roots(args)
    found: Found = []
    for at, arg in enumerate(args):
        if arg not in _EXECUTES:
            continue
        rest = args[at + 1 :]
        end = next((place for place, word in enumerate(rest) if word in _ENDS), len(rest))
        many = arg.startswith("-exec")
        for root in roots[:4]:
            file = f"{root.rstrip('/')}/{FILL}"
            words = tuple(word.replace("{}", file) for word in rest[:end])
            if rest[end : end + 1] == ("{};",):
                words = (*words, file)
            found.append(Inner(words=words, many=many))
    return found


_ENDS = frozenset({";", "+", "\\;", "\\", "{};", "';'"})


def find_roots(args: tuple[str, ...]) -> tuple[str, ...]:
    """Where `find` starts: its words before the first test."""
    roots: list[str] = []
    rest = iter(args)
    for arg in rest:
        if arg in {"-H", "-L", "-P", "-E", "-X", "-d", "-s", "-x"} or arg.startswith("-O"):
            continue
        if arg == "-f":
            roots.append(next(rest, "."))
        elif arg == "-D":
            next(rest, "")
        elif arg[:1] in {"-", "(", "!", ","}:
            break
        else:
            roots.append(arg)
    return tuple(roots) or (".",)


def _exec(command: Command) -> Found:
    """`exec {fd}<…` runs nothing."""
    first = command.args[0] if command.args else ""
    if not first or first.startswith("{") or first.isdigit():
        return []
    return _opened(WRAPPERS["exec"][0], command)


def _fd(command: Command) -> Found:
    """`fd -x COMMAND`: the command follows the option, up to a lone `;`."""
    args = command.args
    at = next((place for place, arg in enumerate(args) if arg in _FD_RUNS), len(args))
    words = tuple(word.replace("{}", FILL) for word in args[at + 1 :] if word not in _ENDS)
    if not words:
        return []
    return [Inner(words=words if FILL in words else (*words, FILL), many=True)]


_FD_RUNS = word_set("-x -X --exec --exec-batch")


def _java(command: Command) -> Found:
    """`java -jar TOOL.jar`: the tool's own words follow."""
    args = command.args
    if "-jar" in args[:-1]:
        return [Inner(words=args[args.index("-jar") + 1 :], stdin=command.stdin)]
    return []


_SPECIAL: dict[str, Callable[[Command], Found]] = {
    "xargs": _xargs,
    "gxargs": _xargs,
    "parallel": _parallel,
    "exec": _exec,
    "java": _java,
    "fd": _fd,
    "fdfind": _fd,
    "find": _find,
    "gfind": _find,
}

RUNNERS = frozenset((*_SPECIAL, *WRAPPERS))
"""Programs that may run another one."""
