"""The person at an MCP client answers in its form, at level 3 and where the policy says so."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack
from typing import Any

import mcp_types as types
import pytest
from msgspec.structs import replace
from tests.actors import Guests, StreamEyes
from tests.mcp_system import Bench, bench_in, state_of
from tests.running_system import PEOPLE_YAML, TENANT, fresh

from holdpoint.mcp.client_person import ClientPerson, logged_in
from holdpoint.mcp.gateway import Gateway
from holdpoint.messages import subjects as s
from holdpoint.messages.answer import CLIENT_FORM, Answer, Choice
from holdpoint.messages.envelope import Status
from holdpoint.runtime.config.registry import load_registry
from holdpoint.runtime.errors import UnavailableError, UnknownOutcomeError

pytestmark = [pytest.mark.slow, pytest.mark.nats]

PEOPLE = PEOPLE_YAML.replace("name: ann", "name: ann, mcp_clients: [mcp-client]", 1)


def allowing(policy: str) -> str:
    """Level 3 takes forms; so does level 5, which must not help."""
    return policy.replace("    verdict: hold\n", "    verdict: hold\n    client_may_answer: true\n")


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    """Shared by the tests of this module."""
    with asyncio.Runner() as runner:
        folder = tmp_path_factory.mktemp("mcp")
        world = bench_in(folder, console=True, people_yaml=PEOPLE, change=allowing)
        yield runner.run(world.__aenter__())
        runner.run(world.__aexit__(None, None, None))


@pytest.fixture
async def at_client(bench: Bench) -> AsyncIterator[ClientPerson]:
    """Ann, with the credential of an MCP client."""
    people = load_registry(bench.road.settings.config_dir).people
    ann = next(it for it in people if it.name == "ann")
    async with logged_in(bench.road.settings, ann) as person:
        yield person


@pytest.fixture
async def guests(bench: Bench) -> AsyncIterator[Guests]:
    async with AsyncExitStack() as stack:
        yield Guests(road=bench.road, stack=stack)


@pytest.fixture
async def eyes(guests: Guests) -> StreamEyes:
    return await guests.eyes()


class Forms:
    """A client's user: the forms they saw, and what they choose in each."""

    def __init__(self, choice: object = None, *, silent: bool = False) -> None:
        self.content: Any = {"confirm": True} if choice is None else {"answer": choice}
        self.silent = silent
        self.seen: list[types.ElicitRequestParams] = []

    async def __call__(self, _: object, params: types.ElicitRequestParams) -> types.ElicitResult:
        """Answer."""
        self.seen.append(params)
        if self.silent:
            await asyncio.Event().wait()
        return types.ElicitResult(action="accept", content=self.content)


def sitting(person: ClientPerson) -> Callable[[Gateway], None]:
    """The gateway that this person started."""

    def change(gateway: Gateway) -> None:
        gateway.person = person

    return change


async def noted(
    bench: Bench, person: ClientPerson, forms: Forms, mode: str, tool: str = "note"
) -> tuple[str, Any]:
    """Call a tool; the mark of its effect, and what came back."""
    mark = fresh("form")
    arguments = {"mark": mark, "text": "x"} if tool == "note" else {"mark": mark}
    wait_s = 2.0 if forms.silent or forms.content.get("answer") not in set(Choice) else 30.0
    async with bench.client(
        mode, longest_hold_s=wait_s, change=sitting(person), elicitation_callback=forms
    ) as client:
        return mark, await client.call_tool(tool, arguments)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_the_form_shows_the_card_and_its_yes_runs_it_once(
    bench: Bench, at_client: ClientPerson, eyes: StreamEyes, mode: str
) -> None:
    forms = Forms("proceed")
    mark, result = await noted(bench, at_client, forms, mode)

    assert state_of(result) == {"noted": "x"}
    assert bench.lines(mark) == ["x"]
    (shown,) = forms.seen
    assert mark in shown.message
    assert "Exactly what will run" in shown.message
    answered = await eyes.on(s.ANSWERS, s.answer_subject(TENANT, CLIENT_FORM, "ann", "*", "*"))
    said = answered[-1].message
    assert isinstance(said, Answer)
    assert said.answer is Choice.PROCEED


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_the_forms_no_is_told_as_a_persons(
    bench: Bench, at_client: ClientPerson, mode: str
) -> None:
    mark, result = await noted(bench, at_client, Forms("cancel"), mode)

    assert state_of(result)["state"] == "cancelled"
    assert bench.lines(mark) == []


@pytest.mark.parametrize("mode", ["auto", "legacy"])
@pytest.mark.parametrize("choice", [None, "yes", True, "PROCEED"])
async def test_n4_a_form_without_a_choice_of_ours_is_no_answer(
    bench: Bench, at_client: ClientPerson, mode: str, choice: object
) -> None:
    mark, result = await noted(bench, at_client, Forms(choice), mode)

    assert state_of(result)["state"] == "pending"
    assert bench.lines(mark) == []


async def test_a_client_that_declares_forms_and_drops_them_is_held(
    bench: Bench, at_client: ClientPerson
) -> None:
    mark, result = await noted(bench, at_client, Forms("proceed", silent=True), "legacy")

    assert state_of(result)["state"] == "pending"
    assert bench.lines(mark) == []


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_above_level_3_the_client_shows_a_link(
    bench: Bench, at_client: ClientPerson, mode: str
) -> None:
    forms = Forms("proceed")
    mark, result = await noted(bench, at_client, forms, mode, "unlisted")

    (shown,) = forms.seen
    assert isinstance(shown, types.ElicitRequestURLParams)
    assert state_of(result)["state"] == "pending"
    assert bench.lines(mark) == []


async def test_the_clients_key_answers_no_other_agents_holds(
    bench: Bench, at_client: ClientPerson
) -> None:
    _, result = await noted(bench, at_client, Forms(), "auto")
    card = await at_client.card(state_of(result)["hold_id"])
    assert card is not None

    with pytest.raises((UnavailableError, UnknownOutcomeError)):
        await at_client.line.answer(replace(card, agent="stranger"), Choice.PROCEED)
    assert (await at_client.line.answer(card, Choice.CANCEL)).status is Status.CANCELLED
