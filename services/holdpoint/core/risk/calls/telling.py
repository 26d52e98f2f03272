"""Names that tell something rather than do it: `refund_preview`, `convert_units`, `can_cancel`."""

from holdpoint.core.risk.calls.gravity import why_final
from holdpoint.core.risk.calls.verbs import KNOWN
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.wording import Form, Kind, Verb

_TELLING = words("words/tools:telling.telling")

_NOUNS = words("words/tools:telling.nouns")

_TOLD_OF = _TELLING - word_set("log logs policy list tracker planner")
"""What such a name ends with when nothing is paid; one may `deposit_check`, though."""

_CONVERTED = words("words/tools:telling.converted")


def only_tells(words: tuple[str, ...], said: frozenset[str], verb: Verb | None) -> bool:
    """By its last word, by `dry_run`, or because it writes the same in another way."""
    last = words[-1] if words else ""
    if {"dry", "run"} <= said or ({"convert", "format"} & said and _writes_anew(said)):
        return True
    if not said.isdisjoint(_RATES_ONLY) and said.isdisjoint(_PAYS_AS_WELL):
        return True
    if _is_looked_at(words, said):
        return True
    if verb is None or (verb.form is Form.PAST and last not in _CLOSING):
        return (
            last in _TELLING or (words[:1] in _SIFTS and _TRADES.isdisjoint(said))
        ) and not why_final(words)
    if verb.base == "transfer" and last == "balance":
        return False
    noun = verb.base in _NOUNS and last in _TOLD_OF
    return noun and not (verb.base == "deposit" and last == "check")


def _writes_anew(said: frozenset[str]) -> bool:
    """Whether it only writes the same in another way, and does nothing else beside that."""
    others = (KNOWN[word].kind for word in said - {"convert", "format"} if word in KNOWN)
    return not _CONVERTED.isdisjoint(said) and all(kind in _MILD for kind in others)


_RATES_ONLY = word_set(
    "xe oanda fixer openexchangerates exchangeratesapi exchangerate currencylayer frankfurter "
    "coingecko coinmarketcap"
)
"""Services that tell what currencies are worth, and change none."""

_PAYS_AS_WELL = word_set("send transfer order pay payment payout trade")
_MILD = frozenset({Kind.READ, Kind.CREATE})
_REHEARSED = word_set("simulate simulation simulator preview dryrun whatif lint linter explain")
_SIFTS = tuple(
    (word,)
    for word in (
        "filter", "sort", "sum", "average", "avg", "mean", "median", "stdev", "variance",
        "percentile", "quantile", "histogram", "embed", "embedding", "embeddings", "rerank",
    )
)  # fmt: skip
"""First words of what chooses what is shown or works out a figure, where no verb stands beside."""

_TRADES = word_set("down up into position positions")
"""Beside these an average is bought."""

_STANDS = word_set("status state check")


def _is_looked_at(words: tuple[str, ...], said: frozenset[str]) -> bool:
    """Whether it is only tried, asked about, or a name with a verb in it."""
    last = words[-1] if words else ""
    if last in _REHEARSED and {"and", "then"}.isdisjoint(said):
        return True
    return words[:1] == ("can",) or (last in _STANDS and _is_named(words))


def _is_named(words: tuple[str, ...]) -> bool:
    """Whether a verb only stands in a thing's name, or a deed is looked at before it is done."""
    if words[-1] == "check":
        return len(words) > 2 and words[-2] in _LOOKED_AT  # noqa: PLR2004  # `delete_event_check`
    return "kill" in words and words[words.index("kill") + 1 :][:1] == ("switch",)


_LOOKED_AT = word_set("event account order record file project booking subscription item")

_CLOSING = word_set("balance check log")
"""Last words after a participle that say too little: a `closed_account_balance` may be paid."""
