"""Requests that inline code sends, and secrets in them."""

from collections.abc import Iterator

import re2

from holdpoint.core.risk.http.analyzer import read_request
from holdpoint.core.risk.knowledge import pattern
from holdpoint.core.risk.shell.data_transfer import is_secret
from holdpoint.core.risk.shell.model import Danger
from holdpoint.core.risk.shell.network_commands import PAID, moves_money
from holdpoint.core.risk.sql.analyzer import analyze_sql
from holdpoint.messages.risk import RiskLevel

MAX_READ = 400
"""Statements and requests of one text that are read."""

_queries = re2.compile(
    r"(?i)\b(?:execute|executemany|executescript|executesql|exec_driver_sql|query|raw|prepare|sql|"
    r"executeupdate|queryraw\w*|executeraw\w*|do|read_sql\w*)\s*[(`]"
)
_calls = re2.compile(
    r"(?is)\b(?:requests?|httpx|session|client|axios|http|api|\$http|urllib3|got|ky|superagent)"
    r"(?:['\"]\s*\))?\s*\.\s*(delete|get|put|patch|post|purge)\s*\(\s*[a-z]{0,2}['\"`]([^'\"`\n]{1,400})['\"`]"
)
_named = re2.compile(
    r"(?is)(\b(?:sub|subn|gsub|replace|replaceAll)\s*\(\s*r?)?['\"](DELETE|PURGE|PUT|PATCH|POST)['\"]\s*,\s*[a-z]{0,4}\s*=?\s*['\"`]([^'\"`\n]{1,400})"
)
_fetched = re2.compile(
    r"(?is)(?:\bfetch|\baxios|\brequest|Request)\s*\(\s*['\"`]([^'\"`\n]{1,400})['\"`].{0,200}?"
    r"\bmethod['\"]?\s*[:=]\s*['\"](\w{1,10})['\"]"
)
_described = re2.compile(
    r"(?is)\b(?:ajax|axios|request|got|ky)\s*\(\s*(?:['\"`]([^'\"`\n]{1,400})['\"`]\s*,\s*)?"
    r"\{([^{}]{1,400})"
)
_by = re2.compile(r"(?i)\b(?:method|type)['\"]?\s*[:=]\s*['\"`](\w{1,10})['\"`]")
_at = re2.compile(r"(?i)\bur[li]['\"]?\s*[:=]\s*['\"`]([^'\"`\n]{1,400})['\"`]")


def grave_requests(code: str, strings: list[str]) -> Iterator[Danger]:
    """Yield what is grave about it."""
    if _queries.search(code):
        for one in strings[:MAX_READ]:
            worst = max(
                (signal.level for signal in analyze_sql(one).signals), default=RiskLevel.LOW
            )
            if worst >= RiskLevel.HIGH:
                yield Danger("shell.code-sql", worst, "hands a database a grave statement", "run")
    if _pays.search(code) and not _practised.search(code):
        yield PAID
    yield from _asked(code)


def _asked(code: str) -> Iterator[Danger]:
    """Yield what its requests ask of servers."""
    for method, url in _requests(code):
        if method.upper() == "POST" and moves_money((url,), code):
            yield PAID
        signals = read_request(method, url, _sent(code)).signals
        if any(signal.level >= RiskLevel.HIGH for signal in signals):
            reason = "asks a server for what is hard to undo"
            yield Danger("shell.code-request", RiskLevel.HIGH, reason, "post")


def leaks(code: str, strings: list[str]) -> bool:
    """Return whether it reads a secret, or all variables, and talks to another machine."""
    if not _talks.search(code):
        return False
    secret = (one for one in strings if is_secret(one) and not _shown.search(one))
    return any(_is_read(code, one) for one in secret) or bool(_surroundings.search(code))


def _is_read(code: str, path: str) -> bool:
    """Whether what stands before a path opens it: a certificate for the way is only named."""
    at = code.find(path)
    return _opens.search(code[max(at - MAX_BEFORE, 0) : max(at, 0)]) is not None


MAX_BEFORE = 32
"""Characters before a path in which stands what is done with it."""

_opens = re2.compile(
    r"(?i)open|read|file|path|expanduser|contents|slurp|\bcat\b|<|load|join|glob|upload|put|attach|argv"
)
_shown = re2.compile(r"\.(?:crt|cer)$")
_pays = re2.compile(pattern("patterns/shell:code_requests.pays"))
_practised = re2.compile(r"(?i)[sr]k_test_|localhost|127\.0\.0\.1|testnet|sepolia|devnet|hardhat")
_talks = re2.compile("(?i)" + pattern("patterns/shell:code_requests.talks"))
_surroundings = re2.compile(pattern("patterns/shell:code_requests.surroundings"))
"""All variables; one by its name is no more than a setting."""


def _requests(code: str) -> list[tuple[str, str]]:
    """Each method with its address."""
    named = [(method, url) for written, method, url in _named.findall(code) if not written]
    turned = [(method, url) for url, method in _fetched.findall(code)]
    described = [
        (method, url)
        for before, inside in _described.findall(code)
        for url in ((before,) if before else _at.findall(inside)[:1])
        for method in _by.findall(inside)
    ]
    found = [*_calls.findall(code), *named, *turned, *described]
    return found[:MAX_READ]


def _sent(code: str) -> dict[str, str | bool] | None:
    """The plain values of the first object that is sent."""
    found = _body.search(code)
    if not found:
        return None
    pairs = _pair.findall(code[found.end() : found.end() + MAX_BODY].partition("}")[0])
    return {key: value.lower() == "true" if value.lower() in {"true", "false"} else value
            for key, value in pairs}  # fmt: skip


_body = re2.compile(r"(?is)\b(?:json|data|body)['\"]?\s*[:=,]\s*(?:JSON\.stringify\()?\{")
_pair = re2.compile(r"['\"]?(\w+)['\"]?\s*:\s*['\"]?([\w.@/-]+)")
MAX_BODY = 2_000
"""Characters of an object that is sent."""
