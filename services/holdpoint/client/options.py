"""Options of calls, sentences and traces, and of waiting for them."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import datetime
from enum import Enum
from typing import Any, Literal, TypeAlias, TypedDict, TypeVar

import msgspec

from holdpoint.client.outcome import RefusedError
from holdpoint.messages.call import Intent, Lineage, Phase, Propose, Trace
from holdpoint.messages.risk import IntentClaim, RiskLevel

T = TypeVar("T")
N = TypeVar("N", bound=Enum)

OnCancel: TypeAlias = Literal["withdraw", "leave"]
"""When the awaiting task is cancelled: take the call back, or leave it open to be resumed."""


class Way(TypedDict, total=False):
    """Options of a connection. What is left out comes from the settings (`HP_…`)."""

    url: str
    tenant: str
    seed: str
    """The agent's nkey; left out, it is read from the credentials folder."""

    patience_s: float
    """Time that the broker or the gate may be away before `UnavailableError`."""

    on_cancel: OnCancel
    """What a cancelled call does unless it says so itself; left out, it withdraws."""


class Waiting(TypedDict, total=False):
    """Options for waiting for an outcome."""

    wait: bool
    """False returns as soon as people are asked; left out, it waits until it is final."""

    timeout: float | None
    """Seconds after which the outcome so far is returned. Nothing is cancelled by it."""

    on_cancel: OnCancel


class Said(TypedDict, total=False):
    """Options of every call."""

    reasoning: str | None
    idempotency_key: str | None
    on_behalf_of: str | None
    confidence: float | None
    deadline: datetime | None
    lineage: Lineage | None


class CallWords(Said, Waiting, total=False):
    """Options of a tool call, and of waiting for it."""

    intent: str | None
    """The hold of the sentence that announced it."""

    plan: str | None
    """The hold of the confirmed plan whose next step it is."""

    taint: Sequence[str] | str | None
    """JSON pointers of arguments that came from untrusted content; `""` is all of them."""

    taint_source: str | None
    """Description of that content: `a web page`, `mail`. Alone it means every argument."""

    dispatched_by: str | None
    """The hold of the open dispatch under which the agent acts."""


class PlanWords(Said, Waiting, total=False):
    """Options of a plan, and of waiting for it."""

    lasts_s: int | None
    """How long after the yes its steps may begin; left out, an hour."""


class SentenceWords(Said, Waiting, total=False):
    """Options of a sentence, and of waiting for it."""

    action_detail: Mapping[str, Any] | None


class TraceWords(TypedDict, total=False):
    """Options of a node of the call tree (seed 001)."""

    parent: str
    input: Mapping[str, Any]
    output: Mapping[str, Any]
    exception: str
    prompt_versions: Mapping[str, str]
    app_version: str
    dispatched_by: str
    """The hold of the dispatch that this node answers: closing it ends the dispatch."""


class Manner(msgspec.Struct, frozen=True, kw_only=True):
    """Resolved options for waiting."""

    on_cancel: OnCancel
    wait: bool = True
    timeout: float | None = None


def split(words: Mapping[str, Any], on_cancel: OnCancel) -> tuple[dict[str, Any], Manner]:
    """Return what is said to the gate, without what was left out, and how to wait for it."""
    said = {name: word for name, word in words.items() if word is not None}
    _converted(said, CallWords, "A word does not fit")
    manner = Manner(
        on_cancel=said.pop("on_cancel", on_cancel),
        wait=said.pop("wait", True),
        timeout=said.pop("timeout", None),
    )
    return said, manner


def propose_of(tool: str, arguments: Mapping[str, Any], said: Mapping[str, Any]) -> Propose:
    """The proposal of a tool call."""
    _check_sayable(arguments)
    tainted = said.get("taint", ())
    taint = (tainted,) if isinstance(tainted, str) else tuple(tainted)
    return Propose(tool=tool, arguments=dict(arguments), **{**said, "taint": taint})


def intent_of(
    text: str, metadata: IntentClaim | Mapping[str, Any], said: Mapping[str, Any]
) -> Intent:
    """The sentence with what the agent says it is about."""
    check_text("text", text)
    detail = detail_of(said.get("action_detail", {}))
    _check_sayable(detail)
    claim = _converted(metadata, IntentClaim, "This is no intent metadata")
    return Intent(text=text, metadata=claim, **{**said, "action_detail": detail})


def plan_of(
    text: str, steps: Sequence[tuple[str, Mapping[str, Any]]], said: Mapping[str, Any]
) -> Intent:
    """The sentence with the calls of a plan, in their order."""
    check_text("text", text)
    for tool, arguments in steps:
        check_arguments(tool, arguments)
        _check_sayable(arguments)
    planned = [{"tool": tool, "arguments": dict(arguments)} for tool, arguments in steps]
    if not planned:
        raise RefusedError("bad_data", "A plan has at least one step.")
    return _converted({"text": text, "steps": planned, **said}, Intent, "This is no plan")


def trace_of(
    fn: str, phase: Phase | str, trace_id: str, group_id: str, words: Mapping[str, Any]
) -> Trace:
    """One node of the call tree."""
    _check_sayable(words)
    return Trace(
        fn=fn, phase=_named(Phase, "phase", phase), trace_id=trace_id, group_id=group_id, **words
    )


def check_arguments(tool: object, arguments: object) -> None:
    """Refuse what is no tool's name, or no arguments by name."""
    check_text("tool", tool)
    if not isinstance(arguments, Mapping):
        raise RefusedError(
            "bad_arguments",
            f'arguments is a mapping like {{"path": "."}}, not {_kind(arguments)}: {arguments!r}.',
        )


def check_text(name: str, said: object) -> None:
    """Refuse what is no text."""
    if not isinstance(said, str):
        raise RefusedError("bad_data", f"{name} is a text, not {_kind(said)}: {said!r}.")


def detail_of(said: object) -> dict[str, Any]:
    """Return what the agent says the action is."""
    if not isinstance(said, Mapping):
        raise RefusedError(
            "bad_detail",
            'action_detail is a mapping like {"type": "delete_rows", "rows": 500}, '
            f"not {_kind(said)}: {said!r}.",
        )
    return dict(said)


def _kind(said: object) -> str:
    return f"of type {type(said).__name__}"


def risk_of(said: RiskLevel | str) -> RiskLevel:
    """The risk level of this name."""
    return _named(RiskLevel, "risk level", said)


def _named(kind: type[N], what: str, said: N | str) -> N:
    try:
        return kind(said)
    except ValueError:
        names = ", ".join(member.value for member in kind)
        raise RefusedError("bad_data", f"{said!r} is no {what}: {names}.") from None


def _converted(said: object, kind: type[T], what: str) -> T:
    try:
        return msgspec.convert(said, kind)
    except msgspec.ValidationError as error:
        raise RefusedError("bad_data", f"{what}: {error}.") from None


def _check_sayable(value: Any) -> None:
    """Refuse what the encoder would silently change: bytes to base64, NaN to null."""
    match value:
        case float() if not math.isfinite(value):
            raise RefusedError("not_finite", f"{value} is no number that JSON knows.")
        case bytes() | bytearray() | memoryview():
            raise RefusedError(
                "bad_data",
                f"This is nothing that JSON can say: {_kind(value)}. Decode it to a text first.",
            )
        case _:
            for part in _parts(value):
                _check_sayable(part)


def _parts(value: Any) -> Iterable[Any]:
    """Yield what the encoder writes of it, names too."""
    match value:
        case Mapping():
            return (*value.keys(), *value.values())
        case list() | tuple() | set() | frozenset():
            return value
        case msgspec.Struct():
            return msgspec.structs.asdict(value).values()
        case _ if is_dataclass(value) and not isinstance(value, type):
            return (getattr(value, part.name) for part in fields(value))
        case _:
            return ()
