"""What only moves a view, works out a figure or lays out a text, whatever its name sounds like."""

import re

from holdpoint.core.risk.calls.leaf import Leaf, words_of
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.lexicon import word_set

MAX_PATH = 300

_TURNS = word_set("scroll swipe wheel zoom pinch pan nudge")
_PAYS = words("words/tools:views.pays")
_MEANT = word_set("currency token asset chain recipient payee wallet address account")
_VECTORS = word_set("embeddings embedding vectors tokens")
_FORMATTERS = word_set("prettier black ruff gofmt rustfmt clang eslint biome isort yapf")
_PATHS = words("words/tools:views.paths")
_DISKS = words("words/tools:views.disks")
_is_source = re.compile(
    r"(?!/dev/|[A-Za-z]:[\\/]?$)(?:\.{1,2}/?|(?:[^\s]*/)?[\w.*@-]+\.[A-Za-z]{1,8}|\.?/?[\w.@-]+/[^\s]*)$"
)


def turns(named: tuple[str, ...], leaf: Leaf) -> bool:
    """Whether a number says how far a view moves; `named`: the words of the tool's name."""
    by_name = not _TURNS.isdisjoint(named) and _PAYS.isdisjoint(named)
    action = leaf.siblings.get("action")
    ordered = isinstance(action, str) and not _TURNS.isdisjoint(words_of(action[:MAX_PATH]))
    return (by_name or ordered) and _MEANT.isdisjoint(map(str, leaf.siblings))


def makes_vectors(named: tuple[str, ...]) -> bool:
    """`create_embeddings`: however many texts there are, nothing is done to them."""
    return named[-1:] != () and named[-1] in _VECTORS


def lays_out(named: tuple[str, ...], leaves: tuple[Leaf, ...]) -> bool:
    """Whether what is formatted is a text in a file, and no disk."""
    if not _DISKS.isdisjoint(named) or any(
        not _DISKS.isdisjoint(words_of(leaf.key)) for leaf in leaves
    ):
        return False
    paths = [leaf.value for leaf in leaves if not _PATHS.isdisjoint(words_of(leaf.key))]
    if not _FORMATTERS.isdisjoint(named):
        return True
    return bool(paths) and all(isinstance(one, str) and _is_text(one) for one in paths)


def _is_text(path: str) -> bool:
    return (
        len(path) <= MAX_PATH and not path.startswith("/dev") and _is_source.match(path) is not None
    )
