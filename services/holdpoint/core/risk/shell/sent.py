"""What code hands to servers: statements for a database, requests over HTTP."""

from collections.abc import Iterator

import msgspec
import re2

from holdpoint.core.risk.http.door import read_request
from holdpoint.core.risk.shell.model import Danger
from holdpoint.core.risk.sql.door import read_sql
from holdpoint.messages.risk import RiskLevel

MAX_READ = 8
"""Statements and requests of one text that are read."""

_queries = re2.compile(
    r"(?i)\b(?:execute|executemany|executescript|executesql|exec_driver_sql|query|raw|prepare|sql|"
    r"executeupdate|queryraw\w*|executeraw\w*|do|read_sql\w*)\s*[(`]"
)
_calls = re2.compile(
    r"(?is)\b(?:requests|httpx|session|client|axios|http|api|\$http|urllib3|got|ky|superagent)"
    r"\s*\.\s*(delete|put|patch|post|purge)\s*\(\s*[a-z]{0,2}['\"`]([^'\"`\n]{1,400})['\"`]"
)
_named = re2.compile(
    r"(?is)['\"](DELETE|PURGE|PUT|PATCH|POST)['\"]\s*,\s*[a-z]{0,4}\s*=?\s*['\"`]([^'\"`\n]{1,400})"
)
_fetched = re2.compile(
    r"(?is)(?:\bfetch|\baxios|\brequest|Request)\s*\(\s*['\"`]([^'\"`\n]{1,400})['\"`].{0,200}?"
    r"\bmethod['\"]?\s*[:=]\s*['\"](\w{1,10})['\"]"
)
_body = re2.compile(r"(?is)\b(?:json|data|body)['\"]?\s*[:=,]\s*(?:JSON\.stringify\()?\{")
MAX_BODY = 2_000
"""Characters of an object that is sent."""
_bare_key = re2.compile(r"([{,]\s*)([A-Za-z_]\w*)\s*:")


def handed_on(code: str, strings: list[str]) -> Iterator[Danger]:
    """What is grave about it."""
    if _queries.search(code):
        for one in strings[:MAX_READ]:
            worst = max((signal.level for signal in read_sql(one).signals), default=RiskLevel.LOW)
            if worst >= RiskLevel.HIGH:
                yield Danger("shell.code-sql", worst, "hands a database a grave statement", "run")
    for method, url in _requests(code):
        signals = read_request(method, url, _sent(code)).signals
        if any(signal.level >= RiskLevel.HIGH for signal in signals):
            reason = "asks a server for what is hard to undo"
            yield Danger("shell.code-request", RiskLevel.HIGH, reason, "post")


def _requests(code: str) -> list[tuple[str, str]]:
    """Each method with its address."""
    turned = [(method, url) for url, method in _fetched.findall(code)]
    return [*_calls.findall(code), *_named.findall(code), *turned][:MAX_READ]


def _sent(code: str) -> object:
    """The first object that is sent, as JSON, Python or JavaScript writes it."""
    found = _body.search(code)
    if not found:
        return None
    text = _object(code[found.end() - 1 :][:MAX_BODY])
    for written, meant in _AS_JSON:
        text = text.replace(written, meant)
    try:
        sent: object = msgspec.json.decode(_bare_key.sub(r'\1"\2":', text))
    except (msgspec.MsgspecError, UnicodeError):
        return None
    return sent


_AS_JSON = (("'", '"'), ("True", "true"), ("False", "false"), ("None", "null"))
"""What Python and JavaScript write otherwise."""


def _object(code: str) -> str:
    """Up to the bracket that closes the first one."""
    depth = 0
    for at, sign in enumerate(code):
        depth += {"{": 1, "}": -1}.get(sign, 0)
        if not depth:
            return code[: at + 1]
    return code
