"""Files that a command line runs: what they hold is part of what people say yes to.

`bash tidy.sh` says nothing about what it does, and an agent may write the file after the card was
drawn. So each such file is bound by its digest, and its text is shown. Found are names with a
script's ending, what stands behind an interpreter, what may be executed, and what `make` and its
kin look for. A name that only a variable knows cannot be bound.
"""

import hashlib
import os
import re
import stat
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import msgspec

from holdpoint.domains.settings import ShellSettings
from holdpoint.domains.shell.files import READ, readable

MAX_FILES = 64
MAX_WORDS = 2_000
"""Words that are looked at for what may be executed; scripts by their names are always seen."""

MAX_FOLDERS = 4
MAX_BYTES = 4 * 1024 * 1024
MAX_LINES = 40
MAX_SHOWN = 4_000
"""Characters of all files' text together that a card shows."""

ABSENT = ""
UNBOUND = "unbound"
"""Stands for the digest of a file that cannot be read: then nobody can say yes to it."""

_word = re.compile(r"[^\s'\"`;|&<>(){}$=,:\\]+")
_variable = re.compile(r"\$\w+|\$\{[^}]*\}")
_script = re.compile(
    r".+\.(?:(?:ba|z|k|c|fi)?sh|pyw?|p[lm]|rb|[mc]?js|ts|php|lua|r|jl|awk|mk|sql|exs|tcl|groovy)",
    re.IGNORECASE,
)
_shell = re.compile(r"(?:ba|da|z|k|fi|c|tc)?sh|source")
_language = re.compile(
    r"(?:python|pypy|perl|ruby|node|deno|bun|php|lua|julia|tclsh|expect|groovy|elixir)[\d.]*"
    r"|Rscript|ansible-playbook"
)
_sourced = re.compile(r"(?:^|[;&|({\n]|\b(?:then|do|else))[ \t]*\.[ \t]+['\"]?([^\s'\";|&]+)")
_LOOKED_FOR = {
    "make": ("GNUmakefile", "makefile", "Makefile"),
    **dict.fromkeys(("npm", "npx", "yarn", "pnpm", "bun"), ("package.json",)),
    "rake": ("Rakefile",), "just": ("justfile", "Justfile"), "tox": ("tox.ini",),
    "gradle": ("build.gradle",), "ant": ("build.xml",), "mvn": ("pom.xml",),
}  # fmt: skip
"""Files that a program runs without being told of them."""


class Script(msgspec.Struct, frozen=True, kw_only=True):
    """A file that would run, as it is now."""

    name: str
    digest: str
    """Of its bytes, SHA-256; `ABSENT` where there is none, `UNBOUND` where nobody can say."""

    text: str = ""


def scripts_of(command: str, settings: ShellSettings) -> tuple[Script, ...]:
    """Each file in the folders that agents may write which this command line runs."""
    found: list[Script] = []
    for name, surely in _named(command).items():
        if len(found) > MAX_FILES:
            return (*found, Script(name="…", digest=UNBOUND))
        if script := _as_it_is(name, settings, surely=surely):
            found.append(script)
    return tuple(found)


def digests(scripts: tuple[Script, ...]) -> dict[str, str]:
    """Return what each must still hold when the command runs."""
    return {one.name: one.digest for one in scripts}


def shown(scripts: tuple[Script, ...]) -> tuple[str, ...]:
    """Return the text of those that exist, for a card, line by line, as far as there is room."""
    lines: list[str] = []
    room = MAX_SHOWN
    for one in (it for it in scripts if it.digest != ABSENT):
        lines.append(f"{one.name} {_said(one)}")
        text = one.text[:room].splitlines()[:MAX_LINES]
        lines += [f"    {line}" for line in text]
        left = len(one.text.splitlines()) - len(text)
        lines += [f"    … {left} more lines"] if left > 0 else []
        room = max(0, room - len(one.text))
    return tuple(lines)


def _said(one: Script) -> str:
    return "cannot be read" if one.digest == UNBOUND else "would run, and says:"


def _named(command: str) -> dict[str, bool]:
    """Names in the text that may be files, and whether they surely run."""
    words = _word.findall(_variable.sub("\0", command))
    after_cd = [after for word, after in pairwise(words) if word == "cd"]
    folders = [Path(), *map(Path, after_cd[:MAX_FOLDERS])]
    certain = {*filter(_script.fullmatch, words), *_sourced.findall(command), *_operands(words)}
    looked_for = {name for word in words for name in _LOOKED_FOR.get(Path(word).name, ())}
    known = dict.fromkeys(certain | looked_for, True)
    possible = dict.fromkeys((word for word in words[:MAX_WORDS] if word[0] != "-"), False)
    return {
        str(folder / name): surely
        for name, surely in (possible | known).items()
        for folder in folders
        if "\0" not in name
    }


def _operands(words: list[str]) -> Iterator[str]:
    """Yield what stands behind an interpreter that is not given its program in the line itself."""
    kind: re.Pattern[str] | None = None
    for word in words:
        if kind is not None and word[0] == "-":
            inline = "c" if kind is _shell else "ceEmrpV"
            kind = None if set(inline) & set(word[1:]) and word[:2] != "--" else kind
            continue
        if kind is not None:
            yield word
        program = word.rpartition("/")[2]
        kind = next((one for one in (_shell, _language) if one.fullmatch(program)), None)


def _as_it_is(name: str, settings: ShellSettings, *, surely: bool) -> Script | None:
    """None for what is nowhere that agents write, and for data."""
    path = Path(os.path.realpath(settings.root / name))
    if not any(path.is_relative_to(base) for base in (settings.root, *settings.write_paths)):
        return None
    try:
        raw, runs = _read(path)
    except FileNotFoundError:
        return Script(name=name, digest=ABSENT) if surely else None
    except OSError:
        return Script(name=name, digest=UNBOUND) if surely else None
    if raw is None or not (surely or runs):
        return None
    if len(raw) > MAX_BYTES:
        return Script(name=name, digest=UNBOUND)
    return Script(name=name, digest=hashlib.sha256(raw).hexdigest(), text=readable(raw[:MAX_SHOWN]))


def _read(path: Path) -> tuple[bytes | None, bool]:
    """A file's bytes, None for what is no file; and whether it may be executed."""
    descriptor = os.open(path, READ)
    with os.fdopen(descriptor, "rb") as file:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            return None, False
        raw = file.read(MAX_BYTES + 1)
    return raw, bool(status.st_mode & stat.S_IXUSR) or raw.startswith(b"#!")
