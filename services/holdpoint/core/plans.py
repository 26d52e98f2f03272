"""Plans: an agent's ordered list of exact calls, which people confirm on one card.

A plan is a sentence with steps. Its yes lets each step pass once, in its order, where the step's
own level asks for no stronger yes; what is outside of it, or riskier than what people saw, asks.
"""

from collections.abc import Sequence
from datetime import datetime

from msgspec.structs import replace

from holdpoint.core.digest import action_digest, sentence_digest
from holdpoint.core.objections import valid_until
from holdpoint.core.quorum import carries
from holdpoint.messages.action import Action
from holdpoint.messages.base import JsonObject
from holdpoint.messages.call import Intent
from holdpoint.messages.hold import Hold, Outcome, PlanStep, Stage, Voice
from holdpoint.messages.policy import Method
from holdpoint.messages.risk import Assessment, Heuristic, IntentMetadata, RiskLevel, Scope, Signal

PLAN = "plan"
"""Action type of a plan's card."""

HIGHEST_LEVEL = 3
"""Above it a step asks for itself, whatever the plan's yes was."""

OUTSIDE = "plan.outside"
"""The rule of a call that names a plan and is not its next step."""


def step_of(
    action: Action, level: int, found: Assessment, secret: tuple[str, ...], title: str
) -> PlanStep:
    """The step that people see: the call, and how risky it is now."""
    return PlanStep(
        action=replace(action, preconditions=action.conditions),
        level=level,
        risk_level=found.level,
        rules=alarming(found),
        secret=secret,
        title=title,
    )


def alarming(found: Assessment) -> tuple[str, ...]:
    """The rules of HIGH risk and above."""
    return tuple(sorted({it.rule for it in found.signals if it.level >= RiskLevel.HIGH}))


def plan_digest(tenant: str, agent: str, on_behalf_of: str, call: Intent, steps: object) -> str:
    """The digest of a plan: its words, its time, and its calls in their order."""
    said = {"text": call.text, "lasts_s": call.lasts_s, "steps": steps}
    return sentence_digest(tenant, agent, on_behalf_of, said)


def digests_of(steps: Sequence[PlanStep]) -> list[str]:
    """The digest of each step's call."""
    return [action_digest(step.action) for step in steps]


def together(said: Assessment, found: Sequence[Assessment]) -> Assessment:
    """The risk of a plan: its worst step's, with every step's reasons."""
    signals = [
        replace(signal, reason=f"step {number}: {signal.reason}")
        for number, each in enumerate(found, 1)
        for signal in each.signals
    ]
    every = sorted((*said.signals, *signals), key=lambda it: it.level.rank, reverse=True)
    return Assessment(
        level=max((it.level for it in (said, *found)), key=lambda it: it.rank),
        signals=tuple(every),
        action_type=PLAN,
        environment=said.environment,
        reversible=all(it.reversible for it in found),
    )


def metadata_of_plan(found: Assessment, steps: Sequence[PlanStep]) -> IntentMetadata:
    """The seed's metadata of a plan: people are always asked."""
    return IntentMetadata(
        confirmation_required=True,
        risk_level=found.level,
        action_type=PLAN,
        scope=Scope(records=len(steps), type="steps"),
    )


def shown_steps(hold: Hold) -> tuple[JsonObject, tuple[str, ...]]:
    """Every step as a card shows it, by its number and tool, and where secrets lie in them."""
    named = [(f"step {n}: {it.action.tool}", it) for n, it in enumerate(hold.steps, 1)]
    pointers = (f"/{name}{each}" for name, it in named for each in it.secret)
    return {name: it.action.arguments for name, it in named}, tuple(pointers)


def title_of_plan(hold: Hold) -> str:
    """`Take 2 steps: (1) Create notes.txt; (2) Delete 40 rows in crm.leads`."""
    count = "1 step" if len(hold.steps) == 1 else f"{len(hold.steps)} steps"
    named = (f"({n}) {it.title or it.action.tool}" for n, it in enumerate(hold.steps, 1))
    return f"Take {count}: {'; '.join(named)}"


def why_outside(plan: Hold, action: Action, now: datetime) -> str:
    """Why a call is not the next step of the plan that it names; empty where it is."""
    same = (plan.tenant, plan.agent, plan.on_behalf_of)
    whose = (action.tenant, action.agent, action.on_behalf_of)
    confirmed = plan.stage is Stage.RESUMED and plan.outcome is Outcome.CONFIRMED
    left = plan.steps[len(plan.taken) :]
    reasons = (
        ("the plan that it names is for somebody else", same != whose),
        ("the plan that it names is not confirmed", not confirmed),
        ("what it names is no plan", not plan.steps),
        ("the time of the plan that it names is over", now >= valid_until(plan)),
        ("every step of the plan that it names was taken", not left),
        (
            f"it is not step {len(plan.taken) + 1} of its plan, exactly as people saw that",
            not left or exactly(action) != exactly(left[0].action),
        ),
    )
    return next((why for why, is_so in reasons if is_so), "")


def exactly(action: Action) -> str:
    """The digest of a call without what its dry run tells people of this moment."""
    return action_digest(replace(action, preconditions=action.conditions))


def outside(found: Assessment, why: str) -> Assessment:
    """The assessment with the reason why the call is outside of its plan."""
    signal = Signal(
        rule=OUTSIDE, heuristic=Heuristic.AGENT, level=RiskLevel.MEDIUM, reason=f"{why}."
    )
    level = max(found.level, RiskLevel.MEDIUM, key=lambda it: it.rank)
    return replace(found, level=level, signals=(*found.signals, signal))


def is_confirmed_by(plan: Hold, step: PlanStep, call: Hold) -> bool:
    """Return whether the plan's yes is all that its step's call asks for now.

    `call` is the hold that people would be asked about: its risk, its level and its rule are
    those of now.
    """
    asked, found = call.requirement, call.assessment
    calm = found.level <= step.risk_level and found.level is not RiskLevel.CRITICAL
    if asked is None or asked.cooling_off_s or call.level != HIGHEST_LEVEL or not calm:
        return False
    seen = set(alarming(found)) <= set(step.rules)
    return seen and carries(call, tuple(map(_logged_in, plan.voices)))


def _logged_in(voice: Voice) -> Voice:
    """A voice with a stronger proof was given with the password's login too."""
    return replace(voice, methods=(*(voice.methods or (voice.method,)), Method.CHAT))
