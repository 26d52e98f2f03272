"""Verbs and objects that are grave together, as data: what is let in, given away, halted, lost."""

from types import MappingProxyType

from holdpoint.core.risk.dialogue.closures import CLOSURES
from holdpoint.core.risk.dialogue.exposures import EXPOSURES
from holdpoint.core.risk.dialogue.hazards import HAZARDS
from holdpoint.core.risk.dialogue.lodgings import LODGINGS
from holdpoint.core.risk.dialogue.pairing import LOSS, POWER, SIZE, Pairing
from holdpoint.core.risk.dialogue.stakes import STAKES
from holdpoint.core.risk.dialogue.steps import STEPS
from holdpoint.core.risk.dialogue.sweeps import SWEEPS
from holdpoint.core.risk.dialogue.verbs import GUARDS, LETS_IN, PROGRAMS, RUNS, SECRETS, SENDS
from holdpoint.core.risk.words import word_set

_SYSTEMS = word_set(
    "cluster server servers production database databases instance instances service "
    "services site website system network factory laptop laptops computer computers machine "
    "machines fleet node nodes plant pipeline line shop webshop storefront portal platform gateway "
    "substation grid turbine reactor ventilator pump pumps elevator lift lifts boiler heating"
)
_EVERYBODY = word_set("all every anyone anybody everyone everybody whole entire each public")

PAIRINGS: tuple[Pairing, ...] = (
    Pairing(
        rule="deed.protection",
        heuristic=POWER,
        verbs=LETS_IN,
        things=GUARDS,
        reason="{Verb} the {thing} takes a protection away",
    ),
    Pairing(
        rule="deed.secret",
        heuristic=LOSS,
        verbs=word_set("publish share post send email upload tweet give message submit forward"),
        things=SECRETS
        | word_set(
            "social-security social credit iban pin id_rsa id_dsa id_ecdsa id_ed25519 htpasswd "
            "netrc pgpass kubeconfig keystore"
        ),
        unless=word_set("reset link policy media gift score"),
        reason="{Verb} a secret cannot be taken back",
    ),
    Pairing(
        rule="deed.everybody",
        heuristic=SIZE,
        verbs=SENDS | {"invite"},
        things=_EVERYBODY,
        unless=word_set("screen"),
        reason="{Verb} reaches everybody at once",
    ),
    Pairing(
        rule="deed.public",
        heuristic=LOSS,
        verbs=word_set("make set open leave change"),
        things=word_set("public world-readable public-read"),
        unless=word_set("holiday holidays transport speaking library park"),
        reach=12,
        reason="what is {thing} once cannot be called back",
    ),
    Pairing(
        rule="deed.halt",
        heuristic=POWER,
        verbs=word_set("stop kill shutdown halt wind-down"),
        things=_SYSTEMS,
        reason="{Verb} the {thing} stops people's work",
    ),
    Pairing(
        rule="deed.halt",
        heuristic=POWER,
        verbs=word_set("suspend pause reimage reinstall recreate rebuild reboot restart"),
        things=_SYSTEMS,
        whole=True,
        reason="{Verb} the {thing} stops people's work",
    ),
    Pairing(
        rule="deed.history",
        heuristic=LOSS,
        verbs=word_set("rewrite rollback rebase revert squash"),
        things=word_set("history production release database migration migrations deployment main"),
        reason="{Verb} the {thing} takes away what others rely on",
    ),
    Pairing(
        rule="deed.power",
        heuristic=POWER,
        verbs=word_set("grant give assign add make promote invite"),
        things=word_set("admin administrator root owner superuser sudo ownership unrestricted"),
        reach=12,
        reason="{Verb} somebody {thing} gives them control",
    ),
    Pairing(
        rule="deed.power",
        heuristic=POWER,
        verbs=word_set("grant give"),
        things=word_set("access permission permissions rights privileges"),
        beside=word_set("all every entire whole full unlimited same"),
        unless=word_set("read-only readonly me"),
        reach=12,
        reason="{thing} to all of it gives them control",
    ),
    Pairing(
        rule="deed.protection",
        heuristic=POWER,
        verbs=word_set("add create set apply make put enable"),
        things=word_set("allow-all any-any permit-all allow-any accept-all"),
        reason="a rule that lets everything in takes a protection away",
    ),
    Pairing(
        rule="deed.priced",
        heuristic=SIZE,
        verbs=word_set("apply give offer grant"),
        things=word_set("discount discounts markup surcharge increase rebate rebates"),
        beside=word_set("every all each entire whole everyone everybody"),
        reach=12,
        reason="a {thing} for all of them costs what nobody has counted",
    ),
    Pairing(
        rule="deed.lockout",
        heuristic=POWER,
        verbs=word_set("suspend deactivate lock block ban freeze disable"),
        things=word_set("account accounts user users card cards customer customers tenant"),
        reason="{Verb} the {thing} locks somebody out",
    ),
    Pairing(
        rule="deed.open",
        heuristic=POWER,
        verbs=word_set("grant give"),
        things=word_set("everyone everybody anyone public"),
        reason="{Verb} it to {thing} cannot be called back",
    ),
    Pairing(
        rule="deed.open",
        heuristic=POWER,
        verbs=word_set("open share"),
        things=word_set("everyone everybody anyone public"),
        beside=word_set("to with"),
        unless=word_set("screen"),
        reason="{Verb} it to {thing} cannot be called back",
    ),
    Pairing(
        rule="deed.merge",
        heuristic=LOSS,
        verbs=word_set("merge combine consolidate"),
        things=word_set("patient patients account accounts customers contacts profiles records"),
        reason="{thing} that were merged cannot be told apart again",
    ),
    Pairing(
        rule="deed.ownership",
        heuristic=LOSS,
        verbs=word_set("transfer move send hand"),
        things=word_set(
            "domain ownership repository repo title patent tenant workspace deed house property "
            "rights"
        ),
        reason="whoever gets the {thing} need not give it back",
    ),
    Pairing(
        rule="deed.binds",
        heuristic=LOSS,
        verbs=word_set(
            "sign countersign co-sign cosign e-sign accept agree ratify execute submit "
            "vote cast casting testify attest plead"
        ),
        things=word_set(
            "lease contract contracts agreement agreements settlement terms offer deed treaty nda "
            "waiver quote quotation proposal mortgage bond guarantee deal pact tender "
            "will testament petition affidavit plea verdict liability mandate indemnity "
            "notice resignation behalf vote votes ballot ballots"
        ),
        unless=word_set("draft sample template example commit git"),
        reason="{Verb} the {thing} binds somebody",
    ),
    Pairing(
        rule="deed.resigns",
        heuristic=LOSS,
        verbs=word_set("resign"),
        things=word_set(
            "notice resignation job post position role seat office membership "
            "board committee council company club party"
        ),
        reason="{Verb} cannot be taken back",
    ),
    Pairing(
        rule="deed.withdraws",
        heuristic=LOSS,
        verbs=word_set("withdraw revoke rescind cancel"),
        things=word_set(
            "application appeal complaint bid offer motion petition consent nomination objection "
            "candidacy lawsuit plea"
        ),
        reason="{Verb} the {thing} may forfeit it for good",
    ),
    Pairing(
        rule="deed.flashes",
        heuristic=LOSS,
        verbs=word_set("flash reflash"),
        things=word_set("firmware bios uefi bootloader rom image device"),
        reason="what goes wrong when a {thing} is flashed cannot be undone",
    ),
    Pairing(
        rule="deed.forgives",
        heuristic=LOSS,
        verbs=word_set("forgive waive write-off relinquish"),
        things=word_set(
            "debt debts loan loans balance receivable receivables arrears claim claims rent rents "
            "tuition invoice invoices mortgage right rights"
        ),
        reason="{Verb} the {thing} gives away what is owed",
    ),
    Pairing(
        rule="deed.emptied",
        heuristic=LOSS,
        verbs=word_set("empty clear purge flush"),
        things=word_set(
            "bin bins trash rubbish garbage recycle recycling wastebasket spam junk dumpster"
        ),
        reason="what is in the {thing} cannot be brought back afterwards",
    ),
    Pairing(
        rule="deed.factory",
        heuristic=LOSS,
        verbs=word_set("reset restore revert rollback switch bring put roll"),
        things=word_set("factory defaults factory-default factory-defaults factory-fresh"),
        unless=word_set(
            "zoom font fonts view theme colour colours color colors column columns filter filters "
            "layout margin margins cursor window style styles chart axis"
        ),
        reach=12,
        reason="{Verb} it to its {thing} loses whatever was set",
    ),
    Pairing(
        rule="deed.funds",
        heuristic=SIZE,
        verbs=word_set("release transfer wire send pay withdraw move free"),
        things=word_set("funds payroll salaries escrow ransom money savings cash"),
        reason="{Verb} {thing} is final, whatever the sum",
    ),
    Pairing(
        rule="deed.published",
        heuristic=LOSS,
        verbs=word_set("publish post announce tweet release share put hit press"),
        things=word_set(
            "press newspaper newspapers journalists statement facebook "
            "worldwide instagram twitter linkedin tiktok youtube newsroom publish"
        ),
        unless=word_set("draft sandbox internal internally"),
        reason="what people have read once cannot be called back",
    ),
    Pairing(
        rule="deed.rotated",
        heuristic=LOSS,
        verbs=word_set("rotate roll regenerate reissue revoke invalidate"),
        things=SECRETS | word_set("key certificate certificates cert certs"),
        reason="whoever uses the old {thing} is locked out",
    ),
    Pairing(
        rule="deed.mainline",
        heuristic=LOSS,
        verbs=word_set("merge squash-merge"),
        things=word_set("main master production prod trunk release"),
        reason="what is merged into {thing} reaches everybody",
    ),
    Pairing(
        rule="deed.mainline",
        heuristic=LOSS,
        verbs=word_set("push deploy ship release"),
        things=word_set("main master production prod trunk live"),
        beside=word_set("straight without directly unreviewed untested bypassing"),
        unless=word_set("draft docs readme typo"),
        reach=12,
        reason="what goes to {thing} unseen reaches everybody",
    ),
    Pairing(
        rule="deed.program",
        heuristic=LOSS,
        verbs=RUNS,
        things=PROGRAMS,
        unless=word_set("lists counts shows prints reads checks measures compares"),
        reason="{Verb} a {thing} does whatever is in it",
    ),
)


def _by_verb() -> dict[str, tuple[Pairing, ...]]:
    every = (*PAIRINGS, *CLOSURES, *EXPOSURES, *HAZARDS, *LODGINGS, *STAKES, *STEPS, *SWEEPS)
    bases = {base for pairing in every for base in pairing.verbs}
    return {base: tuple(one for one in every if base in one.verbs) for base in bases}


BY_VERB = MappingProxyType(_by_verb())
"""Those that each verb stands in."""
