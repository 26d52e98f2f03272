"""Writing to files that others rely on: copies, redirections, editors, and files of access."""

import re
from collections.abc import Iterator
from itertools import islice

from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.dry_runs import asks_for_help
from holdpoint.core.risk.shell.inner_commands import MAX_INNER
from holdpoint.core.risk.shell.model import CRITICAL, FILL, HIGH, MEDIUM, Command, Danger
from holdpoint.core.risk.shell.options import Options, read_options
from holdpoint.core.risk.shell.paths import (
    STORES,
    SYSTEM,
    Place,
    is_made_again,
    place_name,
    place_of,
)

KEPT = (".db", ".sqlite", ".sqlite3", ".mdb", ".sql", ".csv", ".dump", ".bak", ".parquet")
"""How files end that hold data."""

_NOTHING = word_set("/dev/null /dev/zero /dev/urandom /dev/random")
_INPUTS = word_set("/dev/stdin - /dev/fd/0 /proc/self/fd/0")
BLANKED = Danger("shell.cp-blank", HIGH, "replaces a file by nothing", "overwrite")
_LINES = Danger("shell.lines-deleted", HIGH, "deletes every line of a file", "delete")


def reads_nothing(command: Command) -> bool:
    """Whether what it reads is known, and holds nothing."""
    said = command.stdin.text if command.stdin else None
    if said is not None:
        return not said.strip()
    return any(one.sign == "<" and one.target == "/dev/null" for one in command.redirects)


def is_nothing(source: str, command: Command) -> bool:
    """Whether a source that is copied holds nothing of worth."""
    return source in _NOTHING or (source in _INPUTS and reads_nothing(command))


def writes_nothing(command: Command) -> bool:
    """`: | tee a.db`, `sponge a.csv </dev/null`; a log that is emptied is no loss."""
    options = read_options(command.args)
    over = any(word.endswith(KEPT) for word in options.words)
    return over and not options.has("-a --append") and reads_nothing(command)


def sed(command: Command) -> list[Danger]:
    """`sed -i '1,$d' x`, which edits in place: the file stays, and is empty."""
    options = read_options(command.args, word_set("-e -f --expression --file"))
    said = options.value("-e", "--expression")
    files = options.words if said else options.words[1:]
    return _emptied(files) if _every_line.fullmatch(said or options.word(0)) else []


def awk(command: Command) -> list[Danger]:
    """`awk -i inplace 0 x`."""
    if "inplace" not in command.args:
        return []
    options = read_options(command.args, word_set("-i -v -F -f"))
    never = options.word(0).replace(" ", "") in _NEVER
    return _emptied(options.words[1:]) if never else []


def _emptied(files: tuple[str, ...]) -> list[Danger]:
    lost = any(not is_made_again(file) and place_of(file) not in _SCRATCH for file in files)
    return [_LINES] if lost else []


_every_line = re.compile(r"\s*(?:[01],\$|[01]~1|/(?:\^|\$|\.|\.\*|\^\.\*\$?)/)?\s*d;?\s*")
_NEVER = frozenset({"", "0", "{}", "1==0", "NR<0", "BEGIN{}"})
"""Programs of awk that print no line."""

_SCRATCH = frozenset({Place.SCRATCH, Place.SCRATCH_ALL, Place.BUILD})


GRAVE = frozenset({Place.ROOT, Place.SYSTEM, Place.PRIVATE, Place.DEVICE})


def tee(command: Command) -> list[Danger]:
    """`tee FILE`, `sponge FILE`."""
    if writes_nothing(command):
        return [BLANKED]
    options = read_options(command.args)
    for word in options.words:
        found = overwrites(word, appends=options.has("-a --append"))
        if found:
            return [found]
    return []


def overwrites(target: str, *, appends: bool) -> Danger | None:
    """What it means to write to this place."""
    if target.startswith(_STREAMS) or FILL in target:
        return None
    if "sysrq-trigger" in target:
        return Danger("shell.sysrq", CRITICAL, "tells the kernel to crash or restart", "restart")
    place = place_of(target)
    if place is Place.DEVICE:
        return Danger("shell.redirect-disk", CRITICAL, "overwrites a disk", "overwrite")
    return _on_grave(target, appends=appends) if place in GRAVE else None


def _on_grave(target: str, *, appends: bool) -> Danger:
    if lets_in(target):
        return Danger(
            "shell.access-file", HIGH, "changes who may come in, or what runs by itself", "update"
        )
    if appends or not _matters(target):
        own = "a file with settings or keys" if target[:1] == "~" else "a file of the system"
        return Danger("shell.redirect-system", MEDIUM, f"changes {own}", "update")
    return Danger(
        "shell.redirect-system", HIGH, "overwrites a file that others rely on", "overwrite"
    )


def lets_in(target: str) -> bool:
    """Whether this file says who may come in, or what runs by itself."""
    return _LETS_IN.search(target) is not None


_STREAMS = ("/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty", "/dev/fd")
_LETS_IN = re.compile(
    r"authorized_keys$|^/etc/(?:sudoers|passwd|shadow|gshadow|pam\.d|ld\.so\.preload|cron|crontab|ssh/sshd_config)"
    r"|^/var/spool/cron/|/Library/Launch(?:Daemons|Agents)/"
)


def _matters(target: str) -> bool:
    return not target.startswith(
        ("/dev/", "/proc/", "/sys/", "/run/", "/opt/", "/srv/", "/root/")
    ) and (not target.endswith((".env", ".envrc", ".npmrc", ".pub")))


def in_place(command: Command) -> list[Danger]:
    """`sed -i`, `perl -pi` on files of the system."""
    options = read_options(command.args, word_set("-e -f --expression --file"))
    if not options.has("-i --in-place") and not any(a.startswith("-i") for a in command.args):
        return []
    grave = any(
        place_of(word) in GRAVE for word in options.words[-3:] if "/" in word[1:] or word[:1] == "~"
    )
    found = sed(command) if command.name.endswith("sed") else []
    return (
        [Danger("shell.edit-system", HIGH, "edits a file of the system", "edit")]
        if grave
        else found
    )


_VALUES = word_set("-t -S --target-directory --suffix")


def mv(command: Command) -> list[Danger]:
    """`mv /usr/bin /tmp`, `mv x /dev/null`."""
    options = read_options(command.args, _VALUES)
    named = options.value("-t", "--target-directory")
    sources = options.words if named else options.words[:-1]
    target = named or (options.words[-1] if options.words else "")
    if target == "/dev/null" and sources:
        return [
            Danger("shell.mv-null", HIGH, "moves files to where nothing comes back from", "delete")
        ]
    grave = [
        word
        for word in sources
        if place_of(word) in {Place.ROOT, Place.DEVICE}
        or (word.startswith("/home/") and word.endswith("/*"))
    ]
    if grave:
        moved = place_name(place_of(grave[0]), grave[0])
        return [Danger("shell.mv-system", CRITICAL, f"moves away {moved}", "move")]
    return _missed(sources, target) or _put_over(options, sources, target)


def _missed(sources: tuple[str, ...], target: str) -> list[Danger]:
    """What is needed where it is."""
    if any(map(_NEEDED.match, sources)):
        return [Danger("shell.mv-system", HIGH, "moves away what the system needs", "move")]
    if any(map(_KEPT_DATA.fullmatch, sources)) and place_of(target) in _CLEARED:
        return [Danger("shell.mv-data", HIGH, "moves data to where it is cleared away", "move")]
    return []


def _put_over(options: Options, sources: tuple[str, ...], target: str) -> list[Danger]:
    """A database that is replaced, a repository's history."""
    apart = [word for word in sources if word.rpartition("/")[0] != target.rpartition("/")[0]]
    if apart and place_of(target) is Place.SYSTEM and _replaces(options, target):
        return [Danger("shell.cp-data", HIGH, "replaces a database", "overwrite")]
    if any(place_of(word) is Place.PRIVATE and ".git" in word for word in sources):
        return [Danger("shell.mv-private", HIGH, "moves a repository's history away", "move")]
    return []


_NEEDED = re.compile(
    r"/etc/(?:passwd|shadow|group|gshadow|sudoers(?:\.d)?|fstab|pam\.d|ssh)(?:/|$)"
    r"|/(?:usr/)?(?:s?bin|lib\d*)(?:/|$)|/usr/(?:libexec|share)/?$|/var/lib/?$"
    r"|/boot/(?!.*\.(?:old|bak))"
)


_CLEARED = frozenset({Place.SCRATCH, Place.SCRATCH_ALL})
_KEPT_DATA = re.compile(r"/(?:srv|var/(?:lib|www|mail|spool|backups|db))/[\w/-]*[\w*-]/?")
"""Directories that hold what services and people keep."""


def cp(command: Command) -> list[Danger]:
    """`cp x /dev/sda`, `cp /dev/null x`, `cp -f empty.db /var/lib/app/app.db`."""
    options = read_options(command.args, _VALUES)
    target = options.value("-t", "--target-directory") or (options.words or ("",))[-1]
    place = place_of(target) if len(options.words) > 1 else None
    if place is Place.DEVICE:
        return [Danger("shell.cp-disk", CRITICAL, "overwrites a disk", "overwrite")]
    blank = is_nothing(options.word(0), command)
    if blank and target != "/dev/null" and len(options.words) > 1:
        return [BLANKED]
    if place is Place.SYSTEM and _replaces(options, target):
        return [Danger("shell.cp-data", HIGH, "replaces a database", "overwrite")]
    if place in GRAVE and target.startswith(
        ("/etc/passwd", "/etc/shadow", "/etc/sudoers", "/boot")
    ):
        return [
            Danger("shell.cp-system", HIGH, "overwrites a file that the system needs", "overwrite")
        ]
    return []


def _replaces(options: Options, target: str) -> bool:
    """Whether a database of a program is overwritten; a copy of one is kept beside it."""
    keeps = options.has("-n --no-clobber -b --backup -u --update")
    return target.endswith(STORES) and not keeps and not _COPY.search(target)


_COPY = re.compile(r"bak|backup|copy|copies|snapshot|archive|dump|old|export|test", re.IGNORECASE)


def ln(command: Command) -> list[Danger]:
    """`ln -sf x /etc/passwd`, `ln -sf /dev/null orders.db`."""
    options = read_options(command.args, _VALUES)
    target = options.words[-1] if len(options.words) > 1 else ""
    if options.has("-f --force") and target and options.word(0) == "/dev/null":
        lost = place_of(target) not in {Place.SCRATCH, Place.SCRATCH_ALL, Place.BUILD}
        return [BLANKED] if lost else []
    if options.has("-f --force") and target and place_of(target) in {Place.SYSTEM, Place.PRIVATE}:
        grave = place_of(target) is Place.PRIVATE or target.startswith(
            ("/etc/", "/bin", "/sbin", "/lib", "/boot")
        )
        level = HIGH if grave else MEDIUM
        return [
            Danger("shell.ln-force", level, "replaces a file of the system by a link", "replace")
        ]
    return []


PLACERS = word_set("cp gcp mv gmv install ginstall ln rsync crontab visudo")
"""Programs that put files somewhere."""

_PLACED_VALUES = words("words/shell:files.copy_options_with_value")
_SET_ID = re.compile(r"0?[24-7]\d{3}|(?:[^=]*,)?[ug]*[oa]*\+[rwx]*s.*|[ug]+=[rwx]*s.*")
_KEPT = re.compile(r"(?:[~-]|\.(?:bak|old|orig|save|backup|disabled|dist|rpm\w+|\d[\d-]*))$")


def placed_files(command: Command) -> list[Danger]:
    """`cp x /etc/cron.daily/`, `install -m 4755 x /usr/bin/x`, `crontab /dev/null`."""
    if asks_for_help(command):
        return []
    if command.name in _EDITS:
        return _EDITS[command.name](command)
    options = read_options(command.args, _PLACED_VALUES)
    named = options.value("-t", "--target-directory")
    sources = options.words if named else options.words[:-1]
    target = named or (options.words or ("",))[-1]
    if not sources:
        return []
    if command.name in {"install", "ginstall"} and _SET_ID.fullmatch(options.value("-m", "--mode")):
        return [_POWERS if place_of(target) in SYSTEM else _POWERS_HERE]
    if any(_takes_its_place(source, target) for source in sources):
        return [_REPLACED]
    return [_ENTERS] if any(_enters(source, target) for source in sources) else []


def _crontab(command: Command) -> list[Danger]:
    return [_NO_JOBS] if _is_emptied(command) else []


def _visudo(command: Command) -> list[Danger]:
    """An editor may do more than a person sees, or only copy its input; `-c` and `-cf x` check."""
    checks = any(one == "--check" or _checks.fullmatch(one) for one in command.args)
    return [] if checks or asks_for_help(command) else [_ENTERS]


_checks = re.compile(r"-[a-zA-Z]*[cV][a-zA-Z]*")


_EDITS = {"crontab": _crontab, "visudo": _visudo}


def _enters(source: str, target: str) -> bool:
    """Whether it changes who may come in or what runs; a copy beside the file is kept, not read."""
    if target.startswith(source) or _KEPT.search(target):
        return False
    return lets_in(target) or lets_in(f"{target.rstrip('/')}/{source.rpartition('/')[2]}")


def _takes_its_place(source: str, target: str) -> bool:
    """`cp /tmp/x /usr/sbin/sshd`; another version of the same from beside it is none."""
    folder, _, name = target.rpartition("/")
    if target.rstrip("/") in _PROGRAMS:
        folder, name = target.rstrip("/"), source.rpartition("/")[2]
    known = folder in _PROGRAMS and name in _EVERYBODYS
    return known and source.rpartition("/")[0] not in _PROGRAMS


_PROGRAMS = frozenset({"/bin", "/sbin", "/usr/bin", "/usr/sbin"})
_EVERYBODYS = words("words/shell:files.system_programs")


def _is_emptied(command: Command) -> bool:
    """Whether nothing is read for the jobs that are to be from now on."""
    read = [one.target for one in command.redirects if one.sign == "<"]
    words = read_options(command.args, word_set("-u -s")).words
    said = command.stdin.text if command.stdin else None
    return "/dev/null" in (*words, *read) or (said is not None and not said.strip() and not read)


_ENTERS = Danger("shell.access-file", HIGH, "changes who comes in, or what runs by itself", "add")
_REPLACED = Danger("shell.system-program", HIGH, "puts another program in a system's place", "copy")
_POWERS = Danger("shell.power-given", HIGH, "gives a program the powers of its owner", "install")
_POWERS_HERE = Danger(
    "shell.power-given", MEDIUM, "gives a program the powers of its owner", "install"
)
_NO_JOBS = Danger("shell.crontab-remove", HIGH, "deletes all scheduled jobs", "delete")


EDITORS = word_set("vim vi nvim ex rvim gvim ed red sudoedit")
"""By name."""

_EDITOR_LINES = word_set("ed red ex")
"""Those that take orders from their input however they are started."""

_EDITOR_VALUES = words("words/shell:files.editor_options_with_value")
_order = re.compile(r"-[a-zA-Z]{0,3}c|--cmd")
_saves = re.compile(
    r"(?:^|\||\n)[\s:]*(?:sil(?:ent)?!?\s+)?[\d.,$%]*(?:wq?a?|wri(?:te)?|x(?:a|it)?|up(?:date)?)!?"
    r"\s*(?:$|\||\n|\s([^\s|]+))"
)


def edited_system_files(command: Command) -> list[Danger]:
    """What it writes over that the system lives by."""
    if asks_for_help(command):
        return []
    if command.name == "sudoedit":
        return [_EDITS_ACCESS] if any(map(lets_in, command.args)) else []
    orders, files = _parted(command.args)
    saved = [found for one in (*orders, *_typed(command)) if (found := _saves.search(one))]
    if not saved:
        return []
    named = (*files, *(one[1] for one in saved if one[1]))
    if any(map(lets_in, named)):
        return [_EDITS_ACCESS]
    return [_EDITS_SYSTEM] if any("/" in one and place_of(one) in GRAVE for one in named) else []


def _parted(args: tuple[str, ...]) -> tuple[list[str], list[str]]:
    """What it is told, and the files that it opens."""
    orders: list[str] = []
    files: list[str] = []
    words = iter(args)
    for word in words:
        if _order.fullmatch(word):
            orders.append(next(words, ""))
        elif word in _EDITOR_VALUES:
            next(words, "")
        elif word[:1] == "+":
            orders.append(word[1:])
        elif word[:1] != "-":
            files.append(word)
    return orders, files


def _typed(command: Command) -> Iterator[str]:
    """The lines of its input, where it is told by them."""
    known = command.stdin.text if command.stdin else None
    told = command.name in _EDITOR_LINES or not _SILENT.isdisjoint(command.args)
    return islice(known.splitlines() if known and told else (), MAX_INNER)


_SILENT = word_set("-s -es -e -E -Es --headless")
_EDITS_ACCESS = Danger(
    "shell.access-file", HIGH, "changes who comes in, or what runs by itself", "edit"
)
_EDITS_SYSTEM = Danger("shell.edit-system", HIGH, "edits a file of the system", "edit")
