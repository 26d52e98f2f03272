"""Secrets and data that leave: who reads or prints them, who sends them, and to whom."""

import re
from collections.abc import Collection, Iterable
from itertools import chain, pairwise, product

import re2

from holdpoint.core.risk.knowledge import by_word, pattern, words
from holdpoint.core.risk.model import Finding
from holdpoint.core.risk.shell.command_rules import asks_for_help
from holdpoint.core.risk.shell.model import (
    CONFIDED,
    FILL,
    HIGH,
    HOLE,
    HOLE_END,
    MEDIUM,
    Command,
    Origin,
)
from holdpoint.core.risk.shell.options import Options, read_options
from holdpoint.core.risk.shell.paths import is_made_again
from holdpoint.core.risk.words import word_set
from holdpoint.messages.risk import Heuristic, RiskLevel

_people = re2.compile(pattern("patterns/shell:data_transfer.people"))
"""Whole homes, what programs keep, and lists of people by their names."""


def weighs(file: str) -> bool:
    """Return whether it is a secret, a list of people, a database or a whole folder."""
    return is_secret(file) or any(one.search(file) for one in (_people, _whole))


_whole = re2.compile(pattern("patterns/shell:data_transfer.whole"))


_drop = re2.compile("(?i)" + pattern("patterns/shell:data_transfer.drop"))
"""Where whoever knows or guesses an address finds what others have put there."""


def dropped(command: Command, words: tuple[str, ...], upload: str) -> bool:
    """Return whether a file, or what comes down a pipe, is put there."""
    filed = upload or any(arg[:1] == "@" or "=@" in arg or "=<" in arg for arg in command.args)
    return bool(filed) and any(map(_drop.search, words))


MAILERS = word_set("mail mailx mutt neomutt s-nail")


def mailed(command: Command) -> bool:
    """Return whether people's files are put into a mail that leaves this machine."""
    if command.name not in MAILERS or not any("@" in arg for arg in command.args):
        return False
    read = (one.target for one in command.redirects if one.sign == "<")
    return any(map(_people.search, (*command.args, *read)))


MAILED = Finding(
    "shell.sent-abroad", HIGH, "mails people's files to somebody", "send", Heuristic.CRITICALITY,
)  # fmt: skip
DROPPED = Finding(
    "shell.made-public", HIGH, "puts a file where strangers find it", "upload",
    Heuristic.CRITICALITY,
)  # fmt: skip

_KEYS = re2.compile(pattern("patterns/shell:data_transfer.keys"))
_MILD = re2.compile(
    r"(?:^|[:/])[\w-]*\.env(?:\.[\w-]+|\*|\.\*)?$|(?:^|/)certs?(?:/|$)|\.npmrc$|\.(?:pem|key)$"
)
_HARMLESS = re2.compile(r"known_hosts|\.pub$|\.example$|\.sample$|\.template$|config$")
HINTS = pattern("patterns/shell:data_transfer.hints")
"""A part of whatever may be a secret's name: without one, no path in a text is one."""

_HINT = re.compile(HINTS)
READERS = words("words/shell:secrets.readers")
_PACKERS = word_set("tar bsdtar gtar zip 7z cpio pax rsync cp")
_WHOLE = words("words/shell:secrets.whole_directories")
_PRINTERS = words("words/shell:secrets.printers")
_SENDERS = words("words/shell:secrets.senders")
_TO_MACHINES = word_set("scp rsync ssh dbclient plink pscp")
_TO_CLOUDS = words("words/shell:secrets.cloud_copiers")


def _uploaded(args: tuple[str, ...]) -> tuple[str, ...]:
    """Its words that are files here: those before a target, those behind `gist create`."""
    if args[:2] in _PASTES:
        return args[2:]
    return () if _local(args[-1]) else args[:-1]


_PASTES = (("gist", "create"), ("gist", "edit"), ("release", "upload"))
"""What puts files where others see them; the files come last."""

_UPLOADS = words("words/shell:secrets.upload_words")
_LOOKUPS = words("words/shell:secrets.lookups")
SECRET_PROGRAMS = _PRINTERS | _SENDERS | _TO_MACHINES | _TO_CLOUDS | _LOOKUPS | {"openssl"}
"""Programs whose arguments may be secrets that they give away."""


def hands_out(command: Command) -> bool:
    """Return whether what it prints or packs holds a secret."""
    name, args = command.name, command.args
    if name not in READERS:
        return False
    if name in _PACKERS and not _WHOLE.isdisjoint(args):
        return True
    said = " ".join(args)
    return bool(_HINT.search(said) or _HELD in said) and any(map(is_secret, args))


_HELD = "(secret)"
"""Stands in the name of what was made of a secret."""


def is_secret(word: str) -> bool:
    """Return whether a path names a secret; what `find` finds in a place has its name."""
    if HOLE in word:
        if _HELD in word:
            return True
        word = word.replace(FILL, "*")
    bare = word.rpartition(":")[2] if word.startswith("HEAD") else word
    if bare.startswith("-") or " " in bare or not _HINT.search(bare):
        return False
    return bool(_KEYS.search(bare) or _MILD.search(bare)) and not _excused(bare)


def aloud(path: str) -> RiskLevel | None:
    """Return how grave it is to read this file aloud; None where it holds no secret."""
    if not is_secret(path):
        return None
    return MEDIUM if _MILD.search(path) else HIGH


def _excused(word: str) -> bool:
    return bool(_HARMLESS.search(word)) and ".kube/config" not in word


_KEEPS = (("rm",), ("add",), ("mv",), ("checkout",), ("restore",), ("ls-files",), ("check-ignore",))
"""What git does with a file without printing it."""


def secrets(command: Command) -> list[Finding]:
    """Reading a secret aloud; sending one away."""
    name = command.name
    if gives_away(command):
        return [SENT]
    if mailed(command):
        return [MAILED]
    if name == "git" and command.args[:1] in _KEEPS:
        return []
    if name in _PRINTERS and hands_out(command):
        level = HIGH if any(aloud(arg) is HIGH for arg in command.args) else MEDIUM
        return [
            Finding(
                "shell.secret-read", level, "reads a secret aloud", "read", Heuristic.CRITICALITY
            )
        ]
    return []


def gives_away(command: Command, held: Collection[str] = ()) -> bool:
    """Return whether it sends a secret to another machine; `held`: files that hold one."""
    name, args = command.name, command.args
    confided = command.stdin is not None and command.stdin.origin in CONFIDED
    if name in _SENDERS:
        return (confided and _listens(command)) or _sends(command, held)
    if name in _LOOKUPS:
        return any(told in arg for arg in args for told in _TOLD) or any(map(_labels, args))
    if name in _TO_MACHINES:
        from_here = name not in _SHELLS and args[1:] and ":" in args[-1]
        words = read_options(args, _VALUED).words
        sent = from_here and _among(words[:-1], held)
        return bool((confided and name in _SHELLS) or sent)
    if name == "openssl":
        return confided and "s_client" in args
    if name in _TO_CLOUDS and not _UPLOADS.isdisjoint(args):
        return confided or _gravely(_uploaded(args), held)
    return False


def _labels(arg: str) -> bool:
    """`$(base64 x).evil.com`: a file's content as a part of a name that a server is asked for."""
    return _IN_NAME in arg and _label.search(arg) is not None


_IN_NAME = f"{HOLE}(file)"
_label = re.compile(rf"{HOLE}\(file\)[^{HOLE_END}]*{HOLE_END}\.[\w-]")
_SHELLS = word_set("ssh dbclient plink")
_TOLD = ("(secret)", "(data)")
_VALUED = words("words/shell:secrets.copy_options_with_value")


def _listens(command: Command) -> bool:
    """Return whether it sends what comes down the pipe: curl and wget must be told to."""
    if command.name not in {"curl", "wget", "wget2"} or command.stdin is None:
        return True
    if command.stdin.origin is Origin.SECRET:
        return True
    return any(arg in {"-", ".", "-T-", "-d@-"} or _stdin.search(arg) for arg in command.args)


_stdin = re.compile(r"[@=<]-(?:;|$)|/dev/stdin|/proc/self/fd/0")


def _local(target: str) -> bool:
    """Return whether the last word of a copy is a file here."""
    return "://" not in target and ":" not in target and target[:1] in {".", "/", "~"}


def _among(words: tuple[str, ...], held: Collection[str]) -> bool:
    return any(is_secret(word) or _name(word) in held for word in words)


def _gravely(words: tuple[str, ...], held: Collection[str]) -> bool:
    """The same; what lies in many a repository too is left out: a certificate, a `.env`."""
    grave = (word for word in words if not _MILD.search(word))
    return any(map(is_secret, grave)) or any(_name(word) in held for word in words)


def _name(word: str) -> str:
    """Return how what is written is remembered: a file's last part."""
    return _file_of.split(word)[-1].rpartition("/")[2]


_file_of = re.compile(r"[=@<]|-[TdF](?=[./~])")


def _sends(command: Command, held: Collection[str]) -> bool:
    args = command.args
    if any("://" in arg and _HELD in arg for arg in args):
        return True
    if held and any(_name(arg) in held for arg in args):
        return True
    said = " ".join(args)
    if not (_HELD in said or _HINT.search(said)):
        return False
    sent = (after for before, after in pairwise(args) if before in _FILES)
    return any(is_secret(_file(arg)) for arg in args) or any(map(is_secret, sent))


_FILES = word_set("-T --upload-file --post-file --body-file -a -A --attach --attachment")
"""Options behind which stands the file that is sent."""


def _file(arg: str) -> str:
    return arg.rpartition("@")[2].removeprefix("file://") if "@" in arg or "://" in arg else ""


SENT = Finding(
    "shell.secret-sent",
    HIGH,
    "sends a file or text that holds a secret to another machine",
    "send",
    Heuristic.CRITICALITY,
)

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
_WHOLE_TABLES = ("to stdout", "into outfile '/dev/stdout'")


def prints_secrets(command: Command) -> bool:
    """Return whether what it prints, or puts into a file, is what a database or a vault holds."""
    name = command.name
    if name not in SECRET_PRINTERS or asks_for_help(command):
        return False
    if name in _DUMPS or name in _QUERIES:
        text = " ".join(command.args).lower()
        return name in _DUMPS or any(way in text for way in _WHOLE_TABLES)
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
    """Return whether an option asks for more than names: `-o yaml`, `--template=…`."""
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
    """Return where `find` starts: its words before the first test."""
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
    for at, (test, name) in enumerate(pairwise(tests)):
        if test in _BY_NAME and (not at or tests[at - 1] not in _NEGATES):
            found.append(name)
    return tuple(found)


def _all_ask(tests: tuple[str, ...]) -> bool:
    """Return whether each way to be found asks for a name: `( -name A -o -name B )`."""
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
