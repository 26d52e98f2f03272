"""Files that a text writes, or a call: what they hold, and what runs of them by itself or later.

What an edit puts into a file stands behind what the file held before, wherever it goes.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice

from holdpoint.core.prefilter import prefilter
from holdpoint.core.risk.knowledge import by_word, pattern, words
from holdpoint.core.risk.model import Finding
from holdpoint.core.risk.shell.carriers import recipes
from holdpoint.core.risk.shell.data_transfer import is_secret
from holdpoint.core.risk.shell.database_statements import SQL_TOOLS
from holdpoint.core.risk.shell.inner_commands import MAX_INNER
from holdpoint.core.risk.shell.interpreters import LANGUAGES, SHELLS
from holdpoint.core.risk.shell.judge import KNOWN
from holdpoint.core.risk.shell.model import Command, Flow, Origin, joined, shown
from holdpoint.core.risk.shell.options import read_options
from holdpoint.core.risk.shell.output import output_of
from holdpoint.core.risk.shell.paths import Place, place_of, steers
from holdpoint.core.risk.shell.possible_commands import is_order, reads_orders
from holdpoint.core.risk.words import word_set
from holdpoint.core.text import beginning
from holdpoint.messages.risk import Heuristic, RiskLevel

Files = dict[str, Flow]


def plain(file: str) -> str:
    """A file's last name, by which what is written is remembered."""
    return file.removeprefix("./").rpartition("/")[2]


def fetched(command: Command) -> str:
    """The file into which it writes what it fetches; empty when it prints it."""
    if command.name not in FETCHERS:
        return ""
    options = read_options(
        command.args, word_set("-o --output -H -d -X --output-document -x -A -e -u")
    )
    named = options.value("-o", "--output", "--output-document")
    if command.name == "wget" and not named:
        wget = read_options(command.args, word_set("-O --output-document -P -U"))
        named = wget.value("-O", "--output-document")
        return named if named not in {"-", ""} else (wget.word(0).rpartition("/")[2])
    if not named and options.has("-O --remote-name"):
        return options.word(0).rpartition("/")[2] or options.word(0)
    return named


FETCHERS = words("words/shell-flow:fetchers")


def copied(command: Command, files: Files) -> None:
    """Remember that another file holds the same, or what is read from the input."""
    if command.name == "dd":
        named = dict(arg.partition("=")[::2] for arg in command.args)
        source, target = named.get("if", "-"), named.get("of", "")
    else:
        given = read_options(command.args, word_set("-m -o -g -S --mode --owner --group")).words
        source, target = (given[-2], given[-1]) if len(given) > 1 else ("", "")
    if source in _INPUTS and command.stdin:
        flow: Flow | None = command.stdin
    else:
        flow = files.get(plain(source)) or (Flow(Origin.SECRET) if is_secret(source) else None)
    if flow and target:
        files[plain(target) or plain(source)] = flow  # `.husky/` takes its name


COPIERS = frozenset({"cp", "mv", "install", "ln", "dd"})
_INPUTS = frozenset({"-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"})


def renamed(command: Command, aliases: dict[str, str]) -> None:
    """`cp /bin/rm x`, `ln -s /bin/rm x`: the program has another name."""
    given = [arg for arg in command.args if not arg.startswith("-")]
    if len(given) == len(("from", "to")) and _is_program(given[0]):
        name = given[1].removeprefix("./")
        aliases[name] = aliases[f"./{name}"] = given[0]


def _is_program(file: str) -> bool:
    return file.startswith(_PROGRAMS) or file.removeprefix("./") in KNOWN


_PROGRAMS = ("/bin/", "/usr/bin/", "/sbin/", "/usr/sbin/", "/usr/local/bin/")


def stored(command: Command, files: Files) -> None:
    """Remember what `tee` puts into files, and that what is edited in place is unread."""
    if command.name in {"tee", "sponge"} and command.stdin:
        behind = not {"-a", "--append", "-ai", "-ia"}.isdisjoint(command.args)
        for file in command.args[:MAX_INNER]:
            written_to(file, command.stdin, files, behind=behind)
    elif command.name in EDITORS and any(map(_in_place.match, command.args)):
        edits = [edit for arg in command.args for edit in _edits(arg)][:MAX_EDITS]
        for arg in command.args[1:] if edits else ():
            if arg[:1] != "-" and not _edit.match(arg):
                files[plain(arg)] = _edited(edits, files.get(plain(arg), Flow(Origin.PLAIN, "")))


def _edits(script: str) -> list[tuple[str, str]]:
    """Return what the orders of an editor take out of a text, and what they put into it."""
    return [(old, new or other) for _, old, new, other in _edit.findall(script)]


def _edited(edits: list[tuple[str, str]], flow: Flow) -> Flow:
    """A text with its edits; what stands at a place that nobody knows stands at the end."""
    if flow.text is None or len(flow.text) > MAX_EDITED:
        return flow if flow.text is None else Flow(Origin.DECODED)
    text = flow.text
    for old, new in edits:
        text = text.replace(old, new)[:MAX_EDITED] if old and old in text else f"{text}\n{new}\n"
    return Flow(flow.origin, text)


MAX_EDITS = 64
"""Edits of one command that are followed."""

MAX_EDITED = 4_096
"""Characters of a text that is edited in mind; who runs a longer one runs what nobody has read."""

EDITORS = frozenset({"sed", "gsed", "perl"})
_in_place = re.compile(r"-(?:[npErsz0l]*i|-in-place)")
_edit = re.compile(r"(?:^|[;\n])[\d$,]*(?:s([^\w\s\\])([^\n]*?)\1([^\n]*?)\1|[aic]\\?\s*([^\n]+))")


def written_to(file: str, flow: Flow, files: Files, *, behind: bool) -> None:
    """Remember that this text is in a file, or behind what it held before."""
    before = files.get(plain(file)) if behind else None
    files[plain(file)] = flow if before is None else joined([before, flow])


def printed(command: Command, files: Files) -> Flow:
    """Return what it prints of these files; else what it prints by itself."""
    if command.name not in SHOWS:
        return output_of(command)
    some = [files[name] for arg in command.args if (name := plain(arg)) in files]
    if not some:
        return output_of(command)
    worst = max(one.origin for one in some)
    text = None if None in [one.text for one in some] else "".join(one.text or "" for one in some)
    flow = Flow(max(worst, Origin.FILE), text)
    edits = [edit for arg in command.args for edit in _edits(arg)][:MAX_EDITS]
    return _edited(edits, flow) if command.name in EDITORS else flow


SHOWS = frozenset({"cat", "sed", "gsed", "sort", "gsort", "uniq", "guniq"})
"""Programs that print a text which is known to stand in a file."""


def queries_of(command: Command, files: Files) -> list[str]:
    """What files hold that a database is told to read: `-f x.sql`, `source x.sql`, `@x.sql`."""
    if command.name not in SQL_TOOLS:
        return []
    ends = (arg.split()[-1] for arg in command.args if arg.strip())
    held = (files.get(plain(end.lstrip("@").rpartition("=")[2])) for end in ends)
    return [flow.text for flow in held if flow and flow.text]


def run_of(command: Command, files: Files) -> tuple[Flow, str] | None:
    """Return what a file holds that this command runs, and a script that does the same."""
    name = _imported(command, files) or _program(command)
    if source := _source(command, files):
        return source, as_code(SOURCE_READER, source.text or "")
    if command.name in _BUILD_FILES and not (command.name in LANGUAGES and plain(name) in files):
        flow = next((files[one] for one in _built_from(command) if one in files), None)
        return (flow, "\n".join(commands_in(flow.text or ""))) if flow else None
    flow = files.get(plain(name), files.get("*")) if name else None
    if flow:
        return flow, _as_run(command, name, flow.text or "")
    return _given(command, files)


def _source(command: Command, files: Files) -> Flow | None:
    """A source that a compiler is given or finds: it counts as if what is made of it ran."""
    name = _version.sub("", command.name).rpartition("-")[2]
    if name not in _COMPILERS or (name in _WITH_ORDERS and _RUNS.isdisjoint(command.args)):
        return None
    if command.stdin and {*command.args} - _RUNS <= _INPUTS:
        return command.stdin  # the grammar passes over a `-` before a here-document
    named = [files[one] for arg in command.args if (one := plain(arg)) in files]
    found = [flow for file, flow in files.items() if file.endswith(_COMPILERS[name])]
    return next(iter([*named, *found]), None)


SOURCE_READER = "cling"
"""An interpreter of any such language, for the code reader."""

_COMPILERS = {
    name: tuple(ends.split()) for name, ends in by_word("words/shell-flow:compilers").items()
}
COMPILERS = frozenset(_COMPILERS)
"""By name, without a version."""

_WITH_ORDERS = frozenset({"go", "cargo", "zig", "dotnet"})
_RUNS = word_set("run r test t build install bench script")
_version = re.compile(r"-?[\d.]+$")


def _built_from(command: Command) -> list[str]:
    """The files of a build tool: those that it names, or those that it takes by itself."""
    needed = _BUILD_ORDERS.get(command.name)
    if (needed and needed.isdisjoint(command.args)) or not _REHEARSES.isdisjoint(command.args):
        return []
    named = [plain(arg.rpartition("=")[2]) for arg in command.args if arg[:1] != "-" or "=" in arg]
    return [*named, *_BUILD_FILES[command.name]]


_BUILD_FILES = {
    name: files.split() for name, files in by_word("words/shell-flow:build_files").items()
}
_BUILD_ORDERS = {
    name: word_set(orders) for name, orders in by_word("words/shell-flow:build_orders").items()
}
_REHEARSES = words("words/shell-flow:rehearsing_options")


def _given(command: Command, files: Files) -> tuple[Flow, str] | None:
    """A file with orders that a program gets of which nobody knows that it is no shell."""
    if not reads_orders(command):
        return None
    held = (files[name] for arg in command.args if (name := plain(arg)) in files)
    flow = next((one for one in held if one.text and is_order(one.text)), None)
    return (flow, flow.text or "") if flow else None


def _program(command: Command) -> str:
    """The script that this command is, or hands to a shell or an interpreter."""
    path = command.path
    if "/" in path and not path.startswith(("/usr/", "/bin/", "/sbin/")):
        return path
    language = command.name.rstrip("0123456789.")
    if not word_set(LANGUAGES.get(language, "")).isdisjoint(command.args):
        return ""  # it is given code, and runs no file
    if command.name in SHELLS or language in LANGUAGES or command.name in {"source", "."}:
        return next((arg for arg in command.args if not arg.startswith("-")), "")
    return ""


def _imported(command: Command, files: Files) -> str:
    """`python -m x`, `python -c 'import x'`: the file of a module; empty: it is none of these."""
    if not command.name.startswith(("python", "pypy", "ipython")):
        return ""
    said = " ".join(command.args)[:MAX_SAID]
    names = (name for group in _modules.findall(said) for name in re.findall(r"\w+", group))
    return next((f"{name}.py" for name in names if f"{name}.py" in files), "")


MAX_SAID = 4_096
"""Characters of a command line in which modules are looked for."""

_modules = re.compile(r"(?:-m|\bimport|\bfrom)\s+(\w+(?:\s*,\s*\w+)*)")


def _as_run(command: Command, file: str, text: str) -> str:
    """A script that does what this program does with this text."""
    name = command.name if file != command.path else named_interpreter(text)
    return as_code(name, text) if name.rstrip("0123456789.") in LANGUAGES else text


def named_interpreter(text: str) -> str:
    """The program in the first line of a script: `#!/usr/bin/env python3`."""
    first = text.partition("\n")[0]
    return first.rpartition("/")[2].split()[-1] if first[:2] == "#!" and first[2:].strip() else ""


def as_code(language: str, text: str) -> str:
    """A script that hands it to this interpreter."""
    return f"{language} - <<'{_MARK}'\n{text}\n{_MARK}\n"


_MARK = "HOLDPOINT_FILE"


def commands_in(text: str) -> list[str]:
    """The commands in a makefile, a list of jobs or services, a pipeline or an image's recipe.

    How a line says that it holds one differs by format; each such sign is taken away in turn.
    """
    if text.lstrip()[:1] == "{" or '"scripts"' in text:
        return [*_in_json(text)][:MAX_INNER]
    lines = [line for line in _folded.sub(" ", text).splitlines() if line.strip()]
    return [one for line in lines for one in _in_line(line) if one.strip()][:MAX_INNER]


def _in_json(text: str) -> Iterator[str]:
    """The scripts of a package, and what is called a command in settings of an editor."""
    _, _, scripts = text.partition('"scripts"')
    for value in _value.findall(scripts.partition("}")[0]) + _command.findall(text):
        yield value.replace('\\"', '"').replace("\\n", "\n")


_value = re.compile(r":\s*\"((?:[^\"\\]|\\.)*)\"?")
_command = re.compile(r"\"\w*[cC]ommand\"\s*:\s*\"((?:[^\"\\]|\\.)*)\"")
_folded = re.compile(r"\\\n[ \t]*")


def _in_line(line: str) -> Iterator[str]:
    quoted = _quoted.findall(line)
    if match := _keyed.match(line):
        yield _unlisted(match[1])
    elif line[:1] in {"\t", " "} or _item.match(line):
        yield _item.sub("", line).strip().strip("\"'").lstrip("@-+").strip()
    elif match := _behind.match(line):
        yield match[1]
    elif not quoted:
        yield line
    yield from (one.replace('\\"', '"') for _, one in quoted if " " in one)


def _unlisted(text: str) -> str:
    """`["sh", "-c", "ls"]` as a shell would be given it."""
    bare = text.strip()
    if bare[:1] == "[" and bare[-1:] == "]":
        return re.sub(r"([\"'])\s*,\s*[\"']", r"\1 \1", bare[1:-1])
    return bare.strip("'\"")


_quoted = re.compile(r"(['\"])((?:[^'\"\\]|\\.)*)\1")
_item = re.compile(r"\s*- ")
_keyed = re.compile(
    r"\s*(?:- )?[\"']?(?:[\w.]*\.)?(?:shell|command|cmds?|run|raw|(?:\w+_)?script|args"
    r"|entry(?:point)?|sh)[\"']?:(?: |\Z)[|>+-]*(.*)"
)
_behind = re.compile(
    r"(?i)\s*(?:(?:ONBUILD\s+)?(?:RUN|CMD|ENTRYPOINT)\s+(?:--\S+\s+)*|Exec\w*\s*=\s*[-@:+!|]*"
    r"|@\w+\s+|(?:[*\d/,-]+\s+){5}|[\w.%/-]+\s*::?[^=;]*;)(.+)"
)
"""What stands in front of a command in images, units, tables of jobs and rules on one line."""

Found = list[tuple[Finding, Command]]
MAX_FILES = 200
"""Files of one text that are read; more of them go up."""

MAX_TEXT = 65_536
"""Characters of one file that are looked at: as many as a call holds."""

MAX_READ = 6_000
"""Characters of all commands in them that may take something away, which are read one by one."""

MAX_NAME = 24
MAX_SHOWN = 24
_WIPES = words("words/shell-flow:machine_wiping_rules")
_LANGUAGES = words("words/shell-flow:script_languages")
_CODE_DELETES = "shell.code-deletes"


def planted(files: Mapping[str, Flow], findings_in: Callable[[str], Found]) -> Iterator[Finding]:
    """Yield what these files would do; `findings_in` reads a shell text."""
    left = MAX_READ
    known = [(name, flow.text) for name, flow in files.items() if flow.text and runs_unasked(name)]
    for place, (name, text) in enumerate(known):
        run = _commands_of(name, text[:MAX_TEXT])
        left -= len(run)
        if left < 0 or place >= MAX_FILES:
            yield Finding(
                rule="file.unread",
                heuristic=Heuristic.UNCERTAINTY,
                level=RiskLevel.HIGH,
                reason=f"“{_short(name)}” deletes or overwrites more than anybody reads",
            )
            return
        yield from _wiping(name, run, findings_in) if run else ()


def settings(names: Iterable[str]) -> Iterator[Finding]:
    """Yield those of these files from which programs take settings, or that they run unasked."""
    return (_settings(name) for name in islice(names, MAX_FILES) if steers(name))


def _settings(name: str) -> Finding:
    return Finding(
        rule="file.settings",
        heuristic=Heuristic.CRITICALITY,
        level=RiskLevel.HIGH,
        reason=f"programs take settings from “{_short(name)}”, or run it unasked",
    )


def _commands_of(name: str, text: str) -> str:
    """Return what of its commands may take something away."""
    language = "python3" if name.endswith((".py", ".pth")) else named_interpreter(text)
    if language.rstrip("0123456789.") in _LANGUAGES:
        if len(text) > MAX_READ:
            return "\n".join(as_code(language, one[0]) for one in _deleted.finditer(text))
        return as_code(language, text) if _may_wipe(text) else ""
    makes = name.lower().endswith(("makefile", ".mk"))
    commands = recipes(text) if makes else commands_in(text)
    commands = [one.replace("$$", "$") for one in commands if _may_wipe(one)]
    if mounted := _disk.search(text):
        commands = [one.replace(mounted[1], "/") for one in commands]
    return "\n".join(commands)


def runs_unasked(name: str) -> bool:
    """Return whether something runs a file of this name without being told."""
    return steers(name) or _runs_by_itself(name.lower().replace("\\", "/"))


def _short(name: str) -> str:
    return beginning(name.rpartition("/")[2], MAX_NAME)


def _wiping(name: str, script: str, findings_in: Callable[[str], Found]) -> Iterator[Finding]:
    found = ((one, command) for one, command in findings_in(script) if _is_grave(one, command))
    for finding, command in islice(found, 1):
        said = beginning(shown(" ".join((command.path, *command.args))), MAX_SHOWN)
        reason = f"runs `{said}`, which {finding.reason}"
        if finding.rule == _CODE_DELETES:
            reason = "deletes the whole system or a home as soon as it is run"
        yield Finding(
            rule="file.planted",
            heuristic=finding.heuristic,
            level=RiskLevel.CRITICAL,
            reason=f"“{_short(name)}” {reason}",
        )


def _is_grave(finding: Finding, command: Command) -> bool:
    if finding.rule == _CODE_DELETES:
        read = (command.stdin and command.stdin.text) or ""
        paths = _deleted.findall("\n".join((read, *command.args)))
        return any(not path or place_of(path) is Place.ROOT for path in paths)
    if finding.level is not RiskLevel.CRITICAL:
        return False
    return finding.rule in _WIPES or any(place_of(arg) is Place.ROOT for arg in command.args)


_may_wipe = prefilter("(?i)" + pattern("patterns/shell:planted_files.may_wipe"))
"""Asked of each command first: most of them build something."""

_deleted = re.compile(pattern("patterns/shell:planted_files.deleted"))
_disk = re.compile(r"(?m)^\s*-\s*[\"']?/:(/[\w/.-]*\w)")
"""Where a list of services mounts the machine's disk: there it is the disk."""

_runs_by_itself = prefilter(pattern("patterns/shell:planted_files.runs_by_itself"))
