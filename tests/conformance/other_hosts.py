"""Gemini CLI and Codex as far as their documentation says what their hooks hear and decide.

Both take exit code 2 for a no, and go on after any other error. Gemini CLI merges a changed input
into its own. Codex takes nothing but a deny, and goes on after an answer with any other field.
"""

import asyncio
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from tests.conformance.claude_code import Ran

WITHIN_S = 120.0


@dataclass
class HookedHost:
    """One session in a folder, with its settings."""

    folder: Path
    environment: Mapping[str, str]
    session: str
    hooks_file: ClassVar[str]
    name: ClassVar[str]
    shell: ClassVar[str]
    before: ClassVar[str]
    after: ClassVar[str]
    _uses: int = field(default=0, init=False)

    async def use(self, command: str, **more: Any) -> Ran:
        """Run a command as the model wants it, unless the hook says no."""
        self._uses += 1
        given = {"command": command, **more}
        event = {**self.told(), "tool_name": self.shell, "tool_input": given}
        said = await self._asked(self.before, event)
        verdict, text, changed = said if isinstance(said, tuple) else self.read(said)
        if verdict == "deny":
            return Ran(verdict="deny", text=text)
        runs = {**given, **changed}
        child = await asyncio.create_subprocess_shell(runs["command"], cwd=self.folder)
        await child.wait()
        response = {"llmContent": "", "returnDisplay": ""}
        await self._asked(self.after, {**event, "tool_input": runs, "tool_response": response})
        return Ran(verdict="allow", input=runs)

    def told(self) -> dict[str, Any]:
        """What each message says beside the tool."""
        raise NotImplementedError

    def read(self, said: dict[str, Any]) -> tuple[str, str, dict[str, Any]]:
        """Verdict, reason and changed input of an answer."""
        raise NotImplementedError

    async def _asked(
        self, event: str, body: dict[str, Any]
    ) -> dict[str, Any] | tuple[str, str, dict[str, Any]]:
        settings = json.loads((self.folder / self.hooks_file).read_text())
        (group,) = settings["hooks"][event]
        (hook,) = group["hooks"]
        child = await asyncio.create_subprocess_shell(
            hook["command"],
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            cwd=self.folder,
            env={**os.environ, **self.environment},
        )
        sent = json.dumps({**body, "hook_event_name": event}).encode()
        async with asyncio.timeout(WITHIN_S):
            out, errors = await child.communicate(sent)
        if child.returncode == 2:
            return "deny", errors.decode(), {}
        if child.returncode:
            return "", "", {}
        answer: dict[str, Any] = json.loads(out)
        return answer


class Gemini(HookedHost):
    """Gemini CLI: `BeforeTool` and `AfterTool`, without an id of the call."""

    hooks_file = ".gemini/settings.json"
    name = "gemini"
    shell = "run_shell_command"
    before = "BeforeTool"
    after = "AfterTool"

    def told(self) -> dict[str, Any]:
        return {
            "session_id": self.session,
            "transcript_path": str(self.folder / "session.json"),
            "cwd": str(self.folder),
            "timestamp": "2026-11-27T12:00:00.000Z",
        }

    def read(self, said: dict[str, Any]) -> tuple[str, str, dict[str, Any]]:
        verdict = "deny" if said.get("decision") in {"deny", "block"} else ""
        changed = said.get("hookSpecificOutput", {}).get("tool_input", {})
        return verdict, said.get("reason", ""), changed


class Codex(HookedHost):
    """Codex: `PreToolUse` and `PostToolUse`; `transcript_path` may be null."""

    hooks_file = ".codex/hooks.json"
    name = "codex"
    shell = "Bash"
    before = "PreToolUse"
    after = "PostToolUse"
    KNOWN = frozenset({"hookEventName", "permissionDecision", "permissionDecisionReason"})

    def told(self) -> dict[str, Any]:
        return {
            "session_id": self.session,
            "transcript_path": None,
            "cwd": str(self.folder),
            "model": "gpt-5-codex",
            "permission_mode": "default",
            "turn_id": f"turn-{self._uses}",
            "tool_use_id": f"call_{self.session}_{self._uses}",
        }

    def read(self, said: dict[str, Any]) -> tuple[str, str, dict[str, Any]]:
        own = said.get("hookSpecificOutput", {})
        fits = said.keys() <= {"hookSpecificOutput"} and own.keys() <= self.KNOWN
        denies = fits and own.get("permissionDecision") == "deny"
        return "deny" if denies else "", own.get("permissionDecisionReason", ""), {}
