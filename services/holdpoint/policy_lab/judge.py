"""Verdict of a gate about a subject by its risk alone: neither access lists nor kill switches."""

import msgspec

from holdpoint.core.risk import Context, Sentence, assess, metadata_of
from holdpoint.core.verdict import Facts, judge, judge_sentence
from holdpoint.messages.action import Action
from holdpoint.messages.base import JsonObject
from holdpoint.messages.catalog import Agent, Tool
from holdpoint.messages.policy import Policy, VerdictKind
from holdpoint.messages.risk import Assessment


class Judgement(msgspec.Struct, frozen=True, kw_only=True):
    """Verdict on a subject by one policy."""

    verdict: VerdictKind
    assessment: Assessment
    level: int = 0
    """The operation level, raised by risk; 0 of what was judged earlier."""

    @property
    def deciding(self) -> tuple[str, ...]:
        """The rules that its level comes from, each once."""
        found = self.assessment
        return tuple(dict.fromkeys(one.rule for one in found.signals if one.level is found.level))


def judged_by(
    policy: Policy, subject: Action | Sentence, context: Context, tool: Tool, *, planned: bool
) -> Judgement:
    """Assess and judge it; `tool` says the operation level of an action."""
    found = assess(subject, context, policy)
    if isinstance(subject, Sentence):
        verdict = judge_sentence(metadata_of(found), policy, "")
    else:
        agent = Agent(name="", tools=(tool.name,))
        facts = Facts(agent=agent, tool=tool, assessment=found, planned=planned)
        verdict = judge(facts, policy)
    return Judgement(verdict=verdict.kind, level=verdict.level, assessment=found)


def stand_in(tool: str, domain: str, level: int, schema: JsonObject | None = None) -> Tool:
    """The entry of a tool that stands in no catalog."""
    return Tool(
        name=tool,
        domain=domain,
        level=level,
        description="",
        schema=schema or {},
        schema_sha256="",
        template="",
    )
