"""Errors of Slack, in its own word, and nothing that was sent."""

import aiohttp
from slack_sdk.errors import SlackApiError

AWAY = (aiohttp.ClientError, TimeoutError, OSError)
UNREADABLE = "unreadable"


def said(error: Exception) -> str:
    """Return Slack's code for an error; what stands in between may answer with anything."""
    if not isinstance(error, SlackApiError):
        return type(error).__name__
    data = getattr(error.response, "data", error.response)
    return str(data.get("error", "")) if isinstance(data, dict) else UNREADABLE


def asked_to_wait_s(error: SlackApiError) -> float:
    """Return the seconds that Slack asks for with its 429; 0 where it asks for none."""
    headers = getattr(error.response, "headers", {})
    wait = {name.lower(): str(it) for name, it in headers.items()}.get("retry-after", "")
    return float(wait) if wait.isdecimal() else 0.0
