"""Broken and mixed-up lines, made by chance out of real ones: nothing may raise on them."""

from random import Random  # noqa: TID251  # seeded: a run can be repeated
from typing import Any

from msgspec.structs import replace

from holdpoint.policy_lab.cases import Line

SIGNS = "'\"`$(){}[]<>|&;\\\n\r\t\0#*%@!~^:,. \u200b\u0301\ud800\ue000\ue002\uff10\U0001f680"
ODD: tuple[Any, ...] = (
    None,
    True,
    -1,
    10**400,
    1e308,
    "",
    "{",
    "[[",
    "eyJ",
    {},
    [],
    [[]],
    {"": ""},
)


def mutated(line: Line, other: Line, dice: Random) -> Line:
    """The line with one thing broken, or with a part of the other in it."""
    if line.text:
        return replace(line, text=_text(line.text, other.text, dice))
    return replace(line, payload=_value(line.payload, other.payload, dice))


def _text(text: str, other: str, dice: Random) -> str:
    start, end = sorted(dice.randrange(len(text) + 1) for _ in range(2))
    head, middle, tail = text[:start], text[start:end], text[end:]
    return dice.choice(
        (
            head + tail,
            head + middle * 2 + tail,
            head + middle[::-1] + tail,
            head + dice.choice(SIGNS) + middle + tail,
            head + dice.choice(SIGNS) * 50 + tail,
            head + other[: dice.randrange(len(other) + 1)] + tail,
            middle.swapcase().join((head, tail)),
        )
    )


def _value(held: Any, other: Any, dice: Random) -> Any:
    """Somewhere in it something else stands."""
    if isinstance(held, dict) and held:
        key = dice.choice(list(held))
        changed = held | {key: _value(held[key], other, dice)}
        return {dice.choice((name, name.upper(), f"{name}\0")): changed[name] for name in changed}
    if isinstance(held, list) and held:
        place = dice.randrange(len(held))
        return [*held[:place], _value(held[place], other, dice), *held[place:]]
    if isinstance(held, str) and dice.random() < 0.5:
        return _text(held, str(other), dice)
    return dice.choice((*ODD, other, [held, other]))
