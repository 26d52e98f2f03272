"""Commands that print secrets or private data, which must not leave."""

from collections.abc import Iterable
from itertools import chain, pairwise, product

import re2

from holdpoint.core.risk.knowledge import by_word, words
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.data_transfer import is_secret
from holdpoint.core.risk.shell.dry_runs import asks_for_help
from holdpoint.core.risk.shell.model import FILL, Command
from holdpoint.core.risk.shell.options import Options, read_options
from holdpoint.core.risk.shell.paths import is_made_again

_DUMPS = words("words/shell-flow:database_dumpers")
"""Programs that print a whole database."""

_CLUSTERS = word_set("kubectl oc k microk8s k3s")
_SECRETS = word_set("secret secrets sealedsecret sealedsecrets externalsecrets")
_ONLY_NAMES = ("name", "wide")
"""How a cluster shows its secrets without what is in them."""

_TELL = by_word("words/shell-flow:secret_orders")
"""By program: one word, or two that follow each other."""

_BY_OPTION = by_word("words/shell-flow:secret_options")

_QUERIES = word_set("psql mysql mariadb clickhouse-client snowsql cqlsh")
_WHOLE = ("to stdout", "into outfile '/dev/stdout'")


def prints_secrets(command: Command) -> bool:
    """Whether what it prints, or puts into a file, is what a database or a vault holds."""
    name = command.name
    if name not in SECRET_PRINTERS or asks_for_help(command):
        return False
    if name in _DUMPS or name in _QUERIES:
        text = " ".join(command.args).lower()
        return name in _DUMPS or any(way in text for way in _WHOLE)
    options = read_options(command.args)
    if name in _INFRASTRUCTURE and options.word(0) == "output":
        return _is_telling(options.word(1))
    if name in _STORES and _streams(name, options):
        return True
    if name in _CLUSTERS:
        return _shows_secrets(options, command.args)
    return options.has(_BY_OPTION.get(name, "")) or _by_words(name, options.words[:MAX_WORDS])


_STORES = by_word("words/shell-flow:store_orders")
"""What holds files for others, and the word that fetches one."""

_STDOUT = frozenset({"-", "/dev/stdout", "/dev/fd/1"})


def _streams(name: str, options: Options) -> bool:
    """`aws s3 cp s3://… -`, `gsutil cat`: what a store holds goes down the pipe."""
    words, into = options.words, options.value("--file", "-f")
    fetches = _STORES[name] in words[:4]
    if "cat" in words[:2]:
        return True
    return fetches and (into in _STDOUT or (words[-1] in _STDOUT and len(words) > _PAIR))


_PAIR = len(("cp", "-"))
SECRET_PRINTERS = frozenset((*_DUMPS, *_CLUSTERS, *_TELL, *_BY_OPTION, *_QUERIES, *_STORES))
"""Programs that this has something to say about."""


def _by_words(name: str, words: tuple[str, ...]) -> bool:
    said = {*words, *(":".join(pair) for pair in pairwise(words))}
    return not said.isdisjoint(word_set(_TELL.get(name, "")))


_INFRASTRUCTURE = word_set("terraform tofu")
_telling = re2.compile(r"(?i)pass|secret|token|key|cred|conn|dsn|cert|private|auth")


def _is_telling(output: str) -> bool:
    """Whether an output of infrastructure is not for others: all of them, or one named so."""
    return not output or _telling.search(output) is not None


MAX_WORDS = 8
"""Words of a command line in which it stands what is told."""


def _shows_secrets(options: Options, args: tuple[str, ...]) -> bool:
    """`get secrets -o yaml`, `create token`, `config view --raw`."""
    pairs = list(pairwise(options.words[:MAX_WORDS]))
    if ("create", "token") in pairs or (("config", "view") in pairs and options.has("--raw")):
        return True
    things = (second for first, second in pairs if first in {"get", "describe"})
    asked = any(not _SECRETS.isdisjoint(thing.replace("/", ",").split(",")) for thing in things)
    return asked and any(_is_shape(arg, after) for arg, after in pairwise((*args, "")))


def _is_shape(arg: str, after: str) -> bool:
    """Whether an option asks for more than names: `-o yaml`, `--template=…`."""
    name, _, value = arg.partition("=")
    if name in {"--template", "-o", "--output"}:
        return not (value or after).startswith(_ONLY_NAMES)
    return arg.startswith("-o") and not arg[2:].startswith(_ONLY_NAMES)


_INTO = {
    **dict.fromkeys(_DUMPS, "-f --file -r --result-file -o --out --archive --target-dir --gzip-to"),
    **dict.fromkeys(["tar", "bsdtar", "gtar"], "-f --file"), "gpg": "-o --output",
    "openssl": "-out", "zip": "", "7z": "", "cpio": "-O -F --file", "security": "-o",
    **dict.fromkeys(["redis-cli", "valkey-cli"], "--rdb"), "age": "-o --output",
}  # fmt: skip
"""Programs that pack into a file, and the option that names it; none: their first word does."""

PACKERS = frozenset(_INTO)


def packed_into(command: Command) -> str:
    """The file that it writes what it reads into; empty when it prints it."""
    names = _INTO.get(command.name)
    if names is None:
        return ""
    args = command.args
    if command.name == "openssl":
        return "".join(args[args.index(names) + 1 :][:1]) if names in args else ""
    if command.name in {"tar", "bsdtar", "gtar"} and args and args[0].isalpha():
        return args[1] if "f" in args[0] and args[1:] else ""
    options = read_options(args, word_set(names))
    if not names:
        words = [word for word in options.words if word not in {"a", "u"}]
        return words[0] if words else ""
    return options.value(*names.split())


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
