"""Questions reach whom they are meant for, however long that takes; readers see their own cards."""

import asyncio

import msgspec
import pytest
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import NoRespondersError
from tests.conftest import Become
from tests.waiting import eventually

from holdpoint.runtime.security import credentials

pytestmark = pytest.mark.nats


@pytest.fixture
async def gate(become: Become) -> Client:
    """A gate that wrote one card."""
    client = await become(credentials.GATE)
    await client.request("hp.acme.card.operators.mine", b"card", timeout=5)
    return client


@pytest.mark.slow
@pytest.mark.timeout(90)
async def test_an_answer_after_55_seconds_still_arrives(become: Become) -> None:
    """Permission to reply lives longer than the longest wait of a question."""
    gate, robot = await become(credentials.GATE), await become("agent_robot")
    waiting: list[Msg] = []

    async def keep_waiting(message: Msg) -> None:
        if message.data == b"there?":
            await message.respond(b"yes")
            return
        waiting.append(message)
        await asyncio.sleep(55)
        await message.respond(b"at last")

    async def hears_questions() -> bool:
        try:
            return bool(await robot.request("hp.acme.ask.robot.hold", b"there?", timeout=5))
        except NoRespondersError:
            return False

    await gate.subscribe("hp.acme.ask.*.hold", cb=keep_waiting)
    await eventually(hears_questions)

    reply = await robot.request("hp.acme.ask.robot.hold", b"{}", timeout=60)

    assert reply.data == b"at last"
    assert len(waiting) == 1


async def test_the_gate_is_answered_by_the_domain_it_asked(become: Become, gate: Client) -> None:
    for domain in ("shell", "database"):
        worker = await become(f"worker_{domain}")

        async def answer(message: Msg, domain: str = domain) -> None:
            await message.respond(domain.encode())

        await worker.subscribe(f"hp.acme.ask.{domain}.plan", queue="workers", cb=answer)
        await worker.flush()

    plan = await gate.request("hp.acme.ask.shell.plan", b"{}", timeout=5)

    assert plan.data == b"shell"


async def test_a_reader_sees_each_card_of_its_groups_again_and_no_other(
    become: Become, gate: Client
) -> None:
    await gate.request("hp.acme.card.finance.secret", b"of finance", timeout=5)
    await gate.request("hp.acme.card.operators.again", b"first", timeout=5)
    await gate.request("hp.acme.card.operators.again", b"second", timeout=5)
    ben = await become("view_ben")

    assert await _cards(ben) == await _cards(ben)
    assert (await _cards(ben))["hp.acme.card.operators.again"] == b"second"
    assert {subject.split(".")[3] for subject in await _cards(ben)} == {"operators"}


async def test_a_direct_read_carries_no_payload_that_could_name_another_message(
    become: Become, gate: Client
) -> None:
    await gate.request("hp.acme.card.finance.secret", b"of finance", timeout=5)
    ben = await become("person_ben")
    for request in (b'{"last_by_subj":"hp.acme.card.finance.secret"}', b'{"seq":1}'):
        reply = await ben.request(
            "JS.core.API.DIRECT.GET.HP_CARDS_acme.hp.acme.card.operators.mine", request, timeout=5
        )

        assert (reply.data, (reply.headers or {})["Status"]) == (b"", "408")


async def _cards(view: Client) -> dict[str, bytes]:
    """Start again from the first card and keep the last of each."""
    reset = await view.request(
        "JS.core.API.CONSUMER.RESET.HP_CARDS_acme.view_ben", b'{"seq":1}', timeout=5
    )
    assert "error" not in msgspec.json.decode(reset.data)
    inbox = view.new_inbox()
    cards = await view.subscribe(inbox)
    await view.publish(
        "JS.core.API.CONSUMER.MSG.NEXT.HP_CARDS_acme.view_ben",
        b'{"batch":100,"no_wait":true}',
        reply=inbox,
    )
    seen = {}
    while (card := await cards.next_msg(timeout=5)).subject.startswith("hp."):
        seen[card.subject] = card.data
    return seen
