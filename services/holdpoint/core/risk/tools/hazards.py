"""Tools whose target makes them dangerous: production, plants, bodies, buttons, disks."""

import re
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from holdpoint.core.risk.excerpt import beginning
from holdpoint.core.risk.extract.embedded import opened
from holdpoint.core.risk.extract.payload import Leaf, words_of
from holdpoint.core.risk.knowledge import entry, words
from holdpoint.core.risk.lexicon import word_set

_GIVES = word_set("dispense administer inject infuse")
_DRUGS = word_set("drug drugs medication medicine medicines dose substance insulin opioid")
_CUTS = word_set("partition repartition")
_DISKS = word_set("disk device drive")
_CALLS = word_set("call phone dial telephone")
_NO_CALLS = word_set("api function tool method procedure log list")
_NUMBERS = word_set("number phone to telephone tel callee")
_EMERGENCY = frozenset({"911", "112", "999", "000", "110", "119", "995", "997", "998"})
_SKIPS = word_set("skip bypass ignore without no")
_CHECKS = word_set("test tests check checks review reviews ci approval approvals")
_ROLLS = word_set("deploy release publish merge push ship promote")
_FORCED = word_set("force merge")
_SIGNS = word_set("sign countersign esign cosign")
_BINDING = words("words/tools:upon.binding")
_DOCUMENTS = word_set("document doc file contract agreement envelope deed lease nda title")
_STOPS = word_set("shutdown poweroff halt")
_ASKS = word_set("check status test plan log report reminder history handler hook")
"""Beside these a stop is only asked about."""

_MACHINES = word_set("host hosts hostname server servers machine node nodes")
_TRIED = words("words/tools:upon.tried")
_SUMMONS = word_set("dispatch call summon request send")
_HELPERS = word_set("ambulance police firefighters paramedics swat")
_ISSUES = word_set("publish release")
_REGISTRIES = word_set("npm pypi crates rubygems nuget maven packagist dockerhub hex")
_INDEX = word_set("index indices segments elasticsearch opensearch lucene shard")


def done_upon(named: frozenset[str], leaves: tuple[Leaf, ...]) -> Iterator[str]:
    """Why it is hard to undo; `named`: the words of the tool's name."""
    if UPON.isdisjoint(named):
        return
    if named >= _FORCED and _INDEX.isdisjoint(named) and not _has(_INDEX, leaves):
        yield "takes in what nobody agreed to"
    if not (_SKIPS.isdisjoint(named) or _CHECKS.isdisjoint(named)) and _rolls(named, leaves):
        yield "lets out what nobody has looked at"
    if not _GIVES.isdisjoint(named) and _has(_DRUGS, leaves):
        yield "is something that somebody will take"
    if not _CUTS.isdisjoint(named) and (_DISKS & named or _has(_DISKS, leaves)):
        yield "loses what is there now"
    if not _CALLS.isdisjoint(named) and _NO_CALLS.isdisjoint(named) and any(map(_helps, leaves)):
        yield "calls those who come at once"

    yield from _by_thing(named, leaves)


def _by_thing(named: frozenset[str], leaves: tuple[Leaf, ...]) -> Iterator[str]:
    """A contract that is signed, a server that is shut down, a package that everybody gets."""
    if not _SIGNS.isdisjoint(named) and _names(_DOCUMENTS, _BINDING, leaves):
        yield "binds somebody"
    if not _STOPS.isdisjoint(named) and _ASKS.isdisjoint(named) and any(map(_is_server, leaves)):
        yield "stops what others may be working on"
    if not _SUMMONS.isdisjoint(named) and not _HELPERS.isdisjoint(named):
        yield "calls those who come at once"
    if not _MOVES.isdisjoint(named) and any(map(_is_nowhere, leaves)):
        yield "loses it: nothing is kept where it goes"
    if not _SETS_OFF.isdisjoint(named) and any(map(_is_armed, leaves)):
        yield "cannot be called back"
    if not _ISSUES.isdisjoint(named) and _names(_REGISTRY, _REGISTRIES, leaves):
        yield "reaches everybody who uses it"
    yield from _in_earnest(named, leaves)


def _in_earnest(named: frozenset[str], leaves: tuple[Leaf, ...]) -> Iterator[str]:
    """A filing that is final, a valve of a plant that runs."""
    if not _FILES_IN.isdisjoint(named) and not _FILINGS.isdisjoint(named) and _is_final(leaves):
        yield "is held to what it says"
    if not _VALVES.isdisjoint(named) and any(map(_is_live_plant, leaves)):
        yield "moves what flows in a plant that runs"


_REGISTRY = word_set("registry repository index target destination to")
_MOVES = word_set("move mv rename relocate")
_WHITHER = word_set("dst dest destination to target new path")
_NOWHERE = frozenset({"/dev/null", "nul", "/dev/zero", "\\\\.\\nul"})
_SETS_OFF = word_set("launch fire deploy arm")
UPON = _GIVES | _CUTS | _CALLS | _SKIPS | _SIGNS | _STOPS | _HELPERS | _ISSUES | {"force"}
_FILES_IN = word_set("submit file lodge")
_FILINGS = word_set("filing filings return returns tax declaration petition")
_VALVES = word_set("valve valves pump pumps breaker breakers sluice damper compressor turbine")
UPON |= _MOVES | _SETS_OFF | _FILES_IN | _VALVES


def _is_final(leaves: tuple[Leaf, ...]) -> bool:
    return any(leaf.value is True and leaf.words[-1:] == ("final",) for leaf in leaves)


def _is_live_plant(leaf: Leaf) -> bool:
    """`plant: live`, `environment: production`."""
    if not isinstance(leaf.value, str) or _SITES.isdisjoint(leaf.words):
        return False
    return leaf.value.strip().lower() in _LIVE


_SITES = word_set("plant site environment env mode system loop")
_LIVE = word_set("live production prod")


def _is_nowhere(leaf: Leaf) -> bool:
    """`{"dst": "/dev/null"}`."""
    if not isinstance(leaf.value, str) or _WHITHER.isdisjoint(leaf.words):
        return False
    return leaf.value.strip().lower() in _NOWHERE


def _is_armed(leaf: Leaf) -> bool:
    """`armed: true`, `live_fire: true`."""
    return leaf.value is True and leaf.words in _ARMED


_ARMED = (("armed",), ("weapon", "armed"), ("live", "fire"), ("warhead",), ("weapons", "free"))


def _rolls(named: frozenset[str], leaves: tuple[Leaf, ...]) -> bool:
    if not _ROLLS.isdisjoint(named):
        return True
    return any(leaf.value is True and not _ROLLS.isdisjoint(leaf.words) for leaf in leaves)


def _names(keys: frozenset[str], things: frozenset[str], leaves: tuple[Leaf, ...]) -> bool:
    """Whether an argument of these says one of these things."""
    return any(
        isinstance(leaf.value, str)
        and not keys.isdisjoint(leaf.words)
        and not things.isdisjoint((*leaf.words, *words_of(leaf.value)))
        for leaf in leaves
    )


def _is_server(leaf: Leaf) -> bool:
    """Whether it names a machine, and not one to try things on."""
    if not isinstance(leaf.value, str) or _MACHINES.isdisjoint(leaf.words):
        return False
    return _TRIED.isdisjoint(words_of(leaf.value))


def _has(things: frozenset[str], leaves: tuple[Leaf, ...]) -> bool:
    return any(isinstance(leaf.value, str) and not things.isdisjoint(leaf.words) for leaf in leaves)


def _helps(leaf: Leaf) -> bool:
    """Whether it is the number of an emergency service, with a country's code or without one."""
    if not isinstance(leaf.value, str | int) or _NUMBERS.isdisjoint(leaf.words):
        return False
    digits = [part for part in str(leaf.value).replace("-", " ").split() if part.strip("+")]
    return digits[-1:] != [] and digits[-1] in _EMERGENCY and len(digits) <= 2  # noqa: PLR2004  # `+1 911`


ACTS = words("words/tools:plants.acts")
"""Words of a name without one of which nothing is moved."""

_PLANTS = words("words/tools:plants.plants")
_BODIES = words("words/tools:plants.bodies")
_KEYS = words("words/tools:plants.keys")
_TALKS = words("words/tools:plants.talks")

MAX_SAID = 60


def moved(named: frozenset[str], leaves: tuple[Leaf, ...]) -> Iterator[str]:
    """What it acts on, as a reason; `named`: the words of the tool's name."""
    if not _TALKS.isdisjoint(named):
        return
    said = (word for leaf in leaves if _says_what(leaf) for word in words_of(leaf.value))
    things = frozenset(chain(named, said))
    if not _BODIES.isdisjoint(things):
        yield "acts on somebody's body"
    if not _PLANTS.isdisjoint(things):
        yield "acts on a plant that people stand beside"


def _says_what(leaf: Leaf) -> bool:
    value = leaf.value
    if not isinstance(value, str) or len(value) > MAX_SAID:
        return False
    return not _KEYS.isdisjoint(leaf.words)


SERVING_MAX_SAID = 253
"""Characters of a value that names a place: no name of a host has more."""

MAX_SHOWN = 24

DISTURBS = words("words/tools:serving.disturbs")
_PROVISIONS = word_set("terraform tofu pulumi terragrunt cloudformation changeset infrastructure")
_APPLIES = word_set("apply up execute run")
"""What is done to a plan of machines when it is carried out."""

_SERVING_TALKS = words("words/tools:serving.talks")

_BY_ITSELF = DISTURBS - _PROVISIONS
_SERVING_LIVE = word_set("prod production prd")
_STAGE = _SERVING_LIVE | {"live"}
_OTHERS = words("words/tools:serving.others")

_NAMES = words("words/tools:serving.names")
_STAGES = words("words/tools:serving.stages")
_WHERE = _NAMES | _STAGES | word_set("target targets")
_SERVING_WHITHER = (("to",), ("destination",), ("dest",), ("into",))
"""Keys under which something else than a place may stand as well."""


def disturbed(named: frozenset[str], leaves: tuple[Leaf, ...]) -> Iterator[str]:
    """What it does to production, as a reason; `named`: the words of the tool's name."""
    if _BY_ITSELF.isdisjoint(named) and not _is_applied(named):
        return
    if not _SERVING_TALKS.isdisjoint(named):
        return
    if not _SERVING_LIVE.isdisjoint(named) and _OTHERS.isdisjoint(named):
        yield "does it to production"
    for leaf in leaves:
        if _is_live(leaf):
            yield f"does it to “{beginning(leaf.value.strip(), MAX_SHOWN)}”, which is production"


ALTERS = words("words/tools:serving.alters")
_SERVING_MACHINES = words("words/tools:serving.machines")
_CHOSEN = words("words/tools:serving.chosen")


def altered(named: frozenset[str], leaves: tuple[Leaf, ...]) -> Iterator[str]:
    """What it changes on a machine of production; `named`: the words of the tool's name."""
    if not (_SERVING_TALKS | _CHOSEN).isdisjoint(named):
        return
    for leaf in leaves:
        if not _SERVING_MACHINES.isdisjoint(leaf.words) and _is_live(leaf):
            yield f"changes “{beginning(leaf.value.strip(), MAX_SHOWN)}”, which is production"


def _is_applied(named: frozenset[str]) -> bool:
    """`apply_terraform`; a plan of it changes nothing."""
    return not (_PROVISIONS.isdisjoint(named) or _APPLIES.isdisjoint(named))


def _is_live(leaf: Leaf) -> bool:
    value = leaf.value
    if not isinstance(value, str) or len(value) > SERVING_MAX_SAID:
        return False
    where = leaf.words
    if where in _SERVING_WHITHER:
        return value.strip().lower() in _STAGE
    if _WHERE.isdisjoint(where):
        return False
    said = words_of(value)
    if not _OTHERS.isdisjoint(said) or _is_something_else(value.strip(), where):
        return False
    return not _SERVING_LIVE.isdisjoint(said) or (
        said == ("live",) and not _STAGES.isdisjoint(where)
    )


def _is_something_else(value: str, where: tuple[str, ...]) -> bool:
    """A title with blanks in it, or the path of a file."""
    if " " in value:
        return _STAGES.isdisjoint(where)
    return "/" in value and "://" not in value and "." in value.rpartition("/")[2]


PRESSED_MAX_SAID = 80
"""Characters of a button's name, or of what selects it."""

MAX_WORDS = 8
MAX_BETWEEN = 2
"""Words between a deed and its thing: `Delete my account`."""


_PRESSES = word_set("click tap press dblclick doubleclick clicks")
_FILLS = word_set("type fill input")
PRESSES = (
    _PRESSES
    | _FILLS
    | word_set("browser page computer playwright puppeteer selenium ui web gui mouse")
)
"""Words of a name without which nothing is pressed."""

_BUTTONS = words("words/tools:pressed.buttons")
_TELLS = words("words/tools:pressed.tells")

_DEEDS: tuple[tuple[frozenset[str], frozenset[str]], ...] = tuple(
    (word_set(row["verbs"]), word_set(row["things"])) for row in entry("tools:button")
)
_ALONE = (("pay",), ("buy",))
_pays = re.compile(r"(?i)\bpay\s+(?:[$€£¥₹]|(?:USD|EUR|GBP|CHF)\s)\s*\d")


def pressed(named: frozenset[str], leaves: tuple[Leaf, ...]) -> Iterator[str]:
    """What the call does; `named`: the words of the tool's name."""
    if not _FILLS.isdisjoint(named):
        yield from _confirmed(leaves)
    if _PRESSES.isdisjoint(named) and not any(map(_is_press, leaves)):
        return
    for leaf in leaves:
        if _is_button(leaf) and _does(leaf.value):
            yield f"presses “{beginning(leaf.value.strip(), MAX_SHOWN)}”"


def _confirmed(leaves: tuple[Leaf, ...]) -> Iterator[str]:
    said = [leaf.value for leaf in leaves if isinstance(leaf.value, str)]
    if any("confirm" in one[:PRESSED_MAX_SAID].lower() for one in said):
        losses = (one.strip() for one in said if words_of(one[:PRESSED_MAX_SAID]) in _LOSSES)
        yield from (f"types “{one}”, which confirms it" for one in losses)


_LOSSES = tuple(
    (*front, verb)
    for verb in ("delete", "remove", "destroy", "erase", "terminate", "transfer", "wipe")
    for front in ((), ("permanently",), ("yes",))
)


def _is_press(leaf: Leaf) -> bool:
    return leaf.key == "action" and isinstance(leaf.value, str) and leaf.value in _PRESSES


def _is_button(leaf: Leaf) -> bool:
    if not isinstance(leaf.value, str) or len(leaf.value) > PRESSED_MAX_SAID:
        return False
    return not _BUTTONS.isdisjoint(leaf.words)


def _does(text: str) -> bool:
    words = words_of(text)
    if len(words) > MAX_WORDS or not _TELLS.isdisjoint(words):
        return False
    return words in _ALONE or bool(_pays.search(text)) or _orders(words)


def _orders(words: tuple[str, ...]) -> bool:
    """Whether a deed stands shortly before what it is done to."""
    return any(
        word in deeds and not things.isdisjoint(words[at + 1 : at + 2 + MAX_BETWEEN])
        for at, word in enumerate(words)
        for deeds, things in _DEEDS
    )


MAX_NAME = 60

_METHODS = ("method", "rpc_method", "rpcmethod", "command")
_PARAMS = ("params", "parameters", "args", "arguments", "param")
_PAYS = words("words/tools:rpc.pays")

_PAYS_TO = word_set("transfer send pay payment submit relay")
"""Those that also mean other things: only beside somebody who is paid."""

_WALLETS = words("words/tools:rpc.wallets")

_PAID = words("words/tools:rpc.paid")
_RPC_TRIED = ("testnet", "sepolia", "goerli", "holesky", "hoodi", "regtest", "devnet", "signet")
"""Chains whose coins are worth nothing: the address itself says which it is."""

_ADDRESSES = word_set("url uri endpoint host rpc_url rpcurl node network chain")


def paid_remotely(
    leaves: tuple[Leaf, ...], objects: tuple[Mapping[str, Any], ...]
) -> Iterator[str]:
    """The methods that pay."""
    found = [name for one in objects if (name := _method(one)) and _pays_of_rpc(name, one)]
    if found and not any(map(_is_trial, leaves)):
        yield from found


def _method(one: Mapping[str, Any]) -> str:
    """The name of a procedure that stands beside what it is called with."""
    if _given(one) is None:
        return ""
    said = (one[key] for key in _METHODS if key in one)
    return next((name for name in said if isinstance(name, str) and len(name) <= MAX_NAME), "")


def _given(one: Mapping[str, Any]) -> Any:
    return next((opened(one[key]) for key in _PARAMS if key in one), None)


def _pays_of_rpc(name: str, one: Mapping[str, Any]) -> bool:
    words = words_of(name)
    bare = "".join(words[1:] if words[:1] and words[0] in _WALLETS else words)
    if bare in _PAYS or "".join(words) in _PAYS:
        return True
    given = _given(one)
    known = given[0] if isinstance(given, list) and given else given
    return bare in _PAYS_TO and isinstance(known, Mapping) and _names_payee(known)


def _names_payee(given: Mapping[str, Any]) -> bool:
    return any("".join(words_of(str(key))) in _PAID for key in list(given)[:MAX_NAME])


def _is_trial(leaf: Leaf) -> bool:
    if leaf.key.lower() not in _ADDRESSES or not isinstance(leaf.value, str):
        return False
    host = leaf.value.partition("://")[2].partition("/")[0] or leaf.value[:MAX_NAME]
    return any(name in host.lower() for name in _RPC_TRIED)
