"""Passkeys on the running system: the gate verifies that one signed just this answer."""

from collections.abc import Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.actors import AgentVoice, Call, Guests, PersonVoice, StreamEyes
from tests.integration.cli.command_line import at_a_terminal
from tests.passkeys import PRESENT, SecurityKey, add_passkey, proof_by, sends, yes_to
from tests.running_system import Road, running
from tests.step_up import WRONG, Phone, by_passkey, enrol, say_yes, shared

from holdpoint.cli.output import ExitCode
from holdpoint.core.digest import passkey_challenge
from holdpoint.messages.answer import Choice, Proof
from holdpoint.messages.card import Card
from holdpoint.messages.envelope import Status
from holdpoint.messages.hold import Resumed, Voice
from holdpoint.messages.policy import Method
from holdpoint.messages.state import RemoveStepUp
from holdpoint.runtime.security.keys import load_seal_key
from holdpoint.runtime.security.passkeys import verified

pytestmark = [pytest.mark.nats, pytest.mark.slow, pytest.mark.timeout(180)]
pytest_plugins = ("tests.step_up_fixtures",)


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


def both(policy: str) -> str:
    return policy.replace("proofs: [chat]", "proofs: [passkey, totp]\n    every_proof: true", 1)


@pytest.fixture(scope="module")
def passkey_road(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Road]:
    """Shared by this file's tests; nobody kills a part of it."""
    yield from shared(tmp_path_factory.mktemp("passkeys"), by_passkey, console=True)


@pytest.fixture
async def ready(passkey_road: Road, stack: AsyncExitStack, somebody: str) -> Everybody:
    """Somebody has one-time codes and a passkey."""
    return await equipped(passkey_road, stack, somebody)


@pytest.fixture
async def strict(tmp_path: Path, stack: AsyncExitStack) -> Everybody:
    """The same, where a yes takes both."""
    road = await stack.enter_async_context(running(tmp_path, both, own={}, console=True))
    return await equipped(road, stack, "ann")


async def equipped(road: Road, stack: AsyncExitStack, person: str) -> Everybody:
    guests = Guests(road=road, stack=stack)
    everybody = Everybody(
        road=road,
        robot=await guests.agent(),
        ann=await guests.person(person),
        eyes=await guests.eyes(),
        phone=Phone(),
        key=SecurityKey(origin=road.settings.console_url),
    )
    phone, ann, seal_key = everybody.phone, everybody.ann, everybody.seal_key
    assert (await enrol(ann, phone, seal_key)).status is Status.DONE
    code = await phone.code()
    assert (await add_passkey(ann, everybody.key, code, seal_key)).status is Status.DONE
    return everybody


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


async def test_where_every_proof_is_asked_for_one_is_not_enough(strict: Everybody) -> None:
    ready = strict
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
    ready: Everybody, stack: AsyncExitStack, another: str
) -> None:
    ben, key = await Guests(road=ready.road, stack=stack).person(another), ready.key
    seal_key, phone = ready.seal_key, Phone()
    fresh = SecurityKey(origin=key.origin)
    assert (await add_passkey(ben, fresh, WRONG, seal_key)).code == "no_codes"
    await enrol(ben, phone, seal_key)

    assert (await add_passkey(ben, fresh, WRONG, seal_key)).code == "code_wrong"
    code = await phone.code()
    assert (
        await add_passkey(ben, fresh, code, seal_key, whose=ready.ann.name)
    ).code == "bad_passkey"
    weak = with_flags(SecurityKey(origin=key.origin), PRESENT)
    assert (await add_passkey(ben, weak, code, seal_key)).code == "bad_passkey"
    elsewhere = SecurityKey(origin="http://localhost:1")
    assert (await add_passkey(ben, elsewhere, code, seal_key)).code == "bad_passkey"
    assert (await add_passkey(ben, fresh, code, seal_key)).status is Status.DONE
    seq = await ready.ann.order(RemoveStepUp(person=another, reason="lost"), "step_up")
    assert (await ready.ann.told(seq)).status is Status.DONE

    card, *_ = await ready.asked()
    assert (await sends(ben, card, proof_by(fresh, yes_to(card)))).code == "passkey_wrong"


async def test_a_yes_that_takes_a_passkey_is_said_in_the_console(
    passkey_road: Road, ready: Everybody
) -> None:
    card, _, mark = await ready.asked()

    words = ("proceed", card.hold_id, "--as", ready.ann.name)
    with at_a_terminal(passkey_road.settings, *words) as screen:
        ended = screen.ended()

    assert (ended.code, "takes a passkey" in ended.err) == (ExitCode.FAILED.value, True)
    assert "Password" not in screen.everything
    assert passkey_road.runs_of(mark) == 0


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
