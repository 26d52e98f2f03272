"""The page of remembered permissions: what agents may do without asking, and taking it back."""

from collections.abc import Mapping
from datetime import datetime

import msgspec

from holdpoint.messages.base import Message, Value, is_id
from holdpoint.messages.catalog import Person, may_read_ledger
from holdpoint.messages.state import Permission, RevokePermission
from holdpoint.runtime.security.permissions import PERMISSION

LONGEST_REASON = 300
TAKEN_BACK = "It is taken back: the agent asks again from now on."


class Row(Value, frozen=True, kw_only=True):
    """One permission that is not used up."""

    agent: str
    permission: Permission
    allows: str
    left: int
    may_revoke: bool


def rows_for(person: Person, found: list[tuple[str, Permission]], now: datetime) -> tuple[Row, ...]:
    """Return what this person may know of: their own, and all of them for admins and auditors."""
    sees_all = person.admin or may_read_ledger(person)
    return tuple(
        Row(
            agent=agent,
            permission=it,
            allows=_allows(it),
            left=it.uses - it.used,
            may_revoke=person.admin or it.by == person.name,
        )
        for agent, it in found
        if it.used < it.uses and now < it.expires_at and (sees_all or it.by == person.name)
    )


def revoke_order(form: Mapping[str, str], _: str) -> tuple[Message, str]:
    """Return the order that the form makes; DecodeError when no page of ours makes it."""
    agent, permission = form.get("agent", ""), form.get("permission", "")
    reason = form.get("reason", "").strip()
    if not (is_id(agent) and is_id(permission)) or len(reason) > LONGEST_REASON:
        raise msgspec.DecodeError("no form of this page")
    return RevokePermission(agent=agent, permission_id=permission, reason=reason), PERMISSION


def _allows(it: Permission) -> str:
    if not it.limits:
        return it.title
    limits = (
        f"{name} begins with {limit.prefix}"
        if limit.prefix
        else f"{name} is at most {limit.at_most}"
        for name, limit in sorted(it.limits.items())
    )
    return f"{it.tool} where {', '.join(limits)}"
