"""Verbs and objects that are grave together: what is filed, locked for years, put on a chain."""

from holdpoint.core.risk.dialogue.pairing import LOSS, POWER, Pairing
from holdpoint.core.risk.words import word_set

_FILES = word_set(
    "file filing files lodge lodging submit register registering hand handing send serve serving "
    "enter entering deliver post upload record recording"
)
_OFFICES = word_set(
    "registrar registry court courts tribunal regulator authority authorities ministry customs "
    "revenue commission irs hmrc sec fca fda ofcom notary embassy consulate immigration council "
    "bailiff police tax patent land antitrust competition charities probate insolvency chamber "
    "companies commerce house treasury inspectorate"
)
"""With whom something is filed that takes effect, or cannot be taken back unseen."""

_MADE_UP = word_set("draft drafts sample template example copy test sandbox local")

LODGINGS: tuple[Pairing, ...] = (
    Pairing(
        rule="deed.binds",
        heuristic=LOSS,
        verbs=word_set("accept accepting"),
        things=word_set("counteroffer counter-offer bid tender settlement counterbid"),
        unless=_MADE_UP,
        reason="to accept the {thing} binds whoever accepts it",
    ),
    Pairing(
        rule="deed.filed",
        heuristic=LOSS,
        verbs=word_set("file filing lodge lodging bring bringing"),
        things=word_set(
            "lawsuit suit complaint petition charges divorce bankruptcy motion injunction appeal "
            "dissolution winding-up deregistration insolvency liquidation merger caveat probate "
            "affidavit abandonment renunciation objection"
        ),
        unless=word_set("draft away"),
        reason="what is filed with a court or an office sets its own course",
    ),
    Pairing(
        rule="deed.filed",
        heuristic=LOSS,
        verbs=word_set("file filing lodge lodging"),
        things=_OFFICES | word_set("agency office"),
        beside=word_set("with at to"),
        unless=_MADE_UP | word_set("away under"),
        reach=12,
        reason="what is filed with a court or an office sets its own course",
    ),
    Pairing(
        rule="deed.filed",
        heuristic=LOSS,
        verbs=_FILES,
        things=word_set(
            "papers paperwork form forms return returns notice filing filings declaration "
            "declarations statement statements accounts application disclosure registration "
            "deregistration dissolution election abandonment deed certificate charge mortgage title"
        ),
        beside=_OFFICES,
        unless=_MADE_UP | word_set("log logs request requests"),
        reach=12,
        reason="what is filed with a court or an office sets its own course",
    ),
    Pairing(
        rule="deed.filed",
        heuristic=LOSS,
        verbs=_FILES,
        things=word_set("tax taxes vat customs"),
        beside=word_set("return returns declaration declarations"),
        unless=_MADE_UP | word_set("number request requests label"),
        reason="what is filed with a court or an office sets its own course",
    ),
    Pairing(
        rule="deed.on-chain",
        heuristic=LOSS,
        verbs=word_set(
            "commit write writing broadcast broadcasting anchor anchoring settle submit publish "
            "push mint minting inscribe inscribing record recording execute deploy send post put "
            "sign finalise finalising finalize finalizing register registering"
        ),
        things=word_set("chain on-chain onchain blockchain mainnet"),
        beside=word_set("to on onto on-chain onchain"),
        unless=word_set("testnet devnet fork simulator simulation supply cold custody local note"),
        reach=12,
        reason="what stands on a {thing} is there for good",
    ),
    Pairing(
        rule="deed.retention",
        heuristic=POWER,
        verbs=word_set(
            "enable set lock apply activate activating turn turning switch put place placing add "
            "make impose imposing engage engaging"
        ),
        things=word_set(
            "retention object-lock worm immutable immutability compliance-mode write-once "
            "legal-hold"
        ),
        beside=word_set(
            "compliance compliance-mode years year decade decades permanent permanently forever "
            "worm immutable immutability object-lock write-once locked indefinitely bucket buckets "
            "storage vault archive archives backup backups share tape tapes volume volumes disk "
            "disks ledger mode"
        ),
        unless=_MADE_UP | word_set("off list tuple type reminder class field policy governance"),
        reach=12,
        reason="what is locked for so long nobody can delete, whatever it costs",
    ),
    Pairing(
        rule="deed.retention",
        heuristic=POWER,
        verbs=word_set("enable set apply activate activating turn turning switch put add"),
        things=word_set("lock locks"),
        beside=word_set("compliance object vault retention"),
        unless=_MADE_UP | word_set("off governance"),
        reach=12,
        reason="what is locked for so long nobody can delete, whatever it costs",
    ),
    Pairing(
        rule="deed.retention",
        heuristic=LOSS,
        verbs=word_set("set put change reduce lower cut"),
        things=word_set("retention"),
        beside=word_set("zero 0 none nothing hour"),
        unless=_MADE_UP,
        reach=12,
        reason="what is no longer kept is gone",
    ),
    Pairing(
        rule="deed.skipped",
        heuristic=POWER,
        verbs=word_set("bypass override overriding circumvent circumventing sidestep sidestepping"),
        things=word_set(
            "review reviews approval approvals policy policies control controls check checks hook "
            "hooks protection protections sign-off signoff gate gates safeguard safeguards ci"
        ),
        unless=word_set("cache css style styles default defaults function method question"),
        reason="to go around the {thing} takes a protection away",
    ),
    Pairing(
        rule="deed.skipped",
        heuristic=POWER,
        verbs=word_set("skip drop"),
        things=word_set(
            "validation verification check checks authentication authorisation authorization "
            "approval inspection signature signatures certificate certificates checksum review "
            "error errors warning warnings confirmation screening"
        ),
        beside=word_set(
            "tls ssl certificate certificates cert hostname host signature signatures "
            "authentication safety security identity kyc aml checksum integrity approval "
            "inspection two-person four-eyes peer fraud sanctions credit age consent csrf cors "
            "login token permission permissions approver access authorisation authorization step "
            "stage off out"
        ),
        unless=word_set(
            "paragraph section sections chapter page part appendix slide slides question video "
            "explanation introduction heading example examples topic tutorial guide exercise"
        ),
        reason="{Verb} the {thing} takes a protection away",
    ),
)
