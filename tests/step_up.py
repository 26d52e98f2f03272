"""A person's telephone for tests: it shows one-time codes, each of another half minute."""

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from tests.actors import PersonVoice
from tests.running_system import MORE_PEOPLE, Road, running
from tests.waiting import eventually

from holdpoint.messages.answer import Choice, Proof
from holdpoint.messages.card import Card
from holdpoint.messages.codec import encode
from holdpoint.messages.envelope import Envelope
from holdpoint.messages.policy import Method
from holdpoint.messages.state import EnrolTotp, TotpSecret
from holdpoint.runtime.process import clock
from holdpoint.runtime.security.keys import seal
from holdpoint.runtime.security.one_time_codes import STEP_S, code_at, new_secret

SPARE_S = 5
"""How long a code is good for still when it is shown."""

WRONG = "000000"


def by_code(policy: str) -> str:
    """Every yes takes a one-time code."""
    return policy.replace("proofs: [chat]", "proofs: [totp]", 1)


def by_passkey(policy: str) -> str:
    """Every yes takes a passkey."""
    return policy.replace("proofs: [chat]", "proofs: [passkey]", 1)


def shared(folder: Path, change: Callable[[str], str], *, console: bool) -> Iterator[Road]:
    """A road with many people, for as long as a fixture of several tests lives."""
    with asyncio.Runner() as runner:
        world = running(folder, change, own={}, console=console, more_people=MORE_PEOPLE)
        yield runner.run(world.__aenter__())
        runner.run(world.__aexit__(None, None, None))


@dataclass(kw_only=True)
class Phone:
    """An authenticator app: its clock may be half a minute fast or slow, so nobody waits long."""

    secret: str = field(default_factory=new_secret)
    _step: int = 0

    async def code(self) -> str:
        """The next code that it has not shown yet, as soon as a gate takes it."""
        self._step = max(self._step + 1, self._now(late=SPARE_S) - 1)

        async def is_taken() -> bool:
            return self._now(late=SPARE_S) - 1 <= self._step <= self._now() + 1

        await eventually(is_taken, 2 * STEP_S)
        return code_at(self.secret, datetime.fromtimestamp(self._step * STEP_S, UTC))

    def _now(self, late: int = 0) -> int:
        return int(clock.now().timestamp() + late) // STEP_S


def sealed(card: Card, code: str) -> str:
    """A proof by one-time code for this card."""
    proof = Proof(method=Method.TOTP, hold_id=card.hold_id, code=code)
    return seal(card.seal_key, encode(proof))


async def say_yes(person: PersonVoice, card: Card, code: str) -> Envelope:
    """Answer with a code, and hear whether it counted."""
    return await person.heard(card, await answer(person, card, code))


async def answer(person: PersonVoice, card: Card, code: str) -> int:
    """Answer with a code; the sequence that the broker gave it."""
    return await person.answer(card, Choice.PROCEED, proof=sealed(card, code))


async def enrol(
    person: PersonVoice, phone: Phone, seal_key: str, old_code: str = "", whose: str = ""
) -> Envelope:
    """Set up codes, as the console and the command line do."""
    secret = TotpSecret(
        person=whose or person.name, secret=phone.secret, code=await phone.code(), old_code=old_code
    )
    order = EnrolTotp(sealed=seal(seal_key, encode(secret)))
    return await person.told(await person.order(order, "totp"))
