"""Small changes in the working folder that lose nothing: made anew, kept by git, or built again.

A text is one only if every character of it is plain: no variable, substitution, pattern, pipe or
redirect. Paths are relative and go nowhere up, so that the working folder holds whatever changes.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence

import re2

from holdpoint.core.risk.knowledge import entry, words
from holdpoint.messages.base import JsonObject

LONGEST = 2000
COMMAND = "command"
_ONE = (
    r"(?:[A-Za-z0-9_./=:@%+,-]+"
    r"|\"[A-Za-z0-9_./=:@%+, ;()'-]*\""
    r"|'[A-Za-z0-9_./=:@%+, ;()-]*')"
)
_plain = re2.compile(rf"{_ONE}(?: +{_ONE})*")
_word = re2.compile(r"\"([^\"]*)\"|'([^']*)'|([^ ]+)")
_PROGRAMS: Mapping[str, Mapping[str, str]] = entry("words/shell:local.programs")
_STASHES: tuple[list[str], ...] = ([], ["push"], ["pop"], ["apply"], ["list"], ["show"])
_PRODUCTS = words("words/shell:paths.build_products")
_HIDDEN = (".git", ".ssh", ".hg", ".svn")


def changes_little(arguments: JsonObject, build_products: Collection[str]) -> bool:
    """Return whether a command is all that is given, and each of it loses nothing."""
    text = arguments.get(COMMAND)
    if len(arguments) != 1 or not isinstance(text, str) or len(text) > LONGEST:
        return False
    commands = text.strip().split(" && ")
    return all(_is_little(one.strip(), _PRODUCTS.union(build_products)) for one in commands)


def _is_little(text: str, build_products: Collection[str]) -> bool:
    if _plain.fullmatch(text) is None:
        return False
    name, *given = ["".join(part or "" for part in found) for found in _word.findall(text)]
    rest = given
    if f"{name} {' '.join(given[:1])}" in _PROGRAMS:
        name, rest = f"{name} {given[0]}", given[1:]
    rule = _PROGRAMS.get(name)
    return rule is not None and _fits(rule, rest, build_products)


def _fits(rule: Mapping[str, str], args: Sequence[str], build_products: Collection[str]) -> bool:
    """Return whether every option is one that it may have, and every other word is a safe path."""
    options, needed = set(rule["options"].split()), set(rule.get("needs", "").split())
    texts = set(rule.get("texts", "").split())
    seen: list[str] = []
    paths: list[str] = []
    left = iter(args)
    for word in left:
        if (word in texts and next(left, "") != "") or (word.startswith("-") and word in options):
            seen.append(word)
        elif word.startswith("-"):
            return False
        else:
            paths.append(word)
    if needed and needed.isdisjoint(seen):
        return False
    if rule is _PROGRAMS["git stash"] and paths not in _STASHES:
        return False
    most = int(rule.get("words", "1000"))
    return len(paths) <= most and _stay(paths, rule, build_products)


def _stay(paths: Iterable[str], rule: Mapping[str, str], build_products: Collection[str]) -> bool:
    if "only" in rule:
        return bool(paths) and all(path in build_products for path in paths)
    if "keeps" in rule and any(not _PRODUCTS.isdisjoint(it.split("/")) for it in paths):
        return False  # what lies there is deleted unasked later
    return all(_is_inside(path) for path in paths)


def _is_inside(path: str) -> bool:
    parts = path.split("/")
    hidden = any(part.lower() in _HIDDEN for part in parts)
    return bool(path) and parts[0] != "" and ".." not in parts and not hidden
