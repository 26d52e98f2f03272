"""Variables: what an assignment or a declaration leaves in the scope."""

import re
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence

from holdpoint.core.risk.knowledge import any_of, entry, pattern
from holdpoint.core.risk.model import Finding
from holdpoint.core.risk.shell.expansion import Expander
from holdpoint.core.risk.shell.lexer import KEYWORDS
from holdpoint.core.risk.shell.model import FILL, HOLE, HOLE_END
from holdpoint.core.risk.shell.scope import (
    APART,
    HOOKS,
    NAMES,
    RUN_LATER,
    Scope,
    begins_unread,
    is_unread,
    leads,
    substitutes,
)
from holdpoint.core.risk.words import word_set
from holdpoint.messages.risk import RiskLevel

_RUN_BY_KIND = frozenset({"PAGER", "EDITOR", "BROWSER", "ASKPASS", "WRAPPER", "LAUNCHER"})
"""The same, by the last part of their names."""

_OPTIONS_OF: Mapping[str, str] = entry("words/shell-flow:variables.options_of")
"""Variables whose value programs take for words of their own, and such a program."""

_EXPANDED = word_set("PS0 PS1 PS2 PS4")
"""Prompts: what they substitute runs when they are shown."""

_READ_FIRST = word_set("BASH_ENV ENV ZDOTDIR")
"""Variables that name a file which a shell runs before anything else."""

_hooks = re.compile(pattern("patterns/shell:assignments.hooks"), re.DOTALL | re.IGNORECASE)
"""Settings that make a program run a file before what it is asked for, or in its place."""

_HOOKED = Finding(
    "shell.hooked", RiskLevel.HIGH, "makes programs run a file that nobody asked for", "run"
)

_keyed = re.compile(r"\[([^\]]*)\]=(.*)", re.DOTALL)


def assign(expander: Expander, text: str, elements: list[str]) -> str:
    """`x=…`, `x+=…`, `x[0]=…`, `x=(a b)`, whose elements are given; the name is given back."""
    said, _, value = text.partition("=")
    name = said.removesuffix("+")
    if "[" in said:
        name = _subscripted(expander, text, name)
    if value.startswith("("):
        _array(expander, name, elements, _held(expander, name) if said != name else [])
        if name in RUN_LATER:
            run_later(expander, name, expander.scope.get(f"{name}[*]") or "")
        return name
    before = expander.scope.get(name) if said != name else None
    known = (before or "") + expander.text(value)
    expander.scope.put(name, known)
    if expander.scope.latent and name in expander.scope.counted:
        expander.evaluated(known)
    run_later(expander, name.partition("[")[0], known)
    return name


def _subscripted(expander: Expander, text: str, name: str) -> str:
    """A subscript is evaluated: `a[$(…)]=1`, `a[x]=1`; the name of which something is known."""
    scope = expander.scope
    subscript = expander.text(text.partition("=")[0].partition("[")[2])
    scope.evaluates(subscript)
    scope.loads_code |= any(map(leads, NAMES.findall(text.partition("]")[0])))
    if scope.latent or "$(" in text or "`" in text:
        expander.evaluated(text)
    return name


def run_later(expander: Expander, name: str, value: str) -> None:
    """What other programs run because this variable says so."""
    if name in RUN_LATER or name.rpartition("_")[2] in _RUN_BY_KIND:
        expander.run(value)
    elif name in _OPTIONS_OF:
        expander.run(_OPTIONS_OF[name].format(value, quoted=shlex.quote(value)))
    elif name in _EXPANDED:
        expander.body(value)
    elif name in _READ_FIRST and value and HOLE not in value:
        expander.run(f". {shlex.quote(value)}")


def other_words(
    expander: Expander, raw: Sequence[str], words: Sequence[str]
) -> Iterator[tuple[str, ...]]:
    """A variable may hold any value that it ever had; an argument may be nothing: `r$@m`."""
    bare = _argument.sub("" if '"' in raw[0] else "''", raw[0])
    if bare != raw[0]:
        plain = [word for one in (bare, *raw[1:]) for word in expander.words(one)]
        if plain and plain[0]:
            yield tuple(plain)
    values = expander.scope.values.get(raw[0].strip('"{}$').partition("[")[0], [])
    for value in values[:-1][-3:]:
        other = value.split()
        if other and other != list(words[:1]):
            yield (*other, *words[1:])


_argument = re.compile(r"\$(?:[@*1-9]|\{[@*1-9]\})")


def without_unknown(words: Sequence[str], *, all_vanish: bool) -> Iterator[tuple[str, ...]]:
    """Yield a command without words of which nothing is known: each may be empty, or an option.

    `all_vanish`: also those behind the last known word may, as in `bash $X`.
    """
    unknown = [at for at, word in enumerate(words) if at and _unknown.fullmatch(word)]
    if not unknown:
        return
    last = max(at for at, word in enumerate(words) if at not in unknown or _fetched in word)
    before = [at for at in unknown if at < last]
    ways = (before[:1], before, unknown if all_vanish else [])
    for left_out in dict.fromkeys(map(tuple, ways)):
        if left_out:
            yield tuple(word for at, word in enumerate(words) if at not in left_out)


_fetched = f"{HOLE}(fetched)"
_unknown = re.compile(
    rf"(?:{HOLE}(?!(?:{any_of('words/shell-flow:variables.never_empty')}){HOLE_END})"
    rf"[^{HOLE_END}]*{HOLE_END})+"
)


def is_bare(raw: str) -> bool:
    """Return whether a written word may vanish: it begins with an expansion, and no quote."""
    return raw[:1] in {"$", "`", HOLE}


def planted(expander: Expander, name: str) -> Finding | None:
    """The finding of what this variable makes other programs run unasked."""
    if name in _HISTORY:
        kept = (expander.scope.get(name) or "").strip() not in _HISTORY[name]
        return None if kept else HISTORY_OFF
    if name not in HOOKS:
        return None
    return _HOOKED if _hooks.fullmatch(f"{name}={expander.scope.get(name) or ''}") else None


HISTORY_OFF = Finding(
    "shell.history-off", RiskLevel.HIGH, "switches the shell's history off", "disable"
)
_HISTORY = {
    "HISTFILE": ("", "/dev/null"), "HISTSIZE": ("0",), "HISTFILESIZE": ("0",), "HISTIGNORE": ("*",),
}  # fmt: skip
"""Variables that keep the shell's history, and with what values they keep none."""


def _held(expander: Expander, name: str) -> list[str]:
    """The words of an array, or the one of a plain variable."""
    held = expander.scope.get(f"{name}[@]") or expander.scope.get(name) or ""
    return held.split(APART) if APART in held else held.split()


def _array(expander: Expander, name: str, elements: list[str], before: list[str]) -> None:
    """An array of these elements, behind the words that it had before."""
    keyed = [_keyed.fullmatch(element) for element in elements]
    for one in filter(None, keyed):
        expander.scope.evaluates(expander.text(one[1]))
        if expander.scope.latent:
            expander.evaluated(one[1])
        expander.scope.put(f"{name}[{expander.text(one[1])}]", expander.text(one[2]))
    values = [one[2] if one else element for one, element in zip(keyed, elements, strict=True)]
    words = [*before, *(word for value in values for word in expander.words(value))]
    if all(keyed) and keyed:
        expander.scope.put(f"{name}[@]", APART.join(words))
        for whole in (f"{name}[*]", name):
            expander.scope.put(whole, " ".join(words))
    else:
        expander.scope.elements(name, words)


def declare(expander: Expander, name: str, options: str) -> None:
    """`declare -l` and `-u` change the case of what is assigned; `-n` makes another name of it."""
    value = expander.scope.get(name) or ""
    if EVALUATES.search(options):
        expander.scope.loads_code = True  # whatever it is given later is evaluated
        expander.evaluated(value)
    if " -l" in options:
        expander.scope.put(name, value.lower())
    elif " -u" in options:
        expander.scope.put(name, value.upper())
    elif " -n" in options:
        expander.scope.rename(name, value)
    elif " -i" in options:
        expander.scope.counted.add(name)


EVALUATES = re.compile(r"\s-[a-zA-Z]*[in]")
"""`declare -i`, `declare -n`: what is assigned is a sum, or a name with its subscript."""


def turns(values: list[str]) -> list[str]:
    """What a loop's variable is given; of patterns only that it is something like the first."""
    listed = [value for value in values if not any(sign in value for sign in "*?[\ue000")]
    return (listed or [f"{values[0] if values else ''}{FILL}"])[:MAX_TURNS]


def are_many(values: list[str]) -> bool:
    """Return whether nobody has looked at each of a loop's values: `{1..1000}`."""
    ranges = (found for value in values if (found := _range.search(value)))
    return len(values) > MAX_LISTED or any(
        abs(int(found[2]) - int(found[1])) > MAX_LISTED for found in ranges
    )


_range = re.compile(r"\{(\d{1,9})\.\.(\d{1,9})(?:\.\.\d+)?\}")
MAX_TURNS = 8
"""Values of a loop that are tried."""

MAX_LISTED = 20
"""Values of a loop that somebody may have looked at, one by one."""


def leading(words: tuple[str, ...], expander: Expander, plant: Callable[[str], None]) -> int:
    """Return how many of the first words are keywords, or assign something: `x=1 command`.

    Such stand behind a wrapper, or where a lexer read them.
    """
    start, size, given = 0, len(words), tuple[str, ...]()
    while start < size:
        word = words[start]
        if word in DECLARERS:
            evaluate(word, words[start + 1 :], expander)
        own = word in KEYWORDS or (word in {"-p", "--"} and words[start - 1 : start] == ("time",))
        if not own and not ("=" in word and _assigns(word, expander, plant)):
            break
        given += () if own else (word.partition("=")[0],)
        start += 1
    for name in given if start < size else ():
        expander.scope.hands_on(name)
    return start


_EXPORTED = "BASH_FUNC_"
"""How the name of a variable begins that is a function of every shell started here."""


def _assigns(word: str, expander: Expander, plant: Callable[[str], None]) -> bool:
    name, assigned, value = word.partition("=")
    if assigned and name.startswith(_EXPORTED) and name.endswith(("%%", "()")):
        expander.run(value.partition("{")[2].rpartition("}")[0])
        return True
    if not assigned or not name.isidentifier():
        return False
    expander.scope.put(name, value)
    run_later(expander, name, value)
    plant(name)
    return True


DECLARERS = word_set("declare typeset local export readonly")
EVALUATORS = DECLARERS | word_set(entry("words/shell-flow:evaluating_commands"))
"""Programs of a shell that take names, or sums: a subscript may stand in them."""

_ARITHMETIC = word_set("let [ test")
_COMPARES = word_set("[ test exec wait")
_NAMES_ONE = word_set("-v -R -p")
"""Options behind which they take a name."""


def evaluate(name: str, args: tuple[str, ...], expander: Expander) -> None:
    """Run what stands in the words behind such a program where they are evaluated."""
    if name == "printf":
        args = args[:2] if args[:1] and args[0].startswith("-v") else ()
    _note_names(name, args, expander.scope)
    numbers = name in _ARITHMETIC or "-i" in args or "-n" in args
    for arg, before in zip(args, ("", *args), strict=False):
        if substitutes(arg) or (numbers and expander.scope.latent):
            expander.evaluated(arg)
        elif name == "let" or "-i" in args:
            expander.scope.evaluates(arg)
        elif before in _NAMES_ONE or name not in _COMPARES:
            expander.scope.loads_code |= is_unread(arg.partition("=")[0])


def _note_names(program: str, args: tuple[str, ...], scope: Scope) -> None:
    """Note the variables that it names, or hands on, and a test of what nobody has read."""
    names = [arg.partition("=")[0].partition("[")[0] for arg in args]
    scope.loads_code |= any(map(leads, names)) or (program in _TESTS and _turns(args))
    if program == "export" or any(map(_handed_on.fullmatch, args)):
        for one in filter(str.isidentifier, names):
            scope.hands_on(one)


_handed_on = re.compile(r"-[A-Za-z]*x[A-Za-z]*")
_TESTS = word_set("[ test")
_NUMBERS = word_set("-eq -ne -lt -le -gt -ge -t")


def _turns(args: tuple[str, ...]) -> bool:
    """Return whether a test may evaluate a text that nobody has read.

    As its operator (`[ "$x" "$y" ]`), and in some shells as a number.
    """
    said = [arg for arg in args if arg not in {"!", "]"}]
    if not _NUMBERS.isdisjoint(args) or len(said) not in _OPERATOR_AT:
        return any(map(is_unread, said))
    at = _OPERATOR_AT[len(said)]
    return at >= 0 and HOLE in said[at]


_OPERATOR_AT = {0: -1, 1: -1, 2: 0, 3: 1}
"""Where the operator of a test of so many words stands."""


def is_loose(written: list[str], words: list[str]) -> bool:
    """Return whether a builtin takes options from a file: of its text, unquoted, or of its name.

    `printf` takes them from its first word alone, also from a quoted one.
    """
    at = next((at for at, word in enumerate(words[:MAX_BEFORE]) if word in EVALUATORS), None)
    if at is None:
        return False
    raw, given = written[at + 1 :], words[at + 1 :]
    if words[at] == "printf":
        raw, given = raw[:1], given[:1]
        if any(map(begins_unread, given)):
            return True
    bare = [_quotes.sub("", one) for one in raw]
    if any(_globs.search(one) for one in bare):
        return True
    splits = any("$" in one or "`" in one for one in bare) or any(map(_several.search, raw))
    return splits and any(map(is_unread, given))


MAX_BEFORE = 4
"""Words that may stand before such a builtin: `builtin`, `X=1`."""

_quotes = re.compile(r"\$\?|'[^']*'|\"(?:[^\"\\]|\\.)*\"")
_several = re.compile(r"\$@|\$\{@|\[@\]")
_globs = re.compile(r"(?<!\\)[*?\[]")


def tested(written: list[str], expander: Expander) -> None:
    """Evaluate the words of `[ … ]`, which stand as they are written."""
    words = expander.every(written)
    expander.scope.loads_code |= is_loose(["[", *written], ["[", *words])
    evaluate("[", tuple(words), expander)
