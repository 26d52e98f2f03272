"""The part of a person's page on which they name who answers in their place."""

from collections.abc import Mapping
from datetime import UTC, datetime

import msgspec

from holdpoint.messages.base import Message, is_id
from holdpoint.messages.state import Delegate
from holdpoint.runtime.errors import SetupError
from holdpoint.runtime.security.permissions import DELEGATE

LONGEST_REASON = 300
DONE = "It is done: the ledger says so, and cards show both names."


def delegation_order(form: Mapping[str, str], _: str) -> tuple[Message, str]:
    """Return the order that the form makes; SetupError says what is missing."""
    if form.get("end") == "yes":
        return Delegate(), DELEGATE
    to, reason = form.get("to", ""), form.get("reason", "").strip()
    if not is_id(to) or len(reason) > LONGEST_REASON:
        raise msgspec.DecodeError("no form of this page")
    until = _until(form.get("until", ""))
    return Delegate(to=to, until=until, away=form.get("away") == "yes", reason=reason), DELEGATE


def _until(said: str) -> datetime:
    """The browser's own field for a day: its end, by UTC."""
    try:
        day = datetime.fromisoformat(said)
    except ValueError:
        raise SetupError("Say until which day.") from None
    return day.replace(hour=23, minute=59, second=59, tzinfo=UTC)
