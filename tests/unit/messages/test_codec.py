"""Strict with what others send, exact with what we send."""

import json
from contextlib import suppress
from datetime import UTC, datetime

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import T0, a_hold, a_leave, a_pass

from holdpoint.messages.answer import Answer, Choice, Proof
from holdpoint.messages.base import MAX_MESSAGE_BYTES, Message
from holdpoint.messages.call import Intent, Propose, Withdraw
from holdpoint.messages.codec import (
    UnreadableError,
    _check_thoroughly,
    check_strict,
    decode,
    decode_data,
    decode_event,
    encode,
    encode_event,
    is_as_written,
    message_in,
)
from holdpoint.messages.hold import Refused, Rendered
from holdpoint.messages.subjects import CLASSES, TYPES

PROPOSE = Propose(tool="delete_rows", arguments={"n": 1, "x": None, "ä": ["€", 1.5]})
DEEP = 31

HOSTILE = {
    "a key twice": (b'{"a": 1, "a": 2}', "duplicate_key"),
    "a key twice, far inside": (b'{"x": [{"y": {"a": 1, "a": 1}}]}', "duplicate_key"),
    "a key twice, once escaped": (rb'{"a": 1, "\u0061": 2}', "duplicate_key"),
    "not a number": (b'{"a": NaN}', "not_finite"),
    "infinity": (b'{"a": Infinity}', "not_finite"),
    "minus infinity": (b"[-Infinity]", "not_finite"),
    "a number out of range": (b'{"a": 1e999}', "not_finite"),
    "a negative number out of range": (b'{"a": -1e999}', "not_finite"),
    "2 to the 53": (b'{"a": 9007199254740992}', "integer_too_large"),
    "2 to the 53 and one": (b'{"a": 9007199254740993}', "integer_too_large"),
    "minus 2 to the 53": (b'{"a": -9007199254740992}', "integer_too_large"),
    "five thousand digits": (b'{"a": ' + b"9" * 5_000 + b"}", "bad_json"),
    "half a surrogate pair": (rb'{"a": "\ud800"}', "bad_unicode"),
    "the other half": (rb'{"a": "\udc00x"}', "bad_unicode"),
    "half a surrogate pair as a key": (rb'{"\ud800": 1}', "bad_unicode"),
    "half a surrogate pair in bytes": (b'{"a": "\xed\xa0\x80"}', "bad_json"),
    "bytes that are not UTF-8": (b'{"a": "\xff"}', "bad_json"),
    "an overlong form": (b'{"a": "\xc0\xaf"}', "bad_json"),
    "UTF-16": ('{"a": 1}'.encode("utf-16"), "bad_json"),
    "UTF-32": ('{"a": 1}'.encode("utf-32"), "bad_json"),
    "a byte order mark": (b'\xef\xbb\xbf{"a": 1}', "bad_json"),
    "a bare control character": (b'{"a": "\x01"}', "bad_json"),
    "half a document": (b'{"a": ', "bad_json"),
    "two documents": (b"{} {}", "bad_json"),
    "a trailing comma": (b'{"a": 1,}', "bad_json"),
    "a comment": (b'{"a": 1} // no', "bad_json"),
    "single quotes": (b"{'a': 1}", "bad_json"),
    "nothing": (b"", "bad_json"),
    "33 levels": (b"[" * 33 + b"]" * 33, "too_deep"),
    "a hundred thousand levels": (b"[" * 100_000 + b"]" * 100_000, "too_deep"),
    "a hundred thousand objects": (b'{"a":' * 30_000 + b"1" + b"}" * 30_000, "too_deep"),
    "too much of it": (b'"' + b"a" * MAX_MESSAGE_BYTES + b'"', "too_large"),
}


@pytest.mark.parametrize(("raw", "code"), HOSTILE.values(), ids=HOSTILE)
def test_what_two_readers_could_read_differently_is_refused(raw: bytes, code: str) -> None:
    with pytest.raises(UnreadableError) as refused:
        check_strict(raw)

    assert refused.value.code == code
    assert refused.value.text == str(refused.value)


@pytest.mark.parametrize(
    "raw",
    [
        b'{"a": 9007199254740991, "b": -9007199254740991, "c": 1e300, "d": -0.0}',
        '{"ä": "😀 \\ud83d\\ude00"}'.encode(),
        b'{"a": {"a": {"a": [1, null, true]}}}',
        b"[" * DEEP + b"1" + b"]" * DEEP,
        b'"' + b"a" * (MAX_MESSAGE_BYTES - 2) + b'"',
    ],
)
def test_ordinary_json_passes(raw: bytes) -> None:
    check_strict(raw)


@given(
    st.recursive(
        st.none()
        | st.booleans()
        | st.integers(-(2**53) + 1, 2**53 - 1)
        | st.text()
        | st.floats(allow_nan=False, allow_infinity=False),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
        max_leaves=10,
    )
)
def test_whatever_passes_is_read_alike_by_both_parsers(value: object) -> None:
    raw = json.dumps(value).encode()
    check_strict(raw)

    assert msgspec.json.decode(raw) == json.loads(raw)


NUMBERS = st.sampled_from(
    ["0", "-0", "1", "1.0", "1e5", "1e999", "9007199254740993", "-9007199254740993", "1" * 400]
) | st.integers(2**52, 2**54).map(str)
TEXTS = st.sampled_from(['"a"', '"b"', '"\\u0061"', '"\\ud800"', '"{["', '"\\u0000"', '"é"'])
DOCUMENTS = st.recursive(
    NUMBERS | TEXTS | st.sampled_from(["null", "NaN", "Infinity", "true", ""]),
    lambda inner: (
        st.lists(inner, max_size=3).map(lambda parts: f"[{','.join(parts)}]")
        | st.lists(st.tuples(TEXTS, inner), max_size=3).map(
            lambda pairs: "{" + ",".join(f"{name}:{value}" for name, value in pairs) + "}"
        )
        | inner.map(lambda part: "[" * 29 + part + "]" * 29)
    ),
    max_leaves=8,
)


@given(DOCUMENTS)
def test_what_is_written_as_we_write_has_nothing_that_two_readers_read_differently(
    text: str,
) -> None:
    """The quick look takes nothing that the thorough one refuses."""
    raw = text.encode()
    if is_as_written(raw):
        _check_thoroughly(raw)


@given(st.binary(max_size=60))
def test_no_bytes_do_more_than_be_refused(raw: bytes) -> None:
    with suppress(UnreadableError):
        check_strict(raw)
        decode_data(decode_event(raw))


# Our own documents.


def framed(message: Message) -> bytes:
    return encode_event(
        message, event_id="e1", source="holdpoint/gate", subject="hp.acme.x", at=T0, salt="5a"
    )


@pytest.mark.parametrize(
    "message",
    [
        PROPOSE,
        Intent(text="Should I proceed?"),
        Withdraw(hold_id="h1"),
        Answer(hold_id="h1", digest="d", render_digest="r", answer=Choice.PROCEED),
        Rendered(hold=a_hold(), cause="HOLDS:1"),
        Refused(principal="ann", cause="ANSWERS:4", code="too_late", text="Too late."),
        a_leave(),
        a_pass(),
    ],
    ids=lambda message: type(message).__name__,
)
def test_what_we_write_we_read_back(message: Message) -> None:
    raw = framed(message)
    check_strict(raw)
    event = decode_event(raw)

    assert decode_data(event) == message
    assert message_in(raw, type(message)) == message
    assert decode(encode(message), type(message)) == message
    assert (event.id, event.source, event.subject) == ("e1", "holdpoint/gate", "hp.acme.x")
    assert (event.time, event.salt, event.specversion) == (T0, "5a", "1.0")
    assert event.type == TYPES[type(message)]


def test_a_document_is_what_cloud_events_asks_for() -> None:
    document = json.loads(framed(Withdraw(hold_id="h1")))

    assert document == {
        "specversion": "1.0",
        "id": "e1",
        "type": "holdpoint.v1.withdraw",
        "source": "holdpoint/gate",
        "data": {"hold_id": "h1"},
        "subject": "hp.acme.x",
        "time": "2026-01-01T00:00:00Z",
        "datacontenttype": "application/json",
        "traceparent": "",
        "salt": "5a",
    }


def an_event(**fields: object) -> bytes:
    given: dict[str, object] = {
        "specversion": "1.0",
        "id": "e1",
        "type": "holdpoint.v1.withdraw",
        "source": "me",
        "data": {"hold_id": "h1"},
    }
    return json.dumps({**given, **fields}).encode()


def test_an_agent_s_document_may_leave_out_what_it_does_not_need() -> None:
    event = decode_event(an_event())

    assert (event.time, event.subject, event.datacontenttype) == (None, "", "application/json")
    assert decode_data(event) == Withdraw(hold_id="h1")


@pytest.mark.parametrize(
    "raw",
    [
        b"[]",
        b"{}",
        b"nonsense",
        b"\xff",
        b"[" * 100_000,
        an_event(specversion="0.3"),
        an_event(id=7),
        an_event(time="yesterday"),
        an_event(time="2026-01-01T00:00:00"),
    ],
)
def test_what_is_no_document_of_ours_is_refused(raw: bytes) -> None:
    with pytest.raises(UnreadableError) as refused:
        decode_event(raw)

    assert refused.value.code == "bad_event"


def test_an_unknown_type_is_refused() -> None:
    with pytest.raises(
        UnreadableError,
        match=r"no type of ours\. Agents send: holdpoint\.v1\.propose, ",
    ) as refused:
        decode_data(decode_event(an_event(type="holdpoint.v2.withdraw")))

    assert refused.value.code == "unknown_type"


def test_another_type_than_expected_is_refused() -> None:
    with pytest.raises(UnreadableError, match=r"Expected holdpoint\.v1\.propose") as refused:
        message_in(an_event(), Propose)

    assert refused.value.code == "unknown_type"


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        ({}, Withdraw),
        ({"hold_id": None}, Withdraw),
        ({"hold_id": 7}, Withdraw),
        ({"hold_id": "*"}, Withdraw),
        ({"hold_id": ">"}, Withdraw),
        ({"hold_id": "h1.>"}, Withdraw),
        ({"hold_id": "h1\n"}, Withdraw),
        ({"hold_id": ""}, Withdraw),
        ({"hold_id": "h" * 65}, Withdraw),
        ({"tool": "t", "arguments": []}, Propose),
        ({"tool": "t", "arguments": {}, "deadline": "2026-01-01T00:00:00"}, Propose),
        ({"tool": "t", "arguments": {}, "confidence": "high"}, Propose),
        ({"tool": "t", "arguments": {}, "intent": "h1.>"}, Propose),
        ({"text": "x", "metadata": {"risk_level": "LOW"}}, Intent),
        ({"text": "x", "metadata": {"confirmation_required": 1}}, Intent),
        ({"hold_id": "h", "digest": "", "render_digest": "", "answer": "Proceed"}, Answer),
        ({"hold_id": "h", "digest": "", "render_digest": "", "answer": "yes"}, Answer),
    ],
)
def test_what_does_not_fit_its_type_is_refused(data: object, kind: type[Message]) -> None:
    with pytest.raises(UnreadableError) as refused:
        decode(json.dumps(data).encode(), kind)

    assert refused.value.code == "bad_data"


def test_a_proof_that_cannot_be_read_is_refused_too() -> None:
    with pytest.raises(UnreadableError, match="cannot be read"):
        decode(b"{}", Proof)


def test_a_moment_keeps_its_offset() -> None:
    call = decode(
        b'{"tool": "t", "arguments": {}, "deadline": "2026-01-01T02:00:00+02:00"}', Propose
    )

    assert call.deadline == datetime(2026, 1, 1, tzinfo=UTC)


def test_every_type_has_one_class_and_one_name() -> None:
    assert len(TYPES) == len(CLASSES)
    assert {CLASSES[name] for name in CLASSES} == set(TYPES)
    assert all(name.startswith("holdpoint.v1.") for name in CLASSES)
