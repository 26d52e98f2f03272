"""AsyncAPI 3.0: every subject of the bus, what stands on it, who writes it and who reads it."""

from collections.abc import Iterator
from typing import Any

import msgspec

from holdpoint.contract.schemas import BARE, Schema, frame, parts, short_name
from holdpoint.messages import (
    answer,
    ask,
    call,
    card,
    envelope,
    erasure,
    hold,
    reading,
    request,
    run,
    state,
    subjects,
)
from holdpoint.messages.base import TYPE_PREFIX, Message
from holdpoint.messages.subjects import FACT_WORDS, TYPES

REF = "#/components/schemas/{name}"
EVENT_TYPE = "application/cloudevents+json"
BARE_TYPE = "application/json"

T, AGENT, PERSON, HOLD, DOMAIN = "{tenant}", "{agent}", "{person}", "{hold_id}", "{domain}"

ROLES = {
    "agent": "Says what it is about to do.",
    "gate": "Judges, shows, counts answers, and signs what may run.",
    "worker": "Runs what carries the gate's signature, once.",
    "channel": "Shows cards to people and passes on what they answer.",
    "admin": "A person who may throw the kill switch and adopt a policy.",
    "coordinator": "Answers people's requests in plain words, with calls of an agent's.",
    "audit": "Writes every document into the ledger.",
}

PARAMETERS = {
    "tenant": "One organisation: no byte crosses to another one.",
    "agent": "The agent that the hold or call is of.",
    "person": "The person who speaks: the server enforces that it is they.",
    "principal": "The agent or person whose message was refused.",
    "surface": "Where the person read: console or cli.",
    "channel": "Through what the person answered: console, cli, slack …",
    "group": "The group of people that may see the card.",
    "domain": "The domain of the tool; `none` where no worker is to act.",
    "hold_id": "26 letters that name one call or sentence.",
    "kind": "What rings: expire or resume.",
    "whom": "`gate` where the gate has to act on it, `none` where nobody has.",
    "digest": "The policy's SHA-256, in hexadecimal digits.",
    "cause": "The refused message: its stream's kind and its sequence.",
}


class Lane(msgspec.Struct, frozen=True, kw_only=True):
    """One subject: what stands on it, who writes it, who reads it."""

    address: str
    message: type[Message]
    writer: str
    readers: tuple[str, ...]
    stream: str = ""
    reply: type[Message] | None = None

    @property
    def key(self) -> str:
        """The channel's name in the document."""
        return short_name(self.message)


def asyncapi(documents: dict[str, Schema]) -> Schema:
    """The whole bus in one self-contained document."""
    lanes = tuple(_lanes())
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Holdpoint",
            "version": TYPE_PREFIX.rpartition(".")[2],
            "description": "Risky actions of AI agents wait until the right people say yes.",
            "license": {"name": "Apache-2.0"},
            "tags": [{"name": role, "description": said} for role, said in ROLES.items()],
        },
        "defaultContentType": EVENT_TYPE,
        "channels": {**{lane.key: _channel(lane) for lane in lanes}, **_replies(lanes)},
        "operations": {name: made for lane in lanes for name, made in _operations(lane)},
        "components": {
            "messages": {short_name(kind): _message(kind, documents) for kind in TYPES},
            "schemas": {name: _draft_7(part) for name, part in parts().items()},
            "parameters": {name: {"description": said} for name, said in PARAMETERS.items()},
        },
    }


def _lanes() -> Iterator[Lane]:
    for said in (call.Propose, call.Intent, call.Withdraw, call.Trace):
        address = subjects.call_subject(T, AGENT, short_name(said))
        yield _stored(subjects.CALLS, address, said, "agent", "gate")
    holds = subjects.hold_facts(T, AGENT, HOLD).removesuffix(">")
    for fact in (hold.Passed, hold.Witnessed, hold.Resumed):
        address = f"{holds}{FACT_WORDS[fact]}.{DOMAIN}"
        yield _stored(subjects.HOLDS, address, fact, "gate", "gate", "worker")
    for waits in (
        hold.Denied,
        hold.Halted,
        hold.Rendered,
        hold.Answered,
        hold.Parked,
        hold.Reminded,
        hold.Escalated,
        hold.Extended,
        hold.Resolved,
    ):
        address = f"{holds}{FACT_WORDS[waits]}.{subjects.NO_DOMAIN}"
        yield _stored(subjects.HOLDS, address, waits, "gate", "gate")
    refused = subjects.refusal_subject(T, "{principal}", "{cause}")
    yield _stored(subjects.HOLDS, refused, hold.Refused, "gate", "gate")
    cards = subjects.card_subject(T, "{group}", HOLD)
    yield _stored(subjects.CARDS, cards, card.Card, "gate", "channel")
    answers = subjects.answer_subject(T, "{channel}", PERSON, AGENT, HOLD)
    yield _stored(subjects.ANSWERS, answers, answer.Answer, "channel", "gate")
    yield from _runs()
    yield from _orders()
    yield from _states()
    due = subjects.timer_subject(T, "due", AGENT, HOLD, "{kind}")
    yield Lane(
        address=due, message=state.Alarm, writer="gate", readers=("gate",), stream=subjects.TIMERS
    )
    yield from _questions()


def _runs() -> Iterator[Lane]:
    runs = subjects.run_facts(T, DOMAIN, AGENT, HOLD).removesuffix(">")
    for ran in (run.Started, run.Finished):
        address = f"{runs}{FACT_WORDS[ran]}.{{whom}}"
        yield _stored(subjects.RUNS, address, ran, "worker", "gate", "worker")
    for stopped in (run.Barred, run.Lapsed, run.Reconciled):
        address = f"{runs}{FACT_WORDS[stopped]}.{subjects.FOR_GATE}"
        yield _stored(subjects.RUNS, address, stopped, "gate", "gate", "worker")


def _orders() -> Iterator[Lane]:
    for order, word in (
        (state.Kill, "kill"),
        (state.AdoptPolicy, "policy"),
        (state.RemoveStepUp, "step_up"),
        (state.SetFlag, "flag"),
    ):
        address = subjects.admin_subject(T, PERSON, word)
        yield _stored(subjects.ADMIN, address, order, "admin", "gate")
    for own, word in (
        (state.EnrolTotp, "totp"),
        (state.EnrolPasskey, "passkey"),
        (state.Delegate, "delegate"),
        (state.RevokePermission, "permission"),
    ):
        address = subjects.admin_subject(T, PERSON, word)
        yield _stored(subjects.ADMIN, address, own, "channel", "gate")


def _states() -> Iterator[Lane]:
    for holds, word in (
        (state.KillState, "kill"),
        (state.PolicyState, "policy"),
        (state.DenialState, "denial"),
        (state.FlagState, "flag"),
    ):
        address = subjects.state_subject(T, word, state.CURRENT)
        yield _stored(subjects.STATE, address, holds, "gate", "gate")
    body = subjects.state_subject(T, "policy_body", "{digest}")
    yield _stored(subjects.STATE, body, state.PolicyBody, "gate", "gate")
    proofs = subjects.state_subject(T, "step_up", PERSON)
    yield _stored(subjects.STATE, proofs, state.StepUpState, "gate", "gate")
    places = subjects.state_subject(T, "delegation", PERSON)
    yield _stored(subjects.STATE, places, state.DelegationState, "gate", "gate")
    remembered = subjects.state_subject(T, "permission", AGENT)
    yield _stored(subjects.STATE, remembered, state.PermissionState, "gate", "gate")
    open_ones = subjects.state_subject(T, "attention", AGENT)
    yield _stored(subjects.STATE, open_ones, state.AttentionState, "gate", "gate")
    yield from _about_the_ledger()


def _about_the_ledger() -> Iterator[Lane]:
    read = subjects.read_subject(T, "{surface}", PERSON)
    yield _stored(subjects.READS, read, reading.LedgerRead, "channel")
    for message, word in erasure.WORDS.items():
        address = subjects.erasure_subject(T, word, PERSON)
        yield _stored(subjects.ERASURES, address, message, "channel")


def _questions() -> Iterator[Lane]:
    asked: tuple[tuple[str, type[Message], type[Message], str, str], ...] = (
        (subjects.ask_hold_subject(T, AGENT), ask.AskHold, envelope.Envelope, "agent", "gate"),
        (subjects.ask_tools_subject(T, AGENT), ask.AskTools, ask.ToolsAnswer, "agent", "gate"),
        (
            subjects.ask_answer_subject(T, PERSON),
            ask.AskAnswer,
            envelope.Envelope,
            "channel",
            "gate",
        ),
        (subjects.ask_order_subject(T, PERSON), ask.AskOrder, envelope.Envelope, "channel", "gate"),
        (subjects.ask_plan_subject(T, DOMAIN), ask.AskPlan, ask.PlanAnswer, "gate", "worker"),
        (subjects.ask_grant_subject(T, DOMAIN), ask.AskGrant, ask.GrantAnswer, "worker", "gate"),
        (
            subjects.ask_coordinator_subject(T, PERSON),
            request.AgentRequest,
            request.AgentResponse,
            "channel",
            "coordinator",
        ),
    )
    for address, question, reply, asks, answers in asked:
        yield Lane(address=address, message=question, writer=asks, readers=(answers,), reply=reply)


def _stored(stream: str, address: str, message: type[Message], writer: str, *readers: str) -> Lane:
    return Lane(
        address=address,
        message=message,
        writer=writer,
        readers=(*readers, "audit"),
        stream=stream,
    )


def _channel(lane: Lane) -> Schema:
    names = [part[1:-1] for part in lane.address.split(".") if part.startswith("{")]
    where = f"In the stream {subjects.stream(T, lane.stream)}." if lane.stream else "Not stored."
    return {
        "address": lane.address,
        "title": lane.key,
        "description": where,
        "messages": {lane.key: {"$ref": f"#/components/messages/{lane.key}"}},
        "parameters": {name: {"$ref": f"#/components/parameters/{name}"} for name in names},
    }


def _replies(lanes: tuple[Lane, ...]) -> dict[str, Schema]:
    """Answer to the private inbox that the question names."""
    names = {short_name(lane.reply) for lane in lanes if lane.reply}
    return {
        name: {
            "address": None,
            "title": name,
            "description": "The reply subject of the question.",
            "messages": {name: {"$ref": f"#/components/messages/{name}"}},
        }
        for name in sorted(names)
    }


def _operations(lane: Lane) -> Iterator[tuple[str, Schema]]:
    for action, role in (("send", lane.writer), *(("receive", reader) for reader in lane.readers)):
        made: Schema = {
            "action": action,
            "channel": {"$ref": f"#/channels/{lane.key}"},
            "tags": [{"name": role}],
            "messages": [{"$ref": f"#/channels/{lane.key}/messages/{lane.key}"}],
        }
        if lane.reply is not None:
            made["reply"] = _reply(short_name(lane.reply))
        yield f"{role}_{action}_{lane.key}", made


def _reply(name: str) -> Schema:
    return {
        "channel": {"$ref": f"#/channels/{name}"},
        "messages": [{"$ref": f"#/channels/{name}/messages/{name}"}],
        "address": {"location": "$message.header#/reply", "description": "The asker's inbox."},
    }


def _message(kind: type[Message], documents: dict[str, Schema]) -> Schema:
    bare = kind in BARE
    payload = {"$ref": REF.format(name=kind.__name__)} if bare else _draft_7(frame(kind))
    return {
        "name": TYPES[kind],
        "title": kind.__name__,
        "summary": documents[short_name(kind)]["description"].partition("\n\n")[0],
        "contentType": BARE_TYPE if bare else EVENT_TYPE,
        "payload": payload,
    }


def _draft_7(schema: Any) -> Any:
    """AsyncAPI's dialect: references into this document, tuples as in JSON Schema draft 7."""
    match schema:
        case {"$ref": str() as ref}:
            return {"$ref": REF.format(name=ref.rpartition("/")[2])}
        case {"prefixItems": items}:
            rest = {
                key: part for key, part in schema.items() if key not in {"prefixItems", "items"}
            }
            return {**rest, "items": [_draft_7(item) for item in items], "additionalItems": False}
        case dict():
            return {key: _draft_7(part) for key, part in schema.items()}
        case list():
            return [_draft_7(part) for part in schema]
        case _:
            return schema
