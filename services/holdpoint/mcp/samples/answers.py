"""Answers of the sample servers: a text for people, and the same as data."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from mcp_types import CallToolResult, TextContent, ToolAnnotations

READS = ToolAnnotations(read_only_hint=True)


def answer(text: str, data: Mapping[str, Any]) -> CallToolResult:
    """Return a result with a text for people."""
    return CallToolResult(
        content=[TextContent(type="text", text=text)], structured_content=dict(data)
    )


def a_day(at: str) -> str:
    """Return a moment in ISO 8601 as people read it: `27 Nov 2026, 08:41 UTC`."""
    moment = datetime.fromisoformat(at).astimezone(UTC)
    return f"{moment.day} {moment:%b %Y, %H:%M} UTC"


def a_month(month: str) -> str:
    """Return `2026-10` as people read it: `October 2026`."""
    return f"{datetime.fromisoformat(f'{month}-01'):%B %Y}"


def lines(title: str, rows: list[str]) -> str:
    """Return a title with its list; a sentence where there is nothing to list."""
    return "\n".join((f"{title}:", *(f"- {row}" for row in rows))) if rows else f"{title}: none."
