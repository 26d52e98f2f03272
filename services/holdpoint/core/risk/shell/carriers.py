"""Tools with an option that is a command, after the manner of GTFOBins."""

from collections.abc import Callable

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.code import read_code
from holdpoint.core.risk.shell.model import Command
from holdpoint.core.risk.shell.options import Options, read_options
from holdpoint.core.risk.shell.unwrap import Found, Inner

_AWK_VALUES = word_set("-F -v -f --field-separator --assign --file")


def _awk(command: Command) -> Found:
    options = read_options(command.args, _AWK_VALUES)
    program = options.word(0)
    if options.value("-f", "--file") or not ("system" in program or "|" in program):
        return []
    return read_code(program, "awk")


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
        if arg == "-c":
            key, _, value = following.partition("=")
            runs = value.startswith("!") or key.lower() in _GIT_RUNS
            found += [Inner(script=value.lstrip("!"))] if runs else []
        elif arg in {"-x", "--exec", "--tree-filter", "--index-filter", "--cmd"}:
            found.append(Inner(script=following, many=True))
        elif arg in {"foreach", "run"} and at and args[at - 1] in {"submodule", "bisect"}:
            found.append(Inner(script=" ".join(args[at + 1 :]), many=True))
    return found


_GIT_RUNS = word_set(
    "core.pager core.editor core.sshcommand core.fsmonitor diff.external sequence.editor "
    "gpg.program"
)


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


def _vim(command: Command) -> Found:
    """`-c ':!TEXT'`, `+!TEXT`, `-c 'call system("…")'`."""
    commands = [arg[1:] for arg in command.args if arg.startswith("+")]
    args = command.args
    commands += [args[at + 1] for at, arg in enumerate(args[:-1]) if arg in {"-c", "--cmd", "-es"}]
    found: Found = []
    for one in commands:
        text = one.lstrip(": ")
        if "!" in text[:6]:
            found.append(Inner(script=text.partition("!")[2]))
        elif "system(" in text or "py" in text[:4]:
            found += read_code(text, "awk")
    return found


def _sed(command: Command) -> Found:
    """GNU sed's `e` runs a command."""
    options = read_options(command.args, word_set("-e -f --expression --file"))
    script = options.value("-e", "--expression") or options.word(0)
    head = script.lstrip("0123456789,$ ")
    return [Inner(script=head[1:])] if head.startswith("e ") else []


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
        if arg in {"--scripts", "--script", "--command", "--commands"}:
            found.append(Inner(script="".join(command.args[at + 1 : at + 2])))
        elif "commands=" in arg:
            found.append(Inner(script=arg.partition("commands=")[2].strip("[]\"'")))
    return found


def _cmd(command: Command) -> Found:
    args = command.args
    at = next((at for at, arg in enumerate(args) if arg.lower() in {"/c", "/k", "/s"}), None)
    return [Inner(script=" ".join(args[at + 1 :]))] if at is not None else []


def _scheduled(command: Command) -> Found:
    """`at`, `batch` and `crontab -` take commands from their input."""
    flow = command.stdin
    if flow is None or flow.text is None:
        return []
    lines = flow.text.splitlines()
    if command.name == "crontab":
        lines = [" ".join(line.split()[5:]) for line in lines]
    return [Inner(script=line) for line in lines[:16]]


def _make(command: Command) -> Found:
    """`make -f -` takes its recipes from its input."""
    options = read_options(command.args, word_set("-f --file --makefile -C -j -o -W --eval"))
    text = command.stdin.text if command.stdin and command.stdin.text else ""
    said = text if options.value("-f", "--file", "--makefile") == "-" else ""
    lines = f"{said}\n{options.value('--eval')}".splitlines()
    recipes = [line if line[:1] == "\t" else line.partition(";")[2] for line in lines]
    found: Found = [Inner(script=recipe.lstrip("\t @-+")) for recipe in recipes if recipe]
    return found[:16]


def _callback(command: Command) -> Found:
    """`mapfile -C TEXT`."""
    options: Options = read_options(command.args, word_set("-C -c -d -n -O -s -u"))
    return [Inner(script=options.values["-C"])] if "-C" in options.values else []


CARRIERS: dict[str, Callable[[Command], Found]] = {
    "cmd": _cmd,
    "ansible": _ansible,
    "aws": _remote_command, "az": _remote_command,
    "awk": _awk, "gawk": _awk, "mawk": _awk, "nawk": _awk,
    "sed": _sed, "gsed": _sed,
    "ssh": _ssh_options, "scp": _ssh_options, "sftp": _ssh_options,
    "rsync": _rsync,
    "git": _git,
    "tar": _tar, "bsdtar": _tar, "gtar": _tar,
    "vim": _vim, "vi": _vim, "nvim": _vim, "ex": _vim, "view": _vim, "rvim": _vim,
    "at": _scheduled, "batch": _scheduled, "crontab": _scheduled,
    "mapfile": _callback, "readarray": _callback,
    "make": _make, "gmake": _make,
    "man": _option_scripts("-P --pager"),
    "zip": _option_scripts("-TT --unzip-command"),
    "fzf": _option_scripts("--preview"),
    "split": _option_scripts("--filter"),
    "sort": _option_scripts("--compress-program"),
    "tcpdump": _option_scripts("-z"),
    "expect": _option_scripts("-c"),
}  # fmt: skip
"""By name."""
