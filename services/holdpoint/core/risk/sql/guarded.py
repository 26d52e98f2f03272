"""Policies on rows and columns: those that let everybody at everything, those that are dropped."""

from collections.abc import Iterator

from holdpoint.core.risk.sql.act import Act, Found
from holdpoint.core.risk.sql.truth import Reach, reach
from holdpoint.messages.risk import RiskLevel

HIGH = RiskLevel.HIGH

MAX_ASKED = 4
"""Conditions of one policy; it has two."""


def opened(act: Act) -> Iterator[Found]:
    """`CREATE POLICY … USING (true)`: what was closed to all is open to everybody it names."""
    if "POLICY" not in {act.word(1), act.word(2)} or act.has("RESTRICTIVE"):
        return
    asked = [at for at, token in enumerate(act.tokens) if token.text in {"USING", "CHECK"}]
    spelled = (at + 2 for at in asked if act.word(at + 1) == "(")
    if len(asked) > MAX_ASKED or any(_is_always(act, at) for at in spelled):
        yield act.found("sql.power", HIGH, "“{}” lets everybody at every row", 0)


def _is_always(act: Act, place: int) -> bool:
    depth, end = 1, place
    while end < len(act.tokens) and depth:
        depth += {"(": 1, ")": -1}.get(act.word(end), 0)
        end += 1
    if end - 1 <= place:
        return False
    text = act.text[act.tokens[place].start : act.tokens[end - 2].end]
    return act.budget.spend(len(text)) and reach(text, act.dialect, "") is Reach.ALL


def is_policy(act: Act) -> bool:
    """Whether a policy is dropped: of rows, of a column's mask, of the network."""
    return "POLICY" in {act.word(place) for place in (1, 2, 3)}
