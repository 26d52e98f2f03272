"""One-liners in other languages: what they delete, overwrite and run."""

import re
from collections.abc import Iterator
from itertools import islice

import re2

from holdpoint.core.prefilter import QUIET
from holdpoint.core.risk.extract.payments import commits
from holdpoint.core.risk.knowledge import any_of, pattern, words
from holdpoint.core.risk.model import Finding
from holdpoint.core.risk.shell.code_requests import TANGLED, grave_requests, leaks
from holdpoint.core.risk.shell.data_transfer import SENT
from holdpoint.core.risk.shell.filesystem_commands import KEPT
from holdpoint.core.risk.shell.inner_commands import MAX_INNER, Found, Inner
from holdpoint.core.risk.shell.lexer import unescape
from holdpoint.core.risk.shell.model import HIGH, hole
from holdpoint.core.risk.shell.obfuscation import (
    OWN_QUOTES,
    decodes,
    evaluates,
    in_common_spelling,
    piped_commands,
    without_aliases,
)
from holdpoint.core.risk.shell.paths import STORES, Place, is_made_again, place_of
from holdpoint.core.risk.tools.names import tool_name
from holdpoint.core.risk.wording import Form, Kind
from holdpoint.core.risk.words import word_set
from holdpoint.messages.risk import RiskLevel

EMPTIED = Finding("shell.code-empties", HIGH, "empties files through an interpreter", "truncate")
_ANY = r"(?:[^()]|\([^()]*\))*"
"""What stands in brackets, with brackets in it."""

_NONE = r"b?(?:''|\"\"|``|null|None|Buffer\.alloc\(0\))"
_FOR_WRITING = r"(?:mode\s*[=:]\s*)?['\"][wW]b?\+?b?['\"]"
_may_empty = re2.compile(
    r"/dev/null|\bf?open\w*\s*\(?|\bwrite|put_contents|\btruncate|\bnewWriter|\bFile\b", QUIET
)
_put_nowhere = re2.compile(
    rf"\b(?:os|shutil|File|FileUtils|Files)\s*\.\s*(?:replace|move\w*|mv)"
    rf"\s*\(?{_ANY},\s*['\"]/dev/null['\"]|\brename(?:Sync)?\s*\(?{_ANY},\s*['\"]/dev/null['\"]"
    r"|\.\s*(?:rename|replace)\(\s*(?:\w+\(\s*)?['\"]/dev/null['\"]\s*\)",
    QUIET,
)
_left_empty = re2.compile(
    rf"\.\s*write_?(?:text|bytes)\(\s*(?:data\s*=\s*)?{_NONE}\s*[,)]"
    rf"|\b(?:(?:writeFile|outputFile)(?:Sync)?|file_put_contents|(?:File|IO)\.(?:bin)?write)\s*\(?"
    rf"{_ANY},\s*{_NONE}\s*[,);]|\btruncate\w*\s*\(\s*(?:\w+\s*,\s*)?0?\s*\)"
    rf"|\bopen(?:Sync)?\s*\({_ANY},\s*{_FOR_WRITING}{_ANY}\)\s*(?:\.\s*close\b|\{{\s*(?:\|\w*\|)?\s*\}}"
    r"|(?:as\s+\w+\s*)?:\s*(?:pass\b|\.\.\.|None\b))",
    QUIET,
)
_opened = re2.compile(
    rf"\bf?open(?:Sync)?\b\s*\(?{_ANY},\s*(?:{_FOR_WRITING}|['\"]\+?>['\"])"
    r"|\bopen\s*\(?\s*\w+\s*,\s*['\"]\+?>\s*[^>'\"&]",
    QUIET,
)
_nothing_said = re2.compile(rf"\bwrite\w*\s*\(\s*(?:\w+\s*,\s*)?{_NONE}\s*\)", QUIET)
_says = re2.compile(pattern("patterns/shell:code_analyzer.says"), QUIET)
_finds = re2.compile(pattern("patterns/shell:code_analyzer.finds"), QUIET)
"""Where code asks which files there are."""


def empties_files(code: str, strings: list[str]) -> bool:
    """Return whether it leaves nothing of files that are data, or of whatever it finds."""
    if not _may_empty.search(code):
        return False
    if _put_nowhere.search(code):
        return True
    said = str(_nothing_said.sub(" ", code))
    blank = _left_empty.search(code) or (_opened.search(said) and not _says.search(said))
    if not blank:
        return False
    files = [one for one in strings if _is_file(one)]
    named = [one for one in strings if one[:1] == "/" and " " not in one]
    return any(map(_is_data, (*files, *named))) or (_finds.search(code) is not None and not files)


def _is_file(word: str) -> bool:
    """Return whether it names one file, as far as its form tells."""
    last = word.rpartition("/")[2]
    return "." in last.strip(".*") and " " not in word and last[-1:].isalnum() and "(" not in word


def _is_data(path: str) -> bool:
    """Return whether nobody makes it again: a database, a table, a file of a service."""
    place = place_of(path)
    if place in _SCRATCH or path.startswith(_VOLATILE):
        return False
    return path.endswith((*KEPT, *STORES)) or (place in _GRAVE and not path.endswith(_MARKS))


_SCRATCH = frozenset({Place.SCRATCH, Place.SCRATCH_ALL, Place.BUILD})
_GRAVE = frozenset({Place.SYSTEM, Place.PRIVATE, Place.DEVICE})
_VOLATILE = ("/run/", "/var/run/", "/proc/", "/sys/", "/dev/null", "/dev/std", "/dev/tty")
_MARKS = (".lock", ".pid", ".log", ".py", ".keep", ".gitkeep", ".flag", ".done", ".ready", ".ok")
"""Files that are empty, or that are emptied, by trade."""

_AFTER = r"\s*(?:,\s*(?:\{[^{}'\"()]*\}|\w+\s*[=:]\s*\w+|\w+))?\s*"
_removal = re.compile(
    r"(?:\bshutil\s*\.\s*|\bos\s*\.\s*|\bfs\s*\.\s*(?:promises\s*\.\s*)?|\bFileUtils\s*\.\s*"
    r"|\bFile::Path::|\brequire\s*\(\s*['\"](?:node:)?fs(?:-extra|/promises)?['\"]\s*\)\s*\.\s*"
    r"|(?<![\w.]))"
    rf"(?:{any_of('words/shell-flow:functions.removing')})"
    rf"(?:\s*\(\s*(?P<quote>['\"])(?P<path>[^'\"\n]*)(?P=quote){_AFTER}\)"
    r"|\s+(?P<mark>['\"])(?P<bare>[^'\"\n]*)(?P=mark)\s*(?=[;}\n]|$))"
)


def without_own_builds(code: str) -> str:
    """The code without calls that remove one such place; nobody may go to another folder before."""
    if "chdir" in code or "cd(" in code:
        return code
    return _removal.sub(_left, code)


def _left(call: re.Match[str]) -> str:
    return " " if is_made_again(call["path"] or call["bare"] or "") else call[0]


MAX_CODE = 16_384
"""Characters of code that are looked at."""

MAX_STRINGS = 400
_deletes = re2.compile(pattern("patterns/shell:code_analyzer.deletes"), QUIET)
_NAMES = r"(?:remove|unlink|rmdir|rmtree|removedirs|truncate|system|popen|rem)"
_reflects = re2.compile(
    rf"(?s)(?:__dict__|\bvars\s*\(|\bgetattr\b|__getattribute__|\bmethodcaller\b|\battrgetter\b)"
    rf"[^;\n]{{0,40}}['\"]{_NAMES}['\"]|\bfrom\s+(?:os|shutil)\s+import\s+\*.*\b{_NAMES}\s*\("
    rf"|\b(?:posix|(?:modules|globals\(\)|locals\(\))\s*\[\s*['\"]\w+['\"]\s*\])\s*\.\s*{_NAMES}\b",
    QUIET,
)
"""Where a call that deletes is named by a text or brought in by a star."""

_overwrites = re2.compile(pattern("patterns/shell:code_analyzer.overwrites"), QUIET)
_runs = re2.compile(pattern("patterns/shell:code_analyzer.runs"), QUIET)
_fetches = re2.compile(pattern("patterns/shell:code_analyzer.fetches"), QUIET)
_shells_out = re2.compile(pattern("patterns/shell:code_analyzer.shells_out"), QUIET)
_kills_all = re2.compile(r"\b(?:os|process|Process)\s*\.\s*kill\s*\(?\s*-1\b", QUIET)
_bomb = re2.compile(r"while\s*\(?\s*(?:True|1|true)\s*\)?.{0,8}(?:os\.)?fork|fork while", QUIET)
_string = re.compile(
    r"""'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`([^`]*)`|%x[({]([^)}]*)[)}]"""
)
_list = re2.compile(r"(?:\bqw|%w)\s*(?:\(([^)]*)\)|\[([^\]]*)\]|\{([^}]*)\}|/([^/]*)/)", QUIET)
"""Words without quotes, in Perl and Ruby."""

_glued = re.compile(r"""(?<=\w)(?:"\s*(?:\.{1,2}|\+)\s*"|'\s*(?:\.{1,2}|\+)\s*')(?=\w)""")
"""Where a text is put together from two."""


def read_code(code: str, language: str) -> Found:
    """Return what this code does to the world, as far as its calls tell."""
    text = in_common_spelling(code[:MAX_CODE], language)
    if language in _SAYING and only_says(text):
        return []
    text = _glued.sub("", text)
    whole = without_aliases(text) if language.startswith("python") else text
    text = without_own_builds(_without_mentions(whole, language))
    found: Found = [
        Finding(rule, level, reason, verb)
        for pattern, rule, level, reason, verb in _CALLS
        if pattern.search(text)
    ]
    every = _strings(text)
    strings = every[:MAX_STRINGS]
    found += [*grave_requests(text, strings), *orders_to_services(text)]
    found += [EMPTIED] if empties_files(text, strings) else []
    found += [SENT] if leaks(whole, strings) else []
    found += [Inner(script=one) for one in piped_commands(text)] if language in OWN_QUOTES else []
    if text.split(maxsplit=1)[:1] in _COMMANDS:
        found.append(Inner(script=text))
    if _runs.search(_untagged(text, language)) or language in {"awk", "applescript"}:
        turned = [one[::-1] for one in strings] if _turns.search(text) else []
        said = [_with_unknown_parts(one, language) for one in strings]
        more = UNKNOWN_PART if _ends_in_name.search(text) else ""
        found += [Inner(script=one) for one in (*_scripts(said, more), *turned)]
        found += [TANGLED] if len(every) > MAX_STRINGS else []
    if decodes(text) and evaluates(text, language):
        found.append(_OPAQUE)
    if _fetches.search(text) and evaluates(text, language):
        found.append(_FETCHED)
    return found


def orders_to_services(code: str) -> Iterator[Finding]:
    """Yield what the first method of a service's client that takes away or pays does."""
    if not _client.search(code):
        return
    for thing, method in islice(dict.fromkeys(_method.findall(code)), MAX_METHODS):
        verb = _order(method) or ("pay" if commits(f"{method}_{thing}") else "")
        if verb:
            reason = f"tells a service to do what `{method}` says"
            yield Finding("shell.code-order", HIGH, reason, verb)
            return


def _order(method: str) -> str:
    """Return the verb of a method that takes away or pays, judged as a tool of that name."""
    name = tool_name(method)
    verb = name.verb
    if verb is None or verb.form is not Form.BASE or name.words in _MILD_METHODS:
        return ""
    grave = verb.kind in {Kind.DELETE, Kind.PAYMENT} or name.final
    return verb.base if grave else ""


MAX_METHODS = 200
_client = re2.compile(
    rf"(?:\b(?:import|from|use|using)\s+|\brequire\b\W{{1,4}}|\bfrom\s*['\"])(?:{any_of('words/shell-flow:functions.clients')})\b"
)
_method = re.compile(r"(\w*)(?:\.|\bnew\s+)([A-Za-z_]\w{2,60})\s*(?:\(|!)")
_MILD_METHODS = frozenset((word,) for word in words("words/shell-flow:functions.mild_methods"))

UNKNOWN_PART = hole("part")
"""A part that code puts into a command, or behind it."""

_TEMPLATES = word_set("node nodejs bun deno tsx")
"""Languages in which a backtick begins a text, and a command only behind a name."""

_template = re.compile(r"(?<![\w$])(?<!\$\s)`([^`]*)`")
_placed = re.compile(r"#\{[^{}]*\}")
_placed_in_template = re.compile(r"\$\{[^{}]*\}")
_placed_code = re.compile(r"[#$]\{([^{}]*['\"][^{}]*)\}")
_unended = re.compile(r"\S([ \t]+|=|[ \t]-\S*)\Z")
_ends_in_name = re2.compile(r"['\"]\s*,\s*(?:\*|\.\.\.)?[$@]?\w[\w.]*(?:\[\w+\])?\s*\]", QUIET)
"""A list of words that ends in one that is no text: `["dropdb", name]`."""


def _untagged(code: str, language: str) -> str:
    """The code with templates that no function takes as other texts are written."""
    return _template.sub(r"'\1'", code) if language in _TEMPLATES else code


def _with_unknown_parts(said: str, language: str) -> str:
    """A text as a shell reads it once it is put together; what ends in a blank goes on."""
    said = (_placed_in_template if language in _TEMPLATES else _placed).sub(UNKNOWN_PART, said)
    end = _unended.search(said)
    return said + " " * (end[1][-1:] not in " \t=") + UNKNOWN_PART if end else said


_turns = re2.compile(r"\[\s*:\s*:\s*-1\s*\]|\breverse\b")
_obeys = re2.compile(pattern("patterns/shell:code_analyzer.obeys"))


def runs_input(code: str) -> bool:
    """Return whether a text that it reads is run as it is."""
    return _obeys.search(code) is not None


_CALLS = (
    (_deletes, "shell.code-deletes", RiskLevel.HIGH, "deletes through an interpreter", "delete"),
    (_reflects, "shell.code-deletes", RiskLevel.HIGH, "deletes through an interpreter", "delete"),
    (_overwrites, "shell.code-overwrites", RiskLevel.HIGH, "overwrites a system file", "overwrite"),
    (_shells_out, "shell.reverse-shell", RiskLevel.CRITICAL,
     "gives another machine a shell on this one", "open"),
    (_kills_all, "shell.kill-all", RiskLevel.CRITICAL, "ends every process", "kill"),
    (_bomb, "shell.fork-bomb", RiskLevel.CRITICAL, "starts processes without end", "start"),
)  # fmt: skip
_COMMANDS = (["rm"], ["shred"], ["dd"], ["git"], ["mkfs"], ["sudo"])
"""Commands that are handed to the wrong interpreter by mistake; it may be a shell after all."""

_FETCHED = Finding(
    "shell.fetched-code", RiskLevel.HIGH, "runs code fetched from the network, unseen", "run"
)
_OPAQUE = Finding(
    "shell.hidden-code", RiskLevel.HIGH, "runs code that is hidden behind an encoding", "run"
)

_names = re.compile(r"[A-Za-z_$]\w*")
_inserts = ("`", "#{", "${", "@{", "%x", "{$")
_SAYS = words("words/shell-flow:printing_names")
"""What code that only prints or measures a text may call."""

_said = re.compile(
    r"""(?:\b([A-Za-z_]\w*)\s*=\s*)?"""
    r"""(?:(?<![A-Za-z_])[rbu]?'(?:[^'\\\n]|\\.)*'|(?<![A-Za-z_])[rbu]?"(?:[^"\\\n]|\\.)*")"""
)
_bound = re.compile(r"\b([A-Za-z_]\w*)\s*=(?!=)|\bfor\s+(\w+)\s+in\b|\bdef\s+(\w+)\((\w*)\)")
"""Names that the code gives to what it has made; of harmless calls only a text can come."""


def only_says(code: str) -> bool:
    """Return whether it prints or measures texts, and calls nothing else."""
    if any(sign in code for sign in _inserts) or _loads.search(code):
        return False
    named = {match[1] for match in _said.finditer(code)}
    bare, count = _said.subn(" ", code)
    if not count:
        return False
    named.update(name for names in _bound.findall(bare) for name in names)
    return all(name in _SAYS or name in named for name in _names.findall(bare))


_PART = r"(?:require\(['\"][\w:/]+['\"]\)|[\w.:])[\w.:]*"
_shown = re2.compile(
    rf"\b(?:{any_of('words/shell-flow:functions.showing')}|inspect\.\w+)\s*\(\s*{_PART}\s*\)"
    rf"|\btypeof\s+{_PART}"
    rf"|{_PART}\.(?:__doc__|__name__|__module__|length|name|toString\(\))(?:\W|\z)",
    QUIET,
)
"""Where a function is only shown or measured, in languages that call it by brackets alone."""

_asked_for = re2.compile(pattern("patterns/shell:code_analyzer.asked_for"), QUIET)
"""Where it is asked whether there is such a function, or it is told to do nothing."""

_BY_BRACKETS = words("words/shell-flow:languages_calling_by_brackets")
_SAYING = _BY_BRACKETS | {"ruby", "perl"}
"""Languages of which `_SAYS` is true: in R or Julia, `write` makes a file."""

_loads = re.compile(r"\b(?:import|from)\s*[('\"]")
"""A module that is named by a text, which may be its code."""


def _without_mentions(code: str, language: str) -> str:
    """The code without the names of functions that it does not call."""
    code = str(_asked_for.sub(" ", code))
    for _ in range(MAX_NESTED if language in _BY_BRACKETS else 0):
        left = str(_shown.sub(" ", code))
        if left == code:
            break
        code = left
    return code


MAX_NESTED = 3
"""How deep what only shows a function may stand in what only shows that."""


def _strings(code: str) -> list[str]:
    """Its texts, also those of code that stands in a text."""
    code = " ".join((code, *_placed_code.findall(code)))
    found = [
        unescape(
            next((part for part in match.groups() if part is not None), "").replace("\\$", "$")
        )
        for match in _string.finditer(code)
    ]
    for match in _list.finditer(code):
        found += next(filter(None, match.groups()), "").split()
    return [one for one in found if one]


def _scripts(strings: list[str], more: str) -> list[str]:
    """Each string may be a command; together they may be one, as a list or glued.

    `execlp("git", "git", "push")` names the program twice. `more`: an unknown word of the list.
    """
    said = [one for one in strings if one not in _MODULES]
    if len(said) > 1 and said[0].rpartition("/")[2] == said[1]:
        said = said[1:]
    together = " ".join((*said, *filter(None, (more,))))
    glued = "".join(said)
    turned = " ".join(reversed(said))
    return list(dict.fromkeys((*strings, together, glued, turned)))


_MODULES = frozenset({"subprocess", "child_process", "node:child_process", "os"})
"""Strings that only name what runs the others."""

NOTEBOOKS = word_set("ipython jupyter")
"""Programs that read code so."""

_line = re.compile(
    r"(?m)^[ \t]*(?:[\w, \t]{1,80}=[ \t]*)?"
    r"(?:!{1,2}|%{1,2}(?:sx|system|sc|alias\s+\w+)\s|%(?=(?:rm|mv|cp|rmdir)\s))[ \t]*(.+)"
)


def notebook_commands(code: str) -> Found:
    """The lines that a shell gets: `!ls`, `%rm x`, and a cell of `%%bash`."""
    lines = [*_line.findall(code), *(one or other for one, other in _cell.findall(code))]
    return [Inner(script=line) for line in lines[:MAX_INNER]]


_cell = re.compile(
    r"(?s)(?:\A\s*%%(?:bash|sh|script|zsh|!)[^\n]*\n(.*))|(?:\.system|run_(?:line|cell)_magic)"
    r"\s*\((?:\s*['\"]\w*['\"]\s*,)*\s*['\"](.*?)['\"]"
)
