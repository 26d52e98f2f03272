"""The agent without a model: it takes the tool that is named, and changes nothing unnamed."""

from typing import Any

import pytest

from holdpoint.client import ToolDefinition
from holdpoint.coordinator.agent_loop import HIGHEST_READ, best_tool, lacking
from holdpoint.coordinator.extraction import extract
from holdpoint.core.tool import spec_of
from holdpoint.domains.bank.accounts import tools as accounts
from holdpoint.domains.bank.customers import tools as customers
from holdpoint.domains.tasks import tools as tasks


def definition(run: Any) -> ToolDefinition:
    it = spec_of(run).tool
    return ToolDefinition(
        name=it.name,
        description=it.description,
        domain=it.domain,
        level=it.level,
        schema=it.schema,
        version=it.schema_sha256,
    )


TOOLS = [definition(it) for it in (*accounts.TOOLS, *customers.TOOLS, *tasks.TOOLS)]


@pytest.mark.parametrize(
    ("text", "tool"),
    [
        ("delete all my data", "delete_all_data"),
        ("lösche alle meine Daten", "delete_all_data"),
        ("rename savings account to Holiday", "rename_account"),
        ("change my email to ann@example.org", "update_profile"),
        ("change my address to 5 Main Street", "change_shipping_address"),
        ("delete rows of table leads", None),
        ("delete it", None),
    ],
)
def test_what_changes_something_is_named_by_more_than_its_verb(text: str, tool: str | None) -> None:
    found = best_tool(TOOLS, text)
    if tool:
        assert found
        assert found.name.endswith(tool)
    else:
        assert found is None or found.level <= HIGHEST_READ


def test_a_machine_is_found_by_what_people_call_it() -> None:
    names = ("oci_compute_list_instances", "oci_opsi_list_insights", "oci_monitoring_list_alarms")
    cloud = [
        ToolDefinition(
            name=name,
            description="List what there is.",
            domain="oci",
            level=1,
            schema={},
            version="1",
        )
        for name in names
    ]
    for text in ("list my vms", "show our virtual machines", "which servers are there"):
        assert best_tool(cloud, text) == cloud[0], text
    assert best_tool(cloud, "show alarms") == cloud[2]


@pytest.mark.parametrize(
    ("text", "arguments", "missing"),
    [
        ("change my email to ann@example.org", {"email": "ann@example.org"}, ()),
        ("update my profile", {}, ("name", "email", "phone")),
        ("set a balance alert of $250 on my account",
         {"threshold": {"value": "250.00", "currency": "USD"}}, ()),
        ("set a balance alert of $2.505 on my account", {}, ("threshold",)),
        ("set a balance alert on my account", {}, ()),
        ("rename my account to Holiday", {"name": "Holiday"}, ()),
    ],
)  # fmt: skip
def test_what_a_sentence_says_is_filled_in_or_asked_for(
    text: str, arguments: dict[str, Any], missing: tuple[str, ...]
) -> None:
    tool = best_tool(TOOLS, text)
    assert tool
    ids = {"customer_id": "CUS-1001", "account_id": "ACC-1"}
    found, lacks = lacking(tool, extract(text, "", ()) | ids, text)
    assert {name: it for name, it in found.items() if name not in ids} == arguments
    assert lacks == missing
