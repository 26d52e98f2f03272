"""Earlier verdicts, made ready to be judged again: from the ledger, or from lines.

The ledger keeps of a dry run what was frozen into the action and what the assessment says of it;
the dry run is put together from those. Access lists and the kill switch are left aside.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import NamedTuple, assert_never

import msgspec

from holdpoint.core.card_reasons import UNCOUNTED
from holdpoint.core.catalog import SENTENCE_TOOL, Catalog
from holdpoint.core.risk import Context, Sentence, trees_of
from holdpoint.ledger.verdicts import Judged
from holdpoint.messages.action import Action, Plan
from holdpoint.messages.call import Intent, Propose
from holdpoint.messages.catalog import READ_LEVEL, UNLEVELLED, Agent, Tool
from holdpoint.messages.hold import Hold, Outcome
from holdpoint.messages.policy import Policy, VerdictKind
from holdpoint.messages.risk import IntentClaim
from holdpoint.policy_lab.assess import subject_of
from holdpoint.policy_lab.cases import BadLineError, line_in
from holdpoint.policy_lab.corpus import BAD_LINE, CorpusError
from holdpoint.policy_lab.judge import Judgement, judged_by, stand_in

FAILED = (UNCOUNTED, "no dry run could be made: ")
"""Beginnings of the reason for a dry run that failed, now and before; else nobody answered."""


class Again(msgspec.Struct, frozen=True, kw_only=True):
    """A call or a sentence, with everything that a policy judges it by."""

    id: str
    name: str
    """The tool's; `say` for a sentence."""

    subject: Action | Sentence
    context: Context
    tool: Tool
    planned: bool = True
    then: VerdictKind | None = None
    """What the gate said when it came; None outside of the ledger."""

    at: datetime | None = None
    """When it came; None outside of the ledger, and for sentences, which add to no sum."""

    ran: bool = True
    """True if it was let go then, by the gate or by people."""

    def judged(self, policy: Policy) -> Judgement:
        """Return what this policy says of it."""
        return judged_by(policy, self.subject, self.context, self.tool, planned=self.planned)


class Known(NamedTuple):
    """Facts besides the calls themselves: all as it is now."""

    catalog: Catalog
    agents: Mapping[str, Agent]
    outcomes: Mapping[str, Outcome]
    """How each hold that was resolved ended, by its id."""


def from_ledger(found: Iterable[Judged], known: Known) -> Iterator[Again]:
    """Each as the gate saw it, by the tools and agents that there are now."""
    for one in found:
        action = one.hold.action
        yield _sentence(one) if action is None else _call(one, action, known)


def from_lines(lines: Iterable[bytes]) -> Iterator[Again]:
    """Lines as `holdpoint assess --jsonl` reads them; raises `CorpusError` for another one."""
    for number, raw in enumerate(lines, start=1):
        if not raw.strip():
            continue
        try:
            line = line_in(raw)
            subject, context = subject_of(line)
        except BadLineError as error:
            text = f"Line {number} cannot be judged: {error}"
            raise CorpusError(BAD_LINE, text) from None
        match subject:
            case Action():
                name = subject.tool
            case Sentence():
                name = SENTENCE_TOOL
            case _:
                assert_never(subject)
        tool = context.tool or _unknown(name)
        yield Again(id=str(line.id), name=name, subject=subject, context=context, tool=tool)


def _sentence(one: Judged) -> Again:
    hold, call = one.hold, one.call
    said = call if isinstance(call, Intent) else None
    confidence = said.confidence if said else None
    return Again(
        id=hold.hold_id,
        name=SENTENCE_TOOL,
        subject=Sentence(
            text=hold.says,
            claim=said.metadata if said else IntentClaim(),
            action_detail=hold.claim,
            confidence=confidence,
        ),
        context=Context(reasoning=said.reasoning if said else "", confidence=confidence),
        tool=_unknown(SENTENCE_TOOL),
        then=one.verdict,
    )


def _call(one: Judged, action: Action, known: Known) -> Again:
    hold, tool = one.hold, known.catalog.find(action.tool)
    said = one.call if isinstance(one.call, Propose) else None
    plan = _plan(hold, action, tool) if tool and tool.plans else None
    agent = known.agents.get(action.agent) or Agent(name=action.agent, tools=())
    return Again(
        id=hold.hold_id,
        name=action.tool,
        subject=action,
        context=Context(
            tool=tool,
            plan=plan,
            reasoning=hold.says,
            confidence=said.confidence if said else None,
            taint=said.taint if said else (),
            taint_source=said.taint_source if said else "",
            trees=trees_of(agent, said.lineage.group_id if said else ""),
        ),
        tool=tool or _unknown(action.tool),
        planned=plan is not None or not (tool and tool.plans),
        then=one.verdict,
        at=hold.proposed_at,
        ran=_ran(one, known.outcomes),
    )


def _ran(one: Judged, outcomes: Mapping[str, Outcome]) -> bool:
    """Return whether it was let go; what still waits counts, as it does at a gate."""
    if one.verdict is VerdictKind.HOLD:
        return outcomes.get(one.hold.hold_id) in {None, Outcome.CONFIRMED}
    return one.verdict is not VerdictKind.DENY


def _plan(hold: Hold, action: Action, tool: Tool) -> Plan | None:
    """The dry run, as far as the hold tells; None when nobody answered."""
    found, frozen = hold.assessment, action.preconditions
    missing = next((each.reason for each in found.signals if each.rule == "plan.missing"), "")
    if missing and not missing.startswith(FAILED):
        return None
    targets = frozen.get("targets") or ([found.target] if found.target else [])
    return Plan(
        affected=frozen.get("affected"),
        targets=tuple(map(str, targets)),
        verb=found.verb,
        environment_keys=tuple(f"path:{each}" for each in targets if "/" in each),
        reversible=_reversible(hold, tool),
        error=missing.partition(": ")[2],
    )


def _reversible(hold: Hold, tool: Tool) -> bool | None:
    """Return what the dry run must have said for the assessment to be as it is."""
    found = hold.assessment
    if any(signal.rule == "plan.irreversible" for signal in found.signals):
        return False
    known = found.reversible and tool.level > READ_LEVEL and not tool.undo
    return True if known else None


def _unknown(name: str) -> Tool:
    return stand_in(name, "", UNLEVELLED)
