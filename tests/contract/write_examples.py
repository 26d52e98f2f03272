"""Writes the golden examples that are missing, and never changes one that is there.

`python -m tests.contract.write_examples`: what was said in version 1 stays readable, so an example
is written once, when its type is new.
"""

import hashlib
from pathlib import Path
from typing import assert_never

import msgspec
from tests.contract.example_messages import messages
from tests.contract.example_story import AGENT, at

from holdpoint.contract.schemas import BARE, short_name
from holdpoint.core.digest import policy_digest
from holdpoint.messages import subjects
from holdpoint.messages.answer import Answer
from holdpoint.messages.base import Message
from holdpoint.messages.call import Intent, Propose, Trace, Withdraw
from holdpoint.messages.card import Card
from holdpoint.messages.codec import encode, encode_event
from holdpoint.messages.erasure import WORDS, Erased, ErasureRefused, LegalHold, Lifted, Retention
from holdpoint.messages.hold import HoldFact, Refused
from holdpoint.messages.reading import LedgerRead
from holdpoint.messages.run import Finished, RunFact, Started
from holdpoint.messages.state import (
    CURRENT,
    AdoptPolicy,
    Alarm,
    AttentionState,
    Delegate,
    DelegationState,
    DenialState,
    EnrolPasskey,
    EnrolTotp,
    FlagState,
    Kill,
    KillState,
    PermissionState,
    PolicyBody,
    PolicyState,
    RemoveStepUp,
    RevokePermission,
    SetFlag,
    StepUpState,
)

EXAMPLES = Path(__file__).parents[2] / "schemas" / "examples" / "v1"
TENANT = "acme"


def documents() -> dict[str, bytes]:
    """By short name: the document as it stands on the bus."""
    return {short_name(type(said)): _document(said, seconds) for said, seconds in messages()}


def _document(message: Message, seconds: int) -> bytes:
    if type(message) in BARE:
        return encode(message)
    made = hashlib.sha256(short_name(type(message)).encode()).hexdigest()
    return encode_event(
        message,
        event_id=f"{made[:8]}-{made[8:12]}-4{made[12:15]}-8{made[15:18]}-{made[18:30]}",
        source=_source(message),
        subject=_subject(message),
        at=at(seconds),
        salt=made[32:],
    )


def _source(message: Message) -> str:
    match message:
        case Propose() | Intent() | Withdraw() | Trace():
            return AGENT
        case Answer() | Kill() | AdoptPolicy() | EnrolTotp() | EnrolPasskey():
            return "holdpoint/console"
        case RemoveStepUp() | RevokePermission() | SetFlag() | Delegate():
            return "holdpoint/console"
        case LedgerRead() | Erased() | LegalHold() | Lifted() | Retention() | ErasureRefused():
            return "holdpoint/cli"
        case Started() | Finished():
            return "holdpoint/worker-database"
        case _:
            return "holdpoint/gate"


def _subject(message: Message) -> str:
    match message:
        case HoldFact():
            return subjects.hold_subject(message)
        case RunFact():
            return subjects.run_subject(TENANT, "database", AGENT, message)
        case Refused(principal=who, cause=cause):
            return subjects.refusal_subject(TENANT, who, cause)
        case Propose() | Intent() | Withdraw() | Trace():
            return subjects.call_subject(TENANT, AGENT, short_name(type(message)))
        case Card() | Answer() | Alarm():
            return _subject_of_a_hold(message)
        case _:
            return _subject_of_an_order(message)


def _subject_of_a_hold(message: Card | Answer | Alarm) -> str:
    hold = message.hold_id
    match message:
        case Card(group=group):
            return subjects.card_subject(TENANT, group, hold)
        case Answer():
            return subjects.answer_subject(TENANT, "console", "ann", AGENT, hold)
        case Alarm(kind=kind):
            return subjects.timer_subject(TENANT, "due", AGENT, hold, kind.value)
        case _:
            assert_never(message)


ORDERS = {
    Kill: "kill",
    AdoptPolicy: "policy",
    Delegate: "delegate",
    EnrolTotp: "totp",
    EnrolPasskey: "passkey",
    RemoveStepUp: "step_up",
    RevokePermission: "permission",
    SetFlag: "flag",
}


def _subject_of_an_order(message: Message) -> str:
    if word := ORDERS.get(type(message)):
        return subjects.admin_subject(TENANT, "ann", word)
    if isinstance(message, LedgerRead):
        return subjects.read_subject(TENANT, "cli", "ann")
    if word := WORDS.get(type(message)):
        return subjects.erasure_subject(TENANT, word, "ann")
    if isinstance(message, PolicyBody):
        return subjects.state_subject(TENANT, "policy_body", policy_digest(message.policy))
    kind, key = STATES[type(message)]
    return subjects.state_subject(TENANT, kind, key)


STATES: dict[type[Message], tuple[str, str]] = {
    KillState: ("kill", CURRENT),
    PolicyState: ("policy", CURRENT),
    PermissionState: ("permission", AGENT),
    AttentionState: ("attention", AGENT),
    StepUpState: ("step_up", "ann"),
    DelegationState: ("delegation", "ann"),
    DenialState: ("denial", CURRENT),
    FlagState: ("flag", CURRENT),
}


def main() -> None:
    """Write what is missing."""
    EXAMPLES.mkdir(parents=True, exist_ok=True)
    for name, document in documents().items():
        path = EXAMPLES / f"{name}.json"
        if not path.exists():
            path.write_bytes(msgspec.json.format(document, indent=2) + b"\n")


if __name__ == "__main__":
    main()
