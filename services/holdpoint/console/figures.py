"""Figures over time of what people were asked, and their plots. Pure: endings in, numbers out."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from statistics import median

from holdpoint.ledger.figures import Ending
from holdpoint.messages.base import Value
from holdpoint.messages.hold import Outcome
from holdpoint.messages.risk import RiskLevel

WIDE, HIGH = 300.0, 110.0
"""A plot's area, in its own units."""

PERIODS = (7, 30, 90)
"""Days that a page looks back."""

_WAITS = (
    ("under 10 s", 10.0),
    ("to 1 min", 60.0),
    ("to 5 min", 300.0),
    ("to 15 min", 900.0),
    ("to 1 h", 3600.0),
    ("longer", float("inf")),
)


class Day(Value, frozen=True, kw_only=True):
    """Holds that were halted on one day, by UTC."""

    day: date
    risks: dict[str, int]
    """Holds by risk level."""

    asked: int
    answered: int
    """By a person."""

    waiting: int
    approved: int
    cancelled: int
    expired: int
    seconds: float | None
    """Median from the halt to the answer; None without one."""


class Wait(Value, frozen=True, kw_only=True):
    """Answers that came within a time."""

    name: str
    number: int


class Figures(Value, frozen=True, kw_only=True):
    """Figures of some days, and of all of them together."""

    days: tuple[Day, ...]
    whole: Day
    waits: tuple[Wait, ...]


class Bar(Value, frozen=True, kw_only=True):
    """One rectangle, in the plot's units."""

    x: float
    y: float
    width: float
    height: float
    kind: str
    text: str


class Plot(Value, frozen=True, kw_only=True):
    """Bars above an axis; `top` is what its full height means."""

    bars: tuple[Bar, ...]
    top: str
    first: str
    last: str


def figures_of(endings: Sequence[Ending], today: date, days: int) -> Figures:
    """Sort the endings into the last so many days."""
    wanted = [today - timedelta(days=days - 1 - back) for back in range(days)]
    known: dict[date, list[Ending]] = {day: [] for day in wanted}
    for it in endings:
        known.get(it.halted_at.astimezone(UTC).date(), []).append(it)
    inside = [it for each in known.values() for it in each]
    return Figures(
        days=tuple(_day(day, each) for day, each in known.items()),
        whole=_day(today, inside),
        waits=_waits(inside),
    )


def since(today: date, days: int) -> datetime:
    """The beginning of the first of these days."""
    first = today - timedelta(days=days - 1)
    return datetime(first.year, first.month, first.day, tzinfo=UTC)


def share(part: int, whole: int) -> str:
    """`83%`; a dash where there is nothing to share."""
    return f"{100 * part / whole:.0f}%" if whole else "\u2013"


def by_risk(figures: Figures) -> Plot:
    """Holds of each day, stacked by risk level."""
    most = max((it.asked for it in figures.days), default=0) or 1
    bars: list[Bar] = []
    for place, day in enumerate(figures.days):
        base = 0
        for risk in RiskLevel:
            number = day.risks.get(risk.value, 0)
            text = f"{day.day}: {number} {risk.value}"
            span = (base / most, (base + number) / most)
            bars += _bar(figures.days, place, span, risk.value, text)
            base += number
    return _plot(figures.days, bars, str(most))


def by_share(figures: Figures, *, expired: bool) -> Plot:
    """Share of each day that was approved, of those answered, or that expired, of what ended."""
    bars: list[Bar] = []
    for place, day in enumerate(figures.days):
        part, whole = _parts(day, expired=expired)
        if whole:
            text = f"{day.day}: {share(part, whole)} of {whole}"
            bars += _bar(figures.days, place, (0.0, part / whole), "plain", text)
    return _plot(figures.days, bars, "100%")


def by_wait(figures: Figures) -> Plot:
    """Answers by the time that they took."""
    most = max((it.number for it in figures.waits), default=0) or 1
    bars: list[Bar] = []
    for place, it in enumerate(figures.waits):
        text = f"{it.name}: {it.number}"
        bars += _bar(figures.waits, place, (0.0, it.number / most), "plain", text)
    return Plot(
        bars=tuple(bars), top=str(most), first=figures.waits[0].name, last=figures.waits[-1].name
    )


def _parts(day: Day, *, expired: bool) -> tuple[int, int]:
    if expired:
        return day.expired, day.asked - day.waiting
    return day.approved, day.approved + day.cancelled


def _day(day: date, endings: Sequence[Ending]) -> Day:
    took = list(_took(endings))
    return Day(
        day=day,
        risks={it.value: sum(each.risk == it.value for each in endings) for it in RiskLevel},
        asked=len(endings),
        answered=sum(it.answered for it in endings),
        waiting=sum(it.ended_at is None for it in endings),
        approved=_count(endings, Outcome.CONFIRMED),
        cancelled=sum(it.answered and it.outcome == Outcome.CANCELLED.value for it in endings),
        expired=_count(endings, Outcome.EXPIRED),
        seconds=median(took) if took else None,
    )


def _count(endings: Iterable[Ending], outcome: Outcome) -> int:
    return sum(it.outcome == outcome.value for it in endings)


def _took(endings: Iterable[Ending]) -> Iterator[float]:
    """Yield the seconds to each answer."""
    for it in endings:
        if it.answered and it.ended_at is not None:
            yield max(0.0, (it.ended_at - it.halted_at).total_seconds())


def _waits(endings: Sequence[Ending]) -> tuple[Wait, ...]:
    took = list(_took(endings))
    least = (0.0, *(most for _, most in _WAITS))
    return tuple(
        Wait(name=name, number=sum(low <= it < most for it in took))
        for low, (name, most) in zip(least, _WAITS, strict=False)
    )


def _bar(
    all_of: Sequence[object], place: int, span: tuple[float, float], kind: str, text: str
) -> list[Bar]:
    """The part of a column between two heights from 0 to 1; none where there is nothing."""
    low, high = span
    if high <= low:
        return []
    column = WIDE / len(all_of)
    return [
        Bar(
            x=round(place * column + column * 0.1, 2),
            y=round(HIGH * (1 - high), 2),
            width=round(column * 0.8, 2),
            height=round(HIGH * (high - low), 2),
            kind=kind,
            text=text,
        )
    ]


def _plot(days: Sequence[Day], bars: Iterable[Bar], top: str) -> Plot:
    return Plot(bars=tuple(bars), top=top, first=str(days[0].day), last=str(days[-1].day))
