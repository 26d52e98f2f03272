"""Results of the bank's tools, as all of its domains say them."""

from collections.abc import Mapping

from sqlalchemy.exc import DBAPIError

from holdpoint.core.spoken import spoken
from holdpoint.core.tool import Result
from holdpoint.messages.base import JsonObject
from holdpoint.messages.envelope import AvailableAction
from holdpoint.messages.run import RunStatus

IN_DOUBT = "Nobody knows yet whether this was done, because the ledger did not say."


def done(
    data: JsonObject,
    formatted: str,
    said: str,
    message: str,
    *actions: AvailableAction,
    executed: JsonObject | None = None,
) -> Result:
    """It was done, or read."""
    return Result(
        status=RunStatus.DONE,
        data=data,
        formatted=formatted,
        formatted_spoken=spoken(said),
        message_for_user=message,
        available_actions=actions,
        executed=executed,
    )


def action(
    tool: str, label: str, description: str, params: Mapping[str, object]
) -> AvailableAction:
    """A next step."""
    return AvailableAction(tool=tool, params=dict(params), label=label, description=description)


def refused(error: Exception) -> Result:
    """Say that nothing was changed, and why."""
    text = _why(error)
    return Result(
        status=RunStatus.FAILED,
        formatted=text,
        formatted_spoken="That did not work, and nothing was changed.",
        message_for_user=text,
        error=text,
    )


def no_longer_so(error: Exception) -> Result:
    """The confirmation showed something else."""
    text = f"{error} Nothing was changed."
    return Result(
        status=RunStatus.PRECONDITION_FAILED,
        formatted=text,
        formatted_spoken="Something has changed since the confirmation. Nothing was changed.",
        message_for_user=f"{text} Propose it again to have it confirmed as it is now.",
        error=text,
    )


def in_doubt() -> Result:
    """The connection broke at the worst moment, or the first attempt is still under way."""
    return Result(
        status=RunStatus.IN_DOUBT,
        formatted=IN_DOUBT,
        formatted_spoken=IN_DOUBT,
        message_for_user=IN_DOUBT,
        error=IN_DOUBT,
    )


def _why(error: Exception) -> str:
    if isinstance(error, TimeoutError):
        return "The ledger does not answer in time; nothing was changed."
    if isinstance(error, DBAPIError | OSError):
        return "The ledger could not do this now; nothing was changed."
    return str(error)
