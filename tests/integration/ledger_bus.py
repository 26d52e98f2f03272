"""Builder: the streams, as messages fill them."""

from datetime import UTC, datetime, timedelta
from typing import TypeVar

from holdpoint.ledger.entries import Entry
from holdpoint.messages import answer, run, subjects
from holdpoint.messages.base import Message
from holdpoint.messages.codec import encode_event
from holdpoint.messages.hold import AnyHoldFact, Hold

T = TypeVar("T")

TENANT = "acme"
AGENT = "ops-agent"
DOMAIN = "database"
EPOCH = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)
RENDER = "r" * 64
SIGNED = "gate-1 c2lnbmF0dXJl"


class Bus:
    """The streams, as they fill: each message one second after the one before."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self._seqs: dict[str, int] = {}

    @property
    def now(self) -> datetime:
        return EPOCH + timedelta(seconds=len(self.entries))

    @property
    def last_cause(self) -> str:
        return self.entries[-1].cause

    def say(self, kind: str, subject: str, message: Message, signature: str | None) -> Entry:
        number = len(self.entries)
        body = encode_event(
            message,
            event_id=f"e{number}",
            source=f"holdpoint/{TENANT}",
            subject=subject,
            at=self.now,
            salt=f"{number:032x}",
        )
        return self.store(kind, subject, body, signature)

    def store(self, kind: str, subject: str, body: bytes, signature: str | None = None) -> Entry:
        stream = subjects.stream(TENANT, kind)
        self._seqs[stream] = self._seqs.get(stream, 0) + 1
        entry = Entry(
            stream=stream,
            seq=self._seqs[stream],
            subject=subject,
            at=self.now,
            body=body,
            signature=signature,
        )
        self.entries.append(entry)
        return entry

    def call(self, message: Message, word: str, agent: str = AGENT) -> Entry:
        return self.say("CALLS", subjects.call_subject(TENANT, agent, word), message, None)

    def fact(self, fact: AnyHoldFact) -> Hold:
        self.say("HOLDS", subjects.hold_subject(fact), fact, SIGNED)
        return fact.hold

    def answer(
        self,
        about: Hold,
        person: str,
        choice: answer.Choice,
        seat: str = "",
        seconds_shown: float = 0.0,
    ) -> Entry:
        said = answer.Answer(
            hold_id=about.hold_id,
            digest=about.digest,
            render_digest=RENDER,
            answer=choice,
            seconds_shown=seconds_shown,
            on_behalf_of=seat,
        )
        subject = subjects.answer_subject(TENANT, "console", person, AGENT, about.hold_id)
        return self.say("ANSWERS", subject, said, None)

    def run(self, fact: run.RunFact, domain: str = DOMAIN) -> Entry:
        return self.say("RUNS", subjects.run_subject(TENANT, domain, AGENT, fact), fact, SIGNED)
