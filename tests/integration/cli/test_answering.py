"""People answer at a terminal: with their password, typed there and nowhere else."""

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.actors import AgentVoice, Guests, PersonVoice, StreamEyes
from tests.integration.cli.command_line import IN_THE_BACKGROUND, Screen, alone, at_a_terminal
from tests.running_system import PASSWORD, Road, running
from tests.waiting import eventually

from holdpoint.cli.output import ExitCode
from holdpoint.messages import subjects as s
from holdpoint.messages.answer import Answer, Choice
from holdpoint.messages.card import Card
from holdpoint.messages.envelope import Status
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.security import credentials

pytestmark = pytest.mark.nats
pytest_plugins = ("tests.system_fixtures",)

PROMPT = "Password of ann: "
WRONG = "wrong horse"


@pytest.fixture
async def card(road: Road, robot: AgentVoice, ann: PersonVoice) -> Card:
    """500 rows of a table that a person may let go."""
    table = road.table(500)
    return await ann.card((await robot.pending(await deletes(robot, table))).hold_id)


async def deletes(robot: AgentVoice, table: str, **more: Any) -> Any:
    sql = f"DELETE FROM {table} WHERE status = 'stale'"
    return await robot.propose("execute_sql", {"database": "crm", "sql": sql}, **more)


async def answers_to(eyes: StreamEyes, card: Card) -> list[Answer]:
    subject = s.answer_subject("acme", "*", "*", "*", card.hold_id)
    found = [it.message for it in await eyes.on(s.ANSWERS, subject)]
    assert all(isinstance(each, Answer) for each in found)
    return [each for each in found if isinstance(each, Answer)]


def table_of(card: Card) -> str:
    return str(card.ui.action.arguments["sql"]).split()[2]


def ann_types(screen: Screen, password: str = PASSWORD) -> None:
    screen.answers(PROMPT, password)


async def test_a_yes_at_the_terminal_releases_the_hold(
    road: Road, card: Card, eyes: StreamEyes
) -> None:
    with at_a_terminal(road.settings, "proceed", card.hold_id, "--as", "ann") as screen:
        dialog = screen.sees(PROMPT)
        assert road.rows(table_of(card)) == 500
        ann_types(screen)
        ended = screen.ended()

    assert ended.code is ExitCode.OK.value, ended
    assert ended.out.startswith("Your yes counted, and it ran: Delete 500 rows")
    assert card.title in dialog
    assert "CRITICAL" in dialog
    assert PASSWORD not in screen.everything
    assert road.rows(table_of(card)) == 0
    (answer,) = await answers_to(eyes, card)
    assert (answer.answer, answer.digest, answer.render_digest) == (
        Choice.PROCEED, card.digest, card.render_digest,
    )  # fmt: skip
    assert answer.seconds_shown > 0
    assert answer.proof


async def test_programs_get_one_document(road: Road, card: Card) -> None:
    words = ("proceed", card.hold_id[:12], "--as", "ann", "--json")
    with at_a_terminal(road.settings, *words) as screen:
        ann_types(screen)
        ended = screen.ended()

    told = msgspec.json.decode(ended.out)
    assert (told["hold_id"], told["counted"], told["state"]) == (card.hold_id, True, "done")
    assert ended.err == ""


async def test_a_no_at_the_terminal_tells_the_agent_why(
    road: Road, robot: AgentVoice, ann: PersonVoice
) -> None:
    call = await deletes(robot, road.table(500))
    card = await ann.card((await robot.pending(call)).hold_id)
    words = ("cancel", card.hold_id, "--reason", "Not today.", "--as", "ann")

    with at_a_terminal(road.settings, *words) as screen:
        ann_types(screen)
        ended = screen.ended()

    assert ended.code is ExitCode.OK.value, ended
    assert "Nothing runs" in ended.out
    told = await robot.hears(call, Status.CANCELLED)
    assert told.reason == "Not today."
    assert road.rows(table_of(card)) == 500


@pytest.mark.slow
async def test_a_changed_call_shows_the_difference_and_is_asked_about_anew(
    road: Road, robot: AgentVoice, ann: PersonVoice
) -> None:
    table = road.table(500)
    call = await deletes(robot, table)
    card = await ann.card((await robot.pending(call)).hold_id)
    sql = f"DELETE FROM {table} WHERE id <= 2"
    change = ("--set", f"sql={sql}", "--why", "Only two.")

    with at_a_terminal(road.settings, "modify", card.hold_id, *change, "--as", "ann") as screen:
        dialog = screen.sees(PROMPT)
        ann_types(screen)
        ended = screen.ended()

    assert ended.code is ExitCode.OK.value, ended
    assert "You are about to CHANGE it" in dialog
    assert f"-> {sql}" in " ".join(dialog.split())
    told = await robot.hears(call, Status.SUPERSEDED)
    assert told.reason == "ann changed it: Only two."
    assert told.superseded_by in ended.out
    new = await ann.card(told.superseded_by)
    assert (new.modified_by, new.ui.action.affected) == ("ann", 2)
    assert road.rows(table) == 500


async def test_a_wrong_password_publishes_nothing(road: Road, card: Card, eyes: StreamEyes) -> None:
    with at_a_terminal(road.settings, "proceed", card.hold_id, "--as", "ann") as screen:
        ann_types(screen, WRONG)
        ended = screen.ended()

    assert ended.code is ExitCode.PASSWORD.value
    assert "Nothing was done" in ended.err
    assert WRONG not in screen.everything
    assert await answers_to(eyes, card) == []


@pytest.mark.parametrize("command", ["proceed", "cancel"])
async def test_without_a_terminal_nothing_is_published(
    command: str, road: Road, card: Card, eyes: StreamEyes
) -> None:
    ended = alone(
        road.settings, command, card.hold_id, "--as", "ann", said=f"{PASSWORD}\n",
        HOLDPOINT_PASSWORD=PASSWORD,
    )  # fmt: skip

    assert ended.code is ExitCode.NO_TERMINAL.value
    assert ended.err.startswith("A person has to type their password here")
    assert await answers_to(eyes, card) == []


async def test_from_the_background_nothing_is_asked(
    road: Road, card: Card, eyes: StreamEyes
) -> None:
    words = ("proceed", card.hold_id, "--as", "ann")
    with at_a_terminal(road.settings, *words, starter=IN_THE_BACKGROUND) as screen:
        ended = screen.ended()

    assert ended.code is ExitCode.NO_TERMINAL.value
    assert await answers_to(eyes, card) == []


@pytest.mark.parametrize("option", ["--password", "--yes", "-p"])
def test_no_option_takes_a_password(option: str, road: Road) -> None:
    ended = alone(road.settings, "proceed", "abcdefgh", option, PASSWORD)

    assert ended.code is ExitCode.USAGE.value


async def test_standard_input_is_not_the_keyboard(road: Road, card: Card, eyes: StreamEyes) -> None:
    words = ("proceed", card.hold_id, "--as", "ann")
    with at_a_terminal(road.settings, *words, said=f"{PASSWORD}\n") as screen:
        ann_types(screen, WRONG)
        ended = screen.ended()

    assert ended.code is ExitCode.PASSWORD.value
    assert await answers_to(eyes, card) == []


async def test_what_was_typed_before_the_question_is_thrown_away(road: Road, card: Card) -> None:
    with at_a_terminal(road.settings, "proceed", card.hold_id, "--as", "ann") as screen:
        screen.types("typed too early\n")
        ann_types(screen)
        ended = screen.ended()

    assert ended.code is ExitCode.OK.value


@pytest.mark.parametrize("keys", ["\n", "\x04"])
async def test_no_password_is_no_answer(
    keys: str, road: Road, card: Card, eyes: StreamEyes
) -> None:
    with at_a_terminal(road.settings, "proceed", card.hold_id, "--as", "ann") as screen:
        screen.sees(PROMPT)
        screen.types(keys)
        ended = screen.ended()

    assert ended.code is ExitCode.PASSWORD.value
    assert await answers_to(eyes, card) == []


async def test_ctrl_c_is_no_answer(road: Road, card: Card, eyes: StreamEyes) -> None:
    with at_a_terminal(road.settings, "proceed", card.hold_id, "--as", "ann") as screen:
        screen.sees(PROMPT)
        screen.types("\x03")
        ended = screen.ended()

    assert ended.code is ExitCode.INTERRUPTED.value
    assert await answers_to(eyes, card) == []


async def test_a_closed_hold_asks_for_no_password(road: Road, card: Card, ann: PersonVoice) -> None:
    await ann.cancel(card)
    await ann.card(card.hold_id, "resolved", "resumed")

    with at_a_terminal(road.settings, "proceed", card.hold_id, "--as", "ann") as screen:
        ended = screen.ended()

    assert ended.code is ExitCode.FAILED.value
    assert "closed already (cancelled)" in ended.err
    assert PROMPT not in screen.everything


async def test_an_answer_that_comes_too_late_is_told_as_refused(
    road: Road, card: Card, ann: PersonVoice
) -> None:
    with at_a_terminal(road.settings, "proceed", card.hold_id, "--as", "ann") as screen:
        screen.sees(PROMPT)
        await ann.cancel(card)
        ann_types(screen)
        ended = screen.ended()

    assert ended.code is ExitCode.FAILED.value
    assert ended.out.startswith("It did not count (already_closed)")
    assert road.rows(table_of(card)) == 500


async def test_a_failed_run_is_told(road: Road, robot: AgentVoice, ann: PersonVoice) -> None:
    table = road.table(500)
    card = await ann.card((await robot.pending(await deletes(robot, table))).hold_id)
    road.fill(table, 7)

    with at_a_terminal(road.settings, "proceed", card.hold_id, "--as", "ann") as screen:
        ann_types(screen)
        ended = screen.ended()

    assert ended.code is ExitCode.FAILED.value
    assert "it ended as precondition failed" in ended.out
    assert road.rows(table) == 507


async def test_a_password_that_a_program_made_is_changed_first(
    road: Road, card: Card, tmp_path: Path
) -> None:
    settings = own_keys(road.settings, tmp_path, must_change=True)
    with at_a_terminal(settings, "proceed", card.hold_id, "--as", "ann") as screen:
        ann_types(screen)
        screen.answers("New password of ann", "short")
        screen.answers("New password of ann", PASSWORD)
        screen.answers("New password of ann", "my own battery staple")
        screen.answers("Repeat the new password: ", "my own battery staple")
        ended = screen.ended()

    assert ended.code is ExitCode.OK.value, ended
    key = credentials.read_person_key(settings.people_dir, "ann")
    assert key is not None
    assert not key.must_change
    assert credentials.unlock_person_key(settings.people_dir, "ann", "my own battery staple")


@pytest.mark.slow
async def test_while_the_gate_is_away_nobody_claims_that_it_counted(road: Road, card: Card) -> None:
    with at_a_terminal(road.settings, "proceed", card.hold_id, "--as", "ann") as screen:
        screen.sees(PROMPT)
        with road.paused("gate"):
            ann_types(screen)
            ended = screen.ended()

    assert ended.code is ExitCode.UNDECIDED.value
    assert "no gate has counted it yet" in ended.out

    async def gone() -> bool:
        return road.rows(table_of(card)) == 0

    assert await eventually(gone, 30.0)


@pytest.mark.slow
async def test_a_broker_that_dies_after_the_yes_is_waited_for(tmp_path: Path) -> None:
    """The yes counted: nobody is told that nothing could be reached."""
    async with running(tmp_path, own={}) as road, AsyncExitStack() as stack:
        guests = Guests(road=road, stack=stack)
        robot, ann = await guests.agent(), await guests.person("ann")
        call = await robot.propose("run_command", {"command": "sleep 3; rm -rf none"})
        hold = (await robot.pending(call)).hold_id
        await ann.card(hold)
        with at_a_terminal(road.settings, "proceed", hold, "--as", "ann") as screen:
            ann_types(screen)
            await ann.card(hold, "running")
            road.supervisor.kill("nats")
            await road.supervisor.restart_broker()
            ended = await asyncio.to_thread(screen.ended)

    assert ended.code is ExitCode.OK.value, ended
    assert "it ran: Run sleep 3" in ended.out


async def test_a_person_whom_the_broker_does_not_know_is_told_what_to_do(
    road: Road, card: Card, tmp_path: Path
) -> None:
    settings = own_keys(road.settings, tmp_path, must_change=False)
    (settings.people_dir / "ann.key").unlink()
    credentials.create_person_key(
        settings.people_dir, "ann", PASSWORD, credentials.INTERACTIVE, must_change=False
    )

    with at_a_terminal(settings, "proceed", card.hold_id, "--as", "ann") as screen:
        ann_types(screen)
        ended = screen.ended()

    assert ended.code is ExitCode.SETUP.value
    assert "holdpoint provision" in ended.err


def own_keys(settings: Settings, folder: Path, *, must_change: bool) -> Settings:
    """The same world with ann's key in a folder of this test's own."""
    state = folder / "state"
    (state / "people").mkdir(parents=True, mode=0o700)
    (state / "credentials").symlink_to(settings.credentials_dir)
    key = credentials.read_person_key(settings.people_dir, "ann")
    assert key is not None
    path = state / "people" / "ann.key"
    path.write_bytes(msgspec.json.encode(msgspec.structs.replace(key, must_change=must_change)))
    path.chmod(0o600)
    return settings.model_copy(update={"state_dir": state, "nats_url": settings.broker_url})
