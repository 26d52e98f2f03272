"""STATE: the last message on a subject is what holds. Read from the leader, or not at all."""

from dataclasses import dataclass

from holdpoint.messages.state import CURRENT, KillState, PolicyState
from holdpoint.messages.subjects import STATE, Address, at_state
from holdpoint.runtime.journal import Journal, Revision

KILL = "kill"
POLICY = "policy"


@dataclass(frozen=True, kw_only=True)
class Kills:
    """The kill switch as it stands, and the revision to write after."""

    state: KillState
    revision: Revision


@dataclass(frozen=True, kw_only=True)
class Adopted:
    """The policy in force, if one was ever adopted, and the revision to write after."""

    state: PolicyState | None
    revision: Revision


class States:
    """The pieces of state that gates share."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    async def kills(self) -> Kills:
        """How the kill switch stands; it is off before it was ever thrown."""
        stored = await self._journal.last(STATE, self._at(KILL).subject)
        if stored is not None and isinstance(stored.message, KillState):
            return Kills(state=stored.message, revision=stored.seq)
        return Kills(state=KillState(stopped={}, by="", cause=""), revision=0)

    async def set_kills(self, state: KillState, after: Revision) -> None:
        """Throw it or take it back."""
        await self._journal.append(state, self._at(KILL), after)

    async def adopted(self) -> Adopted:
        """Which policy is in force."""
        stored = await self._journal.last(STATE, self._at(POLICY).subject)
        if stored is not None and isinstance(stored.message, PolicyState):
            return Adopted(state=stored.message, revision=stored.seq)
        return Adopted(state=None, revision=0)

    async def adopt(self, state: PolicyState, after: Revision) -> None:
        """Put a policy in force."""
        await self._journal.append(state, self._at(POLICY), after)

    def _at(self, kind: str) -> Address:
        return at_state(self._journal.tenant, kind, CURRENT)
