"""What of a person's waits for an answer, as far as is known: it only makes "cancel" ask back.

It is a hint that a restart forgets; the conversation so far may say the same.
"""

from dataclasses import dataclass, field

from holdpoint.client import Holdpoint, HoldpointError
from holdpoint.coordinator.calls import WAITS
from holdpoint.messages.request import AgentRequest, AgentResponse, Speaker

MOST_PEOPLE = 1_000
MANY_HOLDS = 8
"""Of one person; above that, those that wait no longer are looked for and forgotten."""


@dataclass(eq=False, kw_only=True)
class Waiting:
    """Holds that waited when their request was answered, by person."""

    _holds: dict[str, tuple[str, ...]] = field(default_factory=dict)

    async def remember(
        self, hp: Holdpoint, user_id: str, response: AgentResponse, waiting: tuple[str, ...]
    ) -> None:
        """Keep what an answer says is waiting; what may still wait is never forgotten for room."""
        if not waiting or not response.tool_calls:
            return
        known = tuple(dict.fromkeys((*self._holds.pop(user_id, ()), *waiting)))
        self._holds[user_id] = known
        while len(self._holds) > MOST_PEOPLE:
            del self._holds[next(iter(self._holds))]
        if len(known) > MANY_HOLDS:
            over = {it for it in known if not await _may_wait(hp, it)}
            left = tuple(it for it in self._holds.get(user_id, ()) if it not in over)
            self._holds[user_id] = left

    async def is_any(self, hp: Holdpoint, request: AgentRequest) -> bool:
        """Return whether something of the person waits, or the conversation says so."""
        said = [it for it in request.conversation_history if it.role is Speaker.ASSISTANT]
        if said and WAITS in said[-1].content:
            return True
        for hold_id in self._holds.get(request.user_id, ()):
            if await _may_wait(hp, hold_id):
                return True
        self._holds.pop(request.user_id, None)
        return False


async def _may_wait(hp: Holdpoint, hold_id: str) -> bool:
    """Return whether a hold waits, or nobody can tell: asking back does no harm."""
    try:
        return (await hp.outcome(hold_id)).is_pending
    except HoldpointError:
        return True
