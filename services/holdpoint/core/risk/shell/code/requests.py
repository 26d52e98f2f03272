"""Requests that inline code sends, and secrets in them."""

from collections.abc import Iterator

import re2

from holdpoint.core.risk.http.analyzer import read_object
from holdpoint.core.risk.http.request import WRITING
from holdpoint.core.risk.knowledge import pattern
from holdpoint.core.risk.model import Finding
from holdpoint.core.risk.shell.code.sent_requests import requests_in
from holdpoint.core.risk.shell.data_transfer import is_secret
from holdpoint.core.risk.shell.inner_commands import Sends
from holdpoint.core.risk.shell.network_commands import PAID, moves_money
from holdpoint.core.risk.sql.analyzer import analyze_sql
from holdpoint.messages.risk import RiskLevel

MAX_READ = 400
"""Statements of one text that are read."""

TANGLED = Finding("shell.unseen-code", RiskLevel.HIGH, "runs more code than is read", "run")

_queries = re2.compile(rf"(?i)\b(?:{pattern('patterns/shell:code_requests.queries')})\s*[(`]")


def grave_requests(code: str, strings: list[str]) -> Iterator[Finding | Sends]:
    """Yield what is grave about its statements and requests, and the requests that are not."""
    if _queries.search(code):
        for one in strings[:MAX_READ]:
            worst = max(
                (signal.level for signal in analyze_sql(one).signals), default=RiskLevel.LOW
            )
            if worst >= RiskLevel.HIGH:
                yield Finding("shell.code-sql", worst, "hands a database a grave statement", "run")
    if _pays.search(code) and not _practised.search(code):
        yield PAID
    yield from _asked(code)


def _asked(code: str) -> Iterator[Finding | Sends]:
    """Yield each request that it sends, and what is grave about its address."""
    sent, read = requests_in(code)
    for request in sent:
        if request["method"] == "POST" and moves_money((request["url"],), code):
            yield PAID
        found = read_object(request)
        if found and any(signal.level >= RiskLevel.HIGH for signal in found.signals):
            reason = "asks a server for what is hard to undo"
            yield Finding("shell.code-request", RiskLevel.HIGH, reason, "post")
        elif request["method"] in WRITING:
            yield Sends(request)
    if not read:
        yield TANGLED


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

_opens = re2.compile("(?i)" + pattern("patterns/shell:code_requests.opens"))
_shown = re2.compile(r"\.(?:crt|cer)$")
_pays = re2.compile(pattern("patterns/shell:code_requests.pays"))
_practised = re2.compile(r"(?i)[sr]k_test_|localhost|127\.0\.0\.1|testnet|sepolia|devnet|hardhat")
_talks = re2.compile("(?i)" + pattern("patterns/shell:code_requests.talks"))
_surroundings = re2.compile(pattern("patterns/shell:code_requests.surroundings"))
"""All variables; one by its name is no more than a setting."""
