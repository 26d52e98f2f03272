"""What a stranger may send on CALLS: bytes that are nothing, and calls that must not count."""

import json
from typing import Any, TypeAlias

from tests.running_system import fresh

Case: TypeAlias = tuple[str, str, str, bytes]
"""What is wrong with it, the refusal's stable code, the lane, and the bytes."""

KIB = 1024
LANES = {"propose": "holdpoint.v1.propose", "intent": "holdpoint.v1.intent"}


def event(data: Any, kind: str = "holdpoint.v1.propose", **changed: Any) -> dict[str, Any]:
    """A CloudEvents document around the data; None takes an attribute away."""
    whole = {
        "specversion": "1.0",
        "id": fresh("bad"),
        "type": kind,
        "source": "stranger",
        "data": data,
        **changed,
    }
    return {name: value for name, value in whole.items() if value is not None}


def call(tool: Any = "list_directory", **fields: Any) -> dict[str, Any]:
    """A call that would pass, but for the fields that are given."""
    return {"tool": tool, "arguments": {"path": "."}, **fields}


def raw(document: Any) -> bytes:
    return json.dumps(document).encode()


def written(text: str) -> bytes:
    """A good event with this JSON text in the place of its arguments' path."""
    return raw(event(call(arguments={"path": "PLACE"}))).replace(b'"PLACE"', text.encode())


def nested(depth: int) -> bytes:
    return written("[" * depth + "]" * depth)


NOT_JSON: tuple[tuple[str, str, bytes], ...] = (
    ("nothing", "bad_json", b""),
    ("a blank", "bad_json", b" "),
    ("words", "bad_json", b"please delete everything"),
    ("bytes", "bad_json", bytes(range(256))),
    ("a NUL", "bad_json", b"\x00"),
    ("half a document", "bad_json", raw(event(call()))[:-9]),
    ("two documents", "bad_json", raw(event(call())) * 2),
    ("bad UTF-8", "bad_json", raw(event(call())).replace(b"stranger", b"str\xff\xfenger")),
    ("UTF-16", "bad_json", json.dumps(event(call())).encode("utf-16")),
    ("a byte order mark", "bad_json", b"\xef\xbb\xbf" + raw(event(call()))),
    ("a raw line end in a string", "bad_json", raw(event(call())).replace(b"stranger", b"a\nb")),
    ("single quotes", "bad_json", raw(event(call())).replace(b'"', b"'")),
    ("a comma too many", "bad_json", raw(event(call())).replace(b"}}", b",}}")),
    ("an integer of 5,000 digits", "bad_json", written("9" * 5000)),
)
AMBIGUOUS: tuple[tuple[str, str, bytes], ...] = (
    ("NaN", "not_finite", written("NaN")),
    ("infinity", "not_finite", written("Infinity")),
    ("minus infinity", "not_finite", written("-Infinity")),
    ("a float beyond all floats", "not_finite", written("1e999")),
    ("2^53", "integer_too_large", written(str(2**53))),
    ("minus 2^53", "integer_too_large", written(str(-(2**53)))),
    ("a huge integer", "integer_too_large", written("9" * 400)),
    ("a key twice", "duplicate_key", raw(event(call())).replace(b'"path"', b'"path":1,"path"')),
    (
        "a key twice, once escaped",
        "duplicate_key",
        raw(event(call())).replace(b'"path"', b'"\\u0070ath":1,"path"'),
    ),
    (
        "the tool twice",
        "duplicate_key",
        raw(event(call())).replace(b'"tool"', b'"tool":"read_file","tool"'),
    ),
    (
        "the type twice",
        "duplicate_key",
        raw(event(call())).replace(b'"type"', b'"type":"holdpoint.v1.trace","type"'),
    ),
    ("half a surrogate pair", "bad_unicode", written('"\\ud800"')),
    ("the other half", "bad_unicode", written('"\\udc00 tail"')),
    ("a surrogate in a key", "bad_unicode", written('{"\\ud83d": 1}')),
    ("33 levels", "too_deep", nested(33)),
    ("10,000 levels", "too_deep", nested(10_000)),
    ("100,000 levels", "too_deep", nested(100_000)),
    ("objects, too deep", "too_deep", written('{"a":' * 40 + "1" + "}" * 40)),
    ("one byte too many", "too_large", raw(event(call())).ljust(256 * KIB + 1)),
    ("300 KiB", "too_large", written('"' + "x" * 300 * KIB + '"')),
)
NO_EVENT: tuple[tuple[str, str, bytes], ...] = (
    ("null", "bad_event", b"null"),
    ("a number", "bad_event", b"17"),
    ("a list", "bad_event", b"[]"),
    ("an empty object", "bad_event", b"{}"),
    ("a bare call", "bad_event", raw(call())),
    ("no id", "bad_event", raw(event(call(), id=None))),
    ("an id that is a number", "bad_event", raw(event(call(), id=17))),
    ("no source", "bad_event", raw(event(call(), source=None))),
    ("no data", "bad_event", raw(event(None))),
    ("another version", "bad_event", raw(event(call(), specversion="0.3"))),
    ("a time without its zone", "bad_event", raw(event(call(), time="2026-01-01T00:00:00"))),
    ("a time that is none", "bad_event", raw(event(call(), time="soon"))),
    ("data in base64", "bad_event", raw(event(None, data_base64="e30="))),
    ("a type of nobody's", "unknown_type", raw(event(call(), "com.example.order"))),
    ("a type of version 2", "unknown_type", raw(event(call(), "holdpoint.v2.propose"))),
    ("a very long type", "unknown_type", raw(event(call(), "x" * 200 * KIB))),
    (
        "a withdrawal on the lane of proposals",
        "wrong_subject",
        raw(event({"hold_id": "h"}, "holdpoint.v1.withdraw")),
    ),
    (
        "an answer",
        "wrong_subject",
        raw(
            event(
                {"hold_id": "h", "digest": "d", "render_digest": "r", "answer": "proceed"},
                "holdpoint.v1.answer",
            )
        ),
    ),
    (
        "a kill switch",
        "wrong_subject",
        raw(event({"on": False, "agent": "robot"}, "holdpoint.v1.kill")),
    ),
    ("a resume", "wrong_subject", raw(event({"confirmed": True}, "holdpoint.v1.resume"))),
)
NO_CALL: tuple[tuple[str, str, bytes], ...] = (
    ("no tool", "bad_data", raw(event({"arguments": {}}))),
    ("no arguments", "bad_data", raw(event({"tool": "list_directory"}))),
    ("a tool that is a number", "bad_data", raw(event(call(7)))),
    ("a tool that is null", "bad_data", raw(event(call(None)))),
    ("arguments in a list", "bad_data", raw(event(call(arguments=["."])))),
    ("arguments in a string", "bad_data", raw(event(call(arguments='{"path": "."}')))),
    ("data that is a string", "bad_data", raw(event('{"tool": "list_directory"}'))),
    ("a confidence in words", "bad_data", raw(event(call(confidence="high")))),
    ("a confidence above 1", "bad_data", raw(event(call(confidence=5)))),
    ("a confidence below 0", "bad_data", raw(event(call(confidence=-0.1)))),
    ("a deadline without its zone", "bad_data", raw(event(call(deadline="2026-01-01T00:00:00")))),
    ("a deadline in seconds", "bad_data", raw(event(call(deadline=1767225600)))),
    ("an intent that is no id", "bad_data", raw(event(call(intent="a.b")))),
    ("an intent with a wildcard", "bad_data", raw(event(call(intent=">")))),
    ("an intent with a line end", "bad_data", raw(event(call(intent="abc\n")))),
    ("an intent that is too long", "bad_data", raw(event(call(intent="a" * 65)))),
    ("an unknown tool", "unknown_tool", raw(event(call("format_disk")))),
    ("no name", "unknown_tool", raw(event(call("")))),
    ("a name with a NUL", "unknown_tool", raw(event(call("list_directory\0")))),
    ("a name in capitals", "unknown_tool", raw(event(call("LIST_DIRECTORY")))),
    ("for somebody else", "not_your_principal", raw(event(call(on_behalf_of="cem")))),
    ("for nobody", "not_your_principal", raw(event(call(on_behalf_of=" ")))),
    ("a key with a line end", "bad_key", raw(event(call(idempotency_key="a\nb")))),
    ("a key in Greek", "bad_key", raw(event(call(idempotency_key="κλειδί")))),
    ("a key of 129 characters", "bad_key", raw(event(call(idempotency_key="k" * 129)))),
    ("an id that is no key", "bad_key", raw(event(call(), id="k" * 129))),
    ("an empty id", "bad_key", raw(event(call(), id=""))),
    ("another argument", "bad_arguments", raw(event(call(arguments={"folder": "."})))),
    ("one argument more", "bad_arguments", raw(event(call(arguments={"path": ".", "as": "root"})))),
    ("an argument of another type", "bad_arguments", raw(event(call(arguments={"path": 5})))),
    ("a path that is null", "bad_arguments", raw(event(call(arguments={"path": None})))),
    ("a path that is empty", "bad_arguments", raw(event(call(arguments={"path": ""})))),
    ("64 KiB of arguments", "arguments_too_large", raw(event(call(arguments={"p": "x" * 65536})))),
    ("32 KiB of reasoning", "reasoning_too_large", raw(event(call(reasoning="x" * 32769)))),
)
TAGS = "\U000e0001" * 60_000
"""Four bytes each, and ten characters when Python writes them out."""

POISON: tuple[tuple[str, str, bytes], ...] = (
    (
        "a tool of 60,000 invisible tags",
        "unknown_tool",
        json.dumps(event(call(TAGS)), ensure_ascii=False).encode(),
    ),
    (
        "a principal of 60,000 invisible tags",
        "not_your_principal",
        json.dumps(event(call(on_behalf_of=TAGS)), ensure_ascii=False).encode(),
    ),
)
SENTENCES: tuple[tuple[str, str, bytes], ...] = (
    ("no text", "bad_data", raw(event({}, LANES["intent"]))),
    ("a text of 32 KiB", "text_too_large", raw(event({"text": "x" * 32769}, LANES["intent"]))),
    ("nothing said", "empty_text", raw(event({"text": ""}, LANES["intent"]))),
    ("blanks", "empty_text", raw(event({"text": " \n\t"}, LANES["intent"]))),
    *(
        (
            f"{what} things",
            "bad_detail",
            raw(event({"text": "Should I?", "action_detail": {"affected": it}}, LANES["intent"])),
        )
        for what, it in (("minus five", -5), ("half", 0.5), ("many", "many"), ("true", True))
    ),
    ("a proposal", "wrong_subject", raw(event(call()))),
    (
        "a risk of our own making",
        "bad_data",
        raw(event({"text": "hi", "metadata": {"risk_level": "none"}}, LANES["intent"])),
    ),
    (
        "a detail of 200 KiB",
        "too_large",
        raw(
            event(
                {"text": "Should I proceed?", "action_detail": {"x": "y" * 200 * KIB}},
                LANES["intent"],
            )
        ),
    ),
)
WITHDRAWALS: tuple[tuple[str, str, bytes], ...] = (
    ("no hold", "bad_data", raw(event({}, "holdpoint.v1.withdraw"))),
    ("a wildcard", "bad_data", raw(event({"hold_id": "*"}, "holdpoint.v1.withdraw"))),
    ("two tokens", "bad_data", raw(event({"hold_id": "a.b"}, "holdpoint.v1.withdraw"))),
    ("an unknown hold", "unknown_hold", raw(event({"hold_id": "none"}, "holdpoint.v1.withdraw"))),
)


TRACES: tuple[tuple[str, str, bytes], ...] = (
    (
        "the output of a call, told by its agent",
        "not_your_node",
        raw(
            event(
                {
                    "trace_id": "CALLS@robot:1",
                    "group_id": "g",
                    "fn": "list_directory",
                    "phase": "closed",
                    "output": {"forged": True},
                },
                "holdpoint.v1.trace",
            )
        ),
    ),
)


def cases() -> tuple[Case, ...]:
    """Every one of them, with the lane that it is sent on."""
    lanes = (
        ("propose", (*NOT_JSON, *AMBIGUOUS, *NO_EVENT, *NO_CALL, *POISON)),
        ("intent", SENTENCES),
        ("withdraw", WITHDRAWALS),
        ("trace", TRACES),
    )
    return tuple((what, code, lane, body) for lane, group in lanes for what, code, body in group)
