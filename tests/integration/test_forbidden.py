"""What nobody may ever be granted, written down by hand: the list of grants is not asked."""

from collections import deque

import pytest
from tests.conftest import Connect
from tests.waiting import eventually
from tests.world import World, last_sequences

from holdpoint.runtime.security import credentials

pytestmark = pytest.mark.nats

API = "JS.core.API"
FACTS = (
    "hp.acme.hold.robot.h1.passed.shell",
    "hp.acme.hold.robot.h1.resumed.shell",
    "hp.acme.refusal.robot.CALLS-1",
    "hp.acme.card.operators.h1",
    "hp.acme.state.policy.current",
    "hp.acme.timer.set.robot.h1.expire",
    "hp.acme.tally.k1.900-7",
    "hp.acme.run.shell.robot.h1.barred.gate",
    "hp.acme.run.shell.robot.h1.lapsed.gate",
)
RESULTS = ("hp.acme.run.shell.robot.h1.started.none", "hp.acme.run.shell.robot.h1.finished.none")
ANSWERS = ("hp.acme.answer.terminal.ann.robot.h1", "hp.acme.answer.console.ann.robot.h1")
ORDERS = ("hp.acme.admin.ann.kill", "hp.acme.admin.ann.policy", "hp.acme.admin.ann.totp")
CALLS = ("hp.acme.call.robot.propose", "hp.acme.call.rival.propose")
READS = tuple(
    f"{api}.{verb}"
    for api in (API, "$JS.API")
    for verb in (
        "STREAM.MSG.GET.HP_HOLDS_acme",
        "STREAM.MSG.GET.HP_CALLS_acme@robot",
        "STREAM.MSG.GET.HP_TALLIES_acme",
        "STREAM.PURGE.HP_TALLIES_acme",
        "DIRECT.GET.HP_HOLDS_acme.hp.acme.hold.>",
        "DIRECT.GET.HP_CALLS_acme@robot.hp.acme.call.>",
        "DIRECT.GET.HP_CARDS_acme.hp.acme.card.finance.h1",
        "DIRECT.GET.HP_CARDS_acme.hp.acme.card.*.h1",
        "DIRECT.GET.HP_CARDS_acme.hp.acme.card.>",
        "DIRECT.GET.HP_RUNS_acme.hp.acme.run.database.robot.h1.started.none",
        "DIRECT.GET.HP_RUNS_acme.hp.acme.run.*.robot.h1.started.none",
        "DIRECT.GET.HP_RUNS_acme",
        "DIRECT.GET.HP_CARDS_acme",
        "CONSUMER.MSG.NEXT.HP_HOLDS_acme.gate",
        "CONSUMER.MSG.NEXT.HP_HOLDS_acme.gate_open",
        "CONSUMER.MSG.NEXT.HP_HOLDS_acme.worker_database",
        "CONSUMER.MSG.NEXT.HP_CARDS_acme.view_cem",
        "CONSUMER.CREATE.HP_HOLDS_acme",
        "CONSUMER.CREATE.HP_CARDS_acme.view_ann.hp.acme.card.>",
        "CONSUMER.DELETE.HP_HOLDS_acme.gate",
        "STREAM.PURGE.HP_TIMERS_acme",
        "STREAM.DELETE.HP_HOLDS_acme",
    )
)
ASKS_OF_OTHERS = ("hp.acme.ask.rival.hold", "hp.acme.ask.cem.answer", "hp.acme.ask.cem.order",
                  "hp.acme.ask.database.grant",
                  "hp.acme.ask.database.plan", "hp.acme.ask.shell.plan")  # fmt: skip
OTHERS_ACKS = ("$JS.ACK.HP_HOLDS_acme.gate.1.1.1.1.1", "$JS.ACK.HP_HOLDS_acme.audit.1.1.1.1.1",
               "$JS.ACK.HP_HOLDS_acme.worker_database.1.1.1.1.1")  # fmt: skip
READ_BY_THE_AUDIT = (f"{API}.DIRECT.GET.HP_RUNS_acme", f"{API}.DIRECT.GET.HP_CARDS_acme")
OUTSIDE = (*READS, *ASKS_OF_OTHERS, *OTHERS_ACKS)

MUST_NOT_SAY = {
    "agent_robot": (*FACTS, *RESULTS, *ANSWERS, *ORDERS, CALLS[1], *OUTSIDE),
    "person_ben": (*FACTS, *RESULTS, *ANSWERS, *ORDERS, *CALLS, *OUTSIDE, "hp.acme.admin.ben.kill",
                   "hp.acme.admin.ben.step_up", "hp.acme.admin.ben.policy",
                   "hp.acme.answer.slack.ben.robot.h1"),
    "person_cem": ("hp.acme.erasure.erased.ann", "hp.acme.erasure.refused.ann",
                   "hp.acme.erasure.erased.retention"),
    "eraser": (*FACTS, *RESULTS, *ANSWERS, *ORDERS, *CALLS, *OUTSIDE, "hp.acme.erasure.erased.cem",
               "hp.acme.erasure.retention.retention", "hp.acme.erasure.lifted.retention"),
    "person_ann": (*FACTS, *RESULTS, *CALLS, *OUTSIDE, "hp.acme.admin.ben.kill",
                   "hp.acme.admin.ben.totp", "hp.acme.admin.ben.passkey",
                   "hp.acme.answer.slack.ann.robot.h1",
                   "hp.acme.answer.console.ben.robot.h1",
                   "hp.acme.answer.terminal.ben.robot.h1",
                   "hp.acme.erasure.erased.ann", "hp.acme.erasure.lifted.ann",
                   "hp.acme.erasure.retention.ann", "hp.acme.erasure.refused.ben"),
    "console": (*FACTS, *RESULTS, *ANSWERS, *ORDERS, *CALLS, *OUTSIDE, "hp.acme.ask.ann.answer"),
    "view_ben": (*FACTS, *RESULTS, *ANSWERS, *ORDERS, *CALLS, *OUTSIDE, "hp.acme.ask.ben.answer",
                 "hp.acme.answer.terminal.ben.robot.h1"),
    "worker_shell": (*FACTS, *ANSWERS, *ORDERS, *CALLS, *OUTSIDE,
                     "hp.acme.run.database.robot.h1.started.none",
                     "hp.acme.run.database.robot.h1.finished.none"),
    "audit": (*FACTS, *RESULTS, *ANSWERS, *ORDERS, *CALLS,
              *(it for it in OUTSIDE if it not in READ_BY_THE_AUDIT),
              f"{API}.DIRECT.GET.HP_TALLIES_acme", f"{API}.DIRECT.GET.HP_TIMERS_acme",
              f"{API}.CONSUMER.MSG.NEXT.HP_HOLDS_acme.audit"),
    "system": (*FACTS, *RESULTS, *ANSWERS, *ORDERS, *CALLS, *OUTSIDE),
    "gate": (*RESULTS, *ANSWERS, *ORDERS, *CALLS, "hp.acme.timer.due.robot.h1.expire",
             "$JS.API.STREAM.PURGE.HP_HOLDS_acme", "$JS.API.STREAM.DELETE.HP_TIMERS_acme",
             "$JS.API.STREAM.PURGE.HP_TALLIES_acme", "$JS.API.STREAM.MSG.DELETE.HP_TALLIES_acme",
             "$JS.API.CONSUMER.CREATE.HP_HOLDS_acme", "$JS.API.CONSUMER.DELETE.HP_HOLDS_acme.audit",
             "$JS.API.CONSUMER.MSG.NEXT.HP_HOLDS_acme.audit",
             "$JS.API.CONSUMER.MSG.NEXT.HP_HOLDS_acme.worker_shell",
             "$JS.API.STREAM.MSG.DELETE.HP_HOLDS_acme"),
    "provisioner": (*FACTS, *RESULTS, *ANSWERS, *ORDERS, *CALLS),
}  # fmt: skip


@pytest.mark.parametrize("user", MUST_NOT_SAY)
async def test_what_must_never_be_said_is_refused(
    user: str, world: World, connected: Connect
) -> None:
    provisioner = await connected(world.login(credentials.PROVISIONER))
    login = world.login(user)
    client = await connected(login)
    before = await last_sequences(provisioner)

    for subject in MUST_NOT_SAY[user]:
        await client.publish(subject, b"evil")
    await client.flush()

    await _refused(login.denials, MUST_NOT_SAY[user], "publish")
    assert await last_sequences(provisioner) == before


@pytest.mark.parametrize("user", ["agent_robot", "person_ann", "view_ann", "worker_shell", "audit"])
async def test_what_must_never_be_heard_is_refused(
    user: str, world: World, connected: Connect
) -> None:
    login = world.login(user)
    client = await connected(login)
    wanted = (
        ">", "hp.>", "hp.acme.hold.>", "hp.acme.call.>", "hp.acme.call.robot.>", "hp.acme.seen.>",
        "hp.acme.card.>", "hp.acme.card.operators.*", "hp.acme.answer.>", "hp.acme.ask.>",
        "hp.acme.seen.run.*.*.*.finished.*", "hp.acme.seen.run.*.rival.*.finished.*",
        "hp.acme.seen.run.*.robot.*.started.*", "hp.acme.seen.hold.robot.>",
        "hp.acme.ask.database.plan", "hp.acme.ask.robot.hold", "_INBOX.>", "_INBOX_gate.>",
        "_INBOX_agent_rival.>", "_R_.>", "$JS.>", "JS.core.>", "$SYS.>", "$JS.EVENT.>",
    )  # fmt: skip

    for subject in wanted:
        await client.subscribe(subject)
        await client.subscribe(subject, queue="gate")
    await client.flush()

    await _refused(login.denials, wanted, "subscription")


async def _refused(denials: deque[str], subjects: tuple[str, ...], what: str) -> None:
    async def all_refused() -> bool:
        told = "\n".join(denials)
        left = [it for it in subjects if f'violation for {what} to "{it.lower()}"' not in told]
        assert left == []
        return True

    await eventually(all_refused)
