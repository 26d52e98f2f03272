"""The verbs that people use for doing things, with those that take two words."""

from types import MappingProxyType

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.wording import VERBS, Form, Kind, Verb, forms

_SPOKEN = {
    Kind.READ: (
        "ask compare determine display estimate examine explore identify investigate locate "
        "monitor navigate observe print recommend review select summarise track"
    ),
    Kind.CREATE: (
        "announce bind deliver deploy dispatch execute give install launch run start tweet"
    ),
    Kind.UPDATE: (
        "adjust approve ban unfollow block bypass disarm disconnect freeze force-push lock "
        "mark merge mute pause power push raise rebase reboot recreate reinstall reimage rebuild "
        "promote reject reschedule revert rewrite rotate invalidate retire expire sunset redirect "
        "consolidate reassign power-off combine "
        "rollback switch unlock lower reduce increase factory-reset hard-reset shut"
    ),
    Kind.DELETE: (
        "abandon burn decommission demolish detach dissolve eliminate empty eradicate evict "
        "liquidate lose obliterate reformat scrub unbind unfriend unregister unsubscribe "
        "deactivate hard-delete strip scrap void trash"
    ),
    Kind.PAYMENT: "release bid disburse lend order remit spend stake trade",
}
_SPOKEN_PAST = {"give": "given", "lose": "lost", "run": "run", "lend": "lent", "spend": "spent"}

SPOKEN: MappingProxyType[str, Verb] = MappingProxyType(
    dict(VERBS)
    | {
        word: verb
        for kind, words in _SPOKEN.items()
        for base in words.split()
        for word, verb in forms(base, kind, _SPOKEN_PAST.get(base)).items()
    }
)
"""Every form of every verb that a sentence may announce."""

_PAIRS = {
    ("turn", "off"): ("disable", Kind.UPDATE),
    ("switch", "off"): ("disable", Kind.UPDATE),
    ("power", "off"): ("stop", Kind.UPDATE),
    ("shut", "down"): ("stop", Kind.UPDATE),
    ("take", "down"): ("remove", Kind.DELETE),
    ("take", "offline"): ("stop", Kind.UPDATE),
    ("take", "away"): ("remove", Kind.DELETE),
    ("tear", "down"): ("destroy", Kind.DELETE),
    ("throw", "away"): ("discard", Kind.DELETE),
    ("blow", "away"): ("destroy", Kind.DELETE),
    ("get", "rid"): ("remove", Kind.DELETE),
    ("clean", "out"): ("clear", Kind.DELETE),
    ("clean", "up"): ("clear", Kind.DELETE),
    ("zero", "out"): ("wipe", Kind.DELETE),
    ("roll", "back"): ("rollback", Kind.UPDATE),
    ("force", "push"): ("force-push", Kind.UPDATE),
    ("factory", "reset"): ("factory-reset", Kind.UPDATE),
    ("hard", "reset"): ("hard-reset", Kind.UPDATE),
    ("hand", "over"): ("send", Kind.CREATE),
    ("sign", "out"): ("stop", Kind.UPDATE),
    ("put", "order"): ("buy", Kind.PAYMENT),
    ("place", "order"): ("buy", Kind.PAYMENT),
    ("place", "buy"): ("buy", Kind.PAYMENT),
    ("place", "bid"): ("buy", Kind.PAYMENT),
    ("place", "trade"): ("trade", Kind.PAYMENT),
}
_ING = {"turn": "turning", "switch": "switching", "power": "powering", "shut": "shutting",
        "take": "taking", "tear": "tearing", "throw": "throwing", "blow": "blowing",
        "get": "getting", "clean": "cleaning", "zero": "zeroing", "roll": "rolling",
        "force": "forcing", "factory": "factory", "hard": "hard", "hand": "handing",
        "sign": "signing", "place": "placing", "put": "putting"}  # fmt: skip


def _phrases() -> dict[str, dict[str, Verb]]:
    found: dict[str, dict[str, Verb]] = {}
    for (first, second), (base, kind) in _PAIRS.items():
        for word, form in ((first, Form.BASE), (_ING[first], Form.ING)):
            verb = Verb(base=base, kind=kind, form=form)
            found.setdefault(word, {})[second] = verb
    return found


PHRASES = MappingProxyType(_phrases())
"""By first word, then second: `turn … off`."""

PRECIOUS = word_set(
    "account accounts repository repositories repo repos database databases table tables "
    "schema server servers instance instances cluster clusters volume volumes disk disks "
    "drive partition bucket buckets backup backups environment environments workspace "
    "workspaces tenant tenants organisation organization subscription subscriptions "
    "reservation reservations booking bookings venue certificate certificates key keys "
    "credential credentials directory directories folder folders history log logs trail "
    "inventory mailbox inbox production prod namespace namespaces dataset datasets vm vms "
    "node nodes queue queues index indices domain domains website site app application "
    "pipeline branch branches commits codebase records rows data everything all profile "
    "ledger configuration config integration contract policy project projects membership "
    "access system filesystem machine device devices wallet savings permission permissions "
    "stack deployment cancellation flight flights appointment appointments card cards "
    "portfolio registry snapshot deletion removal termination closure snapshots archive "
    "archives contents usb stick drives phone collection collections "
    "catalog catalogue migration migrations"
)
"""What is missed when it is gone, even when it is one."""

GUARDS = word_set(
    "alarm alarms lock locks door doors gate firewall firewalls authentication 2fa mfa "
    "antivirus monitoring encryption backup backups logging safety guard guards guardrails "
    "audit alerts alert protection protections security two-factor verification validation "
    "checks sandbox log logs limits limit smoke camera cameras detector integration device devices "
    "waf tls ssl rls"
)
"""What protects somebody as long as it is on."""

LETS_IN = word_set("disable disarm unlock bypass stop deactivate suspend pause disconnect remove")
SECRETS = word_set(
    "password passwords keys credential credentials tokens secret secrets ssn ssns passphrase cvv"
)
PROGRAMS = word_set("script scripts installer binary executable payload macro exe")
RUNS = word_set("run execute launch install start")
"""Verbs with an object of PROGRAMS: what was fetched is run."""

STRONG = word_set(
    "force-push hard-reset factory-reset reformat nuke obliterate terminate destroy shred "
    "decommission liquidate expunge hard-delete demolish overwrite"
)
"""Verbs after which nothing is left, whatever they are done to."""

SENDS = word_set("send email message post announce notify publish share tweet text broadcast")

NOMINALS = MappingProxyType(
    {
        noun: Verb(base=base, kind=kind, form=Form.ING)
        for noun, base, kind in (
            ("cancellation", "cancel", Kind.DELETE),
            ("deletion", "delete", Kind.DELETE),
            ("removal", "remove", Kind.DELETE),
            ("termination", "terminate", Kind.DELETE),
            ("closure", "close", Kind.DELETE),
            ("purge", "purge", Kind.DELETE),
            ("wipe", "wipe", Kind.DELETE),
            ("withdrawal", "withdraw", Kind.PAYMENT),
            ("transfer", "transfer", Kind.PAYMENT),
            ("payment", "pay", Kind.PAYMENT),
            ("refund", "refund", Kind.PAYMENT),
            ("purchase", "buy", Kind.PAYMENT),
            ("restore", "restore", Kind.UPDATE),
            ("migration", "migrate", Kind.UPDATE),
            ("rollback", "rollback", Kind.UPDATE),
            ("trade", "trade", Kind.PAYMENT),
            ("donation", "donate", Kind.PAYMENT),
            ("deposit", "deposit", Kind.PAYMENT),
        )
    }
)
"""Deeds said as nouns: `I will proceed with the cancellation`."""

OTHERWISE = MappingProxyType(
    {
        "close": word_set(
            "variants match matches to enough by friends friend attention look family"
        ),
        "clear": word_set("that why how picture idea about instructions explanation"),
        "set": word_set("of"),
        "open": word_set("source issues"),
        "order": word_set("id ids number details history status"),
        "share": word_set("of price prices"),
        "trade": word_set("history"),
        "cancel": word_set("button"),
        "delete": word_set("button key"),
        "stop": word_set("sign"),
        "lock": word_set("screen"),
    }
)
"""Words that look like a verb, and what behind them shows that they are none."""

NEUTRAL = word_set(
    "be have need take get see know wait go do try help work use want keep continue proceed "
    "look like provide offer present return receive say tell talk speak answer respond "
    "explain assume consider discuss walk guide follow focus ensure come stay remain rely "
    "require save store collect gather cover mention refer note need never not also then now "
    "first only just always soon finally cost be repeat address verify double-check handle "
    "require visit watch learn study rank sort group number name cite quote match reach meet "
    "give"
)
"""After `I will` they do nothing to anything, even with a number behind them."""
