"""Rules of the policy: what an organization says of its own tools and tables."""

from collections.abc import Iterator, Mapping
from functools import lru_cache

import re2
from msgspec.structs import replace

from holdpoint.core.risk.model import Analysis, Finding
from holdpoint.core.risk.shell.analyzer import MAX_EVIDENCE, MAX_REASON, analyze_shell
from holdpoint.core.risk.shell.command_rules import Tool, judged, prepared
from holdpoint.core.risk.shell.model import command_of
from holdpoint.core.risk.shell.unknown_programs import UNKNOWN_PROGRAM
from holdpoint.core.risk.sql.rules import by_own_rules
from holdpoint.core.text import beginning, both_ends
from holdpoint.messages.command_rules import ToolRules
from holdpoint.messages.policy import Policy
from holdpoint.messages.risk import Heuristic, RiskLevel

prepared_once = lru_cache(maxsize=256)(prepared)


def policy_findings(ran: Analysis, policy: Policy) -> tuple[Finding, ...]:
    """Return what the policy's rules say of the commands and statements that are run."""
    known = _by_name(policy.commands)
    try:
        return (
            *(finding for text in ran.commands for finding in _findings(text, known)),
            *(one for text in ran.statements for one in by_own_rules(text, policy.sql)),
        )
    except (re2.error, KeyError) as error:
        return (_broken(str(error)),)


def rules_fired(text: str, tool: str, rules: ToolRules) -> frozenset[str]:
    """Return the ids of one tool's rules that a shell text carries; raises `re2.error`."""
    known = _by_name({tool: rules})
    run = analyze_shell(text).commands
    return frozenset(finding.rule for one in run for finding in _findings(one, known))


def engine_rules_fired(text: str) -> frozenset[str]:
    """Return the engine's rules that a shell text carries, without that of unknown programs."""
    found = analyze_shell(text).findings
    return frozenset(one.rule for one in found if one.level > RiskLevel.LOW) - {UNKNOWN_PROGRAM}


def _broken(why: str) -> Finding:
    """Return what is said where a pattern that nobody checked cannot be run."""
    return Finding(
        rule="command.rules",
        heuristic=Heuristic.UNCERTAINTY,
        level=RiskLevel.HIGH,
        reason=beginning(f"the policy's rules cannot be run: {why}", MAX_REASON),
    )


def _by_name(tools: Mapping[str, ToolRules]) -> dict[str, Tool]:
    return {
        program: prepared_once(rules)
        for name, rules in tools.items()
        for program in (name, *rules.also)
    }


def _findings(text: str, tools: Mapping[str, Tool]) -> Iterator[Finding]:
    words = tuple(text.split())
    command = command_of(words, (), None, many=False, span=(0, 0), depth=0)
    tool = tools.get(command.name)
    for danger in judged(tool, command)[0] if tool else ():
        room = MAX_REASON - len(danger.reason) - len("`` ")
        yield replace(
            danger,
            reason=beginning(f"`{both_ends(text, max(room, 1))}` {danger.reason}", MAX_REASON),
            evidence=text[:MAX_EVIDENCE],
        )
