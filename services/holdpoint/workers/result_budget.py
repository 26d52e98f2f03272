"""Limit on what results of one agent take of the stream that the results of all agents share."""

from dataclasses import dataclass, field

import msgspec
from msgspec.structs import replace

from holdpoint.core.tool import Result
from holdpoint.runtime.process import clock

DAY_S = 24 * 60 * 60
BYTES_PER_DAY = 128 * 1024 * 1024
"""An eighth of the stream, which forgets the result of a passing call after a day."""

WITHHELD = (
    "It ran, and its result is not shown: this agent's results came to more than 128 MiB in a day. "
    "Try again later, and ask for less at once."
)


@dataclass(eq=False, kw_only=True)
class ResultBudget:
    """Remaining bytes of each agent, for as long as this worker runs."""

    _left: dict[str, tuple[float, float]] = field(default_factory=dict)
    """Bytes, and the time (s) at which they were left."""

    def limited(self, agent: str, result: Result) -> Result:
        """Take the result from its agent's budget; without its content where that is used up.

        What ran, and how it ended, always stays.
        """
        size = len(msgspec.json.encode(result))
        now = clock.monotonic()
        had, since = self._left.get(agent, (BYTES_PER_DAY, now))
        has = min(BYTES_PER_DAY, had + (now - since) * BYTES_PER_DAY / DAY_S)
        if size > has:
            result = replace(
                result,
                data={},
                formatted=WITHHELD,
                formatted_spoken="",
                message_for_user=WITHHELD,
                available_actions=(),
            )
            size = 0
        self._left[agent] = (has - size, now)
        return result
