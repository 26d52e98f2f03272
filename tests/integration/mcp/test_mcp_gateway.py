"""An MCP server behind the gate: what its clients see, and what runs."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack

import pytest
from mcp_types import CallToolResult
from tests.actors import Guests, PersonVoice
from tests.mcp_system import Bench, bench_in, state_of, text_of
from tests.running_system import fresh
from tests.waiting import eventually

pytestmark = [pytest.mark.slow, pytest.mark.nats]


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    """Shared by the tests of this module."""
    with asyncio.Runner() as runner:
        world = bench_in(tmp_path_factory.mktemp("mcp"))
        yield runner.run(world.__aenter__())
        runner.run(world.__aexit__(None, None, None))


@pytest.fixture
async def ann(bench: Bench) -> AsyncIterator[PersonVoice]:
    """An operator."""
    async with AsyncExitStack() as stack:
        yield await Guests(road=bench.road, stack=stack).person("ann")


async def test_the_tools_are_listed_unchanged(bench: Bench) -> None:
    async with bench.client() as client:
        listed = {it.name: it for it in (await client.list_tools()).tools}
    state = next(iter(bench.files.states()))
    for definition in state.listing.tools:
        shown = listed[definition["name"]].model_dump(by_alias=True, exclude_none=True, mode="json")
        assert shown == definition
    assert set(listed) == {it["name"] for it in state.listing.tools} | {"holdpoint_await"}


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_a_read_runs_at_once(bench: Bench, mode: str) -> None:
    mark = fresh("read")
    (bench.folder / mark).write_text("known")
    async with bench.client(mode, longest_hold_s=30.0) as client:
        result = await client.call_tool("peek", {"mark": mark})
    assert text_of(result) == "known"
    assert not result.is_error


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_a_change_runs_after_the_yes_and_once(
    bench: Bench, ann: PersonVoice, mode: str
) -> None:
    mark = fresh("yes")
    async with bench.client(mode, longest_hold_s=1.0) as client:
        pending = state_of(await client.call_tool("note", {"mark": mark, "text": "hello"}))
        assert pending["state"] == "pending"
        assert bench.lines(mark) == []
        await ann.proceed(await ann.card(pending["hold_id"]))
        wait = {"hold_id": pending["hold_id"], "wait_s": 1}

        async def done() -> CallToolResult | None:
            result = await client.call_tool("holdpoint_await", wait)
            return result if state_of(result).get("state") != "pending" else None

        result = await eventually(done)
    assert result is not None
    assert state_of(result) == {"noted": "hello"}
    assert bench.lines(mark) == ["hello"]


async def test_the_same_call_while_it_is_pending_is_the_same_hold(
    bench: Bench, ann: PersonVoice
) -> None:
    mark = fresh("again")
    arguments = {"mark": mark, "text": "once"}
    async with bench.client() as client:
        first = state_of(await client.call_tool("note", arguments))
        again = state_of(await client.call_tool("note", arguments))
        assert again["hold_id"] == first["hold_id"]
        await ann.proceed(await ann.card(first["hold_id"]))

        async def done() -> CallToolResult | None:
            result = await client.call_tool("note", arguments)
            return result if state_of(result).get("state") != "pending" else None

        assert state_of(await eventually(done) or first) == {"noted": "once"}  # type: ignore[arg-type]
        later = state_of(await client.call_tool("note", arguments))
        assert later["hold_id"] != first["hold_id"]
    assert bench.lines(mark) == ["once"]


async def test_a_no_is_told_as_a_no_and_nothing_runs(bench: Bench, ann: PersonVoice) -> None:
    mark = fresh("no")
    async with bench.client() as client:
        pending = state_of(await client.call_tool("note", {"mark": mark, "text": "never"}))
        await ann.cancel(await ann.card(pending["hold_id"]), "not today")
        wait = {"hold_id": pending["hold_id"], "wait_s": 5}

        async def done() -> CallToolResult | None:
            result = await client.call_tool("holdpoint_await", wait)
            return result if state_of(result)["state"] != "pending" else None

        result = await eventually(done)
    assert result is not None
    assert result.is_error
    assert state_of(result)["state"] == "cancelled"
    assert bench.lines(mark) == []


async def test_a_server_that_says_that_it_destroys_raises_its_level(bench: Bench) -> None:
    mark = fresh("wipe")
    (bench.folder / mark).write_text("kept\n")
    async with bench.client() as client:
        result = state_of(await client.call_tool("wipe", {"mark": mark}))
    assert result["state"] == "pending"
    assert bench.lines(mark) == ["kept"]


async def test_a_server_that_says_that_it_only_reads_lowers_nothing(bench: Bench) -> None:
    mark = fresh("claim")
    async with bench.client() as client:
        result = state_of(await client.call_tool("claims_to_read", {"mark": mark}))
    assert result["state"] == "pending"
    assert bench.lines(mark) == []


async def test_what_a_tool_fails_with_comes_as_its_own_error(bench: Bench) -> None:
    async with bench.client(longest_hold_s=30.0) as client:
        result = await client.call_tool("fail", {"why": "no paper left"})
    assert result.is_error
    assert "no paper left" in text_of(result)


async def test_arguments_that_do_not_fit_are_refused_and_nothing_runs(bench: Bench) -> None:
    async with bench.client(longest_hold_s=30.0) as client:
        result = await client.call_tool("note", {"mark": 7})
    assert result.is_error
    assert state_of(result)["code"] == "bad_arguments"


async def test_a_stranger_is_offered_nothing(bench: Bench) -> None:
    async with bench.gateway("stranger", whole=True) as gateway:
        assert set(gateway.tools) == {"read_file"}


async def test_a_server_killed_during_a_call_leaves_it_in_doubt_and_comes_back(
    bench: Bench,
) -> None:
    mark = fresh("died")
    async with bench.client(longest_hold_s=30.0) as client:
        result = await client.call_tool("die", {"mark": mark})
        assert result.is_error
        assert state_of(result)["state"] == "in_doubt"
        assert bench.lines(mark) == ["acted"]

        async def back() -> bool:
            return "note" in {it.name for it in (await client.list_tools()).tools}

        await bench.is_up(up=False)
        await bench.is_up()
        await eventually(back, 60.0)
    assert bench.lines(mark) == ["acted"]


async def test_a_read_whose_server_was_killed_has_failed_and_may_be_made_again(
    bench: Bench,
) -> None:
    mark = fresh("died")
    async with bench.client(longest_hold_s=30.0) as client:
        result = await client.call_tool("die_reading", {"mark": mark})
    assert result.is_error
    assert state_of(result)["state"] == "failed"
    await bench.is_up(up=False)
    await bench.is_up()


async def test_the_tools_of_a_server_leave_the_list_until_it_is_back(bench: Bench) -> None:
    async with bench.client() as client:

        async def names() -> set[str]:
            return {it.name for it in (await client.list_tools()).tools}

        async def gone() -> bool:
            return await names() == {"holdpoint_await"}

        async def back() -> bool:
            return "note" in await names()

        bench.kill()
        await eventually(gone)
        await eventually(back, 60.0)


async def test_a_tool_that_changed_is_another_version_and_its_open_yes_runs_nothing(
    bench: Bench, ann: PersonVoice
) -> None:
    mark = fresh("swapped")
    async with bench.client() as client:
        pending = state_of(await client.call_tool("note", {"mark": mark, "text": "as judged"}))
        card = await ann.card(pending["hold_id"])
        (bench.folder / "edition").write_text("Second edition.")
        bench.kill()
        await bench.is_up(up=False)
        await bench.is_up()
        await ann.proceed(card)
        wait = {"hold_id": pending["hold_id"], "wait_s": 5}

        async def done() -> CallToolResult | None:
            result = await client.call_tool("holdpoint_await", wait)
            return result if state_of(result)["state"] != "pending" else None

        result = await eventually(done)
    assert result is not None
    assert "schema_changed" in text_of(result)
    assert bench.lines(mark) == []
    state = next(iter(bench.files.states()))
    changed = [it for it in state.listing.tools if "Second edition" in it["description"]]
    assert [it["name"] for it in changed] == ["note"]


async def test_a_call_that_nobody_judges_is_not_told_as_one_that_did_not_run(
    bench: Bench,
) -> None:
    arguments = {"mark": fresh("unjudged"), "text": "x"}
    async with bench.client(longest_hold_s=1.0) as client:
        with bench.road.paused("gate"):
            told = await client.call_tool("note", arguments)
        assert told.is_error
        assert state_of(told)["state"] == "unavailable"
        assert "Nothing ran" not in text_of(told)

        async def judged() -> dict[str, object] | None:
            state = state_of(await client.call_tool("note", arguments))
            return state if state["state"] == "pending" else None

        first = await eventually(judged)
        again = await eventually(judged)
    assert first
    assert again
    assert first["hold_id"] == again["hold_id"]
