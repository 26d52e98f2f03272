"""Programs that run another one for each line or file: xargs, parallel, find, fd."""

from collections.abc import Callable

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.inner import MAX_INNER, Found, Inner, fed, option
from holdpoint.core.risk.shell.model import (
    FED_DATA,
    FED_SECRET,
    FILL,
    Command,
    Danger,
    Flow,
)
from holdpoint.core.risk.shell.sought import sought
from holdpoint.core.risk.shell.wrapper import Wrapper
from holdpoint.messages.risk import RiskLevel

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


_PARALLEL = word_set(
    "-j -n -N -S -a -d -I -L -P -C -s --jobs --max-args --sshlogin --arg-file --delimiter --colsep "
    "--joblog --results --timeout --delay --tmpdir --retries --load --memfree --workdir --env"
)


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
_UNSEEN = Danger("shell.unseen-code", RiskLevel.HIGH, "runs a text that is made on the way", "run")


def _quoted(words: list[str], one: str) -> str:
    return "'" + one.replace("'", "'\\''") + "'" if words else one


MAX_ORDERED = 2048
"""Words of all programs that one `find` is told to run, for each place where it starts."""

MANY = 64
"""Words before an order that cost as much as one of it: they are looked through for each."""

_TANGLED = Danger("shell.unseen-code", RiskLevel.HIGH, "runs more programs than are read", "run")
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
