"""Days that a sentence names, on a Saturday, 28 November 2026."""

from datetime import date

import pytest

from holdpoint.coordinator.choices import UnclearError
from holdpoint.coordinator.periods import period_in

TODAY = date(2026, 11, 28)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("show my transactions", "", ""),
        ("show the last 5 transactions", "", ""),
        ("may I see my transactions", "", ""),
        ("transactions from savings", "", ""),
        ("what did I spend today", "2026-11-28", "2026-11-28"),
        ("was habe ich gestern ausgegeben", "2026-11-27", "2026-11-27"),
        ("what did I spend last week", "2026-11-16", "2026-11-22"),
        ("¿en qué he gastado esta semana?", "2026-11-23", "2026-11-29"),
        ("Welche Umsätze letzten Monat", "2026-10-01", "2026-10-31"),
        ("movimientos del mes pasado", "2026-10-01", "2026-10-31"),
        ("mes dépenses du mois dernier", "2026-10-01", "2026-10-31"),
        ("transactions of this month", "2026-11-01", "2026-11-30"),
        ("Ausgaben letztes Jahr", "2025-01-01", "2025-12-31"),
        ("transactions of the last 30 days", "2026-10-30", "2026-11-28"),
        ("die letzten 2 Wochen", "2026-11-15", "2026-11-28"),
        ("the past 3 months", "2026-08-29", "2026-11-28"),
        ("transactions since 1 October", "2026-10-01", ""),
        ("Umsätze seit dem 1. Oktober 2025", "2025-10-01", ""),
        ("movimientos desde el 1 de octubre de 2025", "2025-10-01", ""),
        ("transactions since October 1st, 2025", "2025-10-01", ""),
        ("transactions since December", "2025-12-01", ""),
        ("transactions since last month", "2026-10-01", ""),
        ("transactions since the beginning of October", "2026-10-01", ""),
        ("transactions until 2026-03-31", "", "2026-03-31"),
        ("transactions in January 2025", "2025-01-01", "2025-01-31"),
        ("transactions in May", "2026-05-01", "2026-05-31"),
        ("transactions in 2025", "2025-01-01", "2025-12-31"),
        ("between 2026-01-05 and 2026-02-01", "2026-01-05", "2026-02-01"),
        ("von Januar bis März", "2026-01-01", "2026-03-31"),
        ("transactions between 1 and 15 November", "2026-11-01", "2026-11-15"),
        ("from 1 to 5 January", "2026-01-01", "2026-01-05"),
        ("Umsätze vom Oktober", "2026-10-01", "2026-10-31"),
        ("Umsätze vom letzten Monat", "2026-10-01", "2026-10-31"),
        ("Umsätze vom 1. Oktober bis 5. Oktober", "2026-10-01", "2026-10-05"),
        ("Umsätze seit 3 Tagen", "2026-11-26", ""),
    ],
)
def test_a_period_is_read(text: str, first: str, last: str) -> None:
    found = period_in(text, TODAY)
    assert tuple(it.isoformat() if it else "" for it in found) == (first, last)


@pytest.mark.parametrize(
    "text",
    [
        "transactions of the last quarter",
        "what did I spend on Monday",
        "transactions since Easter",
        "transactions a month ago",
        "transactions on 31 February",
        "transactions since 2026-13-01",
        "between March and January",
        "between 15 and 1 November",
        "for the first week of november",
        "transactions from 2025-13-45",
        "in January, in March and in May",
    ],
)
def test_a_period_that_is_not_understood_is_asked_for(text: str) -> None:
    with pytest.raises(UnclearError, match="which days you mean"):
        period_in(text, TODAY)
