"""The argument that tells most what a call acts on: `3` of delete_task, `README.md` of git_add."""

from collections.abc import Iterable, Mapping
from typing import Any

from holdpoint.core.redaction.credential_names import HUMP
from holdpoint.core.redaction.display import MASK

NAMING = frozenset({"id", "ids", "name", "path", "file", "files", "url", "uri", "key"})
"""Last words of the arguments that name one thing among others."""

AROUND = frozenset({"repo", "repository", "workspace", "project", "owner", "root", "cwd", "base"})
"""Words of the arguments that say where a thing is, and are the same in many calls."""

MOST_NAMED, SHOWN = 5, 2
"""Names of a list that are all told, and how many are of a longer one."""

LONGEST, TAIL = 60, 24
"""Characters of it, and how many of those are the end of what is longer: paths differ there."""


METHODS = frozenset({"DELETE", "PATCH", "POST", "PUT"})
"""HTTP methods that change something: one that is an argument stands before the address."""


def telling_argument(
    arguments: Mapping[str, Any], names: Iterable[str], required: Iterable[str], tool: str = ""
) -> str:
    """Return it as one text, shortened; empty where no argument tells anything.

    Beside it stand an HTTP method, and the arguments that the name of the tool itself names: the
    role of `add_user_role`. `arguments` are masked already. The order of `names` is the schema's:
    an agent cannot choose it.
    """
    needed = frozenset(required)
    texts = {name: _text(arguments.get(name)) for name in names}
    telling = {name: text for name, text in texts.items() if text}
    methods = [it for it in telling if telling[it].upper() in METHODS]
    rest = [it for it in telling if it not in methods]
    if not rest:
        return " ".join(telling[it].upper() for it in methods)
    named = frozenset(words_of_name(tool).split())
    best = min(rest, key=lambda name: _rank(name, name in needed, named))
    beside = [it for it in rest if it != best and words_of_name(it) in named]
    method = "".join(f"{telling[it].upper()} " for it in methods)
    return method + ", ".join(_shortened(telling[it]) for it in (best, *beside))


def words_of_name(name: str) -> str:
    """Return a tool's or an argument's name in words: `delete_task` and `deleteTask` alike."""
    return " ".join(HUMP.sub("_", name).replace("-", "_").lower().split("_")).strip()


def _rank(name: str, is_required: bool, named: frozenset[str]) -> tuple[bool, bool, bool, bool]:
    """Return how little an argument tells: the task of `delete_task` more than its user."""
    words = words_of_name(name).split()
    is_naming = bool(words) and words[-1] in NAMING
    is_named = is_naming and not named.isdisjoint(words[:-1])
    return not AROUND.isdisjoint(words), not is_required, not is_named, not is_naming


def _text(value: object) -> str:
    match value:
        case bool() | float() | None:
            return ""
        case int():
            return str(value)
        case str():
            return "" if value == MASK else value.strip()
        case list():
            texts = [_text(part) for part in value]
            return _listed(texts) if all(texts) else ""
        case _:
            return ""


def _listed(texts: list[str]) -> str:
    """Return all of a few names; of many the first ones, and how many more there are."""
    if len(texts) <= MOST_NAMED:
        return ", ".join(texts)
    left = len(texts) - SHOWN
    return f"{', '.join(map(_shortened, texts[:SHOWN]))} and {left:,} more"


def _shortened(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - TAIL - 1]}\u2026{text[-TAIL:]}"
