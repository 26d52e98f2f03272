"""ResponseFormatter: one answer, as each channel shows it."""

from enum import StrEnum
from typing import Any, assert_never

import msgspec

from holdpoint.messages.request import AgentResponse, pending

SLACK_LONGEST = 3000
"""Characters of one section."""


class Channel(StrEnum):
    """Where people speak with the coordinator."""

    BUS = "bus"
    TERMINAL = "terminal"
    CONSOLE = "console"
    HTTP = "http"
    SLACK = "slack"


class ResponseFormatter:
    """Renders an answer for a channel; nothing in it is markup of the person's or a tool's."""

    def render(self, response: AgentResponse, channel: Channel) -> Any:
        """Return lines for a terminal, blocks for Slack, and the answer itself elsewhere."""
        match channel:
            case Channel.TERMINAL:
                return self.lines(response)
            case Channel.SLACK:
                return self.blocks(response)
            case Channel.BUS | Channel.CONSOLE | Channel.HTTP:
                return msgspec.to_builtins(response)
            case _:
                assert_never(channel)

    def lines(self, response: AgentResponse) -> tuple[str, ...]:
        """Return the answer, and below it each hold that waits."""
        return (*response.message.splitlines(), *(f"Waits: {it}" for it in pending(response)))

    def blocks(self, response: AgentResponse) -> list[dict[str, Any]]:
        """Return Slack's blocks, as plain text: no mention, link or format of it counts."""
        text = response.message[:SLACK_LONGEST] or " "
        section = {"type": "section", "text": {"type": "plain_text", "text": text, "emoji": False}}
        holds = [{"type": "plain_text", "text": f"Waits: {it}"} for it in pending(response)]
        return [section, *([{"type": "context", "elements": holds}] if holds else [])]
