"""A tool call of a framework, run in this process: asked, begun, run and reported, in one place.

    calls = HostCalls(hp)
    step = await calls.ask("send_email", arguments, key)
    if step.next is Next.RUN:
        result = await calls.run(step, send)

The same key is the same hold, however often a framework runs its node again.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from holdpoint.adapters.next_step_of_call import Next, Step, key_of, step_of, step_of_error
from holdpoint.client import Holdpoint, RefusedError, UnavailableError

T = TypeVar("T")

VERDICT_S = 30.0
"""People are waited for by the framework, which pauses, and not within its step."""

LONGEST_TEXT = 1000
"""Characters of a report."""


class NotBegunError(Exception):
    """The claim could not be taken, so nothing may run; the text says why."""


@dataclass(frozen=True, kw_only=True)
class HostCalls:
    """Calls of one agent whose tools run in this process."""

    hp: Holdpoint

    async def ask(self, tool: str, arguments: Mapping[str, Any], key: str) -> Step:
        """Ask about a call, or how it stands: with the same key it is the same call."""
        try:
            outcome = await self.hp.call(
                tool, arguments, idempotency_key=key, wait=False, on_cancel="leave",
                timeout=VERDICT_S,
            )  # fmt: skip
        except (RefusedError, UnavailableError) as error:
            return step_of_error(error)
        return step_of(outcome, arguments)

    async def again(self, step: Step) -> Step:
        """Return how a call stands now that was asked about before."""
        return step if step.next is Next.OVER else await self._stands(step, VERDICT_S, wait=False)

    async def wait(self, step: Step, within_s: float) -> Step:
        """Return how a call stands once people have answered, or when the time is over."""
        return await self._stands(step, within_s, wait=True)

    async def _stands(self, step: Step, within_s: float, *, wait: bool) -> Step:
        try:
            outcome = await self.hp.resume(
                step.hold_id, wait=wait, on_cancel="leave", timeout=within_s
            )
        except (RefusedError, UnavailableError) as error:
            return step_of_error(error)
        return step_of(outcome, step.arguments) if outcome.is_judged else step

    async def withdraw(self, step: Step, reason: str) -> None:
        """Take a call back: anyone who works with the agent may always say no."""
        await self.hp.withdraw(step.hold_id, reason)

    async def replace(self, step: Step, arguments: Mapping[str, Any], tool: str, key: str) -> Step:
        """Take a call back, and ask about it with other arguments: that is a call of its own."""
        await self.withdraw(step, "It is asked about with other arguments.")
        return await self.ask(tool, arguments, key_of(key, step.hold_id))

    async def begin(self, step: Step) -> None:
        """Take the claim. Raises NotBegunError where that fails, and then nothing may run."""
        try:
            await self.hp.begin(step.hold_id, step.arguments)
        except (RefusedError, UnavailableError) as error:
            raise NotBegunError(step_of_error(error).text) from error

    async def run(self, step: Step, effect: Callable[[], Awaitable[T]]) -> T:
        """Take the claim, run, and report; an error of the tool is reported and raised."""
        await self.begin(step)
        try:
            result = await effect()
        except Exception as error:
            await self.report(step, error=f"{type(error).__name__}: {error}")
            raise
        await self.report(step)
        return result

    async def report(self, step: Step, text: str = "It ran.", error: str = "") -> None:
        """Report the end. What cannot be told now shows as a run without an end."""
        told = {"text": (error or text)[:LONGEST_TEXT]}
        try:
            await self.hp.finish(step.hold_id, step.arguments, told, error[:LONGEST_TEXT])
        except (RefusedError, UnavailableError):
            return
