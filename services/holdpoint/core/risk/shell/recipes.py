"""Files that a program runs when it is handed one: which file it is, and the commands in it.

```
make, just                     recipes: the lines of a rule
task, ansible-playbook, …      YAML: what `cmd`, `shell` or `command` says, or the list below it
npm run, yarn, pnpm            the scripts of package.json
crontab, at -f                 a line for each job; a script
sh, python, ./x                the text itself
```
"""

import json
import re
from collections.abc import Callable

import msgspec

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.built import INTERPRETER, source_of
from holdpoint.core.risk.shell.carriers import jobs
from holdpoint.core.risk.shell.described import manifests, plays
from holdpoint.core.risk.shell.inner import MAX_INNER
from holdpoint.core.risk.shell.interpret import LANGUAGES, SHELLS
from holdpoint.core.risk.shell.made import plain
from holdpoint.core.risk.shell.makefiles import recipes
from holdpoint.core.risk.shell.model import HOLE, Command, Flow
from holdpoint.core.risk.shell.options import NONE, read_options
from holdpoint.core.risk.shell.resources import SQL_TOOLS
from holdpoint.core.risk.shell.strangers import is_order, reads_orders


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
