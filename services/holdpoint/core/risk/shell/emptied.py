"""What is left of a file over which nothing is written, or of which every line is deleted."""

import re

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.model import HIGH, Command, Danger
from holdpoint.core.risk.shell.options import read_options
from holdpoint.core.risk.shell.paths import Place, is_made_again, place_of

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


def blanked(command: Command) -> bool:
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
