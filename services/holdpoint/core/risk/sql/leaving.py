"""Data that leaves the database: into files, stages, and addresses elsewhere."""

import re
from collections.abc import Iterator

from holdpoint.core.risk.shell.secrets import is_secret
from holdpoint.core.risk.sql.act import Act, Found
from holdpoint.messages.risk import RiskLevel

MEDIUM, HIGH, CRITICAL = RiskLevel.MEDIUM, RiskLevel.HIGH, RiskLevel.CRITICAL

_address = re.compile(
    r"""(?i)["'](?:s3[an]?|gcs|gs|r2|az|azure|azblob|wasbs?|abfss?|adl|oss|cos|https?|s?ftps?)://"""
    r"""|["']\\\\"""
)
"""A bucket, a host, a share of the network: nobody can tell whose."""


def copied(act: Act) -> Iterator[Found]:
    """A copy may start a program, write a file of the server, or send the rows elsewhere."""
    if act.has("PROGRAM"):
        yield act.found("sql.shell", CRITICAL, "“{}” runs a program on the machine", 0)
    elif act.verb == "COPY" and (act.has("TO") or _is_place(act.word(2))):
        yield _written(act, 0)
    elif act.has("FROM") and of_machine(act):
        yield act.found("sql.files", HIGH, "“{}” brings a file of the machine into a table", 0)


def _is_place(word: str) -> bool:
    """Whether Snowflake's COPY INTO goes to a stage or an address, rather than into a table."""
    return word.startswith(("@", "'"))


def exported(act: Act) -> Iterator[Found]:
    """UNLOAD, EXPORT DATA: as COPY … TO."""
    if act.word(1) in {"(", "DATA", "DATABASE", "TABLE", "INTO"}:
        yield _written(act, 3)


_runs = re.compile(
    r"(?i)\.(?:php\d?|phtml|phar|jspx?|aspx?|ashx|cfm|cgi|py|rb|pl|lua|sh|bash|zsh|ps1|bat|cmd|vbs"
    r"|js|mjs|htm|html|svg|so|dll|dylib|exe|conf|ini|htaccess|service|timer|desktop)$"
    r"|^/(?:etc|root|boot|s?bin|lib\w*|usr/\w+|var/(?:spool|www))/|(?:^|/)cron|/\.\w[^/]*(?:/|$)"
)
"""Places whose files are run or believed: a web server's pages, cron, programs, settings."""


def of_machine(act: Act) -> bool:
    """Whether a file that it reads is a secret, or one of the machine's own and no data."""
    return any(is_secret(one) or _own.match(one) for one in act.strings())


_own = re.compile(r"^(?:/(?:etc|root|proc|boot)/|(?i:[a-z]:[\\/]+windows[\\/]))")


def writes_where_it_runs(act: Act) -> bool:
    """Whether a file that it makes or writes would be run there, or believed, by somebody else."""
    return any(_runs.search(one.removeprefix("file:").partition("?")[0]) for one in act.strings())


def _written(act: Act, count: int) -> Found:
    if writes_where_it_runs(act):
        return act.found("sql.files", HIGH, "“{}” writes a file where it may run", 0)
    if away(act):
        return act.found("sql.files", HIGH, "“{}” sends data to an address elsewhere", 0)
    return act.found("sql.files", MEDIUM, "“{}” writes data to a file", count)


def saved(act: Act) -> Iterator[Found]:
    """A backup is harmless where the server keeps it; a log that none keeps is thrown away."""
    if act.word(1) == "LOG" and (act.has("TRUNCATE_ONLY", "NO_LOG") or _to_nowhere(act)):
        yield act.found("sql.purge", HIGH, "“{}” throws the log away", 0)
    if act.has("TO", "INTO") and away(act):
        yield act.found("sql.files", HIGH, "“{}” sends data to an address elsewhere", 0)


def _to_nowhere(act: Act) -> bool:
    return any(one.lower().rstrip(":") in {"nul", "/dev/null"} for one in act.strings())


def away(act: Act) -> bool:
    """Whether an address stands in it, as a value of its own."""
    quoted = (token for token in act.tokens if token.kind in {"string", "name"})
    return any(_address.match(token.text) for token in quoted)


def inserted_away(act: Act) -> Iterator[Found]:
    """ClickHouse's INSERT INTO FUNCTION: the rows go to a host or a bucket."""
    place = next((at for at in (2, 3) if act.word(at) == "FUNCTION"), 0)
    if place and (act.word(place + 1) in {"REMOTE", "REMOTESECURE", "URL"} or away(act)):
        yield act.found("sql.files", HIGH, "“{}” sends data to an address elsewhere", 0)


def unstaged(act: Act) -> Iterator[Found]:
    """Snowflake's REMOVE @stage: the files in it are gone."""
    if act.word(1).startswith("@"):
        yield act.found("sql.files-removed", HIGH, "“{}” deletes files of a stage", 0)
