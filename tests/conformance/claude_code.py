"""Claude Code as far as its documentation says how it decides: hooks first, then permission rules.

Exit code 0 with JSON is a decision, 2 is a no; anything else, and a timeout, is no decision unless
the hook says `onFailure: block`. A `deny` rule counts before an `ask` rule, that before an `allow`
rule, whatever a hook said; where nothing decides, the person at the keyboard is asked.
"""

import asyncio
import fnmatch
import json
import os
import re
import signal
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Verdict = str
"""`allow`, `deny` or `ask`."""


@dataclass
class Ran:
    """What became of one call."""

    verdict: Verdict
    text: str = ""
    input: Mapping[str, Any] = field(default_factory=dict)

    @property
    def ran(self) -> bool:
        """Whether the host ran the tool."""
        return self.verdict == "allow"


@dataclass
class ClaudeCode:
    """One session in a folder, with its settings."""

    folder: Path
    environment: Mapping[str, str]
    session: str
    settings_path: Path = field(init=False)
    on_hook: Callable[[int], None] = lambda _: None
    """Told the process of each hook that is started."""

    _uses: int = 0

    def __post_init__(self) -> None:
        self.settings_path = self.folder / ".claude" / "settings.json"

    @property
    def settings(self) -> dict[str, Any]:
        """The project's settings."""
        return dict(json.loads(self.settings_path.read_text()))

    async def use(self, tool: str, given: Mapping[str, Any]) -> Ran:
        """Use a tool as the model wants it, and run it where everything allows it."""
        self._uses += 1
        event = {
            "session_id": self.session,
            "transcript_path": "/dev/null",
            "cwd": str(self.folder),
            "permission_mode": "default",
            "tool_name": tool,
            "tool_input": given,
            "tool_use_id": f"toolu_{self.session}_{self._uses}",
        }
        said = await self._decided(event)
        verdict, text = _strictest(said), " ".join(it.text for it in said if it.text)
        changed = next((it.input for it in reversed(said) if it.input), given)
        verdict = _by_rules(self.settings.get("permissions", {}), tool, changed, verdict)
        if verdict == "allow":
            await self._run(tool, changed, event)
        return Ran(verdict=verdict, text=text, input=changed)

    async def _decided(self, event: Mapping[str, Any]) -> list[Ran]:
        before = self._hooks("PreToolUse", str(event["tool_name"]))
        return [await self._hook(hook, {**event, "hook_event_name": "PreToolUse"})
                for hook in before]  # fmt: skip

    async def _run(self, tool: str, given: Mapping[str, Any], event: Mapping[str, Any]) -> None:
        code = 0
        if tool == "Bash":
            shell = await asyncio.create_subprocess_shell(given["command"], cwd=self.folder)
            code = await shell.wait()
        name = "PostToolUseFailure" if code else "PostToolUse"
        after = {**event, "hook_event_name": name, "tool_input": given, "tool_response": {}}
        if code:
            after["error"] = f"Exit code {code}"
        for hook in self._hooks(name, tool):
            await self._hook(hook, after)

    def _hooks(self, event: str, tool: str) -> list[dict[str, Any]]:
        groups = self.settings.get("hooks", {}).get(event, [])
        fitting = [it for it in groups if it.get("matcher", "*") in {"", "*"}
                   or re.fullmatch(it["matcher"], tool)]  # fmt: skip
        return [hook for group in fitting for hook in group["hooks"]]

    async def _hook(self, hook: Mapping[str, Any], event: Mapping[str, Any]) -> Ran:
        child = await asyncio.create_subprocess_shell(
            hook["command"],
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            cwd=self.folder,
            env={**os.environ, **self.environment},
            start_new_session=True,
        )
        self.on_hook(child.pid)
        asked = child.communicate(json.dumps(event).encode())
        try:
            out, errors = await asyncio.wait_for(asked, hook.get("timeout", 600))
        except TimeoutError:
            os.killpg(child.pid, signal.SIGKILL)
            await child.wait()
            return _failed(hook, "it timed out")
        if child.returncode == 2:  # the documented code of a no
            return Ran(verdict="deny", text=errors.decode())
        if child.returncode:
            return _failed(hook, f"exit code {child.returncode}")
        return _read(out, hook)


def _failed(hook: Mapping[str, Any], why: str) -> Ran:
    return Ran(verdict="deny" if hook.get("onFailure") == "block" else "", text=why)


def _read(out: bytes, hook: Mapping[str, Any]) -> Ran:
    try:
        said = json.loads(out or b"{}").get("hookSpecificOutput", {})
    except ValueError:
        return _failed(hook, "no JSON")
    return Ran(
        verdict=said.get("permissionDecision", ""),
        text=said.get("permissionDecisionReason", ""),
        input=said.get("updatedInput") or {},
    )


def _strictest(said: list[Ran]) -> Verdict:
    return next((v for v in ("deny", "ask", "allow") if any(it.verdict == v for it in said)), "")


def _by_rules(
    rules: Mapping[str, list[str]], tool: str, given: Mapping[str, Any], verdict: Verdict
) -> Verdict:
    if verdict == "deny" or _matches(rules.get("deny", []), tool, given):
        return "deny"
    if verdict == "ask" or _matches(rules.get("ask", []), tool, given):
        return "ask"
    allowed = verdict == "allow" or _matches(rules.get("allow", []), tool, given)
    return "allow" if allowed else "ask"


def _matches(rules: list[str], tool: str, given: Mapping[str, Any]) -> bool:
    what = str(given.get("command") or given.get("file_path") or "")
    for rule in rules:
        name, _, pattern = rule.removesuffix(")").partition("(")
        if name == tool and (not pattern or fnmatch.fnmatch(what, pattern)):
            return True
    return False
