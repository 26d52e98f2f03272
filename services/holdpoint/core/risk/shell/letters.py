"""Letters: secrets that are mailed, and what many people get at once."""

import re

from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.shell.dry_runs import asks_for_help
from holdpoint.core.risk.shell.model import HIGH, HOLE, Command, Danger
from holdpoint.core.risk.shell.options import read_options
from holdpoint.core.risk.shell.web import mail
from holdpoint.messages.risk import Heuristic

_TEXTS = words("words/shell:messaging.options_with_value")
_CROWDS = words("words/shell:messaging.crowds")
_LISTED = f"{HOLE}(file)"
"""What a file lists, in the place of a recipient."""

_LOCAL = re.compile(r"([\w.+-]+)@")


def letters(command: Command) -> list[Danger]:
    """`mail -s news $someone` for each line of a list; `mail everyone@…`."""
    if asks_for_help(command):
        return []
    options = read_options(command.args, _TEXTS | {"--to", "-t", "-c", "--cc", "--bcc"})
    people = [*options.words, options.value("--to", "-t"), options.value("-c", "--cc", "--bcc")]
    named = {found[1].lower() for one in people if (found := _LOCAL.match(one))}
    sought = any(_LISTED in one or (command.many and HOLE in one) for one in people)
    crowd = sought or any(map(_is_crowd, named))
    return [*mail(command), *([_MANY] if crowd else [])]


def _is_crowd(name: str) -> bool:
    """`everyone`, `all-customers`, `customers+eu`."""
    if name in _CROWDS:
        return True
    parts = frozenset(_apart.split(name))
    return len(parts) > 1 and "all" in parts and not _CROWDS.isdisjoint(parts - {"all"})


_apart = re.compile(r"[._+-]")
LETTERS = ("mail", "mutt", "mailx", "neomutt", "sendmail", "msmtp", "swaks", "twilio")
_MANY = Danger("shell.many-letters", HIGH, "writes to many people", "send", Heuristic.MAGNITUDE)
