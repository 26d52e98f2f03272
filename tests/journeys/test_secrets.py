"""What may be known by nobody else stays so; and who works for others can confirm nothing."""

import asyncio
import os
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import msgspec
import pytest
from nats.js.errors import NotFoundError
from tests.actors import AgentVoice, Guests, PersonVoice, StreamEyes
from tests.running_system import Road, fresh
from tests.waiting import eventually

from holdpoint.ledger.tables import bodies, events
from holdpoint.messages.envelope import Status
from holdpoint.runtime.broker.connection import jetstream
from holdpoint.runtime.process.supervisor import read_running

pytestmark = pytest.mark.nats
pytest_plugins = ("tests.system_fixtures",)

ENDED = (Status.DONE, Status.FAILED, Status.IN_DOUBT, Status.DENIED, Status.REFUSED)


async def opened(
    road: Road, robot: AgentVoice, ann: PersonVoice, tool: str = "open_vault"
) -> tuple[str, str, str]:
    """A vault that was opened with a code; the agent repeats the code wherever it can."""
    vault, code = fresh("vault"), f"{fresh('s3cr3t')}-{fresh('code')}"
    call = await robot.propose(
        tool, {"vault": vault, "code": code}, reasoning=f"The code is {code}, said ben."
    )
    card = await ann.card((await robot.pending(call)).hold_id)
    await ann.proceed(card)
    told = await robot.hears(call, *ENDED)
    assert told.status is Status.DONE, told.reason
    await ann.card(card.hold_id, "done")
    assert (road.settings.state_dir / "sample" / f"{vault}.opened").read_text() == str(len(code))
    return vault, code, card.hold_id


def hidden(code: str, *texts: bytes | str) -> bool:
    """Whether neither the secret nor a half of it is anywhere in these."""
    halves = code.split("-")
    whole = b"\n".join(it.encode() if isinstance(it, str) else it for it in texts)
    return not any(half.encode() in whole for half in halves)


async def test_a_tool_is_found_by_its_alias_and_is_the_same_hold(robot: AgentVoice) -> None:
    arguments, key = {"vault": fresh("vault"), "code": fresh("code")}, fresh("key")
    first = await robot.pending(await robot.propose("open_vault", arguments, key=key))
    again = await robot.pending(await robot.propose("unlock_vault", arguments, key=key))

    assert again.hold_id == first.hold_id
    assert again.confirmation is not None
    assert again.confirmation.operation == "open_vault"


async def test_a_secret_stands_on_no_card_and_in_no_log_or_metric(
    road: Road, robot: AgentVoice, ann: PersonVoice, eyes: StreamEyes
) -> None:
    vault, code, hold = await opened(road, robot, ann)

    cards = [it.data for it in await eyes.on("CARDS", f"hp.acme.card.*.{hold}")]
    assert len(cards) >= 2
    assert all(vault.encode() in card for card in cards)
    assert hidden(code, *cards)
    assert hidden(code, *road.logs().values())
    running = read_running(road.settings)
    assert running is not None
    for service in running.services.values():
        page = service.health.rsplit("/", 1)[0] if service.health.endswith("z") else service.health
        assert hidden(code, await asyncio.to_thread(_page, f"{page}/metrics"))


def _page(url: str) -> bytes:
    with urlopen(url, timeout=5) as page:  # noqa: S310  # our own, on loopback
        return bytes(page.read())


async def test_a_secret_is_in_no_leaf_and_no_answer_to_a_pending_call(
    road: Road, robot: AgentVoice, ann: PersonVoice
) -> None:
    _, code, hold = await opened(road, robot, ann)

    async def all_there() -> bool:
        return any(".finished" in it.subject for it in road.events(hold))

    await eventually(all_there)
    rows = road.ledger(lambda it: it.execute(events.select()).all())
    assert hidden(code, *(repr(tuple(row)) for row in rows))
    kept = road.ledger(lambda it: it.execute(bodies.select()).all())
    assert not hidden(code, *(row.body for row in kept))


@pytest.mark.parametrize("person", ["ann", "ben", "cem"])
async def test_nobody_reads_a_secret_with_a_persons_rights(
    road: Road, robot: AgentVoice, ann: PersonVoice, guests: Guests, person: str
) -> None:
    """What a person may read is their groups' cards: by their own user and by their viewer."""
    _, code, hold = await opened(road, robot, ann)
    subjects = {
        "CARDS": f"hp.acme.card.operators.{hold}",
        "CALLS": "hp.acme.call.robot.propose",
        "HOLDS": f"hp.acme.hold.robot.{hold}.>",
        "RUNS": f"hp.acme.run.vault.robot.{hold}.finished.gate",
        "STATE": "hp.acme.state.policy.current",
    }

    async def read(user: str, kind: str, *, direct: bool) -> tuple[str, bytes]:
        js = jetstream(await guests.client(user), road.login(user))
        try:
            asking = js.get_last_msg(f"HP_{kind}_acme", subjects[kind], direct=direct)
            return kind, (await asyncio.wait_for(asking, 0.5)).data or b""
        except (TimeoutError, NotFoundError):
            return kind, b""

    users = (f"person_{person}", f"view_{person}")
    wanted = [(user, kind, direct) for user in users for kind in subjects for direct in (0, 1)]
    told = await asyncio.gather(*(read(user, kind, direct=bool(at)) for user, kind, at in wanted))
    answers = [data for _, data in told if data]

    assert {kind for kind, data in told if data} <= {"CARDS"}
    assert hidden(code, *answers)

    async def card() -> bool:
        found = [await read(user, "CARDS", direct=at) for user in users for at in (False, True)]
        assert hidden(code, *(data for _, data in found))
        return any(data for _, data in found)

    assert await (card() if person == "cem" else eventually(card)) is (person != "cem")


async def test_a_credential_in_a_command_is_covered_wherever_people_look_and_runs_as_it_is(
    road: Road, robot: AgentVoice, ann: PersonVoice, eyes: StreamEyes
) -> None:
    name, key, word = fresh("kept"), f"sk-proj-{'a1B2' * 8}", "hunter2hunter2"
    command = f'export API_TOKEN={key}; rm -rf old; printf %s "$API_TOKEN" > {name}'
    call = await robot.propose(
        "run_command", {"command": command}, reasoning=f"password={word} and {key}."
    )
    pending = await robot.pending(call)
    card = await ann.card(pending.hold_id)
    await ann.proceed(card)
    assert (await robot.hears(call, *ENDED)).status is Status.DONE
    await ann.card(card.hold_id, "done")

    covered = command.replace(key, "•••")
    assert card.title == f"Run {covered}"
    assert card.ui.action.arguments == {"command": covered}
    assert card.ui.message == "password=••• and •••."
    assert pending.confirmation is not None
    assert pending.confirmation.summary == card.title
    cards = [it.data for it in await eyes.on("CARDS", f"hp.acme.card.*.{card.hold_id}")]
    assert len(cards) >= 2
    rows = road.ledger(lambda it: it.execute(events.select()).all())
    logs = road.logs().values()
    for it in (msgspec.json.encode(pending), *cards, *logs, *map(repr, map(tuple, rows))):
        text = it.decode() if isinstance(it, bytes) else it
        assert key not in text
        assert word not in text
    assert (road.scratch / name).read_text() == key


async def test_a_column_that_sounds_secret_is_covered_too(
    road: Road, robot: AgentVoice, ann: PersonVoice, eyes: StreamEyes
) -> None:
    table, code = road.table(3), f"{fresh('s3cr3t')}-{fresh('code')}"
    sql = f"UPDATE {table} SET status = :password"
    call = await robot.propose(
        "execute_sql", {"database": "crm", "sql": sql, "parameters": {"password": code}}
    )
    card = await ann.card((await robot.pending(call)).hold_id)
    await ann.proceed(card)
    assert (await robot.hears(call, *ENDED)).status is Status.DONE
    await ann.card(card.hold_id, "done")

    cards = [it.data for it in await eyes.on("CARDS", f"hp.acme.card.*.{card.hold_id}")]
    assert hidden(code, *cards)
    assert hidden(code, *road.logs().values())


def attempts(road: Road, hold: str) -> Sequence[str]:
    """What a command tries: read keys, speak to the broker, answer, change the rules."""
    settings, python = road.settings, shlex.quote(sys.executable)
    port = road.supervisor.url.rsplit(":", 1)[1]
    keys = settings.keys_dir, settings.credentials_dir, settings.people_dir
    reads = [f"cat {folder}/* && echo BREACH" for folder in keys]
    writes = [
        f"echo evil >> {settings.config_dir}/policy/default.yaml && echo BREACH",
        f"echo evil > {settings.state_dir}/keys/keyset.json && echo BREACH",
        f"rm -f {settings.state_dir}/ledger.db && echo BREACH",
    ]
    connect = f"import socket; socket.create_connection(('127.0.0.1', {port}))"
    talks = [
        f"(echo > /dev/tcp/127.0.0.1/{port}) && echo BREACH",
        f'{python} -c "{connect}" && echo BREACH',
        f"HP_STATE_DIR={settings.state_dir} {python} -m holdpoint proceed {hold} && echo BREACH",
        f"HP_STATE_DIR={settings.state_dir} holdpoint proceed {hold} </dev/null && echo BREACH",
        f"kill -9 {road.supervisor.pid('gate')} && echo BREACH",
        f"cat /proc/{road.supervisor.pid('gate')}/environ && echo BREACH",
    ]
    return (*reads, f"cat {settings.nats_conf} && echo BREACH", *writes, *talks)


async def test_with_all_rights_of_the_shells_worker_nothing_gets_confirmed(
    road: Road, robot: AgentVoice, ann: PersonVoice
) -> None:
    """Each command was approved, runs, and comes to nothing."""
    victim = await robot.propose("run_command", {"command": "echo x > never"})
    hold = (await robot.pending(victim)).hold_id
    pid = road.supervisor.pid("gate")

    async def tried(command: str) -> bool:
        call = await robot.propose("run_command", {"command": command})
        told = await robot.hears(call, Status.PENDING_CONFIRMATION, *ENDED)
        if told.status is Status.PENDING_CONFIRMATION:
            await ann.proceed(await ann.card(told.hold_id))
            told = await robot.hears(call, *ENDED)
        assert told.status in {Status.DONE, Status.FAILED, Status.DENIED}, command
        assert "BREACH" not in str(told.data) + told.formatted, command
        return told.data.get("exit_code") is not None

    assert sum(await asyncio.gather(*map(tried, attempts(road, hold)))) >= 10
    os.kill(pid, 0)
    assert (await robot.ask(victim)).status is Status.PENDING_CONFIRMATION
    assert "evil" not in (road.settings.config_dir / "policy" / "default.yaml").read_text()


@pytest.mark.parametrize("name", ["robot", "rival", "doomed", "reader"])
async def test_with_every_agents_credential_nothing_gets_confirmed(
    robot: AgentVoice, ann: PersonVoice, guests: Guests, name: str
) -> None:
    victim = await robot.propose("run_command", {"command": "echo x > never"})
    card = await ann.card((await robot.pending(victim)).hold_id)
    agent = await guests.agent(name)
    hold = card.hold_id
    yes = {
        "hold_id": hold,
        "digest": card.digest,
        "render_digest": card.render_digest,
        "answer": "proceed",
    }
    lanes: dict[str, Any] = {
        f"hp.acme.answer.terminal.{person}.robot.{hold}": yes for person in ("ann", "ben", name)
    } | {f"hp.acme.hold.robot.{hold}.{word}": {} for word in ("resolved.none", "resumed.shell")}
    before = len(agent.login.denials)
    for subject, data in lanes.items():
        event = {"specversion": "1.0", "id": fresh("e"), "type": "holdpoint.v1.answer"}
        body = msgspec.json.encode({**event, "source": "x", "data": data})
        await agent.client.publish(subject, body)
        await agent.client.publish(
            f"hp.acme.call.{name}.propose", body, headers={"Nats-Subject": subject}
        )
        await agent.client.publish(f"hp.acme.call.{name}.withdraw", body, reply=subject)
    await agent.client.flush()

    async def all_denied() -> bool:
        return len(agent.login.denials) >= min(before + len(lanes), 100)

    await eventually(all_denied)
    assert (await robot.ask(victim)).status is Status.PENDING_CONFIRMATION
    assert (await ann.card(hold)).voices == ()


def test_the_states_folders_are_their_owners_alone(road: Road) -> None:
    settings = road.settings
    for folder in (settings.keys_dir, settings.credentials_dir, settings.people_dir):
        assert folder.stat().st_mode & 0o077 == 0
        for path in folder.iterdir():
            is_public = path.name in {"keyset.json", "denied.json", "seal.pub"}
            assert is_public or path.stat().st_mode & 0o077 == 0, path
    assert Path(settings.nats_conf).stat().st_mode & 0o077 == 0
