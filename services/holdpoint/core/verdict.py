"""Assessment, catalog, access list and policy become one verdict: pass, witness, hold or deny."""

from collections.abc import Iterable, Iterator

import msgspec

from holdpoint.core.quorum import needed, suffice
from holdpoint.messages.catalog import READ_LEVEL, Agent, Repeat, Tool
from holdpoint.messages.hold import Requirement
from holdpoint.messages.policy import LevelRule, Policy, VerdictKind
from holdpoint.messages.risk import Assessment, IntentMetadata, RiskLevel
from holdpoint.messages.state import EVERYONE

SENTENCE_LEVEL = 3
"""A sentence that asks is a chat confirmation (seed 000, level 3)."""

STEP_UP_LEVEL = 4
"""From here on a yes takes a proof stronger than the password, and money is never below it."""

LITTLE_LEVEL = 2
"""Of what a tool runs that changes little in its working folder, by proof."""

HIGHEST_LEVEL = 5


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """First decision of the gate, with its level and reason."""

    kind: VerdictKind
    level: int
    reason: str = ""
    requirement: Requirement | None = None
    deadline_s: int = 0


class Facts(msgspec.Struct, frozen=True, kw_only=True):
    """Facts that a verdict about a tool call rests on."""

    agent: Agent
    tool: Tool
    assessment: Assessment
    planned: bool
    """False when a dry run was due and none came: then it counts as one level up."""

    killed: str = ""
    """Why the kill switch is on; empty when it is off."""

    outside: str = ""
    """Why the access matrix does not let the agent act; empty where it does."""


def judge(facts: Facts, policy: Policy) -> Verdict:
    """Deny beats everything; else the level decides, raised by risk, never lowered."""
    level = _level(facts, policy)
    if facts.killed:
        return _denied(level, f"The kill switch is on: {facts.killed}")
    if facts.tool.name not in facts.agent.tools:
        why = f"`{facts.tool.name}` is not in the list of tools that {facts.agent.name} may call."
        return _denied(level, why)
    if facts.outside:
        return _denied(level, facts.outside)
    return by_level(level, policy)


def needs_plan(facts: Facts, policy: Policy) -> bool:
    """Whether nothing is decided without its dry run: what is denied or takes a step-up only for
    lack of one, though it would not be denied with it.
    """
    blind = judge(facts, policy)
    if facts.planned or (blind.kind is not VerdictKind.DENY and blind.level < STEP_UP_LEVEL):
        return False
    planned = msgspec.structs.replace(facts, planned=True)
    return judge(planned, policy).kind is not VerdictKind.DENY


def judge_sentence(metadata: IntentMetadata, policy: Policy, killed: str) -> Verdict:
    """A sentence that asks for nothing passes; one that does waits for people."""
    if killed:
        return _denied(SENTENCE_LEVEL, f"The kill switch is on: {killed}")
    if not metadata.confirmation_required:
        return Verdict(kind=VerdictKind.PASS, level=1)
    level = max(SENTENCE_LEVEL, policy.risk_levels.get(metadata.risk_level, 0))
    return by_level(level, policy)


def killed_by(agents: dict[str, str], agent: str) -> str:
    """Why this agent is stopped: everyone's entry, or its own; empty only when there is neither."""
    entries = [agents[name] for name in (EVERYONE, agent) if name in agents]
    return (entries[0] or "no reason was given") if entries else ""


def level_of(tool: Tool, found: Assessment) -> int:
    """The operation level of one call, before its risk raises it."""
    if not tool.by_risk or found.level is not RiskLevel.LOW:
        return tool.level
    if found.reads_only:
        return READ_LEVEL
    return min(LITTLE_LEVEL, tool.level) if _is_little(tool, found) else tool.level


def _is_little(tool: Tool, found: Assessment) -> bool:
    """Return whether the parse alone proves that the call loses nothing."""
    return tool.by_risk and found.changes_little and found.level is RiskLevel.LOW


def repeat_of(tool: Tool, found: Assessment) -> Repeat:
    """Return what to do about a call that was begun and has no result: a read runs again."""
    is_read = tool.level != READ_LEVEL and level_of(tool, found) == READ_LEVEL
    return Repeat.IDEMPOTENT if is_read else tool.repeat


def _level(facts: Facts, policy: Policy) -> int:
    raised = policy.risk_levels.get(facts.assessment.level, 0)
    own = level_of(facts.tool, facts.assessment)
    is_known = facts.planned or own == READ_LEVEL or _is_little(facts.tool, facts.assessment)
    blind = 0 if is_known else own + 1
    return min(max(own, blind, raised), HIGHEST_LEVEL)


def asking(verdict: Verdict, policy: Policy) -> Verdict:
    """The verdict, or the lowest one above it that asks people; without any it is denied."""
    if verdict.kind in {VerdictKind.HOLD, VerdictKind.DENY}:
        return verdict
    higher = (by_level(it, policy) for it in range(verdict.level + 1, HIGHEST_LEVEL + 1))
    asks = (it for it in higher if it.kind is VerdictKind.HOLD)
    return next(asks, _denied(verdict.level, "A person cancelled this, and no level asks people."))


def by_level(level: int, policy: Policy) -> Verdict:
    """Return what the policy asks for at this level."""
    rule = policy.levels.get(level)
    if rule is None:
        return _denied(level, f"The policy says nothing about level {level}.")
    if rule.verdict is VerdictKind.DENY:
        return _denied(level, rule.why or f"The policy denies level {level}.")
    return Verdict(
        kind=rule.verdict,
        level=level,
        requirement=_requirement(level, rule, policy),
        deadline_s=rule.deadline_s,
    )


def _requirement(level: int, rule: LevelRule, policy: Policy) -> Requirement:
    return Requirement(
        level=level,
        all_of=rule.all_of,
        proofs=rule.proofs,
        every_proof=rule.every_proof,
        four_eyes=rule.four_eyes,
        client_may_answer=rule.client_may_answer,
        cooling_off_s=rule.cooling_off_s,
        on_silence=rule.on_silence,
        deadline_s=rule.deadline_s,
        remind_after_s=rule.remind_after_s,
        escalate=rule.escalate,
        backup=policy.groups.get(rule.escalate.group, ()) if rule.escalate else (),
        extend_up_to_s=rule.extend_up_to_s,
        notice_before_s=rule.notice_before_s,
        most_open=policy.most_open,
        approvers={each.group: policy.groups.get(each.group, ()) for each in rule.all_of},
    )


def unanswerable(policy: Policy, agents: Iterable[Agent]) -> Iterator[str]:
    """Levels that hold what no people there are could confirm, each with the first case of it."""
    acting = [(agent, person) for agent in agents for person in agent.acts_for or ("",)]
    for level, rule in sorted(policy.levels.items()):
        asked = _requirement(level, rule, policy)
        if rule.verdict is not VerdictKind.HOLD:
            continue
        for agent, person in acting:
            barred = {agent.name, person} if asked.four_eyes else {agent.name}
            people = {one for group in asked.approvers.values() for one in group} - barred
            if not suffice(asked, people):
                yield _too_few(level, asked, agent, person if asked.four_eyes else "")
                break
            if rule.escalate and not _suffices_alone(asked, barred):
                yield _backup_too_small(level, rule.escalate.group, asked, agent)
                break


def _suffices_alone(asked: Requirement, barred: set[str]) -> bool:
    """Return whether the backup group could give every voice while those asked first are silent."""
    backup = dict.fromkeys(asked.approvers, asked.backup)
    alone = msgspec.structs.replace(asked, approvers=backup)
    return suffice(alone, set(asked.backup) - barred)


def _backup_too_small(level: int, group: str, asked: Requirement, agent: Agent) -> str:
    return (
        f"levels.{level}.escalate: {group} could not confirm what {agent.name} proposes if nobody "
        f"else answers: it takes {needed(asked)} of them. Add people to the group, or name another."
    )


def _too_few(level: int, asked: Requirement, agent: Agent, barred: str) -> str:
    voices = " and ".join(f"{each.voices} of {each.group}" for each in asked.all_of)
    whose = f", and {barred} may not confirm what is done for {barred}" if barred else ""
    return (
        f"levels.{level}: nobody could confirm what {agent.name} proposes: it takes {voices}"
        f"{f' ({needed(asked)} people in all)' if asked.four_eyes else ''}{whose}. "
        "Add people to the group, or ask for fewer voices."
    )


def _denied(level: int, why: str) -> Verdict:
    return Verdict(kind=VerdictKind.DENY, level=level, reason=why)
