"""The levels as shipped: a critical action takes a step-up, and its card says who lacks one."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from tests.actors import Guests
from tests.running_system import BY_PASSWORD, LONG_S, Road, running
from tests.step_up import Phone, enrol, say_yes
from tests.waiting import eventually

from holdpoint.core.card import PARKED
from holdpoint.messages.card import Card
from holdpoint.messages.envelope import Status
from holdpoint.messages.policy import Method
from holdpoint.messages.subjects import HOLDS
from holdpoint.runtime.process import clock
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
        card = await eventually(lambda: card_where({"ann": (Method.PASSKEY,), "ben": BOTH}))
        assert card is not None
        assert (await say_yes(ann, card, await phone.code())).status is Status.APPROVED
        assert (await robot.hears(call, Status.DONE)).status is Status.DONE
        assert road.runs_of("mark") == 1


def parks(policy: str) -> str:
    """What nobody answers within two seconds is parked."""
    soon = policy.replace("deadline_s: 900", "deadline_s: 2", 1)
    return soon.replace("on_silence: expire", "on_silence: park", 1)


async def test_what_nobody_answers_is_parked_and_answered_after_everything_was_down(
    tmp_path: Path,
) -> None:
    async with running(tmp_path, parks, own={}) as road, AsyncExitStack() as stack:
        guests = Guests(road=road, stack=stack)
        robot, ann, eyes = await guests.agent(), await guests.person("ann"), await guests.eyes()
        mark, call = await robot.command()
        hold_id = (await robot.pending(call)).hold_id
        road.supervisor.kill("gate")

        async def is_over() -> bool:
            card = await ann.card(hold_id)
            return card.expires_at is not None and card.expires_at < clock.now()

        await eventually(is_over)
        road.supervisor.start("gate")
        await road.supervisor.ready("gate")

        async def parked() -> Card | None:
            card = await ann.card(hold_id)
            return card if card.on_silence == PARKED else None

        card = await eventually(parked, LONG_S)
        assert card is not None
        assert (await robot.ask(call)).parked
        assert road.runs_of(mark) == 0
        await ann.proceed(card)
        assert (await robot.hears(call, Status.DONE)).status is Status.DONE
        assert road.runs_of(mark) == 1
        assert "parked" in {
            it.subject.split(".")[5] for it in await eyes.on(HOLDS, f"hp.*.hold.*.{hold_id}.>")
        }
