"""Requests that inline code sends, with what they carry, and what is grave about them."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import islice
from typing import Any

import re2

from holdpoint.core.risk.extract.literals import WORKED_OUT, Given, Lookup, given, literal
from holdpoint.core.risk.http.analyzer import read_object
from holdpoint.core.risk.http.request import READING, WRITING, plain_method
from holdpoint.core.risk.knowledge import ordered_words, pattern, words
from holdpoint.core.risk.model import Finding
from holdpoint.core.risk.shell.data_transfer import is_secret
from holdpoint.core.risk.shell.inner_commands import Sends
from holdpoint.core.risk.shell.network_commands import PAID, moves_money
from holdpoint.core.risk.sql.analyzer import analyze_sql
from holdpoint.core.risk.words import word_set
from holdpoint.messages.risk import RiskLevel

MAX_CALLS = 400
MAX_READ = 32_768
"""Characters of one text that are read as what its calls are given; of more nobody knows all."""

MAX_GIVEN = 8_192
"""Characters of one call, or of one value."""

MAX_BEFORE = 40
"""Characters before a name in which stands what it belongs to."""

MAX_NAMES = 64
"""Variables of which the values are looked up."""

_METHODS = READING | WRITING
_SENDERS = words("words/http:inline_code.senders")
_CLIENTS = words("words/http:inline_code.clients")
_MOCKS = word_set("mock nock respx responses rsps httpretty requests_mock moxios msw")
"""What stands in for a server in tests: what looks like a request there is none."""

_OPTIONS = words("words/http:inline_code.options")
_BODIES = ordered_words("words/http:inline_code.bodies")
_ADDRESSES = ("url", "uri", "href", "endpoint")
_NAMING = word_set("method type httpmethod verb http_method")
_REPLACES = word_set("sub subn gsub replace replaceAll print add register")
_DRESSES = re.compile(r"_?(?:form|json|async)$")

_call = re.compile(
    r"(?<![\w$])([A-Za-z_]\w{0,40})(?:\.new)?(?:\s{0,4}\(|([ \t]{1,4})(?=['\"]))", re.ASCII
)
_told = re.compile(r"\s{0,20}(?:\w{1,12}\s{0,4}=\s{0,4})?['\"]([A-Za-z]{3,7})['\"]\s{0,4},")
_base = re.compile(r"(\w+)[()'\"\]]{0,4}\s{0,4}(?:\.|::|->)\s{0,4}(?:\w{1,20}::)?$")
_assigned = re.compile(
    r"(?:^|[;{(,\n]|\b(?:const|let|var|my)\s)[ \t]{0,40}(\$?[A-Za-z_]\w{0,60})[ \t]{0,8}=(?![=>~])"
)
_later = re.compile(
    r"\.\s{0,4}(?:(?:send|write|end|set_form_data|body)\s{0,4}\(|body\s{0,4}=(?!=))\s{0,20}"
)
"""Where a request that was made before is given its body."""

_curl = re.compile(r"CURLOPT_(\w{1,20})\s{0,4}(?:,|=>)\s{0,20}")


def requests_in(code: str) -> tuple[list[dict[str, Any]], bool]:
    """Each request, and whether all of them were read."""
    known = _variables(code)
    found: list[dict[str, Any]] = []
    left = MAX_READ
    for call in _call.finditer(code):
        if not _sends(call, code):
            continue
        if left <= 0 or len(found) > MAX_CALLS:
            return found, False
        inside = code[call.end() : call.end() + MAX_GIVEN]
        told = given(re.split(r"[;\n]", inside, maxsplit=1)[0] if call[2] else inside, known)
        left -= told.size
        if request := _request(call[1], _base_of(call, code), told):
            found.append(request if "body" in request else request | _sent_later(code, known))
    return found + list(_by_curl(code, known)), True


def _sends(call: re.Match[str], code: str) -> bool:
    """Return whether a function of this name may send a request, or is told the method first."""
    name = call[1].lower()
    if call[1] in _REPLACES or _base_of(call, code) in _MOCKS:
        return False
    if name in _SENDERS or name.endswith(("request", "fetch")) or _verb(name):
        return True
    told = None if call[2] else _told.match(code, call.end())
    return told is not None and told[1].upper() in _METHODS


def _verb(name: str) -> str:
    """The method that a function is named for: `post`, `Post`, `post_form`."""
    method = _DRESSES.sub("", name.lower()).upper()
    return method if method in _METHODS else ""


def _base_of(call: re.Match[str], code: str) -> str:
    """What the function belongs to, in lower case: `axios` in `require('axios').post(`."""
    found = _base.search(code, max(call.start() - MAX_BEFORE, 0), call.start())
    return found[1].lower() if found else ""


def _request(name: str, base: str, told: Given) -> dict[str, Any] | None:
    """What the call asks for; None where it names no address."""
    verb = _verb(name)
    options, rest = _parted(told, verb)
    methods = [one for one in rest if isinstance(one, str) and one.upper() in _METHODS][:1]
    others = [one for one in rest if one not in methods]
    said = next((options[key] for key in _NAMING if isinstance(options.get(key), str)), "")
    url = _addressed(options)
    sure = base in _CLIENTS or bool(methods or said)
    if not url and others and _is_address(others[0], sure=sure):
        url = others.pop(0)
    if not url:
        return None
    bodies = (*(options.get(key) for key in _BODIES), *others, _unnamed(told.named) if verb else {})
    body = next((one for one in bodies if isinstance(one, dict | list | str) and one), None)
    method = said or next(iter(methods), verb) or ("POST" if body else "GET")
    headers = {"headers": options["headers"]} if isinstance(options.get("headers"), dict) else {}
    sent = {"body": body} if body and body != WORKED_OUT else {}
    return {"method": plain_method(method), "url": url, **headers, **sent}


def _parted(told: Given, verb: str) -> tuple[dict[str, Any], list[Any]]:
    """What a call is told by name, in lower case, also in an object of options; and the rest."""
    options = {key.lower(): value for key, value in told.named.items()}
    rest: list[Any] = []
    for one in told.plain:
        keys = frozenset(str(key).lower() for key in one) if isinstance(one, dict) else _NONE
        if not isinstance(one, dict) or (
            not keys <= _OPTIONS if verb else keys.isdisjoint(_OPTIONS)
        ):
            rest.append(one)
            continue
        inside = one.get("http", one.get("https"))
        held = inside if isinstance(inside, dict) else one
        options |= {str(key).lower(): value for key, value in held.items()}
    return options, rest


_NONE = frozenset[str]()


def _addressed(options: Mapping[str, Any]) -> str:
    """The address that stands among the options, in one or as a host and a path."""
    said = {key: value for key, value in options.items() if isinstance(value, str)}
    whole = next((said[key] for key in _ADDRESSES if key in said), "")
    host = said.get("hostname", said.get("host", ""))
    return whole or (f"https://{host}{said.get('path', '')}" if host else "")


def _is_address(value: Any, *, sure: bool) -> bool:
    """Return whether it is one; a mere path only where what it is handed to is a client."""
    return isinstance(value, str) and value != WORKED_OUT and (sure or "://" in value)


def _unnamed(named: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a form, given as arguments of their own names."""
    return {key: value for key, value in named.items() if key.lower() not in _OPTIONS}


def _sent_later(code: str, known: Lookup) -> dict[str, Any]:
    """What a request is given after it was made: `.send({…})`, `req.body = …`."""
    for found in islice(_later.finditer(code), MAX_LATER):
        body = literal(code[found.end() : found.end() + MAX_GIVEN], known)
        if isinstance(body, dict | list | str) and body and body != WORKED_OUT:
            return {"body": body}
    return {}


MAX_LATER = 4


def _by_curl(code: str, known: Lookup) -> Iterator[dict[str, Any]]:
    """The request that PHP's curl is told by one option after another."""
    told = {
        found[1]: literal(code[found.end() : found.end() + MAX_GIVEN], known)
        for found in islice(_curl.finditer(code), MAX_NAMES)
    }
    url = told.get("URL") or next(map(_first, islice(_opens.finditer(code), 1)), "")
    if not told or not isinstance(url, str):
        return
    body = told.get("POSTFIELDS")
    posts = body is not None or told.get("POST")
    method = told.get("CUSTOMREQUEST") or ("POST" if posts else "GET")
    yield {"method": plain_method(str(method)), "url": url} | ({"body": body} if body else {})


_opens = re.compile(r"curl_init\(\s{0,20}(?:'([^'\n]+)'|\"([^\"\n]+)\")")


def _first(found: re.Match[str]) -> str:
    return found[1] or found[2]


def _variables(code: str) -> Lookup:
    """The values of variables, each as it was assigned last; most code asks for none."""
    values: dict[str, Any] = {}

    @cache
    def places() -> dict[str, int]:
        return {found[1]: found.end() for found in _assigned.finditer(code)}

    def value(name: str) -> Any:
        at = places().get(name)
        if name not in values and at is not None and len(values) < MAX_NAMES:
            values[name] = WORKED_OUT
            values[name] = literal(code[at : at + MAX_GIVEN], value)
        return values.get(name, WORKED_OUT)

    return value


MAX_STATEMENTS = 400
"""Statements of one text that are read."""

TANGLED = Finding("shell.unseen-code", RiskLevel.HIGH, "runs more code than is read", "run")

_queries = re2.compile(rf"(?i)\b(?:{pattern('patterns/shell:code_requests.queries')})\s*[(`]")


def grave_requests(code: str, strings: list[str]) -> Iterator[Finding | Sends]:
    """Yield what is grave about its statements and requests, and the requests that are not."""
    if _queries.search(code):
        for one in strings[:MAX_STATEMENTS]:
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
    """Return whether what stands before a path opens it: a certificate for the way does not."""
    at = code.find(path)
    return _opens_file.search(code[max(at - MAX_OPENING, 0) : max(at, 0)]) is not None


MAX_OPENING = 32
"""Characters before a path in which stands what is done with it."""

_opens_file = re2.compile("(?i)" + pattern("patterns/shell:code_requests.opens"))
_shown = re2.compile(r"\.(?:crt|cer)$")
_pays = re2.compile(pattern("patterns/shell:code_requests.pays"))
_practised = re2.compile(r"(?i)[sr]k_test_|localhost|127\.0\.0\.1|testnet|sepolia|devnet|hardhat")
_talks = re2.compile("(?i)" + pattern("patterns/shell:code_requests.talks"))
_surroundings = re2.compile(pattern("patterns/shell:code_requests.surroundings"))
"""All variables; one by its name is no more than a setting."""
