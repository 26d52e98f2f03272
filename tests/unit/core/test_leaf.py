"""A leaf: what it commits to, in a form that any language can recompute."""

import hashlib
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from holdpoint.core.leaf import FIELDS, canonical_leaf, leaf, moment

AN_EVENT: dict[str, Any] = {
    "src_stream": "HP_HOLDS_acme",
    "src_seq": 17,
    "subject": "hp.acme.hold.robot.h1.resolved.none",
    "type": "holdpoint.v1.resolve",
    "time": datetime(2026, 3, 1, 9, 0, tzinfo=UTC),
    "hold_id": "h1",
    "body_sha256": "ab" * 32,
    "signature": "gate-1 c2ln",
}

texts = st.text(st.characters(codec="utf-8"))
events = st.fixed_dictionaries(
    {
        "src_stream": texts,
        "src_seq": st.integers(1, 2**53 - 1),
        "subject": texts,
        "type": texts,
        "time": st.datetimes(timezones=st.just(UTC)),
        "hold_id": st.none() | texts,
        "body_sha256": texts,
        "signature": st.none() | texts,
    }
)


def test_a_leaf_is_the_hash_of_a_zero_byte_and_the_canonical_event() -> None:
    canonical = (
        '{"body_sha256":"' + "ab" * 32 + '","hold_id":"h1","signature":"gate-1 c2ln",'
        '"src_seq":17,"src_stream":"HP_HOLDS_acme",'
        '"subject":"hp.acme.hold.robot.h1.resolved.none",'
        '"time":"2026-03-01T09:00:00.000000Z","type":"holdpoint.v1.resolve"}'
    )

    assert canonical_leaf(AN_EVENT) == canonical.encode()
    assert leaf(AN_EVENT) == hashlib.sha256(b"\x00" + canonical.encode()).digest()


@given(events)
def test_the_fast_form_is_rfc_8785(event: dict[str, Any]) -> None:
    slow = rfc8785.dumps({**event, "time": moment(event)})

    assert canonical_leaf(event) == slow


@given(events, st.sampled_from(FIELDS))
def test_every_field_counts(event: dict[str, Any], name: str) -> None:
    other = {
        **{field: f"{event[field]}x" for field in FIELDS},
        "src_seq": event["src_seq"] + 1,
        "time": event["time"].replace(microsecond=event["time"].microsecond ^ 1),
    }

    assert leaf({**event, name: other[name]}) != leaf(event)


@given(events, texts)
def test_nothing_else_counts(event: dict[str, Any], anything: str) -> None:
    assert leaf({**event, "agent": anything, "body": anything}) == leaf(event)


def test_the_same_moment_in_another_zone_is_the_same_leaf() -> None:
    at: datetime = AN_EVENT["time"]
    elsewhere = at.astimezone(timezone(timedelta(hours=5, minutes=30)))

    assert leaf({**AN_EVENT, "time": elsewhere}) == leaf(AN_EVENT)
