"""Wrappers whose grammar no row tells: `bwrap --bind a b …`, `nix run x#y --`, `faketime -1d`."""

from collections.abc import Callable
from itertools import dropwhile

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.inner import Found, Inner
from holdpoint.core.risk.shell.model import Command

_TWO = word_set(
    "--bind --bind-try --dev-bind --dev-bind-try --ro-bind --ro-bind-try --symlink --setenv "
    "--file --bind-data --ro-bind-data --chmod --bind-fd --ro-bind-fd"
)
_ONE = word_set(
    "--chdir --dev --proc --tmpfs --mqueue --dir --uid --gid --hostname --unsetenv --lock-file "
    "--sync-fd --seccomp --add-seccomp-fd --cap-add --cap-drop --perms --size --args --argv0 "
    "--remount-ro --overlay-src --tmp-overlay --ro-overlay --exec-label --file-label --userns "
    "--pidns --block-fd --info-fd --json-status-fd"
)


def _bwrap(command: Command) -> Found:
    """Its options take one word, or two."""
    args, at = command.args, 0
    while at < len(args) and args[at][:1] == "-" and args[at] != "--":
        at += 3 if args[at] in _TWO else 2 if args[at] in _ONE else 1
    words = args[at + (args[at : at + 1] == ("--",)) :]
    return [Inner(words=words, stdin=command.stdin)] if words else []


def _faketime(command: Command) -> Found:
    """The time comes first, and may look like an option: `-1d`."""
    args, at = command.args, 0
    while args[at : at + 1] and args[at] in _FAKED:
        at += 2 if args[at] in {"-p", "--date-prog"} else 1
    words = args[at + 1 :]
    return [Inner(words=words, stdin=command.stdin)] if words else []


_FAKED = word_set("-f -m -p --exclude-monotonic --date-prog")


def _nix(command: Command) -> Found:
    """`develop -c`, `shell a#b -c`: a command; `run a#b --`: words for the program `b`."""
    args = command.args
    order = next((arg for arg in args if arg[:1] != "-"), "")
    at = next((at for at, arg in enumerate(args) if arg in {"-c", "--command"}), None)
    if order in {"develop", "shell", "env"} and at is not None:
        return [Inner(words=args[at + 1 :], stdin=command.stdin)]
    if order != "run":
        return []
    words = args[args.index("--") + 1 :] if "--" in args else ()
    plain = [arg for arg in args[args.index("run") + 1 :] if arg[:1] != "-" and arg not in words]
    name = plain[0].rpartition("#")[2].rpartition(".")[2] if plain else ""
    found: Found = [Inner(words=(name, *words), stdin=command.stdin)] if name else []
    return [*found, Inner(words=words, stdin=command.stdin)] if words else found


def _entr(command: Command) -> Found:
    """Its words run each time that a file changes; with `-s`, a shell runs them."""
    words = tuple(dropwhile(_is_option, command.args))
    if not words:
        return []
    own = command.args[: len(command.args) - len(words)]
    if any("s" in one for one in own):
        return [Inner(script=words[0], args=words[1:])]
    return [Inner(words=words)]


def _is_option(word: str) -> bool:
    return word[:1] == "-"


PECULIAR: dict[str, Callable[[Command], Found]] = {
    "bwrap": _bwrap, "faketime": _faketime, "nix": _nix, "entr": _entr,
}  # fmt: skip
"""By name."""
