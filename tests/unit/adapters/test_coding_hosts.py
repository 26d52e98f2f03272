"""Answers to coding hosts: what each can take of what a person changed."""

import json
from pathlib import Path

import pytest

from holdpoint.adapters.coding_hosts import HOSTS, Answer, call_of, read_event
from holdpoint.adapters.hook_child import answered

GIVEN = {"command": "rm a", "description": "a try"}


@pytest.mark.parametrize(
    ("host", "changed", "takes"),
    [
        ("claude-code", {"command": "rm b"}, True),
        ("gemini", {"command": "rm b", "description": "a try"}, True),
        ("gemini", {"command": "rm b"}, False),
        ("codex", {"command": "rm b", "description": "a try"}, False),
    ],
)
def test_a_host_takes_a_change_only_where_nothing_else_can_run(
    host: str, changed: dict[str, str], *, takes: bool
) -> None:
    """Gemini CLI merges: an argument that a person took out would come back."""
    assert HOSTS[host].takes(GIVEN, changed) is takes


def test_codex_hears_no_field_that_it_does_not_know() -> None:
    """It takes an unknown field for a hook that failed, and runs the tool."""
    no = HOSTS["codex"].answer(Answer(allow=False, text="Not today."))
    yes = HOSTS["codex"].answer(Answer(allow=True, asked=True, text="Approved."))

    assert no == {
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": "deny",
            "permissionDecisionReason": "Not today.",
        }
    }
    assert yes == {}


def test_gemini_reads_a_no_beside_the_reason() -> None:
    assert HOSTS["gemini"].answer(Answer(allow=False, text="Not today.")) == {
        "decision": "deny",
        "reason": "Not today.",
    }


def test_a_codex_event_without_a_transcript_is_read() -> None:
    body = b"""{"session_id": "s", "transcript_path": null, "cwd": "/", "model": "m",
      "permission_mode": "default", "turn_id": "t", "hook_event_name": "PreToolUse",
      "tool_name": "mcp__git__push", "tool_input": {"remote": "origin"}, "tool_use_id": "call_1"}"""

    call = call_of(HOSTS["codex"], read_event(body))

    assert (call.tool, call.use, call.session) == ("code_host_mcp", "call_1", "s")
    assert call.arguments == {"server": "git", "tool": "push", "arguments": {"remote": "origin"}}


@pytest.mark.parametrize("name", ["Read", "NotebookRead", "view_image", "Bash", "shell"])
def test_a_name_of_another_hosts_tool_is_no_tool_that_is_known(name: str) -> None:
    """Gemini CLI names an MCP server's tools as the server does: each could pass for a reading."""
    body = json.dumps(
        {"hook_event_name": "BeforeTool", "tool_name": name, "tool_input": {"path": "a"}}
    )
    event = read_event(body.encode())

    assert call_of(HOSTS["gemini"], event).tool == "code_host_other"
    assert call_of(HOSTS["claude-code"], event).tool != "code_host_other"


@pytest.mark.parametrize("body", [b"", b"[]", b'{"tool_name": "Bash", "tool_input": {}}'])
async def test_what_is_no_event_is_denied_and_says_what_to_check(body: bytes) -> None:
    answer = json.loads(await answered("claude-code", "coder", 0, Path("nowhere"), body))

    said = answer["hookSpecificOutput"]
    assert said["permissionDecision"] == "deny"
    assert "installed for the right host?" in said["permissionDecisionReason"]
