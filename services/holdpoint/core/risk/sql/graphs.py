"""Orders of Cypher that are handed in as SQL: `MATCH (n) DETACH DELETE n`."""

from collections.abc import Iterator

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.sql.act import Act, Found
from holdpoint.messages.risk import RiskLevel

MEDIUM, HIGH = RiskLevel.MEDIUM, RiskLevel.HIGH

_ORDERS = word_set("DELETE SET REMOVE")
_BESIDE = frozenset(".:([,")
"""Signs behind which a word is a name."""


def matched(act: Act) -> Iterator[Found]:
    """What becomes of a graph's nodes: of all that match, unless a condition names some."""
    orders = (place for place, token in enumerate(act.tokens) if token.text in _ORDERS)
    place = next((at for at in orders if act.word(at - 1) not in _BESIDE), 0)
    if not place:
        return
    before = [token.text for token in act.tokens[:place]]
    named = "{" in before or ("WHERE" in before and "=" in before and "OR" not in before)
    if named:
        yield act.found("sql.graph", MEDIUM, "“{}” changes what matches", 0)
    else:
        yield act.found("sql.graph", HIGH, "“{}” changes or removes whatever matches", 0)
