"""How many things a subject touches: what is planned, told, listed or claimed; the most of them."""

from collections.abc import Iterator

import msgspec

from holdpoint.core.risk.dialogue.deeds import Deed
from holdpoint.core.risk.extract.arguments import Payload
from holdpoint.core.risk.tools.analyzer import counts_bounds, makes_for_itself
from holdpoint.core.risk.wording import Kind
from holdpoint.messages.action import Plan
from holdpoint.messages.risk import IntentClaim


class Size(msgspec.Struct, frozen=True, kw_only=True):
    """How many of what, and where the folded text says so."""

    records: int
    noun: str = ""
    span: tuple[int, int] | None = None


def planned(plan: Plan | None) -> Size | None:
    """What the dry run counted is what counts."""
    if plan is None or plan.error or (plan.affected is None and not plan.targets):
        return None
    if plan.affected is None:
        return Size(records=len(plan.targets))
    return Size(records=plan.affected, noun=plan.unit)


def told_of(deeds: tuple[Deed, ...]) -> Iterator[Size]:
    """What is only read does not count beside what is changed."""
    only_reads = all(deed.verb.kind is Kind.READ for deed in deeds)
    for deed in deeds:
        if deed.records is not None and (only_reads or deed.verb.kind is not Kind.READ):
            yield Size(records=deed.records, noun=deed.noun, span=deed.span)


def listed_in(found: Payload, tool: str) -> Iterator[Size]:
    """Without the bounds of what is only shown, and what is only made for oneself."""
    if not found.tallies or makes_for_itself(tool, found):
        return iter(())
    bounds = counts_bounds(tool)
    told = (tally for tally in found.tallies if bounds or not tally.bound)
    return (Size(records=tally.records, noun=tally.noun) for tally in told)


def claimed(claim: IntentClaim) -> Iterator[Size]:
    """What the agent itself says."""
    if claim.scope and claim.scope.records > 0:
        yield Size(records=claim.scope.records, noun=claim.scope.type)


def largest(sizes: tuple[Size, ...]) -> Size | None:
    """The first of the largest; what it is may come from the first that says."""
    most = max(sizes, key=lambda size: size.records, default=None)
    if most is None or most.noun:
        return most
    noun = next((size.noun for size in sizes if size.noun), "")
    return Size(records=most.records, noun=noun, span=most.span)
