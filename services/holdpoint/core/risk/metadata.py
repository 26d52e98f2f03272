"""The intent metadata that the system detects in a sentence (seed 002)."""

import msgspec

from holdpoint.messages.risk import Assessment, Heuristic, IntentMetadata, RiskLevel, Scope

ASKS = "agent.asks"
"""The rule of an agent that says itself that it wants a confirmation."""


def metadata_of(assessment: Assessment) -> IntentMetadata:
    """What the system detects in a sentence, in the seed's words."""
    return IntentMetadata(
        confirmation_required=asks_people(assessment),
        risk_level=assessment.level,
        action_type=assessment.action_type,
        scope=_scope(assessment),
    )


def asks_people(assessment: Assessment) -> bool:
    """Whether a sentence halts: it is risky, it is unsure, or it asks itself."""
    return assessment.level >= RiskLevel.HIGH or any(
        signal.heuristic is Heuristic.UNCERTAINTY or signal.rule == ASKS
        for signal in assessment.signals
    )


def _scope(assessment: Assessment) -> Scope | msgspec.UnsetType:
    if assessment.affected is None:
        return msgspec.UNSET
    return Scope(records=assessment.affected, type=assessment.resource or "records")
