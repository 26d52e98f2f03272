"""A call and the sentence that announced it: when the yes to the sentence stands for the call."""

from collections.abc import Collection, Iterable
from datetime import datetime

from holdpoint.core.catalog import Catalog
from holdpoint.core.claims import KIND, claimed_call, is_nested
from holdpoint.core.digest import canonical, money_as_text
from holdpoint.core.objections import valid_until
from holdpoint.messages.action import Action
from holdpoint.messages.base import JsonObject
from holdpoint.messages.hold import Announced, Hold, Outcome, Stage


def announced_by(sentence: Hold) -> Announced:
    """Return what a card shows of the sentence; people are still asked."""
    return Announced(hold_id=sentence.hold_id, says=sentence.says, digest=sentence.digest)


def vouched_by(sentence: Hold, answers: Iterable[str]) -> Announced:
    """The sentence with its yes; `answers` are the ids of what was counted."""
    return Announced(
        hold_id=sentence.hold_id,
        says=sentence.says,
        digest=sentence.digest,
        voices=sentence.voices,
        answers=tuple(answers),
        resolved_at=sentence.resolved_at,
    )


def may_stand_for(sentence: Hold, action: Action, level: int, now: datetime) -> bool:
    """Return whether the sentence was confirmed, at this level at least, and that lately."""
    same = (sentence.tenant, sentence.agent, sentence.on_behalf_of) == (
        action.tenant, action.agent, action.on_behalf_of,
    )  # fmt: skip
    confirmed = sentence.stage is Stage.RESUMED and sentence.outcome is Outcome.CONFIRMED
    return same and confirmed and level <= sentence.level and now < valid_until(sentence)


def is_exactly(
    claim: JsonObject, action: Action, catalog: Catalog, may_call: Collection[str]
) -> bool:
    """Return whether a sentence's `action_detail` can mean this action and nothing else.

    It is the arguments, and `type`, which names the tool; or its domain, where the arguments fit
    no other tool of that. Without `type` they may fit no other tool that the agent may call. It may
    also be `tool` and its `arguments`, if no tool has arguments of these names.
    """
    if is_nested(claim) and not _fitting(claim, catalog, may_call):
        named, given = claimed_call(claim)
        same = canonical(money_as_text(given)) == canonical(action.arguments)
        return same and (tool := catalog.find(named)) is not None and tool.name == action.tool
    kind = claim.get(KIND)
    arguments = money_as_text({name: it for name, it in claim.items() if name != KIND})
    if canonical(arguments) != canonical(action.arguments):
        return False
    if KIND not in claim:
        return _fitting(arguments, catalog, may_call) == {action.tool}
    if not isinstance(kind, str):
        return False
    tool = catalog.find(kind)
    if tool is not None:
        return tool.name == action.tool
    fitting = {
        each.name
        for each in catalog.entries
        if each.domain == kind and not catalog.objection(each, arguments)
    }
    return fitting == {action.tool}


def _fitting(arguments: JsonObject, catalog: Catalog, names: Collection[str]) -> set[str]:
    """Return those of these tools that take arguments of these names and values."""
    known = (catalog.find(name) for name in names)
    return {
        each.name
        for each in known
        if each is not None
        and arguments
        and arguments.keys() <= each.schema.get("properties", {}).keys()
        and not catalog.objection(each, arguments)
    }
