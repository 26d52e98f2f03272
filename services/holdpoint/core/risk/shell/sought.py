"""What `find` finds, as far as its words tell: its roots, and the names that it asks for."""

from collections.abc import Iterable
from itertools import chain, pairwise, product

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.model import FILL
from holdpoint.core.risk.shell.paths import is_made_again
from holdpoint.core.risk.shell.secrets import is_secret

MAX_PAIRS = 256
"""Roots with names below them that are looked at."""


def find_roots(args: tuple[str, ...]) -> tuple[str, ...]:
    """Where `find` starts: its words before the first test."""
    roots: list[str] = []
    rest = iter(args)
    for arg in rest:
        if arg in {"-H", "-L", "-P", "-E", "-X", "-d", "-s", "-x"} or arg.startswith("-O"):
            continue
        if arg == "-f":
            roots.append(next(rest, "."))
        elif arg == "-D":
            next(rest, "")
        elif arg[:1] in {"-", "(", "!", ","}:
            break
        else:
            roots.append(arg)
    return tuple(roots) or (".",)


def sought(args: tuple[str, ...]) -> tuple[str, ...]:
    """Each root with something unknown below it; with its name where that tells what it is.

    `args` are the words before what is done with it.
    """
    roots = find_roots(args)
    tests = args[len(roots) :]
    files = tuple(f"{root.rstrip('/')}/{FILL}" for root in roots)
    named = tuple(f"{file}/{name}" for file, name in _paired(files, _names(tests)))
    if secret := tuple(filter(is_secret, named)):
        return secret
    return named if named and _all_ask(tests) and all(map(is_made_again, named)) else files


def _paired(files: tuple[str, ...], names: tuple[str, ...]) -> Iterable[tuple[str, str]]:
    """Each with each; of very many each at least once."""
    if len(files) * len(names) <= MAX_PAIRS:
        return product(files, names)
    return chain(product(files[:1], names), product(files, names[:1]))


def _names(tests: tuple[str, ...]) -> tuple[str, ...]:
    """The patterns that are asked for, and not those that are left out."""
    found: list[str] = []
    if _BY_NAME.isdisjoint(tests):
        return ()
    for at, (test, pattern) in enumerate(pairwise(tests)):
        if test in _BY_NAME and (not at or tests[at - 1] not in _NEGATES):
            found.append(pattern)
    return tuple(found)


def _all_ask(tests: tuple[str, ...]) -> bool:
    """Whether each way to be found asks for a name: `( -name A -o -name B )`, or no `-o` at all."""
    if _ORS.isdisjoint(tests):
        return True
    opens = [at for at, test in enumerate(tests) if test in {"(", "\\("}]
    closes = [at for at, test in enumerate(tests) if test in {")", "\\)"}]
    if len(opens) != 1 or len(closes) != 1:
        return False
    inside = tests[opens[0] + 1 : closes[0]]
    outside = (*tests[: opens[0]], *tests[closes[0] + 1 :])
    ways = [test for test in inside if test.startswith("-")]
    return _ORS.isdisjoint(outside) and all(test in _BY_NAME | _ORS for test in ways)


_BY_NAME = word_set("-name -iname")
_NEGATES = word_set("! -not \\!")
_ORS = word_set("-o -or ,")
