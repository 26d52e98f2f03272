"""`read_call`: what is grave about a tool call beyond counts and sums: its name, whom it takes."""

from collections.abc import Iterator

from holdpoint.core.risk.arguments import Payload
from holdpoint.core.risk.calls.leaf import words_of
from holdpoint.core.risk.calls.names import Name, tool_name
from holdpoint.core.risk.excerpt import beginning
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.wording import Kind
from holdpoint.messages.risk import Heuristic, RiskLevel, Signal

MAX_SHOWN = 30

_CHANGES = frozenset({Kind.UPDATE, Kind.DELETE, Kind.PAYMENT})
_SENDS = word_set("send email message notify post share publish tweet broadcast invite")


def read_call(tool: str, found: Payload, *, reads: bool) -> tuple[Signal, ...]:
    """`reads`: the catalog lists it as a mere read."""
    name = tool_name(tool)
    if reads or name.reads:
        return ()
    return tuple(_judged(tool, name, found))


def _judged(tool: str, name: Name, found: Payload) -> Iterator[Signal]:
    shown = beginning(tool, MAX_SHOWN)
    kind = name.verb.kind if name.verb else None
    if name.final:
        yield _signal("call.final", Heuristic.IRREVERSIBILITY, f"“{shown}” {name.final}")
    if name.words and _GIVES & set(name.words) and _mighty(found):
        reason = f"“{shown}” makes somebody {_mighty(found)}"
        yield _signal("call.power", Heuristic.CRITICALITY, reason)
    switch = next(_turned(found), "")
    if switch:
        reason = f"“{shown}” is told to “{beginning(switch, MAX_SHOWN)}”"
        yield _signal("call.switch", Heuristic.IRREVERSIBILITY, reason)
    selects = found.everything if kind in _CHANGES or _reaches(name) else ""
    if selects:
        reason = f"“{shown}” takes everything there is: “{beginning(selects, MAX_SHOWN)}”"
        yield _signal("call.everything", Heuristic.MAGNITUDE, reason)
    elif name.everything and (kind in {Kind.UPDATE, Kind.DELETE} or _reaches(name)):
        yield _signal(
            "call.everything", Heuristic.MAGNITUDE, f"“{shown}” takes everything there is"
        )


_TAKES = word_set("delete purge destroy wipe erase")


def _turned(found: Payload) -> Iterator[str]:
    """A flag that takes something away, or a number that leaves nothing: `replicas: 0`."""
    for leaf in found.leaves:
        words = words_of(leaf.key) if leaf.value is True else ()
        if len(words) > 1 and words[0] in _TAKES and words[1] not in {"after", "on", "when", "if"}:
            yield leaf.key
        if leaf.value == 0 and leaf.value is not False and leaf.key.lower() in _COPIES:
            yield f"{leaf.key}: 0"


_COPIES = word_set("replicas desired_count desiredcount desired_capacity desiredcapacity")


_GIVES = word_set("grant add invite assign set make promote create update change elevate")
_MIGHTY = word_set("admin administrator owner root superuser superadmin sysadmin sudo")
_RANKS = word_set("role roles permission permissions access level privilege privileges rights")


def _mighty(found: Payload) -> str:
    """The rank of an administrator that an argument names."""
    for leaf in found.leaves:
        ranked = _RANKS & set(words_of(leaf.key))
        if ranked and isinstance(leaf.value, str) and leaf.value.strip().lower() in _MIGHTY:
            return leaf.value.strip().lower()
    return ""


def _reaches(name: Name) -> bool:
    """Whether it reaches people, or says nothing that it does."""
    return bool(_SENDS & set(name.words)) or name.verb is None


def _signal(rule: str, heuristic: Heuristic, reason: str) -> Signal:
    return Signal(rule=rule, heuristic=heuristic, level=RiskLevel.HIGH, reason=reason)
