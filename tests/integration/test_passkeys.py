"""Passkeys on the running system: the gate verifies that one signed just this answer."""

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.actors import AgentVoice, Call, Guests, PersonVoice, StreamEyes
from tests.passkeys import PRESENT, SecurityKey, add_passkey, proof_by, sends, yes_to
from tests.running_system import Road, running
from tests.step_up import WRONG, Phone, enrol, say_yes
from tests.waiting import eventually

from holdpoint.core.digest import passkey_challenge
from holdpoint.messages.answer import Choice, Proof
from holdpoint.messages.card import Card
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
from holdpoint.messages.run import Finished
from holdpoint.messages.state import RemoveStepUp
from holdpoint.messages.subjects import hold_subject
from holdpoint.runtime.broker.connection import jetstream
from holdpoint.runtime.process import clock
from holdpoint.runtime.security.keys import SIGNATURE_HEADER, Keyset, Signer, load_seal_key
from holdpoint.runtime.security.passkeys import verified

pytestmark = [pytest.mark.nats, pytest.mark.timeout(180)]


@dataclass(frozen=True, kw_only=True)
class Everybody:
    """Who uses a system on which a yes takes a passkey."""

    road: Road
    robot: AgentVoice
    ann: PersonVoice
    eyes: StreamEyes
    phone: Phone
    key: SecurityKey

    @property
    def seal_key(self) -> str:
        """What is sealed with it, only the gate reads."""
        return load_seal_key(self.road.settings.keys_dir)

    async def asked(self) -> tuple[Card, Call, str]:
        """A card that waits, its call, and the file that a run leaves its mark in."""
        mark, call = await self.robot.command()
        return await self.ann.card((await self.robot.pending(call)).hold_id), call, mark

    async def voice(self, card: Card) -> Voice:
        """The only voice of a hold that went on."""
        resumed = (await self.eyes.facts(card.hold_id))[-1]
        assert isinstance(resumed, Resumed)
        (voice,) = resumed.hold.voices
        return voice


@pytest.fixture
async def stack() -> AsyncIterator[AsyncExitStack]:
    async with AsyncExitStack() as stack:
        yield stack


def passkey(policy: str) -> str:
    return policy.replace("proofs: [chat]", "proofs: [passkey]", 1)


def both(policy: str) -> str:
    return policy.replace("proofs: [chat]", "proofs: [passkey, totp]\n    every_proof: true", 1)


@pytest.fixture
async def ready(tmp_path: Path, stack: AsyncExitStack, request: pytest.FixtureRequest) -> Everybody:
    """Ann has one-time codes and a passkey."""
    return await everybody_ready(tmp_path, stack, getattr(request, "param", passkey))


async def everybody_ready(
    tmp_path: Path, stack: AsyncExitStack, change: Callable[[str], str]
) -> Everybody:
    """The same, on a system of its own."""
    road = await stack.enter_async_context(running(tmp_path, change, own={}, console=True))
    guests = Guests(road=road, stack=stack)
    everybody = Everybody(
        road=road,
        robot=await guests.agent(),
        ann=await guests.person(),
        eyes=await guests.eyes(),
        phone=Phone(),
        key=SecurityKey(origin=road.settings.console_url),
    )
    phone, ann, seal_key = everybody.phone, everybody.ann, everybody.seal_key
    assert (await enrol(ann, phone, seal_key)).status is Status.DONE
    code = await phone.code()
    assert (await add_passkey(ann, everybody.key, code, seal_key)).status is Status.DONE
    return everybody


@pytest.fixture
async def strict(
    tmp_path: Path, stack: AsyncExitStack, monkeypatch: pytest.MonkeyPatch
) -> Everybody:
    """Every command is of a level at which workers verify passkeys themselves."""
    monkeypatch.setenv("HP_PASSKEY_FROM_LEVEL", "3")
    return await everybody_ready(tmp_path, stack, passkey)


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


async def test_a_yes_that_a_passkey_signed_counts_and_anybody_can_verify_it(
    ready: Everybody,
) -> None:
    card, call, mark = await ready.asked()

    assert (await ready.ann.proceed(card)).code == "proof_missing"
    told = await sends(ready.ann, card, proof_by(ready.key, yes_to(card)))

    assert told.status is Status.APPROVED, told
    await ready.robot.hears(call, Status.DONE)
    assert ready.road.runs_of(mark) == 1
    voice = await ready.voice(card)
    assert (voice.method, voice.linked) == (Method.PASSKEY, True)
    proof = voice.passkey
    assert proof is not None
    challenge = passkey_challenge(yes_to(card), proof.nonce)
    assert verified(proof.assertion, challenge, proof.origin, proof.public_key, 0) == 1


async def test_what_no_passkey_signed_just_so_counts_for_nothing(ready: Everybody) -> None:
    card, _, mark = await ready.asked()
    other, *_ = await ready.asked()
    said, key = yes_to(card), ready.key
    forged = proof_by(key, said)
    bogus = str(forged.assertion["response"]["authenticatorData"])
    stranger, elsewhere = SecurityKey(origin=key.origin), replace_origin(key, "http://localhost:1")
    bad: dict[str, Proof] = {
        "bogus signature": changed(forged, "signature", bogus),
        "no signature": changed(forged, "signature", ""),
        "no user verification": proof_by(with_flags(key, PRESENT), said),
        "nobody there": proof_by(with_flags(key, 0), said),
        "other origin": proof_by(elsewhere, said),
        "other party": proof_by(with_party(key, "evil.example"), said),
        "other action": proof_by(key, replace(said, digest=other.digest)),
        "other card": proof_by(key, replace(said, render_digest=other.render_digest)),
        "other hold": replace(proof_by(key, yes_to(other)), hold_id=card.hold_id),
        "a no": proof_by(key, replace(said, answer=Choice.CANCEL)),
        "other nonce": replace(proof_by(key, said), nonce="0" * 32),
        "another's key": proof_by(stranger, said),
        "no assertion at all": replace(forged, assertion={"id": forged.assertion["id"]}),
    }

    told = {name: (await sends(ready.ann, card, proof)).code for name, proof in bad.items()}

    assert [name for name, code in told.items() if not code] == []
    assert told == dict.fromkeys(bad, "passkey_wrong")
    assert ready.road.runs_of(mark) == 0
    assert (await sends(ready.ann, card, proof_by(key, said))).status is Status.APPROVED


async def test_what_a_passkey_signed_counts_once(ready: Everybody) -> None:
    card, call, _ = await ready.asked()
    other, *_ = await ready.asked()
    proof = proof_by(ready.key, yes_to(card))

    assert (await sends(ready.ann, card, proof)).status is Status.APPROVED
    await ready.robot.hears(call, Status.DONE)

    assert (await sends(ready.ann, card, proof)).code == "already_closed"
    assert (await sends(ready.ann, other, proof)).code == "bad_proof"
    moved = replace(proof, hold_id=other.hold_id)
    assert (await sends(ready.ann, other, moved)).code == "passkey_wrong"


async def test_a_key_that_counts_backwards_was_copied(ready: Everybody) -> None:
    (card, *_), (other, *_) = await ready.asked(), await ready.asked()
    ready.key.count = 40
    assert (await sends(ready.ann, card, proof_by(ready.key, yes_to(card)))).status is (
        Status.APPROVED
    )

    ready.key.count = 7
    assert (await sends(ready.ann, other, proof_by(ready.key, yes_to(other)))).code == (
        "passkey_wrong"
    )


@pytest.mark.parametrize("ready", [both], indirect=True)
async def test_where_every_proof_is_asked_for_one_is_not_enough(ready: Everybody) -> None:
    card, *_ = await ready.asked()
    said, key = yes_to(card), ready.key

    assert (await say_yes(ready.ann, card, WRONG)).code == "proof_missing"
    assert (await sends(ready.ann, card, proof_by(key, said))).code == "proof_missing"
    assert (await sends(ready.ann, card, proof_by(key, said, WRONG))).code == "code_wrong"
    stranger = SecurityKey(origin=key.origin)
    code = await ready.phone.code()
    assert (await sends(ready.ann, card, proof_by(stranger, said, code))).code == "passkey_wrong"
    assert (await sends(ready.ann, card, proof_by(key, said, code))).status is Status.APPROVED

    assert (await ready.voice(card)).methods == (Method.PASSKEY, Method.TOTP, Method.CHAT)


async def test_a_passkey_is_added_with_a_code_by_its_owner_and_goes_with_them(
    ready: Everybody, stack: AsyncExitStack
) -> None:
    ben, key = await Guests(road=ready.road, stack=stack).person("ben"), ready.key
    seal_key, phone = ready.seal_key, Phone()
    fresh = SecurityKey(origin=key.origin)
    assert (await add_passkey(ben, fresh, WRONG, seal_key)).code == "no_codes"
    await enrol(ben, phone, seal_key)

    assert (await add_passkey(ben, fresh, WRONG, seal_key)).code == "code_wrong"
    code = await phone.code()
    assert (await add_passkey(ben, fresh, code, seal_key, whose="ann")).code == "bad_passkey"
    weak = with_flags(SecurityKey(origin=key.origin), PRESENT)
    assert (await add_passkey(ben, weak, code, seal_key)).code == "bad_passkey"
    elsewhere = SecurityKey(origin="http://localhost:1")
    assert (await add_passkey(ben, elsewhere, code, seal_key)).code == "bad_passkey"
    assert (await add_passkey(ben, fresh, code, seal_key)).status is Status.DONE
    seq = await ready.ann.order(RemoveStepUp(person="ben", reason="lost"), "step_up")
    assert (await ready.ann.told(seq)).status is Status.DONE

    card, *_ = await ready.asked()
    assert (await sends(ben, card, proof_by(fresh, yes_to(card)))).code == "passkey_wrong"


def changed(proof: Proof, part: str, value: str) -> Proof:
    """The proof with one part of its response replaced."""
    response = {**proof.assertion["response"], part: value}
    return replace(proof, assertion={**proof.assertion, "response": response})


def with_flags(key: SecurityKey, flags: int) -> SecurityKey:
    """The same key, of a device that says less about its person."""
    return SecurityKey(origin=key.origin, count=1000, flags=flags, _id=key._id, _key=key._key)


def with_party(key: SecurityKey, party: str) -> SecurityKey:
    """The same key, used for another party."""
    return SecurityKey(origin=key.origin, count=1000, party=party, _id=key._id, _key=key._key)


def replace_origin(key: SecurityKey, origin: str) -> SecurityKey:
    """The same key, on another page."""
    return SecurityKey(origin=origin, count=1000, _id=key._id, _key=key._key)
