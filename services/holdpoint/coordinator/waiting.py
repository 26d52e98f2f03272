"""What of a person's waits for an answer, as far as is known: it only makes "cancel" ask back.

It is a hint that a restart forgets; the conversation so far may say the same.
"""

from dataclasses import dataclass, field

from holdpoint.client import Holdpoint, HoldpointError
from holdpoint.coordinator.calls import WAITS
from holdpoint.messages.request import AgentRequest, AgentResponse, Speaker

MOST_PEOPLE = 1_000
MOST_HOLDS = 8


@dataclass(eq=False, kw_only=True)
class Waiting:
    """Holds that waited when their request was answered, by person."""

    _holds: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def remember(self, user_id: str, response: AgentResponse, waiting: tuple[str, ...]) -> None:
        """Keep what an answer says is waiting."""
        if not waiting or not response.tool_calls:
            return
        known = (*self._holds.pop(user_id, ()), *waiting)
        self._holds[user_id] = tuple(dict.fromkeys(known))[-MOST_HOLDS:]
        while len(self._holds) > MOST_PEOPLE:
            del self._holds[next(iter(self._holds))]

    async def is_any(self, hp: Holdpoint, request: AgentRequest) -> bool:
        """Return whether something of the person waits, or the conversation says so."""
        said = [it for it in request.conversation_history if it.role is Speaker.ASSISTANT]
        if said and WAITS in said[-1].content:
            return True
        for hold_id in self._holds.get(request.user_id, ()):
            try:
                if (await hp.outcome(hold_id)).is_pending:
                    return True
            except HoldpointError:
                return True  # nobody can tell: asking back does no harm
        self._holds.pop(request.user_id, None)
        return False
