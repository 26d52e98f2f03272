"""Times at which the people of a hold are asked, by people.yaml."""

from datetime import datetime
from zoneinfo import ZoneInfo

from holdpoint.core.hours import Asked, asked_at
from holdpoint.gate.context import Gate
from holdpoint.messages.hold import Requirement


def asked_from(
    gate: Gate, asked: Requirement, agent: str, on_behalf_of: str, at: datetime
) -> Asked:
    """Return when enough of them have their hours, or the backup group has, if that is sooner."""
    barred = {agent, on_behalf_of} if asked.four_eyes else {agent}
    return asked_at(asked, barred, at, gate.people, ZoneInfo)
