"""Verbs that say what they do only with a second word: `turn … off`, `pull the plug`."""

from types import MappingProxyType

from holdpoint.core.risk.wording import Form, Kind, Verb, forms
from holdpoint.core.risk.words import word_set

_PAIRS = {
    ("agree", Kind.CREATE): (
        "agree to, consent to, enter into, strike deal, click agree, click accept, press agree, "
        "press accept, hit agree, hit accept"
    ),
    ("appoint", Kind.UPDATE): (
        "name signatory, name trustee, name executor, name beneficiary, name guardian"
    ),
    ("approve", Kind.UPDATE): "sign off",
    ("blank", Kind.DELETE): "blank out, white out, black out",
    ("buy", Kind.PAYMENT): (
        "put order, place order, place buy, place booking, place bid, make purchase, snap up, "
        "take offer, take quote, take deal, click buy, press buy, hit buy, click pay, press pay, "
        "hit pay, click purchase"
    ),
    (
        "call-in",
        Kind.UPDATE,
    ): "call loan, call loans, call debt, call debts, call mortgage, call mortgages",
    ("cancel", Kind.DELETE): "call off, pull plug, break off, call quits, make cancellation",
    ("cancel", Kind.UPDATE): "let lapse, let expire",
    ("clear", Kind.DELETE): "clear out, clear away, clean out, clean up, sweep away",
    ("deploy", Kind.UPDATE): "roll out",
    ("put-live", Kind.UPDATE): ("go live, put live, push live, set live, bring live, take live"),
    ("destroy", Kind.DELETE): "tear down, blow away, tear up, rip up",
    ("overwrite", Kind.DELETE): "write over, save over, record over",
    ("demolish", Kind.DELETE): "knock down, pull down, melt down",
    ("disable", Kind.UPDATE): "turn off, switch off",
    ("disconnect", Kind.UPDATE): "cut off",
    ("discard", Kind.DELETE): (
        "throw away, throw out, throw overboard, dispose of, get shot, fling out, sling out, "
        "haul away, cart off, throw bin, throw trash, throw skip, throw dumpster, throw garbage, "
        "pour drain, pour away, tip drain, flush toilet"
    ),
    ("dismiss", Kind.DELETE): (
        "lay off, let go, make redundant, send packing, cut loose, turf out, boot out, boot off"
    ),
    ("donate", Kind.PAYMENT): "chip in, make donation",
    ("erase", Kind.DELETE): "rub out, blot out",
    ("factory-reset", Kind.UPDATE): "factory reset, factory resetting",
    ("flush", Kind.DELETE): "flush away, flush down",
    ("force-push", Kind.UPDATE): "force push",
    ("give-away", Kind.DELETE): "give away",
    ("hard-reset", Kind.UPDATE): "hard reset, hard resetting",
    ("invest", Kind.PAYMENT): "put money",
    ("log-out", Kind.UPDATE): "log out",
    ("leave-open", Kind.UPDATE): (
        "leave unlocked, leave unguarded, leave unattended, leave unsecured, leave unprotected"
    ),
    ("open", Kind.CREATE): "throw open",
    ("opt-out", Kind.UPDATE): "opt out",
    ("pay", Kind.PAYMENT): (
        "top up, go out, leave account, fork out, fork over, shell out, cough up, stump up, "
        "put deposit, make payment, make deposit, do payment"
    ),
    ("publish", Kind.CREATE): "press publish, hit publish, click publish",
    ("redirect", Kind.UPDATE): "point traffic, send traffic, move traffic, direct traffic",
    (
        "refund",
        Kind.PAYMENT,
    ): "make refund, do refund, issue refund, issue refunds, send refunds, give refunds",
    ("remove", Kind.DELETE): (
        "take down, take away, do away, kick out, rip out, get rid, strike off, strike from, "
        "weed out, root out"
    ),
    ("replace", Kind.UPDATE): "swap out",
    ("reset", Kind.UPDATE): "do reset",
    ("resign", Kind.DELETE): "hand notice, give notice, serve notice, hand resignation",
    ("retire", Kind.UPDATE): "phase out, lay to-rest, put to-rest",
    ("shred", Kind.DELETE): "throw shredder, put shredder, feed shredder",
    ("incinerate", Kind.DELETE): "throw incinerator, throw fire, put incinerator",
    ("rollback", Kind.UPDATE): "roll back",
    ("sell", Kind.PAYMENT): "auction off, flog off",
    (
        "send",
        Kind.CREATE,
    ): "hand over, hand out, give out, pass on, press send, hit send, click send",
    ("spend", Kind.PAYMENT): "splash out, blow on",
    ("skip", Kind.UPDATE): (
        "skip validation, skip verification, skip authentication, skip authorization, "
        "skip authorisation, skip check, skip checks, skip approval, skip inspection, "
        "skip signature, skip certificate, skip review, skip screening, ignore certificate, "
        "ignore signature, "
        "ignore authentication, ignore errors, ignore validation, ignore verification, "
        "omit validation, omit verification, omit authentication, omit approval, "
        "leave authentication, leave validation, leave verification, wave inspection, "
        "wave check, wave checks, wave through"
    ),
    ("start", Kind.UPDATE): "pull trigger, fire off",
    ("stop", Kind.UPDATE): (
        "power off, power down, shut down, shut off, spin down, bring down, sign out, "
        "take offline, pull offline, bring offline, knock offline, cut power, flip kill, hit kill, "
        "pull kill, press kill, throw kill, trip kill, flip kill-switch, hit kill-switch, "
        "pull kill-switch, press kill-switch, throw kill-switch, trip kill-switch"
    ),
    ("subscribe", Kind.CREATE): "sign up",
    ("fail-over", Kind.UPDATE): "fail over",
    ("repoint", Kind.UPDATE): "flip dns, swing dns",
    ("trade", Kind.PAYMENT): "place trade",
    ("transfer", Kind.PAYMENT): "make transfer, do transfer",
    ("transfer", Kind.UPDATE): "sign over, hand ownership, pass ownership",
    ("wipe", Kind.DELETE): "wipe out, zero out, null out",
    ("wind-down", Kind.UPDATE): "wind down, wind up",
    ("withdraw", Kind.PAYMENT): "cash out",
    ("relinquish", Kind.UPDATE): "give up, sign away, trade away, bargain away",
    (
        "remove",
        Kind.UPDATE,
    ): "take out, take off, pull out, pull off, strike out, cross out, tear out",
    ("write-off", Kind.DELETE): "write off",
}
"""By what they do: each pair is a verb and the word that follows it, perhaps not at once."""

_ING = {
    "agree": "agreeing",
    "hit": "hitting",
    "let": "letting",
    "flip": "flipping",
    "log": "logging",
    "omit": "omitting",
    "opt": "opting",
    "skip": "skipping",
    "trip": "tripping",
}
"""What the rules for forms do not know."""

_DONE = {
    "blow": "blown", "bring": "brought", "cut": "cut", "fling": "flung", "get": "got",
    "give": "given", "go": "gone", "hand": "handed", "knock": "knocked", "lay": "laid",
    "leave": "left", "let": "let", "log": "logged", "make": "made", "pay": "paid", "put": "put",
    "set": "set", "shut": "shut", "sling": "slung",
    "spin": "spun", "strike": "struck", "sweep": "swept",
    "take": "taken", "tear": "torn", "throw": "thrown", "wind": "wound", "write": "written",
    "break": "broken", "do": "done",
}  # fmt: skip
"""How those that English bends otherwise say that it is done: `is thrown away`."""


def _phrases() -> dict[str, dict[str, Verb]]:
    found: dict[str, dict[str, Verb]] = {}
    for (base, kind), pairs in _PAIRS.items():
        for first, second in map(str.split, pairs.split(", ")):
            known = [word for word, one in forms(first, kind).items() if one.form is Form.ING]
            form = Form.ING if second.endswith("ing") else Form.BASE
            found.setdefault(first, {})[second] = Verb(base=base, kind=kind, form=form)
            for word in [_ING[first]] if first in _ING else known:
                found.setdefault(word, {})[second] = Verb(base=base, kind=kind, form=Form.ING)
            for word in _past(first, kind):
                found.setdefault(word, {})[second] = Verb(base=base, kind=kind, form=Form.PAST)
    through = Verb(base="pay", kind=Kind.PAYMENT, form=Form.BASE)
    return found | {"goes": {**found["go"], "through": through}, "leaves": found["leave"]}


def _past(first: str, kind: Kind) -> list[str]:
    """Its participle, where it does not look like the verb itself."""
    done = _DONE.get(first)
    told = forms(first, kind, done)
    return [word for word, one in told.items() if one.form is Form.PAST and word != first]


SKIPS = word_set("leave leaving skip skipping ignore ignoring omit omitting")
"""Here the second word is already what it is done to: `skip authentication`."""

PHRASES = MappingProxyType(_phrases())
"""By first word, then second: `turn … off`."""
