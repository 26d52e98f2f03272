"""The tool graph is drawn as the seed draws it, from replies."""

from tests.builders import a_tool

from holdpoint.core.catalog import Catalog
from holdpoint.core.tool_graph import drawn, edges_of, mermaid
from holdpoint.messages.envelope import AvailableAction, Envelope, Status


def reply(status: Status, *tools: str) -> Envelope:
    actions = tuple(AvailableAction(tool=tool, label=tool) for tool in tools)
    return Envelope(status=status, available_actions=actions)


REPLIES = (
    ("get_account_balances", reply(Status.DONE, "get_account_details", "get_transactions")),
    ("transfer_funds", reply(Status.PENDING_CONFIRMATION, "confirm_transfer")),
    ("get_account_balances", reply(Status.DONE, "get_transactions", "transfer_funds")),
    ("transfer_funds", reply(Status.REFUSED)),
)

NO_TOOLS = Catalog([])


def test_each_edge_stands_once_beside_the_others_of_its_tool() -> None:
    assert edges_of(REPLIES, NO_TOOLS) == (
        ("get_account_balances", "get_account_details"),
        ("get_account_balances", "get_transactions"),
        ("get_account_balances", "transfer_funds"),
        ("transfer_funds (pending_confirmation)", "confirm_transfer"),
    )


def test_it_is_drawn_as_text() -> None:
    assert drawn(edges_of(REPLIES, NO_TOOLS)) == (
        "get_account_balances\n"
        "    |\n"
        "    +--> get_account_details\n"
        "    +--> get_transactions\n"
        "    +--> transfer_funds\n"
        "\n"
        "transfer_funds (pending_confirmation)\n"
        "    |\n"
        "    +--> confirm_transfer\n"
    )


def test_it_is_drawn_in_mermaid() -> None:
    lines = mermaid(edges_of(REPLIES, NO_TOOLS)).splitlines()

    assert lines[0] == "flowchart LR"
    assert '  n0["get_account_balances"]' in lines
    assert "  n0 --> n1" in lines
    assert len([line for line in lines if "-->" in line]) == 4


def test_a_tool_and_its_alias_are_one_node() -> None:
    names = ("get_account_balances", "transfer_funds")
    catalog = Catalog(a_tool(name=f"bank_{it}", aliases=(it,)) for it in names)
    replies = (
        ("bank_get_account_balances", reply(Status.DONE, "transfer_funds")),
        ("bank_transfer_funds", reply(Status.PENDING_CONFIRMATION, "get_account_balances")),
    )

    assert edges_of(replies, catalog) == (
        ("bank_get_account_balances", "bank_transfer_funds"),
        ("bank_transfer_funds (pending_confirmation)", "bank_get_account_balances"),
    )
