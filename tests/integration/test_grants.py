"""A grant runs one exact action, once, in time, signed by the gate; nothing else runs anything."""

import asyncio
import base64
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack
from datetime import timedelta
from typing import Any, TypeAlias

import pytest
from msgspec.structs import replace
from nacl.signing import SigningKey
from nats.js import JetStreamContext
from tests.road import AgentVoice, Call, Guests, PersonVoice, StreamEyes
from tests.running import LONG_S, Road, fresh, running
from tests.waiting import eventually

from holdpoint.core.digest import action_digest
from holdpoint.messages.base import Message
from holdpoint.messages.card import Card
from holdpoint.messages.codec import encode_event
from holdpoint.messages.envelope import Status
from holdpoint.messages.hold import Hold, HoldFact, Outcome, Passed, Rendered, Resolved, Resumed
from holdpoint.messages.run import Finished, Lapsed, Started
from holdpoint.messages.subjects import hold_subject
from holdpoint.runtime import clock, keys
from holdpoint.runtime.connection import jetstream
from holdpoint.runtime.keys import SIGNATURE_HEADER, Keyset, Signer, worker_role
from holdpoint.runtime.ledger.exceptions import Kind

pytestmark = pytest.mark.nats
pytest_plugins = ("tests.road_fixtures",)

GRANT_S, VALID_S, SKEW_S = 1, 8, 5
CREATED = "create_file"


def short_lived(policy: str) -> str:
    """The shipped policy, but grants live one second, and a yes eight."""
    return policy.replace("grant_s: 300", f"grant_s: {GRANT_S}").replace(
        "valid_for_s: 900", f"valid_for_s: {VALID_S}"
    )


@pytest.fixture(scope="module")
def hasty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Road]:
    """A road on which grants age quickly."""
    with asyncio.Runner() as runner:
        world = running(tmp_path_factory.mktemp("hasty"), short_lived)
        yield runner.run(world.__aenter__())
        runner.run(world.__aexit__(None, None, None))


@pytest.fixture
async def visitors(hasty: Road) -> AsyncIterator[Guests]:
    async with AsyncExitStack() as stack:
        yield Guests(road=hasty, stack=stack)


async def asked(robot: AgentVoice, ann: PersonVoice) -> tuple[str, Card, Call]:
    """A command that waits for its yes, and leaves a line each time that it runs."""
    mark = fresh("mark")
    call = await robot.propose("run_command", {"command": f"echo ran >> {mark}"})
    return mark, await ann.card((await robot.pending(call)).hold_id), call


async def test_the_card_says_214_and_300_rows_match_so_nothing_is_deleted(
    road: Road, robot: AgentVoice, ann: PersonVoice
) -> None:
    table = road.table(214)
    sql = f"DELETE FROM {table} WHERE status = 'stale'"
    call = await robot.propose("execute_sql", {"database": "crm", "sql": sql})
    card = await ann.card((await robot.pending(call)).hold_id)
    assert card.ui.action.affected == 214
    road.fill(table, 86)

    await ann.proceed(card)
    told = await robot.hears(call, Status.PRECONDITION_FAILED, Status.DONE, Status.FAILED)

    assert told.status is Status.PRECONDITION_FAILED
    assert "214" in told.message_for_user
    assert "300" in told.message_for_user
    assert road.rows(table) == 300


async def test_a_worker_that_was_away_runs_it_with_a_fresh_grant_or_never(
    hasty: Road, visitors: Guests
) -> None:
    """One pause, two actions: the first one's yes is over when the worker is back."""
    robot, ann, eyes = await visitors.agent(), await visitors.person(), await visitors.eyes()
    (old_mark, old_card, old_call), (new_mark, new_card, new_call) = (
        await asked(robot, ann),
        await asked(robot, ann),
    )
    old, new = old_card.hold_id, new_card.hold_id
    with hasty.paused("worker-shell"):
        since = clock.monotonic()
        await ann.proceed(old_card)
        await eventually(lambda: _passed(since, VALID_S - GRANT_S - SKEW_S), LONG_S)
        await ann.proceed(new_card)
        await eventually(lambda: _passed(since, VALID_S + 0.5), LONG_S)

    lapsed = await robot.hears(old_call, Status.LAPSED, Status.DONE)
    done = await robot.hears(new_call, Status.DONE, Status.LAPSED)

    assert lapsed.status is Status.LAPSED
    assert "approved, but not executed in time" in lapsed.message_for_user
    assert [type(fact) for fact in await eyes.runs(old)] == [Lapsed]
    assert done.status is Status.DONE
    assert [type(fact) for fact in await eyes.runs(new)] == [Started, Finished]
    assert (hasty.runs_of(old_mark), hasty.runs_of(new_mark)) == (0, 1)
    resumed = [fact for fact in await eyes.facts(new) if isinstance(fact, Resumed)]
    first, *_, last = [fact.grant.nonce for fact in resumed if fact.grant]
    assert first != last
    assert (await eyes.runs(new))[0].nonce == last
    kinds = {(it.kind, it.hold_id) for it in await eventually(lambda: _findings(hasty, old))}
    assert (Kind.LAPSED, old) in kinds


async def _passed(since: float, seconds: float) -> bool:
    return clock.monotonic() - since > seconds


async def _findings(road: Road, hold: str) -> list[Any]:
    return [it for it in road.exceptions() if it.hold_id == hold]


Change: TypeAlias = Callable[[Passed], Passed]


def action(**fields: Any) -> Change:
    """The same grant on another action; its digest fits."""

    def change(fact: Passed) -> Passed:
        assert fact.hold.action
        other = replace(fact.hold.action, **fields)
        return replace(fact, hold=replace(fact.hold, action=other, digest=action_digest(other)))

    return change


def grant(**fields: Any) -> Change:
    def change(fact: Passed) -> Passed:
        assert fact.grant
        return replace(fact, grant=replace(fact.grant, **fields))

    return change


def hold(**fields: Any) -> Change:
    return lambda fact: replace(fact, hold=replace(fact.hold, **fields))


NOW = clock.now()
SIGNED: dict[str, Change] = {
    "wrong_tenant": action(tenant="other"),
    "wrong_audience": grant(aud="domain:database"),
    "another_domain": action(domain="database"),
    "before_the_cooling_off_is_over": hold(
        level=3, outcome=Outcome.CONFIRMED, resolved_at=NOW + timedelta(hours=9)
    ),
    "lives_too_long": grant(exp=NOW + timedelta(hours=9)),
    "other_digest": hold(digest="0" * 64),
    "other_agent": action(agent="rival"),
    "other_principal": action(on_behalf_of="ben"),
    "unknown_tool": action(tool="format_disk"),
    "schema_changed": action(tool_schema_sha256="0" * 64),
    "level_too_low": hold(level=1),
    "not_approved": lambda fact: hold(level=3)(
        action(tool="run_command", arguments={"command": "echo evil >> {name}"})(fact)
    ),
    "confirmed_by_nobody": lambda fact: hold(
        level=3, outcome=Outcome.CONFIRMED, resolved_at=clock.now()
    )(action(tool="run_command", arguments={"command": "echo evil >> {name}"})(fact)),
    "no_grant": lambda fact: replace(fact, grant=None),
    "too_old": lambda fact: grant(
        iat=NOW - timedelta(hours=1),
        nbf=NOW - timedelta(hours=1),
        exp=NOW - timedelta(minutes=56),
    )(hold(proposed_at=NOW - timedelta(hours=1))(fact)),
}


class Thief:
    """Somebody with the gate's right on the bus, and whatever keys a test gives."""

    def __init__(self, road: Road, js: JetStreamContext, model: Passed) -> None:
        self.road, self.js, self.model = road, js, model

    def forged(self, name: str, change: Change = lambda fact: fact) -> Passed:
        """Leave to create this file, on a hold of its own."""
        assert self.model.hold.action
        its = replace(self.model.hold.action, arguments={"path": name, "content": "evil"})
        made = replace(self.model.hold, hold_id=fresh("h"), action=its, digest=action_digest(its))
        fact = change(replace(self.model, hold=made, grant=self._now(self.model.grant)))
        forged = fact.hold.action
        if forged is None or "command" not in forged.arguments:
            return fact
        command = forged.arguments["command"].replace("{name}", name)
        return action(arguments={"command": command})(fact)

    async def publish(self, fact: HoldFact, header: Callable[[bytes], str] | None) -> str:
        """On the lane of the shell's workers, whatever it says itself."""
        subject = hold_subject(fact).rsplit(".", 1)[0] + ".shell"
        body = encode_event(
            fact, event_id=fresh("e"), source="thief", subject=subject, at=clock.now(), salt="00"
        )
        await self.publish_raw(subject, body, header(body) if header else None)
        return subject

    async def publish_raw(self, subject: str, body: bytes, header: str | None) -> None:
        headers = {SIGNATURE_HEADER: header} if header else None
        await self.js.publish(subject, body, headers=headers)

    def _now(self, it: Any) -> Any:
        now = clock.now()
        return replace(it, iat=now, nbf=now, exp=now + timedelta(seconds=60), nonce=fresh("n"))


@pytest.fixture
async def thief(road: Road, robot: AgentVoice, guests: Guests, eyes: StreamEyes) -> Thief:
    name = f"{fresh('model')}.txt"
    call = await robot.propose(CREATED, {"path": name, "content": "good"})
    (model,) = await eyes.facts((await robot.hears(call, Status.DONE)).hold_id)
    client = await guests.client("gate")
    return Thief(road, jetstream(client, road.login("gate")), model)


async def the_worker_goes_on(robot: AgentVoice, road: Road) -> None:
    """An honest grant right after it is served, and nothing stands in its way for long."""
    name = f"{fresh('after')}.txt"
    call = await robot.propose(CREATED, {"path": name, "content": "good"})
    await robot.hears(call, Status.DONE, within_s=10)
    assert (road.scratch / name).exists()


async def settled(eyes: StreamEyes) -> bool:
    """Whether the shell's workers have dealt with every grant, so that no poison comes again."""
    js = jetstream(eyes.client, eyes.login)
    info = await js.consumer_info("HP_HOLDS_acme", "worker_shell")
    return bool(info.num_pending == 0 == info.num_ack_pending)


@pytest.mark.parametrize(
    "by", ["nobody", "a stranger", "a stranger as the gate", "a worker", "garbage", "a copy"]
)
async def test_what_the_gate_did_not_sign_has_no_effect_and_leaves_a_trace(
    road: Road, robot: AgentVoice, eyes: StreamEyes, thief: Thief, by: str
) -> None:
    folder = road.settings.keys_dir
    gate, worker = (
        Signer(folder, role, Keyset(folder)) for role in (keys.GATE, worker_role("shell"))
    )
    stranger = SigningKey.generate()
    copied = gate.sign(b"something else that the gate once signed")

    def own(key_id: str) -> Callable[[bytes], str]:
        def header(body: bytes) -> str:
            kind = keys.PAYLOAD_TYPE
            told = b"DSSEv1 %d %s %d %s" % (len(kind), kind, len(body), body)
            return f"{key_id} {base64.b64encode(stranger.sign(told).signature).decode()}"

        return header

    headers: dict[str, Callable[[bytes], str] | None] = {
        "nobody": None,
        "a stranger": own("stranger-1"),
        "a stranger as the gate": own(gate.key_id),
        "a worker": worker.sign,
        "garbage": lambda _: "let me in",
        "a copy": lambda _: copied,
    }
    name = f"{fresh('evil')}.txt"

    forged = thief.forged(name)
    subject = await thief.publish(forged, headers[by])

    await the_worker_goes_on(robot, road)
    await eventually(lambda: settled(eyes), LONG_S)
    assert not (road.scratch / name).exists()
    assert await eyes.runs(forged.hold.hold_id) == []
    assert await eventually(lambda: _unsigned(road, subject))


async def _unsigned(road: Road, subject: str) -> bool:
    return any(it.kind is Kind.UNSIGNED and it.subject == subject for it in road.exceptions())


async def test_a_signature_counts_on_its_own_subject_and_for_its_own_bytes(
    road: Road, robot: AgentVoice, eyes: StreamEyes, thief: Thief
) -> None:
    name = f"{fresh('original')}.txt"
    call = await robot.propose(CREATED, {"path": name, "content": "good"})
    hold_id = (await robot.hears(call, Status.DONE)).hold_id
    (stored,) = await eyes.on("HOLDS", f"hp.acme.hold.robot.{hold_id}.>")
    (road.scratch / name).unlink()
    evil = name.replace("original", "modified")
    ghost, twin = fresh("h"), fresh("h")

    elsewhere = stored.subject.replace(hold_id, ghost)
    await thief.publish_raw(elsewhere, stored.data, stored.signature)
    altered = stored.data.replace(name.encode(), evil.encode())
    await thief.publish_raw(stored.subject, altered, stored.signature)
    moved = stored.data.replace(hold_id.encode(), twin.encode())
    await thief.publish_raw(stored.subject.replace(hold_id, twin), moved, stored.signature)

    await the_worker_goes_on(robot, road)
    await eventually(lambda: settled(eyes), LONG_S)
    assert not (road.scratch / evil).exists()
    assert not (road.scratch / name).exists()
    assert await eyes.runs(ghost) == await eyes.runs(twin) == []
    assert await eventually(lambda: _unsigned(road, elsewhere))
    assert await eventually(lambda: _unsigned(road, stored.subject))


async def test_the_same_grant_twice_runs_once(
    road: Road, robot: AgentVoice, eyes: StreamEyes, thief: Thief
) -> None:
    name = f"{fresh('once')}.txt"
    call = await robot.propose(CREATED, {"path": name, "content": "good"})
    hold_id = (await robot.hears(call, Status.DONE)).hold_id
    (stored,) = await eyes.on("HOLDS", f"hp.acme.hold.robot.{hold_id}.>")
    (road.scratch / name).unlink()

    for _ in range(3):
        await thief.publish_raw(stored.subject, stored.data, stored.signature)

    await the_worker_goes_on(robot, road)
    await eventually(lambda: settled(eyes), LONG_S)
    assert not (road.scratch / name).exists()
    assert [type(fact) for fact in await eyes.runs(hold_id)] == [Started, Finished]


@pytest.mark.parametrize("flaw", SIGNED)
async def test_a_worker_believes_its_own_table_and_not_a_gate_that_errs(
    road: Road, robot: AgentVoice, eyes: StreamEyes, thief: Thief, flaw: str
) -> None:
    """Properly signed, and still not leave to run this here and now."""
    folder = road.settings.keys_dir
    name = f"{fresh('evil')}.txt"
    forged = thief.forged(name, SIGNED[flaw])

    await thief.publish(forged, Signer(folder, keys.GATE, Keyset(folder)).sign)

    await the_worker_goes_on(robot, road)
    await eventually(lambda: settled(eyes), LONG_S)
    assert not (road.scratch / name).exists()
    runs = await eyes.runs(forged.hold.hold_id)
    assert not any(isinstance(fact, Started) for fact in runs)
    assert all(fact.executed is None for fact in runs if isinstance(fact, Finished))


async def test_a_revoked_key_lets_nothing_go(
    road: Road, robot: AgentVoice, eyes: StreamEyes, thief: Thief
) -> None:
    folder = road.settings.keys_dir
    stolen = keys.rotate(folder, keys.GATE, clock.now())
    signer = Signer(folder, keys.GATE, Keyset(folder))
    assert signer.key_id == stolen.key_id
    name = f"{fresh('evil')}.txt"
    forged = thief.forged(name)
    subject = hold_subject(forged)
    body = encode_event(
        forged, event_id=fresh("e"), source="thief", subject=subject, at=clock.now(), salt="00"
    )
    header = signer.sign(body)
    keys.revoke(folder, stolen.key_id, clock.now())
    since = clock.monotonic()
    await eventually(lambda: _passed(since, 2 * keys.RECHECK_S))

    await thief.publish_raw(subject, body, header)

    await the_worker_goes_on(robot, road)
    await eventually(lambda: settled(eyes), LONG_S)
    assert not (road.scratch / name).exists()
    assert await eventually(lambda: _unsigned(road, subject))


def _confirmed(it: Hold) -> Message:
    ended = replace(it, outcome=Outcome.CONFIRMED, resolved_at=clock.now(), stage="resolved")
    return Resolved(hold=ended, cause="ANSWERS:1", outcome=Outcome.CONFIRMED, by="ann")


def _approved_before(it: Hold) -> Message:
    assert it.requirement
    lax = replace(it.requirement, all_of=(), approvers={"operators": ("cem",)})
    return Rendered(hold=replace(it, requirement=lax, stage="rendered"), cause="HOLDS:1")


@pytest.mark.parametrize("lie", [_confirmed, _approved_before])
async def test_i3_the_gate_builds_nothing_on_a_fact_that_no_gate_signed(
    road: Road,
    robot: AgentVoice,
    guests: Guests,
    eyes: StreamEyes,
    thief: Thief,
    lie: Callable[[Hold], Any],
) -> None:
    """With a right on the bus and without a key, nobody moves a hold."""
    mark = fresh("mark")
    call = await robot.propose("run_command", {"command": f"echo ran >> {mark}"})
    ann, cem = await guests.person("ann"), await guests.person("cem")
    card = await ann.card((await robot.pending(call)).hold_id)
    *_, rendered = await eyes.facts(card.hold_id)
    fact = lie(rendered.hold)
    subject = hold_subject(fact)
    body = encode_event(
        fact, event_id=fresh("e"), source="thief", subject=subject, at=clock.now(), salt="00"
    )

    await thief.publish_raw(subject, body, None)
    await cem.answer(card, "proceed")  # type: ignore[arg-type]

    await the_worker_goes_on(robot, road)
    assert await eventually(lambda: _unsigned(road, subject))
    assert not any(isinstance(it, Resumed) for it in await eyes.facts(card.hold_id))
    assert road.runs_of(mark) == 0
