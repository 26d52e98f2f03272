"""What a JSON payload says about size: its texts, counts, amounts, shares, and whom it selects."""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from itertools import islice
from typing import Any

import msgspec

from holdpoint.core.risk.calls.amounts import summed
from holdpoint.core.risk.calls.coins import traded_in
from holdpoint.core.risk.calls.leaf import MAX_VALUES, Leaf, strings, walk, words_of
from holdpoint.core.risk.calls.many import LISTS, MAX_COUNT, between, count_in, listed
from holdpoint.core.risk.calls.names import tool_name
from holdpoint.core.risk.calls.paying import told_to_pay
from holdpoint.core.risk.calls.portions import shares_in
from holdpoint.core.risk.calls.units import paid_by
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.money import Money
from holdpoint.core.risk.wording import VERBS, Form, Kind, plural
from holdpoint.messages.base import JsonObject

_COUNTS = word_set(
    "affected count num_records quantity qty shares records total_count expected matched "
    "rows_affected affected_rows row_count record_count total_records"
)
_BOUNDS = word_set(
    "limit max_results num_results batch_size rows num_rows page_size pagesize per_page batch top "
    "estimated_rows max_rows"
)
"""How many there may be at most: a measure of what is touched only where something is changed."""

_THINGS = word_set(
    "people users customers subscribers members contacts employees guests students patients "
    "tenants accounts followers clients vendors suppliers contractors staff attendees leads "
    "records rows items entries documents files messages emails orders invoices tickets contracts "
    "policies subscriptions licenses licences devices hosts servers instances nodes machines vms "
    "volumes snapshots backups buckets repos repositories objects keys certificates domains "
    "numbers listings products skus shipments parcels payments transactions claims pairs matches "
    "eligible headcount population enrolled pupils learners residents citizens recipients parents"
)
"""What is touched when a call that acts names a number of it; steps and pages are only measured."""

_BARE = word_set("n num")
"""Keys of a number where the tool's name says of what: `create_users {"n": 500}`."""

_MANY = word_set("count counts num number total size")
_PEOPLE = word_set(
    "recipient recipients user users customer customers subscriber subscribers member members "
    "contact contacts people employee employees guest guests audience"
)
_GONE = frozenset(
    word for word, verb in VERBS.items() if verb.form is Form.PAST and verb.kind is Kind.DELETE
)
_COUNTING = (
    frozenset(word for key in _COUNTS | _BOUNDS for word in key.split("_"))
    | frozenset({"pagesize", "qty", "desired"} | LISTS)
    | _THINGS
    | _MANY
    | _GONE
    | _BARE
)
"""Words of which a key has one where its value says how many."""

_ID_ENDS = ("_ids", "_id", "ids")

_SELECTORS = word_set(
    "filter filters where query match selector condition conditions criteria predicate search "
    "selector"
)
_EVERYTHING = frozenset(
    {"*", "**", "%", ".*", "all", "any", "everyone", "everybody", "everything", "@all"}
)
_AUDIENCES = word_set(
    "recipients recipient to audience channel group groups users user ids id target targets "
    "scope select selection members items accounts list segment who range namespace amount "
    "population cohort sites stores shops branches regions employees staff customers subscribers "
    "tenants projects environments clusters hosts nodes devices contacts variants employee "
    "customer subscriber member tenant device host node store site attendees invitees participants "
    "guests team teams audiences cc bcc services students pupils learners patients "
    "products warehouses prices classes courses listings assets segments enrollments enrolments "
    "product item sku listing catalog catalogue"
)
_STARS = frozenset({"*", "**", "%", ".*", "*:*", "*.*", "#*", "@*", "/*", "^.*$", ".+"})
_STATES = word_set("status state")
_ALWAYS_TRUE = frozenset({"1=1", "1 = 1", "true", "where 1=1", "'1'='1'", "1"})
_HARMLESS = word_set(
    "fields columns select attributes projection returning include origin origins cors accept host "
    "bind events event scopes scope format version language cron schedule minute hour day month "
    "weekday branch branches etag match methods headers encoding q keyword keywords search pattern "
    "principal"
)
"""Keys whose star chooses what is shown or who may ask, and takes nothing."""

_ALL_FLAGS = frozenset({"all", "select_all", "match_all", "apply_to_all", "everyone", "delete_all"})


class Tally(msgspec.Struct, frozen=True, kw_only=True):
    """How many things a payload names, and what they are."""

    records: int
    noun: str = ""
    bound: bool = False
    """Whether it only says how many there may be at most."""


class Payload(msgspec.Struct, frozen=True, kw_only=True):
    """A payload, read."""

    text: str
    """Every string in it, one on each line, in order."""

    leaves: tuple[Leaf, ...] = ()
    objects: tuple[Mapping[str, Any], ...] = ()
    tallies: tuple[Tally, ...] = ()
    amounts: tuple[Money, ...] = ()
    """An empty currency: none was named."""

    percents: tuple[Decimal, ...] = ()
    everything: str = ""
    """The argument that selects everything there is, as a person would write it; else empty."""

    whole: bool = True
    """False when it was too large to be walked."""


def payload(arguments: JsonObject, tool: str = "") -> Payload:
    """Walk it once; nesting costs no stack. The name of the tool may say which coins it pays in."""
    walked = walk(arguments)
    leaves = walked.leaves
    paid = msgspec.structs.replace(paid_by(tool, arguments), traded=traded_in(arguments))
    amounts, more = summed(leaves, paid)
    amounts = (*amounts, *told_to_pay(tool, walked.objects, amounts, paid))
    return Payload(
        text="\n".join(strings(leaves)),
        leaves=leaves,
        objects=walked.objects,
        tallies=(*map(_of_list, walked.lists), *_counted(leaves, tool), *_spanned(walked.objects)),
        amounts=amounts,
        percents=tuple(shares_in(leaves, words_of(tool))),
        everything=next(_selecting(leaves, walked.objects), ""),
        whole=walked.whole and not more,
    )


def _of_list(found: tuple[str, tuple[Any, ...]]) -> Tally:
    key, listed = found
    return Tally(records=len(listed), noun=_things(key))


def _things(key: str) -> str:
    """`user_ids` -> `users`: what a list under this key holds."""
    name = key.lower()
    end = next((end for end in _ID_ENDS if name.endswith(end)), "")
    bare = name.removesuffix(end).strip("_")
    if not bare or words_of(bare)[-1:] in _NO_THINGS:
        return ""
    return "recipients" if words_of(bare)[-1:] in _HEARERS else plural(bare)


_HEARERS = (("to",), ("cc",), ("bcc",))
_NO_THINGS = tuple(
    (one,) for one in ("with", "by", "for", "in", "on", "of", "from", "at", "all", "as")
)


def _counted(leaves: tuple[Leaf, ...], tool: str) -> Iterator[Tally]:
    name = tool_name(tool)
    does = name.verb is not None and not name.reads
    of_things = does and not _THINGS.isdisjoint(name.words[-1:])
    for leaf in leaves:
        if leaf.value is None or _COUNTING.isdisjoint(words_of(leaf.key)):
            continue
        bound = leaf.key.lower() in _BOUNDS
        counts = bound or _counts(leaf) or (of_things and leaf.key in _BARE)
        size = count_in(leaf.value) if counts else None
        if size is not None:
            yield Tally(records=int(size), bound=bound)
        elif isinstance(leaf.value, str) and (many := listed(leaf.key, leaf.value)) > 1:
            yield Tally(records=many, noun=_things(leaf.key))


def _spanned(objects: tuple[Mapping[str, Any], ...]) -> Iterator[Tally]:
    return (Tally(records=many) for one in objects if (many := between(one)))


def _counts(leaf: Leaf) -> bool:
    """`count`, `recipient_count`, `num_users`, and the size of an audience."""
    if leaf.key.lower() in _COUNTS:
        return True
    words = words_of(leaf.key)
    if words[-1:] in (("quantity",), ("qty",)):
        return True
    if _is_number_of(words) and type(leaf.value) is int:
        return True
    if _MANY.isdisjoint(words) or words[-1] in {"number", "num"}:
        return False
    if words == ("size",):
        above = words_of(leaf.path.rpartition("/")[0].rpartition("/")[2])
        return bool(above) and above[-1] in _PEOPLE | _AUDIENCES
    return len(words) > 1 and not _PEOPLE.isdisjoint(words)


def _is_number_of(words: tuple[str, ...]) -> bool:
    """`members: 900`, `desired`, `rows_removed`; `max_users` is a limit."""
    if not words or words[0] in {"max", "min", "limit"}:
        return False
    gone = len(words) > 1 and words[-1] in _GONE
    return gone or words[-1] in _THINGS or words[0] == "desired"


def _selecting(leaves: tuple[Leaf, ...], objects: tuple[Mapping[str, Any], ...]) -> Iterator[str]:
    """`ids: "*"`, `filter: {}`, `where: "1=1"`, `match_all: true`, `items: {"*": …}`."""
    for leaf in leaves:
        if isinstance(leaf.value, str):
            if len(leaf.value) > MAX_COUNT or not _may_be_all(leaf.value):
                continue
            if _selects_all(leaf, leaf.value.strip().lower()):
                yield f"{leaf.key}: {leaf.value.strip().lower() or 'nothing'}"
        elif leaf.value is True and leaf.key.lower() in _ALL_FLAGS:
            yield f"{leaf.key}: true"
    yield from _empty_selectors(objects)


def _may_be_all(text: str) -> bool:
    """Whether it begins or ends as one that selects everything does."""
    return not text or text[0] in _FIRST or text[0].isspace() or text[-4:].lower() == "/all"


_FIRST = frozenset({said[0] for said in _EVERYTHING | _STARS | _ALWAYS_TRUE})
_FIRST |= {letter.upper() for letter in _FIRST}


def _selects_all(leaf: Leaf, said: str) -> bool:
    words = words_of(leaf.key)
    last = words[-1] if words else ""
    if last in _SELECTORS and (not said or said in _ALWAYS_TRUE):
        return True
    if said in _STARS:
        return not last or last not in _HARMLESS
    if last in _STATES:
        return said in _EVERYTHING
    if last in _SELECTORS or last in _AUDIENCES:
        return _is_all(said)
    return said in _EVERYTHING and _above(leaf.path) in _AUDIENCES


def _above(path: str) -> str:
    words = words_of(path.rpartition("/")[0].rpartition("/")[2])
    return words[-1] if words else ""


def _is_all(said: str) -> bool:
    """`*`, `all`, `all_subscribers`."""
    if said.endswith("/all") or said.startswith(("everyone@", "all@")):
        return True
    return said in _EVERYTHING or said[:4] in {"all_", "all-", "all "} or said[:6] == "entire"


def _empty_selectors(objects: tuple[Mapping[str, Any], ...]) -> Iterator[str]:
    writes = any(not _WRITTEN.isdisjoint(one) for one in objects)
    for one in objects:
        if isinstance(one.get("*"), Mapping):
            yield "*"
        for key, value in islice(one.items(), MAX_VALUES):
            if value or not isinstance(value, dict | list):
                continue
            words = words_of(str(key))
            if words and words[-1] in _SELECTORS and (writes or key != "$match"):
                yield f"{key}: nothing"


_WRITTEN = frozenset({"$out", "$merge"})
"""Stages of a pipeline that write; without one of them `$match` only chooses what is shown."""
