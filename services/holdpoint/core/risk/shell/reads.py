"""Whether a command is known to change nothing: what a proof that a text only reads rests on."""

from itertools import zip_longest

import re2

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.code.analyzer import only_says
from holdpoint.core.risk.shell.files import FILES
from holdpoint.core.risk.shell.interpreters import LANGUAGES, SHELLS
from holdpoint.core.risk.shell.model import Command
from holdpoint.core.risk.shell.options import read_options
from holdpoint.core.risk.shell.tools import KNOWN_HARMLESS
from holdpoint.core.risk.shell.verbs import DESTROYS, MAKES, READS, is_wiped, subcommands

_WRITES = frozenset({">", ">|", "&>", ">&", ">>", "&>>"})


def only_reads(command: Command) -> bool:
    """Whether this command is known to change nothing."""
    written = (one.target for one in command.redirects if one.sign in _WRITES)
    if command.redirects and not all(map(_harmless, written)):
        return False
    if command.name in CHANGES or _writes(command):
        return False
    if command.name in KNOWN_HARMLESS or command.name in _READERS:
        return True
    if command.name in {"find", "gfind"}:
        return not any(arg in _FIND_ACTS or arg.startswith("-fprint") for arg in command.args)
    if command.name in _EDITORS:
        return not any(map(_edits, command.args))
    named = command.name.lower().partition("-")[0]
    asks = _takes_orders(command) and named not in DESTROYS and _asks(command.args)
    return (asks and not command.many) or _speaks(command)


def _writes(command: Command) -> bool:
    """Whether a program that otherwise only reads is told to write or to set something."""
    names, most = _WRITERS.get(command.name, ("", 0))
    if not names:
        return False
    options = read_options(command.args, word_set(names))
    return options.has(names) or len(options.words) > most or options.word(0).startswith("set-")


_ANY = 1_000
_CURL = (
    "-o --output -O --remote-name --remote-name-all -J -T --upload-file -d --data --data-raw "
    "--data-binary --data-urlencode --json -F --form -K --config -c --cookie-jar -D --dump-header "
    "--trace --trace-ascii --stderr --libcurl --etag-save --hsts --alt-svc -Q --quote"
)
_WRITERS = {
    "sort": ("-o --output", _ANY), "date": ("-s --set", _ANY), "yq": ("-i --inplace", _ANY),
    "less": ("-o -O --log-file --LOG-FILE", _ANY), "iconv": ("-o --output", _ANY),
    "tree": ("-o", _ANY), "xmllint": ("-o --output", _ANY), "base64": ("-o --output", _ANY),
    "uniq": ("-o", 1), "xxd": ("-r", 1), "hostname": ("-F -b --file --boot", 0),
    "timedatectl": ("--adjust-system-clock", _ANY), "hostnamectl": ("--make-permanent", _ANY),
    "git": ("--output", _ANY), "env": ("-S --split-string", 0),
    "http": ("-d --download -o --output", _ANY), "curl": (_CURL, _ANY),
    **dict.fromkeys(["rg", "ag", "ack", "bat", "batcat"], ("--pre --hostname-bin --pager", _ANY)),
}  # fmt: skip
"""The options that make them write, and how many words leave everything as it is."""


def _takes_orders(command: Command) -> bool:
    """Whether a word behind it may be its order: no file, no code, and it is no script nearby."""
    path = command.path or command.name
    nearby = "/" in path and not path.startswith(_INSTALLED)
    return not nearby and command.name not in _WORK_ON_WORDS


_INSTALLED = ("/usr/", "/bin/", "/sbin/", "/opt/", "/snap/")
_WORK_ON_WORDS = (
    frozenset(FILES).union(SHELLS, LANGUAGES) - word_set("bun deno swift crystal")
) | word_set(
    "ansible ansible-playbook ar at awk bzip2 chattr chflags chgrp chmod chown compress convert "
    "cpio crontab csplit ed "
    "emacs eval ex exec ffmpeg gunzip gzip kill killall link lz4 m4 magick mail mailx mesg mkfifo "
    "mknod mutt nano nc ncat netcat patch pax pdftk pkill qpdf scp sendmail setfacl sftp "
    "socat source split sqlcmd strip tftp umount unzip vi vim xz zip zstd 7z"
)
"""Programs whose words are files, code or people: `mv list /srv` moves a file."""


def _asks(args: tuple[str, ...]) -> bool:
    """Whether its first verb reads: `get pods`, and neither `run list` nor `test`."""
    words = subcommands(args)[:3]
    for word, following in zip_longest(words, words[1:], fillvalue=""):
        head = word.lower().partition("-")[0]
        if head in _DOES or is_wiped(head, following.lower()):
            return False
        if head in READS:
            return True
    return False


_DOES = (
    MAKES
    | DESTROYS
    | word_set("write set test fmt lint audit doctor watch dump export wait fix save restart stop")
)
"""Verbs that change something, or run what nobody reads here."""

_EDITORS = word_set("sed gsed awk gawk")
_edit = re2.compile(
    r"^-i|^--in-place|system|getline|\|\s*\"|(?:^|[\s;{}/\d$])[wW]\s+\S|\bprintf?\b[^;}\n]*>"
)


def _edits(arg: str) -> bool:
    """Whether a script of sed or awk writes a file, or runs a program."""
    return _edit.search(arg) is not None


def _speaks(command: Command) -> bool:
    """Whether it is an interpreter, and its code does nothing but print."""
    options = _SPEAKERS.get(command.name, ())
    args, flow = command.args, command.stdin
    if options and args in _BY_INPUT and flow is not None and flow.text is not None:
        return only_says(flow.text)
    return len(args) == len(("-c", "code")) and args[0] in options and only_says(args[1])


_BY_INPUT = ((), ("-",))
"""The arguments of an interpreter that reads its input."""

_SPEAKERS = {
    **dict.fromkeys(("python", "python3"), ("-c",)), "ruby": ("-e",), "perl": ("-e", "-E"),
    "node": ("-e", "-p"), "php": ("-r",), "lua": ("-e",),
}  # fmt: skip
"""Languages, and the options before a code that may do nothing but print."""


def _harmless(target: str) -> bool:
    return target in {"/dev/null", "/dev/stdout", "/dev/stderr", "1", "2", "-"}


_FIND_ACTS = word_set("-exec -execdir -ok -okdir -delete -fls")
_READERS = word_set(
    "git-log gzcat more md5 base64 base32 xxd ssh-keygen-list env sw_vers system_profiler type "
    "hostnamectl timedatectl dpkg-query rpmquery docker-ls ffprobe mediainfo file whatis pdftotext"
)
CHANGES = word_set(
    "mkdir touch make cmake ninja gcc g++ clang cc javac rustc ld ar go black prettier export set "
    "unset alias declare local readonly tee eslint rubocop pytest jest mocha tox vitest open "
    "xdg-open "
    "hash ulimit umask dmesg mount logger notify-send java perf valgrind gdb fzf csvclean nkf sips"
)
READS_ONLY = frozenset(
    name for name in KNOWN_HARMLESS - CHANGES - frozenset(_WRITERS) if "-" not in name
)
"""Programs that change nothing whatever stands behind them."""
