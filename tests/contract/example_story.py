"""The story that the golden examples tell: 412 users are to go, and two people agree."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from msgspec.structs import replace

from holdpoint.core import commands as core
from holdpoint.core.card import draw
from holdpoint.core.card_title import title_of
from holdpoint.core.commands import (
    Begin,
    Command,
    Expire,
    Objected,
    Proceed,
    Remind,
    Render,
    Resume,
)
from holdpoint.core.digest import action_digest, hold_id, render_digest
from holdpoint.core.hold import begin, decide
from holdpoint.messages.action import Action
from holdpoint.messages.catalog import Repeat, Tool
from holdpoint.messages.hold import AnyHoldFact, Hold, Requirement, Stage
from holdpoint.messages.policy import (
    Escalate,
    Method,
    OnSilence,
    PolicyRef,
    VerdictKind,
    Voices,
)
from holdpoint.messages.risk import (
    Assessment,
    Heuristic,
    IntentMetadata,
    RiskLevel,
    Scope,
    Signal,
)

BEGAN = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)
POLICY = PolicyRef(
    version="2026-03", digest="2f7a8c2d0d0e6c5a9a1f6c7b8e4d3a2b1c0f9e8d7c6b5a4938271605f4e3d2c1"
)
KEY = "delete-prod.users-20260302"
AGENT = "crm-agent"

TOOL = Tool(
    name="execute_sql",
    domain="database",
    level=3,
    description="Change rows by one SQL statement.",
    schema={"type": "object"},
    schema_sha256="9d3c1f5e7b2a4860c1d2e3f405162738495a6b7c8d9e0f1a2b3c4d5e6f708192",
    template="delete {affected} rows in {target}",
    repeat=Repeat.MANUAL,
    plans=True,
)
ACTION = Action(
    tenant="acme",
    agent="crm-agent",
    on_behalf_of="olga",
    domain="database",
    tool="execute_sql",
    tool_schema_sha256=TOOL.schema_sha256,
    arguments={
        "database": "prod",
        "statement": "DELETE FROM users WHERE last_seen < '2020-01-01'",
    },
    preconditions={"affected": 412, "sample": ["users 17: Ada L.", "users 23: Alan T."]},
)
READ = replace(
    ACTION,
    tool="query_database",
    arguments={"database": "prod", "query": "SELECT count(*) FROM users"},
    preconditions={},
)
FOUND = Assessment(
    level=RiskLevel.HIGH,
    signals=(
        Signal(
            rule="magnitude.records",
            heuristic=Heuristic.MAGNITUDE,
            level=RiskLevel.HIGH,
            reason="412 rows are more than 100.",
        ),
        Signal(
            rule="sql.delete",
            heuristic=Heuristic.IRREVERSIBILITY,
            level=RiskLevel.MEDIUM,
            reason="Deleted rows do not come back.",
            span=(0, 17),
            evidence="DELETE FROM users",
        ),
    ),
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
REQUIREMENT = Requirement(
    level=3,
    all_of=(Voices(group="operators", voices=2),),
    proofs=(Method.CHAT,),
    approvers={"operators": ("ann", "ben", "olga")},
)


def at(seconds: int) -> datetime:
    return BEGAN + timedelta(seconds=seconds)


def a_hold(action: Action, key: str, says: str) -> Hold:
    """The hold as its first fact leaves it, but for its stage."""
    return Hold(
        hold_id=hold_id("acme", AGENT, "olga", action.tool, key),
        tenant="acme",
        agent=AGENT,
        on_behalf_of="olga",
        stage=Stage.HALTED,
        level=3,
        digest=action_digest(action),
        call_digest=action_digest(replace(action, preconditions={})),
        policy=POLICY,
        assessment=FOUND,
        metadata=METADATA,
        proposed_at=at(0),
        action=action,
        says=says,
        requirement=REQUIREMENT,
        expires_at=at(900),
        valid_for_s=900,
        grant_s=300,
        causes=("CALLS:41",),
    )


def harmless(hold: Hold, level: int) -> Hold:
    """The same, but nobody needs to be asked."""
    found = Assessment(level=RiskLevel.LOW, action_type="read", verb="read", target="prod.users")
    metadata = IntentMetadata(
        confirmation_required=False, risk_level=RiskLevel.LOW, action_type="read"
    )
    return replace(
        hold, level=level, assessment=found, metadata=metadata, requirement=None, expires_at=None
    )


def judged(hold: Hold, verdict: VerdictKind) -> AnyHoldFact:
    nonce = "b1946ac92492d2347c6235b4d2611184"
    return begin(Begin(cause="CALLS:41", hold=hold, verdict=verdict, nonce=nonce, at=at(1)))


def then(hold: Hold, command: Command, now: datetime) -> AnyHoldFact:
    fact = decide(hold, command, now)
    assert not isinstance(fact, Objected), fact.reason
    return fact


def holds() -> Iterator[tuple[AnyHoldFact, int]]:
    """The road of the hold, and what became of three other calls."""
    halted = judged(
        a_hold(ACTION, KEY, "These users have not been seen since 2020."), VerdictKind.HOLD
    )
    ui, title = draw(halted.hold, TOOL), title_of(halted.hold, TOOL)
    shown = Render(cause="HOLDS:102", ui=ui, title=title, render_digest=render_digest(ui, title))
    rendered = then(halted.hold, shown, at(1))
    first = then(rendered.hold, yes("ann", 33, rendered.hold), at(40))
    second = then(first.hold, yes("ben", 34, rendered.hold), at(75))
    nonce = "591785b794601e212b260e25925636fd"
    resumed = then(second.hold, Resume(cause="HOLDS:105", nonce=nonce, at=at(76)), at(76))
    yield from ((halted, 1), (rendered, 2), (first, 41), (second, 76), (resumed, 77))
    parks = replace(rendered.hold, requirement=replace(REQUIREMENT, on_silence=OnSilence.PARK))
    yield then(parks, Expire(cause="TIMERS:7"), at(900)), 901
    yield from timed(rendered.hold)
    reading = a_hold(READ, "count-users-20260302", "How many users are there?")
    yield judged(harmless(reading, 1), VerdictKind.PASS), 1
    yield judged(harmless(reading, 2), VerdictKind.WITNESS), 1
    why = "`execute_sql` is not in the list of tools that crm-agent may call."
    yield judged(replace(harmless(a_hold(ACTION, "k2", ""), 3), reason=why), VerdictKind.DENY), 1


def timed(hold: Hold) -> Iterator[tuple[AnyHoldFact, int]]:
    """The same where people are told again, others are asked too, and ann gives it more time."""
    asked = replace(
        REQUIREMENT,
        deadline_s=900,
        remind_after_s=(300,),
        escalate=Escalate(group="leads", after_s=600),
        backup=("lea", "max"),
        extend_up_to_s=3600,
    )
    waits = replace(hold, requirement=asked, escalates_at=at(600))
    reminded = then(waits, Remind(cause="TIMERS:8"), at(300))
    escalated = then(reminded.hold, core.Escalate(cause="TIMERS:9"), at(600))
    more = core.Extend(
        cause="ANSWERS:35",
        by="ann",
        digest=hold.digest,
        render_digest=hold.render_digest,
        seconds=3600,
        reason="Ben is on a train until four.",
    )
    extended = then(escalated.hold, more, at(700))
    yield from ((reminded, 301), (escalated, 601), (extended, 701))


def yes(person: str, seq: int, hold: Hold) -> Proceed:
    return Proceed(
        cause=f"ANSWERS:{seq}",
        by=person,
        method=Method.CHAT,
        digest=hold.digest,
        render_digest=hold.render_digest,
    )


def story_hold() -> Hold:
    """As it stands when it was let go."""
    return next(fact.hold for fact, _ in holds() if fact.hold.stage is Stage.RESUMED)
