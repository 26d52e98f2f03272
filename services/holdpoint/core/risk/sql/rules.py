"""Rules for statements that are data: `data/sql.toml`, matched against a statement's words."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import Any

import msgspec
import re2

from holdpoint.core.prefilter import QUIET
from holdpoint.core.risk.knowledge import any_of, data_file, pattern, words
from holdpoint.core.risk.model import Finding
from holdpoint.core.risk.shell.data_transfer import is_secret
from holdpoint.core.risk.sql.orders import (
    VERBS,
    Budget,
    Order,
    Source,
    orders,
    parted,
    with_evidence,
)
from holdpoint.core.risk.sql.tokens import cuts, without_brackets
from holdpoint.messages.sql_rules import SqlFunction, SqlRule, SqlRules


@cache
def rules() -> SqlRules:
    """Return every rule, in the order in which they are asked."""
    return msgspec.convert(data_file("sql"), SqlRules)


def by_rule(order: Order) -> Iterator[Finding]:
    """Yield what the first rule that matches says, and those before it that ask for more."""
    for rule in _by_verb().get(order.verb, ()):
        if _matches(rule, order):
            danger = rule.danger
            yield order.finding(danger.id, danger.level, danger.reason, rule.quote)
            if not rule.also:
                return


def by_own_rules(text: str, own: Iterable[SqlRule]) -> Iterator[Finding]:
    """Yield what rules of a policy say of each order in a text, however a database may cut it."""
    rules = tuple(own)
    if not rules:
        return
    verbs = VERBS.union(*(rule.verbs.upper().split() for rule in rules))
    source = Source(text, "", Budget())
    statements = dict.fromkeys(one for cut in cuts(text[:MAX_OWN], "") for one in cut.statements)
    parts = (part for tokens in statements for part in parted(tokens))
    for order in (order for part in parts for order in orders(source, part, verbs)):
        for rule in rules:
            if order.verb in rule.verbs.upper().split() and _matches(rule, order):
                danger = rule.danger
                found = order.finding(danger.id, danger.level, danger.reason)
                yield msgspec.structs.replace(with_evidence(text, found), span=None)


MAX_OWN = 10_000
"""Characters in which the rules of a policy are looked for; a longer text goes up by itself."""


def function_rule(name: str) -> SqlFunction | None:
    """Return what makes a function of this name (in lower case) risky; None for any other."""
    return next((one for start, one in _functions() if name.startswith(start)), None)


@cache
def _functions() -> tuple[tuple[str, SqlFunction], ...]:
    listed = rules().function
    return tuple((name, one) for one in listed for name in one.names.split())


@cache
def _by_verb() -> Mapping[str, list[SqlRule]]:
    found: dict[str, list[SqlRule]] = {}
    for rule in rules().rule:
        for verb in rule.verbs.split():
            found.setdefault(verb, []).append(rule)
    return found


def _matches(rule: SqlRule, order: Order) -> bool:
    if rule.dialect and rule.dialect != order.dialect:
        return False
    if rule.overwritten_column:
        return _overwrites_column(order)
    if rule.dropped_part and _drops_part(order):
        return True
    named = not rule.match or any(_fits(pattern, order.line) for pattern in rule.match)
    if not named or any(_fits(pattern, order.line) for pattern in rule.unless):
        return False
    return not rule.text or TEXTS[rule.text](order)


def _fits(pattern: str, line: str) -> bool:
    return _compiled(pattern).match(line) is not None


@cache
def _compiled(match: str) -> Any:
    listed = re.sub(r"\{([a-z_]+)\}", lambda name: f"(?:{any_of(f'words/sql:{name[1]}')})", match)
    end = "" if listed.endswith("$") else r"(?: |$)"
    listed = re.sub(r"^\.\.\. ", r"(?:\\S+ )*", listed)
    return re2.compile(listed.replace(" ...", r"(?: \S+)*") + end, QUIET)


_KEPT = words("words/sql:kept_in_alter")


def _drops_part(order: Order) -> bool:
    """Return whether `DROP COLUMN`, `DROP PARTITION` or a bare `DROP name` stands in an ALTER."""
    dropping = False
    for place, token in without_brackets(order.tokens):
        after = order.word(place + 1)
        drops = token.text == "DROP" and token.kind == "word"
        dropping = drops or (dropping and token.text not in {"ADD", "ALTER", "MODIFY"})
        if dropping and token.text == "," and after == "COLUMN":
            return True
        if drops and after and after not in _KEPT:
            return True
    return False


def _overwrites_column(order: Order) -> bool:
    """Return whether `ALTER COLUMN a TYPE int USING 0` looks at no column for the new value."""
    place = next((at for at, token in enumerate(order.tokens) if token.text == "USING"), 0)
    if not place or not order.has("TYPE"):
        return False
    ends = (at for at in range(place, len(order.tokens)) if order.word(at) in {",", "END"})
    return not any(_is_column(order, at) for at in range(place + 1, next(ends, len(order.tokens))))


def _is_column(order: Order, place: int) -> bool:
    token = order.tokens[place]
    named = token.kind in {"word", "name"} or token.text[0] == '"'
    if not named or token.text.startswith("::") or token.text in _CONSTANTS:
        return False
    return order.word(place + 1) != "(" and order.word(place - 1) not in {"::", "AS"}


_CONSTANTS = frozenset({"NULL", "TRUE", "FALSE", "DEFAULT"})

_address = re2.compile(rf"(?i)^(?:{pattern('patterns/sql:rules.addresses')})")
_runs = re2.compile("(?i)" + pattern("patterns/sql:rules.runnable"))
_own = re2.compile(r"^(?:/(?:etc|root|proc|boot)/|(?i:[a-z]:[\\/]+windows[\\/]))")


def has_address(order: Order) -> bool:
    """Return whether a bucket, a host or a network share is named as a value of its own."""
    quoted_names = (token.text[1:-1] for token in order.tokens if token.kind == "name")
    return _any(_address, (*order.strings(), *quoted_names))


def _any(pattern: Any, texts: Iterable[str]) -> bool:
    return any(pattern.search(text) for text in texts)


def _runnable_file(order: Order) -> bool:
    return any(map(is_runnable, order.strings()))


def is_runnable(file: str) -> bool:
    """Return whether a file has a name that somebody else would run or believe."""
    return _runs.search(file.removeprefix("file:").partition("?")[0]) is not None


def _machine_file(order: Order) -> bool:
    """Return whether a file is named that is a secret, or one of the machine's own and no data."""
    return any(is_secret(one) or _own.search(one) for one in order.strings())


def _nowhere(order: Order) -> bool:
    return any(one.lower().rstrip(":") in {"nul", "/dev/null"} for one in order.strings())


TEXTS: Mapping[str, Callable[[Order], bool]] = {
    "address": has_address,
    "runnable-file": _runnable_file,
    "machine-file": _machine_file,
    "nowhere": _nowhere,
}
"""What `text` in a rule may ask of an order's strings."""
