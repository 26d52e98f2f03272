"""Evidence that a test makes up: streams as they would stand after a fault that nobody caught."""

from collections import defaultdict
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from msgspec.structs import replace
from tests import builders as b
from tests.faults.evidence import Evidence
from tests.running_system import TENANT

from holdpoint.messages import subjects as s
from holdpoint.messages.answer import Answer, Choice
from holdpoint.messages.base import Message
from holdpoint.messages.codec import encode_event
from holdpoint.messages.hold import Halted, Hold, HoldFact, Outcome, Resolved, Stage
from holdpoint.messages.state import Alarm, TimerKind
from holdpoint.runtime.security.keys import GATE, Keyset
from holdpoint.runtime.store.journal import Stored

HOLD = "h1"


class Forged(Evidence):
    """Whose signature it is stands there in plain words."""

    def is_signed(self, it: Stored, role: str) -> bool:
        return it.signature == role


@dataclass(kw_only=True)
class Streams:
    """What was said so far, in the order in which it was stored."""

    messages: defaultdict[str, list[tuple[Stored, Any]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    alarms: dict[str, Stored] = field(default_factory=dict)

    def say(
        self, kind: str, subject: str, message: Message, at: datetime = b.T0, signer: str = ""
    ) -> str:
        """Store it; its id."""
        body = encode_event(message, event_id="e", source="test", subject=subject, at=at, salt="")
        seq = len(self.messages[kind]) + 1
        it = Stored(subject=subject, data=body, signature=signer, seq=seq, at=at)
        self.messages[kind].append((it, message))
        return f"{kind}:{seq}"

    def tell(self, fact: HoldFact, at: datetime = b.T0) -> str:
        """The gate says so."""
        return self.say(s.HOLDS, s.hold_subject(fact), fact, at, GATE)

    def halt(self, hold: Hold) -> None:
        """Its first fact."""
        halted = replace(hold, stage=Stage.HALTED, voices=(), outcome=None, causes=("CALLS:1",))
        self.tell(Halted(hold=halted, cause="CALLS:1", metadata=b.METADATA))

    def answer(self, person: str, choice: Choice = Choice.PROCEED, **other: str) -> str:
        """This person presses a button."""
        hold = b.a_hold()
        given: dict[str, Any] = {
            "digest": hold.digest,
            "render_digest": b.RENDER,
            "hold_id": HOLD,
            **other,
        }
        place = s.answer_subject(TENANT, "terminal", person, hold.agent, given["hold_id"])
        return self.say(s.ANSWERS, place, Answer(answer=choice, **given))

    def ring(self, at: datetime, hold_id: str = HOLD) -> str:
        """The alarm of its deadline."""
        agent = b.a_hold().agent
        alarm = Alarm(agent=agent, hold_id=hold_id, kind=TimerKind.EXPIRE, at=at)
        subject = s.timer_subject(TENANT, "due", agent, hold_id, TimerKind.EXPIRE.value)
        seq = len(self.alarms) + 1
        body = encode_event(alarm, event_id="e", source="t", subject=subject, at=at, salt="")
        name = f"{s.TIMERS}:{seq}"
        self.alarms[name] = Stored(subject=subject, data=body, signature=GATE, seq=seq, at=at)
        return name

    def resolve(self, outcome: Outcome, cause: str, at: datetime = b.T0, **fields: Any) -> None:
        """The gate says that it ended so, and why."""
        given = {"stage": Stage.RESOLVED, "outcome": outcome, "resolved_at": at, **fields}
        hold = b.a_hold(**given)
        self.halt(hold)
        self.tell(Resolved(hold=hold, cause=cause, outcome=outcome), at)

    def evidence(self, **other: Any) -> Forged:
        """All of it, looked at long afterwards."""
        messages = {kind: self.messages[kind] for kind in s.AUDITED}
        given = {
            "messages": messages,
            "last": {kind: len(told) for kind, told in messages.items()},
            "entered": {},
            "findings": (),
            "unsigned": frozenset(),
            "broken": (),
            "effects": {},
            "logs_all": True,
            "deeds": (),
            "keyset": Keyset(Path("nowhere")),
            "at": b.DEADLINE + timedelta(hours=1),
            "alarms": self.alarms,
            "told": None,
            "hurried": {},
        }
        return Forged(**{**given, **other})
