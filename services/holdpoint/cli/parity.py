"""The parity matrix of seed 000: each action of an interface, its tool, and its status."""

from collections.abc import Iterable, Iterator, Mapping

import msgspec

from holdpoint.core.catalog import Catalog
from holdpoint.core.next_steps import is_next_step
from holdpoint.runtime.config.parity_files import Exclusion, UiAction

COVERED = "Covered"
GAP = "Gap"
NO_TOOL = "N/A"

REASONS: Mapping[Exclusion, str] = {
    Exclusion.AUTHENTICATION: "security-sensitive",
    Exclusion.LEGAL: "requires the user's direct action",
    Exclusion.IDENTITY: "regulatory requirement",
}


class ParityRow(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the matrix."""

    action: str
    tool: str
    status: str
    frequency: int
    is_gap: bool
    """True where no tool covers it and nobody excluded it: to be closed."""

    why: str = ""


def matrix(actions: Iterable[UiAction], catalog: Catalog) -> tuple[ParityRow, ...]:
    """Every action, the most frequent first."""
    ordered = sorted(actions, key=lambda each: -each.frequency)
    return tuple(_row(action, catalog) for action in ordered)


def mistakes(actions: Iterable[UiAction]) -> Iterator[str]:
    """List the entries that a file has twice, or does not explain."""
    for each in actions:
        if each.excluded and each.tool:
            yield f"{each.action}: it has a tool and is excluded. Keep one."
        if each.excluded and not each.why:
            yield f"{each.action}: say in `why` for what reason it is excluded."


def _row(action: UiAction, catalog: Catalog) -> ParityRow:
    covered = bool(action.tool) and (
        catalog.find(action.tool) is not None or is_next_step(action.tool)
    )
    reason = REASONS[action.excluded] if action.excluded else ""
    gap = f"{GAP} ({reason}, intentionally excluded)" if reason else GAP
    return ParityRow(
        action=action.action,
        tool=action.tool or NO_TOOL,
        status=COVERED if covered else gap,
        frequency=action.frequency,
        is_gap=not covered and not reason,
        why=action.why,
    )
