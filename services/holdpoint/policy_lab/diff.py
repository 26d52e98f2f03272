"""Differences of another policy, a line for each value; first those that let more through."""

import re
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal, InvalidOperation
from enum import Enum, IntEnum
from typing import Any

import msgspec

from holdpoint.core.risk import during
from holdpoint.messages.policy import Pattern, Policy, TallyRule, VerdictKind
from holdpoint.messages.risk import Environment, RiskLevel

ABSENT = "nothing"
"""What a value was that was not there."""


class Slack(IntEnum):
    """Direction of a change; the order in which lines stand."""

    LOOSER = 0
    PERHAPS = 1
    NOT = 2


MARKS = {Slack.LOOSER: " (looser)", Slack.PERHAPS: " (perhaps looser)", Slack.NOT: ""}

Line = tuple[Slack, str]
Values = Mapping[str, Any]
Members = Mapping[str, Slack]


def changes(old: Policy, new: Policy) -> list[str]:
    """Every value that differs: `levels.4.verdict: "deny" -> "hold" (looser)`."""
    lines = [
        *_patterns(old, new),
        *_tallies(old, new),
        *_members("commands", _commands(old), _commands(new), Slack.LOOSER),
        *_members("sql", _statements(old), _statements(new), Slack.LOOSER),
        *_lists(old, new),
        *_fields("", _rest(old), _rest(new)),
    ]
    return [f"{text}{MARKS[slack]}" for slack, text in sorted(lines)]


def _patterns(old: Policy, new: Policy) -> Iterator[Line]:
    def told(rule: Pattern) -> str:
        return f"{rule.level.value}, {_json(rule.pattern)}: {rule.reason}"

    before, after = ({one.id: one for one in each.patterns} for each in (old, new))
    yield from _parts("patterns", before, after, {it: told(one) for it, one in after.items()})


def _commands(policy: Policy) -> Iterator[str]:
    """Each command rule with all that decides when it fires, on a line without its examples."""
    for name, tool in policy.commands.items():
        options = msgspec.structs.replace(tool, rules=(), silent=())
        for rule in tool.rules:
            danger = f"{rule.danger.id}, {rule.danger.level.value}" if rule.danger else "harmless"
            bare = msgspec.structs.replace(rule, danger=None, fires=(), silent=())
            yield f"{name}: {danger}: {_json(bare)} {_json(options)}"


def _statements(policy: Policy) -> Iterator[str]:
    """Each SQL rule, on a line without its examples."""
    for rule in policy.sql:
        bare = msgspec.structs.replace(rule, fires=(), silent=())
        yield f"{rule.danger.id}, {rule.danger.level.value}: {_json(bare)}"


def _tallies(old: Policy, new: Policy) -> Iterator[Line]:
    def told(rule: TallyRule) -> str:
        whose = " and ".join(rule.by)
        return f"{rule.of.value} by {whose} above {rule.limit} in {during(rule.window_s)}"

    before, after = ({one.id: one for one in each.tallies} for each in (old, new))
    yield from _parts("tallies", before, after, {it: told(one) for it, one in after.items()})


def _parts(
    path: str, before: Mapping[str, Any], after: Mapping[str, Any], told: Mapping[str, str]
) -> Iterator[Line]:
    """Compare two lists by their entries' ids; a new entry takes one line."""
    for name in before.keys() | after.keys():
        if name not in after:
            yield Slack.LOOSER, f"{path}.{name}: removed"
        elif name not in before:
            yield Slack.NOT, f"{path}.{name}: added, {told[name]}"
        else:
            parts = (msgspec.structs.asdict(it[name]) for it in (before, after))
            yield from _fields(f"{path}.{name}.", *parts)


def _lists(old: Policy, new: Policy) -> Iterator[Line]:
    """Lists whose order says nothing: what came, and what went."""
    yield from _members(
        "high_risk_commands", old.high_risk_commands, new.high_risk_commands, Slack.LOOSER
    )
    for group in old.groups.keys() | new.groups.keys():
        was, now = old.groups.get(group, ()), new.groups.get(group, ())
        yield from _members(f"groups.{group}", was, now, Slack.NOT, Slack.PERHAPS)
    for place in Environment:
        is_sandbox = place is Environment.SANDBOX
        gone, came = (Slack.NOT, Slack.LOOSER) if is_sandbox else (Slack.LOOSER, Slack.NOT)
        was, now = _matches(old, place), _matches(new, place)
        yield from _members(f"environments, {place.value}", was, now, gone, came)

    was, now = old.own_domains, new.own_domains
    gone = Slack.NOT if now else Slack.LOOSER
    yield from _members("own_domains", was, now, gone, Slack.LOOSER if was else Slack.NOT)
    was, now = old.build_products, new.build_products
    yield from _members("build_products", was, now, Slack.NOT, Slack.LOOSER)


def _matches(policy: Policy, place: Environment) -> tuple[str, ...]:
    return tuple(one.match for one in policy.environments if one.environment is place)


def _members(
    path: str, before: Iterable[str], after: Iterable[str], gone: Slack, came: Slack = Slack.NOT
) -> Iterator[Line]:
    old, new = set(before), set(after)
    yield from ((gone, f"{path}: removed {_json(one)}") for one in old - new)
    yield from ((came, f"{path}: added {_json(one)}") for one in new - old)


_LISTED = (
    "patterns",
    "commands",
    "sql",
    "tallies",
    "high_risk_commands",
    "groups",
    "environments",
    "own_domains",
    "build_products",
)


def _rest(policy: Policy) -> Values:
    """All the rest, by its path."""
    left = msgspec.structs.asdict(policy)
    for listed in _LISTED:
        del left[listed]
    left["packs"] = {pack.name: pack.version for pack in policy.packs}
    return dict(_flat("", left))


def _flat(path: str, value: Any) -> Iterator[tuple[str, Any]]:
    match value:
        case msgspec.Struct():
            yield from _flat(path, msgspec.structs.asdict(value))
        case dict():
            for name, part in value.items():
                word = name.value if isinstance(name, Enum) else str(name)
                yield from _flat(f"{path}.{word}" if path else word, part)
        case _:
            yield path, value


def _fields(path: str, before: Values, after: Values) -> Iterator[Line]:
    for name in before.keys() | after.keys():
        was, now = before.get(name), after.get(name)
        if was != now:
            text = f"{path}{name}: {_shown(was)} -> {_shown(now)}"
            yield _slack(f"{path}{name}", was, now), text


def _shown(value: Any) -> str:
    return ABSENT if value is None else _json(value)


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


LARGER, SMALLER = 1, -1
ENDLESS = Decimal("Infinity")

SCALES = tuple(
    (re.compile(path), direction, absent)
    for path, direction, absent in (
        (r"thresholds\.(records|amount|percent)|tallies\..+\.limit", LARGER, ENDLESS),
        (r"grant_s|valid_for_s", LARGER, ENDLESS),
        (r"tallies\..+\.window_s|untrusted\.window_s|confidence_below", SMALLER, Decimal(0)),
        (r"levels\.\d\.(cooling_off_s|four_eyes|every_proof)", SMALLER, Decimal(0)),
        (r"levels\.\d\.client_may_answer", LARGER, Decimal(0)),
        (r"levels\.\d\.verdict|thresholds\.rates\..+", SMALLER, ENDLESS),
        (r"risk_levels\..+|patterns\..+\.level|untrusted\.tools\..+", SMALLER, Decimal(0)),
    )
)
"""Which way a value is looser, and what stands for one that is absent: a level that is missing is
denied, a currency without a rate is large."""

_perhaps = re.compile(
    r"patterns\..+\.(pattern|commands)|tallies\..+\.(of|by)|thresholds\.currency"
    r"|levels\.\d\.(all_of|proofs|on_silence)"
)
"""What cannot be compared by size."""

STRICT = tuple(VerdictKind)
"""The verdicts, the loosest first."""


def _slack(path: str, was: Any, now: Any) -> Slack:
    for known, direction, absent in SCALES:
        if known.fullmatch(path):
            before, after = _size(was, absent), _size(now, absent)
            return Slack.LOOSER if (after - before) * direction > 0 else Slack.NOT
    return Slack.PERHAPS if _perhaps.fullmatch(path) else Slack.NOT


def _size(value: Any, absent: Decimal) -> Decimal:
    match value:
        case None:
            return absent
        case VerdictKind():
            return Decimal(STRICT.index(value))
        case RiskLevel():
            return Decimal(value.rank)
        case _:
            return _number(str(int(value) if isinstance(value, bool) else value))


def _number(said: str) -> Decimal:
    """A text is as large as any other."""
    try:
        return Decimal(said)
    except InvalidOperation:
        return Decimal(1)
