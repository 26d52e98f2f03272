"""Options whose value is a program that runs at once: searchers, pagers, hooks, a row for each."""

import shlex
from collections.abc import Callable

import re2

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.code import read_code
from holdpoint.core.risk.shell.inner import MAX_INNER, Found, Inner
from holdpoint.core.risk.shell.model import Command
from holdpoint.core.risk.shell.options import read_options

Reader = Callable[[Command], Found]


def scripts(names: str, valued: str = "") -> Reader:
    """A tool with options whose value a shell runs."""
    wanted = sorted(word_set(names))
    takes = word_set(f"{names} {valued}")

    def found(command: Command) -> Found:
        options = read_options(command.args, takes)
        return [Inner(script=options.values[name]) for name in wanted if name in options.values]

    return found


def _codes(name: str, language: str) -> Reader:
    """A tool with an option whose value is code."""

    def found(command: Command) -> Found:
        return read_code(read_options(command.args, word_set(name)).value(name), language)

    return found


def _texts(pattern: str) -> Reader:
    """A tool which runs what stands behind this in any of its words."""
    marks = re2.compile(f"(?s){pattern}")

    def found(command: Command) -> Found:
        runs = (one for arg in command.args for one in marks.findall(arg))
        return [Inner(script=text) for text in [*runs][:MAX_INNER]]

    return found


def _searched(command: Command) -> Found:
    """`rg --pre PROGRAM PATTERN FILES`: it runs for each file, as `find` would run it."""
    options = read_options(command.args, _RG)
    program = options.value("--pre").split()
    files = options.words if options.has("-e --regexp -f --file --files") else options.words[1:]
    if not program:
        return []
    found = ("find", *(files or (".",)), "-type", "f", "-exec", *program, "{}", ";")
    return [Inner(words=found, many=True)]


_RG = word_set(
    "-e --regexp -f --file -g --glob --iglob -t --type -T --type-not -A -B -C -m --max-count -d "
    "--max-depth -j --threads -r --replace -E --encoding -M --max-columns --sort --sortr --color "
    "--colors --pre --pre-glob --hostname-bin --context-separator --engine --max-filesize"
)


def _captured(command: Command) -> Found:
    """`tcpdump -z PROGRAM -w FILE`: it gets the file that was written."""
    options = read_options(command.args, word_set("-z -w -i -G -C -W -c -r -s -Z -B -F"))
    program = options.value("-z").split()
    return [Inner(words=(*program, options.value("-w") or "trace"))] if program else []


def _wrapped(command: Command) -> Found:
    """`gcc -wrapper a,b,c`: a program and its words."""
    said = read_options(command.args, word_set("-wrapper")).value("-wrapper")
    return [Inner(words=tuple(said.split(",")))] if said else []


def _over_ssh(command: Command) -> Found:
    """`ansible --ssh-common-args TEXT`: words for `ssh`."""
    options = read_options(command.args, _SSH)
    told = (options.value(name) for name in sorted(_SSH))
    return [Inner(words=("ssh", *split(one), "host")) for one in told if one]


_SSH = word_set("--ssh-common-args --ssh-extra-args --scp-extra-args --sftp-extra-args")


def split(text: str) -> list[str]:
    """Words as a program parts them that reads them from a variable or an option."""
    try:
        return shlex.split(text)
    except ValueError:
        return text.replace('"', " ").replace("'", " ").split()


def _bound(command: Command) -> Found:
    """`fzf --preview TEXT`, `--bind 'KEY:execute(TEXT)'`."""
    return [*scripts("--preview")(command), *_BINDS(command)]


_BINDS = _texts(
    r"(?:execute(?:-silent)?|become|reload(?:-sync)?|transform[a-z-]*|preview)[(\[:](.+?)[)\]]?$"
)


PLUGGED: dict[str, Reader] = {
    "rg": _searched, "fzf": _bound, "tcpdump": _captured,
    **dict.fromkeys(["ag", "ack", "bat", "batcat", "delta"], scripts("--pager")),
    "rclone": scripts("--password-command --metadata-mapper"),
    "restic": scripts("--password-command"), "borg": scripts("--rsh"),
    "helm": scripts("--post-renderer"), "vault": scripts("-exec"),
    "man": scripts("-P --pager -H --html"),
    "zip": scripts("-TT --unzip-command"),
    "split": scripts("--filter"),
    "sort": scripts("--compress-program"),
    **dict.fromkeys(["lynx", "w3m", "elinks"], _texts(r"^(?:-?-?\w+=)(.+)")),
    **dict.fromkeys(["apt", "apt-get", "aptitude"], _texts(r"(?i)invoke(?:-\w+)?(?:::)*=(.+)")),
    "java": _texts(r"^-XX:On\w+=(.+)"),
    **dict.fromkeys(["gcc", "g++", "cc", "clang"], _wrapped),
    "bpftrace": _texts(r'\bsystem\(\s*"([^"]+)"'),
    **dict.fromkeys(["pdflatex", "latex", "xelatex", "lualatex", "tex", "pdftex"],
                    _texts(r"\\write18\s*\{([^{}]+)")),
    **dict.fromkeys(["ansible-playbook", "ansible-pull", "ansible-console"], _over_ssh),
    "exiftool": _codes("-if", "perl"), "pylint": _codes("--init-hook", "python"),
}  # fmt: skip
"""By name."""

SSH_WORDS = _over_ssh
SEARCHERS = frozenset({"rg", "ag", "ack", "bat", "batcat"})
"""Those that only read unless such an option stands there."""
