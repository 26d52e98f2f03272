"""Everything quantitative in a call's arguments: counts, sums, shares, selectors."""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

import msgspec

from holdpoint.core.risk.extract.amounts import summed
from holdpoint.core.risk.extract.counts import LISTS, between, count_in, listed, shares_in
from holdpoint.core.risk.extract.currencies import paid_by, traded_in
from holdpoint.core.risk.extract.money import Money
from holdpoint.core.risk.extract.payload import Leaf, key_above, strings, walk, words_of
from holdpoint.core.risk.extract.payments import told_to_pay
from holdpoint.core.risk.extract.selectors import AUDIENCES, THINGS, selecting
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.tools.command_lines import only_program
from holdpoint.core.risk.tools.names import tool_name
from holdpoint.core.risk.wording import VERBS, Form, Kind, plural
from holdpoint.core.risk.words import word_set
from holdpoint.messages.base import JsonObject

_COUNTS = words("words/actions:arguments.counts")
_BOUNDS = words("words/actions:arguments.bounds")

_BARE = word_set("n num")
"""Keys of a number where the tool's name says of what: `create_users {"n": 500}`."""

_MANY = word_set("count counts num number total size")
_PEOPLE = words("words/actions:arguments.people")
_GONE = frozenset(
    word for word, verb in VERBS.items() if verb.form is Form.PAST and verb.kind is Kind.DELETE
)
_PIECES = word_set("shares units contracts lots seats licenses licences tickets tokens coins")
_COUNTING = (
    frozenset(word for key in _COUNTS | _BOUNDS for word in key.split("_"))
    | frozenset({"pagesize", "qty", "desired"} | LISTS)
    | THINGS
    | _MANY
    | _PIECES
    | _GONE
    | _BARE
)
"""Words of which a key has one where its value says how many."""

_LIMITS = word_set("max min limit")
_ID_ENDS = ("_ids", "_id", "ids")


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

    program: bool = False
    """Whether it is one program, and the tool's name only says that it is run."""


def payload(arguments: JsonObject, tool: str = "") -> Payload:
    """Walk it once; nesting costs no stack. The name of the tool may say which coins it pays in."""
    walked = walk(arguments)
    leaves = walked.leaves
    if text := only_program(walked, tool):
        objects, whole = walked.objects, walked.whole
        return Payload(text=text, leaves=leaves, objects=objects, whole=whole, program=True)
    every = (*leaves, *walked.flags) if walked.flags else leaves
    paid = msgspec.structs.replace(paid_by(tool, arguments), traded=traded_in(arguments))
    amounts, more = summed(leaves, paid)
    amounts = (*amounts, *told_to_pay(tool, walked.objects, amounts, paid))
    return Payload(
        text="\n".join(strings(leaves)),
        leaves=every,
        objects=walked.objects,
        tallies=(
            *(Tally(records=length, noun=_things(key)) for key, length in walked.lists),
            *_counted(leaves, tool),
            *(Tally(records=many) for one in walked.objects if (many := between(one))),
        ),
        amounts=amounts,
        percents=tuple(shares_in(leaves, words_of(tool))),
        everything=next(selecting(every, walked.objects), ""),
        whole=walked.whole and not more,
    )


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
    of_things = does and not THINGS.isdisjoint(name.words[-1:])
    for leaf in leaves:
        if leaf.value is None or _COUNTING.isdisjoint(leaf.words):
            continue
        bound = leaf.key.lower() in _BOUNDS
        bare = leaf.key in _BARE and (of_things or not _GOODS.isdisjoint(leaf.siblings))
        bought = leaf.words[-1:] in _BOUGHT and not _BUYS.isdisjoint(name.words)
        counts = bound or bare or bought or _counts(leaf)
        size = count_in(leaf.value) if counts else None
        if size is not None:
            yield Tally(records=int(size), noun=_pieces(leaf, name.words), bound=bound)
        elif isinstance(leaf.value, str) and (many := listed(leaf.key, leaf.value)) > 1:
            yield Tally(records=many, noun=_things(leaf.key))


_GOODS = words("words/actions:arguments.goods")
_BOUGHT = tuple((piece,) for piece in _PIECES)
_BUYS = word_set("buy purchase order subscribe subscription reserve book upgrade renew license")
_SECURITIES = word_set("ticker symbol isin cusip")
_TRADES = word_set("buy sell order trade stock stocks short equity")


def _pieces(leaf: Leaf, named: tuple[str, ...]) -> str:
    """Return what is counted, where its key says so or a security stands beside it."""
    for last in (leaf.words[-1], *named[-1:]):
        if last in _PIECES:
            return last
    traded = not _SECURITIES.isdisjoint(leaf.siblings) and not _TRADES.isdisjoint(named)
    return "shares" if traded else ""


def _counts(leaf: Leaf) -> bool:
    """`count`, `recipient_count`, `num_users`, and the size of an audience."""
    if leaf.key.lower() in _COUNTS:
        return True
    words = leaf.words
    if words[-1:] in (("quantity",), ("qty",)):
        return True
    if type(leaf.value) is int and words and words[0] not in _LIMITS:  # `rows_removed: 900`
        gone = len(words) > 1 and words[-1] in _GONE
        if gone or words[-1] in THINGS or words[0] == "desired":
            return True
    if _MANY.isdisjoint(words) or words[-1] in {"number", "num"}:
        return False
    if words == ("size",):
        above = words_of(key_above(leaf.path))
        return bool(above) and above[-1] in _PEOPLE | AUDIENCES
    return len(words) > 1 and not _PEOPLE.isdisjoint(words)
