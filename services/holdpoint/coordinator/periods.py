"""Days that a sentence names: `last month`, `seit 1. Oktober`, `between 2026-01-01 and 2026-02-01`.

A period is read whole, or asked for; it is never left out silently.
"""

import re
import tomllib
from collections.abc import Sequence
from datetime import date, timedelta
from functools import cache
from importlib.resources import files

import msgspec

from holdpoint.coordinator.choices import UnclearError
from holdpoint.coordinator.extraction import MOST_ROWS
from holdpoint.coordinator.plain_text import plain

WHICH_DAYS = (
    "I do not understand which days you mean. "
    "Ask again, for example: “show my transactions since 2026-10-01”."
)
_TOKEN = re.compile(r"\d{4}-\d{2}-\d{2}|\d+|[^\W\d_]+(?:'[^\W\d_]+)?")
_ORDINAL = re.compile(r"(?<=\d)(?:st|nd|rd|th)\b")
_YEAR = re.compile(r"(?:19|20)\d{2}")
_DECEMBER = 12
Days = tuple[date, date]
"""The first and the last day."""


class _Words(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Content of `periods.toml`."""

    last: frozenset[str]
    this: frozenset[str]
    since: frozenset[str]
    whole: frozenset[str]
    joints: frozenset[str]
    until: frozenset[str]
    little: frozenset[str]
    doubtful: frozenset[str]
    before_doubtful: frozenset[str]
    other: frozenset[str]
    units: dict[str, frozenset[str]]
    days_ago: dict[str, int]
    months: dict[str, int]


@cache
def _words() -> _Words:
    """Return the data, read once."""
    raw = files("holdpoint.coordinator").joinpath("periods.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(raw), _Words)


def bounds_in(text: str, today: date) -> dict[str, str | int | None]:
    """Return the days as the values `since` and `until`, and all rows that one call may have."""
    days = period_in(text, today)
    since, until = (it.isoformat() if it else None for it in days)
    return {"since": since, "until": until, **({"limit": MOST_ROWS} if any(days) else {})}


def period_in(text: str, today: date) -> tuple[date | None, date | None]:
    """Return the first and the last day that a sentence names; None without a bound.

    Raises UnclearError where days are named that are not understood.
    """
    line = _ORDINAL.sub("", plain(text))
    tokens = [it for it in _TOKEN.findall(line) if it not in _words().little]
    found = list(_spans(_with_months(tokens), today))
    if any(_unit(before) in {"day", "week"} for before, _ in found):
        raise UnclearError(WHICH_DAYS)
    match found:
        case [] if not _names_days(tokens):
            return None, None
        case [(before, (first, last))] if before in _words().whole and first != last:
            return first, last
        case [(before, (first, _))] if before in _words().since:
            return first, None
        case [(before, (_, last))] if before in _words().until:
            return None, last
        case [(_, days)]:
            return days
        case [(_, (first, _)), (_, (_, last))] if first <= last:
            return first, last
        case _:
            raise UnclearError(WHICH_DAYS)


def _with_months(tokens: Sequence[str]) -> list[str]:
    """Return the days of one month, each with it: `between 1 and 15 November`."""
    found: list[str] = []
    for at, token in enumerate(tokens):
        found.append(token)
        behind = [it for it in tokens[at + 1 : at + 5] if it not in _words().joints]
        if _is_day([token]) and _is_day(behind) and behind[1:2] and behind[1] in _words().months:
            year = [it for it in behind[2:3] if _YEAR.fullmatch(it)]
            found += [behind[1], *year]
    return found


def _spans(tokens: Sequence[str], today: date) -> list[tuple[str, Days]]:
    """Return each period, with the word before it."""
    found: list[tuple[str, Days]] = []
    at, before = 0, ""
    while at < len(tokens):
        if read := _read(tokens, at, before, today):
            found.append((before, read[0]))
            at, before = at + read[1], ""
        elif before in _words().since | _words().until and _is_day(tokens[at:]):
            raise UnclearError(WHICH_DAYS)
        else:
            at, before = at + 1, tokens[at]
    return found


def _read(tokens: Sequence[str], at: int, before: str, today: date) -> tuple[Days, int] | None:
    """Return the days that are named from here on, and by how many tokens."""
    if (ago := _words().days_ago.get(tokens[at])) is not None:
        day = today - timedelta(days=ago)
        return (day, day), 1
    if re.fullmatch(r"\d{4}-\d{2}-\d{2}", tokens[at]):
        return _iso(tokens[at])
    if before in _words().since and _is_day(tokens[at:]) and (unit := _unit(*tokens[at + 1 :][:1])):
        return _counted(int(tokens[at]), unit, today), 2
    return _relative(tokens, at, today) or _calendar(tokens, at, before, today)


def _iso(text: str) -> tuple[Days, int]:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise UnclearError(WHICH_DAYS) from None
    return (day, day), 1


def _relative(tokens: Sequence[str], at: int, today: date) -> tuple[Days, int] | None:
    """`last month`, `mes pasado`, `this week`, `last 30 days`."""
    it = _words()
    first, second, third = (*tokens[at : at + 3], "", "", "")[:3]
    if first in it.last and second.isdecimal() and (unit := _unit(third)):
        return _counted(int(second), unit, today), 3
    for which, named in ((first, second), (second, first)):
        if (unit := _unit(named)) and which in it.last | it.this:
            return _whole(unit, today, back=which in it.last), 2
    return None


def _unit(word: str = "") -> str | None:
    return next((unit for unit, words in _words().units.items() if word in words), None)


def _counted(number: int, unit: str, today: date) -> Days:
    """So many days, weeks, months or years, up to today."""
    if unit in {"day", "week"}:
        days = min(number * (7 if unit == "week" else 1), 36_500)
        return today - timedelta(days=max(days - 1, 0)), today
    months = min(number * (12 if unit == "year" else 1), 1200)
    return _shifted(today, -months) + timedelta(days=1), today


def _whole(unit: str, today: date, *, back: bool) -> Days:
    """A whole day, week from Monday, month or year: this one, or the one before."""
    if unit in {"day", "week"}:
        length = 7 if unit == "week" else 1
        first = today - timedelta(days=today.weekday() if unit == "week" else 0)
        first -= timedelta(days=length if back else 0)
        return first, first + timedelta(days=length - 1)
    if unit == "month":
        return _month(_shifted(today, -1 if back else 0))
    return _year(today.year - (1 if back else 0))


def _calendar(tokens: Sequence[str], at: int, before: str, today: date) -> tuple[Days, int] | None:
    """`October`, `1 October 2025`, `October 1`, `1 de octubre`; `2025` behind a preposition."""
    it = _words()
    leads = before in it.before_doubtful
    if leads and _YEAR.fullmatch(tokens[at]):
        return _year(int(tokens[at])), 1
    behind = list(tokens[at : at + 3])
    day = int(behind.pop(0)) if _is_day(behind) else None
    name = behind.pop(0) if behind else ""
    if name not in it.months:
        return None
    if day is None and _is_day(behind):
        day = int(behind.pop(0))
    year = int(behind[0]) if behind and _YEAR.fullmatch(behind[0]) else None
    used = 1 + (day is not None) + (year is not None)
    if name in it.doubtful and used == 1 and not leads:
        return None
    return _dated(day, it.months[name], year, today), used


def _is_day(tokens: Sequence[str]) -> bool:
    return bool(tokens) and re.fullmatch(r"\d{1,2}", tokens[0]) is not None


def _dated(day: int | None, month: int, year: int | None, today: date) -> Days:
    """A day or a month; without a year the latest one that has begun."""
    try:
        first = date(year or today.year, month, day or 1)
        if year is None and first > today:
            first = first.replace(year=today.year - 1)
    except ValueError:
        raise UnclearError(WHICH_DAYS) from None
    return (first, first) if day else _month(first)


def _month(day: date) -> Days:
    first = day.replace(day=1)
    return first, _shifted(first, 1) - timedelta(days=1)


def _year(year: int) -> Days:
    return date(year, 1, 1), date(year, _DECEMBER, 31)


def _shifted(day: date, months: int) -> date:
    """Return the day so many months later, or the month's last where it has no such day."""
    number = day.year * 12 + day.month - 1 + months
    year, month = divmod(number, 12)
    for last in range(day.day, 0, -1):
        try:
            return date(year, month + 1, last)
        except ValueError:
            continue
    raise ValueError(day)


def _names_days(tokens: Sequence[str]) -> bool:
    it = _words()
    months = it.months.keys() - it.doubtful
    return any(token in it.other or token in months or _unit(token) for token in tokens)
