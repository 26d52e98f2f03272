"""Everything that is said in the story: one message of each type, and when."""

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace
from tests.builders import a_policy
from tests.contract.example_story import ACTION, AGENT, KEY, POLICY, TOOL, at, holds, story_hold

from holdpoint.core.card import Shown, card_of
from holdpoint.core.responses import report
from holdpoint.core.sentences import text_of
from holdpoint.messages import ask, call, request, state
from holdpoint.messages.action import Plan
from holdpoint.messages.answer import Answer, Choice, Limit
from holdpoint.messages.base import Message
from holdpoint.messages.catalog import Delegation, ToolDefinition
from holdpoint.messages.envelope import Status
from holdpoint.messages.erasure import Erased, ErasureRefused, LegalHold, Lifted, Retention
from holdpoint.messages.hold import Hold, Reason, Refused, Stage
from holdpoint.messages.reading import LedgerRead
from holdpoint.messages.risk import IntentClaim, RiskLevel, Scope
from holdpoint.messages.run import Barred, Finished, Lapsed, Reconciled, RunStatus, Started


def calls() -> Iterator[tuple[Message, int]]:
    lineage = call.Lineage(
        trace_id="t-7f3a",
        group_id="cycle-12",
        prompt_versions={"system": "14"},
        app_version="2.3.1",
    )
    yield (
        call.Propose(
            tool="execute_sql",
            arguments=ACTION.arguments,
            idempotency_key=KEY,
            on_behalf_of="olga",
            reasoning="These users have not been seen since 2020.",
            confidence=0.9,
            lineage=lineage,
        ),
        0,
    )
    yield (
        call.Intent(
            text="I'm about to delete these 500 user accounts. Should I proceed?",
            metadata=IntentClaim(
                confirmation_required=True,
                risk_level=RiskLevel.CRITICAL,
                action_type="batch_delete",
                scope=Scope(records=500, type="user_accounts"),
            ),
            on_behalf_of="olga",
        ),
        0,
    )
    yield call.Withdraw(hold_id=story_hold().hold_id, reason="The user changed their mind."), 60
    yield (
        call.Trace(
            trace_id="t-7f3a",
            group_id="cycle-12",
            fn="clean_up_users",
            phase=call.Phase.OPENED,
            parent="t-7f39",
            input={"before": "2020-01-01"},
            prompt_versions={"system": "14"},
            app_version="2.3.1",
        ),
        0,
    )


def runs() -> Iterator[tuple[Message, int]]:
    hold = story_hold()
    common: dict[str, Any] = {
        "hold_id": hold.hold_id,
        "digest": hold.digest,
        "cause": "HOLDS:106",
        "held": True,
    }
    nonce = "591785b794601e212b260e25925636fd"
    yield Started(**common, nonce=nonce, owner="worker-database-1", lease_until=at(137)), 77
    yield (
        Finished(
            **common,
            nonce=nonce,
            status=RunStatus.DONE,
            data={"affected": 412},
            formatted="412 rows deleted in prod.users",
            formatted_spoken="four hundred and twelve rows deleted",
            message_for_user="The 412 users are deleted.",
            executed={"tool": "execute_sql", "arguments": ACTION.arguments},
        ),
        78,
    )
    yield Barred(**common, reason="Kill switch: the agent runs wild."), 77
    yield Lapsed(**common, reason="It was approved, but not executed in time."), 976
    yield Reconciled(**common, happened=False, by="ann", note="All 412 users are there."), 1100


def orders() -> Iterator[tuple[Message, int]]:
    reason = "The agent deletes what it should not."
    yield state.Kill(on=True, agent="crm-agent", reason=reason), 300
    yield state.KillState(stopped={"crm-agent": reason}, by="ann", cause="ADMIN:3"), 301
    adopted: dict[str, Any] = {"version": POLICY.version, "digest": POLICY.digest}
    diff = "- records: 100\n+ records: 50\n"
    yield state.AdoptPolicy(**adopted, reason="Fewer records without asking.", diff=diff), 400
    yield state.PolicyState(**adopted, by="ann", cause="ADMIN:4"), 401
    yield state.PolicyBody(policy=a_policy(), cause="ADMIN:4"), 401
    sealed = "2vB0uXnFkQ7xw0bJq8Vq3m4O5T6y7Z8a9B0c1D2e3F4="
    yield state.EnrolTotp(sealed=sealed), 500
    yield state.EnrolPasskey(sealed=sealed), 550
    yield state.RemoveStepUp(person="ben", reason="He lost his telephone."), 600
    used = state.UsedCode(step=59_000_000, cause="ADMIN:5")
    wrong = state.WrongCode(cause="ANSWERS:51", hold_id="", at=at(700), until=at(4300))
    proofs = state.StepUpState(
        sealed=sealed, used=(used,), wrong=(wrong,), by="ann", cause="ADMIN:5", after=0
    )
    yield proofs, 701
    place: dict[str, Any] = {"to": "ben", "since": at(800), "until": at(9000), "away": True}
    yield state.Delegate(**place, reason="Holidays."), 800
    made = Delegation(**place, reason="Holidays.")
    yield state.DelegationState(delegations=(made,), by="ann", cause="ADMIN:6"), 801
    hold = story_hold()
    yield from denials(hold)
    yield from attention(hold)
    yield from permissions(hold)
    yield (
        state.Alarm(agent=AGENT, hold_id=hold.hold_id, kind=state.TimerKind.EXPIRE, at=at(900)),
        1,
    )


def denials(hold: Hold) -> Iterator[tuple[Message, int]]:
    denial = state.Denial(
        hold_id=hold.hold_id,
        tree=AGENT,
        by="ann",
        at=at(810),
        call_digest=hold.call_digest,
        target="5d41402abc4b2a76",
        things=("5d41402abc4b2a76",),
    )
    yield state.DenialState(denials=(denial,), by="ann", cause="ANSWERS:52"), 811


def attention(hold: Hold) -> Iterator[tuple[Message, int]]:
    open_hold = state.OpenHold(
        hold_id=hold.hold_id,
        call_digest=hold.call_digest,
        groups=("operators",),
        at=at(0),
        asked=True,
    )
    yield state.AttentionState(holds=(open_hold,), by=AGENT, cause="CALLS:41"), 812


def flags() -> Iterator[tuple[Message, int]]:
    yield state.SetFlag(flag=state.Flag.LEGACY_ALIASES, on=False, reason="All moved."), 820
    yield state.FlagState(off=(state.Flag.LEGACY_ALIASES,), by="ann", cause="ADMIN:9"), 821


def permissions(hold: Hold) -> Iterator[tuple[Message, int]]:
    yield from flags()
    permission = state.Permission(
        permission_id="p52",
        tool="execute_sql",
        on_behalf_of="ann",
        tool_schema_sha256="5c" * 32,
        rest="7a" * 32,
        limits={"sql": Limit(prefix="DELETE FROM leads WHERE id = ")},
        affected=1,
        risk_level=RiskLevel.HIGH,
        rules=("environment.production",),
        uses=10,
        used=1,
        amount=50_000,
        spent=1250,
        currency="USD",
        expires_at=at(29_500),
        by="ann",
        hold_id=hold.hold_id,
        cause="ANSWERS:52",
        title="Delete 1 row in crm.leads",
    )
    used = state.UsedPermission(cause="CALLS@crm-agent:60", permission_id="p52", use=1)
    yield (
        state.PermissionState(
            permissions=(permission,),
            recent=(used,),
            settled=("ANSWERS:52",),
            by=AGENT,
            cause="CALLS@crm-agent:60",
        ),
        702,
    )
    order = state.RevokePermission(agent=AGENT, permission_id="p52", reason="It is over.")
    yield order, 703


def people() -> Iterator[tuple[Message, int]]:
    rendered = next(fact.hold for fact, _ in holds() if fact.hold.stage is Stage.RENDERED)
    shown = Shown(
        group="operators",
        state="rendered",
        seal_key="3p7bfXt9wbTTW2HC7OQ1Nz+DQ8hbeGdNrfx+FG+IK08=",
        revision=103,
    )
    yield card_of(rendered, TOOL, shown), 2
    yield (
        Answer(
            hold_id=rendered.hold_id,
            digest=rendered.digest,
            render_digest=rendered.render_digest,
            answer=Choice.PROCEED,
            reason="Agreed with the customer on Friday.",
            seconds_shown=21.5,
        ),
        40,
    )
    yield (
        Refused(
            principal="ben",
            cause="ANSWERS:35",
            code=Reason.SECOND_VOICE.value,
            text=text_of(Reason.SECOND_VOICE),
            hold_id=rendered.hold_id,
            body_sha256="0f343b0931126a20f133d67c2b018a3b1e4f4a5e5b1f8f3a2c1d0e9f8a7b6c5d",
        ),
        41,
    )


def questions() -> Iterator[tuple[Message, int]]:
    hold = story_hold()
    pending = next(fact for fact, _ in holds() if fact.hold.stage is Stage.RENDERED)
    yield ask.AskHold(hold_id=hold.hold_id, seq=41, wait_s=55, known=Status.PENDING_CONFIRMATION), 0
    yield ask.AskTools(domain="database", text="rows", max_tier=3, limit=20), 0
    found = ToolDefinition(
        name=TOOL.name,
        description=TOOL.description,
        domain=TOOL.domain,
        level=TOOL.level,
        aliases=("change_rows",),
        schema=TOOL.schema,
        version=TOOL.schema_sha256,
    )
    yield ask.ToolsAnswer(tools=(found,), version=TOOL.schema_sha256), 0
    yield ask.AskAnswer(agent=AGENT, hold_id=hold.hold_id, seq=33, wait_s=5), 0
    yield ask.AskOrder(seq=4, wait_s=10), 0
    yield ask.AskPlan(action=replace(ACTION, preconditions={})), 0
    plan = Plan(
        affected=412,
        targets=("prod.users",),
        sample=("users 17: Ada L.", "users 23: Alan T."),
        verb="delete",
        environment_keys=("database:prod",),
        reversible=False,
        at=at(1),
    )
    yield ask.PlanAnswer(plan=plan), 0
    said = request.ConversationMessage(
        role=request.Speaker.USER, content="what's my balance", timestamp=at(1)
    )
    yield (
        request.AgentRequest(
            message="transfer $150 to savings",
            conversation_history=(said,),
            request_id="3f0e5b1c-6a34-4d4e-9a51-6a6d3c2f7b10",
        ),
        0,
    )
    made = request.ToolCall(
        tool_name="transfer_funds",
        parameters={"amount": {"value": "150.00", "currency": "USD"}},
        result={"status": "pending_confirmation", "hold_id": hold.hold_id},
        success=False,
    )
    yield (
        request.AgentResponse(
            message="Transfer 150.00 USD. This waits for a confirmation.",
            tool_calls=(made,),
            success=True,
            request_id="3f0e5b1c-6a34-4d4e-9a51-6a6d3c2f7b10",
        ),
        0,
    )
    yield ask.AskGrant(agent=AGENT, hold_id=hold.hold_id), 0
    yield ask.GrantAnswer(reply=ask.GrantReply.MINTED), 0
    yield report(pending, None, TOOL, ""), 0


def messages() -> Iterator[tuple[Message, int]]:
    """Every message of the story, and how many seconds after its beginning it was said."""
    yield from calls()
    yield from holds()
    yield from people()
    yield from runs()
    yield from orders()
    yield LedgerRead(what="query", asked={"view": "actions", "agent": "crm-agent"}), 850
    gone = ("HP_HOLDS_acme", 17, 23)
    yield Erased(by="ann", why="asked by the customer", basis="GDPR Art. 17", sources=(gone,)), 860
    yield LegalHold(name="case-7", by="ann", why="a lawsuit", since=at(0)), 870
    yield Lifted(name="case-7", by="ann", why="settled"), 880
    yield Retention(days=365, by="ann", why="retention", basis="GDPR Art. 5"), 890
    why = "people.yaml does not give ben the role compliance."
    yield ErasureRefused(by="ben", command="Erase every body of hold 01h2", reason=why), 895
    yield from questions()
