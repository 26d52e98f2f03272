"""Values for tests, each with defaults that read well: `a_hold()`, `proceed("ann")`."""

from datetime import UTC, datetime, timedelta
from typing import Any

from msgspec.structs import replace

from holdpoint.core.commands import (
    Begin,
    Cancel,
    Command,
    Confirm,
    Escalate,
    Expire,
    Extend,
    Kill,
    Mint,
    Modify,
    Objected,
    Proceed,
    Remind,
    Render,
    Resume,
    Spend,
    Supersede,
    Take,
    Withdraw,
)
from holdpoint.core.digest import action_digest, render_digest, sentence_digest
from holdpoint.core.grant import Leave
from holdpoint.core.hold import begin, decide
from holdpoint.messages.action import Action
from holdpoint.messages.card import ActionDetail, ConfirmationUI
from holdpoint.messages.catalog import Agent, Repeat, Tool
from holdpoint.messages.hold import (
    Announced,
    AnyHoldFact,
    Hold,
    Outcome,
    Passed,
    Requirement,
    Resumed,
    Stage,
    Voice,
)
from holdpoint.messages.policy import LevelRule, Method, Policy, PolicyRef, VerdictKind, Voices
from holdpoint.messages.risk import Assessment, IntentMetadata, RiskLevel, Scope
from holdpoint.messages.run import Barred, Finished, Lapsed, RunStatus, Started

T0 = datetime(2026, 1, 1, tzinfo=UTC)
DEADLINE = T0 + timedelta(minutes=15)
SCHEMA_SHA256 = "5c" * 32
RENDER = "r1"
"""The render digest of a hold that `a_hold` made."""

ACTION = Action(
    tenant="acme",
    agent="crm-agent",
    on_behalf_of="olga",
    domain="database",
    tool="delete_rows",
    tool_schema_sha256=SCHEMA_SHA256,
    arguments={"table": "prod.users", "where": "last_seen < '2020-01-01'"},
    preconditions={"affected": 412, "sample": ["user 17", "user 23"]},
)
TOOL = Tool(
    name="delete_rows",
    domain="database",
    level=3,
    description="Delete the rows of a table that a condition names.",
    schema={"type": "object"},
    schema_sha256=SCHEMA_SHA256,
    template="delete {affected} rows in {table}",
    repeat=Repeat.MANUAL,
    plans=True,
)
AGENT = Agent(name="crm-agent", tools=("delete_rows",), acts_for=("olga",))
FOUND = Assessment(
    level=RiskLevel.HIGH,
    action_type="batch_delete",
    affected=412,
    resource="rows",
    target="prod.users",
    verb="delete",
    reversible=False,
)
METADATA = IntentMetadata(
    confirmation_required=True,
    risk_level=RiskLevel.HIGH,
    action_type="batch_delete",
    scope=Scope(records=412, type="rows"),
)
TITLE = "delete 412 rows in prod.users"

UI = ConfirmationUI(
    message="These users have not been seen since 2020.",
    action=ActionDetail(type="batch_delete", tool="delete_rows", target="prod.users"),
    risk_level=RiskLevel.HIGH,
    show_details=True,
)
ONE_VOICE = Requirement(
    level=3,
    all_of=(Voices(group="finance"),),
    proofs=(Method.CHAT,),
    approvers={"finance": ("ann", "bob", "olga")},
)


def a_hold(**fields: Any) -> Hold:
    """A hold on deleting rows that people see, and that nobody has answered yet."""
    given: dict[str, Any] = {
        "hold_id": "h1",
        "tenant": "acme",
        "agent": "crm-agent",
        "on_behalf_of": "olga",
        "stage": Stage.RENDERED,
        "level": 3,
        "digest": action_digest(ACTION),
        "call_digest": action_digest(replace(ACTION, preconditions={})),
        "policy": PolicyRef(version="7", digest="ab" * 32),
        "assessment": FOUND,
        "metadata": METADATA,
        "proposed_at": T0,
        "action": ACTION,
        "says": "These users have not been seen since 2020.",
        "requirement": ONE_VOICE,
        "expires_at": DEADLINE,
        "valid_for_s": 900,
        "grant_s": 300,
        "ui": UI,
        "render_digest": RENDER,
        "causes": ("CALLS:1",),
    }
    return Hold(**{**given, **fields})


def a_halted_hold(**fields: Any) -> Hold:
    """A hold that nobody has seen yet."""
    return a_hold(**{"stage": Stage.HALTED, "ui": None, "render_digest": "", **fields})


def a_sentence(**fields: Any) -> Hold:
    """A hold on a sentence: there is no action behind it."""
    says = "I'm about to delete these 500 user accounts. Should I proceed?"
    digest = sentence_digest("acme", "crm-agent", "olga", {"text": says})
    return a_hold(**{"action": None, "says": says, "digest": digest, **fields})


def a_confirmed_hold(**fields: Any) -> Hold:
    """A hold with its yes, not resumed yet."""
    given = {
        "stage": Stage.RESOLVED,
        "outcome": Outcome.CONFIRMED,
        "resolved_at": T0,
        "voices": (a_voice("ann"),),
    }
    return a_hold(**{**given, **fields})


def a_passed_hold(**fields: Any) -> Hold:
    """A hold on something harmless, that nobody was asked about."""
    given = {"stage": Stage.PASSED, "level": 1, "requirement": None, "expires_at": None, "ui": None}
    return a_hold(**{**given, **fields})


def announced_with(*voices: Voice, resolved_at: datetime = T0) -> Announced:
    """The sentence behind a call, with these voices."""
    says = "I'll delete them."
    return Announced(hold_id="h0", says=says, digest="d0", voices=voices, resolved_at=resolved_at)


def a_tool(**fields: Any) -> Tool:
    return replace(TOOL, **fields)


def an_action(**fields: Any) -> Action:
    return replace(ACTION, **fields)


def a_voice(person: str, method: Method = Method.CHAT) -> Voice:
    return Voice(person=person, method=method, at=T0)


def asked_of(
    *all_of: Voices, approvers: dict[str, tuple[str, ...]] | None = None, **fields: Any
) -> Requirement:
    """Voices of these groups; by default finance is ann, bob and olga, security eve and ann."""
    known = {"finance": ("ann", "bob", "olga"), "security": ("eve", "ann")}
    groups = approvers or {each.group: known[each.group] for each in all_of}
    return replace(ONE_VOICE, all_of=all_of, approvers=groups, **fields)


def a_policy(**fields: Any) -> Policy:
    """Reads pass, creations are witnessed, updates are held, the irreversible is denied."""
    given: dict[str, Any] = {
        "version": "7",
        "levels": {
            1: LevelRule(verdict=VerdictKind.PASS),
            2: LevelRule(verdict=VerdictKind.WITNESS),
            3: LevelRule(
                verdict=VerdictKind.HOLD, all_of=(Voices(group="finance"),), proofs=(Method.CHAT,)
            ),
            4: LevelRule(
                verdict=VerdictKind.HOLD, all_of=(Voices(group="finance"),), proofs=(Method.TOTP,)
            ),
            5: LevelRule(verdict=VerdictKind.DENY, why="It cannot be undone."),
        },
        "risk_levels": {
            RiskLevel.LOW: 1,
            RiskLevel.MEDIUM: 1,
            RiskLevel.HIGH: 3,
            RiskLevel.CRITICAL: 4,
        },
        "groups": {"finance": ("ann", "bob", "olga")},
    }
    return Policy(**{**given, **fields})


def begin_with(verdict: VerdictKind, hold: Hold | None = None) -> Begin:
    judged = hold or a_halted_hold()
    return Begin(cause="CALLS:1", hold=judged, verdict=verdict, nonce="n1", at=T0)


def render(ui: ConfirmationUI = UI) -> Render:
    digest = render_digest(ui, TITLE)
    return Render(cause="HOLDS:2", ui=ui, title=TITLE, render_digest=digest)


def proceed(by: str, **fields: Any) -> Proceed:
    """This person says yes, in the chat, to what `a_hold` shows."""
    given = {
        "cause": "ANSWERS:3",
        "method": Method.CHAT,
        "digest": action_digest(ACTION),
        "render_digest": RENDER,
    }
    return Proceed(by=by, **{**given, **fields})


def cancel(by: str, **fields: Any) -> Cancel:
    """This person says no to what `a_hold` shows."""
    given = {
        "cause": "ANSWERS:4",
        "digest": action_digest(ACTION),
        "render_digest": RENDER,
    }
    return Cancel(by=by, **{**given, **fields})


def withdraw(by: str = "crm-agent", reason: str = "") -> Withdraw:
    return Withdraw(cause="CALLS:5", by=by, reason=reason)


def supersede(by: str = "crm-agent", hold_id: str = "h2") -> Supersede:
    return Supersede(cause="HOLDS:10", by=by, hold_id=hold_id)


def modify(by: str, **fields: Any) -> Modify:
    """This person changes what `a_hold` shows into another call."""
    given = {
        "cause": "ANSWERS:13",
        "digest": action_digest(ACTION),
        "render_digest": RENDER,
        "hold_id": "h2",
    }
    return Modify(by=by, **{**given, **fields})


def spend(by: str = "crm-agent", hold_id: str = "h2") -> Spend:
    return Spend(cause="CALLS:11", by=by, hold_id=hold_id)


def take(by: str = "crm-agent", hold_id: str = "h2", step: int = 0) -> Take:
    return Take(cause="CALLS:14", by=by, hold_id=hold_id, step=step)


def confirm() -> Confirm:
    return Confirm(cause="HOLDS:12")


def kill() -> Kill:
    return Kill(cause="ADMIN:6", by="ada", reason="The agent runs wild.")


def remind() -> Remind:
    return Remind(cause="TIMERS:13")


def escalate() -> Escalate:
    return Escalate(cause="TIMERS:14")


def extend(by: str, seconds: int = 900, reason: str = "ann is on a train", **fields: Any) -> Extend:
    """This person gives more time to what `a_hold` shows."""
    given = {
        "cause": "ANSWERS:15",
        "digest": action_digest(ACTION),
        "render_digest": RENDER,
    }
    return Extend(by=by, seconds=seconds, reason=reason, **{**given, **fields})


def expire() -> Expire:
    return Expire(cause="TIMERS:7")


def resume(at: datetime = T0) -> Resume:
    return Resume(cause="HOLDS:8", nonce="n2", at=at)


def mint(at: datetime = T0) -> Mint:
    return Mint(cause="HOLDS:9", nonce="n3", at=at)


def a_leave(at: datetime = T0, **fields: Any) -> Resumed:
    """A good grant for deleting rows, after ann's yes."""
    fact = decide(a_confirmed_hold(**fields), resume(at), at)
    assert isinstance(fact, Resumed)
    return fact


def a_pass(**fields: Any) -> Passed:
    """A good grant for something harmless."""
    fact = begin(begin_with(VerdictKind.PASS, a_passed_hold(**fields)))
    assert isinstance(fact, Passed)
    return fact


def with_grant(leave: Leave, **fields: Any) -> Leave:
    assert leave.grant is not None
    return replace(leave, grant=replace(leave.grant, **fields))


def with_hold(leave: Leave, **fields: Any) -> Leave:
    return replace(leave, hold=replace(leave.hold, **fields))


def a_start() -> Started:
    lease_until = T0 + timedelta(minutes=1)
    return Started(
        hold_id="h1", digest="d1", cause="HOLDS:9", nonce="n1", owner="w1", lease_until=lease_until
    )


def a_finish(status: RunStatus = RunStatus.DONE, **fields: Any) -> Finished:
    given = {"hold_id": "h1", "digest": "d1", "cause": "HOLDS:9", "nonce": "n1"}
    return Finished(**{**given, "data": {"deleted": 412}, "status": status, **fields})


def a_bar() -> Barred:
    return Barred(hold_id="h1", digest="d1", cause="ADMIN:6", reason="Kill switch.")


def a_lapse() -> Lapsed:
    return Lapsed(hold_id="h1", digest="d1", cause="HOLDS:9", reason="Too late.")


def accepted(hold: Hold, command: Command, now: datetime = T0) -> AnyHoldFact:
    """The fact that the command leads to, which must count."""
    fact = decide(hold, command, now)
    assert not isinstance(fact, Objected), fact.reason
    return fact
