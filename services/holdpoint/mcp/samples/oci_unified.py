"""A cloud in one server: compute, network, cost, security, observability and logs, from YAML data.

python -m holdpoint.mcp.samples.oci_unified [DATA.yaml]
"""

import sys
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

import yaml
from mcp.server import MCPServer
from mcp_types import CallToolResult

from holdpoint.mcp.samples.answers import READS, a_day, a_month, answer, lines

DATA = Path(__file__).with_name("oci_unified.yaml")

Row = dict[str, Any]
MOMENTS = frozenset({"at", "since"})
"""Fields that hold a moment."""


class Cloud:
    """Tools that read; the data is read once, when the server starts."""

    def __init__(self, data: Mapping[str, list[Row]]) -> None:
        self._data = data

    def oci_identity_list_compartments(self) -> CallToolResult:
        """List compartments."""
        return self._listed("Compartments", "compartments", "{name} ({compartment_id})")

    def oci_compute_list_instances(self, state: str = "") -> CallToolResult:
        """List compute instances."""
        form = "{name} ({instance_id}), {shape}, {state}"
        return self._listed("Instances", "instances", form, state=state)

    def oci_network_list_vcns(self) -> CallToolResult:
        """List virtual cloud networks."""
        return self._listed("Networks", "vcns", "{name} ({vcn_id}), {cidr}")

    def oci_cost_get_summary(self, service: str = "") -> CallToolResult:
        """Summarize cost, of one service or of all."""
        rows = _matching(self._data["costs"], service=service)
        total = str(sum((Decimal(it["amount"]) for it in rows), Decimal(0)))
        said = [f"{it['service']}: {_money(it)} in {a_month(it['month'])}" for it in rows]
        title = "Cost"
        if len(rows) > 1 and len({it["currency"] for it in rows}) == 1:
            title = f"Cost, {_money({**rows[0], 'amount': total})} in all"
        return answer(lines(title, said), {"costs": rows, "total": total})

    def oci_security_list_problems(self, resource: str = "", kind: str = "") -> CallToolResult:
        """List security problems, of one kind of resource (compute, database) or of all."""
        form = "{resource}: {text} ({risk})"
        return self._listed("Problems", "problems", form, resource=resource, kind=kind)

    def oci_observability_list_alarms(self, state: str = "") -> CallToolResult:
        """List alarms."""
        return self._listed("Alarms", "alarms", "{name}: {state} since {since}", state=state)

    def oci_logan_search_errors(self, resource: str = "", kind: str = "") -> CallToolResult:
        """Search the logs for errors, of one kind of resource (compute, database) or of all."""
        form = "{at}, {resource}: {text} ({count} times)"
        return self._listed("Errors", "errors", form, resource=resource, kind=kind)

    def _listed(self, title: str, name: str, form: str, **wanted: str) -> CallToolResult:
        rows = _matching(self._data[name], **wanted)
        said = [form.format_map(it | {k: a_day(it[k]) for k in MOMENTS & it.keys()}) for it in rows]
        return answer(lines(title, said), {name: rows})


def server_of(path: Path = DATA) -> MCPServer:
    """Return the server; each tool only reads."""
    data = yaml.load(path.read_text("utf-8"), yaml.BaseLoader)  # noqa: S506  # it makes only text
    server, its = MCPServer("OCI unified", version="1"), Cloud(data)
    for name in dir(Cloud):
        if name.startswith("oci_"):
            server.add_tool(getattr(its, name), annotations=READS, structured_output=False)
    return server


def _money(row: Mapping[str, Any]) -> str:
    return f"{Decimal(row['amount']):,.2f} {row['currency']}"


def _matching(rows: list[Row], **wanted: str) -> list[Row]:
    said = {name: value.casefold() for name, value in wanted.items() if value}
    return [it for it in rows if all(v in str(it.get(k, "")).casefold() for k, v in said.items())]


if __name__ == "__main__":
    server_of(*map(Path, sys.argv[1:2])).run("stdio")
