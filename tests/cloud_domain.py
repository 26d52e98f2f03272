"""A cloud of the tests' own: read-only tools of seed 004's names, which its agents call."""

import msgspec

from holdpoint.core.tool import Result, RunContext, tool
from holdpoint.messages.base import JsonObject
from holdpoint.messages.catalog import Repeat
from holdpoint.messages.run import RunStatus


class Nothing(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """No arguments."""


class OfService(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One service, or all."""

    service: str = ""


class OfKind(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One kind of resource, or all."""

    kind: str = ""


def _told(text: str, data: JsonObject) -> Result:
    return Result(status=RunStatus.DONE, data=data, formatted=text, message_for_user=text)


@tool(domain="cloud", level=1, template="databases", schema=Nothing, repeat=Repeat.IDEMPOTENT)
async def oci_opsi_search_databases(_: Nothing, context: RunContext) -> Result:
    """Search databases by name."""
    return _told("Databases: orders, billing.", {"hold_id": context.hold_id})


@tool(domain="cloud", level=1, template="fleet", schema=Nothing, repeat=Repeat.IDEMPOTENT)
async def oci_opsi_get_fleet_summary(_: Nothing, context: RunContext) -> Result:
    """Summarize the database fleet."""
    return _told("Two databases are up.", {"hold_id": context.hold_id})


@tool(domain="cloud", level=1, template="waits", schema=Nothing, repeat=Repeat.IDEMPOTENT)
async def oci_opsi_analyze_wait_events(_: Nothing, context: RunContext) -> Result:
    """Analyze wait events."""
    return _told("Most waits are on orders.lines.", {"hold_id": context.hold_id})


@tool(domain="cloud", level=1, template="cost", schema=OfService, repeat=Repeat.IDEMPOTENT)
async def oci_cost_get_summary(_: OfService, context: RunContext) -> Result:
    """Summarize cost."""
    return _told("Databases cost $1,200 this month.", {"hold_id": context.hold_id})


@tool(domain="cloud", level=1, template="errors", schema=OfKind, repeat=Repeat.IDEMPOTENT)
async def oci_logan_search_errors(_: OfKind, context: RunContext) -> Result:
    """Search the logs for errors."""
    return _told("Ten lock timeouts since noon.", {"hold_id": context.hold_id})


@tool(domain="cloud", level=1, template="instances", schema=Nothing, repeat=Repeat.IDEMPOTENT)
async def oci_compute_list_instances(_: Nothing, context: RunContext) -> Result:
    """List compute instances."""
    return _told("Instances: web-1, web-2.", {"hold_id": context.hold_id})


@tool(domain="cloud", level=1, template="problems", schema=OfKind, repeat=Repeat.IDEMPOTENT)
async def oci_security_list_problems(_: OfKind, context: RunContext) -> Result:
    """List security problems."""
    return _told("web-2 has an open port.", {"hold_id": context.hold_id})


@tool(domain="cloud", level=1, template="asks", schema=Nothing, repeat=Repeat.IDEMPOTENT)
async def ask(_: Nothing, context: RunContext) -> Result:
    """Ask a person, as agents did before."""
    return _told("Asked.", {"hold_id": context.hold_id})


TOOLS = (
    ask,
    oci_opsi_search_databases,
    oci_opsi_get_fleet_summary,
    oci_opsi_analyze_wait_events,
    oci_cost_get_summary,
    oci_logan_search_errors,
    oci_compute_list_instances,
    oci_security_list_problems,
)
