"""What is left of a simulated world, for the checker of the fault runs."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from tests.faults.checker import breaches
from tests.faults.evidence import Evidence, _asked, _read, rewritten, sha256_of
from tests.running_system import TENANT
from tests.simulation.jetstream import Kept
from tests.simulation.world import World

from holdpoint.ledger import engines
from holdpoint.ledger.exceptions import Finding, Kind
from holdpoint.messages import subjects as s
from holdpoint.messages.envelope import Status
from holdpoint.messages.run import Finished, RunStatus
from holdpoint.messages.subjects import command_id, stream
from holdpoint.runtime.security.keys import SIGNATURE_HEADER, Keyset
from holdpoint.runtime.store.journal import Stored


def judged(world: World, told: Mapping[str, Status | None]) -> list[str]:
    """Return every line of INVARIANTS.md that does not hold."""
    evidence = replace(_evidence(world), told=told)
    return breaches(_with_ledger(world, evidence) if world.ledger_url else evidence)


def _with_ledger(world: World, evidence: Evidence) -> Evidence:
    """What the audit entered, in place of what there was to enter."""
    engine = engines.reader(world.ledger_url)
    with engine.begin() as connection:
        entered, findings, unsigned = _asked(connection)
    engine.dispose()
    broken = rewritten(world.ledger_url, ())
    return replace(evidence, entered=entered, findings=findings, unsigned=unsigned, broken=broken)


def _evidence(world: World) -> Evidence:
    """All that the broker keeps; without an audit, as if it had entered all of it."""
    agents = (it.name for it in world.setup.registry.agents)
    kinds = s.sources(s.AUDITED, agents)
    logs = {kind: world.broker.logs[stream(TENANT, kind)] for kind in kinds}
    kept = {kind: [_stored(it) for it in log.messages.values()] for kind, log in logs.items()}
    messages = {kind: [(it, _read(it)) for it in told] for kind, told in kept.items()}
    rung = map(_stored, world.broker.logs[stream(TENANT, s.TIMERS)].messages.values())
    doubts = [(at, it) for at, it in messages[s.RUNS] if isinstance(it, Finished)
              and it.status is RunStatus.IN_DOUBT]  # fmt: skip
    return Evidence(
        messages=messages,
        last={kind: log.last_seq for kind, log in logs.items()},
        entered={f"{kind}:{it.seq}": [(sha256_of(it), "")] for kind, told in kept.items()
                 for it in told},
        findings=[Finding(kind=Kind.IN_DOUBT, at=at.at, hold_id=it.hold_id, agent=None,
                          subject=at.subject) for at, it in doubts],
        unsigned=frozenset(),
        broken=(),
        effects=Counter(it.hold_id for it in world.deeds),
        logs_all=True,
        deeds=world.deeds,
        keyset=Keyset(world.setup.settings.keys_dir),
        at=world.broker.now,
        alarms={command_id(stream(TENANT, s.TIMERS), it.seq): it for it in rung},
        told=None,
        hurried={},
    )  # fmt: skip


def _stored(it: Kept) -> Stored:
    return Stored(subject=it.subject, data=it.body, seq=it.seq, at=it.at,
                  signature=it.headers.get(SIGNATURE_HEADER, ""))  # fmt: skip
