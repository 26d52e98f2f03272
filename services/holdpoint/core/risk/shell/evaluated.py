"""Where a shell evaluates a text once more: arithmetic, subscripts, prompts, lists of completions.

A quoted text that holds a substitution is harmless until it gets there: `x='a[$(rm -rf d)]'` is a
text, and `test -v "$x"`, `((x))`, `${y[x]}`, `declare "$x=1"` run what stands in it.
"""

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.expand import Expander
from holdpoint.core.risk.shell.scope import substitutes

DECLARERS = word_set("declare typeset local export readonly")
EVALUATORS = DECLARERS | word_set(
    "test [ let unset read mapfile readarray printf wait getopts compgen complete exec"
)
"""Programs of a shell that take names, or sums: a subscript may stand in them."""

_ARITHMETIC = word_set("let [ test")


def evaluate(name: str, args: tuple[str, ...], expander: Expander) -> None:
    """Run what stands in the words behind such a program where they are evaluated."""
    if name == "printf":
        args = args[:2] if args[:1] and args[0].startswith("-v") else ()
    numbers = name in _ARITHMETIC or "-i" in args or "-n" in args
    for arg in args:
        if substitutes(arg) or (numbers and expander.scope.latent):
            expander.evaluated(arg)
