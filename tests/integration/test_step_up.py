"""One-time codes on the running system: verified by the gate, once each, with few tries."""

import asyncio
from collections import Counter
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.actors import AgentVoice, Call, Guests, PersonVoice, StreamEyes
from tests.conftest import Connect
from tests.gate_context import a_gate
from tests.payment_system import another_gate
from tests.running_system import LONG_S, Road, running
from tests.step_up import WRONG, Phone, answer, by_code, enrol, say_yes
from tests.waiting import eventually
from tests.world import World

from holdpoint.core.step_up import MOST_AN_HOUR, MOST_ON_A_HOLD
from holdpoint.gate.step_up_orders import keep_knowing
from holdpoint.messages import subjects as s
from holdpoint.messages.answer import Choice, Proof
from holdpoint.messages.card import Card
from holdpoint.messages.codec import encode
from holdpoint.messages.envelope import Status
from holdpoint.messages.hold import Resumed
from holdpoint.messages.policy import Method
from holdpoint.messages.state import RemoveStepUp, StepUpState
from holdpoint.runtime.process.crash import VARIABLE
from holdpoint.runtime.security.keys import load_seal_key, seal
from holdpoint.runtime.security.one_time_codes import new_secret

pytestmark = [pytest.mark.nats, pytest.mark.timeout(180)]
pytest_plugins = ("tests.step_up_fixtures",)

AT_ONCE = 50
_SAID = (s.ADMIN, s.ANSWERS, s.STATE, s.HOLDS)


@dataclass(frozen=True, kw_only=True)
class Everybody:
    """Who uses a system on which every yes takes a one-time code."""

    road: Road
    robot: AgentVoice
    ann: PersonVoice
    ben: PersonVoice
    eyes: StreamEyes

    @property
    def seal_key(self) -> str:
        """What is sealed with it, only the gate reads."""
        return load_seal_key(self.road.settings.keys_dir)

    async def asked(self) -> tuple[Card, Call, str]:
        """A card that waits, its call, and the file that a run leaves its mark in."""
        mark, call = await self.robot.command()
        return await self.ann.card((await self.robot.pending(call)).hold_id), call, mark


@pytest.fixture
async def new(code_road: Road, stack: AsyncExitStack, somebody: str, another: str) -> Everybody:
    """The shared system, with two who have set up nothing."""
    return await everybody(code_road, stack, somebody, another)


@pytest.fixture
async def own(tmp_path: Path, stack: AsyncExitStack) -> Everybody:
    """A system of a test's own, which it may kill, with nobody enrolled."""
    road = await stack.enter_async_context(running(tmp_path, by_code, own={}))
    return await everybody(road, stack, "ann", "ben")


async def everybody(road: Road, stack: AsyncExitStack, ann: str, ben: str) -> Everybody:
    guests = Guests(road=road, stack=stack)
    return Everybody(
        road=road,
        robot=await guests.agent("noisy"),
        ann=await guests.person(ann),
        ben=await guests.person(ben),
        eyes=await guests.eyes(),
    )


async def test_a_yes_counts_with_a_code_and_only_then(new: Everybody) -> None:
    before = {kind: len(await new.eyes.on(kind, ">")) for kind in _SAID}
    card, call, mark = await new.asked()
    phone = Phone()
    assert (card.proofs, card.every_proof) == ((Method.TOTP,), False)

    assert (await new.ann.proceed(card)).code == "proof_missing"
    assert (await say_yes(new.ann, card, WRONG)).code == "no_codes"
    assert (await enrol(new.ann, phone, new.seal_key)).status is Status.DONE
    code = await phone.code()
    assert (await say_yes(new.ann, card, code)).status is Status.APPROVED
    assert (await new.robot.hears(call, Status.DONE)).status is Status.DONE

    assert new.road.runs_of(mark) == 1
    resumed = (await new.eyes.facts(card.hold_id))[-1]
    assert isinstance(resumed, Resumed)
    (voice,) = resumed.hold.voices
    assert (voice.person, voice.method, voice.linked) == (new.ann.name, Method.TOTP, False)
    assert voice.evidence_digest
    for kind, count in before.items():
        said = b"".join(it.data for it in (await new.eyes.on(kind, ">"))[count:])
        assert said
        assert code.encode() not in said
        assert phone.secret.encode() not in said


@pytest.mark.slow
async def test_a_code_replayed_fifty_times_at_once_counts_once(new: Everybody) -> None:
    phone = Phone()
    await enrol(new.ann, phone, new.seal_key)
    asked = await asyncio.gather(*(new.asked() for _ in range(AT_ONCE)))
    code = await phone.code()

    async with another_gate(new.road):
        seqs = await asyncio.gather(*(answer(new.ann, card, code) for card, *_ in asked))
        told = await asyncio.gather(
            *(new.ann.heard(card, seq) for (card, *_), seq in zip(asked, seqs, strict=True))
        )
        once = Counter(it.code for it in told)
        card, *_ = await new.asked()
        code = await phone.code()
        after = await asyncio.gather(*(say_yes(new.ann, card, code) for _ in range(AT_ONCE)))

    assert once == {"": 1, "code_used": AT_ONCE - 1}
    assert Counter(it.code for it in after)[""] == 1
    assert {it.code for it in after} <= {"", "already_closed", "second_voice", "code_used"}

    async def ran_once() -> bool:
        return sum(new.road.runs_of(mark) for *_, mark in asked) == 1

    await eventually(ran_once)


async def test_five_wrong_codes_end_a_persons_say_on_this_hold(new: Everybody) -> None:
    ann, ben = Phone(), Phone()
    await enrol(new.ann, ann, new.seal_key)
    await enrol(new.ben, ben, new.seal_key)
    (card, _, mark), (other, call, _) = await new.asked(), await new.asked()

    told = await asyncio.gather(*(say_yes(new.ann, card, WRONG) for _ in range(AT_ONCE)))

    wrong = Counter(it.code for it in told)
    assert wrong == {"code_wrong": MOST_ON_A_HOLD, "tries_over": AT_ONCE - MOST_ON_A_HOLD}
    code = await ann.code()
    assert (await say_yes(new.ann, card, code)).code == "tries_over"
    assert (await say_yes(new.ann, other, code)).status is Status.APPROVED
    assert (await new.robot.hears(call, Status.DONE)).status is Status.DONE
    assert (await new.ann.cancel(card)).status is Status.CANCELLED
    assert new.road.runs_of(mark) == 0


@pytest.mark.slow
async def test_ten_wrong_codes_lock_the_person_also_after_a_restart(own: Everybody) -> None:
    ann, ben = Phone(), Phone()
    await enrol(own.ann, ann, own.seal_key)
    await enrol(own.ben, ben, own.seal_key)
    cards = [card for card, *_ in [await own.asked() for _ in range(4)]]
    for at in range(MOST_AN_HOUR):
        told = await say_yes(own.ann, cards[at % 3], WRONG)
        assert told.code == "code_wrong"

    code = await ann.code()
    assert (await say_yes(own.ann, cards[3], code)).code == "locked"
    assert (await enrol(own.ann, Phone(), own.seal_key, code)).code == "locked"
    own.road.supervisor.kill("gate")
    own.road.supervisor.start("gate")
    await own.road.supervisor.ready("gate")
    assert (await say_yes(own.ann, cards[3], code)).code == "locked"
    assert (await say_yes(own.ben, cards[3], await ben.code())).status is Status.APPROVED


@pytest.mark.slow
async def test_codes_are_set_up_anew_only_with_an_old_one_or_once_an_admin_agreed(
    own: Everybody,
) -> None:
    first, second, third = Phone(), Phone(), Phone()
    assert (await enrol(own.ben, first, own.seal_key)).status is Status.DONE

    assert (await enrol(own.ben, second, own.seal_key)).code == "old_code_missing"
    assert (await enrol(own.ben, second, own.seal_key, WRONG)).code == "code_wrong"
    assert (await enrol(own.ben, Phone(), own.seal_key, await first.code())).status is Status.DONE
    removal = await own.ann.order(RemoveStepUp(person="ann"), "step_up")
    assert (await own.ann.told(removal)).code == "own_step_up"
    seq = await own.ann.order(RemoveStepUp(person="ben", reason="lost"), "step_up")
    assert (await own.ann.told(seq)).status is Status.DONE
    card, *_ = await own.asked()
    assert (await say_yes(own.ben, card, WRONG)).code == "no_codes"
    assert (await enrol(own.ben, third, own.seal_key)).status is Status.DONE
    assert (await say_yes(own.ben, card, await third.code())).status is Status.APPROVED


async def test_nobody_sets_up_codes_of_another_or_a_weak_secret(
    new: Everybody, stack: AsyncExitStack
) -> None:
    weak = new_secret()[:24]
    for phone, whose in ((Phone(), new.ann.name), (Phone(secret=weak), new.ben.name)):
        assert (await enrol(new.ben, phone, new.seal_key, whose=whose)).code == "bad_secret"
    ben = await Guests(road=new.road, stack=stack).person("ben")
    removal = await ben.publish(s.admin_subject("acme", "ben", "totp"), RemoveStepUp(person="ann"))
    assert (await ben.told(removal)).code == "not_an_admin"


async def test_a_proof_for_one_hold_is_none_for_another(new: Everybody) -> None:
    phone = Phone()
    await enrol(new.ann, phone, new.seal_key)
    (card, *_), (other, *_) = await new.asked(), await new.asked()
    code = await phone.code()
    stolen = seal(
        card.seal_key, encode(Proof(method=Method.TOTP, hold_id=other.hold_id, code=code))
    )

    seq = await new.ann.answer(card, Choice.PROCEED, proof=stolen)

    assert (await new.ann.heard(card, seq)).code == "bad_proof"
    assert (await say_yes(new.ann, other, code)).status is Status.APPROVED


async def test_an_answer_that_does_not_count_spends_no_code(new: Everybody) -> None:
    phone = Phone()
    await enrol(new.ann, phone, new.seal_key)
    card, *_ = await new.asked()
    code = await phone.code()
    seq = await new.ann.answer(
        replace(card, render_digest="another"), Choice.PROCEED,
        proof=seal(card.seal_key, encode(Proof(
            method=Method.TOTP, hold_id=card.hold_id, code=code
        ))),
    )  # fmt: skip

    assert (await new.ann.heard(card, seq)).code == "other_render"
    assert (await say_yes(new.ann, card, code)).status is Status.APPROVED


@pytest.mark.slow
@pytest.mark.parametrize("step", ["publish.step_up_state.after", "publish.resolve.before"])
async def test_a_code_that_was_spent_by_a_gate_that_died_counts_for_its_own_answer(
    own: Everybody, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    phone = Phone()
    await enrol(own.ann, phone, own.seal_key)
    (card, call, mark), (other, *_) = await own.asked(), await own.asked()
    code = await phone.code()
    own.road.supervisor.kill("gate")
    with monkeypatch.context() as armed:
        armed.setenv(VARIABLE, f"{step}:1")
        own.road.supervisor.start("gate")
    await own.road.supervisor.ready("gate")

    seq = await answer(own.ann, card, code)

    async def dead() -> bool:
        return "gate" in own.road.supervisor.dead()

    await eventually(dead)
    own.road.supervisor.start("gate")
    await own.road.supervisor.ready("gate")
    assert (await say_yes(own.ann, other, code)).code == "code_used"
    assert (await own.ann.heard(card, seq)).status is not Status.REFUSED
    assert (await own.robot.hears(call, Status.DONE, within_s=2 * LONG_S)).status is Status.DONE
    assert own.road.runs_of(mark) == 1


async def test_a_gate_knows_what_another_gate_set_up(world: World, connected: Connect) -> None:
    gate, other = await a_gate(world, connected), await a_gate(world, connected)
    knows = asyncio.create_task(keep_knowing(gate))

    async def known() -> bool:
        return gate.enrolled.get("ann") == frozenset({Method.TOTP})

    try:
        codes = StepUpState(sealed="sealed", by="ann", cause="ADMIN:1")
        after = (await other.states.step_up("ann")).revision
        await other.states.set_step_up("ann", codes, after)
        await eventually(known)
    finally:
        knows.cancel()
    assert gate.enrolled["ben"] == frozenset()
