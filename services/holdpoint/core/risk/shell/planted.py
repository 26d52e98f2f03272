"""Files that something runs without being told once more: what of them would wipe a machine.

```
package.json, Makefile, Dockerfile, compose.yaml    whoever installs or builds runs their commands
conftest.py, setup.py, sitecustomize.py             Python does, as soon as it finds them
.git/hooks/*, crontab, *.service, .bashrc           git, the clock, the machine, each shell
.github/workflows/*, .gitlab-ci.yml, Jenkinsfile    a server, with the next push
```

Only what takes a whole system, a disk or a home counts: what such files delete besides is what they
were made for, and nobody has run it yet.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Any

import msgspec

from holdpoint.core.risk.excerpt import beginning
from holdpoint.core.risk.glance import glance
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.carriers import jobs
from holdpoint.core.risk.shell.makefiles import recipes
from holdpoint.core.risk.shell.model import Command, Danger, Flow, shown
from holdpoint.core.risk.shell.paths import Place, place_of
from holdpoint.core.risk.shell.recipes import as_code, listed, scripts_of
from holdpoint.messages.risk import Heuristic, RiskLevel, Signal

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
    return [one or other for _, one, other in _told.findall(text)]


_told = re.compile(
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
