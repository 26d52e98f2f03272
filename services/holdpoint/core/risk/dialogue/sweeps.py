"""Verbs and objects that are grave together: what the public reads, what all are paid, what is new.

A machine that is set up anew has lost what was on it; whoever lives outside stays outside.
"""

from holdpoint.core.risk.dialogue.pairing import LOSS, POWER, SIZE, Pairing
from holdpoint.core.risk.words import word_set

_MADE_UP = word_set(
    "draft drafts sample template test sandbox staging example mock dummy fake demo internal "
    "internally private local"
)
_OUTSIDE = word_set(
    "vendor vendors contractor contractors agency supplier suppliers partner partners freelancer "
    "freelancers external outside third-party consultant consultants outsider outsiders"
)

SWEEPS: tuple[Pairing, ...] = (
    Pairing(
        rule="deed.published",
        heuristic=LOSS,
        verbs=word_set("publish post announce release broadcast share"),
        things=word_set("publicly"),
        unless=_MADE_UP,
        reach=12,
        reason="what people have read once cannot be called back",
    ),
    Pairing(
        rule="deed.published",
        heuristic=LOSS,
        verbs=word_set("publish announce release broadcast"),
        things=word_set("public"),
        beside=word_set("to"),
        unless=_MADE_UP | word_set("holiday holidays transport library park"),
        reach=10,
        reason="what people have read once cannot be called back",
    ),
    Pairing(
        rule="deed.published",
        heuristic=LOSS,
        verbs=word_set("tweet"),
        things=word_set(
            "announcement news statement company corporate official followers apology results "
            "launch account"
        ),
        unless=_MADE_UP,
        reach=10,
        reason="what people have read once cannot be called back",
    ),
    Pairing(
        rule="deed.published",
        heuristic=LOSS,
        verbs=word_set("publish post announce release"),
        things=word_set("website homepage blog page site feed timeline account"),
        beside=word_set("company company's our official corporate"),
        unless=_MADE_UP | word_set("wiki intranet"),
        reach=12,
        reason="what people have read once cannot be called back",
    ),
    Pairing(
        rule="deed.pay",
        heuristic=SIZE,
        verbs=word_set("give grant award"),
        things=word_set("raise raises rise increase increment bonus bonuses"),
        beside=word_set("all every everyone everybody staff employees whole entire each"),
        unless=_MADE_UP | word_set("voice hand hands"),
        reach=10,
        reason="a {thing} for all of them costs what nobody has counted",
    ),
    Pairing(
        rule="deed.budget",
        heuristic=SIZE,
        verbs=word_set("double triple quadruple"),
        things=word_set("budget budgets allowance stake stakes"),
        unless=_MADE_UP,
        reason="{Verb} the {thing} spends what nobody has counted",
    ),
    Pairing(
        rule="deed.budget",
        heuristic=SIZE,
        verbs=word_set("spend"),
        things=word_set("budget savings balance funds reserves"),
        beside=word_set("remaining rest all whole entire full remainder"),
        unless=_MADE_UP,
        reason="{Verb} all of the {thing} leaves nothing",
    ),
    Pairing(
        rule="deed.set-up-anew",
        heuristic=LOSS,
        verbs=word_set("reimage repartition"),
        things=word_set(
            "machine machines laptop laptops computer computers server servers host hosts node "
            "nodes box pc workstation workstations disk disks drive drives device devices tablet "
            "phone instance instances vm vms"
        ),
        unless=_MADE_UP,
        reason="what was on the {thing} is gone once it is set up anew",
    ),
    Pairing(
        rule="deed.power",
        heuristic=POWER,
        verbs=word_set("give grant"),
        things=word_set("access permission permissions rights privileges"),
        beside=_OUTSIDE,
        unless=_MADE_UP | word_set("read-only readonly"),
        reach=14,
        reason="{thing} for people from outside gives power away",
    ),
)
