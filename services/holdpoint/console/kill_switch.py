"""The kill switch as an admin throws it in the browser, in their own name and like an answer."""

from dataclasses import dataclass

from holdpoint.console.answering import Answering
from holdpoint.console.sessions import Session
from holdpoint.messages.base import Value
from holdpoint.messages.envelope import Envelope, Status
from holdpoint.messages.state import EVERYONE, Kill
from holdpoint.runtime.config.registry import load_registry
from holdpoint.runtime.errors import SetupError, UnavailableError, UnknownOutcomeError

LANE = "kill"


class Ordered(Value, frozen=True, kw_only=True):
    """Outcome of an order, for the page."""

    text: str
    carried_out: bool = False


@dataclass(frozen=True, kw_only=True)
class KillSwitch:
    """Sends kill orders."""

    answering: Answering

    def agents(self) -> tuple[str, ...]:
        """Return the agents that can be stopped by name; none while agents.yaml is faulty."""
        try:
            return tuple(it.name for it in load_registry(self.answering.settings.config_dir).agents)
        except SetupError:
            return ()

    async def order(self, session: Session, page_half: str, order: Kill) -> Ordered:
        """Send the order with the key that this session opens, and wait until a gate did it."""
        try:
            seed = session.seed(page_half)
        except SetupError:
            return Ordered(text="This page was not logged in here. Log out, and log in again.")
        try:
            person = await self.answering.connect(session.person, seed, session.user)
            try:
                if not self.answering.sessions.is_good(session):
                    return Ordered(text="You are not logged in any more. Log in again.")
                seq = await person.order(order, LANE)
                return _outcome(order, await person.heard(seq))
            finally:
                await person.close()
        except UnknownOutcomeError:
            return Ordered(text="The broker did not acknowledge the order. Give it again.")
        except UnavailableError:
            return Ordered(text=_LATER)
        except SetupError as error:
            return Ordered(text=str(error))


def _outcome(order: Kill, answer: Envelope) -> Ordered:
    whom = "every agent" if order.agent == EVERYONE else order.agent
    match answer.status:
        case Status.DONE if order.on:
            return Ordered(text=f"Stopped: {whom}. {_STOPPED}", carried_out=True)
        case Status.DONE:
            return Ordered(text=f"The stop is taken back for {whom}.", carried_out=True)
        case Status.REFUSED:
            return Ordered(text=f"The order was refused. {answer.reason}")
        case _:
            return Ordered(text=_LATER)


_STOPPED = "New calls are denied, open holds are cancelled, and what has not started is barred."
_LATER = "No gate has carried the order out yet. If it was stored, a gate does so when it is back."
