"""Other ways to send the same request."""

import json
import re
import shlex
from urllib.parse import urlsplit, urlunsplit

from msgspec.structs import replace
from tests.fuzz.disguise import Disguise, Reworded, Reworked, as_call, as_shell, of_payload

from holdpoint.messages.base import JsonObject
from holdpoint.policy_lab.cases import Line, LineKind


def _moved(change: Reworded) -> Reworked:
    """Another path to the same place."""

    def reworked(payload: JsonObject) -> JsonObject:
        parts = urlsplit(str(payload.get("url", "")))
        return payload | {"url": urlunsplit(parts._replace(path=change(parts.path)))}

    return reworked


def _coded(path: str) -> str:
    """The first letter of each part in percent code."""
    return re.sub(r"(?<=/)[a-z]", lambda found: f"%{ord(found[0]):02x}", path)


def _readdressed(change: Reworded) -> Reworked:
    return lambda payload: payload | {"url": change(str(payload.get("url", "")))}


def _asked(query: str) -> Reworded:
    return lambda url: url + ("&" if "?" in url else "?") + query


def _method(change: Reworded) -> Reworked:
    return lambda payload: payload | {"method": change(str(payload.get("method", "")))}


def _overridden(where: str, name: str) -> Reworked:
    """Sent as a POST that asks to be taken for another method."""

    def reworked(payload: JsonObject) -> JsonObject:
        held = payload.get(where, {})
        if str(payload["method"]).upper() in {"GET", "POST"} or not isinstance(held, dict):
            return payload
        return payload | {"method": "POST", where: held | {name: payload["method"]}}

    return reworked


def _renamed(**names: str) -> Reworked:
    return lambda payload: {names.get(key, key): value for key, value in payload.items()}


def _body_as_text(payload: JsonObject) -> JsonObject:
    return payload | {"body": json.dumps(payload["body"])} if "body" in payload else payload


PAYLOADS: dict[str, Reworked] = {
    "percent code": _moved(_coded),
    "trailing slash": _moved("{}/".format),
    "doubled slashes": _moved(lambda path: path.replace("/", "//")),
    "dots": _moved(lambda path: f"/x/..{path}"),
    "a dot": _moved(lambda path: f"/.{path}"),
    "path parameter": _moved("{};v=1".format),
    "capitals": _moved(lambda path: path if "%" in path else path.title()),
    "query": _readdressed(_asked("dry=1")),
    "fragment": _readdressed("{}#top".format),
    "user": _readdressed(lambda url: url.replace("://", "://me:secret@", 1)),
    "blanks": _readdressed("  {}\n".format),
    "no scheme": _readdressed(lambda url: url.partition("://")[2] or url),
    "upper host": _readdressed(lambda url: url.replace("https://", "HTTPS://")),
    "lower method": _method(str.lower),
    "odd method": _method(str.title),
    "blanks round the method": _method(" {} ".format),
    "invisible in the method": _method(lambda name: f"{name[:1]}\u200b{name[1:]}"),
    "override header": _overridden("headers", "X-HTTP-Method-Override"),
    "odd override header": _overridden("headers", "x-http-method"),
    "override in the body": _overridden("body", "_method"),
    "override in the query": _overridden("query", "_method"),
    "headers": lambda payload: payload | {"headers": {"Accept": "application/json"}},
    "body as text": _body_as_text,
    "uri": _renamed(url="uri"),
    "verb": _renamed(method="verb"),
    "target": _renamed(url="endpoint", method="http_method"),
}


def _plain(line: Line) -> bool:
    """Whether another program can send it: there is nothing but method, address and body."""
    method = str(line.payload.get("method"))
    return (
        line.payload.keys() <= {"method", "url", "body"} and method.isascii() and method.isalpha()
    )


def _order(line: Line) -> tuple[str, str, str]:
    """Method, address and body, each as a shell takes it."""
    payload = line.payload
    body = payload.get("body")
    sent = json.dumps(body) if body is not None and not isinstance(body, str) else body
    return str(payload["method"]), shlex.quote(str(payload["url"])), shlex.quote(str(sent or ""))


def _curl(line: Line) -> Line:
    method, url, body = _order(line)
    return as_shell(line, f"curl -sS -X {method} -d {body} {url}")


def _glued_curl(line: Line) -> Line:
    method, url, body = _order(line)
    return as_shell(line, f"curl {url} --request={method} --data-raw {body}")


def _wget(line: Line) -> Line:
    method, url, body = _order(line)
    return as_shell(line, f"wget -qO- --method={method} --body-data={body} {url}")


def _httpie(line: Line) -> Line:
    method, url, body = _order(line)
    return as_shell(line, f"http --raw {body} {method} {url}")


def _fetch(line: Line) -> Line:
    payload = line.payload
    options = json.dumps({"method": payload["method"], "body": payload.get("body")})
    text = f"fetch({json.dumps(payload['url'])}, {options})"
    return as_shell(line, f"node -e {shlex.quote(text)}")


def _python(line: Line) -> Line:
    payload = line.payload
    text = (
        f"import requests; requests.request({payload['method']!r}, {payload['url']!r}, "
        f"json={payload.get('body')!r})"
    )
    return as_shell(line, f"python3 -c {shlex.quote(text)}")


def _called(line: Line) -> Line:
    return as_call(line, "http_request", **line.payload)


def _held(line: Line) -> Line:
    return as_call(line, "fetch_url", request=line.payload)


def _batched(line: Line) -> Line:
    payload = {"method": "POST", "url": "https://api.example.com/batch"}
    return replace(line, payload=payload | {"body": {"requests": [line.payload]}})


SENT = {
    "curl": _curl,
    "glued curl": _glued_curl,
    "wget": _wget,
    "httpie": _httpie,
    "fetch": _fetch,
    "python": _python,
}
ELSEWHERE = {"as a call": _called, "inside a call": _held, "in a batch": _batched}


def _fitting(disguise: Disguise) -> Disguise:
    """Only what still has a method and an address, and only plain requests for programs."""

    def change(line: Line) -> Line:
        fits = {"method", "url"} <= line.payload.keys()
        if disguise.name in SENT:
            fits = fits and _plain(line)
        return disguise.change(line) if fits else line

    return disguise._replace(change=change)


REQUESTS = tuple(
    _fitting(one)
    for one in (
        *of_payload(LineKind.HTTP, PAYLOADS),
        *(Disguise(name, LineKind.HTTP, do) for name, do in (SENT | ELSEWHERE).items()),
    )
)
