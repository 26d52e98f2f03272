"""Coding hosts with hooks: what they send before a tool runs, and what they want to hear.

| host | before | after | answers |
|---|---|---|---|
| Claude Code | PreToolUse | PostToolUse, PostToolUseFailure | allow, deny, changed input |
| Gemini CLI | BeforeTool | AfterTool | allow, deny, changed input |
| Codex | PreToolUse | PostToolUse | deny; silence lets its own rules decide |

Pure: JSON in, a call or an answer out.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from holdpoint.messages.base import JsonObject, Value

MCP_PARTS = 3
DENY = "deny"


class Event(msgspec.Struct, frozen=True, kw_only=True):
    """A host's message on standard input; other fields are not read."""

    hook_event_name: str
    tool_name: str
    tool_input: JsonObject
    session_id: str = ""
    tool_use_id: str = ""
    agent_type: str = ""
    tool_response: Any = None
    error: Any = None


class HostCall(Value, frozen=True, kw_only=True):
    """A tool call of a host, as the gate is asked about it."""

    tool: str
    arguments: JsonObject
    session: str
    use: str
    """The host's own id of this very call; empty where it has none."""


class Answer(Value, frozen=True, kw_only=True):
    """An answer to the host."""

    allow: bool
    asked: bool = False
    """True where a person said yes; otherwise the host's own rules still decide."""

    text: str = ""
    changed: JsonObject | None = None
    """The host's whole input, where a person changed it."""


@dataclass(frozen=True, kw_only=True)
class Host:
    """One host's dialect."""

    name: str
    before: str
    after: frozenset[str]
    answer: Callable[[Answer], JsonObject]
    takes: Callable[[JsonObject, JsonObject], bool]
    """Tells if the host can run a person's whole input in place of its own."""

    tools: Mapping[str, str]
    """The catalog's tool for each of its own."""


_TOOLS: Mapping[str, str] = {
    **dict.fromkeys(("Bash", "run_shell_command", "shell", "exec_command"), "code_host_shell"),
    **dict.fromkeys(("Read", "Glob", "Grep", "LS", "NotebookRead"), "code_host_read"),
    **dict.fromkeys(
        ("read_file", "read_many_files", "list_directory", "glob", "search_file_content",
         "grep_search", "view_image"),
        "code_host_read",
    ),
    **dict.fromkeys(
        ("Write", "Edit", "MultiEdit", "NotebookEdit", "write_file", "replace", "apply_patch"),
        "code_host_edit",
    ),
    **dict.fromkeys(
        ("WebFetch", "WebSearch", "web_fetch", "google_web_search", "web_search"),
        "code_host_fetch",
    ),
}  # fmt: skip
"""The catalog's tool for each tool of a host; one that is not known here is `code_host_other`."""

_GEMINI_TOOLS: Mapping[str, str] = {
    name: _TOOLS[name]
    for name in (
        "run_shell_command", "read_file", "read_many_files", "list_directory", "glob",
        "search_file_content", "grep_search", "write_file", "replace", "web_fetch",
        "google_web_search",
    )
}  # fmt: skip
"""Those of Gemini CLI. Every other name there an MCP server may have given its tool, so that it
must be no other host's; the other two hosts write `mcp__` before such names."""


_WRAPPED = frozenset({"code_host_mcp", "code_host_other"})
"""Tools whose arguments name another tool and hold its input."""


def read_event(body: bytes) -> Event:
    """Read what a host sent. Raises ValueError for anything else."""
    return msgspec.json.decode(body, type=Event)


def call_of(host: Host, event: Event) -> HostCall:
    """Return the call that the gate is asked about: the very object that the host is to run."""
    name, given = event.tool_name, event.tool_input
    tool, arguments = host.tools.get(name, ""), given
    parts = name.split("__", 2)
    if len(parts) == MCP_PARTS and parts[0] == "mcp":
        tool = "code_host_mcp"
        arguments = {"server": parts[1], "tool": parts[2], "arguments": given}
    elif not tool:
        tool, arguments = "code_host_other", {"tool": name, "arguments": given}
    return HostCall(tool=tool, arguments=arguments, session=event.session_id, use=event.tool_use_id)


def input_of(call: HostCall, arguments: JsonObject) -> JsonObject:
    """Return the host's whole input for the arguments of a call that a person changed."""
    inner = arguments.get("arguments")
    return inner if call.tool in _WRAPPED and isinstance(inner, dict) else arguments


def failure_of(event: Event) -> str:
    """Return why the host's run failed, where it says so; empty where it succeeded."""
    if event.hook_event_name == "PostToolUseFailure" or event.error:
        return str(event.error or "The host reports that it failed.")
    return ""


def _claude(answer: Answer) -> JsonObject:
    """Silence leaves a call that no person was asked about to the host's own rules."""
    if answer.allow and not answer.asked:
        return {}
    said: JsonObject = {
        "hookEventName": "PreToolUse",
        "permissionDecision": "allow" if answer.allow else DENY,
        "permissionDecisionReason": answer.text,
    }
    if answer.changed is not None:
        said["updatedInput"] = answer.changed
    return {"hookSpecificOutput": said}


def _takes_all(_: JsonObject, __: JsonObject) -> bool:
    return True


def _takes_none(_: JsonObject, __: JsonObject) -> bool:
    return False


def _merges(given: JsonObject, changed: JsonObject) -> bool:
    """Return whether merged into the host's own input it is all that runs."""
    return given.keys() <= changed.keys()


def _gemini(answer: Answer) -> JsonObject:
    if not answer.allow:
        return {"decision": DENY, "reason": answer.text}
    changed = answer.changed
    return {"hookSpecificOutput": {"tool_input": changed}} if changed is not None else {}


def _codex(answer: Answer) -> JsonObject:
    """It takes no `allow`, and runs the tool after an answer with a field that it does not know."""
    if answer.allow:
        return {}
    return {
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": DENY,
            "permissionDecisionReason": answer.text,
        }
    }


HOSTS: Mapping[str, Host] = {
    "claude-code": Host(
        name="claude-code",
        before="PreToolUse",
        after=frozenset({"PostToolUse", "PostToolUseFailure"}),
        answer=_claude,
        takes=_takes_all,
        tools=_TOOLS,
    ),
    "gemini": Host(
        name="gemini",
        before="BeforeTool",
        after=frozenset({"AfterTool"}),
        answer=_gemini,
        takes=_merges,
        tools=_GEMINI_TOOLS,
    ),
    "codex": Host(
        name="codex",
        before="PreToolUse",
        after=frozenset({"PostToolUse"}),
        answer=_codex,
        takes=_takes_none,
        tools=_TOOLS,
    ),
}
