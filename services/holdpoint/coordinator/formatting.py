"""ResponseFormatter: one answer, as each channel shows it."""

from enum import StrEnum
from typing import Any, assert_never

import msgspec

from holdpoint.core.redaction.display import visible
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
        """Return the answer, what hides in it written out, and below it each hold that waits."""
        waiting = (f"Waits: {it}" for it in pending(response))
        return (*visible(response.message).splitlines(), *waiting)

    def blocks(self, response: AgentResponse) -> list[dict[str, Any]]:
        """Return all of it as Slack's blocks of plain text: no mention, link or format counts."""
        text = "\n".join(self.lines(response)) or " "
        parts = (text[at : at + SLACK_LONGEST] for at in range(0, len(text), SLACK_LONGEST))
        return [
            {"type": "section", "text": {"type": "plain_text", "text": it, "emoji": False}}
            for it in parts
        ]
