"""Remembered permissions: a person's yes to later calls like one that they saw, at level 3 only.

A permission stands below everything that an admin or the policy says: it is looked at only where
people would be asked, and only while the policy of now would take the yes of this person alone.
Whatever the person did not see asks again: another argument, a higher risk, a new reason.
"""

import hashlib
from collections.abc import Mapping
from datetime import datetime, timedelta
from decimal import ROUND_CEILING, Decimal, localcontext
from typing import Any

import msgspec
import re2
from msgspec.structs import replace

from holdpoint.core.digest import canonical
from holdpoint.core.plans import alarming, exactly
from holdpoint.core.quorum import needed, proves, suffice
from holdpoint.core.redaction.display import visible
from holdpoint.core.risk import Money, decimal_of, worth
from holdpoint.messages.action import Action
from holdpoint.messages.answer import Limit, Remember
from holdpoint.messages.base import JsonObject
from holdpoint.messages.catalog import Tool
from holdpoint.messages.hold import Hold, Permitted, Requirement
from holdpoint.messages.policy import Method, Thresholds
from holdpoint.messages.risk import Assessment, RiskLevel
from holdpoint.messages.state import Permission, PermissionState, UsedPermission

LEVEL = 3
"""The only level at which a yes can be remembered."""

MOST = 20
"""Permissions of one agent at once."""

REMEMBERED = 64
"""Uses and orders that are kept to be recognised when their message comes again."""

SHORTEST_PREFIX = 3
LONGEST_LIMITS_BYTES = 4 * 1024
_plain = re2.compile(r"[\pL\pN_./@:+-]*")
_plain_sign = re2.compile(r"[\pL\pN_./@:+-]+")
_number_of = re2.compile(r"[0-9]{1,20}(?:\.[0-9]{1,6})?")
"""No sign: a number below zero is none that a highest one allows."""


class Candidate(msgspec.Struct, frozen=True, kw_only=True):
    """A call that people would be asked about."""

    cause: str
    at: datetime
    """The broker's timestamp of the call."""

    action: Action
    level: int
    requirement: Requirement
    assessment: Assessment
    thresholds: Thresholds


class Yes(msgspec.Struct, frozen=True, kw_only=True):
    """The answer that a permission comes with."""

    cause: str
    at: datetime
    person: str
    wanted: Remember


class Used(msgspec.Struct, frozen=True, kw_only=True):
    """A permission that a call passes by, and the state that counts this use."""

    permitted: Permitted
    state: PermissionState


def refusal(hold: Hold, tool: Tool | None, person: str, wanted: Remember) -> str:
    """Why this yes cannot be remembered, as a sentence; empty when it can."""
    asked, action = hold.requirement, hold.action
    if action is None or tool is None:
        return "Only the yes to a tool call can be remembered, not to a sentence."
    if hold.level != LEVEL or hold.assessment.level is RiskLevel.CRITICAL:
        return "Only level 3 can be remembered: this is asked about each time."
    if asked is None or not _alone(asked, action, person):
        return (
            "Only a yes that is enough by itself can be remembered: this policy asks for more "
            "people, for four eyes, for a stronger proof or for time to stop it."
        )
    if wanted.amount and _number(wanted.amount) is None:
        return f"An amount is a decimal of at least 0, not {wanted.amount!r}."
    return _bad_limits(action, tool, wanted.limits)


def given(hold: Hold, yes: Yes, thresholds: Thresholds, title: str) -> Permission:
    """The permission that comes with this yes; `title` is what the person saw of the action."""
    action, found, wanted = _action_of(hold), hold.assessment, yes.wanted
    limited = bool(wanted.limits)
    amount = _hundredths(_number(wanted.amount)) if wanted.amount else None
    return Permission(
        permission_id=f"p{yes.cause.rpartition(':')[2]}",
        tool=action.tool,
        on_behalf_of=action.on_behalf_of,
        tool_schema_sha256=action.tool_schema_sha256,
        exact="" if limited else exactly(action),
        rest=_rest(action, wanted.limits) if limited else "",
        limits=wanted.limits,
        affected=_affected(action) if limited else None,
        risk_level=found.level,
        rules=alarming(found),
        uses=wanted.uses,
        amount=amount,
        currency=thresholds.currency if amount is not None else "",
        expires_at=yes.at + timedelta(seconds=wanted.lasts_s),
        by=yes.person,
        hold_id=hold.hold_id,
        cause=yes.cause,
        title=title,
    )


def is_full(state: PermissionState, at: datetime) -> bool:
    """Return whether the agent has so many permissions that it gets no other."""
    return sum(is_alive(it, at) for it in state.permissions) >= MOST


def added(state: PermissionState, permission: Permission, at: datetime) -> PermissionState:
    """The state with one more, without those that have ended."""
    alive = tuple(it for it in state.permissions if is_alive(it, at))
    return replace(
        state,
        permissions=(*alive, permission),
        settled=(*state.settled, permission.cause)[-REMEMBERED:],
        by=permission.by,
        cause=permission.cause,
    )


def revoked(state: PermissionState, permission_id: str, by: str, cause: str) -> PermissionState:
    """The state without this permission."""
    left = tuple(it for it in state.permissions if it.permission_id != permission_id)
    settled = (*state.settled, cause)[-REMEMBERED:]
    return replace(state, permissions=left, settled=settled, by=by, cause=cause)


def used(state: PermissionState, call: Candidate) -> Used | None:
    """The first permission that covers the call, with this use counted; None: people are asked.

    A call that was counted before is not counted again; by now it may ask for more.
    """
    before = next((it for it in state.recent if it.cause == call.cause), None)
    for it in state.permissions:
        if before is not None and before.permission_id == it.permission_id:
            counted = Used(permitted=_permitted(it, before.use), state=state)
            return counted if _is_meant(it, call) else None
        if before is None and covers(it, call):
            return _counted(state, it, call)
    return None


def is_alive(permission: Permission, at: datetime) -> bool:
    """Return whether anything is left of it."""
    return permission.used < permission.uses and at < permission.expires_at


def covers(permission: Permission, call: Candidate) -> bool:
    """Return whether this call needs no other yes than the one that was remembered."""
    left = is_alive(permission, call.at) and _affordable(permission, call)
    return left and _is_meant(permission, call)


def _is_meant(permission: Permission, call: Candidate) -> bool:
    """Return whether the call is one that the permission was given for, as it is judged now."""
    same = (call.action.tool, call.action.on_behalf_of, call.action.tool_schema_sha256) == (
        permission.tool, permission.on_behalf_of, permission.tool_schema_sha256,
    )  # fmt: skip
    return (
        same
        and call.level == LEVEL
        and _alone(call.requirement, call.action, permission.by)
        and _as_seen(permission, call.assessment)
        and _is_allowed(permission, call)
    )


def _alone(asked: Requirement, action: Action, person: str) -> bool:
    """Return whether the password of this person alone is the whole yes."""
    may = {one for people in asked.approvers.values() for one in people} - {action.agent}
    return (
        asked.level == LEVEL
        and person in may
        and not asked.four_eyes
        and not asked.cooling_off_s
        and needed(asked) == 1
        and suffice(asked, {person})
        and proves(asked, (Method.CHAT,))
    )


def _as_seen(permission: Permission, found: Assessment) -> bool:
    """Return whether it is no riskier than what the person saw, for no other reason."""
    calm = found.level <= permission.risk_level and found.level is not RiskLevel.CRITICAL
    return calm and set(alarming(found)) <= set(permission.rules)


def _is_allowed(permission: Permission, call: Candidate) -> bool:
    if permission.exact:
        return exactly(call.action) == permission.exact
    action, limits = call.action, permission.limits
    if not limits or not limits.keys() <= action.arguments.keys():
        return False
    affected = _affected(action)
    known = affected is not None and permission.affected is not None
    return (
        _rest(action, limits) == permission.rest
        and all(_fits(action.arguments[name], limit) for name, limit in limits.items())
        and (affected == permission.affected or (known and _at_most(affected, permission.affected)))
    )


def _at_most(affected: int | None, most: int | None) -> bool:
    return affected is not None and most is not None and affected <= most


def _rest(action: Action, limits: Mapping[str, Limit]) -> str:
    """Digest the arguments without a limit, so that a secret one is not written a second time."""
    others = {name: it for name, it in action.arguments.items() if name not in limits}
    conditions = {name: it for name, it in action.conditions.items() if name != "affected"}
    kept = [sorted(limits), others, conditions]
    return hashlib.sha256(b"holdpoint/permission/v1\n" + canonical(kept)).hexdigest()


def _affected(action: Action) -> int | None:
    counted = action.preconditions.get("affected")
    return counted if isinstance(counted, int) else None


def _fits(value: Any, limit: Limit) -> bool:
    if limit.prefix:
        if not isinstance(value, str) or not value.startswith(limit.prefix):
            return False
        goes_on = value.removeprefix(limit.prefix)
        return ".." not in value and _plain.fullmatch(goes_on) is not None
    most, number = _number(limit.at_most), _number(value)
    return most is not None and number is not None and number <= most


def _number(value: Any) -> Decimal | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    text = str(value)
    return Decimal(text) if _number_of.fullmatch(text) else None


def _bad_limits(action: Action, tool: Tool, limits: Mapping[str, Limit]) -> str:
    if len(msgspec.json.encode(limits)) > LONGEST_LIMITS_BYTES:
        return "Limits have at most 4 KiB."
    secret = {pointer.lstrip("/").split("/")[0] for pointer in tool.secret}
    for name, limit in limits.items():
        if name not in action.arguments or name in secret:
            return f"There is no argument {name!r} that a limit can be set for."
        if why := _bad_limit(name, limit, tool):
            return why
        if why := _goes_on_oddly(name, action.arguments[name], limit):
            return why
        if not _fits(action.arguments[name], limit):
            return f"The limit of {name!r} would not allow the action that it is given with."
    return ""


def _goes_on_oddly(name: str, value: Any, limit: Limit) -> str:
    """Return why a value with this beginning is not covered; a sign behind it could mean more."""
    if not limit.prefix or not isinstance(value, str) or not value.startswith(limit.prefix):
        return ""
    odd = _plain_sign.sub("", value.removeprefix(limit.prefix))
    if not odd:
        return ""
    sign = "a blank" if odd[0] == " " else f"`{visible(odd[0])}`"
    return (
        f"Behind the beginning of {name!r} only letters, digits and . / @ : + - _ may follow, and "
        f"{sign} does. Take a beginning that goes on behind it."
    )


def _bad_limit(name: str, limit: Limit, tool: Tool) -> str:
    if bool(limit.prefix) == bool(limit.at_most):
        return f"The limit of {name!r} is either a beginning or a highest number."
    if limit.prefix and tool.by_risk:
        return f"{tool.name} runs what it is given: only this exact action can be remembered."
    if limit.prefix and len(limit.prefix) < SHORTEST_PREFIX:
        return f"The beginning of {name!r} has at least {SHORTEST_PREFIX} characters."
    return ""


def _affordable(permission: Permission, call: Candidate) -> bool:
    return permission.amount is None or (
        permission.currency == call.thresholds.currency
        and (cost := _cost(call)) is not None
        and permission.spent + cost <= permission.amount
    )


def _cost(call: Candidate) -> int | None:
    """Return the call's cost in hundredths of the policy's currency; None where it is unknown."""
    amount: JsonObject | None = call.assessment.amount
    if amount is None:
        return None
    money = Money(value=decimal_of(amount["value"]), currency=amount["currency"])
    return _hundredths(worth(money, call.thresholds))


def _hundredths(value: Decimal | None) -> int | None:
    if value is None or not value.is_finite() or value < 0:
        return None
    with localcontext(prec=80):
        return int((value * 100).to_integral_value(ROUND_CEILING))


def _counted(state: PermissionState, it: Permission, call: Candidate) -> Used:
    spent = it.spent + (_cost(call) or 0) if it.amount is not None else it.spent
    once_more = replace(it, used=it.used + 1, spent=spent)
    recent = UsedPermission(cause=call.cause, permission_id=it.permission_id, use=it.used + 1)
    counted = replace(
        state,
        permissions=tuple(once_more if one is it else one for one in state.permissions),
        recent=(*state.recent, recent)[-REMEMBERED:],
        cause=call.cause,
        by=call.action.agent,
    )
    return Used(permitted=_permitted(it, it.used + 1), state=counted)


def _permitted(it: Permission, use: int) -> Permitted:
    return Permitted(
        permission_id=it.permission_id,
        by=it.by,
        answer=it.cause,
        hold_id=it.hold_id,
        use=use,
        uses=it.uses,
        expires_at=it.expires_at,
    )


def _action_of(hold: Hold) -> Action:
    if hold.action is None:
        raise ValueError("A sentence is never remembered.")
    return hold.action
