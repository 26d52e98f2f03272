"""Seed 004 §8: aliases resolve, and a domain's tools are found without a list of them."""

import re
from pathlib import Path

import pytest

from holdpoint.core.catalog import Catalog
from holdpoint.messages.catalog import HOST_DOMAIN, Repeat, Tool
from holdpoint.runtime.config.catalog_files import load_naming

ROOT = Path(__file__).parents[3]
NAMING = load_naming(ROOT / "deploy" / "config" / "catalog")
TOOLS = tuple(
    Tool(
        name=it.name, domain=it.domain, level=it.level, description=it.description, schema={},
        schema_sha256="", template=it.name, repeat=Repeat.MANUAL,
    )
    for it in NAMING.tools
    if it.domain != HOST_DOMAIN
)  # fmt: skip
CATALOG = Catalog(TOOLS, NAMING)
MIGRATED = {
    "execute_sql": "oci_database_execute_sql",
    "get_schema_info": "oci_database_get_schema",
    "list_connections": "oci_database_list_connections",
    "database_status": "oci_database_get_status",
    "get_fleet_summary": "oci_opsi_get_fleet_summary",
    "search_databases": "oci_opsi_search_databases",
    "list_database_insights": "oci_opsi_list_insights",
    "analyze_cpu_usage": "oci_opsi_analyze_cpu",
    "analyze_memory_usage": "oci_opsi_analyze_memory",
    "analyze_io_usage": "oci_opsi_analyze_io",
    "get_blocking_sessions": "oci_opsi_get_blocking_sessions",
    "analyze_wait_events": "oci_opsi_analyze_wait_events",
}
"""The seed's migration map, word for word."""


@pytest.mark.parametrize(("old", "new"), MIGRATED.items())
def test_tool_alias_resolution(old: str, new: str) -> None:
    found = CATALOG.find(old)
    assert found is not None
    assert found.name == new


@pytest.mark.parametrize(
    ("domain", "prefixes"),
    [
        ("database", ("oci_database_", "oci_opsi_")),
        ("infrastructure", ("oci_compute_", "oci_network_", "oci_list_")),
        ("finops", ("oci_cost_",)),
        ("security", ("oci_security_",)),
        ("observability", ("oci_observability_", "oci_logan_")),
    ],
)
def test_domain_tool_discovery(domain: str, prefixes: tuple[str, ...]) -> None:
    found = [tool.name for tool in CATALOG.get_tools_for_domain(domain)]
    assert NAMING.prefixes[domain] == prefixes
    assert found == [tool.name for tool in TOOLS if tool.name.startswith(prefixes)]
    assert CATALOG.get_tools_for_domain("unknown") == ()


def test_no_module_of_the_coordinator_lists_tools() -> None:
    names = {it.name for it in TOOLS} | set(MIGRATED)
    for path in (ROOT / "services" / "holdpoint" / "coordinator").glob("*.py"):
        words = set(re.findall(r"\w+", path.read_text("utf-8")))
        assert words & names == set(), path
