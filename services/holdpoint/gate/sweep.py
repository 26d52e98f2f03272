"""The sweep: what was granted and never claimed is barred or lapses.

A worker acknowledges a grant only once its run has ended, so everything below the floor of its
acknowledgements is settled; the sweep looks only at what lies above it.
"""

from collections.abc import AsyncIterator

from holdpoint.core.objections import valid_until
from holdpoint.core.texts import killed
from holdpoint.core.verdict import killed_by
from holdpoint.gate.parts import Gate
from holdpoint.gate.runs import bar, is_let_go, lapse
from holdpoint.messages.hold import AnyHoldFact
from holdpoint.messages.subjects import (
    HOLDS,
    command_id,
    granted_facts,
    stream,
)
from holdpoint.runtime import clock
from holdpoint.runtime.history import hold_fact
from holdpoint.runtime.streams import worker_durable

EVERY_S = 5.0
MOST_AT_ONCE = 1000
"""Grants looked at in one sweep of one lane; the next sweep goes on."""


async def sweep(gate: Gate) -> None:
    """Bar what the kill switch stops; let lapse what nobody ran in time.

    All of STATE is read from the leader, so that a forged piece leaves its trace also while no call
    asks for it.
    """
    kills = (await gate.states.in_force()).kills
    for domain in gate.catalog.domains():
        async for fact, seq in _unsettled(gate, domain):
            cause = command_id(stream(gate.tenant, HOLDS), seq)
            if why := killed_by(kills.stopped, fact.hold.agent):
                await bar(gate, fact.hold, killed(why), kills.cause)
            elif clock.now() > valid_until(fact.hold):
                await lapse(gate, fact.hold, cause)


async def _unsettled(gate: Gate, domain: str) -> AsyncIterator[tuple[AnyHoldFact, int]]:
    """Grants above the floor of the worker's acknowledgements, oldest first in each lane."""
    name = stream(gate.tenant, HOLDS)
    info = await gate.jetstream.consumer_info(name, worker_durable(domain))
    floor = info.ack_floor.stream_seq if info.ack_floor else 0
    for subject in granted_facts(gate.tenant, domain):
        seq = floor + 1
        for _ in range(MOST_AT_ONCE):
            found = await gate.journal.reader.next(HOLDS, subject, seq)
            if found is None:
                break
            seq = found.seq + 1
            if gate.journal.reader.counts(found) and is_let_go(fact := hold_fact(found.message)):
                yield fact, found.seq
