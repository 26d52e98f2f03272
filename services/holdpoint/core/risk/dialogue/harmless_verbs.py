"""The closed class of what harms nothing: reading, asking, thinking, telling, waiting, computing.

Whatever else an agent announces is an action, also when no list holds its verb.
"""

from holdpoint.core.risk.dialogue.verbs import NEUTRAL, SPOKEN
from holdpoint.core.risk.knowledge import entry, words
from holdpoint.core.risk.wording import Form, Kind

_BASES = NEUTRAL.union(*map(str.split, entry("words/dialogue:harmless_verbs.bases").values()))


def _forms(base: str) -> tuple[str, ...]:
    """Every form that it may take; a form that no one uses does no harm."""
    stem = base.removesuffix("e")
    return (
        base, f"{base}s", f"{base}es", f"{stem}ed", f"{base}{base[-1]}ed", f"{stem}ing",
        f"{base}ing", f"{base}{base[-1]}ing", f"{base.removesuffix('y')}ied",
    )  # fmt: skip


_NO_ACT = words("words/dialogue:harmless_verbs.no_act")
"""What only ends like a verb that is under way or done, and what it says does nothing."""

HARMLESS = (
    frozenset(form for base in _BASES for form in _forms(base))
    | _NO_ACT
    | frozenset(
        word for word, verb in SPOKEN.items() if verb.kind is Kind.READ and verb.form is Form.ING
    )
)
"""Every form of every such verb, with the words that only look like one."""
