"""Programs that are made of sources, or run from them: what was written runs as it stands there.

```
gcc a.c && ./a.out    rustc a.rs    go build -o x    a program that does what its source says
go run a.go    cargo run    zig run a.zig            the same, at once
```
"""

import re
from collections.abc import Iterator

import msgspec

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.made import plain
from holdpoint.core.risk.shell.model import Command, Flow
from holdpoint.core.risk.shell.options import NONE, read_options

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
    if command.stdin and not _INPUTS.isdisjoint(command.args):
        return [("a", command.stdin)]
    named = [(arg, files[name]) for arg in command.args if (name := plain(arg)) in files]
    told = any(arg.startswith("-x") for arg in command.args)
    sources = [one for one in named if told or one[0].endswith(compiler.ends)]
    return sources or (list(_lying(compiler, files)) if compiler.asked else [])


def _lying(compiler: Compiler, files: dict[str, Flow]) -> Iterator[tuple[str, Flow]]:
    return ((name, flow) for name, flow in files.items() if name.endswith(compiler.ends))


_OUTPUT = frozenset({"-o", "--output", "-out"})
_INPUTS = frozenset({"-", "/dev/stdin", "/dev/fd/0"})
