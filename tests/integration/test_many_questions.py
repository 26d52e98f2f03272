"""Open questions are limited for each asker: whoever asks too much makes nobody else wait."""

import asyncio

import pytest
from tests.actors import AgentVoice, Guests
from tests.running_system import TENANT

from holdpoint.messages import subjects as s
from holdpoint.messages.ask import AskHold
from holdpoint.messages.codec import decode, encode
from holdpoint.messages.envelope import TOO_MANY_QUESTIONS, Envelope, Status
from holdpoint.runtime.broker.request_reply import EACH

pytestmark = pytest.mark.nats
pytest_plugins = ("tests.system_fixtures",)

MANY = 2_000
OPEN_S = 8.0
SOON_S = OPEN_S / 2
"""Before the many questions are over, with room for a slow machine."""


async def test_2000_open_questions_of_one_agent_make_nobody_else_wait(guests: Guests) -> None:
    rival, robot, ann = await guests.agent("rival"), await guests.agent(), await guests.person()
    _, held = await rival.command()
    pending = await rival.pending(held)
    asked = asyncio.create_task(_ask_often(rival, pending.hold_id))
    refused = await asyncio.wait_for(asked, SOON_S)

    async with asyncio.timeout(SOON_S):
        call = await robot.propose("list_directory", {"path": "."})
        read = await robot.ask(call, wait_s=SOON_S, known=Status.APPROVED)
        _, call = await robot.command()
        card = await ann.card((await robot.pending(call)).hold_id, "rendered")
        told = await ann.proceed(card)

    assert read.status is Status.DONE
    assert told.status is Status.APPROVED
    assert len(refused) == MANY - EACH
    assert {(it.status, it.code) for it in refused} == {(Status.REFUSED, TOO_MANY_QUESTIONS)}
    assert all(it.retry_after_s > 0 for it in refused)


async def _ask_often(agent: AgentVoice, hold_id: str) -> list[Envelope]:
    """Ask a question that waits, many times at once; what was answered before its wait is over."""
    question = encode(AskHold(hold_id=hold_id, wait_s=OPEN_S, known=Status.PENDING_CONFIRMATION))
    inbox = agent.client.new_inbox()
    answers = await agent.client.subscribe(inbox)
    for _ in range(MANY):
        await agent.client.publish(s.ask_hold_subject(TENANT, agent.name), question, reply=inbox)
    return [decode((await answers.next_msg(SOON_S)).data, Envelope) for _ in range(MANY - EACH)]
