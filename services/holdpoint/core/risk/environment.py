"""Where an action lands: targets against the policy's globs. What is not listed is production.

Only configuration makes something a sandbox: every target must be listed as one, and none as
production. An agent's own word can only add targets, so it can only raise.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import chain, islice
from typing import Any, TypeVar
from urllib.parse import urlsplit

import msgspec
import re2

from holdpoint.core.risk.context import Context
from holdpoint.core.risk.extract.embedded import opened
from holdpoint.core.risk.extract.payload import Leaf, flagged, knows, walk, words_of
from holdpoint.core.risk.knowledge import by_word
from holdpoint.core.risk.model import Finding
from holdpoint.core.risk.words import word_set
from holdpoint.core.text import whole_characters
from holdpoint.messages.action import Action
from holdpoint.messages.base import JsonObject
from holdpoint.messages.catalog import Tool
from holdpoint.messages.policy import EnvironmentRule, Policy
from holdpoint.messages.risk import Environment, Heuristic, RiskLevel, Signal

T = TypeVar("T", Finding, Signal)
_KEYS = by_word("words/actions:environment.keys")

MAX_NAMED = 500
"""Arguments that are looked at for targets: no tool has more."""

MAX_TOGETHER = 8_192
"""Characters of an expression that looks for every target of the rules."""

_odd_in_url = re2.compile(r"[\\\s\pC]")
"""Programs differ about which host such a URL names."""

_port = re2.compile(r"(host:[\w.-]+):\d{1,5}")
_LIVE = frozenset({"prod", "production", "live"})


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """Where something happens."""

    environment: Environment
    stated: bool
    """Whether somebody said production, rather than nobody said otherwise."""

    target: str = ""
    """The first target, without its kind."""

    known: bool = False
    """Whether what makes it a sandbox is known to be used: the worker or the gate found it, or
    the tool's own schema declares the argument."""


def place(
    arguments: JsonObject,
    context: Context,
    rules: tuple[EnvironmentRule, ...],
    objects: tuple[Mapping[str, Any], ...] = (),
) -> Place:
    """Judge every target that is known; `objects`: all that a walk of the arguments found."""
    found = tuple(_targets(arguments, context))
    judged = [_judged(target, rules) for target in found]
    stated = context.facts.get("production") is True or Environment.PRODUCTION in judged
    wrapped = () if len(objects) == 1 else _wrapped(arguments)
    inside = (one for one in wrapped if _judged(one, rules) is Environment.PRODUCTION)
    deeper = "" if stated else next(inside, "")
    stated = stated or bool(deeper)
    if not found:
        target = deeper.partition(":")[2]
        return Place(environment=Environment.PRODUCTION, stated=stated, target=target)
    declared = _declared(arguments, context)
    used = found if stated or declared is None else tuple(_targets(declared, context))
    sandbox = bool(used) and not stated and None not in judged
    sandbox = sandbox and _is_all(arguments, rules) and _is_all(context.facts, rules)
    return Place(
        environment=Environment.SANDBOX if sandbox else Environment.PRODUCTION,
        stated=stated,
        target=(deeper or next(iter(used), "")).partition(":")[2],
        known=sandbox and _is_known(found, declared or {}, context),
    )


def _declared(arguments: JsonObject, context: Context) -> JsonObject | None:
    """The arguments that the tool declares; None where it declares none. Others it may ignore."""
    schema = context.tool.schema.get("properties") if context.tool else None
    if not isinstance(schema, dict) or not schema:
        return None
    return {key: value for key, value in arguments.items() if key in schema}


def _is_known(found: tuple[str, ...], declared: JsonObject, context: Context) -> bool:
    """Return whether it acts on the sandbox; a container is one only for what is done to it."""
    if all(target.startswith("container:") for target in found):
        name = words_of(context.tool.name) if context.tool else ()
        if _CONTAINERS.isdisjoint(name) or not _ABOUT_CONTAINERS.issuperset(name):
            return False
    return next(_targets(declared, context), None) is not None


_CONTAINERS = word_set("container containers")
_ABOUT_CONTAINERS = _CONTAINERS | word_set("docker podman remove delete stop kill restart rm")


def milder(findings: Iterable[Finding], policy: Policy) -> Iterator[Finding]:
    """Findings without those that take only build products; one level less in a sandbox."""
    for finding in findings:
        named = finding.targets
        if named and all(is_made_again(one, policy.build_products) for one in named):
            continue
        inside = named and all(
            _judged(one, policy.environments) is Environment.SANDBOX for one in named
        )
        yield lessened(finding) if inside else finding


def sandbox_of(findings: tuple[Finding, ...], policy: Policy) -> str:
    """Return the targets of a command of which all lie in a sandbox; empty where one may not."""
    findings = tuple(one for one in findings if one.level > RiskLevel.LOW)
    targets = dict.fromkeys(chain.from_iterable(finding.targets for finding in findings))
    sure = targets and all(finding.targets for finding in findings)
    inside = sure and all(
        _judged(one, policy.environments) is Environment.SANDBOX for one in targets
    )
    return ", ".join(one.partition(":")[2] for one in targets) if inside else ""


def lessened(finding: T) -> T:
    """Lower what cannot be undone by one level in a configured sandbox."""
    if finding.heuristic is not Heuristic.IRREVERSIBILITY:
        return finding
    return msgspec.structs.replace(finding, level=finding.level.lowered())


def is_made_again(target: str, products: tuple[str, ...]) -> bool:
    """Return whether a build product is named itself, or all that it holds (`dist/`, `dist/*`).

    What else stands below it may lie behind a link.
    """
    kind, _, name = target.partition(":")
    name = name.removesuffix("*") if name.endswith("/*") else name
    last = name.removesuffix("/").rpartition("/")[2]
    return kind == "path" and all(is_build_product(one, products) for one in (name, last))


def _targets(arguments: JsonObject, context: Context) -> Iterator[str]:
    if context.plan:
        yield from context.plan.environment_keys
    yield from _named(arguments)
    yield from context.environment_keys
    yield from _named(context.facts)


def _named(values: Mapping[str, Any]) -> Iterator[str]:
    if _KEYS.keys().isdisjoint(map(str.lower, islice(values, MAX_NAMED))):
        return
    for key, value in islice(values.items(), MAX_NAMED):
        kind = _KEYS.get(key.lower())
        if kind and isinstance(value, str) and value:
            yield f"{kind}:{value}"


def _wrapped(arguments: Mapping[str, Any]) -> Iterator[str]:
    """Targets in the one object that holds the arguments, as a text of JSON too.

    They can only say that it is production.
    """
    held = arguments
    for _ in range(MAX_WRAPS):
        objects = [one for one in map(_object, islice(held.values(), MAX_NAMED)) if one]
        if len(objects) != 1:
            return
        held = objects[0]
        yield from _named(held)


MAX_WRAPS = 8


def _object(value: Any) -> Mapping[str, Any] | None:
    """The object that a value is, or a text of it, or a list of nothing else."""
    found = opened(value)
    alone = found[0] if isinstance(found, list) and len(found) == 1 else found
    return alone if isinstance(alone, Mapping) else None


def _is_all(values: JsonObject, rules: tuple[EnvironmentRule, ...]) -> bool:
    """Return whether also what stands deeper, in lists or as numbers lies in a sandbox.

    It never makes one by itself, and is no sandbox where there is too much to walk.
    """
    found = walk(values)
    return found.whole and all(
        _judged(f"{kind}:{leaf.value}", rules) is Environment.SANDBOX
        for leaf in found.leaves
        if leaf.value not in (None, "")
        and (kind := next(filter(None, map(_KEYS.get, reversed(leaf.path.lower().split("/")))), ""))
    )


def _judged(target: str, rules: tuple[EnvironmentRule, ...]) -> Environment | None:
    """Return what the rules say about one target; production beats sandbox, None when unlisted."""
    names = _names(target)
    listed = _any_of(tuple(rule.match for rule in rules))
    said = {
        rule.environment
        for rule in (rules if any(map(listed, names)) else ())
        if any(map(glob(rule.match), names))
    }
    kind, _, value = target.casefold().partition(":")
    if Environment.PRODUCTION in said or (kind == "env" and value in _LIVE):
        return Environment.PRODUCTION
    is_live = kind == "url" and not _LIVE.isdisjoint(_url_words.findall(value))
    return Environment.SANDBOX if said and not is_live and not _climbs(target) else None


_url_words = re.compile("[a-z]+")
"""A proxy on this machine leads elsewhere: `http://localhost:8001/api/v1/namespaces/prod`."""


def _names(target: str) -> tuple[str, ...]:
    """A URL goes by its host as well, a host with a port by its name."""
    folded = whole_characters(target).casefold()
    if port := _port.fullmatch(folded):
        return (folded, port[1])
    if not folded.startswith("url:") or _odd_in_url.search(folded):
        return (folded,)
    try:
        host = urlsplit(folded.removeprefix("url:")).hostname
    except ValueError:
        return (folded,)
    return (folded, f"host:{host}") if host else (folded,)


def _climbs(target: str) -> bool:
    """`/scratch/../etc` is not in scratch, nor is `/scratch/%2e%2e/etc`."""
    target = target.casefold().replace("%2e", ".").replace("%2f", "/").replace("%5c", "/")
    return ".." in target.replace("\\", "/").split(":", 1)[-1].split("/")


@lru_cache(maxsize=1024)
def glob(pattern: str) -> Any:
    """A matcher for `*` and `?`: `*` crosses slashes, case does not count."""
    return re2.compile(f"(?s){_as_regex(pattern)}").fullmatch


@lru_cache(maxsize=64)
def _any_of(patterns: tuple[str, ...]) -> Any:
    """A first look for all of them at once, where there are not too many for one expression."""
    every = "|".join(f"(?:{_as_regex(one)})" for one in patterns)
    return re2.compile(f"(?s){every}").fullmatch if len(every) <= MAX_TOGETHER else bool


def _as_regex(pattern: str) -> str:
    parts = ({"*": ".*", "?": "."}.get(char) or re2.escape(char) for char in pattern.casefold())
    return "".join(parts)


MAX_PATH = 300
ANYWHERE = "**/"
"""How an entry of the list begins that counts at any depth: `**/node_modules`."""

_plain = re.compile(r"(?:\./)?[\w.@+*-]+(?:/[\w.@+*-]+)*/?", re.ASCII)
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
    if depth is None or "*" in "".join(parts[:depth]):
        return False
    if "*" in parts[depth] and parts[depth] != _ending(parts[depth]):
        return False
    return depth == len(parts) - 1 or not path.endswith("/")  # a link is followed behind a slash


def names_build_product(path: str, products: tuple[str, ...]) -> bool:
    """Return whether any folder of a path is a build product, or it is one itself."""
    parts = path.removeprefix("./").split("/")
    return any(_is_listed(part, at, products) for at, part in enumerate(parts))


def _is_listed(part: str, depth: int, products: tuple[str, ...]) -> bool:
    return any(
        f"{ANYWHERE}{name}" in products or (depth == 0 and name in products)
        for name in (part, _ending(part))
    )


def _ending(part: str) -> str:
    """Return how the list names everything with this ending: `*.egg-info`."""
    name, dot, ending = part.rpartition(".")
    return f"*.{ending}" if name and dot else part


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
