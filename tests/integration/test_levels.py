"""The levels as shipped: a critical action takes a step-up, and its card says who lacks one."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from tests.actors import Guests
from tests.running_system import BY_PASSWORD, Road, running
from tests.step_up import Phone, enrol, say_yes
from tests.waiting import eventually

from holdpoint.messages.card import Card
from holdpoint.messages.envelope import Status
from holdpoint.messages.policy import Method
from holdpoint.runtime.security.keys import load_seal_key

pytestmark = [pytest.mark.nats, pytest.mark.slow]

BOTH = (Method.TOTP, Method.PASSKEY)


def as_shipped(policy: str) -> str:
    """A critical risk takes a step-up."""
    shipped, by_password = BY_PASSWORD
    return policy.replace(by_password, shipped)


@pytest.fixture
async def road(tmp_path: Path) -> AsyncIterator[Road]:
    async with running(tmp_path, as_shipped, own={}) as road:
        yield road


async def test_a_critical_action_says_what_to_set_up_and_then_that_it_can_be_confirmed(
    road: Road,
) -> None:
    async with AsyncExitStack() as stack:
        guests = Guests(road=road, stack=stack)
        robot, ann = await guests.agent(), await guests.person("ann")
        command = "echo ran >> mark || git push --mirror --force"
        call = await robot.propose("run_command", {"command": command})
        hold_id = (await robot.pending(call)).hold_id

        async def card_where(missing: dict[str, tuple[Method, ...]]) -> Card | None:
            card = await ann.card(hold_id)
            return card if card.missing == missing else None

        card = await eventually(lambda: card_where({"ann": BOTH, "ben": BOTH}))
        assert card is not None
        assert (card.level, card.proofs, card.every_proof) == (4, BOTH, False)
        assert (await ann.proceed(card)).code == "proof_missing"

        phone = Phone()
        await enrol(ann, phone, load_seal_key(road.settings.keys_dir))
        card = await eventually(lambda: card_where({"ben": BOTH}))
        assert card is not None
        assert (await say_yes(ann, card, await phone.code())).status is Status.APPROVED
        assert (await robot.hears(call, Status.DONE)).status is Status.DONE
        assert road.runs_of("mark") == 1
