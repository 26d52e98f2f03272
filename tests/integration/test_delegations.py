"""Delegations on the running system: who answers in an approver's place, and both names."""

from datetime import timedelta

import pytest
from tests.actors import AgentVoice, Guests, PersonVoice, StreamEyes
from tests.integration.cli.command_line import alone, at_a_terminal
from tests.running_system import PASSWORD, Road
from tests.waiting import eventually

from holdpoint.console.status_labels import is_answerable, standing
from holdpoint.messages import subjects as s
from holdpoint.messages.answer import Choice
from holdpoint.messages.catalog import own_audience
from holdpoint.messages.envelope import Envelope, Status
from holdpoint.messages.hold import Resolved
from holdpoint.messages.state import Delegate, DelegationState
from holdpoint.runtime.process import clock

pytestmark = [pytest.mark.nats, pytest.mark.timeout(120)]
pytest_plugins = ("tests.system_fixtures",)

HOUR = timedelta(hours=1)


@pytest.fixture
async def cem(guests: Guests) -> PersonVoice:
    """An approver in finance, whom nobody asks about what operators answer."""
    return await guests.person("cem")


async def orders(person: PersonVoice, **order: object) -> Envelope:
    return await person.told(await person.order(Delegate(**order), "delegate"))  # type: ignore[arg-type]


async def both_are_named(road: Road, cem: PersonVoice, eyes: StreamEyes, hold_id: str) -> None:
    """In the hold, on the card, in STATE; and the ledger finds nothing to explain."""
    resolved = next(it for it in await eyes.facts(hold_id) if isinstance(it, Resolved))
    (voice,) = resolved.hold.voices
    assert (voice.person, voice.on_behalf_of) == ("cem", "ben")
    over = await cem.card(hold_id, "done", group=own_audience("cem"))
    assert standing(over).text == "Approved by cem (for ben), and it ran."

    async def is_in_order() -> bool:
        return not [it for it in road.exceptions() if it.hold_id == hold_id]

    await road.ended(hold_id)
    assert await eventually(is_in_order)
    (state,) = (await eyes.on(s.STATE, s.state_subject("acme", "delegation", "ben")))[-1:]
    assert isinstance(state.message, DelegationState)
    assert (state.message.by, state.message.delegations[-1].away) == ("ben", True)


async def test_out_of_office_a_delegate_answers_and_both_names_stand_everywhere(
    road: Road, robot: AgentVoice, ben: PersonVoice, cem: PersonVoice, eyes: StreamEyes
) -> None:
    until = clock.now() + HOUR
    told = await orders(ben, to="cem", until=until, away=True, reason="Holidays.")
    assert told.status is Status.DONE, told
    try:
        mark, call = await robot.command()
        hold_id = (await robot.pending(call)).hold_id
        card = await cem.card(hold_id, group=own_audience("cem"))
        assert card.delegators == ("ben",)
        shown = alone(road.settings, "show", hold_id, "--as", "cem")
        assert shown.code == 0

        assert (await cem.proceed(card)).code == "not_an_approver"
        seq = await cem.answer(card, Choice.PROCEED, on_behalf_of="ben")
        assert (await cem.heard(card, seq)).status is Status.APPROVED

        await robot.hears(call, Status.DONE)
        assert road.runs_of(mark) == 1
        await both_are_named(road, cem, eyes, hold_id)
    finally:
        assert (await orders(ben)).status is Status.DONE


async def test_a_delegation_ends_and_never_widens(
    robot: AgentVoice, ann: PersonVoice, ben: PersonVoice, cem: PersonVoice
) -> None:
    await orders(ben, to="cem", until=clock.now() + HOUR)
    mark, call = await robot.command()
    hold_id = (await robot.pending(call)).hold_id
    card = await cem.card(hold_id, group=own_audience("cem"))

    async def says(seat: str) -> Envelope:
        return await cem.heard(card, await cem.answer(card, Choice.PROCEED, on_behalf_of=seat))

    assert (await says("ann")).code == "not_a_delegate"
    assert (await says("nobody")).code == "not_an_approver"
    assert (await orders(ben)).status is Status.DONE
    assert (await says("ben")).code == "not_a_delegate"
    over = await cem.card(hold_id, "handed_back", group=own_audience("cem"))
    assert not over.labels
    assert not is_answerable(over)
    assert (await ann.cancel(await ann.card(hold_id))).status is Status.CANCELLED
    assert (await robot.ask(call)).status is Status.CANCELLED
    assert mark


@pytest.mark.slow
async def test_a_card_that_waits_already_comes_to_the_delegate_too(
    robot: AgentVoice, ann: PersonVoice, ben: PersonVoice, cem: PersonVoice
) -> None:
    _, call = await robot.command()
    hold_id = (await robot.pending(call)).hold_id
    await orders(ben, to="cem", until=clock.now() + HOUR)
    try:
        card = await cem.card(hold_id, group=own_audience("cem"))
        assert card.delegators == ("ben",)
        no = await cem.answer(card, Choice.CANCEL, on_behalf_of="ben", reason="Not now.")
        assert (await cem.heard(card, no)).status is Status.CANCELLED
        over = await ann.card(hold_id, "resumed", "resolved")
        assert standing(over).text == "Cancelled by cem (for ben); nothing ran."
    finally:
        await orders(ben)


@pytest.mark.parametrize(
    ("order", "code"),
    [
        ({"to": "nobody", "until": clock.now() + HOUR}, "unknown_person"),
        ({"to": "ben", "until": clock.now() + HOUR}, "bad_delegation"),
        ({"to": "cem"}, "no_end"),
        ({"to": "cem", "until": clock.now() - HOUR}, "bad_delegation"),
        ({"to": "cem", "until": clock.now() + 200 * 24 * HOUR}, "bad_delegation"),
    ],
)
async def test_what_no_delegation_is_is_refused(
    ben: PersonVoice, order: dict[str, object], code: str
) -> None:
    assert (await orders(ben, **order)).code == code


async def test_a_person_delegates_at_a_terminal(road: Road, robot: AgentVoice) -> None:
    until = f"{clock.now() + 24 * HOUR:%Y-%m-%dT%H:%M}"
    words = ("people", "away", "cem", "--until", until, "--as", "ben")
    with at_a_terminal(road.settings, *words) as screen:
        screen.answers("Password of ben: ", PASSWORD)
        assert "cem may answer in your place" in screen.ended().out
    _, call = await robot.command()
    hold_id = (await robot.pending(call)).hold_id

    async def listed() -> bool:
        return hold_id in alone(road.settings, "pending", "--as", "cem").out

    assert await eventually(listed)
    with at_a_terminal(road.settings, "proceed", hold_id, "--as", "cem") as screen:
        screen.answers("Password of cem: ", PASSWORD)
        assert "it ran" in screen.ended().out
    with at_a_terminal(road.settings, "people", "back", "--as", "ben") as screen:
        screen.answers("Password of ben: ", PASSWORD)
        assert "Nobody answers in your place" in screen.ended().out
