"""Programs that carry commands to other places: schedulers, containers, remote shells."""

import re
import shlex
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import msgspec
import re2

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.dry_runs import runs_dry
from holdpoint.core.risk.shell.filters import MAKERS, awk
from holdpoint.core.risk.shell.inner_commands import MAX_INNER, Found, Inner
from holdpoint.core.risk.shell.model import FILL, Command, Danger, Origin
from holdpoint.core.risk.shell.options import Options, read_options
from holdpoint.core.risk.shell.paths import Place, place_of
from holdpoint.core.risk.shell.plugins import (
    HOOKED,
    PLUGGED,
    PROMPTS,
    SSH_WORDS,
    runs_from_now,
    sed,
    setting_commands,
)
from holdpoint.messages.risk import RiskLevel

_key = re.compile(r"(?:- )?[\"']?([A-Za-z_][\w.]*)[\"']?:\s*(.*)")
_gone = re.compile(r"\bstate\s*[=:]\s*[\"']?absent\b")
_CHEAP = frozenset({Place.SCRATCH, Place.BUILD})


def plays(text: str) -> list[str]:
    """`file: {path: /srv, state: absent}` as `ansible all -m file -a 'path=/srv state=absent'`."""
    lines = [line for line in text.splitlines() if line.strip() and line.lstrip()[0] != "#"]
    found: list[str] = []
    gone = (at for at, line in enumerate(lines) if _gone.search(line))
    for at in islice(gone, MAX_INNER):
        module, said = _task(lines, at)
        paths = [one.partition("=")[2] for one in said if one.startswith(("path=", "dest="))]
        if paths and all(place_of(path) in _CHEAP for path in paths):
            continue
        found.append(f"ansible all -m {shlex.quote(module)} -a {shlex.quote(' '.join(said))}")
    return found


def _task(lines: list[str], at: int) -> tuple[str, list[str]]:
    """The module whose words stand around a line, and those words."""
    match = _key.match(lines[at].lstrip())
    if match and match[1] != "state":
        return match[1], re.findall(r"[\w.]+=\S+", match[2].replace(": ", "="))
    depth = _depth(lines[at])
    start = at
    while start and (_depth(lines[start]) >= depth):
        start -= 1
    end = at
    while end + 1 < len(lines) and _depth(lines[end + 1]) >= depth:
        end += 1
    opened = _key.match(lines[start].lstrip())
    words = (_key.match(line.lstrip()) for line in lines[start + 1 : end + 1])
    said = [f"{one[1]}={one[2].strip()}" for one in words if one]
    return (opened[1] if opened else "task"), said


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip(" -"))


_bindings = re.compile(r"[\"']?kind[\"']?:\s*[\"']?(?:Cluster)?RoleBinding\b")
_role = re.compile(
    r"[\"']?roleRef[\"']?:(?:(?!subjects).)*?[\"']?\bname[\"']?:\s*[\"']?([\w:.-]+)", re.DOTALL
)
_anybody = re.compile(r"\bsystem:(?:unauthenticated|anonymous)\b")


def manifests(text: str) -> list[str]:
    """A binding of a role as the order that makes it."""
    found = []
    for one in text.split("\n---")[:MAX_INNER]:
        if _bindings.search(one):
            role, anybody = _role.search(one), _anybody.search(one)
            group = f" --group={anybody[0]}" if anybody else ""
            named = f" --clusterrole={role[1]}" if role else ""
            found.append(f"kubectl create clusterrolebinding described{named}{group}")
    return found


_SCRIPTS = word_set("--scripts --script --command --commands --cmd")


def _remote_command(command: Command) -> Found:
    """`aws ssm send-command --parameters commands=…`, `az vm run-command invoke --scripts …`."""
    found: Found = []
    for at, arg in enumerate(command.args):
        if arg in _SCRIPTS:
            found.append(Inner(script="".join(command.args[at + 1 : at + 2])))
        elif "command" in arg and arg[:1] == "{":
            found += [Inner(script=one, many=True) for one in _order_texts(arg)]
        elif "commands=" in arg or arg.startswith("command="):
            found.append(Inner(script=arg.partition("=")[2].strip("[]\"'")))
    return found


def _order_texts(parameters: str) -> Iterator[str]:
    """What `{"commands": ["…"]}` says is to be run, however deep; of no JSON, each text in it."""
    try:
        waiting: list[tuple[str, Any]] = [("", msgspec.json.decode(parameters))]
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        yield from _quoted_texts.findall(parameters)[:MAX_INNER]
        return
    while waiting:
        name, one = waiting.pop()
        if isinstance(one, dict):
            waiting += one.items()
        elif isinstance(one, list):
            waiting += [(name, each) for each in reversed(one[:MAX_INNER])]
        elif isinstance(one, str) and name.lower() in {"commands", "command"}:
            yield one


_quoted_texts = re.compile(r'"([^"]*)"')


def _each(valued: str, scripts: str = "") -> Callable[[Command], Found]:
    """A program each of whose words is a command, as is what these options say."""
    takes, told = word_set(f"{valued} {scripts}"), scripts.split()

    def found(command: Command) -> Found:
        options = read_options(command.args, takes)
        texts = [one for one in options.words if " " in one]
        texts += [options.values[name] for name in told if name in options.values]
        return [Inner(script=text) for text in texts[:MAX_INNER]]

    return found


def _forfiles(command: Command) -> Found:
    """`/c TEXT` is run for each file; `@path` is that file."""
    args = command.args
    at = next((at for at, arg in enumerate(args) if arg.lower() == "/c"), len(args))
    text = _file.sub(FILL, "".join(args[at + 1 : at + 2]))
    return [Inner(script=text, many=True)] if text else []


_file = re.compile(r"@(?:path|file|fname|relpath)\b", re.IGNORECASE)


def _created(command: Command) -> Found:
    """`wmic process call create TEXT`."""
    said = [arg.lower() for arg in command.args]
    at = said.index("create") if "create" in said else 0
    if not at or said[at - 1] != "call":
        return []
    text = " ".join(command.args[at + 1 :]).strip("'\"")
    return [Inner(script=text, many="/node" in said[0])] if text else []


def _started(command: Command) -> Found:
    """`Start-Process cmd -ArgumentList '/c', 'TEXT'`, `rundll32 x,ShellExec_RunDLL TEXT`."""
    own = _HOW | _AS_OPTIONS if command.name == "pcalua" else _HOW
    words = [one for one in command.args if one and one.lower() not in own]
    if command.name == "rundll32":
        words = words[1:] if "shellexec" in "".join(words[:1]).lower() else []
    text = _commas.sub(" ", " ".join(words))
    return [Inner(script=text)] if text else []


_HOW = word_set(
    "/b /wait /min /max /i runas hidden open -filepath -argumentlist -args -wait -nonewwindow "
    "-windowstyle -verb -passthru"
)
_AS_OPTIONS = frozenset({"-a", "-c"})
_commas = re.compile(r"['\"]?\s*,\s*['\"]?")


def _called(command: Command) -> Found:
    """`Invoke-WmiMethod … Create -ArgumentList TEXT`, `-Arguments @{CommandLine=TEXT}`."""
    found = _process_lines.search(" ".join(command.args))
    return [Inner(script=found[1] or found[2])] if found else []


_process_lines = re.compile(r"(?i)-argumentlist\s+(.+)|commandline\s*=\s*['\"]?([^'\"}]+)")


def _dc(command: Command) -> Found:
    """`!TEXT` up to the end of a line goes to a shell; `!<`, `!=` and `!>` compare."""
    options = read_options(command.args, word_set("-e --expression -f --file"))
    read = command.stdin.text if command.stdin and command.stdin.text else ""
    said = "\n".join((options.value("-e", "--expression"), read))
    return [Inner(script=one) for one in _to_shell.findall(said)[:MAX_INNER]]


_to_shell = re.compile(r"!\s*([^\s<>=!].*)")


def _applied(command: Command) -> Found:
    """`kubectl apply -f -`: what its input gives to whom."""
    text = command.stdin.text if command.stdin and command.stdin.text else ""
    if not text or _APPLIES.isdisjoint(command.args) or runs_dry(command):
        return []
    return [Inner(script=one) for one in manifests(text)]


_APPLIES = word_set("apply create replace")


def _registered(command: Command) -> Found:
    """`schtasks /create /tr TEXT`, `sc create x binPath= TEXT`: it runs later."""
    args = command.args
    texts = ["".join(args[at + 1 : at + 2]) for at, arg in enumerate(args) if arg.lower() in _LATER]
    return [Inner(script=text) for text in texts if text]


_LATER = frozenset({"/tr", "binpath="})


def _joined_to(command: Command) -> Found:
    """`socat … SYSTEM:TEXT,pty`, `EXEC:TEXT`: it talks to what it runs; a comma ends the text."""
    ran = filter(None, map(_ends.search, command.args))
    return [Inner(script=one[1].replace("\\,", ",")) for one in ran]


_ends = re.compile(r"(?i)^(?:.*!!)?(?:system|exec|shell):((?:[^,\\]|\\.)+)", re.DOTALL)

CARRIED: dict[str, Callable[[Command], Found]] = {
    "aws": _remote_command, "az": _remote_command,
    "concurrently": _each("-n -c -p -m -s -l -t --names --prefix-colors --prefix --success"),
    **dict.fromkeys(["npm-run-all", "npm-run-all2", "run-p", "run-s"], _each("--max-parallel")),
    "pm2": _each("-n -i --name --instances --cron --interpreter"),
    **dict.fromkeys(["start-process", "saps", "start", "rundll32", "pcalua"], _started),
    **dict.fromkeys(["invoke-wmimethod", "invoke-cimmethod", "iwmi", "icim"], _called),
    "forfiles": _forfiles, "wmic": _created, "dc": _dc, "socat": _joined_to,
    **dict.fromkeys(["schtasks", "sc"], _registered),
    **dict.fromkeys(["kubectl", "oc", "k"], _applied),
}  # fmt: skip
"""By name."""


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
            found += setting_commands(*following.partition("=")[::2])
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
