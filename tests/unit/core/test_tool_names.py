"""Canonical names, aliases and domains as seed 004 lists them, from the file that is shipped."""

import hashlib
from pathlib import Path

import pytest
import yaml
from msgspec.structs import replace
from tests.builders import a_tool, an_action

from holdpoint.core.catalog import Catalog
from holdpoint.core.digest import action_digest, canonical
from holdpoint.messages.catalog import DeclaredTool, Naming, Tool
from holdpoint.runtime.config.catalog_files import load_naming
from holdpoint.runtime.errors import SetupError

OCI = Path(__file__).parents[3] / "deploy/config/catalog/oci.yaml"

EXAMPLES = [
    ("compute", "list_instances", "oci_compute_list_instances"),
    ("database", "execute_sql", "oci_database_execute_sql"),
    ("opsi", "get_fleet_summary", "oci_opsi_get_fleet_summary"),
    ("cost", "get_summary", "oci_cost_get_summary"),
    ("security", "list_problems", "oci_security_list_problems"),
    ("network", "list_vcns", "oci_network_list_vcns"),
]
RENAMINGS = [
    ("execute_sql", "oci_database_execute_sql"),
    ("get_schema_info", "oci_database_get_schema"),
    ("list_connections", "oci_database_list_connections"),
    ("database_status", "oci_database_get_status"),
    ("get_fleet_summary", "oci_opsi_get_fleet_summary"),
    ("search_databases", "oci_opsi_search_databases"),
    ("list_database_insights", "oci_opsi_list_insights"),
    ("analyze_cpu_usage", "oci_opsi_analyze_cpu"),
    ("analyze_memory_usage", "oci_opsi_analyze_memory"),
    ("analyze_io_usage", "oci_opsi_analyze_io"),
    ("get_blocking_sessions", "oci_opsi_get_blocking_sessions"),
    ("analyze_wait_events", "oci_opsi_analyze_wait_events"),
]
DOMAIN_PREFIXES = {
    "database": ["oci_database_", "oci_opsi_"],
    "infrastructure": ["oci_compute_", "oci_network_", "oci_list_"],
    "finops": ["oci_cost_"],
    "security": ["oci_security_"],
    "observability": ["oci_observability_", "oci_logan_"],
}


def offered(tool: DeclaredTool) -> Tool:
    return a_tool(
        name=tool.name,
        domain=tool.domain,
        level=tool.level,
        by_risk=tool.by_risk,
        description=tool.description,
    )


@pytest.fixture(scope="module")
def naming() -> Naming:
    return load_naming(OCI.parent)


@pytest.fixture(scope="module")
def oci(naming: Naming) -> Catalog:
    """What the shipped file names, offered by somebody."""
    tools = (offered(tool) for tool in naming.tools if tool.name.startswith("oci_"))
    return Catalog(tools, naming)


@pytest.mark.parametrize(("domain", "action", "name"), EXAMPLES)
def test_an_example_of_the_naming_convention(
    domain: str, action: str, name: str, oci: Catalog
) -> None:
    found = oci.find(name)

    assert found is not None
    assert (found.domain, found.name) == (domain, f"oci_{domain}_{action}")


@pytest.mark.parametrize(("current", "new"), RENAMINGS)
def test_a_renamed_tool_answers_to_its_old_name(current: str, new: str, oci: Catalog) -> None:
    found = oci.find(current)

    assert found is not None
    assert found.name == new
    assert current in found.aliases
    assert oci.find(new) is found
    assert oci.canonical_names([current, new]) == (new,)


@pytest.mark.parametrize(("domain", "prefixes"), DOMAIN_PREFIXES.items())
def test_a_domain_has_the_tools_of_its_prefixes(
    domain: str, prefixes: list[str], oci: Catalog
) -> None:
    expected = {tool.name for tool in oci.entries if tool.name.startswith(tuple(prefixes))}

    assert oci.naming.prefixes[domain][: len(prefixes)] == tuple(prefixes)
    assert {tool.name for tool in oci.get_tools_for_domain(domain)} == expected
    assert bool(expected) is (domain != "observability")


def test_the_file_has_exactly_the_renamings_and_prefixes() -> None:
    file = yaml.safe_load(OCI.read_text())

    assert file["tool_aliases"] == dict(RENAMINGS)
    assert file["domain_prefixes"] == DOMAIN_PREFIXES


def test_an_unknown_domain_has_no_tools(oci: Catalog) -> None:
    assert oci.get_tools_for_domain("accounting") == ()
    assert oci.search_tools(domain="accounting", max_tier=5) == ()
    assert oci.get_tools_for_domain("") == ()


def test_the_levels_of_the_searched_tools_end_at_the_tier() -> None:
    tools = [a_tool(name=f"tool_{level}", domain="all", level=level) for level in range(1, 6)]
    catalog = Catalog(tools)

    assert [it.level for it in catalog.search_tools(domain="all")] == [1, 2, 3]
    assert [it.level for it in catalog.search_tools(domain="all", max_tier=5)] == [1, 2, 3, 4, 5]
    assert catalog.search_tools(max_tier=0) == ()


def test_a_search_finds_words_and_stops_at_its_limit(oci: Catalog) -> None:
    assert {it.name for it in oci.search_tools(domain="database", text="CPU")} == {
        "oci_opsi_analyze_cpu"
    }
    assert [it.name for it in oci.search_tools(text="analyze_io_usage")] == ["oci_opsi_analyze_io"]
    assert oci.search_tools(text="list nothing of the kind") == ()
    assert len(oci.search_tools(domain="database", limit=4)) == 4
    assert oci.search_tools(limit=-1) == ()
    many = [a_tool(name=f"tool_{at}", domain=f"domain_{at // 10}", level=1) for at in range(30)]
    assert len(Catalog(many).search_tools()) == 20


def test_an_alias_of_a_tool_that_nobody_offers_names_nothing(naming: Naming) -> None:
    ours = a_tool(name="execute_sql")
    catalog = Catalog([ours], naming)

    assert catalog.find("execute_sql") == ours
    assert catalog.find("oci_database_execute_sql") is None
    assert catalog.find("get_fleet_summary") is None


def test_an_alias_never_takes_the_name_of_another_tool(naming: Naming) -> None:
    oci = next(tool for tool in naming.tools if tool.name == "oci_database_execute_sql")

    with pytest.raises(ValueError, match="The name execute_sql is taken"):
        Catalog([a_tool(name="execute_sql"), offered(oci)], naming)


def test_a_changed_schema_is_another_version_and_another_digest() -> None:
    schema = {"type": "object", "properties": {"table": {"type": "string"}}}
    tool = a_tool()
    changed = replace(
        tool, schema=schema, schema_sha256=hashlib.sha256(canonical(schema)).hexdigest()
    )
    before, after = (
        action_digest(an_action(tool=it.name, tool_schema_sha256=it.schema_sha256))
        for it in (tool, changed)
    )

    assert Catalog([tool]).version == Catalog([tool]).version
    assert Catalog([tool]).version != Catalog([changed]).version
    assert before != after


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("namespace: a\ntool_aliases: {old: old}\n", "the alias old stands for two names"),
        ("namespace: a\ndomain_prefixes: {x: []}\n", "domain_prefixes.x"),
        ("namespace: a.b\n", "namespace"),
        ("namespace: a\ntools: [{domain: b, action: c, level: 6}]\n", "level"),
    ],
)
def test_a_mistake_in_a_catalog_file_is_told(text: str, wrong: str, tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(text)

    with pytest.raises(SetupError, match=wrong):
        load_naming(tmp_path)
