"""Meaning of a tool's name: its verb, its object, whether it only reads, why it is final."""

import re

import msgspec

from holdpoint.core.memoize import memoize
from holdpoint.core.risk.extract.payload import Leaf, words_of
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.tools.name_words import FOREIGN, KNOWN, acts, apart, why_final
from holdpoint.core.risk.wording import Form, Kind, Verb
from holdpoint.core.risk.words import word_set
from holdpoint.core.text import whole_characters

_TELLING = words("words/tools:reading_names.telling")
_NOUNS = words("words/tools:reading_names.nouns")

_TOLD_OF = _TELLING - word_set("log logs policy list tracker planner")
"""What such a name ends with when nothing is paid; one may `deposit_check`, though."""

_CONVERTED = words("words/tools:reading_names.converted")


def only_tells(words: tuple[str, ...], said: frozenset[str], verb: Verb | None) -> bool:
    """By its last word, by `dry_run`, as a question, or as what writes the same in another way."""
    last = words[-1] if words else ""
    asks = verb is not None and verb.form is Form.PAST and not _ASKS.isdisjoint(words[:1])
    if asks or {"dry", "run"} <= said or ({"convert", "format"} & said and _writes_anew(said)):
        return True
    if not said.isdisjoint(_RATES_ONLY) and said.isdisjoint(_PAYS_AS_WELL):
        return True
    if _is_looked_at(words, said):
        return True
    if verb is None or (verb.form is Form.PAST and last not in _CLOSING):
        tells = last in _TELLING or (not _SIFTS.isdisjoint(words[:1]) and _TRADES.isdisjoint(said))
        return tells and not why_final(words)
    if verb.base == "transfer" and last == "balance":
        return False
    noun = verb.base in _NOUNS and last in _TOLD_OF
    return noun and not (verb.base == "deposit" and last == "check")


_ASKS = word_set("is are was were has have had")
"""First words of a name that asks: `is_account_closed`."""


def _writes_anew(said: frozenset[str]) -> bool:
    """Return whether it only writes the same in another way, and does nothing else beside that."""
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
_SIFTS = words("words/tools:names.sifts")
"""First words of what chooses what is shown or works out a figure, where no verb stands beside."""

_TRADES = word_set("down up into position positions")
"""Beside these an average is bought."""

_STANDS = word_set("status state check")


def _is_looked_at(words: tuple[str, ...], said: frozenset[str]) -> bool:
    """Return whether it is only tried, asked about, or a name with a verb in it."""
    last = words[-1] if words else ""
    if last in _REHEARSED and {"and", "then"}.isdisjoint(said):
        return True
    return words[:1] == ("can",) or (last in _STANDS and _is_named(words))


def _is_named(words: tuple[str, ...]) -> bool:
    """Return whether a verb only stands in a thing's name, or an action is only looked at."""
    if words[-2:-1] and words[-2] in _RUNS_ITS_COURSE and not acts(words) and words[0] not in KNOWN:
        return True  # `host_reboot_status`; `reboot_host_status` may do it first
    if words[-1] == "check":
        return len(words) > 2 and words[-2] in _LOOKED_AT  # noqa: PLR2004  # `delete_event_check`
    return "kill" in words and words[words.index("kill") + 1 :][:1] == ("switch",)


_RUNS_ITS_COURSE = word_set("reboot restart shutdown poweroff failover rollback deploy upgrade")
_LOOKED_AT = word_set("event account order record file project booking subscription item")

_CLOSING = word_set("balance check log")
"""Last words after a participle that say too little: a `closed_account_balance` may be paid."""

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
    """Return whether a number says how far a view moves; `named`: the words of the tool's name."""
    by_name = not _TURNS.isdisjoint(named) and _PAYS.isdisjoint(named)
    action = leaf.siblings.get("action")
    ordered = isinstance(action, str) and not _TURNS.isdisjoint(words_of(action[:MAX_PATH]))
    return (by_name or ordered) and _MEANT.isdisjoint(map(str, leaf.siblings))


def makes_vectors(named: tuple[str, ...]) -> bool:
    """`create_embeddings`: however many texts there are, nothing is done to them."""
    return named[-1:] != () and named[-1] in _VECTORS


def lays_out(named: tuple[str, ...], leaves: tuple[Leaf, ...]) -> bool:
    """Return whether what is formatted is a text in a file, and no disk."""
    if not _DISKS.isdisjoint(named) or any(not _DISKS.isdisjoint(leaf.words) for leaf in leaves):
        return False
    paths = [leaf.value for leaf in leaves if not _PATHS.isdisjoint(leaf.words)]
    if not _FORMATTERS.isdisjoint(named):
        return True
    return bool(paths) and all(isinstance(one, str) and _is_text(one) for one in paths)


def _is_text(path: str) -> bool:
    return (
        len(path) <= MAX_PATH and not path.startswith("/dev") and _is_source.match(path) is not None
    )


OWN = words("words/tools:names.own")
"""Marks of one's own, views, and what is opened again: to take these away is mild."""

_REOPENED = word_set("ticket tickets issue issues task tasks case cases conversation connection")
"""What is closed and opened again."""

_CLOSED = (
    OWN
    | _REOPENED
    | word_set("alarm alarms download downloads upload uploads search playback animation prompt")
)

_TELLS_OF = words("words/tools:names.tells_of")
_WRITES = words("words/tools:names.writes")
_NOT_YET = word_set("draft drafts template quote estimate proposal")
"""Last words of what is written down first: a `purchase_order_draft` buys nothing."""

_COSTS = words("words/tools:names.costs")
_COUNTED = word_set("analytics telemetry metric metrics")
_HUMANS = word_set("human humans agent agents operator representative supervisor staff colleague")
_HANDS_OVER = word_set("transfer escalate handoff handover forward route hand")


class Name(msgspec.Struct, frozen=True, kw_only=True):
    """A tool's name, read."""

    verb: Verb | None = None
    words: tuple[str, ...] = ()
    final: str = ""
    """Why what it does is hard to undo, beyond its verb; empty when nothing says so."""

    everything: bool = False
    """Whether the name itself says `all`, `bulk` or `everyone`."""

    tells: bool = False
    """Whether it writes down for people what a sum is, or hands over to them: nothing is paid."""

    @property
    def reads(self) -> bool:
        """Return whether it only reads, by its own word."""
        return self.verb is not None and self.verb.kind is Kind.READ


_ORDER = tuple(Kind)
_server = re.compile(r"__+|[./:]+")


@memoize(4096)
def tool_name(name: str) -> Name:
    """Read it; what is said last decides where a server, a service or a class stands before it."""
    words = _apart(words_of(name))
    action = _action(name, words)
    said = frozenset(words) if len(action) == len(words) else _about(name, action, words)
    verb = _verb(action, said)
    if verb and verb.kind is Kind.DELETE and _leaves_a_list(verb.base, words, action):
        verb = msgspec.structs.replace(verb, kind=Kind.UPDATE)
    reads = verb is not None and verb.kind is Kind.READ
    return Name(
        verb=verb,
        words=words,
        final="" if reads or _undoes(verb, action, said) else why_final(words),
        everything=not reads and bool(said & _EVERYONE) and said.isdisjoint(HOUSEHOLD),
        tells=_tells(verb, words, said),
    )


def _leaves_a_list(base: str, words: tuple[str, ...], action: tuple[str, ...]) -> bool:
    """Return whether an item leaves a list of one's own, and is put back as easily."""
    if base != "remove" or _PERSONAL.isdisjoint(words):
        return False
    return _ON_A_LIST.issuperset(frozenset(action) - _PERSONAL - KNOWN.keys() - _FILLERS)


_PERSONAL = words("words/tools:names.personal_lists")
_ON_A_LIST = words("words/tools:names.listed_items")


def _action(name: str, words: tuple[str, ...]) -> tuple[str, ...]:
    """The last part of a name such as `server__tool` that holds a verb; else all of it.

    What is taken away in one part may stand in the next, `delete.all.messages`, and so may what
    is only looked at: `kill_switch.status`.
    """
    split = _server.split(whole_characters(name[:MAX_NAME]))
    if len(split) == 1:
        return words
    parts = [_apart(words_of(one)) for one in split]
    if parts[-1] in (("status",), ("state",)):
        return words
    if _is_thing(parts[-1]):
        takes = next((at for at, part in enumerate(parts[:-1]) if part in _TAKES), len(parts))
        if taken := tuple(word for part in parts[takes:] for word in part):
            return taken
    if acts(parts[-1]):
        return parts[-1]
    return next((part for part in reversed(parts) if KNOWN.keys() & part), words)


def _about(name: str, action: tuple[str, ...], words: tuple[str, ...]) -> frozenset[str]:
    """Return what its action is about: the things in its own part, or else all but the names of
    servers.

    `notifications.delete_all` takes notifications away, `notifications.delete_user` does not.
    """
    if not frozenset(action) - KNOWN.keys() <= _FILLERS:
        return frozenset(action)
    parts = _server.split(whole_characters(name[:MAX_NAME]))
    served = (words_of(part) for part in parts[:-1])
    return frozenset(words).difference(*(one for one in served if one[-1:] in _SERVERS))


_FILLERS = words("words/tools:names.fillers")
_SERVERS = tuple(
    (word,) for word in ("service", "server", "svc", "api", "mcp", "client", "sdk", "plugin")
)


def _apart(words: tuple[str, ...]) -> tuple[str, ...]:
    if len(words) == 1 and words[0] not in KNOWN:
        return apart(words[0])
    if all(word in KNOWN for word in words):
        return words
    return tuple(part for word in words for part in ((word,) if word in KNOWN else apart(word)))


def _is_thing(words: tuple[str, ...]) -> bool:
    """Return whether it is one word that is a verb as well, but a noun behind an action."""
    if len(words) != 1 or words[0] not in KNOWN:
        return False
    return words[0] in _THINGS | _TRANSFERS or not _is_base(words[0])


_TAKES = frozenset((word,) for word in words("words/tools:names.takes"))
_TRANSFERS = word_set("change transfer charge refund purchase deposit upload download")


def _verb(words: tuple[str, ...], said: frozenset[str]) -> Verb | None:
    verb = _chosen(words, said)
    if only_tells(words, said, verb):
        return KNOWN["get"]
    if verb and verb.kind is Kind.PAYMENT and _HANDS_OVER & said and _HUMANS & said:
        return msgspec.structs.replace(verb, base="escalate", kind=Kind.CREATE)
    if (
        verb
        and verb.kind is Kind.DELETE
        and (_is_mild(verb, words, said) or _undoes(verb, words, said))
    ):
        return msgspec.structs.replace(verb, kind=Kind.UPDATE)
    return verb


def _chosen(words: tuple[str, ...], said: frozenset[str]) -> Verb | None:
    """First base form that is no plural noun, but an action at the end before a noun at the start.

    Else the first form of a verb.
    """
    known = [(word, KNOWN[word]) for word in words if word in KNOWN]
    plain = [(word, verb) for word, verb in known if verb.form is Form.BASE and _is_base(word)]
    if not plain:
        return known[0][1] if known else None
    if {"and", "then"} & said:
        return max((verb for _, verb in plain), key=lambda one: _ORDER.index(one.kind))
    if plain[0][0] in {"manage", "control"}:
        return None
    if plain[0][0] in _THINGS:
        acts = (verb for word, verb in plain if word not in _THINGS)
        return next(acts, plain[0][1])
    last = plain[-1][1]
    takes = plain[0][0] in _LISTED and words[-1] == last.base and last.base in _AT_END
    return last if takes else plain[0][1]


def _is_base(word: str) -> bool:
    return word == KNOWN[word].base or word in FOREIGN


_THINGS = words("words/tools:names.things")
_LISTED = words("words/tools:names.listed")
_AT_END = words("words/tools:names.at_end")

MAX_NAME = 200
"""Characters of a name in which a server's part is looked for."""


def _is_mild(verb: Verb, words: tuple[str, ...], said: frozenset[str]) -> bool:
    """Marks of one's own, what is opened again, what an appliance does, a price that falls."""
    if verb.base == "drop":
        if words[:1] == ("drag",):
            return True
        after = words[words.index("drop") + 1 :][:1] if "drop" in words else ()
        return bool(_DROPPED.intersection(after) or OWN & said)
    if verb.base in CLEANS:
        return not said.isdisjoint(HOUSEHOLD | OWN) or words[-1] in _LOOKED_FOR
    mild = _CLOSED if verb.base in {"close", "cancel"} else OWN
    mild = _TALK if verb.base == "terminate" and words[-1] in _TALK else mild
    more = not said.isdisjoint(_MORE_FOLLOWS)
    return not said.isdisjoint(mild) and not (more and said - mild - KNOWN.keys() - _MORE_FOLLOWS)


_LOOKED_FOR = word_set("search query results")
_TALK = word_set("conversation chat dialogue dialog turn")
_MORE_FOLLOWS = word_set("and then")
"""Behind these something else is taken: `delete_draft_and_account`."""

_DROPPED = word_set("down off zone duplicates dups na nan nulls")
"""Behind `drop` these fall, or leave a table with what counts."""

CLEANS = word_set("wipe flush drain empty clear scrub format sweep")
HOUSEHOLD = words("words/tools:names.household")
"""Things at home: to turn all of them off, or to wipe and flush them, loses nothing."""


def _undoes(verb: Verb | None, words: tuple[str, ...], said: frozenset[str]) -> bool:
    """Whether it calls a loss off, `cancel_key_deletion`, or brings it back: `undo_delete`."""
    calls_off = verb is not None and verb.base in {"cancel", "stop", "revoke", "withdraw"}
    return (calls_off and not said.isdisjoint(_LOSSES)) or _takes_back(words, said)


def _takes_back(words: tuple[str, ...], said: frozenset[str]) -> bool:
    """Nothing is done before it, and no more behind it; what keeps things is no loss."""
    at = next((at for at, word in enumerate(words) if word in _BACK), len(words))
    lost, others = words[at + 1 : at + 2], words[:at] + words[at + 2 :]
    if not (said.isdisjoint(_KEEPS) and said.isdisjoint(_MORE_FOLLOWS)):
        return False
    return any(map(_is_lost, lost)) and not any(map(_is_lost, others))


def _is_lost(word: str) -> bool:
    return word in _LOSSES or (word in KNOWN and KNOWN[word].kind is Kind.DELETE)


_BACK = word_set("undo revert reverse")
_KEEPS = words("words/tools:names.keeps")

_LOSSES = word_set(
    "deletion deletions removal termination erasure destruction deactivation closure shutdown"
)


def _tells(verb: Verb | None, words: tuple[str, ...], said: frozenset[str]) -> bool:
    if verb is None or verb.kind not in {Kind.CREATE, Kind.UPDATE}:
        return verb is None and not _COUNTED.isdisjoint(said)
    over = verb.base in _HANDS_OVER and bool(_HUMANS & said)
    reminds = verb.base in {"send", "email"} and bool({"reminder", "receipt", "statement"} & said)
    writes = verb.base in _WRITES and (
        words[-1] in _NOT_YET
        or bool(_TELLS_OF & said and not _COSTS & said)
        or _drafts(words, verb.base)
    )
    return over or reminds or writes or verb.base in {"draft", "record", "remember"}


def _drafts(words: tuple[str, ...], base: str) -> bool:
    """`create_draft_invoice`; a draft that goes out in the same breath is none."""
    after = words[words.index(base) + 1 :] if base in words else ()
    return after[:1] == ("draft",) and _SENT_AS_WELL.isdisjoint(after)


_SENT_AS_WELL = word_set("and then send submit complete pay confirm place finalize finalise")
_EVERYONE = word_set("all bulk everyone everybody everything mass")
