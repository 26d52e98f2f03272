"""`read_request`: everything risky about an HTTP request."""

from collections.abc import Iterator, Mapping
from itertools import chain, islice, product
from typing import Any

import msgspec

from holdpoint.core.risk.http.as_tool import is_harmless
from holdpoint.core.risk.http.body import asked_for, batched, is_twofold, opened, spelled
from holdpoint.core.risk.http.egress import carried, fetched
from holdpoint.core.risk.http.instructions import commanded_at, headed, ordered, rehearsed
from holdpoint.core.risk.http.methods import MAX_SHOWN, judged
from holdpoint.core.risk.http.request import (
    READING,
    WRITING,
    Request,
    gravest,
    method_alone,
    odd_method,
    request_in,
)
from holdpoint.core.risk.http.url import Target, execs, is_legible, targets
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.model import Analysis, Finding
from holdpoint.core.risk.text import beginning
from holdpoint.messages.risk import Heuristic, RiskLevel

__all__ = ["READING", "WRITING", "read_addressless", "read_object"]


def read_request(method: str, url: str, body: object = None) -> Analysis:
    """Read it, with the requests in its body; an unknown method counts as a write."""
    sent = Request(gravest((method,)), (url,), (body,), (), plain=True)
    outer = _read_each(sent)
    inner = (found for one in batched(body) if (found := read_object(one)))
    within = tuple(finding for one in inner for finding in one.findings)
    return msgspec.structs.replace(outer, findings=(*outer.findings, *within)) if within else outer


def read_object(values: Mapping[str, Any]) -> Analysis | None:
    """The request that an object describes, and those that lines of its body are; else None."""
    sent = request_in(values)
    if sent is None or sent.method not in READING | WRITING:
        return None
    if sent.method in READING and not sent.plain:
        return None
    return _read_each(sent)


def read_addressless(values: Mapping[str, Any]) -> Analysis | None:
    """What goes nobody knows where, or how; None for a mere read, and where both are known."""
    if odd := odd_method(values):
        reason = f"nobody can tell what the method “{beginning(odd, MAX_SHOWN)}” does"
        return Analysis(findings=(_up("http.unreadable", reason),))
    method = method_alone(values)
    if not method or method in READING:
        return None
    reason = f"a {beginning(method, MAX_SHOWN)} is sent, and nobody can tell to which address"
    return Analysis(findings=(_up("http.addressless", reason),), verb=method.lower())


def _read_each(sent: Request) -> Analysis:
    """By each method, at each address and with each body that may be meant."""
    found = [_read(sent.methods, url, body) for url, body in product(sent.urls, sent.bodies)]
    lines = (one for body in sent.bodies for one in spelled(body))
    found += [within for one in lines if (within := read_object(one))]
    findings = dict.fromkeys(finding for one in found for finding in one.findings)
    beside = tuple(_beside(sent))
    return Analysis(
        findings=(*findings, *beside),
        reads_only=all(one.reads_only for one in found) and not beside,
        verb=found[0].verb,
    )


def _beside(sent: Request) -> Iterator[Finding]:
    """What its headers do, and what is written twice."""
    if sent.is_split:
        yield _up("http.unreadable", "a line of its headers is none, and may be another request")
    if any(map(is_twofold, sent.bodies)) or any(map(_asks_twice, sent.urls)):
        reason = "a name stands twice in it, and nobody can tell which value counts"
        yield _up("http.unreadable", reason)
    if order := headed(sent.headers) or _written_over(sent):
        yield _up("http.order", order, Heuristic.IRREVERSIBILITY)


def _written_over(sent: Request) -> str:
    """WebDAV's `Overwrite: T`: what stands at the other end is gone."""
    told = (said.strip().upper() for name, said in sent.headers if name == "overwrite")
    over = not _MOVES.isdisjoint(sent.methods) and "T" in told
    return f"{sent.method} overwrites what stands at its destination" if over else ""


_MOVES = frozenset({"MOVE", "COPY"})


def _asks_twice(url: str) -> bool:
    """Whether two programs stand in its query under one name; of one, words follow each other."""
    if execs(url):
        return False
    named = [key.lower() for key, _ in targets(url)[0].asked if key.lower() in _PROGRAMS]
    return len(named) > len(set(named))


_PROGRAMS = word_set("query sql statement stmt cmd command script exec")


def _read(methods: tuple[str, ...], url: str, body: object) -> Analysis:
    """What it does, and the secrets that it gives away."""
    if not is_legible(url):
        reason = "nobody can read its address as one: it is too long, or holds what none has"
        return Analysis(findings=(_up("http.unreadable", reason),), verb=methods[0].lower())
    read = targets(url)
    more = (asked_for(body), *_overriding(read)) if "POST" in methods else ()
    meant = gravest((*methods, *more)) if any(more) else methods
    found = [_does(method, target, body) for method in meant for target in read]
    leaks = chain(carried(url, body), fetched(url))
    given = tuple(_up("http.key", why, Heuristic.CRITICALITY) for why in leaks)
    return Analysis(
        findings=(*(finding for one in found for finding in one.findings), *given),
        reads_only=all(one.reads_only for one in found) and not given,
        verb=found[0].verb,
    )


def _overriding(read: tuple[Target, ...]) -> Iterator[str]:
    """The methods that a query asks a POST to be taken for: `?_method=PATCH`."""
    said = (method for target in read if target.asked for method in target.said("_method"))
    return (method for method in said if method.upper() in WRITING)


def _does(method: str, target: Target, body: object) -> Analysis:
    rehearses = rehearsed(method, target, body)
    order = "" if rehearses else ordered(method, target, body)
    if method == "GET" and not order:
        order = commanded_at(_with_body(target, body) if body else target)
    asks = method in READING or rehearses or (method == "POST" and is_harmless(target, body))
    if asks and not order:
        return Analysis(reads_only=True, verb=method.lower())
    findings = tuple(judged(method, target, order, body))
    return Analysis(findings=findings, verb=method.lower())


def _with_body(target: Target, body: object) -> Target:
    """A GET whose body says what its query might: some servers read it."""
    held = islice(opened(body).items(), MAX_FIELDS)
    said = ((str(key), one) for key, one in held if isinstance(one, str))
    return Target(target.host, target.path, (*target.asked, *said))


MAX_FIELDS = 100


def _up(rule: str, reason: str, heuristic: Heuristic = Heuristic.UNCERTAINTY) -> Finding:
    return Finding(rule=rule, heuristic=heuristic, level=RiskLevel.HIGH, reason=reason)
