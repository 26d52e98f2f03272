"""The table of traces says who began a tree, and names tools in full."""

from holdpoint.console.trace_routes import lines_of
from holdpoint.ledger.history import Node


def a_node(fn: str, *children: Node, hold_id: str = "", dispatched_by: str = "") -> Node:
    return Node(
        fn=fn, agent=fn, trace_id=fn, hold_id=hold_id, dispatched_by=dispatched_by, input={},
        output=None, exception="", created_at=None, updated_at=None, children=children,
    )  # fmt: skip


def test_a_tree_says_who_began_it() -> None:
    tool = a_node("oci_opsi_get_blocking_sessions", hold_id="h1")
    trees = (
        a_node("coordinator", tool),
        a_node("finops-agent", dispatched_by="h0"),
        a_node("run", hold_id="h2"),
    )
    lines = list(lines_of(trees))
    assert [(it.name, it.caller) for it in lines] == [
        ("coordinator", "a user"),
        ("oci_opsi_get_blocking_sessions", "coordinator"),
        ("finops-agent", "another agent"),
        ("run", "its program"),
    ]
