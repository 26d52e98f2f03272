"""Results between MCP and Holdpoint: what a server answered, and what an agent is told."""

from typing import Any

import msgspec

from holdpoint.core.tool import Result
from holdpoint.messages.base import JsonObject
from holdpoint.messages.run import RunStatus

LARGEST_BYTES = 160 * 1024
"""Of a result; a message holds 256 KiB, and its text stands in it a second time."""

LONGEST_TEXT = 24 * 1024
TOO_LARGE = "It ran, and its result is larger than 160 KiB, so it is not shown. Ask for less."


def result_of(answered: JsonObject, ran: JsonObject) -> Result:
    """What a server answered to a call, as the result of a run."""
    data: JsonObject = {
        name: answered[name]
        for name in ("content", "structuredContent", "isError", "_meta")
        if name in answered
    }
    if len(msgspec.json.encode(data)) > LARGEST_BYTES:
        data = {"content": [{"type": "text", "text": TOO_LARGE}], "isError": True}
    text = _text_of(data)
    if answered.get("isError") is True:
        return Result(status=RunStatus.FAILED, data=data, formatted=text, error=text, executed=ran)
    return Result(status=RunStatus.DONE, data=data, formatted=text, executed=ran)


def failed(text: str, ran: JsonObject) -> Result:
    """An error that a server answered with in place of a result."""
    data: JsonObject = {"content": [{"type": "text", "text": text}], "isError": True}
    return Result(status=RunStatus.FAILED, data=data, formatted=text, error=text, executed=ran)


def _text_of(data: JsonObject) -> str:
    content: Any = data.get("content")
    parts = content if isinstance(content, list) else []
    texts = [str(it.get("text", "")) for it in parts if isinstance(it, dict)]
    return "\n".join(filter(None, texts))[:LONGEST_TEXT]
