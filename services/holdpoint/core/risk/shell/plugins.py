"""Commands in options, settings of git and prompts of interactive programs."""

import re
import shlex
from collections.abc import Callable, Iterator

import re2

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.code.analyzer import TANGLED, read_code
from holdpoint.core.risk.shell.filters import sed_commands
from holdpoint.core.risk.shell.inner_commands import MAX_INNER, Found, Inner, script_of
from holdpoint.core.risk.shell.model import FILL, HIGH, Command, Danger
from holdpoint.core.risk.shell.options import read_options
from holdpoint.core.risk.shell.paths import Place, place_of
from holdpoint.core.risk.shell.scope import Scope
from holdpoint.messages.risk import RiskLevel

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


def setting_commands(key: str, value: str) -> Found:
    """What git runs because of a setting."""
    name = key.lower()
    if name in _FILES and value:
        return [] if value == "/dev/null" else [HOOKED]
    ran = value.startswith("!") or name in _RUNS or _runs_for_files.fullmatch(name)
    return [Inner(script=value.lstrip("!"))] if ran else []


_FILES = word_set("core.hookspath include.path init.templatedir")
_RUNS = word_set(
    "core.pager core.editor core.sshcommand core.fsmonitor diff.external sequence.editor "
    "gpg.program core.askpass gpg.ssh.program uploadpack.packobjectshook core.gitproxy"
)
_runs_for_files = re2.compile(
    r"filter\..*\.(?:clean|smudge|process)|diff\..*\.(?:command|textconv)|merge\..*\.driver"
    r"|(?:diff|merge)tool\..*\.cmd|pager\..*|browser\..*\.cmd|trailer\..*\.(?:cmd|command)"
)
HOOKED = Danger("shell.hooked", RiskLevel.HIGH, "makes git run files that nobody asked for", "run")


def runs_from_now(args: tuple[str, ...]) -> Found:
    """What `git config KEY VALUE` makes it run; files count where anybody may put some."""
    key, value = setting_of(args)
    if key.lower() in _FILES:
        return [HOOKED] if place_of(value) is Place.SCRATCH else []
    return [] if value.startswith("!") else setting_commands(key, value)


def setting_of(args: tuple[str, ...]) -> tuple[str, str]:
    """The key and the value that `git config` is told to set; both empty where it sets none."""
    words = [arg for arg in args if arg[:1] != "-"]
    told = words[:1] == ["config"] and len(words) > len(("config", "key"))
    return (words[-2], words[-1]) if told else ("", "")


def pushing(key: str) -> bool:
    """Whether a setting says what a push does."""
    return _pushing.fullmatch(key) is not None


_pushing = re.compile(r"remote\.(.+)\.(mirror|push)", re.IGNORECASE)
_TRUE = word_set("true yes on 1")


def pushed(command: Command, done: str) -> Command | None:
    """A push with what `-c` adds to it as words of its own; None where it adds nothing."""
    args = command.args
    told = [args[at + 1] for at, arg in enumerate(args[:-1]) if arg == "-c"]
    pairs = (one.partition("=") for one in told)
    matches = [(found, value if assigned else "true") for key, assigned, value in pairs
               if (found := _pushing.fullmatch(key))]  # fmt: skip
    if done != "push" or not matches:
        return None
    own = args[len(args) - args[::-1].index("push") :]
    words = read_options(own, _VALUES).words
    refs: list[str] = []
    for found, value in matches:
        if words[:1] in {(), (found[1],)}:
            refs += _added(found, value, words)
    return Command(name="git", path="git", args=("push", *own, *refs))


def _added(found: re.Match[str], value: str, words: tuple[str, ...]) -> list[str]:
    if found[2].lower() == "mirror":
        return ["--mirror"] if value.lower() in _TRUE else []
    return [] if words[1:] else [*(() if words else (found[1],)), value]


_VALUES = word_set("-o --push-option --receive-pack --exec --repo")
MAX_SETTINGS = 32
"""Settings that are taken from the environment."""


def in_environment(scope: Scope) -> dict[str, None]:
    """What `GIT_CONFIG_KEY_0`, `GIT_CONFIG_VALUE_0` … and `GIT_CONFIG_PARAMETERS` set."""
    found = dict.fromkeys(split(scope.get("GIT_CONFIG_PARAMETERS") or "")[:MAX_SETTINGS])
    for place in range(MAX_SETTINGS):
        key = scope.get(f"GIT_CONFIG_KEY_{place}")
        value = scope.get(f"GIT_CONFIG_VALUE_{place}")
        if key is None and value is None:
            break
        if key and value is not None:
            found[f"{key}={value}"] = None
    return found


FILES = word_set("GIT_CONFIG_GLOBAL GIT_CONFIG_SYSTEM GIT_CONFIG")
"""Variables that name a file of settings."""


def written_in(text: str) -> dict[str, None]:
    """What a file of settings makes git run, or push: `section.key=value`."""
    found: dict[str, None] = {}
    section = ""
    for line in text.splitlines():
        if head := _section.match(line):
            section = ".".join(filter(None, head.groups()))
        name, assigned, value = line.partition("=")
        key = f"{section}.{name.rpartition(']')[2].strip()}"
        told = value.strip().strip(_QUOTE)
        if (
            section
            and assigned
            and (key.startswith("alias.") or pushing(key) or setting_commands(key, told))
        ):
            found[f"{key}={told}"] = None
    return found


_QUOTE = '"'
_section = re.compile(r"\s*\[([\w.-]+)(?:\s+\"([^\"]*)\")?\]")


_deletes = re.compile(r"\b(?:call\s+)?delete\s*\(|delete-(?:directory|file)|file\s+delete\b")
_DELETES = Danger("shell.code-deletes", HIGH, "deletes through a program's own command", "delete")


def _lines(command: Command, names: str = "") -> Iterator[str]:
    """What its prompt is told: on its input, and as the value of these options."""
    wanted = word_set(names)
    args = command.args
    for at, arg in enumerate(args):
        name, assigned, value = arg.partition("=")
        if arg in wanted:
            yield from "".join(args[at + 1 : at + 2]).splitlines()
        elif assigned and name in wanted:
            yield value
        elif not names and not arg.startswith("-"):
            yield arg
    if command.stdin and command.stdin.text:
        yield from command.stdin.text.splitlines()[:MAX_INNER]


def _behind(pattern: str, names: str = "") -> Callable[[Command], Found]:
    """A program that hands a shell what stands behind this in a line."""
    marks = re.compile(rf"\s*(?:{pattern})\s*(.*)", re.DOTALL)

    def found(command: Command) -> Found:
        ran = (marks.fullmatch(line) for line in _lines(command, names))
        scripts: Found = [Inner(script=one[1]) for one in ran if one and one[1]]
        return scripts[:MAX_INNER]

    return found


def _told(mark: str, names: str) -> Callable[[Command], Found]:
    """The same, and what the program itself deletes."""
    behind = _behind(mark, names)

    def found(command: Command) -> Found:
        deletes = any(_deletes.search(line) for line in _lines(command, names))
        return [*behind(command), *([_DELETES] if deletes else [])]

    return found


def _vim(command: Command) -> Found:
    """`-c ':!TEXT'`, `+!TEXT`, `-sc '!TEXT'`, `-c 'call system("…")'`."""
    args = command.args
    told = [arg[1:] for arg in args if arg.startswith("+")]
    told += [args[at + 1] for at, arg in enumerate(args[:-1]) if _ORDERS.fullmatch(arg)]
    told += _lines(command, "-") if "-s" in args or "-es" in args or command.name == "ex" else ()
    told = [_modifiers.sub("", one.lstrip(": ")) for one in told]
    if sum(_coded.match(one) is not None for one in told) > MAX_CODES:
        return [TANGLED]
    return [ran for one in told for ran in _ordered(one)]


def _ordered(text: str) -> Found:
    """What one order of vim runs or deletes."""
    found: Found = []
    coded, shown = _coded.match(text), _in_window.match(text)
    if "!" in text[:6]:
        found.append(Inner(script=text.partition("!")[2]))
    elif coded:
        found.append(_as_code(coded[1], coded[2]))
    elif shown:
        found.append(Inner(script=shown[1]))
    if _deletes.search(text):
        found.append(_DELETES)
    return found + [Inner(script=said) for said in _system.findall(text)]


_ORDERS = re.compile(r"-[a-zA-Z]{0,3}c|--cmd|-es")
_modifiers = re.compile(r"(?:(?:sil(?:ent)?!?|verb(?:ose)?|keep\w+|noa\w*|vert\w*|exe\w*)\s+)+")
_in_window = re.compile(r"ter(?:m\w*)?!?\s+(.+)")
_coded = re.compile(r"(py\w*|lua|ruby|perl\w*|script)\s+(?:<<\s*\w+\s+)?(.+)", re.DOTALL)


MAX_CODES = 32
"""Texts that one command gives a program as code."""


def _as_code(language: str, code: str) -> Inner:
    """Code of a language that the program has built in."""
    known = _BUILT_IN.get(language[:2], "python")
    return Inner(words=(known, "-e" if known != "python" else "-c", code))


_BUILT_IN = {"lu": "lua", "ru": "ruby", "pe": "perl"}
_system = re.compile(r"""(?:system|systemlist|py\w*)\s*\(?\s*['"]([^'"]+)['"]""")


def _emacs(command: Command) -> Found:
    said = " ".join(_lines(command, "--eval -eval --execute -f -e"))
    found: Found = [_DELETES] if _deletes.search(said) else []
    if "shell-command" in said or "call-process" in said:
        texts = re.findall(r'"([^"]+)"', said)[:MAX_INNER]
        found += [Inner(script=one) for one in (*texts, " ".join(texts))]
    return found


def _debugger(pattern: str, names: str) -> Callable[[Command], Found]:
    """The same for a debugger, which also runs Python, and calls functions of the program."""
    behind = _behind(pattern, names)

    def found(command: Command) -> Found:
        lines = [line.strip() for line in _lines(command, names)][:MAX_INNER]
        codes = [one for line in lines if (one := _coded.match(line))]
        ran: Found = [_as_code("python", one[2]) for one in codes[:MAX_CODES]]
        ran += [TANGLED] if len(codes) > MAX_CODES else []
        ran += [Inner(script=said) for line in lines for said in _system.findall(line)]
        return [*behind(command), *ran]

    return found


def _tcl(command: Command) -> Found:
    """Tcl and expect: `exec`, `spawn`, `system`, `file delete`."""
    return _told(r"(?:exec|spawn|system)\s(?:-\w+\s)*", "-c")(command)


def _gnuplot(command: Command) -> Found:
    """`-e 'system "TEXT"'`, `!TEXT`, and `plot '< TEXT'`."""
    said = " ; ".join(_lines(command, "-e"))
    quoted: Found = [Inner(script=one) for one in _plotted.findall(said)[:MAX_INNER]]
    return [*_behind(r"(?:!|shell\s)", "-e")(command), *quoted]


_plotted = re.compile(r"""(?:\bsystem\s*\(?\s*["']|["']\s*<)\s*([^"']+)["']""")


def sed(command: Command) -> Found:
    """GNU sed: the command `e`, and the flag `e` of a replacement, whose result is run."""
    args = command.args
    scripts = [args[at + 1] for at, arg in enumerate(args[:-1]) if arg in _SED_SCRIPTS]
    plain = [arg for arg in args if not arg.startswith("-")]
    if _READ_FROM & set(args) and command.stdin and command.stdin.text:
        scripts = [command.stdin.text]
    found: Found = []
    known = command.stdin.text if command.stdin else None
    lines = known.splitlines()[:MAX_INNER] if known else [FILL]
    for script in (scripts or plain[:1])[:MAX_INNER]:
        for one in sed_commands(script):
            texts = [one.replace(FILL, line) for line in lines] if FILL in one else [one]
            found += [ran for text in texts for ran in script_of(text, command)]
    return found


_READ_FROM = word_set("-f --file=- -f- -f/dev/stdin --file=/dev/stdin")
_SED_SCRIPTS = word_set("-e --expression -ne -n -E -r -nE -nr -En")


def _told_or_paged(command: Command) -> Found:
    r"""MySQL's clients: `\! TEXT`, `system TEXT`, and a pager."""
    found = _behind(r"\\!|system\s", "-e --execute --init-command")(command)
    paged = (arg[8:] for arg in command.args if arg.startswith("--pager="))
    return [*found, *(Inner(script=one) for one in paged)]


PROMPTS: dict[str, Callable[[Command], Found]] = {
    **dict.fromkeys(["vim", "vi", "nvim", "ex", "view", "rvim", "gvim", "vimdiff"], _vim),
    **dict.fromkeys(["ed", "red"], _behind(r"(?:[0-9.,$%]*[erw]?\s*)!", "-")),
    **dict.fromkeys(["emacs", "emacsclient", "xemacs"], _emacs),
    **dict.fromkeys(["less", "more", "most"], _behind(r"\+!")),
    "gdb": _debugger(r"(?:shell|!|make)\s?", "-ex -iex --eval-command -eval-command"),
    "lldb": _debugger(r"(?:platform shell|shell|!)\s?", "-o -O --one-line"),
    **dict.fromkeys(["sqlite3", "sqlite", "litecli", "duckdb"],
                    _behind(r"\.(?:shell|system|sh)\s", "")),
    **dict.fromkeys(["psql", "pgcli", "ysqlsh", "vsql"], _behind(r"\\!", "-c --command")),
    **dict.fromkeys(["mysql", "mariadb", "mycli"], _told_or_paged),
    "sqlplus": _behind(r"(?:!|host?\s)", "-"),
    **dict.fromkeys(["tclsh", "wish", "expect"], _tcl),
    "irb": _behind(r"(?:!|shell\s)", "-e"), "gnuplot": _gnuplot,
    "smbclient": _behind("!", "-c --command"),
    "telnet": _behind("!", "-"), "nmap": _behind("!", "-"),
    **dict.fromkeys(["mutt", "neomutt"], _behind(r"!|set\s+\w+\s*=\s*[\"']", "-e")),
    **dict.fromkeys(["mail", "mailx", "s-nail"], _behind("~!", "-")),
}  # fmt: skip
"""By name."""
