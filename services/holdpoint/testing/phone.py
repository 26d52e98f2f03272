"""A test person's authenticator app: shows one-time codes, each of another half minute."""

import asyncio
from dataclasses import dataclass, field
from datetime import UTC, datetime

from holdpoint.messages.codec import encode
from holdpoint.messages.envelope import Status
from holdpoint.messages.state import EnrolTotp, TotpSecret
from holdpoint.runtime.broker.person_connection import Person
from holdpoint.runtime.errors import SetupError
from holdpoint.runtime.process import clock
from holdpoint.runtime.security.keys import seal
from holdpoint.runtime.security.one_time_codes import STEP_S, code_at, new_secret
from holdpoint.runtime.security.permissions import TOTP

SPARE_S = 5
"""How long a code is good for still when it is shown."""

LOOK_S = 0.2


@dataclass(kw_only=True)
class Phone:
    """One person's app, for as long as the world lives.

    A gate takes each code once, and of three half minutes: so two answers in a row need no wait,
    and each further one waits for the next half minute.
    """

    secret: str = field(default_factory=new_secret)
    is_set_up: bool = False
    _step: int = 0

    async def code(self) -> str:
        """Return the next code that it has not shown yet, as soon as a gate takes it."""
        self._step = max(self._step + 1, _now(SPARE_S) - 1)
        while self._step > _now(0) + 1:
            await asyncio.sleep(LOOK_S)
        return code_at(self.secret, datetime.fromtimestamp(self._step * STEP_S, UTC))

    async def set_up(self, person: Person, seal_key: str) -> None:
        """Tell the gate its secret, once."""
        if self.is_set_up:
            return
        wanted = TotpSecret(person=person.name, secret=self.secret, code=await self.code())
        order = EnrolTotp(sealed=seal(seal_key, encode(wanted)))
        told = await person.heard(await person.order(order, TOTP))
        if told.status is not Status.DONE:
            raise SetupError(f"{person.name} got no one-time codes: {told.reason or told.status}")
        self.is_set_up = True


def _now(late_s: int) -> int:
    """The half minute that it is, or will be in so many seconds."""
    return int(clock.now().timestamp() + late_s) // STEP_S
