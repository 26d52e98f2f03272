"""Requests that a call or its commands send: each is judged as one that stands alone."""

from collections.abc import Iterator, Mapping
from typing import Any

from holdpoint.core.risk.calls.nested import Inner
from holdpoint.core.risk.code import Programs
from holdpoint.core.risk.http.request import WRITING, request_in

SENDS = "http.request"
"""The tool that a request is judged as."""

SENDING_LEVEL = 2
"""The operation level of what sends a request that may change something, whatever it is called."""


def sent_in(ran: Programs, objects: tuple[Mapping[str, Any], ...]) -> Iterator[Inner]:
    """Those of its commands, and those among these objects that may change something."""
    for one in ran.sent:
        yield Inner(tool=SENDS, arguments=dict(one))
    for held in objects:
        found = request_in(held)
        if found and found.plain and found.method in WRITING:
            yield Inner(tool=SENDS, arguments=dict(held))
