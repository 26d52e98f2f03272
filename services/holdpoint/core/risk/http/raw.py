"""A request as it goes over the wire: a line with the method, headers, an empty line, the body."""

from typing import Any

import re2

from holdpoint.core.risk.http.request import READING, WRITING
from holdpoint.core.risk.text import whole_characters

MAX_LINES = 1_500
"""Lines of a head that are read: as many as of a payload are."""

MAX_METHOD = 24
"""Characters in which an address begins: behind a method, and blanks."""

_first = re2.compile(r"\s*[A-Za-z]{3,12}[ \t]+\S+[ \t]+(?i:HTTP)/\d")


def raw_request(text: str) -> dict[str, Any] | None:
    """The request that a text begins with, at the host that it names; None where it is none."""
    sent = spelled_out(text) if _first.match(whole_characters(text)) else {}
    if not sent:
        return None
    host = next((said for key, said in sent["headers"].items() if key.lower() == "host"), "")
    if host and sent["url"].startswith("/"):
        sent["url"] = f"https://{host}{sent['url']}"
    return sent


def spelled_out(text: str) -> dict[str, Any]:
    """Its method, its address, its headers and its body; empty where the first line is none."""
    head, _, body = text.strip().replace("\r\n", "\n").partition("\n\n")
    line, *rest = head.split("\n")
    method, _, address = line.strip().partition(" ")
    address = address.strip()
    said, _, version = address.rpartition(" ")
    url = said.strip() if version.upper().startswith("HTTP/") else address
    if method.upper() not in READING | WRITING or not url or " " in url:
        return {}
    named = (one.partition(":") for one in rest[:MAX_LINES])
    headers = {name.strip(): value.strip() for name, _, value in named}
    return {"method": method, "url": url, "headers": headers, "body": body}
