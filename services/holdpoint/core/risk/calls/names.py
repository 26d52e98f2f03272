"""What a tool's name says it does: `GmailDeleteEmail`, `messages_delete`, `closeBankAccountAPI`."""

from functools import lru_cache
from types import MappingProxyType

import msgspec

from holdpoint.core.risk.calls.leaf import words_of
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.wording import VERBS, Form, Kind, Verb, forms

_MORE = {
    Kind.READ: (
        "translate render detect classify extract parse estimate simulate ask compare quote "
        "navigate validate preview monitor log track calculate"
    ),
    Kind.CREATE: "place dispatch unlock lock",
    Kind.UPDATE: (
        "power shutdown reboot halt poweroff merge deploy push approve reject freeze unfreeze "
        "block ban disarm pause rollback recreate "
        "reinstall modify unsubscribe"
    ),
    Kind.DELETE: (
        "deprecate decommission reformat unbind unregister evict obliterate empty dissolve abandon"
    ),
    Kind.PAYMENT: "checkout payout disburse remit tip stake",
}
_KNOWN: MappingProxyType[str, Verb] = MappingProxyType(
    dict(VERBS)
    | {
        word: verb
        for kind, words in _MORE.items()
        for base in words.split()
        for word, verb in forms(base, kind).items()
    }
)
_TELLING = word_set(
    "status history policy details info list report preview summary log logs reason estimate"
)
"""Last words of names that tell something rather than do it, when nothing else says."""

FINAL: tuple[tuple[frozenset[str], frozenset[str], str], ...] = (
    (
        word_set("deactivate disable suspend ban"),
        word_set("account accounts user users"),
        "locks somebody out",
    ),
    (word_set("factory hard"), word_set("reset"), "puts it back to its first day"),
    (word_set("reset"), word_set("database db cluster factory"), "loses what was in it"),
    (word_set("force"), word_set("push"), "rewrites what others rely on"),
    (
        word_set("merge"),
        word_set("accounts contacts customers records users patients"),
        "makes one of several for good",
    ),
    (
        word_set("disable disarm unlock bypass deactivate stop"),
        word_set(
            "alarm lock door firewall mfa 2fa authentication antivirus monitoring encryption "
            "backup backups logging security"
        ),
        "takes a protection away",
    ),
    (
        word_set("transfer"),
        word_set("ownership domain repository repo workspace tenant"),
        "gives it to somebody who need not give it back",
    ),
    (word_set("rollback reformat overwrite truncate"), frozenset(), "loses what is there now"),
    (
        word_set("launch detonate fire"),
        word_set("missile weapon rocket torpedo"),
        "cannot be called back",
    ),
)
"""Verbs, things (none: whatever it is), and why that is hard to undo."""


class Name(msgspec.Struct, frozen=True, kw_only=True):
    """A tool's name, read."""

    verb: Verb | None = None
    words: tuple[str, ...] = ()
    final: str = ""
    """Why what it does is hard to undo, beyond its verb; empty when nothing says so."""

    everything: bool = False
    """Whether the name itself says `all`, `bulk` or `everyone`."""

    @property
    def reads(self) -> bool:
        """Whether it only reads, by its own word."""
        return self.verb is not None and self.verb.kind is Kind.READ


@lru_cache(maxsize=4096)
def tool_name(name: str) -> Name:
    """Read it: the first base form that is no plural noun, else the first form of a verb."""
    words = words_of(name)
    known = [(word, _KNOWN[word]) for word in words if word in _KNOWN]
    plain = [verb for word, verb in known if verb.form is Form.BASE and word == verb.base]
    verb = plain[0] if plain else known[0][1] if known else None
    if verb is None and words and words[-1] in _TELLING:
        verb = _KNOWN["get"]
    said = frozenset(words)
    reads = verb is not None and verb.kind is Kind.READ
    return Name(
        verb=verb,
        words=words,
        final="" if reads else _final(said),
        everything=not reads and bool(said & _EVERYONE),
    )


_EVERYONE = word_set("all bulk everyone everybody everything mass")


def _final(said: frozenset[str]) -> str:
    reasons = (
        why for verbs, things, why in FINAL if verbs & said and (things & said or not things)
    )
    return next(reasons, "")
