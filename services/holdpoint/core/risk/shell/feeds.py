"""Programs that run another one for each line or file: xargs, parallel, find, fd."""

from collections.abc import Callable

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.inner import Found, Inner, fed, option
from holdpoint.core.risk.shell.model import (
    FED_DATA,
    FED_SECRET,
    FILL,
    Command,
    Danger,
    Flow,
)
from holdpoint.core.risk.shell.sought import sought
from holdpoint.core.risk.shell.wrappers import Wrapper
from holdpoint.messages.risk import RiskLevel

MAX_FED = 16
"""Words of a known text that are handed to `xargs`."""

_XARGS = word_set(
    "-I -n -P -a -d -s -L -E -J -R -S --arg-file --delimiter --max-args --max-procs --max-chars "
    "--max-lines --eof --process-slot-var"
)


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
    known = known.replace("\0", "\n" if mark else " ") if known else known
    lines = (known.splitlines() if mark else known.split())[:MAX_FED] if known else []
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
    fed_words: Found = [Inner(words=(*words, *lines), many=True)]
    return fed_words if command.stdin else [Inner(words=words), *fed_words]


_PARALLEL = word_set(
    "-j -n -N -S -a -d -I -L -P -C -s --jobs --max-args --sshlogin --arg-file --delimiter --colsep "
    "--joblog --results --timeout --delay --tmpdir --retries --load --memfree --workdir --env"
)


def _parallel(command: Command) -> Found:
    args, at = command.args, 0
    if "--dry-run" in args or "--dryrun" in args:
        return []
    wrapper = Wrapper(values=_PARALLEL)
    while at < len(args) and args[at].startswith("-") and args[at] != "--":
        _, _, at = option(args, at, wrapper)
    rest = list(args[at:])
    cut = next((place for place, word in enumerate(rest) if word.startswith(":::")), len(rest))
    words, given = rest[:cut][:MAX_FED], rest[cut + 1 :][:MAX_FED] or _fed_lines(command.stdin)
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
    return known.splitlines()[:MAX_FED] if known else [fed(flow)]


_UNKNOWN = ([FILL], [FED_DATA], [FED_SECRET])
_UNSEEN = Danger("shell.unseen-code", RiskLevel.HIGH, "runs a text that is made on the way", "run")


def _quoted(words: list[str], one: str) -> str:
    return "'" + one.replace("'", "'\\''") + "'" if words else one


_EXECUTES = word_set("-exec -execdir -ok -okdir")


def _find(command: Command) -> Found:
    args = command.args
    found: Found = []
    for at, arg in enumerate(args):
        if arg not in _EXECUTES:
            continue
        rest = args[at + 1 :]
        end = next((place for place, word in enumerate(rest) if word in _ENDS), len(rest))
        many = arg.startswith("-exec")
        for file in sought(args[:at])[:4]:
            words = tuple(word.replace("{}", file) for word in rest[:end])
            if rest[end : end + 1] == ("{};",):
                words = (*words, file)
            found.append(Inner(words=words, many=many))
    return found


_ENDS = frozenset({";", "+", "\\;", "\\", "{};", "';'"})


def _fd(command: Command) -> Found:
    """`fd -x COMMAND`: the command follows the option, up to a lone `;`."""
    args = command.args
    at = next((place for place, arg in enumerate(args) if arg in _FD_RUNS), len(args))
    words = tuple(word.replace("{}", FILL) for word in args[at + 1 :] if word not in _ENDS)
    if not words:
        return []
    return [Inner(words=words if FILL in words else (*words, FILL), many=True)]


_FD_RUNS = word_set("-x -X --exec --exec-batch")


FEEDS: dict[str, Callable[[Command], Found]] = {
    "xargs": _xargs, "gxargs": _xargs, "parallel": _parallel, "fd": _fd, "fdfind": _fd,
    "find": _find, "gfind": _find,
}  # fmt: skip
"""By name."""
