"""How bad a shell text is, as its reading says."""

from holdpoint.core.risk.shell.analyzer import analyze_shell
from holdpoint.messages.risk import RiskLevel


def level(text: str) -> RiskLevel:
    signals = analyze_shell(text).signals
    return max((signal.level for signal in signals), default=RiskLevel.LOW)
