"""Slack against everything that runs, and a server that speaks its API as documented."""

import asyncio
import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests import slack_server
from tests.actors import AgentVoice, Guests, PersonVoice, StreamEyes
from tests.hostile_texts import HOSTILE
from tests.running_system import TENANT, Road, running
from tests.slack_server import CHANNEL, TEAM, Slack, buttons_of, fault_of, text_of
from tests.waiting import eventually

from holdpoint.messages import subjects as s
from holdpoint.messages.answer import Answer, Choice
from holdpoint.messages.card import Card
from holdpoint.messages.catalog import own_audience
from holdpoint.messages.envelope import Status
from holdpoint.messages.state import Delegate
from holdpoint.runtime.process import clock
from holdpoint.runtime.security.credentials import SLACK, slack_user
from holdpoint.slack.answering import (
    CHANGED,
    NO_APPROVER,
    NOT_HERE,
    NOT_KNOWN,
    OLD_MESSAGE,
    OTHER_GROUP,
    OTHER_WORKSPACE,
)
from holdpoint.slack.cards import CANCEL, OPEN, PROCEED
from holdpoint.slack.listeners import PRESS, TOO_SLOW
from holdpoint.slack.messages import FILE

pytestmark = [pytest.mark.nats, pytest.mark.slow]
pytest_plugins = ("tests.system_fixtures",)

ANN, BEN, CEM, EVE, NOBODY = "U0ANN", "U0BEN", "U0CEM", "U0EVE", "U0NOBODY"
PEOPLE_YAML = f"""\
people:
  - {{name: ann, groups: [operators], admin: true, slack: {ANN}}}
  - {{name: ben, groups: [operators], slack: {BEN}}}
  - {{name: cem, groups: [finance], slack: {CEM}}}
  - {{name: eve, groups: [operators], roles: [auditor], slack: {EVE}}}
"""


@dataclass(frozen=True, kw_only=True)
class World:
    """A road that asks in Slack."""

    road: Road
    slack: Slack


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    slack = Slack().start()
    with asyncio.Runner() as runner:
        system = running(
            tmp_path_factory.mktemp("slack"),
            lambda policy: policy.replace("  critical: 3\n", "  critical: 4\n"),
            own={},
            console=True,
            people_yaml=PEOPLE_YAML,
            others=(SLACK,),
            configure=partial(configure, slack),
        )
        road = runner.run(system.__aenter__())
        slack.app_url = f"{road.settings.slack_file.read_text().strip()}/slack/events"
        yield World(road=road, slack=slack)
        runner.run(system.__aexit__(None, None, None))
    slack.stop()


def configure(slack: Slack, folder: Path) -> None:
    """Write what the Slack service needs of this server."""
    write_config(folder, slack, "http")
    secrets = folder.parent / "var" / "slack"
    secrets.mkdir(mode=0o700, parents=True)
    (folder.parent / "var").chmod(0o700)
    for name, value in (
        ("bot-token", slack_server.BOT_TOKEN),
        ("app-token", slack_server.APP_TOKEN),
        ("signing-secret", slack_server.SIGNING_SECRET),
    ):
        (secrets / name).touch(mode=0o600)
        (secrets / name).write_text(value)


def write_config(folder: Path, slack: Slack, mode: str) -> None:
    (folder / "slack.yaml").write_text(
        f"team: {TEAM}\nmode: {mode}\nchannels: {{operators: {CHANNEL}}}\napi_url: {slack.url}\n"
    )


@pytest.fixture(scope="module")
def road(world: World) -> Road:
    """Where the shared fixtures' agents and people are."""
    return world.road


@dataclass(frozen=True, kw_only=True)
class Held:
    """A command that waits, its card, and the message about it."""

    mark: str
    call: Any
    card: Card
    message: dict[str, Any]


async def held(world: World, robot: AgentVoice, ann: PersonVoice, **more: Any) -> Held:
    mark, call = await robot.command(**more)
    card = await ann.card((await robot.pending(call)).hold_id)
    return Held(mark=mark, call=call, card=card, message=await shown(world, card.hold_id))


async def shown(world: World, hold_id: str, *words: str) -> dict[str, Any]:
    """The message about a hold, once it says all this."""

    async def found() -> dict[str, Any]:
        message = world.slack.about(hold_id)
        assert message is not None, f"no message: {world.slack.refused}"
        assert all(word in text_of(message) for word in words), text_of(message)
        copied: dict[str, Any] = json.loads(json.dumps(message))
        return copied

    return await eventually(found)


async def whispered(world: World, text: str, since: int) -> dict[str, Any]:
    async def found() -> dict[str, Any]:
        said = world.slack.whispers[since:]
        assert any(text in it["text"] for it in said), said
        return next(it for it in said if text in it["text"])

    return await eventually(found)


async def told(world: World, payload: dict[str, Any], text: str, **signed: Any) -> None:
    """Deliver it, and wait until whoever pressed is told this."""
    since = len(world.slack.whispers)
    assert await asyncio.to_thread(world.slack.send, payload, **signed) == 200
    await whispered(world, text, since)


async def waits(world: World, robot: AgentVoice, one: Held) -> None:
    """Nothing has run, and people are still asked."""
    assert (await robot.ask(one.call)).status is Status.PENDING_CONFIRMATION
    assert world.road.runs_of(one.mark) == 0


async def test_a_yes_in_slack_runs_it_once_and_the_message_says_so(
    world: World, robot: AgentVoice, ann: PersonVoice, eyes: StreamEyes
) -> None:
    one = await held(world, robot, ann)

    await told(world, world.slack.pressed(one.message, PROCEED, ANN), "Your yes counts")
    done = await robot.hears(one.call, Status.DONE)
    ended = await shown(world, one.card.hold_id, "Approved by ann, and it ran.")

    assert world.road.runs_of(one.mark) == 1
    assert done.hold_id == one.card.hold_id
    assert list(buttons_of(ended)) == [OPEN]
    assert fault_of(ended) == ""
    row = await world.road.ended(one.card.hold_id)
    assert row.outcome == "confirmed"
    (answer,) = await eyes.on(
        s.ANSWERS, s.answer_subject(TENANT, SLACK, "*", "*", one.card.hold_id)
    )
    assert isinstance(answer.message, Answer)
    assert answer.message.digest == one.card.digest
    assert answer.message.render_digest == one.card.render_digest


async def test_a_no_asks_for_the_reason_and_the_agent_is_told_it(
    world: World, robot: AgentVoice, ann: PersonVoice
) -> None:
    one = await held(world, robot, ann)
    forms = len(world.slack.views)

    assert await asyncio.to_thread(world.slack.press, one.message, CANCEL, BEN) == 200

    async def opened() -> dict[str, Any]:
        assert len(world.slack.views) > forms, (world.slack.refused, world.slack.whispers)
        return world.slack.views[-1]

    view = await eventually(opened)
    await waits(world, robot, one)
    await asyncio.to_thread(world.slack.submit, view, BEN, "the customer moved")
    ended = await robot.hears(one.call, Status.CANCELLED)

    assert "the customer moved" in ended.reason
    await shown(world, one.card.hold_id, "Cancelled by ben", "the customer moved")
    assert world.road.runs_of(one.mark) == 0


async def test_a_message_follows_what_happens_elsewhere(
    world: World, robot: AgentVoice, ann: PersonVoice
) -> None:
    one = await held(world, robot, ann)

    await ann.cancel(one.card)
    ended = await shown(world, one.card.hold_id, "Cancelled by ann")

    assert list(buttons_of(ended)) == [OPEN]
    late = world.slack.pressed(one.message, PROCEED, BEN)
    await told(world, late, "closed already")
    assert world.road.runs_of(one.mark) == 0


async def test_n9_in_slack_who_answers_is_who_slack_signed_for_and_nobody_else(
    world: World, robot: AgentVoice, ann: PersonVoice
) -> None:
    one = await held(world, robot, ann)
    two = await held(world, robot, ann)
    slack, value = world.slack, json.loads(buttons_of(one.message)[PROCEED]["value"])
    names_ann = json.dumps(value | {"user": ANN, "person": "ann", "by": "ann"})
    elsewhere = {"type": "message", "message_ts": one.message["ts"], "channel_id": "C0OTHER"}
    other_card = buttons_of(two.message)[PROCEED]["value"]

    for payload, text in (
        (slack.pressed(one.message, PROCEED, NOBODY), NOT_KNOWN),
        (slack.pressed(one.message, PROCEED, NOBODY, value=names_ann), NOT_KNOWN),
        (slack.pressed(one.message, PROCEED, ANN, team="T0OTHER"), OTHER_WORKSPACE),
        (slack.pressed(one.message, PROCEED, EVE), NO_APPROVER),
        (slack.pressed(one.message, PROCEED, CEM), OTHER_GROUP.format(group="operators")),
        (slack.pressed(one.message, PROCEED, ANN, value=other_card), OLD_MESSAGE),
        (slack.pressed(one.message, PROCEED, ANN, container=elsewhere), OLD_MESSAGE),
        (slack.pressed(one.message, PROCEED, ANN, value="{}"), "cannot be read"),
        *(
            (
                slack.pressed(
                    one.message, PROCEED, ANN, value=json.dumps(value | {part: "sha256:0"})
                ),
                CHANGED,
            )
            for part in ("digest", "render_digest")
        ),
    ):
        await told(world, payload, text)

    await waits(world, robot, one)
    await waits(world, robot, two)
    await ann.cancel(one.card)
    await ann.cancel(two.card)


async def test_n9_a_request_that_slack_did_not_sign_now_counts_for_nothing(
    world: World, robot: AgentVoice, ann: PersonVoice
) -> None:
    one = await held(world, robot, ann)
    slack = world.slack
    payload = slack.pressed(one.message, PROCEED, ANN)
    body, kind = slack_server.encoded(payload)
    good = {"Content-Type": kind, **slack_server.signature(body)}

    guessed = slack_server.signature(body, secret="guessed")  # noqa: S106
    forged = (
        {"Content-Type": kind},
        {"Content-Type": kind, **guessed},
        {"Content-Type": kind, **slack_server.signature(body, age_s=301)},
        {"Content-Type": kind, **slack_server.signature(body, age_s=-360)},
        {"Content-Type": kind, **slack_server.signature(body + b"x")},
        good | {"X-Slack-Request-Timestamp": "0"},
    )
    for headers in forged:
        assert await asyncio.to_thread(slack.post, body, headers) == 401
    await waits(world, robot, one)

    since = len(slack.whispers)
    assert await asyncio.to_thread(slack.post, body, good) == 200
    await whispered(world, "Your yes counts", since)
    await robot.hears(one.call, Status.DONE)
    assert await asyncio.to_thread(slack.post, body, good) == 401
    assert world.road.runs_of(one.mark) == 1


async def test_above_level_3_slack_has_a_link_and_the_gate_takes_no_yes_from_it(
    world: World, robot: AgentVoice, ann: PersonVoice, guests: Guests
) -> None:
    table = world.road.table(3)
    call = await robot.propose("execute_sql", {"database": "crm", "sql": f"DROP TABLE {table}"})
    card = await ann.card((await robot.pending(call)).hold_id)
    message = await shown(world, card.hold_id, "Answer it in the console.")
    value = buttons_of(message)[CANCEL]["value"]

    assert card.level > 3
    assert list(buttons_of(message)) == [CANCEL, OPEN]
    assert card.hold_id in buttons_of(message)[OPEN]["url"]
    forged = world.slack.pressed(message, CANCEL, ANN, value=value)
    forged["actions"][0]["action_id"] = PROCEED
    await told(world, forged, NOT_HERE)
    line = await slack_line(world, guests)
    refused = await line.heard(card, await line.answer(card, Choice.PROCEED))

    assert (refused.status, refused.code) == (Status.REFUSED, "proof_missing")
    assert world.road.rows(table) == 3
    await ann.cancel(card)


async def slack_line(world: World, guests: Guests) -> PersonVoice:
    """Whoever has the Slack service's key of a person."""
    user = slack_user("ann")
    client, login = await guests.client(user), world.road.login(user)
    return PersonVoice(name="ann", client=client, login=login, channel=SLACK)


async def test_the_gate_takes_a_plain_yes_or_no_from_slack_and_nothing_else(
    world: World, robot: AgentVoice, ann: PersonVoice, guests: Guests
) -> None:
    one = await held(world, robot, ann)
    line = await slack_line(world, guests)

    seq = await line.answer(one.card, Choice.EXTEND, extend_s=60)
    refused = await line.heard(one.card, seq)

    assert (refused.status, refused.code) == (Status.REFUSED, "wrong_channel")
    await ann.cancel(one.card)


async def test_a_form_that_opens_too_late_cancels_nothing(
    world: World, robot: AgentVoice, ann: PersonVoice
) -> None:
    one = await held(world, robot, ann)
    world.slack.are_triggers_expired = True
    try:
        await told(world, world.slack.pressed(one.message, CANCEL, ANN), TOO_SLOW)
    finally:
        world.slack.are_triggers_expired = False

    await waits(world, robot, one)
    await ann.cancel(one.card)


async def test_a_press_that_slack_delivers_twice_counts_once(
    world: World, robot: AgentVoice, ann: PersonVoice, eyes: StreamEyes
) -> None:
    one = await held(world, robot, ann)
    payload = world.slack.pressed(one.message, PROCEED, ANN)

    await told(world, payload, "Your yes counts")
    await robot.hears(one.call, Status.DONE)
    assert await asyncio.to_thread(world.slack.send, payload, age_s=60) == 200

    await told(world, world.slack.pressed(one.message, PROCEED, ANN), "closed already")
    assert world.road.runs_of(one.mark) == 1
    subject = s.answer_subject(TENANT, "*", "*", "*", one.card.hold_id)
    assert len(await eyes.on(s.ANSWERS, subject)) == 1


async def test_a_typed_yes_is_told_to_press_a_button_once_however_often_it_is_sent(
    world: World, robot: AgentVoice, ann: PersonVoice
) -> None:
    one = await held(world, robot, ann)
    event = world.slack.written("yes", ANN)
    since = len(world.slack.whispers)

    await told(world, event, PRESS)
    for again in (60, 90):
        assert await asyncio.to_thread(world.slack.send, event, age_s=again) == 200
    await told(world, world.slack.written("Go ahead!", ANN), PRESS)

    assert len(world.slack.whispers[since:]) == 2
    await waits(world, robot, one)
    await ann.cancel(one.card)


async def test_while_slack_is_away_or_says_wait_cards_wait_and_nothing_runs(
    world: World, robot: AgentVoice, ann: PersonVoice
) -> None:
    world.slack.limited["chat.postMessage"] = 1
    since = len(world.slack.tries)
    one = await held(world, robot, ann)
    first, second = (at for name, at in world.slack.tries[since:] if name == "chat.postMessage")
    assert second - first >= 1.0

    world.slack.is_down = True
    try:
        mark, call = await robot.command()
        hold_id = (await robot.pending(call)).hold_id
        tried = len(world.slack.tries)

        async def tried_again() -> bool:
            return len(world.slack.tries) > tried

        await eventually(tried_again)
        assert world.slack.about(hold_id) is None
    finally:
        world.slack.is_down = False
    await shown(world, hold_id)

    assert world.road.runs_of(mark) == 0
    await waits(world, robot, one)
    await ann.cancel(one.card)
    await ann.cancel(await ann.card(hold_id))


async def test_n14_in_slack_hostile_calls_are_shown_whole_or_not_at_all(
    world: World, robot: AgentVoice
) -> None:
    for text in HOSTILE[::40]:
        clean = re.sub(r"[\x00\ud800-\udfff]", "", text)[:5_000]
        call = await robot.propose(
            "run_command", {"command": f"echo {clean!r} >> x"}, reasoning=clean or "x"
        )
        heard = await robot.hears(
            call, Status.PENDING_CONFIRMATION, Status.DENIED, Status.REFUSED, Status.FAILED
        )
        if heard.status is Status.PENDING_CONFIRMATION:
            message = await shown(world, heard.hold_id)
            assert fault_of(message) == ""
            assert "<!" not in message["text"]
            await robot.withdraw(heard.hold_id)
    assert not [it for it in world.slack.refused if "invalid_blocks" in it]


async def test_a_delegate_answers_in_a_direct_message_and_others_cannot(
    world: World, robot: AgentVoice, ben: PersonVoice
) -> None:
    until = clock.now() + timedelta(hours=1)
    order = Delegate(to="cem", until=until, away=True, reason="Holidays.")
    assert (await ben.told(await ben.order(order, "delegate"))).status is Status.DONE
    mark, call = await robot.command()
    hold_id = (await robot.pending(call)).hold_id

    async def direct() -> dict[str, Any] | None:
        return world.slack.about(hold_id, f"D{CEM[1:]}")

    message = await eventually(direct)
    assert message is not None
    other = OTHER_GROUP.format(group=own_audience("cem"))
    await told(world, world.slack.pressed(message, PROCEED, EVE), NO_APPROVER)
    await told(world, world.slack.pressed(message, PROCEED, ANN), other)
    assert world.road.runs_of(mark) == 0

    await told(world, world.slack.pressed(message, PROCEED, CEM), "Your yes counts")
    await robot.hears(call, Status.DONE)
    await shown(world, hold_id, "Approved by cem (for ben)")
    assert (await ben.told(await ben.order(Delegate(), "delegate"))).status is Status.DONE


async def test_in_socket_mode_after_a_restart_old_buttons_count_and_no_card_comes_twice(
    world: World, robot: AgentVoice, ann: PersonVoice
) -> None:
    one = await held(world, robot, ann)
    write_config(world.road.settings.config_dir, world.slack, "socket")

    async def all_are_kept() -> bool:
        """One that was posted and not yet written down would be posted again."""
        with closing(sqlite3.connect(world.road.settings.slack_dir / FILE)) as kept:
            (count,) = kept.execute("SELECT count(*) FROM posted").fetchone()
        return bool(count == len(world.slack.messages))

    await eventually(all_are_kept)
    world.road.supervisor.kill(SLACK)

    world.road.supervisor.start(SLACK)
    await world.road.supervisor.ready(SLACK)

    async def listens() -> bool:
        return world.slack.has_socket

    await eventually(listens)
    two = await held(world, robot, ann)
    said = [
        (it["channel"], it["text"].rpartition("hold ")[2].strip(")"))
        for it in list(world.slack.messages.values())
    ]
    assert len(said) == len(set(said))

    await told(world, world.slack.pressed(one.message, PROCEED, ANN), "Your yes counts")
    await told(world, world.slack.pressed(two.message, PROCEED, NOBODY), NOT_KNOWN)
    await robot.hears(one.call, Status.DONE)
    await waits(world, robot, two)
    await ann.cancel(two.card)
    await shown(world, two.card.hold_id, "Cancelled by ann")
    assert world.road.runs_of(one.mark) == 1
