"""Files that a text writes and then runs, or leaves where something runs them by itself."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Any

import msgspec

from holdpoint.core.risk.excerpt import beginning
from holdpoint.core.risk.glance import glance
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.carriers import jobs, manifests, plays
from holdpoint.core.risk.shell.file_contents import INTERPRETER, plain, source_of
from holdpoint.core.risk.shell.filters import recipes
from holdpoint.core.risk.shell.followed import is_order, reads_orders
from holdpoint.core.risk.shell.inner_commands import MAX_INNER
from holdpoint.core.risk.shell.interpreters import LANGUAGES, SHELLS
from holdpoint.core.risk.shell.model import HOLE, Command, Danger, Flow, shown
from holdpoint.core.risk.shell.options import NONE, read_options
from holdpoint.core.risk.shell.paths import Place, place_of
from holdpoint.core.risk.shell.resources import SQL_TOOLS
from holdpoint.messages.risk import Heuristic, RiskLevel, Signal


class Runner(msgspec.Struct, frozen=True, kw_only=True):
    """How a program finds its file, and what it runs of it."""

    scripts: Callable[[str], list[str]]
    options: str = ""
    """Options that name the file."""

    default: tuple[str, ...] = ()
    """The files that are taken where none is named."""

    behind: frozenset[str] = NONE
    """Words one of which must stand among its own; empty: none needs to."""

    bare: bool = False
    """Whether a word may name the file."""

    unless: frozenset[str] = NONE
    """Options with which it runs nothing of it."""


def run_of(command: Command, files: dict[str, Flow]) -> tuple[Flow, str] | None:
    """What a file holds that this command runs, and a script that does the same; None: no file."""
    source = source_of(command, files)
    if source:
        return source, as_code(INTERPRETER, source.text or "")
    runner = _RUNNERS.get(command.name)
    if runner is None or _is_script(command, files):
        name = _imported(command, files) or _program(command)
        flow = files.get(plain(name), files.get("*")) if name else None
        return (flow, _as_run(command, name, flow.text or "")) if flow else _given(command, files)
    if runner.behind and runner.behind.isdisjoint(command.args):
        return None
    if not runner.unless.isdisjoint(command.args):
        return None
    named = _named(runner, command)
    unknown = files.get("*") if any(HOLE in one for one in named) else None
    flow = next((files[one] for one in named if one in files), unknown)
    return (flow, "\n".join(_scripts(runner, flow.text or ""))) if flow else None


def _scripts(runner: Runner, text: str) -> list[str]:
    """What it runs of a file; of one that was edited only a part may be known, which is no file."""
    return runner.scripts(text)[:MAX_INNER] or ([text] if is_order(text) else [])


def _is_script(command: Command, files: dict[str, Flow]) -> bool:
    """`bun x.ts`: a package manager that is an interpreter too."""
    return command.name in LANGUAGES and plain("".join(command.args[:1])) in files


def _given(command: Command, files: dict[str, Flow]) -> tuple[Flow, str] | None:
    """A file with orders that a program gets of which nobody knows that it is no shell."""
    if not reads_orders(command):
        return None
    held = (files[name] for arg in command.args if (name := plain(arg)) in files)
    flow = next((one for one in held if one.text and is_order(one.text)), None)
    return (flow, flow.text or "") if flow else None


def queries_of(command: Command, files: dict[str, Flow]) -> list[str]:
    """What files hold that a database is told to read: `-f x.sql`, `source x.sql`, `@x.sql`."""
    if command.name not in SQL_TOOLS:
        return []
    ends = (arg.split()[-1] for arg in command.args if arg.strip())
    held = (files.get(plain(end.lstrip("@").rpartition("=")[2])) for end in ends)
    return [flow.text for flow in held if flow and flow.text]


def _named(runner: Runner, command: Command) -> tuple[str, ...]:
    """The files that it names, by the names that are remembered."""
    options = read_options(command.args, word_set(f"{runner.options} -C -j -n --namespace"))
    value = options.value(*runner.options.split())
    named = (value,) if value else options.words if runner.bare else ()
    return tuple(map(plain, named or runner.default))


def listed(text: str) -> list[str]:
    """The commands of a YAML file: what a key says that names one, each item below it, and all."""
    found: list[str] = []
    inside, items = -1, []
    for line in text.splitlines():
        bare = line.lstrip(" ")
        depth = len(line) - len(bare)
        match = _keyed.match(bare)
        if not bare or (inside >= 0 and not match and depth + bare.startswith("- ") > inside):
            items.append(bare.removeprefix("- ").strip("\"'"))
            continue
        found += [*items, " ".join(items)]
        inside, items = (depth if match else -1), []
        if match:
            items.append(_flat(match[1]))
    return [one for one in (*found, *items, " ".join(items)) if one.strip()]


_keyed = re.compile(
    r"(?:- )?[\"']?(?:[\w.]*\.)?(?:shell|command|cmds?|run|raw|(?:\w+_)?script|args"
    r"|entry(?:point)?|sh)[\"']?:(?: |\Z)[|>+-]*(.*)"
)


def _flat(said: str) -> str:
    """`["sh", "-c", "ls"]` as a shell would be given it."""
    bare = said.strip()
    if bare[:1] == "[" and bare[-1:] == "]":
        return _between.sub(r"\1 \1", bare[1:-1])
    return bare


_between = re.compile(r"([\"'])\s*,\s*[\"']")


def scripts_of(text: str) -> list[str]:
    """The scripts of package.json."""
    at = text.find('"scripts"')
    if at < 0:
        return []
    start = text.find("{", at)
    inner = text[start + 1 : end] if (end := text.find("}", start)) > 0 else text[start + 1 :]
    return [_spoken(match[1]) for match in _value.finditer(inner)]


_value = re.compile(r":\s*\"((?:[^\"\\]|\\.)*)\"")


def _spoken(text: str) -> str:
    try:
        return str(json.loads(f'"{text}"', strict=False))
    except ValueError:
        return text


def _whole(text: str) -> list[str]:
    return [text]


def _told(text: str) -> list[str]:
    return [as_code("ex -s", text)]


def _lua(text: str) -> list[str]:
    return [as_code("lua", text)]


_PACKAGE = Runner(
    scripts=scripts_of, default=("package.json",),
    behind=word_set("run run-script test start stop restart install ci i add build deploy publish"),
)  # fmt: skip
_CLUSTER = Runner(
    scripts=lambda text: [*listed(text), *manifests(text)], options="-f --filename",
    behind=word_set("apply create replace"),
)  # fmt: skip
_COMPOSE = Runner(
    scripts=listed, options="-f --file", behind=word_set("up run start create"),
    default=("docker-compose.yml", "compose.yml", "docker-compose.yaml", "compose.yaml"),
)  # fmt: skip
_RUNNERS: dict[str, Runner] = {
    **dict.fromkeys(
        ["make", "gmake", "bmake"],
        Runner(
            scripts=recipes, options="-f --file --makefile",
            default=("Makefile", "makefile", "GNUmakefile"),
        ),
    ),
    "just": Runner(
        scripts=lambda text: recipes(text, blank=" \t"), options="-f --justfile",
        default=("justfile", "Justfile", ".justfile"),
    ),
    **dict.fromkeys(
        ["task", "go-task"],
        Runner(
            scripts=listed, options="-t --taskfile",
            default=("Taskfile.yml", "Taskfile.yaml", "taskfile.yml"),
        ),
    ),
    "ansible-playbook": Runner(
        scripts=lambda text: [*listed(text), *plays(text)], bare=True,
        unless=word_set("--check -C --syntax-check --list-tasks --list-hosts --list-tags"),
    ),
    **dict.fromkeys(["kubectl", "oc", "k"], _CLUSTER),
    **dict.fromkeys(["docker", "podman", "docker-compose", "podman-compose"], _COMPOSE),
    **dict.fromkeys(["npm", "pnpm", "yarn", "bun"], _PACKAGE),
    **dict.fromkeys(["vim", "vi", "nvim", "ex"], Runner(scripts=_told, options="-S -s -u")),
    "nmap": Runner(scripts=_lua, options="--script"),
    "crontab": Runner(scripts=jobs, bare=True),
    "at": Runner(scripts=_whole, options="-f"),
    "batch": Runner(scripts=_whole, options="-f"),
}  # fmt: skip


def _program(command: Command) -> str:
    """The script that this command is, or hands to a shell or an interpreter."""
    path = command.path
    if "/" in path and not path.startswith(("/usr/", "/bin/", "/sbin/")):
        return path
    language = command.name.rstrip("0123456789.")
    if command.name in SHELLS or language in LANGUAGES or command.name in {"source", "."}:
        words = [arg for arg in command.args if not arg.startswith("-")]
        return words[0] if words else ""
    return ""


def _imported(command: Command, files: dict[str, Flow]) -> str:
    """`python -m x`, `python -c 'import x'`: the file of a module; empty: it is none of these."""
    if not command.name.startswith(("python", "pypy", "ipython")):
        return ""
    said = " ".join(command.args)[:MAX_SAID]
    names = (name for group in _modules.findall(said) for name in _name.findall(group))
    return next((f"{name}.py" for name in names if f"{name}.py" in files), "")


MAX_SAID = 4_096
"""Characters of a command line in which modules are looked for."""

_modules = re.compile(r"(?:-m|\bimport|\bfrom)\s+(\w+(?:\s*,\s*\w+)*)")
_name = re.compile(r"\w+")


def _as_run(command: Command, file: str, text: str) -> str:
    """A script that does what this program does with this text."""
    first = text.partition("\n")[0]
    named = first.rpartition("/")[2].split() if first.startswith("#!") else []
    name = command.name if file != command.path else (named or [""])[-1]
    if name.rstrip("0123456789.") not in LANGUAGES:
        return text
    return as_code(name, text)


def as_code(language: str, text: str) -> str:
    """A script that hands it to this interpreter."""
    return f"{language} - <<'{_MARK}'\n{text}\n{_MARK}\n"


_MARK = "HOLDPOINT_FILE"


Found = list[tuple[Danger, Command]]
MAX_FILES = 200
"""Files of one text that are read; more of them go up."""

MAX_TEXT = 65_536
"""Characters of one file that are looked at: as many as a call holds."""

MAX_READ = 6_000
"""Characters of all commands in them that may take something away, which are read one by one."""

MAX_NAME = 24
MAX_SHOWN = 24

_WIPES = word_set(
    "shell.format-disk shell.wipe-disk shell.write-disk shell.dd-disk shell.redirect-disk "
    "shell.cp-disk shell.partition shell.kill-all shell.fork-bomb shell.reverse-shell"
)
"""What is as grave, whatever it names."""

_BY_CODE = "shell.code-deletes"


def planted(files: Mapping[str, Flow], dangers_in: Callable[[str], Found]) -> Iterator[Signal]:
    """What these files would do; `dangers_in` reads a shell text."""
    left = MAX_READ
    known = ((name, flow.text) for name, flow in files.items() if flow.text)
    ready = ((name, text, scripts) for name, text in known if (scripts := _scripts_of(name)))
    for place, (name, text, scripts) in enumerate(ready):
        run = "\n".join(filter(_may_wipe, scripts(text[:MAX_TEXT])))
        if scripts is _code:
            run = run if len(run) <= left else _only_deletes(text)
        left -= len(run)
        if left < 0 or place >= MAX_FILES:
            yield _unread(name)
            return
        yield from _wiping(name, run, dangers_in) if run else ()


_may_wipe = glance(
    r"(?i)\brm|rmtree|remove|delete|unlink|rimraf|wipe|shred|mkfs|format|\bdd\b|/dev/"
    r"|truncate|\bkill|fork|eval|base64|\bxxd\b|:\(\)|\bmv\b|parted|disk"
)
"""Asked of each command first: most of them build something."""


def _unread(name: str) -> Signal:
    file = beginning(name.rpartition("/")[2], MAX_NAME)
    return Signal(
        rule="file.unread",
        heuristic=Heuristic.UNCERTAINTY,
        level=RiskLevel.HIGH,
        reason=f"“{file}” deletes or overwrites more than anybody reads",
    )


def _wiping(name: str, script: str, dangers_in: Callable[[str], Found]) -> Iterator[Signal]:
    found = ((one, command) for one, command in dangers_in(script) if _is_grave(one, command))
    for danger, command in islice(found, 1):
        file = beginning(name.rpartition("/")[2], MAX_NAME)
        yield Signal(
            rule="file.planted",
            heuristic=danger.heuristic,
            level=RiskLevel.CRITICAL,
            reason=f"“{file}” {_told_of(danger, command)}",
        )


def _told_of(danger: Danger, command: Command) -> str:
    if danger.rule == _BY_CODE:
        return "deletes the whole system or a home as soon as it is run"
    said = beginning(shown(" ".join((command.path, *command.args))), MAX_SHOWN)
    return f"runs `{said}`, which {danger.reason}"


def _is_grave(danger: Danger, command: Command) -> bool:
    if danger.rule == _BY_CODE:
        read = (command.stdin and command.stdin.text) or ""
        return _deletes_all("\n".join((read, *command.args)))
    if danger.level is not RiskLevel.CRITICAL:
        return False
    return danger.rule in _WIPES or any(place_of(arg) is Place.ROOT for arg in command.args)


def _deletes_all(code: str) -> bool:
    """`shutil.rmtree('/')`, `rmtree(Path.home())`."""
    return any(not path or place_of(path) is Place.ROOT for path in _deleted.findall(code))


_deleted = re.compile(
    r"(?:rmtree|remove_tree|removedirs|rmSync|rmdirSync|rm_rf|remove_dir_all|RemoveAll|rimraf)\s*\("
    r"\s*(?:(?:[\w.]+\(\s*){0,2}[rbf]?['\"]([^'\"\n]{1,200})['\"][\s)]*[,)]"
    r"|(?:[\w.]*Path\.home\(\)|os\.environ\[['\"]HOME['\"]\]|os\.homedir\(\))\s*[,)])"
)


def _scripts_of(name: str) -> Callable[[str], list[str]] | None:
    """How the commands in a file of this name are found; None where nothing runs it by itself."""
    low = name.lower().replace("\\", "/")
    return next((scripts for fits, scripts in _KINDS if fits(low)), None) if _any(low) else None


def _code(text: str) -> list[str]:
    return [as_code("python3", text)]


def _only_deletes(text: str) -> str:
    """Of code longer than is read, what deletes a whole system or a home."""
    found = next((one for one in _deleted.finditer(text) if _deletes_all(one[0])), None)
    return as_code("python3", found[0]) if found else ""


def _script(text: str) -> list[str]:
    """A script of the interpreter that its first line names, else of the shell."""
    first = text.partition("\n")[0]
    named = first.rpartition("/")[2].split() if first[:2] == "#!" else []
    language = named[-1].rstrip("0123456789.") if named else ""
    return [as_code(language, text)] if language in _LANGUAGES else [text]


_LANGUAGES = word_set("python perl ruby node php")


def _make(text: str) -> list[str]:
    """In a recipe two signs of a variable are the shell's one."""
    return [one.replace("$$", "$") for one in recipes(text)]


def _just(text: str) -> list[str]:
    return recipes(text, blank=" \t")


def _steps(text: str) -> list[str]:
    """What an image runs to be built, and when it is started."""
    found = _step.findall(text.replace("\\\n", " "))
    return [_bare.sub(" ", one) if one[:1] == "[" else one for one in found]


_step = re.compile(r"(?im)^\s*(?:ONBUILD\s+)?(?:RUN|CMD|ENTRYPOINT)\s+(?:--\S+\s+)*(.+)$")
_bare = re.compile(r"[\[\],\"]+")


def _package(text: str) -> list[str]:
    """The scripts of a package; of a part of it that is put in, each text."""
    whole = text.lstrip()[:1] == "{"
    try:
        held = msgspec.json.decode(text if whole else "", type=_Package).scripts
    except msgspec.MsgspecError:
        return scripts_of(text if whole else f'"scripts": {{{text}}}')
    return [one for one in held.values() if isinstance(one, str)]


class _Package(msgspec.Struct, frozen=True):
    scripts: dict[str, Any] = {}


def _units(text: str) -> list[str]:
    return _exec.findall(text)


_exec = re.compile(r"(?m)^\s*Exec\w*\s*=\s*[-@:+!|]*(.+)$")


def _stages(text: str) -> list[str]:
    """`sh 'TEXT'` of a pipeline that is code, with three signs or one."""
    return [one or other for _, one, other in _pipeline_step.findall(text)]


_pipeline_step = re.compile(
    r"\b(?:sh|bat|script|bash)\b[\s(]*(?:script\s*:\s*)?(?:('''|\"\"\")(.*?)\1|['\"]([^'\"\n]*)['\"])",
    re.DOTALL,
)


def _tasks(text: str) -> list[str]:
    """`"command": TEXT` of an editor's tasks, and what a container of theirs begins with."""
    return _command.findall(text)


_command = re.compile(r"\"\w*[cC]ommand\"\s*:\s*\"((?:[^\"\\]|\\.)*)\"")


def _services(text: str) -> list[str]:
    """The commands of a list of services; where the machine's disk is mounted is the disk."""
    mounted = _disk.search(text)
    return [one.replace(mounted[1], "/") if mounted else one for one in listed(text)]


_disk = re.compile(r"(?m)^\s*-\s*[\"']?/:(/[\w/.-]*\w)")


_KINDS: tuple[tuple[Callable[[str], bool], Callable[[str], list[str]]], ...] = (
    (glance(r"(?:^|/)package\.json$"), _package),
    (glance(r"(?:^|/)(?:gnu)?makefile$|\.mk$"), _make),
    (glance(r"(?:^|/)\.?justfile$"), _just),
    (glance(r"(?:^|/)(?:docker|container)file(?:\.[\w.-]+)?$|\.dockerfile$"), _steps),
    (glance(r"(?:^|/)(?:conftest|setup|noxfile|(?:site|user)customize)\.py$|\.pth$"), _code),
    (glance(r"(?:^|/)(?:\.git/hooks|\.husky|\.?githooks|cron\.(?:hourly|daily|weekly|monthly))/"),
     _script),
    (glance(r"(?:^|/)\.(?:bash\w*|zsh\w*|z?profile|xinitrc|xprofile)$|(?:^|/)profile\.d/"),
     _script),
    (glance(r"(?:^|/)(?:crontab|cron\.d/[^/]+|crontabs/[^/]+)$"), jobs),
    (glance(r"\.service$"), _units),
    (glance(r"(?:^|/)jenkinsfile[^/]*$"), _stages),
    (glance(r"(?:^|/)\.(?:vscode/tasks|devcontainer(?:/devcontainer)?)\.json$"), _tasks),
    (glance(r"(?:^|/)(?:docker-)?compose[\w.-]*\.ya?ml$"), _services),
    (glance(r"(?:^|/)taskfile\.ya?ml$"
            r"|(?:^|/)\.(?:github|gitea|forgejo)/(?:workflows|actions)/.*\.ya?ml$"
            r"|(?:^|/)\.(?:gitlab-ci|travis|drone|circleci/config|pre-commit-config)\.ya?ml$"
            r"|(?:^|/)(?:cloudbuild|azure-pipelines|bitbucket-pipelines|lefthook)\.ya?ml$"),
     listed),
)  # fmt: skip
"""By name, and how the commands in such a file are found."""

_any = glance(
    r"file|package\.json$|\.mk$|\.py$|\.pth$|\.service$|\.ya?ml$|json$|hook|husky|cron|/?\.[\w]+$"
    r"|profile"
)
"""Asked first: most files are none of these."""
