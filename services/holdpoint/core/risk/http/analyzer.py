"""`read_request`: everything risky about an HTTP request, and requests that only answer."""

from collections.abc import Iterator, Mapping
from itertools import chain, islice, product
from typing import Any

import msgspec
from msgspec.structs import replace

from holdpoint.core.risk.http.instructions import commanded_at, headed, ordered, rehearsed
from holdpoint.core.risk.http.paths import (
    MAX_SHOWN,
    address_words,
    asked_for,
    batched,
    is_twofold,
    judged,
    opened,
    singular,
    spelled,
    tells,
    works_out,
)
from holdpoint.core.risk.http.request import (
    MAX_URL,
    READING,
    WRITING,
    Request,
    Target,
    execs,
    gravest,
    is_legible,
    method_alone,
    odd_method,
    request_in,
    targets,
)
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.model import Analysis, Finding
from holdpoint.core.risk.tools.egress import carried, fetched
from holdpoint.core.risk.tools.hazards import DISTURBS
from holdpoint.core.risk.words import word_set
from holdpoint.core.text import beginning
from holdpoint.messages.risk import Heuristic, RiskLevel, Signal

MAX_TURNS = 1_500
_HOSTS = word_set("translate translation translator embeddings embedding")
_MODELS = (("completions",), ("messages",), ("responses",), ("chat",), ("generate",),
           ("generate", "content"), ("converse",))  # fmt: skip
"""How a path ends at which a model is asked."""

_FIELDS = words("words/http:harmless.fields")
_TURNS = ("messages", "contents")
_SENDS = word_set("send sent publish published schedule scheduled submit deliver")


def is_harmless(target: Target, body: object) -> bool:
    """Return whether it does no more than tell something, or what follows."""
    return tells(target.path) or does_nothing(target, body)


def does_nothing(target: Target, body: object) -> bool:
    """Whether what it is handed is only worked on, said to a model, or kept for its writer."""
    host = target.host.partition(".")[0] in _HOSTS and target.is_root
    return host or works_out(target.path) or _asks_a_model(target, body) or _drafts(target, body)


def _asks_a_model(target: Target, body: object) -> bool:
    words = address_words(target.path[-1]) if target.path else ()
    if words[-1:] not in _MODELS and words[-2:] not in _MODELS:
        return False
    return is_question(opened(body))


def is_question(held: Mapping[str, Any]) -> bool:
    """Return whether a body holds no more than what a model is told, with no tool to use."""
    known = all(str(key).lower() in _FIELDS for key in held)
    said = [held[key] for key in _TURNS if key in held]
    turns = all(isinstance(one, list) and all(map(_is_turn, one[:MAX_TURNS])) for one in said)
    return known and turns and ("model" in held or "contents" in held)


def _is_turn(one: object) -> bool:
    return isinstance(one, Mapping) and "role" in one


def _drafts(target: Target, body: object) -> bool:
    """`POST /drafts`, as long as nothing says that it is sent."""
    if not target.path or target.path[-1].lower() not in {"draft", "drafts"}:
        return False
    names = (*(key for key, _ in target.asked), *map(str, opened(body)))
    return all(_SENDS.isdisjoint(address_words(name)) for name in names)


MAX_PARTS = 5
"""Parts of a path that are looked at: what it is about stands at its end."""


def requested(objects: tuple[Mapping[str, Any], ...]) -> frozenset[str]:
    """The words of each request that changes something; none where all of them read."""
    sent = islice(filter(None, map(request_in, objects)), MAX_REQUESTS)
    return frozenset(word for one in sent for word in _request_words(one))


MAX_REQUESTS = 56
"""Requests in one call that are read; a call that holds more goes up."""


def as_sent(
    signals: tuple[Signal, ...], tool: str, objects: tuple[Mapping[str, Any], ...]
) -> tuple[Signal, ...]:
    """With what was sent in their reasons, in the place of a tool that only sends."""
    sent = next(filter(None, map(request_in, objects)), None)
    target = next(_targets(sent), None) if sent else None
    if sent is None or target is None:
        return signals
    asked = min(target.said("Action"), default="") or f"/{'/'.join(target.path[-2:])}"
    shown = beginning(f"{sent.method} {asked}", MAX_NAMED)
    return tuple(replace(one, reason=one.reason.replace(tool, shown, 1)) for one in signals)


MAX_NAMED = 30
"""Characters of a request in a reason."""


def searched(objects: tuple[Mapping[str, Any], ...]) -> bool:
    """Whether each request in them is a search, or works on a text: nothing in it is done."""
    sent = [one for held in objects if (one := request_in(held))]
    asked = [(one, target) for one in sent for target in _targets(one) if target.path]
    return bool(asked) and all(_is_search(one, target) for one, target in asked)


def _is_search(sent: Request, target: Target) -> bool:
    """`/notes/search`, `/search/notes`; and `/notes?q=…` where it is only got."""
    if sent.method == "GET" and any(key in _SOUGHT for key, _ in target.asked):
        return True
    if _is_idle(sent, target):
        return True
    ends = address_words(target.path[-1])[-1:]
    if ends == ("query",) and len(target.path) > 1:
        return not _COUNTED.isdisjoint(address_words(target.path[-2])[-1:])
    return not _SEARCHES.isdisjoint(ends) or target.path[-2:-1] == ["search"]


_COUNTED = words("words/http:as_tool.counted")
_SOUGHT = word_set("q query search keyword keywords term")
_SEARCHES = word_set(
    "search msearch suggest autocomplete lookup find translate spellcheck preview estimate"
)


def _targets(sent: Request) -> Iterator[Target]:
    return (target for url in sent.urls for target in targets(url[:MAX_URL]))


def _request_words(sent: Request) -> Iterator[str]:
    if sent.method in READING:
        return
    for target in _targets(sent):
        path = target.path
        silent = tells(path) or _is_idle(sent, target)
        if silent and not (path and _exports(path[-1])):
            continue
        last = path[-1] if path else ""
        adds = sent.method == "POST" and _is_collection(last)
        yield "create" if adds else "update"
        named = [word for part in path[-MAX_PARTS:] for word in address_words(part)]
        yield from (*named, *singular(named))
        if adds and DISTURBS.intersection(done := address_words(last[:-1])):
            yield from done


def _is_idle(sent: Request, target: Target) -> bool:
    return sent.method == "POST" and all(does_nothing(target, body) for body in sent.bodies)


def _is_collection(last: str) -> bool:
    """Return whether a POST adds one to it: `/webhooks`; not `/environments/production`."""
    return last.endswith("s") and not any(char.isdigit() for char in last)


def _exports(last: str) -> bool:
    """Return whether it tells, but may tell somebody else."""
    return "export" in address_words(last)


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
    """Yield what its headers do, and what is written twice."""
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
    """Return whether two programs stand in its query under one name."""
    if execs(url):
        return False
    named = [key.lower() for key, _ in targets(url)[0].asked if key.lower() in _PROGRAMS]
    return len(named) > len(set(named))


_PROGRAMS = word_set("query sql statement stmt cmd command script exec")


def _read(methods: tuple[str, ...], url: str, body: object) -> Analysis:
    """Return what it does, and the secrets that it gives away."""
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
