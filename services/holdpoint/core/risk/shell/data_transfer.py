"""Secrets and data that leave: who reads them, who sends them, and to whom."""

import re
from collections.abc import Collection
from itertools import pairwise

import re2

from holdpoint.core.risk.knowledge import pattern, words
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.model import (
    CONFIDED,
    FILL,
    HIGH,
    HOLE,
    HOLE_END,
    MEDIUM,
    Command,
    Danger,
    Origin,
)
from holdpoint.core.risk.shell.options import read_options
from holdpoint.messages.risk import Heuristic, RiskLevel

_people = re2.compile(pattern("patterns/shell:data_transfer.people"))
"""Whole homes, what programs keep, and lists of people by their names."""

_number = re.compile(r"(?:[^@/\s]*@)?((?:\d{1,3}\.){3}\d{1,3}):.*", re.DOTALL)
_own = re.compile(
    r"(?:10|127|0|169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\."
)
"""Networks of one's own, and those that tunnels make."""


def leave_for_strangers(words: tuple[str, ...]) -> bool:
    """Whether people's files are copied to a machine outside that only a number names."""
    host = _number.fullmatch(words[-1]) if len(words) > 1 else None
    if not host or _own.match(host[1]):
        return False
    return any(_people.search(source) for source in words[:-1])


_drop = re2.compile("(?i)" + pattern("patterns/shell:data_transfer.drop"))
"""Where whoever knows or guesses an address finds what others have put there."""


def dropped(command: Command, words: tuple[str, ...], upload: str) -> bool:
    """Whether a file, or what comes down a pipe, is put there."""
    filed = upload or any(arg[:1] == "@" or "=@" in arg or "=<" in arg for arg in command.args)
    return bool(filed) and any(map(_drop.search, words))


MAILERS = word_set("mail mailx mutt neomutt s-nail")


def mailed(command: Command) -> bool:
    """Whether people's files are put into a mail that leaves this machine."""
    if command.name not in MAILERS or not any("@" in arg for arg in command.args):
        return False
    read = (one.target for one in command.redirects if one.sign == "<")
    return any(map(_people.search, (*command.args, *read)))


ABROAD = Danger(
    "shell.sent-abroad", HIGH, "sends people's files to a machine that only a number names", "send",
    Heuristic.CRITICALITY,
)  # fmt: skip
MAILED = Danger(
    "shell.sent-abroad", HIGH, "mails people's files to somebody", "send", Heuristic.CRITICALITY,
)  # fmt: skip
DROPPED = Danger(
    "shell.made-public", HIGH, "puts a file where strangers find it", "upload",
    Heuristic.CRITICALITY,
)  # fmt: skip


_KEYS = re2.compile(pattern("patterns/shell:data_transfer.keys"))
_MILD = re2.compile(
    r"(?:^|[:/])\.env(?:\.[\w-]+|\*|\.\*)?$|(?:^|/)certs?(?:/|$)|\.npmrc$|\.(?:pem|key)$"
)
_HARMLESS = re2.compile(r"known_hosts|\.pub$|\.example$|\.sample$|\.template$|config$")
HINTS = (
    r"\.(?:ssh|aws|gnupg|kube|netrc|pgpass|git-cred|config/g|docker/|pypirc|npmrc|key|pem|p12|pfx|jks"
    r"|env|password-store|vault-token|agekey)|kdb|keytab|ovpn|ppk|id_[rde*]|_history|shadow"
    r"|admin\.conf|certs?|Login Data|keychain"
    r"|auth\.toml|sudoers|security-cred|etc/(?:ssl|pki|letsenc|wireg|openv|kube)"
)
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
_LOOKUPS = word_set("dig host nslookup ping ping6 drill kdig dog resolvectl getent")
SECRET_PROGRAMS = _PRINTERS | _SENDERS | _TO_MACHINES | _TO_CLOUDS | _LOOKUPS | {"openssl"}
"""Programs whose arguments may be secrets that they give away."""


def hands_out(command: Command) -> bool:
    """Whether what it prints or packs holds a secret."""
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
    """Whether a path names a secret; what `find` finds in a place has its name."""
    if HOLE in word:
        if _HELD in word:
            return True
        word = word.replace(FILL, "*")
    bare = word.rpartition(":")[2] if word.startswith("HEAD") else word
    if bare.startswith("-") or " " in bare or not _HINT.search(bare):
        return False
    return bool(_KEYS.search(bare) or _MILD.search(bare)) and not _excused(bare)


def aloud(path: str) -> RiskLevel | None:
    """How grave it is to read this file aloud; None where it holds no secret."""
    if not is_secret(path):
        return None
    return MEDIUM if _MILD.search(path) else HIGH


def _excused(word: str) -> bool:
    return bool(_HARMLESS.search(word)) and ".kube/config" not in word


_KEEPS = (("rm",), ("add",), ("mv",), ("checkout",), ("restore",), ("ls-files",), ("check-ignore",))
"""What git does with a file without printing it."""


def secrets(command: Command) -> list[Danger]:
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
            Danger(
                "shell.secret-read", level, "reads a secret aloud", "read", Heuristic.CRITICALITY
            )
        ]
    return []


def gives_away(command: Command, held: Collection[str] = ()) -> bool:
    """Whether it sends a secret to another machine; `held`: files that hold one."""
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
    """Whether it sends what comes down the pipe: curl and wget must be told to."""
    if command.name not in {"curl", "wget", "wget2"} or command.stdin is None:
        return True
    if command.stdin.origin is Origin.SECRET:
        return True
    return any(arg in {"-", ".", "-T-", "-d@-"} or _stdin.search(arg) for arg in command.args)


_stdin = re.compile(r"[@=<]-(?:;|$)|/dev/stdin|/proc/self/fd/0")


def _local(target: str) -> bool:
    """Whether the last word of a copy is a file here."""
    return "://" not in target and ":" not in target and target[:1] in {".", "/", "~"}


def _among(words: tuple[str, ...], held: Collection[str]) -> bool:
    return any(is_secret(word) or _name(word) in held for word in words)


def _gravely(words: tuple[str, ...], held: Collection[str]) -> bool:
    """The same; what lies in many a repository too is left out: a certificate, a `.env`."""
    grave = (word for word in words if not _MILD.search(word))
    return any(map(is_secret, grave)) or any(_name(word) in held for word in words)


def _name(word: str) -> str:
    """How what is written is remembered: a file's last part."""
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


SENT = Danger(
    "shell.secret-sent",
    HIGH,
    "sends a secret to another machine",
    "send",
    Heuristic.CRITICALITY,
)
