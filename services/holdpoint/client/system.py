"""`system`: what seed 002's tools call, on whatever connection this event loop has open."""

import asyncio
from collections.abc import Mapping
from typing import Any, Unpack

from holdpoint.client.errors import SetupError
from holdpoint.client.holdpoint import Holdpoint, connected
from holdpoint.client.words import Said
from holdpoint.messages.risk import RiskLevel


class System:
    """The confirmation as a capability of the system: no tool needs to hold a connection."""

    async def request_confirmation(
        self,
        message: str,
        risk_level: RiskLevel | str,
        action_detail: Mapping[str, Any],
        **said: Unpack[Said],
    ) -> bool:
        """Ask people for a yes: `Holdpoint.request_confirmation` on the connection that is open.

        Raises SetupError unless exactly one is: no agent asks under another one's name.
        """
        hp = _the_open_one()
        return await hp.request_confirmation(message, risk_level, action_detail, **said)


system = System()


def _the_open_one() -> Holdpoint:
    here = [hp for hp in connected if hp.loop is asyncio.get_running_loop()]
    if len(here) == 1:
        return here[0]
    names = ", ".join(sorted(hp.agent for hp in here))
    raise SetupError(
        f"Several connections are open ({names}): call request_confirmation on the one you mean."
        if here
        else "No connection is open here: async with Holdpoint.connect(agent=...) around it."
    )
