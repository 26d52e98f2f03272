"""`holdpoint assess`: lines in, lines out, nothing else."""

import io
import json
from typing import Any

import pytest
from tests.unit.risk.builders import policy_with_reader

from holdpoint.messages.risk import RiskLevel
from holdpoint.policy_lab.assess import assess_line, assess_text, run
from holdpoint.policy_lab.cases import BadLineError, LineKind, line_of


def level_of(**line: Any) -> str:
    raw = json.dumps({"id": "1"} | line).encode()
    answer = json.loads(assess_line(raw, policy_with_reader()))
    assert answer["id"] == "1"
    return str(answer["risk_level"])


@pytest.mark.parametrize(
    ("line", "level"),
    [
        ({"kind": "shell", "text": "ls"}, "low"),
        ({"kind": "shell", "text": "rm -rf src"}, "high"),
        ({"kind": "sql", "text": "SELECT 1", "context": {"database": "crm"}}, "low"),
        ({"kind": "sql", "text": "DROP TABLE users"}, "critical"),
        ({"kind": "dialogue", "text": "I will look it up.", "label": "ignored"}, "low"),
        ({"kind": "dialogue", "text": "Shall I go ahead?"}, "high"),
        ({"kind": "tool_call", "payload": {"tool": "DeleteUser", "args": {"id": 1}}}, "high"),
        ({"kind": "tool_call", "payload": {"tool": "get_user", "args": {"limit": 500}}}, "medium"),
        ({"kind": "tool_call", "payload": {"tool": "sql", "query": "drop table t"}}, "critical"),
        ({"kind": "http", "payload": {"method": "DELETE", "url": "https://a.example/x"}}, "high"),
        ({"kind": "http", "payload": {"method": "GET", "url": "https://a.example/x"}}, "low"),
        ({"kind": "http", "payload": {"method": "POST", "url": "https://a.example/x"}}, "low"),
    ],
)
def test_each_kind_is_judged(line: dict[str, Any], level: str) -> None:
    assert level_of(**line) == level


def test_a_signal_is_told_with_its_evidence() -> None:
    raw = b'{"id": "7", "kind": "shell", "text": "cd /srv && git clean -fd"}'
    answer = json.loads(assess_line(raw, policy_with_reader()))

    assert answer["signals"] == [
        {
            "rule": "shell.git-clean",
            "heuristic": "irreversibility",
            "level": "high",
            "reason": "`git clean -fd` deletes files that git does not know",
            "span": [11, 24],
            "evidence": "git clean -fd",
        }
    ]


@pytest.mark.parametrize(
    ("text", "level"),
    [
        ("git commit -m 'rm -rf / was wrong'", "low"),
        ("grep -r 'drop table' .", "low"),
        ("rm -rf /", "critical"),
        ("psql -c 'DROP TABLE users'", "critical"),
    ],
)
def test_what_is_only_printed_or_searched_is_no_command(text: str, level: str) -> None:
    assert level_of(kind="shell", text=text) == level


def test_statements_inside_comments_and_strings_are_none() -> None:
    assert level_of(kind="sql", text="SELECT 1 /* DROP TABLE a */") == "low"
    assert level_of(kind="sql", text="SELECT 'delete 5 files'") == "low"


@pytest.mark.parametrize("raw", [b"{", b'{"id": "1"}', b'{"id": "1", "kind": "song"}', b"\xff"])
def test_a_bad_line_says_what_a_line_looks_like(raw: bytes) -> None:
    with pytest.raises(BadLineError, match="A line looks like"):
        assess_line(raw, policy_with_reader())


def test_the_other_lines_are_answered() -> None:
    good = b'{"id": "a", "kind": "shell", "text": "ls"}\n'
    out = io.BytesIO()
    code = run([good, b"nonsense\n", b"\n", good], policy_with_reader(), out)
    answers = [json.loads(line) for line in out.getvalue().splitlines()]

    assert code == 1
    assert [answer.get("id") for answer in answers] == ["a", None, "a"]
    assert answers[1]["line"] == 2


def test_good_lines_end_well() -> None:
    assert (
        run([b'{"id": "a", "kind": "shell", "text": "ls"}'], policy_with_reader(), io.BytesIO())
        == 0
    )


def test_one_text_is_assessed() -> None:
    assert (
        assess_text(line_of("rm -rf /", LineKind.SHELL), policy_with_reader())[0].level
        is RiskLevel.CRITICAL
    )


@pytest.mark.parametrize("kind", ["shell", "sql", "dialogue"])
def test_what_stands_where_nobody_reads_it_is_an_error(kind: str) -> None:
    for beside in ("", '"text": "ls", '):
        line = f'{{"id": "8", "kind": "{kind}", {beside}"payload": {{"command": "rm -rf /"}}}}'
        with pytest.raises(BadLineError, match="stands in its `text`"):
            assess_line(line.encode(), policy_with_reader())


@pytest.mark.parametrize("line", [b'{"id":"8","kind":"shell"}', b'{"id":"8","kind":"http"}'])
def test_a_line_with_nothing_to_assess_is_an_error(line: bytes) -> None:
    with pytest.raises(BadLineError, match="nothing to assess"):
        assess_line(line, policy_with_reader())


@pytest.mark.parametrize(
    ("text", "level"),
    [
        ("DELETE https://api.example/v1/users/7", RiskLevel.HIGH),
        ("delete /v1/users/7 HTTP/1.1\r\nHost: api.example\r\n\r\n", RiskLevel.HIGH),
        ("POST /users/7 HTTP/1.1\nX-HTTP-Method-Override: DELETE\n\n", RiskLevel.HIGH),
        ("PATCH /users/7 HTTP/1.1\r\nHost: a\r\n\r\n" + '{"role": "admin"}', RiskLevel.HIGH),
        ('{"method": "DELETE", "path": "users/7"}', RiskLevel.HIGH),
        ("GET https://api.example/v1/users/7", RiskLevel.LOW),
    ],
)
def test_a_request_may_be_given_as_it_is_sent(text: str, level: RiskLevel) -> None:
    raw = json.dumps({"id": "9", "kind": "http", "text": text}).encode()

    assert json.loads(assess_line(raw, policy_with_reader()))["risk_level"] == level.value
    assert assess_text(line_of(text, LineKind.HTTP), policy_with_reader())[0].level is level


@pytest.mark.parametrize(
    "text", ["curl -X DELETE https://a.example/u/7", "please delete", "{broken", "DELETE", "  "]
)
def test_what_is_no_request_is_refused_and_not_low(text: str) -> None:
    with pytest.raises(BadLineError, match="A request is one JSON object"):
        assess_line(
            json.dumps({"id": "9", "kind": "http", "text": text}).encode(), policy_with_reader()
        )
    with pytest.raises(BadLineError, match="A request is one JSON object"):
        assess_text(line_of(text, LineKind.HTTP), policy_with_reader())


def test_a_call_may_be_spelled_as_protocols_and_providers_spell_it() -> None:
    """A deletion is one in each of them."""
    arguments = {"id": 7}
    as_text = json.dumps(arguments)
    spellings: list[dict[str, Any]] = [
        {"tool": "delete_user", "args": arguments},
        {"name": "delete_user", "arguments": arguments},
        {"tool_name": "delete_user", "tool_input": arguments},
        {"type": "function", "id": "a", "function": {"name": "delete_user", "arguments": as_text}},
        {"type": "tool_use", "id": "a", "name": "delete_user", "input": arguments},
        {"functionCall": {"name": "delete_user", "args": arguments}},
        {"method": "tools/call", "params": {"name": "delete_user", "arguments": arguments}},
        {"tool_name": "delete_user", "params": {"name": "ann"}},
        {"recipient_name": "functions.delete_user", "parameters": arguments},
        {"action": "delete_user", "action_input": arguments},
        {"action": "terminal", "action_input": "rm -rf /srv"},
        {"tool_name": "delete_user", "tool_kwargs": arguments},
        {"plugin_name": "crm", "function_name": "delete_user", "arguments": as_text},
        {"type": "function_call", "call_id": "a", "name": "delete_user", "arguments": as_text},
        {"type": "local_shell_call", "action": {"type": "exec", "command": ["rm", "-rf", "/srv"]}},
        {"tool_calls": [{"function": {"name": "delete_user", "arguments": as_text}}]},
        {"choices": [{"message": {"tool_calls": [{"name": "delete_user", "args": arguments}]}}]},
        {"content": [{"type": "text", "text": "So"}, {"type": "tool_use", "name": "delete_user"}]},
        {"candidates": [{"content": {"parts": [{"functionCall": {"name": "delete_user"}}]}}]},
        {"output": [{"type": "function_call", "name": "delete_user", "arguments": as_text}]},
        {"output": {"message": {"content": [{"toolUse": {"name": "delete_user", "input": {}}}]}}},
    ]
    for payload in spellings:
        assert level_of(kind="tool_call", payload=payload) in {"high", "critical"}, payload
        assert level_of(kind="tool_call", text=json.dumps(payload)) != "low", payload


def test_of_several_calls_in_a_message_the_worst_counts() -> None:
    look = {"function": {"name": "get_user", "arguments": "{}"}}
    grave: list[dict[str, Any]] = [
        {"function": {"name": "delete_user", "arguments": '{"id": 7}'}},
        {"function": {"name": "pay", "arguments": '{"amount": 90000, "currency": "EUR"}'}},
        {"type": "function", "function": {"name": "bash", "arguments": '{"command": "rm -rf /x"}'}},
        {"action": "delete_user", "action_input": {"id": 7}},
    ]
    for one in grave:
        for several in ([look, one], [one, look]):
            assert level_of(kind="tool_call", payload={"tool_calls": several}) != "low", one
    for several in ([look], [look, look]):
        assert level_of(kind="tool_call", payload={"tool_calls": several}) == "low", several


def test_what_only_says_which_call_it_is_is_no_argument() -> None:
    """A proven read stays one; whatever else stands beside may be an argument after all."""
    read = {"name": "bash", "input": {"command": "grep -rn 'rm -rf' ."}}
    known: list[dict[str, Any]] = [
        {"type": "tool_use", "id": "toolu_01A"},
        {"type": "function_call", "call_id": "call_7"},
    ]
    for beside in known:
        assert level_of(kind="tool_call", payload=read | beside) == "low", beside
    others: list[dict[str, Any]] = [{"id": "rm -rf /"}, {"type": "rm -rf /"}, {"cmd": "rm -rf /"}]
    for beside in others:
        assert level_of(kind="tool_call", payload=read | beside) != "low", beside


def test_a_message_with_a_call_that_has_no_name_is_refused() -> None:
    nameless: dict[str, Any] = {"tool_calls": [{"name": "get_user", "args": {}}, {"args": {}}]}
    deep: dict[str, Any] = {"name": "get_user", "args": {}}
    for _ in range(40):
        deep = {"message": deep}
    for payload in (nameless, deep, {"content": [{"type": "text", "text": "delete it"}]}):
        with pytest.raises(BadLineError, match="A tool call is one JSON object"):
            level_of(kind="tool_call", payload=payload)


def test_the_name_of_what_a_call_makes_is_an_argument() -> None:
    payload = {"tool": "create_note", "name": "delete_user", "args": {}}

    assert level_of(kind="tool_call", payload=payload) == "low"
    assert level_of(kind="tool_call", payload=payload | {"tool": " "}) == "high", "blanks name none"


@pytest.mark.parametrize(
    "line",
    [
        *({"text": "delete it"}, {"text": "[]"}, {"payload": {"args": {"id": 1}}}, {"text": "{}"}),
        *({"payload": {"tool": " ", "args": {}}}, {"text": '{"tool": "\\t\\n"}'}),
    ],
)
def test_a_call_that_names_no_tool_is_refused_and_not_low(line: dict[str, Any]) -> None:
    with pytest.raises(BadLineError, match="A tool call is one JSON object"):
        assess_line(
            json.dumps({"id": "9", "kind": "tool_call"} | line).encode(), policy_with_reader()
        )


def test_every_line_has_the_same_fields_whatever_it_is() -> None:
    """And those of a text: `risk_level` as lines have always had it, `level` as explain says."""
    fields = {
        "id", "risk_level", "level", "signals", "action_type", "resource", "affected", "amount",
        "environment", "target", "verb", "reversible", "reads_only", "changes_little", "verdict",
        "tool", "operation_level",
    }  # fmt: skip
    for text in ("ls", "rm -rf /", "rm -r build"):
        raw = json.dumps({"id": text, "kind": "shell", "text": text}).encode()
        told = json.loads(assess_line(raw, policy_with_reader()))

        assert told.keys() == fields, text
        assert told["level"] == told["risk_level"], text
        assert isinstance(told["signals"], list), text
        assert told["reversible"] is False, text


def test_an_id_may_be_a_number_and_a_bad_line_keeps_its_own() -> None:
    for line, answer in (
        ('{"id": 7, "kind": "shell", "text": "ls"}', {"id": 7, "risk_level": "low"}),
        ('{"id": "7", "kind": "shell", "text": "ls"}', {"id": "7", "risk_level": "low"}),
        ('{"id": 7, "kind": "song", "text": "ls"}', {"id": 7, "line": 1}),
        ('{"id": "b", "kind": "shell"}', {"id": "b", "line": 1}),
        ('{"id": 7.5, "kind": "shell", "text": "ls"}', {"line": 1}),
        ('{"id": true, "kind": "shell", "text": "ls"}', {"line": 1}),
        ("nonsense", {"line": 1}),
    ):
        out = io.BytesIO()
        run([line.encode()], policy_with_reader(), out)
        told = json.loads(out.getvalue())
        assert answer.items() <= told.items(), (line, told)
        assert ("id" in told) is ("id" in answer), line


@pytest.mark.parametrize(
    ("pointer", "is_there"),
    [
        ("", True),
        ("/to", True),
        ("/body/parts/1", True),
        ("/a~1b", True),
        ("/c~0d", True),
        ("to", False),
        ("/nowhere", False),
        ("/to/deeper", False),
        ("/body/parts/2", False),
        ("/body/parts/x", False),
        ("/", False),
    ],
)
def test_a_taint_that_names_no_argument_is_refused(pointer: str, is_there: bool) -> None:
    """Whoever mistypes one would believe that it covers the argument."""
    args = {"to": "ann", "body": {"parts": ["a", "b"]}, "a/b": 1, "c~d": 2}
    call = {"id": "1", "kind": "tool_call", "payload": {"tool": "send_mail", "args": args}}
    raw = json.dumps(call | {"taint": [pointer]}).encode()
    if is_there:
        assert json.loads(assess_line(raw, policy_with_reader()))["risk_level"] == "high"
        return
    with pytest.raises(BadLineError, match=r"names no argument\. There are: /to, /body, /a~1b"):
        assess_line(raw, policy_with_reader())


def test_a_sentence_has_no_argument_to_be_tainted() -> None:
    raw = b'{"id": "1", "kind": "dialogue", "text": "Hello.", "taint": ["/text"]}'
    with pytest.raises(BadLineError, match="only a call has arguments"):
        assess_line(raw, policy_with_reader())
