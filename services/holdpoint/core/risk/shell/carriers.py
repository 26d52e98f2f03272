"""Tools with an option that is a command, after the manner of GTFOBins."""

from collections.abc import Callable

import re2

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.code import read_code
from holdpoint.core.risk.shell.inner import Found, Inner
from holdpoint.core.risk.shell.model import FILL, Command, Danger, Origin
from holdpoint.core.risk.shell.options import Options, read_options
from holdpoint.core.risk.shell.prompts import PROMPTS, sed
from holdpoint.messages.risk import RiskLevel

_AWK_VALUES = word_set("-F -v -f --field-separator --assign --file")


def _awk(command: Command) -> Found:
    options = read_options(command.args, _AWK_VALUES)
    program = options.word(0)
    file = options.value("-f", "--file")
    if file in _INPUT and options.has("-f --file") and command.stdin:
        program, file = command.stdin.text or "", ""
    if file or not ("system" in program or "|" in program):
        return []
    found = read_code(program, "awk")
    return [*found, _UNREAD] if _runs_fields.search(program) else found


_runs_fields = re2.compile(
    r"\bsystem\s*\(\s*\$|\bgetline\s+(?:\w+\b.*\bsystem\s*\(\s*\w+\s*\)|.*\bsystem\s*\(\s*\$)"
    r"|\bprint\s*(?:\$\w+\s*)?\|\s*\"(?:/\w+)*/?(?:ba|da|k|z)?sh\""
)
_UNREAD = Danger("shell.unseen-code", RiskLevel.HIGH, "runs what it reads from its input", "run")


def _option_scripts(names: str, valued: str = "") -> Callable[[Command], Found]:
    """A tool with options whose value a shell runs."""
    wanted = word_set(names)
    takes = word_set(f"{names} {valued}")

    def found(command: Command) -> Found:
        options = read_options(command.args, takes)
        return [Inner(script=options.values[name]) for name in wanted if name in options.values]

    return found


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


_RUNS_LOCALLY = word_set("proxycommand localcommand knownhostscommand permitlocalcommand match")


def _rsync(command: Command) -> Found:
    options = read_options(command.args, word_set("-e --rsh --rsync-path"))
    scripts = [options.value("-e", "--rsh"), options.value("--rsync-path")]
    return [Inner(script=script) for script in scripts if script]


def _git(command: Command) -> Found:
    """`-c alias.x=!TEXT`, `-c core.pager=TEXT`, `bisect run`, `submodule foreach`, `rebase -x`."""
    found: Found = []
    args = command.args
    for at, arg in enumerate(args):
        following = args[at + 1] if at + 1 < len(args) else ""
        if arg in {"-c", "--config"}:
            found += git_setting(*following.partition("=")[::2])
        elif arg.startswith(("--exec-path=", "ext::")):
            found.append(_HOOKED)
        elif arg in {"-x", "--exec", "--tree-filter", "--index-filter", "--cmd"}:
            found.append(Inner(script=following, many=True))
        elif arg in {"foreach", "run"} and at and args[at - 1] in {"submodule", "bisect"}:
            words = args[at + 1 :]
            while words[:1] and words[0].startswith("-"):
                words = words[1:]
            text = words[0] if len(words) == 1 else ""
            found.append(Inner(words=() if text else words, script=text, many=True))
    return found


def git_setting(key: str, value: str) -> Found:
    """What git runs because of a setting."""
    name = key.lower()
    if name in {"core.hookspath", "include.path", "init.templatedir"} and value:
        return [] if value == "/dev/null" else [_HOOKED]
    runs = value.startswith("!") or name in _GIT_RUNS or _runs_for_files.fullmatch(name)
    return [Inner(script=value.lstrip("!"))] if runs else []


_GIT_RUNS = word_set(
    "core.pager core.editor core.sshcommand core.fsmonitor diff.external sequence.editor "
    "gpg.program core.askpass gpg.ssh.program uploadpack.packobjectshook core.gitproxy"
)
_runs_for_files = re2.compile(
    r"filter\..*\.(?:clean|smudge|process)|diff\..*\.(?:command|textconv)|merge\..*\.driver"
    r"|(?:diff|merge)tool\..*\.cmd|pager\..*|browser\..*\.cmd|trailer\..*\.(?:cmd|command)"
)
_HOOKED = Danger("shell.hooked", RiskLevel.HIGH, "makes git run files that nobody asked for", "run")


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
    if options.value("-m", "--module-name") in {"", "shell", "command", "raw", "script"}:
        script = options.value("-a", "--args")
        return [Inner(script=script, many=True)] if script else []
    return []


def _remote_command(command: Command) -> Found:
    """`aws ssm send-command --parameters commands=…`, `az vm run-command invoke --scripts …`."""
    found: Found = []
    for at, arg in enumerate(command.args):
        if arg in {"--scripts", "--script", "--command", "--commands", "--cmd"}:
            found.append(Inner(script="".join(command.args[at + 1 : at + 2])))
        elif "commands=" in arg:
            found.append(Inner(script=arg.partition("commands=")[2].strip("[]\"'")))
    return found


def _cmd(command: Command) -> Found:
    args = command.args
    at = next((at for at, arg in enumerate(args) if arg.lower() in {"/c", "/k", "/s"}), None)
    return [Inner(script=" ".join(args[at + 1 :]).replace("^", ""))] if at is not None else []


def _transfers(command: Command) -> Found:
    """File transfer: `!TEXT` runs here; many files are deleted over there."""
    said = command.stdin.text if command.stdin and command.stdin.text else ""
    lines = [line.strip() for line in said.splitlines()[:32]]
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
    return [Inner(script=line) for line in lines[:16]]


def jobs(table: str) -> list[str]:
    """The commands in a table of jobs, behind five fields of time or a word such as `@daily`."""
    lines = (line.split() for line in table.splitlines() if line.strip()[:1] not in {"#", ""})
    return [" ".join(line[1:] if line[0][:1] == "@" else line[5:]) for line in lines]


def _make(command: Command) -> Found:
    """`make -f -` takes its recipes from its input."""
    options = read_options(command.args, word_set("-f --file --makefile -C -j -o -W --eval"))
    text = command.stdin.text if command.stdin and command.stdin.text else ""
    said = text if options.value("-f", "--file", "--makefile", "-") in _INPUT else ""
    shell = [word[6:] for word in options.words if word.startswith("SHELL=")]
    lines = [*recipes(said), *recipes(options.value("--eval"))]
    if options.has("-n --just-print --dry-run --recon -q --question"):
        lines = []
    lines = [*shell, *lines]
    found: Found = [Inner(script=one) for one in lines]
    return found[:16]


_INPUT = frozenset({"-", "", "/dev/stdin"})
"""How the input is named; a lone `-` before a here-document gets lost in the grammar."""


def recipes(text: str, blank: str = "\t") -> list[str]:
    """The commands in a makefile, without the signs that make reads itself; they are indented."""
    lines = [line if line[:1] in blank else line.partition(";")[2] for line in text.splitlines()]
    return [line.lstrip("\t @-+") for line in lines if line.strip()][:16]


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
    "aws": _remote_command, "az": _remote_command,
    "awk": _awk, "gawk": _awk, "mawk": _awk, "nawk": _awk,
    "sed": sed, "gsed": sed,
    "ssh": _ssh_options, "scp": _ssh_options,
    "rsync": _rsync,
    "git": _git, "hg": _git,
    "tar": _tar, "bsdtar": _tar, "gtar": _tar,
    **PROMPTS,
    "at": _scheduled, "batch": _scheduled, "crontab": _scheduled,
    "mapfile": _callback, "readarray": _callback,
    "make": _make, "gmake": _make,
    "npm": _package_scripts, "pnpm": _package_scripts, "yarn": _package_scripts,
    "man": _option_scripts("-P --pager"),
    "zip": _option_scripts("-TT --unzip-command"),
    "fzf": _option_scripts("--preview"),
    "split": _option_scripts("--filter"),
    "sort": _option_scripts("--compress-program"),
    "tcpdump": _option_scripts("-z"),
    **dict.fromkeys(["jenkins-cli", "jenkins-cli.jar"], _groovy),
    "bolt": _bolt,
    **dict.fromkeys(["ftp", "sftp", "lftp"], _transfers),
    **dict.fromkeys(["iex", "invoke-expression"], _invoked),
    **dict.fromkeys(["invoke-command", "icm", "start-job", *_EACH], _block),
}  # fmt: skip
"""By name."""
