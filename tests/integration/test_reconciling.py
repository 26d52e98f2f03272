"""A run whose worker died over it is in doubt; a person looks, and says what they found."""

import asyncio
from collections.abc import Iterator

import pytest
from msgspec.structs import replace
from playwright.async_api import expect
from tests.actors import AgentVoice, Call, Guests, PersonVoice, StreamEyes
from tests.browser import Screens
from tests.integration.cli.command_line import alone, at_a_terminal
from tests.running_system import LONG_S, PASSWORD, Road, fresh, running
from tests.short_waits import hand_over_after
from tests.waiting import eventually

from holdpoint.cli.output import ExitCode
from holdpoint.ledger.exceptions import Kind
from holdpoint.messages.answer import Choice
from holdpoint.messages.card import Card
from holdpoint.messages.envelope import DID_NOT_HAPPEN, Status
from holdpoint.messages.run import Finished, Reconciled, Started

pytestmark = [pytest.mark.nats, pytest.mark.slow]
pytest_plugins = ("tests.system_fixtures", "tests.browser_fixtures")

LEASE_S, ACK_WAIT_S = 3.0, 2.0
SHELL = "worker-shell"


@pytest.fixture(scope="module")
def road(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Road]:
    """A claim is in doubt soon after its worker is gone."""
    with asyncio.Runner() as runner:
        folder = tmp_path_factory.mktemp("doubt")
        world = running(folder, own={}, console=True, lease_s=LEASE_S)
        road = runner.run(world.__aenter__())
        runner.run(hand_over_after(road, ACK_WAIT_S))
        yield road
        runner.run(world.__aexit__(None, None, None))


async def doubted(
    road: Road, robot: AgentVoice, ann: PersonVoice, eyes: StreamEyes
) -> tuple[str, Call, Card]:
    """A confirmed command whose worker dies in the middle of it."""
    mark = fresh("mark")
    key = fresh("key")
    command = {"command": f"sleep 1; echo ran >> {mark}"}
    call = await robot.propose("run_command", command, key=key)
    hold_id = (await robot.pending(call)).hold_id
    await ann.proceed(await ann.card(hold_id))

    async def started() -> bool:
        return any(isinstance(it, Started) for it in await eyes.runs(hold_id))

    await eventually(started, LONG_S)
    road.supervisor.kill(SHELL)
    road.supervisor.start(SHELL)
    await road.supervisor.ready(SHELL)
    told = await robot.hears(call, Status.IN_DOUBT, Status.DONE)
    assert told.status is Status.IN_DOUBT
    return mark, call, await ann.card(hold_id, "in_doubt")


async def test_a_yes_that_comes_after_it_is_refused(
    road: Road, robot: AgentVoice, ann: PersonVoice, eyes: StreamEyes
) -> None:
    _, _, card = await doubted(road, robot, ann, eyes)
    seq = await ann.answer(card, Choice.DID_NOT_HAPPEN, reason="The file is not there.")
    assert (await ann.heard(card, seq)).code == DID_NOT_HAPPEN

    late = await ann.answer(card, Choice.PROCEED)

    assert (await ann.heard(card, late)).status is Status.REFUSED


async def test_it_did_not_happen(
    road: Road, robot: AgentVoice, ann: PersonVoice, eyes: StreamEyes
) -> None:
    mark, _, card = await doubted(road, robot, ann, eyes)
    hold = card.hold_id
    before = road.runs_of(mark)
    waits = asyncio.create_task(robot.ask(hold_id=hold, wait_s=20, known=Status.IN_DOUBT))

    seq = await ann.answer(card, Choice.DID_NOT_HAPPEN, reason="The file is not there.")
    assert (await ann.heard(card, seq)).code == DID_NOT_HAPPEN

    told = await waits
    assert (told.status, told.code) == (Status.FAILED, DID_NOT_HAPPEN)
    assert told.reason == "The file is not there."
    assert "new idempotency key" in told.message_for_user
    after = await ann.card(hold, "did_not_happen")
    assert after.result == "ann: The file is not there."
    *_, in_doubt, last = await eyes.runs(hold)
    assert isinstance(in_doubt, Finished)
    assert isinstance(last, Reconciled)
    assert (last.by, last.happened) == ("ann", False)
    again = await ann.heard(card, await ann.answer(card, Choice.HAPPENED, reason="It is."))
    assert (again.status, again.code) == (Status.REFUSED, "not_in_doubt")
    assert road.runs_of(mark) == before  # nothing ran by itself

    await eventually(lambda: is_entered(road, hold), LONG_S)
    await runs_with_a_new_key(robot, ann, mark)
    assert road.runs_of(mark) == before + 1


async def is_entered(road: Road, hold: str) -> bool:
    """Whether the ledger knows what was found, and doubts no longer."""
    events = {event.type.rpartition(".")[2] for event in road.events(hold)}
    doubts = {it.hold_id for it in road.exceptions() if it.kind is Kind.IN_DOUBT}
    return "reconciled" in events and hold not in doubts


async def runs_with_a_new_key(robot: AgentVoice, ann: PersonVoice, mark: str) -> None:
    """The same call again is another one, asked about anew."""
    command = {"command": f"sleep 1; echo ran >> {mark}"}
    call = await robot.propose("run_command", command, key=fresh("key"))
    await ann.proceed(await ann.card((await robot.pending(call)).hold_id))
    await robot.hears(call, Status.DONE)


async def test_only_who_was_asked_says_what_became_of_it_and_only_while_it_is_in_doubt(
    road: Road, guests: Guests, robot: AgentVoice, ann: PersonVoice, eyes: StreamEyes
) -> None:
    _, call, card = await doubted(road, robot, ann, eyes)
    cem = await guests.person("cem")
    stranger = await cem.heard(card, await cem.answer(card, Choice.HAPPENED, reason="Yes."))
    assert (stranger.status, stranger.code) == (Status.REFUSED, "not_an_approver")
    empty = await ann.heard(card, await ann.answer(card, Choice.DID_NOT_HAPPEN))
    assert (empty.status, empty.code) == (Status.REFUSED, "note_missing")
    other = replace(card, digest="0" * 64)
    wrong = await ann.heard(other, await ann.answer(other, Choice.HAPPENED, reason="Yes."))
    assert wrong.code == "other_digest"
    assert (await robot.ask(call)).status is Status.IN_DOUBT


async def test_at_the_terminal(
    road: Road, robot: AgentVoice, ann: PersonVoice, eyes: StreamEyes
) -> None:
    _, call, card = await doubted(road, robot, ann, eyes)
    listed = alone(road.settings, "pending", "--as", "ann")
    assert card.hold_id in listed.out

    command = ("reconcile", card.hold_id, "--happened", "--note", "I saw it.", "--as", "ann")
    with at_a_terminal(road.settings, *command) as screen:
        screen.answers("Password of ann: ", PASSWORD)
        ended = screen.ended()

    assert ended.code is ExitCode.OK.value, ended
    assert "IT HAPPENED" in screen.everything
    told = await robot.hears(call, Status.DONE)
    assert "ann looked: it happened. I saw it." in told.message_for_user
    again = alone(road.settings, *command)
    assert "is not in doubt" in again.err or again.code != ExitCode.OK.value


async def test_in_the_console(
    road: Road, screens: Screens, robot: AgentVoice, ann: PersonVoice, eyes: StreamEyes
) -> None:
    _, call, card = await doubted(road, robot, ann, eyes)
    page = await screens("ann")
    await page.stands_as(card.hold_id, "In doubt")
    shown = page.card(card.hold_id)
    await shown.get_by_role("button", name="It did not happen").click()
    await expect(page.told(card.hold_id)).to_contain_text("Write what you looked at")
    await shown.get_by_label("What you looked at and found").fill("No line in the file.")
    await shown.get_by_role("button", name="It did not happen").click()
    await page.stands_as(card.hold_id, "It did not happen")
    told = await robot.hears(call, Status.FAILED)
    assert told.reason == "No line in the file."
