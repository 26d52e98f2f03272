"""Hostile messages for `make fuzz-wire`: what each party may publish, mutated, from a seed.

Each begins as a message that is right for its subject. Then its parts, its bytes, its headers or
its subject are changed. The same dice give the same messages.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random  # noqa: TID251  # seeded: a message can be made again
from typing import Any, TypeAlias

import msgspec
from tests import builders as b
from tests.faults.effects_domain import DOMAIN
from tests.running_system import TENANT

from holdpoint.messages import subjects as s
from holdpoint.messages.answer import Answer, Change, Choice, Remember
from holdpoint.messages.ask import AskAnswer, AskGrant, AskHold, AskOrder, AskTools
from holdpoint.messages.base import MAX_MESSAGE_BYTES, Message
from holdpoint.messages.call import Intent, Phase, Propose, Trace, Withdraw
from holdpoint.messages.codec import encode, encode_event
from holdpoint.messages.state import (
    AdoptPolicy,
    Delegate,
    EnrolPasskey,
    EnrolTotp,
    Kill,
    RemoveStepUp,
    RevokePermission,
    SetFlag,
)

HELD_TOOLS = ("change", "put", "book", "pay", "wipe")
"""Nothing of what is proposed here runs without people, however its arguments are changed."""

DEEPER = 0.7
"""How often a change is made in a part of the part, where there is one."""

ADMIN = "ann"
"""The only person whose orders about others the broker takes."""

ONE_IN = 20
"""Of so many changes one makes a message large or deep: that costs a thousand times as much."""


@dataclass(frozen=True, kw_only=True)
class Target:
    """A call that waits for people: answers, withdrawals and questions are about it."""

    agent: str
    hold_id: str
    digest: str
    render_digest: str


@dataclass(frozen=True, kw_only=True)
class Hostile:
    """One message, and with whose credential it is sent."""

    user: str
    subject: str
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict)
    asks: bool = False
    """True for a question, which somebody answers."""

    is_placed: bool = True
    """False where its sender may not speak, or nobody listens."""


Dice: TypeAlias = Random


def hostile(dice: Dice, agents: Sequence[str], people: Sequence[str], target: Target) -> Hostile:
    """Return one message of an agent, a person or a worker, changed in one to three ways."""
    agent, person = dice.choice(agents), dice.choice(people)
    first = dice.choice((_calls, _calls, _answers, _orders, _runs, _questions))
    return _mutated(dice, first(dice, agent, person, target))


def _calls(dice: Dice, agent: str, _: str, target: Target) -> Hostile:
    arguments = {"mark": f"fuzzed-{dice.getrandbits(40)}", "takes_ms": 0}
    tool = dice.choice(HELD_TOOLS)
    word, message = dice.choice((
        ("propose", Propose(tool=tool, arguments=arguments, reasoning="It is time.")),
        ("propose", Propose(tool=tool, arguments=arguments, on_behalf_of="olga", taint=("web",))),
        ("intent", Intent(text="I will change it.", action_detail={"tool": tool})),
        ("withdraw", Withdraw(hold_id=dice.choice((target.hold_id, "nope")))),
        ("trace", Trace(trace_id="t1", group_id="g1", fn="search", phase=Phase.OPENED)),
    ))  # fmt: skip
    subject = s.call_subject(TENANT, agent, word)
    return Hostile(user=f"agent_{agent}", subject=subject, body=_event(dice, message, subject))


def _answers(dice: Dice, _: str, person: str, target: Target) -> Hostile:
    """Never a yes to what the person saw: those count, and are no fuzz."""
    answer = Answer(
        hold_id=target.hold_id,
        digest=target.digest,
        render_digest=target.render_digest,
        answer=dice.choice((Choice.EXTEND, Choice.MODIFY, Choice.HAPPENED, Choice.DID_NOT_HAPPEN)),
        extend_s=dice.choice((0, -1, 60, 10**12)),
        change=Change(arguments={"mark": "fuzzed-m", "takes_ms": 0}, removed=("x",)),
        remember=dice.choice((None, Remember(uses=1))),
        proof=dice.choice(("", "AAAA")),
    )
    if dice.random() < 1 / 3:
        answer = msgspec.structs.replace(answer, answer=Choice.PROCEED, digest="0" * 64)
    channel = dice.choice(("terminal", "console"))
    subject = s.answer_subject(TENANT, channel, person, target.agent, target.hold_id)
    return Hostile(user=f"person_{person}", subject=subject, body=_event(dice, answer, subject))


def _orders(dice: Dice, _: str, person: str, target: Target) -> Hostile:
    """Never one that stops an agent or changes the policy: those count."""
    word, message = dice.choice((
        ("kill", Kill(on=False, agent=target.agent)),
        ("policy", AdoptPolicy(version="9", digest="0" * 64)),
        ("step_up", RemoveStepUp(person="olga")),
        ("flag", SetFlag(flag="delegation", on=True)),  # type: ignore[arg-type]
        ("totp", EnrolTotp(sealed="AAAA")),
        ("passkey", EnrolPasskey(sealed="AAAA")),
        ("delegate", Delegate(to="nobody")),
        ("permission", RevokePermission(agent=target.agent, permission_id="p1")),
    ))  # fmt: skip
    by = ADMIN if word in {"kill", "policy", "step_up", "flag"} else person
    subject = s.admin_subject(TENANT, by, word)
    return Hostile(user=f"person_{by}", subject=subject, body=_event(dice, message, subject))


def _runs(dice: Dice, agent: str, _: str, target: Target) -> Hostile:
    hold_id = dice.choice((f"f{dice.getrandbits(60)}", target.hold_id))
    model = dice.choice((b.a_start(), b.a_finish()))
    fact = msgspec.structs.replace(model, hold_id=hold_id, nonce=f"n{dice.getrandbits(60)}")
    subject = s.run_subject(TENANT, DOMAIN, agent, fact)
    signature = dice.choice(("", "worker-deeds-1 bm9ib2R5", "gate-1 bm9ib2R5", "\x7f" * 300))
    headers = {"Holdpoint-Signature": signature} if signature else {}
    body = _event(dice, fact, subject)
    return Hostile(user=f"worker_{DOMAIN}", subject=subject, body=body, headers=headers)


def _questions(dice: Dice, agent: str, person: str, target: Target) -> Hostile:
    asker, user, word, message = dice.choice((
        (agent, f"agent_{agent}", "hold", AskHold(hold_id=target.hold_id)),
        (agent, f"agent_{agent}", "hold", AskHold(seq=1)),
        (agent, f"agent_{agent}", "tools", AskTools(text="change")),
        (person, f"person_{person}", "answer",
         AskAnswer(agent=target.agent, hold_id=target.hold_id, seq=1)),
        (person, f"person_{person}", "order", AskOrder(seq=1)),
        (DOMAIN, f"worker_{DOMAIN}", "grant",
         AskGrant(agent=target.agent, hold_id=target.hold_id)),
    ))  # fmt: skip
    body = encode(message)
    return Hostile(user=user, subject=f"hp.{TENANT}.ask.{asker}.{word}", body=body, asks=True)


def _event(dice: Dice, message: Message, subject: str) -> bytes:
    key = f"fuzz-{dice.getrandbits(60)}"
    return encode_event(message, event_id=key, source="t", subject=subject, at=b.T0, salt="")


def _mutated(dice: Dice, it: Hostile) -> Hostile:
    for _ in range(dice.randint(1, 3)):
        kind = dice.choices((_in_parts, _in_bytes, _in_headers, _in_subject), (6, 4, 1, 1))[0]
        it = kind(dice, it)
    return it


def _in_parts(dice: Dice, it: Hostile) -> Hostile:
    """Change one value somewhere in the document; what is no document any more stays."""
    try:
        document = msgspec.json.decode(it.body)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return it
    if not isinstance(document, dict) or not document:
        return it
    place = document
    while (
        inner := [v for v in place.values() if isinstance(v, dict) and v]
    ) and dice.random() < 0.7:
        place = dice.choice(inner)
    name = dice.choice(sorted(place))
    if dice.random() < 0.2:
        del place[name]
    elif name not in {"answer", "on"}:  # what counts is no fuzz: see _answers and _orders
        place[dice.choice((name, name, name, "surplus"))] = _value(dice)
    return replace(it, body=_written(document))


def _inner(place: dict[str, Any]) -> list[dict[str, Any]]:
    return [it for it in place.values() if isinstance(it, dict) and it]


def _written(document: Any) -> bytes:
    try:
        return msgspec.json.encode(document)
    except (UnicodeEncodeError, RecursionError):
        return b'{"half":"\\ud800"}'


def _value(dice: Dice) -> Any:
    if dice.randrange(ONE_IN) == 0:
        return "x" * dice.choice((2_000, 70_000, MAX_MESSAGE_BYTES))
    return dice.choice(_VALUES)


_VALUES: Sequence[Any] = (
    None, True, False, 0, -1, 2**53, 2**64, -(2**63), 1.5, 1e308, "", " ", "a.b", "*", ">",
    "../..", "\u0000", "\u202e\u2066", "é" * 65, "\u017f", "x" * 65, "$JS.API.>", "hp.acme.hold.x",
    "NaN", [], {}, [[]], [{}], ["x"] * 40, {"": ""}, {"a": {"a": {"a": 1}}}, {"__class__": 1},
    "2026-11-27", "9999-12-31T23:59:59+23:59", "0001-01-01T00:00:00-23:59",
    "fuzzed\r\nNats-Rollup: all",
    "holdpoint.v1.passed", "holdpoint.v1.finished", "CALLS@alba:1", "HOLDS:1", "_", "gate",
)  # fmt: skip


def _in_bytes(dice: Dice, it: Hostile) -> Hostile:
    if dice.randrange(ONE_IN) == 0:
        depth = dice.choice((40, 2_000, 100_000))
        return replace(it, body=dice.choice((b"[" * depth, b'{"a":' * depth, _nested(depth))))
    return replace(it, body=dice.choice(_BYTES)(dice, it.body))


def _nested(depth: int) -> bytes:
    return b'{"data":' + b"[" * depth + b"]" * depth + b"}"


def _cut(dice: Dice, body: bytes) -> bytes:
    return body[: dice.randint(0, len(body))]


def _flipped(dice: Dice, body: bytes) -> bytes:
    at = dice.randrange(len(body) or 1)
    return body[:at] + bytes((dice.randrange(256),)) + body[at + 1 :]


def _put_in(dice: Dice, body: bytes) -> bytes:
    at = dice.randint(0, len(body))
    word = dice.choice((b"\xff", b"\xc0\x80", b"\x00", b"\\ud800", b'"', b"}", b",", b"NaN",
                        b"1e999", b"\xed\xa0\x80", b"9" * 400, b"\r\n"))  # fmt: skip
    return body[:at] + word + body[at:]


def _twice(_: Dice, body: bytes) -> bytes:
    return body.replace(b'"id"', b'"id":"twin","id"', 1).replace(
        b'"tool"', b'"tool":"look","tool"', 1
    )


def _random(dice: Dice, _: bytes) -> bytes:
    return dice.randbytes(dice.choice((0, 1, 7, 300)))


_BYTES: Sequence[Callable[[Dice, bytes], bytes]] = (
    _cut, _flipped, _put_in, _twice, _random,
    lambda _, body: body + body,
    lambda _, body: b"\xef\xbb\xbf" + body,
    lambda _, body: body.decode("utf-8", "replace").encode("utf-16"),
    lambda dice, _: dice.choice((b"", b"null", b"[]", b"{}", b"0", b'""', b"true", b" ")),
)  # fmt: skip


def _in_headers(dice: Dice, it: Hostile) -> Hostile:
    return replace(it, headers={**it.headers, **dice.choice(_HEADERS)})


_HEADERS: Sequence[Mapping[str, str]] = (
    {"Nats-Msg-Id": "same"}, {"Nats-Expected-Stream": "HP_HOLDS_acme"}, {"Nats-Rollup": "all"},
    {"Nats-Rollup": "sub"}, {"Nats-TTL": "1s"}, {"Nats-TTL": "never"}, {"Nats-Incr": "+1"},
    {"Nats-Expected-Last-Sequence": "0"}, {"Nats-Expected-Last-Msg-Id": "same"},
    {"Nats-Expected-Last-Subject-Sequence": "99999"}, {"Nats-Batch-Id": "b1"},
    {"Nats-Schedule": "@every 1s", "Nats-Schedule-Target": "hp.acme.hold.alba.x.passed.deeds"},
    {"Nats-Subject": "hp.acme.hold.x"}, {"Nats-Sequence": "x"}, {"Status": "503"},
    {"x": "y" * 9_000},
    {"Holdpoint-Signature": "gate-1 AAAA"}, {"Content-Encoding": "gzip"},
)  # fmt: skip


def _in_subject(dice: Dice, it: Hostile) -> Hostile:
    """Change one token, or speak where somebody else does."""
    tokens = it.subject.split(".")
    at = dice.randrange(1, len(tokens))
    tokens[at] = dice.choice(
        ("x", "*", ">", "é", "X" * 300, "alba", "ann", "gate", "none", "$JS", "_")
    )
    elsewhere = dice.choice((
        f"hp.{TENANT}.hold.alba.x.passed.{DOMAIN}",
        f"hp.{TENANT}.state.kill.current",
        "$JS.API.STREAM.LIST",
        "$SYS.REQ.SERVER.PING",
    ))  # fmt: skip
    subject = dice.choice((".".join(tokens), ".".join(tokens), elsewhere))
    return replace(it, subject=subject, is_placed=False)
