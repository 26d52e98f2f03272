"""A worker's checks of a grant before it claims it; the signature is checked before this.

The order is the design's: tenant, audience, window, digest of the very object that will run,
then whether the approvals satisfy the worker's own table: a gate cannot talk a level down.
"""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from enum import StrEnum
from typing import TypeAlias, assert_never

import msgspec

from holdpoint.core.digest import action_digest
from holdpoint.core.objections import resumes_at, valid_until
from holdpoint.core.quorum import LEAST_VOICES, carries
from holdpoint.core.verdict import level_of
from holdpoint.messages.action import Action
from holdpoint.messages.catalog import Tool
from holdpoint.messages.hold import Grant, Hold, Outcome, Passed, Resumed, Stage, Witnessed

Leave: TypeAlias = Passed | Witnessed | Resumed

SKEW = timedelta(seconds=5)
LONGEST = timedelta(seconds=300)

ON_ITS_WAY = timedelta(seconds=0.25)
"""Time that a pass may take from its verdict to the stream. Orders, as of the kill switch, are told
as done once that is over for verdicts from before them."""

PERMITTED_LEVEL = 3
"""The only level whose yes can be remembered."""

MOST_VOICES = max(LEAST_VOICES.values())
"""For a level that nobody knows."""


class Flaw(StrEnum):
    """Why a grant does not count. Stable: it stands in the ledger."""

    NO_GRANT = "no_grant"
    WRONG_TENANT = "wrong_tenant"
    WRONG_AUDIENCE = "wrong_audience"
    NOT_YET = "not_yet"
    TOO_OLD = "too_old"
    LIVES_TOO_LONG = "lives_too_long"
    OTHER_DIGEST = "other_digest"
    UNKNOWN_TOOL = "unknown_tool"
    SCHEMA_CHANGED = "schema_changed"
    LEVEL_TOO_LOW = "level_too_low"
    NOT_APPROVED = "not_approved"
    NO_PASSKEY = "no_passkey"
    """No passkey that the worker itself believes signed the yes, at a level where one has to."""


class Claimed(msgspec.Struct, frozen=True, kw_only=True):
    """A grant as its worker looks at it."""

    hold: Hold
    grant: Grant
    action: Action


class Door(msgspec.Struct, frozen=True, kw_only=True):
    """Conditions on the grants of one worker."""

    tenant: str
    domain: str
    tools: Mapping[str, Tool]


def open_grant(leave: Leave, door: Door, now: datetime) -> Claimed | Flaw:
    """The grant, if every check lets it through; else the first flaw."""
    if leave.grant is None or leave.hold.action is None or not _lets_go(leave):
        return Flaw.NO_GRANT
    claimed = Claimed(hold=leave.hold, grant=leave.grant, action=leave.hold.action)
    return next((flaw for check in _CHECKS if (flaw := check(claimed, door, now))), claimed)


def is_over(grant: Grant, now: datetime) -> bool:
    """Return whether nothing may begin by this grant any more, however far off the clocks are."""
    return now >= grant.exp + SKEW


def stored_early(hold: Hold, stored_at: datetime) -> bool:
    """Return whether the broker stored the leave before the cooling-off was over."""
    return hold.resolved_at is not None and stored_at < resumes_at(hold) - SKEW


def stored_late(leave: Leave, stored_at: datetime) -> bool:
    """Return whether a pass took so long to the stream that an order may have been told as done
    since its verdict. For a grant that was minted later, that was checked then.
    """
    is_minted = leave.cause in leave.hold.causes[1:]
    begun = leave.grant.nbf if leave.grant else stored_at
    return not is_minted and stored_at > begun + ON_ITS_WAY


def needs_passkey(claimed: Claimed, door: Door, from_level: int) -> bool:
    """Return whether a passkey must have signed at the tool's or the hold's level."""
    return is_from(from_level, claimed.hold, door.tools[claimed.action.tool])


def is_from(level: int, hold: Hold, tool: Tool) -> bool:
    """Return whether the hold or its tool is of this level, or above it."""
    return max(level_of(tool, hold.assessment), hold.level) >= level


def _lets_go(leave: Leave) -> bool:
    """Return whether the fact says the same as the hold that it carries."""
    match leave:
        case Passed():
            return leave.hold.stage is Stage.PASSED
        case Witnessed():
            return leave.hold.stage is Stage.WITNESSED
        case Resumed():
            return leave.hold.stage is Stage.RESUMED and leave.confirmed
        case _:
            assert_never(leave)


_Check: TypeAlias = Callable[[Claimed, Door, datetime], Flaw | None]


def _tenant(it: Claimed, door: Door, _: datetime) -> Flaw | None:
    ours = it.hold.tenant == it.action.tenant == door.tenant
    return None if ours else Flaw.WRONG_TENANT


def _audience(it: Claimed, door: Door, _: datetime) -> Flaw | None:
    ours = it.grant.aud == f"domain:{door.domain}" and it.action.domain == door.domain
    return None if ours else Flaw.WRONG_AUDIENCE


def _begun(it: Claimed, _: Door, now: datetime) -> Flaw | None:
    return Flaw.NOT_YET if now < it.grant.nbf - SKEW else None


def _cooled(it: Claimed, _: Door, __: datetime) -> Flaw | None:
    """No grant begins before the yes, or before its cooling-off is over."""
    early = it.hold.resolved_at is not None and it.grant.nbf < resumes_at(it.hold)
    return Flaw.NOT_YET if early else None


def _bounded(it: Claimed, _: Door, __: datetime) -> Flaw | None:
    """A grant is short, and ends with the yes that it came from."""
    outlives = it.hold.resolved_at is not None and it.grant.exp > valid_until(it.hold)
    long = it.grant.exp - it.grant.nbf > LONGEST
    return Flaw.LIVES_TOO_LONG if long or outlives else None


def _same_object(it: Claimed, _: Door, __: datetime) -> Flaw | None:
    same = action_digest(it.action) == it.hold.digest
    mine = (it.hold.agent, it.hold.on_behalf_of) == (it.action.agent, it.action.on_behalf_of)
    return None if same and mine else Flaw.OTHER_DIGEST


def _known_tool(it: Claimed, door: Door, _: datetime) -> Flaw | None:
    return None if it.action.tool in door.tools else Flaw.UNKNOWN_TOOL


def _same_schema(it: Claimed, door: Door, _: datetime) -> Flaw | None:
    ours = door.tools[it.action.tool].schema_sha256
    return None if it.action.tool_schema_sha256 == ours else Flaw.SCHEMA_CHANGED


def _level(it: Claimed, door: Door, _: datetime) -> Flaw | None:
    own = level_of(door.tools[it.action.tool], it.hold.assessment)
    return Flaw.LEVEL_TOO_LOW if it.hold.level < own else None


def _approved(it: Claimed, door: Door, _: datetime) -> Flaw | None:
    """By the tool's own level and by the hold's: whichever asks for more."""
    level = max(level_of(door.tools[it.action.tool], it.hold.assessment), it.hold.level)
    if level == PERMITTED_LEVEL and _is_permitted(it.hold):
        return None
    needed = LEAST_VOICES.get(level, MOST_VOICES)
    if not needed and it.hold.requirement is None and it.hold.outcome is None:
        return None
    said = {voice.person for voice in it.hold.voices}
    return None if _confirmed(it.hold) and len(said) >= needed else Flaw.NOT_APPROVED


def _is_permitted(hold: Hold) -> bool:
    """It passed by a permission that a person gave, while that was good."""
    said = hold.permitted
    return (
        said is not None
        and hold.stage is Stage.PASSED
        and bool(said.by and said.answer)
        and 1 <= said.use <= said.uses
        and hold.proposed_at < said.expires_at
    )


def _confirmed(hold: Hold) -> bool:
    """The right people said yes, each with a proof that was asked for, and nobody who may not."""
    asked = hold.requirement
    if hold.outcome is not Outcome.CONFIRMED or hold.resolved_at is None:
        return False
    if asked is None or asked.level != hold.level:
        return False
    return carries(hold, hold.voices)


def _still_good(it: Claimed, _: Door, now: datetime) -> Flaw | None:
    """Last, so that only a grant that is good but for its age is minted afresh.

    One that was over before it began came from a yes that was over: no clock is to help it.
    """
    over = is_over(it.grant, now) or it.grant.exp <= it.grant.nbf
    return Flaw.TOO_OLD if over else None


_CHECKS: tuple[_Check, ...] = (
    _tenant,
    _audience,
    _begun,
    _cooled,
    _bounded,
    _same_object,
    _known_tool,
    _same_schema,
    _level,
    _approved,
    _still_good,
)
