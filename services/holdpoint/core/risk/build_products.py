"""Build products: folders that a build makes again, so that deleting them loses nothing.

Only the policy's list says which (`build_products` in `environments.yaml`). A path counts where it
can lead nowhere else: relative to the working folder, without `..`, variables, links or blanks.
"""

import re

from holdpoint.core.risk.extract.bounds import knows
from holdpoint.core.risk.extract.payload import Leaf, flagged
from holdpoint.core.risk.lexicon import word_set
from holdpoint.messages.action import Action
from holdpoint.messages.catalog import Tool

MAX_PATH = 300
ANYWHERE = "**/"
"""How an entry of the list begins that counts at any depth: `**/node_modules`."""

_plain = re.compile(r"(?:\./)?[\w.@+-]+(?:/[\w.@+*-]+)*/?", re.ASCII)
_PATHS = word_set("path paths file files filepath filename dir directory directories folder")
_LINKED = word_set("current latest link links symlink live prod production")
"""Names that stand for another folder more often than not."""


def is_build_product(path: str, products: tuple[str, ...]) -> bool:
    """Whether a path leads into a build product under the working folder, and nowhere else."""
    if len(path) > MAX_PATH or not _plain.fullmatch(path):
        return False
    parts = path.removeprefix("./").rstrip("/").split("/")
    if any(part in _LINKED or set(part) == {"."} for part in parts):
        return False
    depth = next((at for at, part in enumerate(parts) if _is_listed(part, at, products)), None)
    if depth is None or "*" in "".join(parts[: depth + 1]):
        return False
    return depth == len(parts) - 1 or not path.endswith("/")  # a link is followed behind a slash


def _is_listed(part: str, depth: int, products: tuple[str, ...]) -> bool:
    return f"{ANYWHERE}{part}" in products or (depth == 0 and part in products)


def takes_only_build_products(
    action: Action, tool: Tool | None, leaves: tuple[Leaf, ...], products: tuple[str, ...]
) -> bool:
    """Whether everything that a call names is a build product; the tool must know all of it."""
    if tool is None or not knows(action.arguments, tool.schema):
        return False
    named = [leaf for leaf in leaves if isinstance(leaf.value, str) and flagged(leaf.value) is None]
    return bool(named) and all(
        leaf.words[-1:] != ()
        and leaf.words[-1] in _PATHS
        and is_build_product(leaf.value, products)
        for leaf in named
    )
