"""Verbs in the names of tools, by what they do: those of sentences, more of them, foreign ones."""

from types import MappingProxyType

from holdpoint.core.risk.calls.foreign import FOREIGN
from holdpoint.core.risk.wording import VERBS, Kind, Verb, forms

_MORE = {
    Kind.READ: (
        "translate render detect classify extract parse estimate simulate ask calc compare quote "
        "navigate validate preview monitor log track calculate predict forecast recommend rank "
        "diff measure sample encode decode hash geocode ping trace watch listen plot visualize "
        "visualise tokenize grep glob plan lint suggest audit diagnose benchmark examine enumerate "
        "discover identify interpret paraphrase score evaluate assess tally compute solve infer "
        "transcribe recognize recognise proofread spellcheck peek tail stat probe whois observe"
    ),
    Kind.CREATE: (
        "place dispatch unlock lock record save store remember train escalate export manage "
        "control build rebuild compile select deselect unselect expand collapse unfold skip"
    ),
    Kind.UPDATE: (
        "power shutdown reboot halt poweroff merge deploy push approve reject freeze unfreeze "
        "block ban disarm pause rollback recreate "
        "reinstall modify unsubscribe compress compact trim squash shrink override bypass shift "
        "reroute redirect throttle promote demote toggle adjust increase decrease reduce "
        "lower extend shorten bind attach detach associate put authorize authorise permit configure"
    ),
    Kind.DELETE: (
        "deprecate decommission reformat unbind unregister deregister evict obliterate empty "
        "dissolve abandon burn renounce liquidate forfeit void nullify annul rescind teardown "
        "dismantle expel offboard surrender yank zeroize drain sweep anonymize anonymise prune "
        "reimage disband zap scrub selfdestruct defund disenroll unenroll scrap retire sunset "
        "relinquish demolish raze euthanize euthanise cull discontinue deallocate dispose "
        "incinerate delist takedown unblind depublish flushall flushdb dropdb dropuser"
    ),
    Kind.PAYMENT: "checkout payout disburse remit tip stake",
}
KNOWN: MappingProxyType[str, Verb] = MappingProxyType(
    dict(VERBS)
    | {
        word: verb
        for kind, words in _MORE.items()
        for base in words.split()
        for word, verb in forms(base, kind).items()
    }
    | {"del": VERBS["delete"], "rm": VERBS["remove"]}
    | FOREIGN
)
"""Every form that is understood."""
