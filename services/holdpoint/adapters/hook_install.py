"""Settings of a host with Holdpoint's hooks in them: what was there stays, twice is once."""

import re
import shlex
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from holdpoint.messages.base import JsonObject

MARK = re.compile(r"\bholdpoint\S* hook ")
"""Stands in each command that is written here: that is how an older one is found."""

HOST_MARGIN_S = 15
"""The host's own deadline lies so much behind the supervisor's."""

ASK_RULES = (
    "Bash(sudo *)",
    "Bash(git push *)",
    "Bash(terraform apply *)",
    "Bash(kubectl delete *)",
)
"""Tools that the host itself asks about as well, whatever became of the hook."""

DENY_RULES = ("Edit(.claude/settings.json)", "Edit(.claude/settings.local.json)")
"""No agent writes the settings of its own gate."""


@dataclass(frozen=True, kw_only=True)
class Place:
    """A host's settings file, and the names of its hooks there."""

    path: Path
    before: str
    after: tuple[str, ...]
    unit: int = 1
    """Of a timeout in the settings, in parts of a second."""


PLACES: Mapping[str, Place] = {
    "claude-code": Place(
        path=Path(".claude/settings.json"),
        before="PreToolUse",
        after=("PostToolUse", "PostToolUseFailure"),
    ),
    "gemini": Place(
        path=Path(".gemini/settings.json"), before="BeforeTool", after=("AfterTool",), unit=1000
    ),
    "codex": Place(path=Path(".codex/hooks.json"), before="PreToolUse", after=("PostToolUse",)),
}


def with_hooks(
    settings: JsonObject, host: str, command: tuple[str, ...], within_s: float
) -> JsonObject:
    """Return the settings with the hooks of this host. `within_s` is the supervisor's own time.

    Raises ValueError where what is there is nothing that the host could read.
    """
    place, wanted = PLACES[host], deepcopy(settings)
    hooks = _part(wanted, "hooks", dict)
    line = f"{shlex.join(command)} || exit 2"
    for event in (place.before, *place.after):
        others = [group for group in _part(hooks, event, list) if not _is_ours(group)]
        hooks[event] = [*others, _group(host, event, line, within_s, place)]
    if host == "claude-code":
        permissions = _part(wanted, "permissions", dict)
        _add(permissions, "ask", ASK_RULES)
        _add(permissions, "deny", DENY_RULES)
    return wanted


def _group(host: str, event: str, line: str, within_s: float, place: Place) -> JsonObject:
    timeout = (int(within_s) + HOST_MARGIN_S) * place.unit
    hook: JsonObject = {"type": "command", "command": line, "timeout": timeout}
    if host == "claude-code" and event == place.before:
        hook["onFailure"] = "block"
    if host == "gemini":
        hook["name"] = "holdpoint"
    return {"matcher": ".*" if host == "gemini" else "*", "hooks": [hook]}


def _is_ours(group: Any) -> bool:
    hooks = group.get("hooks", []) if isinstance(group, dict) else []
    return any(isinstance(it, dict) and MARK.search(str(it.get("command", ""))) for it in hooks)


def _add(permissions: JsonObject, name: str, rules: tuple[str, ...]) -> None:
    known = _part(permissions, name, list)
    known.extend(rule for rule in rules if rule not in known)


def _part(settings: JsonObject, name: str, kind: type[Any]) -> Any:
    found = settings.setdefault(name, kind())
    if not isinstance(found, kind):
        raise ValueError(f"`{name}` is of another type there.")  # noqa: TRY004  # a file's text
    return found
