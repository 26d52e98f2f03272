"""Commands that stand as texts among a program's words: of a cloud, of Windows, of runners."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.described import manifests
from holdpoint.core.risk.shell.effects import runs_dry
from holdpoint.core.risk.shell.inner import MAX_INNER, Found, Inner
from holdpoint.core.risk.shell.model import FILL, Command
from holdpoint.core.risk.shell.options import read_options

_SCRIPTS = word_set("--scripts --script --command --commands --cmd")


def _remote_command(command: Command) -> Found:
    """`aws ssm send-command --parameters commands=…`, `az vm run-command invoke --scripts …`."""
    found: Found = []
    for at, arg in enumerate(command.args):
        if arg in _SCRIPTS:
            found.append(Inner(script="".join(command.args[at + 1 : at + 2])))
        elif "command" in arg and arg[:1] == "{":
            found += [Inner(script=one, many=True) for one in _ordered(arg)]
        elif "commands=" in arg or arg.startswith("command="):
            found.append(Inner(script=arg.partition("=")[2].strip("[]\"'")))
    return found


def _ordered(parameters: str) -> Iterator[str]:
    """What `{"commands": ["…"]}` says is to be run, however deep; of no JSON, each text in it."""
    try:
        waiting: list[tuple[str, Any]] = [("", msgspec.json.decode(parameters))]
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        yield from _texts.findall(parameters)[:MAX_INNER]
        return
    while waiting:
        name, one = waiting.pop()
        if isinstance(one, dict):
            waiting += one.items()
        elif isinstance(one, list):
            waiting += [(name, each) for each in reversed(one[:MAX_INNER])]
        elif isinstance(one, str) and name.lower() in {"commands", "command"}:
            yield one


_texts = re.compile(r'"([^"]*)"')


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
    found = _lines.search(" ".join(command.args))
    return [Inner(script=found[1] or found[2])] if found else []


_lines = re.compile(r"(?i)-argumentlist\s+(.+)|commandline\s*=\s*['\"]?([^'\"}]+)")


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
