"""Answers of the sample servers: a text for people, and the same as data."""

from collections.abc import Mapping
from typing import Any

from mcp_types import CallToolResult, TextContent, ToolAnnotations

READS = ToolAnnotations(read_only_hint=True)


def answer(text: str, data: Mapping[str, Any]) -> CallToolResult:
    """Return a result with a text for people."""
    return CallToolResult(
        content=[TextContent(type="text", text=text)], structured_content=dict(data)
    )


def lines(title: str, rows: list[str]) -> str:
    """Return a title with its list; a sentence where there is nothing to list."""
    return "\n".join((f"{title}:", *(f"- {row}" for row in rows))) if rows else f"{title}: none."
