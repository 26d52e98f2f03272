"""Seed 000's registration: flat, or one sub-agent for each domain."""

import pytest

from holdpoint.client import SetupError, create_agent
from holdpoint.domains.database.tools import TOOLS as DATABASE_TOOLS
from holdpoint.domains.shell.tools import TOOLS as SHELL_TOOLS


def test_bounded_contexts_are_registered_flat() -> None:
    agent = create_agent(tools=SHELL_TOOLS + DATABASE_TOOLS)

    assert len(agent.tools) == len(SHELL_TOOLS) + len(DATABASE_TOOLS)
    assert {"run_command", "query_database"} <= {it["name"] for it in agent.definitions()}
    assert agent.entries() == [{"name": "agent", "tools": [tool.name for tool in agent.tools]}]


def test_bounded_contexts_are_registered_as_isolated_sub_agents() -> None:
    agent = create_agent(
        subagents=[
            {"name": "shell", "tools": SHELL_TOOLS},
            {"name": "database", "tools": DATABASE_TOOLS},
        ]
    )

    assert agent.tools == ()
    assert [it.name for it in agent.subagents] == ["shell", "database"]
    assert {tool.domain for tool in agent.subagents[0].tools} == {"shell"}
    assert [(it["name"], it.get("started_by")) for it in agent.entries()] == [
        ("agent", None),
        ("shell", "agent"),
        ("database", "agent"),
    ]


def test_a_name_is_given_once() -> None:
    with pytest.raises(SetupError, match="is taken"):
        create_agent(tools=SHELL_TOOLS + SHELL_TOOLS)
    with pytest.raises(SetupError, match="a name of its own"):
        create_agent(subagents=[{"name": "a", "tools": ()}, {"name": "a", "tools": ()}])
    with pytest.raises(SetupError, match="a name of its own"):
        create_agent(name="two words")
