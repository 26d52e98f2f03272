"""How a client shows its user where to answer, in each way that MCP knows; none is a yes."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from typing import Any, Literal

import mcp_types as types
import pytest
from mcp.client.extension import ClaimContext, ClientExtension, ResultClaim
from mcp.client.session import ClientSession
from mcp.shared.exceptions import MCPError
from pydantic import RootModel
from tests.actors import Guests, PersonVoice
from tests.mcp_system import Bench, bench_in, state_of
from tests.running_system import fresh
from tests.waiting import eventually

from holdpoint.mcp.asking import Way, way_of
from holdpoint.mcp.tasks import TASKS

pytestmark = [pytest.mark.slow, pytest.mark.nats]


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    """Shared by the tests of this module."""
    with asyncio.Runner() as runner:
        world = bench_in(tmp_path_factory.mktemp("mcp"), console=True)
        yield runner.run(world.__aenter__())
        runner.run(world.__aexit__(None, None, None))


@pytest.fixture
async def ann(bench: Bench) -> AsyncIterator[PersonVoice]:
    """An operator."""
    async with AsyncExitStack() as stack:
        yield await Guests(road=bench.road, stack=stack).person("ann")


class User:
    """Whoever sits at a client: what they were shown, and what they do with it."""

    def __init__(self, action: str = "accept", *, silent: bool = False) -> None:
        self.action: Any = action
        self.silent = silent
        self.shown: list[types.ElicitRequestParams] = []

    async def __call__(
        self, _: object, params: types.ElicitRequestParams
    ) -> types.ElicitResult | types.ErrorData:
        """Answer a request, with a claim that nobody may believe."""
        self.shown.append(params)
        if self.silent:
            await asyncio.Event().wait()
        content: Any = {"answered": True, "confirm": True}
        return types.ElicitResult(action=self.action, content=content)


async def yes_to_the_next(ann: PersonVoice, user: User) -> None:
    """Say yes on the card that the user is shown."""

    async def hold() -> str:
        links = [str(getattr(it, "url", "") or it.message) for it in user.shown]
        return links[-1].rpartition("/")[2] if links else ""

    await ann.proceed(await ann.card(await eventually(hold)))


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_a_client_that_elicits_shows_where_to_answer(
    bench: Bench, ann: PersonVoice, mode: str
) -> None:
    user, mark = User(), fresh("shown")
    async with bench.client(mode, longest_hold_s=30.0, elicitation_callback=user) as client:
        async with asyncio.TaskGroup() as tasks:
            calling = tasks.create_task(client.call_tool("note", {"mark": mark, "text": "x"}))
            tasks.create_task(yes_to_the_next(ann, user))
        assert state_of(calling.result()) == {"noted": "x"}
    assert len(user.shown) == 1
    assert bench.road.settings.console_url in user.shown[0].message + getattr(
        user.shown[0], "url", ""
    )
    assert bench.lines(mark) == ["x"]


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_an_accepted_request_is_no_yes(bench: Bench, mode: str) -> None:
    user, mark = User(), fresh("claimed")
    async with bench.client(mode, longest_hold_s=1.0, elicitation_callback=user) as client:
        result = state_of(await client.call_tool("note", {"mark": mark, "text": "x"}))
    assert len(user.shown) == 1
    assert result["state"] == "pending"
    assert bench.lines(mark) == []


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_a_declined_request_takes_the_call_back(bench: Bench, mode: str) -> None:
    user, mark = User("decline"), fresh("declined")
    async with bench.client(mode, longest_hold_s=30.0, elicitation_callback=user) as client:
        for _ in range(2):  # the same call, once it has ended, is another one
            result = await client.call_tool("note", {"mark": mark, "text": "x"})
            assert result.is_error
            assert state_of(result)["state"] == "withdrawn"
    assert len(user.shown) == 2
    assert bench.lines(mark) == []


async def test_a_client_that_drops_requests_is_held_and_gets_no_more(
    bench: Bench, ann: PersonVoice
) -> None:
    user, marks = User(silent=True), (fresh("dropped"), fresh("dropped"))
    async with bench.client("legacy", longest_hold_s=1.0, elicitation_callback=user) as client:
        for mark in marks:
            result = state_of(await client.call_tool("note", {"mark": mark, "text": "x"}))
            assert result["state"] == "pending"
        assert len(user.shown) == 1
        await ann.proceed(await ann.card(result["hold_id"]))

        async def done() -> bool:
            wait = {"hold_id": result["hold_id"], "wait_s": 1}
            return "noted" in state_of(await client.call_tool("holdpoint_await", wait))

        await eventually(done)
    assert [bench.lines(mark) for mark in marks] == [[], ["x"]]


async def test_a_client_that_does_not_come_back_is_held_and_asked_no_more(bench: Bench) -> None:
    marks = (fresh("dropped"), fresh("dropped"))
    async with bench.client(longest_hold_s=1.0, elicitation_callback=User()) as client:

        async def call(mark: str) -> Any:
            arguments = {"mark": mark, "text": "x"}
            return await client.session.call_tool("note", arguments, allow_input_required=True)

        assert isinstance(await call(marks[0]), types.InputRequiredResult)
        again, other = await call(marks[0]), await call(marks[1])
    assert [state_of(it)["state"] for it in (again, other)] == ["pending", "pending"]
    assert [bench.lines(mark) for mark in marks] == [[], []]


async def test_a_request_state_counts_once_and_for_its_own_call(bench: Bench) -> None:
    mark = fresh("state")
    arguments = {"mark": mark, "text": "x"}
    async with bench.client(elicitation_callback=User()) as client:
        asked = await client.session.call_tool("note", arguments, allow_input_required=True)
        assert isinstance(asked, types.InputRequiredResult)
        state = asked.request_state
        assert state is not None
        assert asked.input_requests is not None

        async def again(text: str = "x", state: str = state) -> Any:
            answer: Any = {"review": types.ElicitResult(action="accept", content={"confirm": True})}
            return await client.session.call_tool(
                "note",
                {**arguments, "text": text},
                input_responses=answer,
                request_state=state,
                allow_input_required=True,
            )

        with pytest.raises(MCPError):
            await again(text="other")
        with pytest.raises(MCPError):
            await again(state=state[:-2] + ("AA" if state[-2:] != "AA" else "BB"))
        first = state_of(await again())
        assert first["state"] == "pending"
        used = await again()
        assert used.is_error
        assert state_of(used)["code"] == "state_used"
    assert bench.lines(mark) == []


async def test_a_client_that_goes_away_leaves_nothing_that_runs_without_a_yes(
    bench: Bench,
) -> None:
    mark = fresh("left")
    async with bench.client("legacy", longest_hold_s=30.0) as client:
        with pytest.raises(MCPError):
            await client.call_tool("note", {"mark": mark, "text": "x"}, read_timeout_seconds=2.0)
    assert bench.lines(mark) == []


def test_a_client_that_only_says_elicitation_shows_forms() -> None:
    assert way_of(_context(types.ElicitationCapability())) is Way.FORM
    assert way_of(_context(None)) is Way.NONE
    url = types.ElicitationCapability(url=types.UrlElicitationCapability())
    assert way_of(_context(url)) is Way.LINK


def _context(elicitation: types.ElicitationCapability | None) -> Any:
    class Session:
        client_capabilities = types.ClientCapabilities(elicitation=elicitation)

    class Context:
        session = Session()

    return Context()


class TaskHandle(types.Result):
    """A result that a call is answered with in place of the tool's."""

    result_type: Literal["task"] = "task"
    task_id: str
    status: str
    status_message: str = ""


async def asked(session: ClientSession, method: Any, task_id: str) -> dict[str, Any]:
    """The answer to a request about a task."""
    params = types.GetTaskRequestParams(task_id=task_id)
    request: Any = types.Request[Any, Any](method=method, params=params)
    return (await session.send_request(request, RootModel[dict[str, Any]])).root


class TakesTasks(ClientExtension):
    """A client that asks about a task until it has ended."""

    identifier = TASKS

    def __init__(self) -> None:
        self.handles: list[TaskHandle] = []
        self.ended: dict[str, Any] = {}

    def claims(self) -> list[ResultClaim[Any]]:
        """Its one claim."""
        return [ResultClaim(result_type="task", model=TaskHandle, resolve=self._resolve)]

    async def _resolve(self, handle: TaskHandle, ctx: ClaimContext) -> types.CallToolResult:
        self.handles.append(handle)

        async def ended() -> bool:
            self.ended = await asked(ctx.session, "tasks/get", handle.task_id)
            return bool(self.ended["status"] != "working")

        await eventually(ended, 30.0)
        text = {"type": "text", "text": self.ended["status"]}
        nothing = {"content": [text], "isError": True}
        return types.CallToolResult.model_validate(self.ended.get("result", nothing))


async def handle_of(extension: TakesTasks) -> TaskHandle:
    async def found() -> TaskHandle | None:
        return extension.handles[-1] if extension.handles else None

    handle = await eventually(found)
    assert handle is not None
    return handle


async def test_a_client_that_takes_tasks_asks_until_people_answered(
    bench: Bench, ann: PersonVoice
) -> None:
    taking, mark = TakesTasks(), fresh("task")
    async with bench.client(extensions=[taking]) as client:
        calling = asyncio.create_task(client.call_tool("note", {"mark": mark, "text": "x"}))
        handle = await handle_of(taking)
        assert handle.status == "working"
        assert bench.road.settings.console_url in handle.status_message
        # an answer of the client's is no yes: nothing was asked of it
        await asked(client.session, "tasks/update", handle.task_id)
        assert bench.lines(mark) == []
        await ann.proceed(await ann.card(handle.task_id))
        assert state_of(await calling) == {"noted": "x"}
    assert taking.ended["status"] == "completed"
    assert bench.lines(mark) == ["x"]
    async with bench.client(extensions=[TakesTasks()]) as later:  # another gateway knows it too
        told = await asked(later.session, "tasks/get", handle.task_id)
        assert told["status"] == "completed"
        with pytest.raises(MCPError):
            await asked(later.session, "tasks/get", "no-such-task")


async def test_a_cancelled_task_never_runs(bench: Bench, ann: PersonVoice) -> None:
    taking, mark = TakesTasks(), fresh("task")
    async with bench.client(extensions=[taking]) as client:
        calling = asyncio.create_task(client.call_tool("note", {"mark": mark, "text": "x"}))
        handle = await handle_of(taking)
        assert (await ann.card(handle.task_id)).hold_id == handle.task_id
        await asked(client.session, "tasks/cancel", handle.task_id)
        await calling
        assert taking.ended["status"] == "cancelled"
        await asked(client.session, "tasks/cancel", handle.task_id)  # it has ended, and stays so
        again = asyncio.create_task(client.call_tool("note", {"mark": mark, "text": "x"}))

        async def another() -> bool:
            return len(taking.handles) == 2

        await eventually(another)
        assert taking.handles[1].task_id != handle.task_id
        await asked(client.session, "tasks/cancel", taking.handles[1].task_id)
        await again
    assert bench.lines(mark) == []


async def test_a_client_that_elicits_too_shows_the_link_first(
    bench: Bench, ann: PersonVoice
) -> None:
    taking, user, mark = TakesTasks(), User(), fresh("task")
    async with bench.client(extensions=[taking], elicitation_callback=user) as client:
        calling = asyncio.create_task(client.call_tool("note", {"mark": mark, "text": "x"}))
        handle = await handle_of(taking)
        assert len(user.shown) == 1
        assert bench.lines(mark) == []
        await ann.proceed(await ann.card(handle.task_id))
        assert state_of(await calling) == {"noted": "x"}


async def test_what_passes_is_no_task(bench: Bench) -> None:
    taking = TakesTasks()
    async with bench.client(extensions=[taking]) as client:
        result = await client.call_tool("peek", {"mark": fresh("task")})
    assert not result.is_error
    assert taking.handles == []
