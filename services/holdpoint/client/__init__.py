"""The SDK: propose, say, ask for a confirmation, wait for what comes of it.

from holdpoint.client import Holdpoint, Result, RiskLevel, assess_risk, system
"""

from holdpoint.client.guard import NotLetGoError, catalog_entry, guard
from holdpoint.client.holdpoint import Holdpoint, System, system
from holdpoint.client.options import OnCancel
from holdpoint.client.outcome import (
    HoldpointError,
    Outcome,
    RefusedError,
    Result,
    SetupError,
    UnavailableError,
)
from holdpoint.client.registration import RegisteredAgent, SubAgent, create_agent
from holdpoint.client.sync import SyncHoldpoint
from holdpoint.core.risk import assess_risk
from holdpoint.messages.call import Lineage, Phase
from holdpoint.messages.catalog import ToolDefinition
from holdpoint.messages.envelope import Status
from holdpoint.messages.risk import IntentClaim, RiskLevel, Scope

__all__ = [
    "Holdpoint",
    "HoldpointError",
    "IntentClaim",
    "Lineage",
    "NotLetGoError",
    "OnCancel",
    "Outcome",
    "Phase",
    "RefusedError",
    "RegisteredAgent",
    "Result",
    "RiskLevel",
    "Scope",
    "SetupError",
    "Status",
    "SubAgent",
    "SyncHoldpoint",
    "System",
    "ToolDefinition",
    "UnavailableError",
    "assess_risk",
    "catalog_entry",
    "create_agent",
    "guard",
    "system",
]
