"""Notices against everything that runs: a mail server and a webhook's receiver of a test."""

import asyncio
import hashlib
import hmac
import json
import sqlite3
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, closing
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session
from tests.actors import Guests
from tests.hostile_texts import HOSTILE
from tests.running_system import Road, running
from tests.waiting import eventually

from holdpoint.runtime.broker.nodes import free_port
from holdpoint.runtime.process import clock
from holdpoint.runtime.security.credentials import NOTICES

pytestmark = [pytest.mark.nats, pytest.mark.slow]


@dataclass(eq=False)
class Mails:
    """What a mail server took."""

    taken: list[EmailMessage] = field(default_factory=list)
    refused: int = 0
    busy: int = 0
    """How many mails it does not take next."""

    async def handle_DATA(self, _: SMTP, __: Session, envelope: Envelope) -> str:  # noqa: N802
        if self.busy:
            self.busy -= 1
            self.refused += 1
            return "451 try again later"
        assert isinstance(envelope.content, bytes)
        mail = message_from_bytes(envelope.content, policy=policy.default)
        assert isinstance(mail, EmailMessage)
        self.taken.append(mail)
        return "250 OK"


@dataclass(eq=False)
class Receiver:
    """What a webhook's receiver got."""

    taken: list[tuple[dict[str, str], bytes]] = field(default_factory=list)
    status: list[int] = field(default_factory=list)
    """What it answers next, before it answers 204."""


@dataclass(frozen=True, kw_only=True)
class World:
    road: Road
    mails: Mails
    receiver: Receiver


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    mails, receiver = Mails(), Receiver()
    server = Controller(mails, hostname="127.0.0.1", port=free_port(18025))
    server.start()
    web = ThreadingHTTPServer(("127.0.0.1", 0), handler(receiver))
    threading.Thread(target=web.serve_forever, daemon=True).start()

    def configure(folder: Path) -> None:
        (folder / "notices.yaml").write_text(
            f"email:\n  host: 127.0.0.1\n  port: {server.port}\n  security: none\n"
            "  sender: gate@acme.example\n  groups: {operators: [ops@acme.example]}\n"
            f"webhooks: {{operators: 'http://127.0.0.1:{web.server_port}/hook'}}\n"
        )

    with asyncio.Runner() as runner:
        system = running(
            tmp_path_factory.mktemp("notices"),
            own={},
            console=True,
            others=(NOTICES,),
            configure=configure,
        )
        road = runner.run(system.__aenter__())
        yield World(road=road, mails=mails, receiver=receiver)
        runner.run(system.__aexit__(None, None, None))
    server.stop()
    web.shutdown()
    web.server_close()


def handler(receiver: Receiver) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            status = receiver.status.pop(0) if receiver.status else 204
            if status == 204:
                receiver.taken.append((dict(self.headers.items()), body))
            self.send_response(status)
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    return Handler


@pytest.fixture
async def guests(world: World) -> AsyncIterator[Guests]:
    async with AsyncExitStack() as stack:
        yield Guests(road=world.road, stack=stack)


async def mails_about(world: World, hold_id: str) -> list[EmailMessage]:
    async def found() -> list[EmailMessage]:
        return [it for it in world.mails.taken if hold_id in it["Message-ID"]]

    return await eventually(found)


async def hooks_about(world: World, hold_id: str) -> list[tuple[dict[str, str], bytes]]:
    async def found() -> list[tuple[dict[str, str], bytes]]:
        return [it for it in world.receiver.taken if hold_id.encode() in it[1]]

    return await eventually(found)


async def test_who_is_waited_for_gets_a_link_and_no_word_of_the_agent(
    world: World, guests: Guests
) -> None:
    robot, ann = await guests.agent(), await guests.person("ann")
    says = next(it for it in HOSTILE if "script" in it)
    _, call = await robot.command(reasoning=says)
    card = await ann.card((await robot.pending(call)).hold_id)
    link = f"{world.road.settings.console_url}/holds/robot/{card.hold_id}"

    (mail,) = await mails_about(world, card.hold_id)
    ((headers, body),) = await hooks_about(world, card.hold_id)

    assert mail["To"] == "ops@acme.example"
    assert link in mail.get_content()
    told = json.loads(body)
    assert (told["type"], told["group"], told["link"]) == ("person.waited_for", "operators", link)
    for text in (mail.as_string(), body.decode()):
        assert "script" not in text
        assert "echo ran" not in text
        assert "Proceed" not in text
    secret = (world.road.settings.notices_dir / "operators.webhook").read_bytes()
    at, signed = dict(it.split("=") for it in headers["Holdpoint-Signature"].split(",")).values()
    expected = hmac.new(secret, at.encode() + b"." + body, hashlib.sha256).hexdigest()
    assert signed == expected
    assert abs(int(at) - clock.now().timestamp()) < 300
    await ann.cancel(card)


async def is_written_down(world: World, hold_id: str) -> bool:
    """Whether the service would know after a crash that it told of this hold."""
    with closing(sqlite3.connect(world.road.settings.notices_dir / "told.db")) as told:
        rows = told.execute("SELECT target FROM told WHERE notice LIKE ?", (f"{hold_id}%",))
        return len(rows.fetchall()) == 2


async def test_who_is_away_is_told_later_and_once_also_after_a_restart(
    world: World, guests: Guests
) -> None:
    robot, ann = await guests.agent(), await guests.person("ann")
    world.mails.busy, world.receiver.status = 2, [503, 500]
    mark, call = await robot.command()
    card = await ann.card((await robot.pending(call)).hold_id)

    assert len(await mails_about(world, card.hold_id)) == 1
    assert len(await hooks_about(world, card.hold_id)) == 1
    assert world.mails.refused == 2
    await eventually(partial(is_written_down, world, card.hold_id))
    world.road.supervisor.kill(NOTICES)
    world.road.supervisor.start(NOTICES)
    await world.road.supervisor.ready(NOTICES)
    _, other = await robot.command()
    later = await ann.card((await robot.pending(other)).hold_id)
    await mails_about(world, later.hold_id)
    await hooks_about(world, later.hold_id)

    assert len(await mails_about(world, card.hold_id)) == 1
    assert len(await hooks_about(world, card.hold_id)) == 1
    assert world.road.runs_of(mark) == 0
    await ann.cancel(card)
    await ann.cancel(later)
