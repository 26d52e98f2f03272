"""Contents of files that the same text writes, piece by piece."""

import re
from collections.abc import Callable, Iterator
from itertools import islice

import msgspec

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.filters import edits
from holdpoint.core.risk.shell.inner_commands import MAX_INNER
from holdpoint.core.risk.shell.judge import KNOWN
from holdpoint.core.risk.shell.model import Command, Flow, Origin
from holdpoint.core.risk.shell.options import NONE, read_options
from holdpoint.core.risk.shell.output import MAX_TEXT, joined, output_of
from holdpoint.core.risk.shell.secrets import is_secret


def plain(file: str) -> str:
    """A file's last name, by which what is written is remembered."""
    return file.removeprefix("./").rpartition("/")[2]


def fetched(command: Command) -> str:
    """The file into which it writes what it fetches; empty when it prints it."""
    if command.name not in {"curl", "wget", "aria2c", "fetch"}:
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


def copied(command: Command, files: dict[str, Flow]) -> None:
    """Remember that another file holds the same."""
    if command.name == "dd":
        named = dict(arg.partition("=")[::2] for arg in command.args)
        source, target = named.get("if", ""), named.get("of", "")
    else:
        words = [arg for arg in command.args if not arg.startswith("-")]
        source, target = (words[0], words[-1]) if len(words) > 1 else ("", "")
    flow = files.get(plain(source)) or (_SECRET if is_secret(source) else None)
    if flow and target:
        files[plain(target)] = flow


_SECRET = Flow(Origin.SECRET)


def renamed(command: Command, aliases: dict[str, str]) -> None:
    """`cp /bin/rm x`, `ln -s /bin/rm x`: the program has another name."""
    words = [arg for arg in command.args if not arg.startswith("-")]
    if len(words) == len(("from", "to")) and _is_program(words[0]):
        name = words[1].removeprefix("./")
        for one in (name, f"./{name}"):
            aliases[one] = words[0]


def _is_program(file: str) -> bool:
    """`/bin/rm`; what `which` found of one that somebody knows goes by its name alone."""
    return file.startswith(_PROGRAMS) or file.removeprefix("./") in KNOWN


_PROGRAMS = ("/bin/", "/usr/bin/", "/sbin/", "/usr/sbin/", "/usr/local/bin/")


INTERPRETER = "cling"
"""Who runs a source of any such language as it stands."""


class Compiler(msgspec.Struct, frozen=True, kw_only=True):
    """A program that reads sources."""

    ends: tuple[str, ...]
    """How their names end."""

    makes: str = ""
    """What the product is called where nobody says it; empty: as its source without the end."""

    runs: frozenset[str] = NONE
    """Words with which it runs what it has made."""

    asked: frozenset[str] = NONE
    """Words without which it reads no source; empty: none needs to stand there."""


_C = Compiler(ends=(".c", ".cc", ".cpp", ".cxx", ".C", ".m", ".s", ".o"), makes="a.out")
_COMPILERS = {
    **dict.fromkeys(word_set("gcc g++ cc c++ clang clang++ gfortran icc"), _C),
    "tcc": msgspec.structs.replace(_C, runs=frozenset({"-run"})),
    "go": Compiler(
        ends=(".go",), runs=word_set("run test generate"), asked=word_set("run test build install")
    ),
    "rustc": Compiler(ends=(".rs",)),
    "cargo": Compiler(
        ends=(".rs",), runs=word_set("run r test t bench"), asked=word_set("run r test t bench")
    ),
    "zig": Compiler(ends=(".zig",), runs=word_set("run test")),
    "dotnet": Compiler(ends=(".cs", ".fs"), runs=word_set("run test script"),
                       asked=word_set("run test script")),
    **dict.fromkeys(["kotlinc", "kotlin"],
                    Compiler(ends=(".kt", ".kts"), runs=word_set("-script"))),
    **dict.fromkeys(["runghc", "runhaskell"], Compiler(ends=(".hs",), runs=frozenset({""}))),
    "ghc": Compiler(ends=(".hs",)),
    "nim": Compiler(ends=(".nim",), runs=word_set("r run -r --run")),
    **dict.fromkeys(["v", "odin", "crystal"], Compiler(ends=(".v", ".odin", ".cr"),
                                                       runs=word_set("run"))),
    "rdmd": Compiler(ends=(".d",), runs=frozenset({""})),
}  # fmt: skip
COMPILERS = frozenset(_COMPILERS)
"""By name."""


def built(command: Command, files: dict[str, Flow]) -> None:
    """Remember what its product does; nothing of it runs before somebody runs that."""
    compiler = _compiler(command.name)
    if compiler is None:
        return
    read = _read(compiler, command, files)
    if read:
        name, flow = read[0]
        text = "\n".join((f"#!/usr/bin/{INTERPRETER}", *(one.text or "" for _, one in read)))
        given = read_options(command.args, _OUTPUT).value(*_OUTPUT)
        stem = plain(name).rpartition(".")[0]
        product = given or (f"{stem}.o" if "-c" in command.args else compiler.makes or stem)
        files[plain(product)] = Flow(flow.origin, text)


def _compiler(name: str) -> Compiler | None:
    """Also under the name of a version or a machine: `gcc-12`, `x86_64-linux-gnu-gcc`."""
    return _COMPILERS.get(name) or _COMPILERS.get(_versioned.sub("", name).rpartition("-")[2])


_versioned = re.compile(r"-?[\d.]+$")


def source_of(command: Command, files: dict[str, Flow]) -> Flow | None:
    """The sources that it makes a program of and runs."""
    compiler = _compiler(command.name)
    if compiler is None or compiler.runs.isdisjoint((*command.args, "")):
        return None
    read = _read(compiler, command, files)
    texts = [flow.text or "" for _, flow in read]
    return Flow(read[0][1].origin, "\n".join(texts)) if read else None


def _read(compiler: Compiler, command: Command, files: dict[str, Flow]) -> list[tuple[str, Flow]]:
    """The sources that it names, or finds where it stands, or reads from its input."""
    if compiler.asked and compiler.asked.isdisjoint(command.args):
        return []
    if command.stdin and not _COMPILER_INPUTS.isdisjoint(command.args):
        return [("a", command.stdin)]
    named = [(arg, files[name]) for arg in command.args if (name := plain(arg)) in files]
    told = any(arg.startswith("-x") for arg in command.args)
    sources = [one for one in named if told or one[0].endswith(compiler.ends)]
    return sources or (list(_lying(compiler, files)) if compiler.asked else [])


def _lying(compiler: Compiler, files: dict[str, Flow]) -> Iterator[tuple[str, Flow]]:
    return ((name, flow) for name, flow in files.items() if name.endswith(compiler.ends))


_OUTPUT = frozenset({"-o", "--output", "-out"})
_COMPILER_INPUTS = frozenset({"-", "/dev/stdin", "/dev/fd/0"})


Files = dict[str, Flow]
Put = Iterator[tuple[str, Flow]]


def stored(command: Command, files: Files) -> None:
    """Remember what the files that it names hold from now on."""
    put = _PUTS.get(command.name)
    if put:
        for file, flow in put(command, files):
            files[plain(file)] = flow


def written_to(file: str, flow: Flow, files: Files, *, behind: bool) -> None:
    """Remember that this text is in a file, or behind what it held before."""
    name = plain(file)
    before = files.get(name) if behind else None
    files[name] = flow if before is None else _both(before, flow)


def _both(before: Flow, flow: Flow) -> Flow:
    """Two texts, one behind the other; what nobody has read stays unread."""
    known = [one for one in (before, flow) if one.text is not None]
    if len(known) == len((before, flow)):
        return joined(known)
    worst = max(before.origin, flow.origin)
    unread = worst in {Origin.REMOTE, Origin.DECODED} or not known
    return Flow(worst) if unread else Flow(worst, known[0].text)


def printed(command: Command, files: Files) -> Flow:
    """What it prints of these files, edited or as they are; else what it prints by itself."""
    if command.name not in SHOWS or _is_in_place(command):
        return output_of(command)
    scripts, names = _edit(command) if command.name in _EDITORS else ([], command.args)
    some = [_edited(scripts, one) for one in _held(names, command, files)]
    text = "".join(one.text or "" for one in some)[:MAX_TEXT]
    worst = max((one.origin for one in some), default=Origin.PLAIN)
    if worst > Origin.FILE:
        return Flow(worst, None if None in [one.text for one in some] else text)
    return Flow(Origin.FILE, text) if text else output_of(command)


def _held(names: tuple[str, ...], command: Command, files: Files) -> list[Flow]:
    """What is known of the files that it reads, or of its input."""
    if command.name in _EDITORS and not names:
        return [command.stdin or Flow(Origin.PLAIN, "")]
    unknown = Flow(Origin.PLAIN, "" if command.name in _EDITORS else None)
    return [files.get(plain(name), unknown) for name in names[:MAX_EDITED]]


_EDITORS = frozenset({"sed", "gsed"})


def _edit(command: Command) -> tuple[list[str], tuple[str, ...]]:
    """The scripts of sed, and the files that it reads."""
    told = [command.args[at + 1] for at, arg in enumerate(command.args[:-1]) if arg in _EXPRESSIONS]
    long = [arg[13:] for arg in command.args if arg.startswith("--expression=")]
    words = [arg for arg in command.args if not arg.startswith("-") and arg not in told]
    scripts = told + long
    return (["\n".join(scripts)], tuple(words)) if scripts else (words[:1], tuple(words[1:]))


_EXPRESSIONS = word_set("-e --expression -ne -Ee -re -ie -pe -pie")


def _edited(scripts: list[str], flow: Flow) -> Flow:
    """A text with what its edits put there; where they fit is known of plain texts alone."""
    every = [*islice((one for script in scripts for one in edits(script)), MAX_EDITS + 1)]
    if flow.text is None or not every:
        return flow
    text = flow.text
    for old, new in every:
        if len(every) > MAX_EDITS or len(text) + text.count(old or "\n") * len(new) > MAX_EDITABLE:
            return Flow(Origin.DECODED)
        text = text.replace(old, new) if old and old in text else f"{text.rstrip()}\n{new}\n"
    return Flow(flow.origin, text)


MAX_EDITABLE = 4_096
"""Characters of a text that is edited in mind; who runs a longer one runs what nobody has read."""

MAX_EDITED = 32
"""Files of one command that are edited in mind."""

MAX_EDITS = 64
"""Edits of one command that are followed; each of them may rewrite the whole text."""


def _in_place(command: Command, files: Files) -> Put:
    if _is_in_place(command):
        scripts, names = _edit(command)
        for name in names[:MAX_EDITED]:
            flow = _edited(scripts, files.get(plain(name), Flow(Origin.PLAIN, "")))
            if flow.text or flow.text is None:
                yield name, flow


def _is_in_place(command: Command) -> bool:
    """Whether it writes back what it edits, rather than to print it."""
    return command.name != "cat" and any(map(_writes_back.match, command.args))


_writes_back = re.compile(r"-(?:[npErsz0l]*i|-in-place)")


def _input(command: Command, files: Files) -> Put:
    """`tee x`, `tee -a x`, `sponge x`."""
    if command.stdin is None:
        return
    behind = not _APPENDS.isdisjoint(command.args)
    for word in command.args[:MAX_INNER]:
        before = files.get(plain(word)) if behind else None
        yield word, command.stdin if before is None else _both(before, command.stdin)


_APPENDS = word_set("-a --append -ai -ia")


def _copied(command: Command, _files: Files) -> Put:
    """`install -m 755 /dev/stdin x`, `cp - x`, `dd of=x`."""
    if command.stdin is None:
        return
    if command.name == "dd":
        named = dict(arg.partition("=")[::2] for arg in command.args)
        source, target = named.get("if", "-"), named.get("of", "")
    else:
        words = ("", *read_options(command.args, _COPY_VALUES).words)
        source, target = words[-2:] if len(words) > len(("", "x")) else ("", "")
    if source in _INPUTS and target:
        yield target, command.stdin


_COPY_VALUES = word_set("-m -o -g -S --mode --owner --group --suffix")
_INPUTS = frozenset({"-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"})


def _patched(command: Command, files: Files) -> Put:
    """The lines that a patch adds to each file."""
    if command.name == "git" and command.args[:1] not in {("apply",), ("am",)}:
        return
    known = [command.stdin, *(files.get(plain(arg)) for arg in command.args)]
    text = next((flow.text for flow in known if flow and flow.text), "")
    named = command.args[0] if command.name == "patch" and command.args else ""
    file = ""
    lines: dict[str, list[str]] = {}
    for line in text.splitlines():
        if line.startswith("+++ "):
            file = line[4:].partition("\t")[0].strip()
        elif line[:1] == "+":
            lines.setdefault(file, []).append(line[1:])
    for name, added in lines.items():
        flow = Flow(Origin.PLAIN, "\n".join((*added, "")))
        yield name, flow
        if named and named[:1] != "-":
            yield named, flow


def _formatted(command: Command, _files: Files) -> Put:
    """`find -fprintf x TEXT`."""
    args = command.args
    for at, arg in enumerate(args[:-2]):
        if arg == "-fprintf":
            yield args[at + 1], Flow(Origin.PLAIN, args[at + 2])


def _cut(command: Command, files: Files) -> Put:
    """`split x p_`: the first piece, under the names that it may have."""
    words = read_options(command.args, word_set("-l -b -n -a -C --lines --bytes")).words
    source = (*words, "-")[0]
    flow = command.stdin if source == "-" else files.get(plain(source))
    if flow:
        prefix = (*words, "-", "x")[1] if len(words) > 1 else "x"
        for end in ("aa", "00"):
            yield prefix + end, flow


FINDERS = frozenset({"find", "gfind"})
"""Programs that do so where an option says it."""

_PUTS: dict[str, Callable[[Command, Files], Put]] = {
    **dict.fromkeys(["tee", "sponge"], _input),
    **dict.fromkeys(["cp", "mv", "install", "ln", "dd"], _copied),
    **dict.fromkeys([*_EDITORS, "perl"], _in_place),
    **dict.fromkeys(["patch", "git"], _patched),
    **dict.fromkeys(FINDERS, _formatted),
    "split": _cut,
}
SHOWS = _EDITORS | {"cat"}
"""Programs that print a text which is known to stand in a file."""

PUTS = frozenset(_PUTS) - {"git", *FINDERS}
"""Programs that may put a text into a file that they name."""
