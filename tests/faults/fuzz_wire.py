"""`make fuzz-wire`: thousands of hostile messages to the running system, with a printed seed.

Each is sent with its own party's credential. No service may die or stall, nothing may run, every
question is answered, what the broker stores is counted or refused with a code that its sender
learns, and the ledger has all of it. A good call works before and after. HP_SEED repeats a run.
"""

import argparse
import asyncio
import logging
import os
import secrets
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import msgspec
import structlog
from nats.aio.client import Client
from nats.errors import BadHeaderError, BadSubjectError, MaxPayloadError, NoRespondersError
from nats.errors import Error as NatsError
from tests.faults.actors import Part, Plot, live
from tests.faults.effects_domain import DOMAIN, done_so_far
from tests.faults.evidence import Evidence, look
from tests.faults.fault_system import AGENTS, PEOPLE, Scene, StandsStillError, scene
from tests.faults.wire_messages import Hostile, Target, hostile
from tests.running_system import LONG_S, TENANT, fresh
from tests.waiting import eventually

from holdpoint.messages import subjects as s
from holdpoint.messages.call import Trace, Withdraw
from holdpoint.messages.envelope import Status
from holdpoint.messages.state import Kill
from holdpoint.runtime.process import clock
from holdpoint.runtime.store.journal import Stored

MESSAGES = 10_000
A_WORLD = 2_500
"""Then everything begins anew: streams in a test are small."""

AT_ONCE = 100
"""Messages on their way together; each such batch is about another call that waits."""

ASKED_AFTER = 25
"""Refused calls of a world whose agent asks what became of them."""

ANSWERED_WITHIN_S = 15.0
UNHANDLED = ("handler_failed", "handful_failed", "message_not_handled", "Traceback")
"""Words of a service's log for a message that it did not foresee, unless it is to come again."""

COMES_AGAIN = ("UnavailableError", "ConflictError", "UnknownOutcomeError")


@dataclass(kw_only=True)
class Heard:
    """What the senders heard, and what should not have been."""

    replies: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)


async def fuzz(made: Scene, messages: int) -> Heard:
    """Send so many messages to one world, and judge what is left."""
    heard, pids = Heard(), {name: it.process.pid for name, it in made.cast.players.items()}
    await _good_call(made, heard)
    clients = await _clients(made)
    for begun in range(0, messages, AT_ONCE):
        target = await _waiting_call(made)
        batch = [hostile(made.dice, AGENTS, PEOPLE, target)
                 for _ in range(min(AT_ONCE, messages - begun))]  # fmt: skip
        await asyncio.gather(*(_send(clients[it.user], it, heard) for it in batch))
    try:
        await _end_what_waits(made)
    except StandsStillError as why:
        heard.wrong.append(f"stalled: {why}")
    await _good_call(made, heard)
    await made.comes_to_rest(clock.monotonic())
    if pids != {name: it.process.pid for name, it in made.cast.players.items()}:
        heard.wrong.append("a service died")
    heard.wrong += await _judged(made)
    return heard


async def _end_what_waits(made: Scene) -> None:
    """Stop everybody once, so that no call reaches its deadline while it is judged."""
    place = s.admin_subject(TENANT, "ann", "kill")
    await made.people["ann"].says(place, Kill(on=True, reason="The run is over."))
    await made.comes_to_rest(clock.monotonic())
    await made.people["ann"].says(place, Kill(on=False))
    await made.comes_to_rest(clock.monotonic())


async def _good_call(made: Scene, heard: Heard) -> None:
    """One call that runs after a yes, as ever."""
    plot = Plot(agent=AGENTS[0], tool="change", part=Part.PROCEED)
    told = await live(made.agents[plot.agent], made.people, plot)
    if told.envelope.status is not Status.DONE:
        heard.wrong.append(f"a good call ended as {told.envelope.status}: {told.envelope.reason}")


async def _clients(made: Scene) -> dict[str, Client]:
    users = [f"agent_{it}" for it in AGENTS]
    users += [f"person_{it}" for it in PEOPLE]
    return {user: await made.guests.client(user) for user in (*users, f"worker_{DOMAIN}")}


async def _waiting_call(made: Scene) -> Target:
    """A call that two people are asked about, and as they see it."""
    agent = made.agents[AGENTS[1]]
    plot = Plot(agent=AGENTS[1], tool="pay")
    seq = await agent.proposes(plot, fresh("key"))
    told = await agent.hears(lambda it: it.status is Status.PENDING_CONFIRMATION, seq=seq)
    card = await eventually(lambda: made.people["ann"].sees(told.hold_id), LONG_S)
    return Target(
        agent=plot.agent,
        hold_id=told.hold_id,
        digest=card.digest,
        render_digest=card.render_digest,
    )


async def _send(client: Client, it: Hostile, heard: Heard) -> None:
    """Send it, and keep what its sender hears; where nobody listens there is no answer."""
    headers = dict(it.headers) or None
    try:
        if not it.is_placed:
            await client.publish(it.subject, it.body, client.new_inbox(), headers)
            heard.replies["not placed"] += 1
            return
        reply = await client.request(it.subject, it.body, ANSWERED_WITHIN_S, headers=headers)
    except NoRespondersError:
        heard.replies["nobody listens"] += 1
    except (MaxPayloadError, BadHeaderError, BadSubjectError, ValueError) as why:
        heard.replies[f"not sent: {type(why).__name__}"] += 1
    except (NatsError, TimeoutError) as why:
        heard.wrong.append(f"no answer to {it}: {why!r}"[:2_000])
    else:
        heard.replies["error" if b'"error"' in reply.data else "answer"] += 1
        if it.asks and not _is_clear(reply.data):
            heard.wrong.append(f"no clear answer to {it}: {reply.data!r}"[:2_000])


def _is_clear(answer: bytes) -> bool:
    """Whether a question's answer says how it stands, or why it is refused."""
    told = msgspec.json.decode(answer)
    if told.get("status") == Status.REFUSED:
        return bool(told.get("code") and told.get("reason"))
    return bool(told.keys() & {"status", "tools", "reply"})


async def _judged(made: Scene) -> list[str]:
    evidence = await look(made.road, made.eyes, {}, done_so_far(made.log), made.heads)
    wrong = [f"{deed.tool} ran: {deed.arguments}" for deed in evidence.deeds
             if deed.arguments["mark"].startswith("fuzzed")]  # fmt: skip
    wrong += [f"{cause} became nothing: {it.subject} {it.data[:500]!r}"
              for cause, it in _neither_counted_nor_refused(evidence)
              if not await _was_carried_out(made, cause, it)]  # fmt: skip
    wrong += [f"{name} said: {line[:1_000]}" for name, line in _unhandled(made)]
    return wrong + await _untold(made, evidence) + await made.judged()


def _neither_counted_nor_refused(it: Evidence) -> Sequence[tuple[str, Stored]]:
    """What was said and left no fact that names it; a trace is only recorded."""
    named = {cause for facts in it.holds.values() for cause in facts[-1][1].hold.causes}
    named |= {message.cause for _, message in it.of(s.STATE, object) if message is not None}
    return [
        (cause, at)
        for cause, (at, message) in it.said.items()
        if cause.partition(":")[0].partition("@")[0] in {s.CALLS, s.ANSWERS, s.ADMIN}
        and not isinstance(message, Trace | Withdraw)
        and cause not in named
        and cause not in it.refused
    ]


async def _was_carried_out(made: Scene, cause: str, it: Stored) -> bool:
    """Whether it is an order that the gate says is done: some of them had nothing to change."""
    if not cause.startswith(s.ADMIN):
        return False
    seq = int(cause.partition(":")[2])
    told = await made.people[it.subject.split(".")[3]].voice.told(seq, wait_s=1.0)
    return told.status is Status.DONE


def _unhandled(made: Scene) -> Sequence[tuple[str, str]]:
    logs = {name: made.road.settings.run_dir / f"{name}.log" for name in made.cast.players}
    return [
        (name, line)
        for name, log in logs.items()
        for line in log.read_text(errors="replace").splitlines()
        if any(word in line for word in UNHANDLED) and not any(word in line for word in COMES_AGAIN)
    ]


async def _untold(made: Scene, evidence: Evidence) -> list[str]:
    """Refused calls whose agents, when they ask, do not learn why."""
    refused = sorted(it for it in evidence.refused.items() if it[0].startswith(s.CALLS))
    wrong = []
    for cause, fact in made.dice.sample(refused, min(ASKED_AFTER, len(refused))):
        place = s.call_place(cause)
        assert place
        told = await made.agents[place[0].partition("@")[2]].asks(seq=place[1])
        if (told.status, told.code) != (Status.REFUSED, fact.code) or not told.reason:
            wrong.append(f"{cause} was refused as {fact.code}, its agent heard {told}")
    return wrong


async def main(messages: int, seed: int) -> int:
    """One world after the other; 1 when anything does not hold."""
    print(f"HP_SEED={seed}", flush=True)
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    wrong, replies, began = list[str](), Counter[str](), clock.monotonic()
    for world, begun in enumerate(range(0, messages, A_WORLD)):
        with tempfile.TemporaryDirectory(prefix="fuzz") as folder:
            async with scene(Path(folder), seed + world) as made:
                heard = await fuzz(made, min(A_WORLD, messages - begun))
        replies += heard.replies
        wrong += [f"[seed {seed + world}] {it}" for it in heard.wrong]
        print(f"world {world + 1}: {dict(heard.replies)}, {len(heard.wrong)} wrong", flush=True)
    print(f"{messages} messages in {(clock.monotonic() - began) / 60:.1f} min: {dict(replies)}")
    for it in wrong:
        print(f"VIOLATION {it}")
    return 1 if wrong else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=int, default=MESSAGES)
    chosen = parser.parse_args()
    seed = int(os.environ.get("HP_SEED") or secrets.randbelow(1_000_000))
    sys.exit(asyncio.run(main(chosen.messages, seed)))
