"""What goes to strangers: people's files to a bare number outside, any file to a public drop."""

import re

import re2

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.model import HIGH, Command, Danger
from holdpoint.messages.risk import Heuristic

_people = re2.compile(
    r"^/(?:home|Users)(?:/[^/]+)?(?:/\*?)?$|^(?:/root|~)(?:/\*?)?$|^/etc(?:/|$)"
    r"|^/var/(?:lib|mail|backups|spool)(?:/|$)"
    r"|(?i:(?:^|[/_-])(?:customer|patient|client|employee|member|subscriber|payroll|salar)\w*"
    r"[\w.-]*\.(?:csv|tsv|xlsx?|sql|dump|db|sqlite3?|parquet)(?:\.gz|\.zip)?$)"
    r"|(?:^|/)(?:patients|payroll|salaries)/?$"
)
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


_drop = re2.compile(
    r"(?i)^(?:https?://)?(?:[\w-]+\.)*(?:file\.io|transfer\.sh|0x0\.st|paste\.rs|bashupload\.com|temp\.sh"
    r"|oshi\.at|catbox\.moe|gofile\.io|tmpfiles\.org|filebin\.net|dpaste\.(?:com|org)|paste\.ee"
    r"|pastebin\.com|hastebin\.com|ix\.io|sprunge\.us|termbin\.com|envs\.sh|x0\.at|uguu\.se"
    r"|pixeldrain\.com|anonfiles\.com|keep\.sh|webhook\.site|pipedream\.net|requestcatcher\.com"
    r"|requestbin\.\w+|oast\.\w+|interact\.sh|burpcollaborator\.net)(?:[/:?]|$)"
)
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
