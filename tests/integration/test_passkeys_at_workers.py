"""A level at which workers verify passkeys themselves: the gate's stolen key runs nothing there."""

from contextlib import AsyncExitStack
from datetime import timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.actors import Guests
from tests.integration.test_passkeys import Everybody, equipped
from tests.passkeys import SecurityKey, proof_by, sends, yes_to
from tests.running_system import Road, fresh, running
from tests.step_up import by_passkey
from tests.waiting import eventually

from holdpoint.messages.codec import encode_event
from holdpoint.messages.envelope import Status
from holdpoint.messages.hold import (
    EndedBy,
    Grant,
    Hold,
    Outcome,
    PasskeyEvidence,
    Resumed,
    Stage,
    Voice,
)
from holdpoint.messages.policy import Method
from holdpoint.messages.risk import IntentClaim, RiskLevel
from holdpoint.messages.run import Finished
from holdpoint.messages.subjects import hold_subject
from holdpoint.runtime.broker.connection import jetstream
from holdpoint.runtime.process import clock
from holdpoint.runtime.security.keys import SIGNATURE_HEADER, Keyset, Signer

pytestmark = [pytest.mark.nats, pytest.mark.slow, pytest.mark.timeout(180)]
pytest_plugins = ("tests.step_up_fixtures",)


def only_by_passkey(policy: str) -> str:
    """Every level that asks takes a passkey."""
    return by_passkey(policy).replace("proofs: [totp, passkey] #", "proofs: [passkey] #")


@pytest.fixture
async def strict(tmp_path: Path, stack: AsyncExitStack) -> Everybody:
    """Every command is of a level at which workers verify passkeys themselves."""
    world = running(tmp_path, only_by_passkey, own={}, console=True, passkey_from_level=3)
    road = await stack.enter_async_context(world)
    return await equipped(road, stack, "ann")


def forged(card_hold: Hold, voice: Voice) -> Resumed:
    """A leave as the gate would sign it, had this voice counted."""
    now = clock.now()
    hold = replace(
        card_hold,
        stage=Stage.RESUMED,
        outcome=Outcome.CONFIRMED,
        ended_by=EndedBy.PERSON,
        closed_by=voice.person,
        resolved_at=now,
        voices=(voice,),
    )
    assert hold.action is not None
    grant = Grant(
        aud=f"domain:{hold.action.domain}",
        iat=now,
        nbf=now,
        exp=now + timedelta(seconds=60),
        nonce=clock.new_nonce(),
    )
    return Resumed(hold=hold, cause="HOLDS:1", confirmed=True, grant=grant)


@pytest.mark.parametrize("by", ["no passkey", "a key of the thief's own", "a yes to another card"])
async def test_with_the_gates_stolen_key_nothing_runs_that_no_passkey_signed(
    strict: Everybody, stack: AsyncExitStack, by: str
) -> None:
    card, _, mark = await strict.asked()
    other, honest, honest_mark = await strict.asked()
    hold = (await strict.eyes.facts(card.hold_id))[-1].hold
    voice = Voice(person="ann", method=Method.PASSKEY, at=clock.now(), linked=True)
    if by != "no passkey":
        key = strict.key if by == "a yes to another card" else SecurityKey(origin=strict.key.origin)
        signed = other if by == "a yes to another card" else card
        proof = proof_by(key, yes_to(signed))
        evidence = PasskeyEvidence(
            assertion=proof.assertion,
            nonce=proof.nonce,
            public_key=key.public_key,
            origin=key.origin,
        )
        voice = replace(voice, passkey=evidence)
    await put_as_the_gate(strict.road, stack, forged(hold, voice))

    async def refused() -> bool:
        runs = await strict.eyes.runs(card.hold_id)
        return any(isinstance(it, Finished) and "no_passkey" in it.error for it in runs)

    await eventually(refused)
    assert strict.road.runs_of(mark) == 0
    told = await sends(strict.ann, other, proof_by(strict.key, yes_to(other)))
    assert told.status is Status.APPROVED
    await strict.robot.hears(honest, Status.DONE)
    assert strict.road.runs_of(honest_mark) == 1


async def test_a_yes_to_a_sentence_stands_for_no_call_that_takes_a_signed_yes(
    strict: Everybody,
) -> None:
    """A passkey signed the sentence's hold: people sign the call's own."""
    mark = fresh("mark")
    command = f"echo ran >> {mark}"
    said = await strict.robot.say(
        f"Execute: {command}",
        metadata=IntentClaim(confirmation_required=True, risk_level=RiskLevel.HIGH),
        action_detail={"type": "run_command", "command": command},
    )
    sentence = await strict.ann.card((await strict.robot.pending(said)).hold_id)
    await sends(strict.ann, sentence, proof_by(strict.key, yes_to(sentence)))
    await strict.robot.hears(said, Status.CONFIRMED)

    call = await strict.robot.propose("run_command", {"command": command}, intent=sentence.hold_id)
    card = await strict.ann.card((await strict.robot.pending(call)).hold_id)
    assert f"Execute: {command}" in card.ui.message
    await sends(strict.ann, card, proof_by(strict.key, yes_to(card)))
    await strict.robot.hears(call, Status.DONE)
    assert strict.road.runs_of(mark) == 1


async def put_as_the_gate(road: Road, stack: AsyncExitStack, fact: Resumed) -> None:
    """With its key, and its right on the bus."""
    client = await Guests(road=road, stack=stack).client("gate")
    folder = road.settings.keys_dir
    subject = hold_subject(fact)
    body = encode_event(
        fact, event_id="e1", source="thief", subject=subject, at=clock.now(), salt="00"
    )
    header = Signer(folder, "gate", Keyset(folder)).sign(body)
    js = jetstream(client, road.login("gate"))
    await js.publish(subject, body, headers={SIGNATURE_HEADER: header})
