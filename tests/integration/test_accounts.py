"""Every grant works, and nothing else does: generated from the list of grants itself."""

import asyncio
from collections.abc import MutableMapping
from datetime import timedelta
from typing import Any

import pytest
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import TimeoutError as NatsTimeoutError
from tests.conftest import Connect
from tests.log_lines import captured_lines
from tests.waiting import eventually
from tests.world import DOMAINS, TENANT, World, last_sequences

from holdpoint.messages.catalog import Agent, Person
from holdpoint.runtime.broker.connection import CORE_API, IMPORTED_API, Login, inbox_prefix
from holdpoint.runtime.broker.streams import Tenant
from holdpoint.runtime.process import clock
from holdpoint.runtime.security import credentials
from holdpoint.runtime.security.permissions import Grant, grants, local

pytestmark = pytest.mark.nats

EVERYBODY = grants(
    Tenant(
        name=TENANT,
        agents=(Agent(name="robot", tools=()), Agent(name="rival", tools=())),
        people=(
            Person(name="ann", groups=("operators",), admin=True),
            Person(name="ben", groups=("operators",)),
            Person(name="cem", groups=("finance",)),
        ),
        domains=DOMAINS,
    )
)
USERS = [grant.user for grant in EVERYBODY]
TOKEN = "t0"  # noqa: S105  # a subject's token
IS_STORED = ("call", "hold", "refusal", "card", "answer", "run", "admin", "state", "timer")

NEVER = (
    "$JS.API.INFO",
    "$JS.API.STREAM.LIST",
    "$JS.API.STREAM.NAMES",
    "$JS.API.STREAM.CREATE.EVIL",
    "$JS.API.STREAM.UPDATE.HP_HOLDS_acme",
    "$JS.API.STREAM.DELETE.HP_HOLDS_acme",
    "$JS.API.STREAM.PURGE.HP_HOLDS_acme",
    "$JS.API.STREAM.SNAPSHOT.HP_HOLDS_acme",
    "$JS.API.STREAM.MSG.DELETE.HP_HOLDS_acme",
    "$JS.API.STREAM.MSG.GET.HP_ADMIN_acme",
    "$JS.API.DIRECT.GET.HP_CARDS_acme",
    "$JS.API.DIRECT.GET.HP_RUNS_acme",
    "$JS.API.DIRECT.GET.HP_CARDS_acme.hp.acme.card.*.t0",
    "$JS.API.CONSUMER.CREATE.HP_HOLDS_acme",
    "$JS.API.CONSUMER.CREATE.HP_HOLDS_acme.evil",
    "$JS.API.CONSUMER.CREATE.HP_CARDS_acme.view_ann",
    "$JS.API.CONSUMER.DURABLE.CREATE.HP_HOLDS_acme.evil",
    "$JS.API.CONSUMER.DELETE.HP_HOLDS_acme.gate",
    "$JS.API.CONSUMER.RESET.HP_HOLDS_acme.worker_shell",
    "$JS.API.CONSUMER.PAUSE.HP_HOLDS_acme.gate",
    "$JS.API.CONSUMER.LIST.HP_HOLDS_acme",
    "$JS.API.ACCOUNT.PURGE.CORE",
)
FORBIDDEN = (
    "$JS.FC.x",
    "$KV.bucket.key",
    "$O.bucket.C.x",
    "$SRV.PING",
    "$SYS.REQ.SERVER.PING",
    "$SYS.REQ.ACCOUNT.CORE.INFO",
    "$SYS.ACCOUNT.CORE.CONNECT",
    "_INBOX.x",
    "_R_.x",
    "_GR_.x",
    "hp.other.call.robot.propose",
    "hp.other.hold.robot.t0.resumed.shell",
    "hp.acme.seen.hold.robot.t0.resumed.shell",
    "hp.acme.timer.due.robot.t0.expire",
    "hp.acme.call.robot",
    "hp.acme.call.robot.propose.more",
    "hp.acme.hold.robot.t0.resumed.shell",
    "hp.acme.run.shell.robot.t0.started.none.more",
    "hp.acme.answer.slack.ann.robot.t0",
)
TOO_WIDE = (">", "*.>", "hp.>", "hp.*.ask.*.hold", "hp.acme.>", "hp.acme.ask.*.plan", "$JS.>",
            "$SYS.>", "_INBOX.>", "_R_.>", "JS.>")  # fmt: skip


def test_the_tests_know_every_user(world: World) -> None:
    assert [grant.user for grant in grants(world.tenant)] == USERS


@pytest.mark.parametrize("user", USERS)
async def test_each_grant_works(user: str, world: World, connected: Connect) -> None:
    login = world.login(user)
    client = await connected(login)
    await _answer_everything(world, connected)

    for subject in _grant(user).local_publish:
        await _use(client, _literal(subject))

    assert list(login.denials) == []


@pytest.mark.parametrize("user", USERS)
async def test_each_user_hears_its_inbox_and_what_it_serves(
    user: str, world: World, connected: Connect
) -> None:
    login = world.login(user)
    client = await connected(login)

    for subject in _heard(user):
        await client.subscribe(subject)
        await client.flush()

    assert list(login.denials) == []


@pytest.mark.parametrize("user", USERS)
async def test_what_is_not_granted_is_refused_and_stored_nowhere(
    user: str, world: World, connected: Connect
) -> None:
    provisioner = await connected(world.login(credentials.PROVISIONER))
    login = world.login(user)
    client = await connected(login)
    refused = sorted(_everything_sayable() - _sayable(user))
    before = await last_sequences(provisioner)

    for subject in refused:
        await client.publish(subject, b"evil")
    await client.flush()

    await _all_denied(login, "publish", refused)
    assert await last_sequences(provisioner) == before


@pytest.mark.parametrize("user", USERS)
@pytest.mark.parametrize("queue", ["", "gate"])
async def test_nobody_hears_what_is_meant_for_others(
    user: str, queue: str, world: World, connected: Connect
) -> None:
    login = world.login(user)
    client = await connected(login)
    heard = _heard(user)
    everything = _everything_hearable()
    refused = sorted(it for it in everything if not any(_covers(at, it) for at in heard))

    for subject in refused:
        await client.subscribe(subject, queue=queue)
    await client.flush()

    await _all_denied(login, "subscription", refused)


async def test_an_answer_that_comes_too_late_is_no_error(world: World, connected: Connect) -> None:
    """The broker takes one answer, for a while: what is said after that is refused."""
    login = world.login(credentials.worker_user("shell"))
    worker = await connected(login)
    gate = await connected(world.login(credentials.GATE))

    async def answer_twice(message: Msg) -> None:
        await message.respond(b"in time")
        await message.respond(b"late")

    subject = f"hp.{TENANT}.ask.shell.plan"
    await worker.subscribe(subject, cb=answer_twice)
    await worker.flush()
    with captured_lines() as lines:
        assert (await gate.request(subject, b"{}", timeout=5)).data == b"in time"
        await eventually(lambda: _said("answer_too_late", lines))

    assert "error" not in {line["log_level"] for line in lines}


async def _said(event: str, lines: list[MutableMapping[str, Any]]) -> bool:
    return event in {line["event"] for line in lines}


async def test_nobody_comes_in_without_a_key(world: World) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", world.server.port)
    await reader.readline()
    writer.write(b'CONNECT {"verbose":true,"pedantic":false}\r\nPING\r\n')

    assert b"Authorization Violation" in await asyncio.wait_for(reader.readline(), 5)
    writer.close()
    await writer.wait_closed()


async def _answer_everything(world: World, connected: Connect) -> None:
    """A gate and workers that answer every question, so that a grant to ask can be seen to work."""

    async def answer(message: Msg) -> None:
        await message.respond(b"{}")

    gate = await connected(world.login(credentials.GATE))
    for subject in _grant(credentials.GATE).subscribe:
        if ".ask." in subject:
            await gate.subscribe(subject, cb=answer)
    await gate.flush()
    for domain in DOMAINS:
        worker = await connected(world.login(credentials.worker_user(domain)))
        await worker.subscribe(f"hp.{TENANT}.ask.{domain}.plan", cb=answer)
        await worker.flush()


async def _use(client: Client, subject: str) -> None:
    """A use that is answered: stored, or found, or at least understood."""
    if subject.startswith("$JS.ACK."):
        await client.publish(subject)
        await client.flush()
        return
    reply = await _request(client, subject)
    if subject.startswith("hp.") and subject.split(".")[2] in IS_STORED:
        assert b'"stream":"HP_' in reply.data, (subject, reply.data)
    elif "DIRECT.GET" not in subject and "MSG.NEXT" not in subject:
        assert b'"code":503' not in reply.data, (subject, reply.data)


async def _request(client: Client, subject: str) -> Msg:
    """With an inbox of its own, because a pulled message keeps its own subject."""
    inbox = client.new_inbox()
    replies = await client.subscribe(inbox)
    await client.publish(subject, _body(subject), reply=inbox, headers=_headers(subject))
    try:
        return await replies.next_msg(timeout=5)
    except NatsTimeoutError:
        pytest.fail(f"no answer to {subject}")


def _body(subject: str) -> bytes:
    if "MSG.NEXT" in subject:
        return b'{"batch":1,"no_wait":true}'
    if "CONSUMER.RESET" in subject:
        return b'{"seq":1}'
    if "STREAM.MSG.GET" in subject:
        return b'{"last_by_subj":"hp.>"}'
    return b"" if "API." in subject else b"{}"


def _headers(subject: str) -> dict[str, str] | None:
    if ".timer.set." not in subject:
        return None
    at = clock.now() + timedelta(hours=1)
    return {
        "Nats-Schedule": f"@at {at:%Y-%m-%dT%H:%M:%SZ}",
        "Nats-Schedule-Target": subject.replace(".set.", ".due."),
    }


def _grant(user: str) -> Grant:
    return next(grant for grant in EVERYBODY if grant.user == user)


def _literal(pattern: str) -> str:
    """A subject that the pattern covers."""
    if pattern == f"{CORE_API}.>":
        return f"{CORE_API}.INFO"
    ack = "1.1.1.1.1" if pattern.startswith("$JS.ACK.") else TOKEN
    return pattern.replace("*", TOKEN).replace(">", ack)


def _everything_sayable() -> set[str]:
    """One subject for each grant of anybody, under both of its names, and what nobody may say."""
    core = {_literal(subject) for grant in EVERYBODY for subject in grant.publish}
    core |= {*NEVER, *(f"{inbox_prefix(user)}.{TOKEN}" for user in USERS)}
    return core | {it.replace(CORE_API, IMPORTED_API, 1) for it in core} | set(FORBIDDEN)


def _sayable(user: str) -> set[str]:
    allowed = _grant(user).local_publish
    return {it for it in _everything_sayable() if any(_covers(at, it) for at in allowed)}


def _heard(user: str) -> tuple[str, ...]:
    grant = _grant(user)
    return (f"{inbox_prefix(user)}.>", *grant.subscribe, *grant.hears)


def _everything_hearable() -> set[str]:
    spoken = {_literal(subject) for grant in EVERYBODY for subject in grant.publish}
    served = {subject for grant in EVERYBODY for subject in (*grant.subscribe, *grant.hears)}
    inboxes = {f"{inbox_prefix(user)}.>" for user in USERS}
    here = {local("outside", subject) for subject in spoken}
    return {it for it in spoken | served | inboxes | here | set(TOO_WIDE) if it}


def _covers(pattern: str, subject: str) -> bool:
    wanted, tokens = pattern.split("."), subject.split(".")
    if wanted[-1] == ">":
        wanted, tokens = wanted[:-1], tokens[: len(wanted) - 1]
    return len(wanted) == len(tokens) and all(
        want in {"*", token} for want, token in zip(wanted, tokens, strict=True)
    )


async def _all_denied(login: Login, what: str, tried: list[str]) -> None:
    """The server names each subject it refuses, which nats-py turns into lower case."""

    async def none_is_left() -> bool:
        told = "\n".join(login.denials)
        left = [it for it in tried if f'violation for {what} to "{it.lower()}"' not in told]
        assert left == []
        return True

    await eventually(none_is_left)
