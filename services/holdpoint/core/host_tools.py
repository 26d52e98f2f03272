"""Tools that the asking program runs itself: catalog files declare them, and no worker runs them.

Their grade is cooperative: the program asks, waits, takes the claim and reports the end, and
nothing but the program itself keeps it from running what it was not let.
"""

import hashlib
from collections.abc import Iterator

from holdpoint.core.digest import canonical
from holdpoint.messages.base import JsonObject
from holdpoint.messages.catalog import (
    HOST_DOMAIN,
    DeclaredTool,
    Enforcement,
    Naming,
    Repeat,
    Tool,
)
from holdpoint.messages.hold import Hold

ANYTHING: JsonObject = {"type": "object"}


def host_tools(naming: Naming) -> Iterator[Tool]:
    """Yield the tools of the domain `host`, which can be called without a worker."""
    return (_tool(declared) for declared in naming.tools if declared.domain == HOST_DOMAIN)


def is_run_by_host(hold: Hold) -> bool:
    """Return whether the hold's action is run by the program that asked."""
    return hold.action is not None and hold.action.domain == HOST_DOMAIN


def _tool(declared: DeclaredTool) -> Tool:
    schema = declared.schema or ANYTHING
    return Tool(
        name=declared.name,
        domain=HOST_DOMAIN,
        level=declared.level,
        by_risk=declared.by_risk,
        description=declared.description,
        schema=schema,
        schema_sha256=hashlib.sha256(canonical(schema)).hexdigest(),
        template=declared.template or declared.description or declared.name,
        repeat=Repeat.MANUAL,
        enforcement=Enforcement.COOPERATIVE,
    )
