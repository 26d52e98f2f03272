"""How risky an action or a sentence is: the only module of the risk engine that others import.

`assess` judges an action before it runs, or a sentence before the agent goes on; `explain` says
why, signal by signal. Both are pure: no clock, no network, no state.

Names are loaded when they are first asked for: the client and the console need few of them, and
all of the engine takes 40 MB. `__init__.pyi` has their types.
"""

from importlib import import_module
from typing import Any

_NAMES = {
    "assessment": ("assess", "make_fast", "only_reads"),
    "context": ("Brought", "Context", "Sentence", "Tallied", "trees_in", "trees_of"),
    "explanation": ("Aside", "Explanation", "Sounds", "Why", "explain", "pack_name"),
    "extract.embedded": ("spelled_out",),
    "extract.money": ("Money", "decimal_of", "worth"),
    "extract.payload": ("MAX_VALUES",),
    "extract.payments": ("commits",),
    "intents.glossary": ("foreign_words", "in_english", "language_of", "ordinary_words"),
    "intents.judgement": (
        "SOUNDS",
        "heard",
        "is_loaded",
        "stand_down",
        "why_incomplete",
        "why_unusable",
        "with_wording",
    ),
    "http.request": ("READING",),
    "inert_arguments": ("only_reads_by_name",),
    "patterns": ("is_ready", "make_ready"),
    "policy_check": (
        *("Shadow", "fires_on_everything", "is_everyday"),
        *("rule_faults", "shadowed_rules"),
    ),
    "running_sums": ("during", "why_too_much"),
    "seed": ("assess_risk", "metadata_of"),
    "shell.analyzer": ("commands_in",),
    "shell.unknown_programs": ("UNKNOWN_PROGRAM",),
    "sql.analyzer": ("UNKNOWN_STATEMENT",),
    "sql.calls": ("HARMLESS_FUNCTIONS",),
    "taint": ("LONGEST_SOURCE", "why_steered"),
    "tools.dry_runs": ("may_rehearse",),
}
"""What each module of the engine gives to others."""

_PLACES = {name: module for module, names in _NAMES.items() for name in names}
__all__ = sorted(_PLACES)  # noqa: PLE0605 - one table says what there is


def __dir__() -> list[str]:
    """Return the names of the engine, for `dir` and for shells that complete names."""
    return __all__


def __getattr__(name: str) -> Any:
    """Return a name of the engine, loaded now."""
    if name not in _PLACES:
        raise AttributeError(f"{__name__} has no {name}")
    return getattr(import_module(f"{__name__}.{_PLACES[name]}"), name)
