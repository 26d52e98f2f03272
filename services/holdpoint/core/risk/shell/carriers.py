"""Tools with an option that is a command, after the manner of GTFOBins."""

from collections.abc import Callable

import re2

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.awk import awk
from holdpoint.core.risk.shell.carried import CARRIED
from holdpoint.core.risk.shell.inner import MAX_INNER, Found, Inner
from holdpoint.core.risk.shell.makefiles import MAKERS
from holdpoint.core.risk.shell.model import FILL, Command, Danger, Origin
from holdpoint.core.risk.shell.options import Options, read_options
from holdpoint.core.risk.shell.plugged import PLUGGED, SSH_WORDS
from holdpoint.core.risk.shell.prompts import PROMPTS, sed
from holdpoint.core.risk.shell.settings import HOOKED, runs, runs_from_now
from holdpoint.messages.risk import RiskLevel


def _ssh_options(command: Command) -> Found:
    """`-o ProxyCommand=…` and its kin run on this machine."""
    found: Found = []
    for at, arg in enumerate(command.args):
        follows = command.args[at + 1] if arg == "-o" and at + 1 < len(command.args) else ""
        setting = follows or (arg.partition("o")[2] if arg.startswith("-") else "")
        if arg == "-S" and command.name != "ssh":
            found.append(Inner(script="".join(command.args[at + 1 : at + 2])))
        name, _, value = setting.partition("=" if "=" in setting else " ")
        if name.strip().lower() in _RUNS_LOCALLY:
            found.append(Inner(script=value))
    return found


_RUNS_LOCALLY = word_set(
    "proxycommand remotecommand localcommand knownhostscommand permitlocalcommand match"
)


def _rsync(command: Command) -> Found:
    options = read_options(command.args, word_set("-e --rsh --rsync-path"))
    scripts = [options.value("-e", "--rsh"), options.value("--rsync-path")]
    return [Inner(script=script) for script in scripts if script]


def _git(command: Command) -> Found:
    """`-c alias.x=!TEXT`, `-c core.pager=TEXT`, `bisect run`, `submodule foreach`, `rebase -x`."""
    args = command.args
    found = runs_from_now(args) if "config" in args else []
    for at, arg in enumerate(args):
        following = args[at + 1] if at + 1 < len(args) else ""
        if arg in {"-c", "--config"}:
            found += runs(*following.partition("=")[::2])
        elif arg.startswith(("--exec-path=", "ext::")):
            found.append(HOOKED)
        elif arg in {"-x", "--exec", "--tree-filter", "--index-filter", "--cmd"}:
            found.append(Inner(script=following, many=True))
        elif named := _named(arg, following, args[:at]):
            found.append(Inner(script=named))
        elif arg in {"foreach", "run"} and at and args[at - 1] in {"submodule", "bisect"}:
            words = args[at + 1 :]
            while words[:1] and words[0].startswith("-"):
                words = words[1:]
            text = words[0] if len(words) == 1 else ""
            found.append(Inner(words=() if text else words, script=text, many=True))
    return found


def _named(arg: str, following: str, before: tuple[str, ...]) -> str:
    """The program that an option names: what answers at the other end, what shows files."""
    name, assigned, value = arg.partition("=")
    if name in _FAR_ENDS or (arg == "-u" and "clone" in before):
        return value or following
    if arg[:2] == "-O":
        return arg[2:] if "grep" in before else ""
    return value if assigned and name in _SHOWS else ""


_FAR_ENDS = word_set("--upload-pack --receive-pack")
"""What answers at the other end, which is here for a path."""

_SHOWS = word_set("--exec --open-files-in-pager")


def _tar(command: Command) -> Found:
    found: Found = []
    for at, arg in enumerate(command.args):
        name, _, value = arg.partition("=")
        if name == "--checkpoint-action" and value.startswith("exec="):
            found.append(Inner(script=value.removeprefix("exec=")))
        elif name in _TAR_RUNS:
            following = command.args[at + 1 : at + 2]
            found.append(Inner(script=value or "".join(following)))
    return found


_TAR_RUNS = word_set(
    "--to-command -I --use-compress-program --rsh-command --info-script --new-volume-script -F"
)


def _ansible(command: Command) -> Found:
    """`ansible HOSTS -a TEXT` runs it everywhere."""
    options = read_options(command.args, word_set("-m -a -i -u -e -l --args --module-name"))
    found = SSH_WORDS(command)
    if options.value("-m", "--module-name") in {"", "shell", "command", "raw", "script"}:
        script = options.value("-a", "--args")
        found += [Inner(script=script, many=True)] if script else []
    return found


def _cmd(command: Command) -> Found:
    args = command.args
    at = next((at for at, arg in enumerate(args) if arg.lower() in {"/c", "/k", "/s"}), None)
    return [Inner(script=" ".join(args[at + 1 :]).replace("^", ""))] if at is not None else []


def _transfers(command: Command) -> Found:
    """File transfer: `!TEXT` runs here; many files are deleted over there."""
    said = command.stdin.text if command.stdin and command.stdin.text else ""
    lines = [line.strip() for line in said.splitlines()[:MAX_INNER]]
    found: Found = [Inner(script=line[1:]) for line in lines if line.startswith("!")]
    many = any(line.startswith(("mdel", "mrm", "glob rm")) for line in lines)
    wide = any(line.startswith(("rm ", "del", "rmdir ")) and "*" in line for line in lines)
    return [*found, _AFAR] if many or wide else [*found, *_ssh_options(command)]


_AFAR = Danger("shell.mirror-delete", RiskLevel.HIGH, "deletes on another machine", "delete")


def _invoked(command: Command) -> Found:
    """PowerShell's `iex`: its words, or what comes down the pipe, is code."""
    flow = command.stdin
    if flow and flow.origin in {Origin.REMOTE, Origin.DECODED}:
        return [_UNSEEN]
    text = " ".join(command.args) or (flow.text if flow and flow.text else "")
    return [Inner(script=text)] if text else []


def _block(command: Command) -> Found:
    """PowerShell's `ForEach-Object { … }`, `Invoke-Command -ScriptBlock { … }`."""
    _, opened, block = " ".join(command.args).partition("{")
    many = command.name in _EACH
    return [Inner(script=block.rpartition("}")[0] or block, many=many)] if opened else []


_EACH = word_set("foreach-object foreach %")


_UNSEEN = Danger(
    "shell.fetched-code", RiskLevel.CRITICAL, "runs what the network sends, unseen", "run"
)


def _groovy(command: Command) -> Found:
    """Jenkins runs a script that it is given."""
    text = command.stdin.text if command.stdin and command.stdin.text else ""
    asked = not {"groovy", "groovysh"}.isdisjoint(command.args)
    return [_SCRIPTED] if asked and _ends_things.search(text) else []


_ends_things = re2.compile(
    r"\.\s*(?:do)?(?:delete|wipeOut|kill|cancel|terminate|shutdown|restart)\w*\("
)
_SCRIPTED = Danger("shell.code-deletes", RiskLevel.HIGH, "deletes through an interpreter", "delete")


def _bolt(command: Command) -> Found:
    """`bolt command run TEXT` runs it on many machines."""
    args = command.args
    return [Inner(script=args[2], many=True)] if args[:2] == ("command", "run") and args[2:] else []


def _scheduled(command: Command) -> Found:
    """`at`, `batch` and `crontab -` take commands from their input."""
    flow = command.stdin
    if flow and flow.text is None and flow.origin in {Origin.REMOTE, Origin.DECODED}:
        return [_UNSEEN]
    if flow is None or flow.text is None:
        return []
    lines = flow.text.splitlines()
    if command.name == "crontab":
        lines = jobs(flow.text)
    return [Inner(script=line) for line in lines[:MAX_INNER]]


def jobs(table: str) -> list[str]:
    """The commands in a table of jobs, behind five fields of time or a word such as `@daily`."""
    lines = (line.split() for line in table.splitlines() if line.strip()[:1] not in {"#", ""})
    return [" ".join(line[1:] if line[0][:1] == "@" else line[5:]) for line in lines]


def _callback(command: Command) -> Found:
    """`mapfile -C TEXT` runs it with the place of a line and the line."""
    options: Options = read_options(command.args, word_set("-C -c -d -n -O -s -u"))
    text = options.value("-C")
    return [Inner(script=f"{text} 0 {FILL}", many=True)] if text else []


def _package_scripts(command: Command) -> Found:
    """`npm pkg set scripts.prepare=TEXT`, `npm set-script prepare TEXT`: run by an installation."""
    words = read_options(command.args).words
    if words[:2] == ("pkg", "set"):
        said = (word.partition("=") for word in words[2:] if word.startswith("scripts."))
        return [Inner(script=text) for _, _, text in said]
    return [Inner(script=text) for text in words[2:3] if words[0] == "set-script"]


CARRIERS: dict[str, Callable[[Command], Found]] = {
    "cmd": _cmd,
    "ansible": _ansible,
    **CARRIED,
    **dict.fromkeys(["awk", "gawk", "mawk", "nawk"], awk),
    "sed": sed, "gsed": sed,
    **dict.fromkeys(["ssh", "scp", "autossh"], _ssh_options),
    "rsync": _rsync,
    "git": _git, "hg": _git,
    "tar": _tar, "bsdtar": _tar, "gtar": _tar,
    **PROMPTS,
    "at": _scheduled, "batch": _scheduled, "crontab": _scheduled,
    "mapfile": _callback, "readarray": _callback,
    **MAKERS,
    "npm": _package_scripts, "pnpm": _package_scripts, "yarn": _package_scripts,
    **PLUGGED,
    **dict.fromkeys(["jenkins-cli", "jenkins-cli.jar"], _groovy),
    "bolt": _bolt,
    **dict.fromkeys(["ftp", "sftp", "lftp"], _transfers),
    **dict.fromkeys(["iex", "invoke-expression"], _invoked),
    **dict.fromkeys(["invoke-command", "icm", "start-job", *_EACH], _block),
}  # fmt: skip
"""By name."""
