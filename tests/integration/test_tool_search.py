"""Agents find their tools in the catalog: on the raw bus, and with the SDK."""

import pytest
from tests.actors import AgentVoice, Guests
from tests.running_system import TENANT, Road

from holdpoint.client import Holdpoint, RefusedError
from holdpoint.messages import subjects as s
from holdpoint.messages.ask import AskTools, ToolsAnswer
from holdpoint.messages.codec import decode, encode
from holdpoint.messages.envelope import Envelope, Status
from holdpoint.runtime.config.registry import load_registry

pytestmark = pytest.mark.nats
pytest_plugins = ("tests.system_fixtures",)


async def search(robot: AgentVoice, question: bytes) -> bytes:
    subject = s.ask_tools_subject(TENANT, robot.name)
    return (await robot.client.request(subject, question, timeout=5)).data


async def found(robot: AgentVoice, question: AskTools) -> ToolsAnswer:
    return decode(await search(robot, encode(question)), ToolsAnswer)


async def test_dynamic_tool_discovery_by_domain_text_tier_and_limit(robot: AgentVoice) -> None:
    every = await found(robot, AskTools(max_tier=5, limit=100))
    names = [tool.name for tool in every.tools]

    assert {"list_directory", "run_command", "query_database"} <= set(names)
    assert len(every.version) == 64
    reads = await found(robot, AskTools(max_tier=1))
    assert {tool.level for tool in reads.tools} == {1}
    shell = await found(robot, AskTools(domain="shell"))
    assert {tool.domain for tool in shell.tools} == {"shell"}
    assert [tool.name for tool in (await found(robot, AskTools(text="SELECT rows"))).tools] == []
    assert "query_database" in {t.name for t in (await found(robot, AskTools(text="select"))).tools}
    assert len((await found(robot, AskTools(limit=2))).tools) == 2
    assert (await found(robot, AskTools(domain="accounting"))).tools == ()


async def test_what_is_found_can_be_called_by_its_name(robot: AgentVoice) -> None:
    (tool,) = (await found(robot, AskTools(text="list_directory"))).tools

    call = await robot.propose(tool.name, {"path": "."})

    assert tool.schema["type"] == "object"
    assert (await robot.hears(call, Status.DONE)).domain == tool.domain


@pytest.mark.parametrize("body", [b'{"limit":101}', b'{"limit":-1}', b'{"max_tier":"all"}', b"x"])
async def test_a_search_that_cannot_be_read_is_refused(robot: AgentVoice, body: bytes) -> None:
    told = decode(await search(robot, body), Envelope)

    assert told.status is Status.REFUSED
    assert told.reason


async def test_the_sdk_finds_the_same(road: Road, robot: AgentVoice) -> None:
    async with Holdpoint.connect(robot.name, road.settings) as hp:
        by_name = await hp.search_tools(text="list_directory")
        shell = await hp.get_tools_for_domain("shell")
        assert await hp.get_tools_for_domain("accounting") == ()
        assert await hp.get_tools_for_domain("") == ()
        with pytest.raises(RefusedError):
            await hp.search_tools(limit=1000)

    assert by_name == (await found(robot, AskTools(text="list_directory"))).tools
    assert {tool.domain for tool in shell} == {"shell"}


async def test_only_what_the_agent_may_call_is_listed(
    road: Road, robot: AgentVoice, guests: Guests
) -> None:
    reader = await guests.agent("reader")
    every = await found(reader, AskTools(max_tier=5, limit=100))
    assert [tool.name for tool in every.tools] == ["read_file"]
    listed = {tool.name for tool in (await found(robot, AskTools(max_tier=5, limit=100))).tools}
    agents = load_registry(road.settings.config_dir).agents
    allowed = next(it.tools for it in agents if it.name == robot.name)

    assert listed <= set(allowed)
