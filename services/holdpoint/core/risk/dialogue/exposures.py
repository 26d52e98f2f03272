"""Verbs and objects that are grave together: what is shown to others, cut off, told to people."""

from holdpoint.core.risk.dialogue.pairing import LOSS, POWER, SIZE, Pairing
from holdpoint.core.risk.dialogue.verbs import SECRETS
from holdpoint.core.risk.words import word_set

_HANDS_OVER = word_set(
    "send ship share forward give hand email mail pass upload export transfer leak disclose post "
    "show deliver release supply provide copy move hand-over publish paste put"
)
_OPEN_PLACES = word_set(
    "public wiki channel forum chat slack internet web website pastebin blog thread online readme "
    "repo repository gist everyone everybody anyone contractors contractor partners partner "
    "ticket issue comment"
)
_OUTSIDERS = word_set(
    "agency agencies employer employers landlord press newspaper journalist journalists reporter "
    "advertiser advertisers marketing competitor competitors insurer insurers broker brokers "
    "outsider outsiders external outside third-party stranger strangers neighbour neighbor ex "
    "ex-husband ex-wife public internet forum vendor vendors partner partners contractor "
    "contractors freelancer private gmail recruiter recruiters anyone anybody everyone everybody "
    "pastebin gist hastebin imgur wetransfer supplier suppliers"
)
_OUTSIDERS |= {f"{one}'s" for one in _OUTSIDERS}
_SPARED = word_set("draft drafts sandbox test rule rules sample template")
_PACKAGES = word_set("npm pypi crates maven rubygems nuget packagist hackage cpan")

EXPOSURES: tuple[Pairing, ...] = (
    Pairing(
        rule="deed.exposed",
        heuristic=LOSS,
        verbs=word_set(
            "put place paste post write upload commit save store copy add hand give share pin"
        ),
        things=SECRETS | word_set("key certificate cert pin"),
        beside=_OPEN_PLACES,
        reach=12,
        reason="{Verb} a {thing} where others read it cannot be taken back",
    ),
    Pairing(
        rule="deed.disclosed",
        heuristic=POWER,
        verbs=word_set("hand give share send tell pass email mail text forward read"),
        things=word_set("password passwords passphrase credentials passcode"),
        beside=word_set("root admin administrator master production prod database bank vault our"),
        unless=word_set("reset link policy manager hint temporary placeholder dummy sandbox"),
        reason="whoever knows a {thing} can come in",
    ),
    Pairing(
        rule="deed.disclosed",
        heuristic=LOSS,
        verbs=_HANDS_OVER,
        things=word_set(
            "patient patients patient's patients' medical health salary salaries payslip payslips "
            "payroll tax personal confidential private customers customer personnel inbox mailbox "
            "diagnosis passport passports bank"
        ),
        beside=_OUTSIDERS,
        reach=12,
        unless=word_set("pharmacy hospital clinic doctor"),
        reason="what is told of a {thing} to outsiders cannot be called back",
    ),
    Pairing(
        rule="deed.disclosed",
        heuristic=LOSS,
        verbs=word_set("forward redirect export copy sync reroute rerouting auto-forward"),
        things=word_set("mail mails emails inbox mailbox correspondence messages chats"),
        beside=word_set("gmail hotmail yahoo protonmail icloud private personal outside external"),
        reach=12,
        unless=_SPARED,
        reason="what a private account gets of the {thing} cannot be called back",
    ),
    Pairing(
        rule="deed.disclosed",
        heuristic=LOSS,
        verbs=word_set("reply-all replying-all reply replying cc"),
        things=word_set(
            "salary salaries payroll payslip payslips medical confidential diagnosis severance "
            "redundancy redundancies layoffs"
        ),
        beside=word_set("with attaching attached all everyone everybody including"),
        reach=12,
        unless=_SPARED,
        reason="what all of them read of the {thing} cannot be called back",
    ),
    Pairing(
        rule="deed.disclosed",
        heuristic=LOSS,
        verbs=word_set("publish post upload put share announce circulate"),
        things=word_set("salary salaries payroll medical disciplinary severance diagnosis"),
        beside=word_set("intranet wiki channel company-wide noticeboard slack sharepoint"),
        reach=12,
        unless=_SPARED | word_set("anonymised anonymized aggregated bands"),
        reason="what all of them read of the {thing} cannot be called back",
    ),
    Pairing(
        rule="deed.visible",
        heuristic=LOSS,
        verbs=word_set("make set leave put open turn get"),
        things=word_set("visible accessible reachable viewable readable discoverable available"),
        beside=word_set(
            "everyone everybody anyone anybody world internet public whole entire all outsiders"
        ),
        unless=word_set("sure draft"),
        reach=12,
        reason="what is {thing} to everybody once cannot be called back",
    ),
    Pairing(
        rule="deed.published-data",
        heuristic=LOSS,
        verbs=word_set("publish post tweet upload leak leaking"),
        things=word_set(
            "customers users patients members employees tenants students clients guests donors "
            "subscribers residents pupils"
        ),
        beside=word_set("data details addresses emails records numbers histories"),
        unless=_SPARED
        | word_set("for about aggregate aggregated anonymised anonymized internal internally"),
        reason="what people have read of {thing} cannot be called back",
    ),
    Pairing(
        rule="deed.published-data",
        heuristic=LOSS,
        verbs=word_set("publish post tweet upload announce print"),
        things=word_set(
            "everyone's everybody's home private personal medical people's her his customers' "
            "customer's users' patients' members' employees' tenants' students'"
        ),
        beside=word_set(
            "address addresses phone number numbers diagnosis birthdate birthdates whereabouts "
            "payslip payslips records"
        ),
        reason="what people have read of {thing} matters cannot be called back",
    ),
    Pairing(
        rule="deed.published-data",
        heuristic=LOSS,
        verbs=word_set("publish post tweet upload announce release leak leaking"),
        things=word_set("names name addresses faces photos identities identity"),
        beside=word_set(
            "complainants complainant victims victim witnesses witness patients patient minors "
            "minor donors informants informant pupils hostages suspects suspect whistleblower "
            "whistleblowers members tenants"
        ),
        unless=word_set("draft sandbox internal internally anonymised anonymized"),
        reach=12,
        reason="whose {thing} are known once stay known",
    ),
    Pairing(
        rule="deed.leaked",
        heuristic=LOSS,
        verbs=word_set("leak leaking disclose disclosing"),
        things=word_set(
            "press public newspaper newspapers journalist journalists reporter reporters media "
            "competitor competitors internet"
        ),
        reason="what is told to the {thing} cannot be called back",
    ),
    Pairing(
        rule="deed.opened-up",
        heuristic=POWER,
        verbs=word_set("open expose exposing unblock forward put place"),
        things=word_set(
            "database databases db port ports server servers bucket firewall api dashboard service "
            "cluster network router cameras camera panel console interface endpoint admin"
        ),
        beside=word_set("internet world everyone everybody anyone anybody public outside 0.0.0.0"),
        reach=12,
        reason="{Verb} the {thing} to everybody lets everybody in",
    ),
    Pairing(
        rule="deed.confided",
        heuristic=LOSS,
        verbs=_HANDS_OVER | word_set("handing leaking passing"),
        things=word_set(
            "memo memos takeover merger embargoed unpublished transcript dossier minutes findings "
            "figures plans strategy forecast"
        ),
        beside=word_set(
            "journalist journalists reporter reporters newspaper newspapers competitor competitors "
            "blogger bloggers"
        ),
        reach=12,
        reason="what is told of the {thing} to outsiders cannot be called back",
    ),
    Pairing(
        rule="deed.package",
        heuristic=LOSS,
        verbs=word_set("publish release push upload ship deploy"),
        things=_PACKAGES,
        beside=word_set("to"),
        unless=word_set("draft sandbox dry-run test local private staging mirror"),
        reach=12,
        reason="what {thing} hands out once others already build with",
    ),
    Pairing(
        rule="deed.package",
        heuristic=LOSS,
        verbs=word_set("unpublish yank yanking"),
        things=_PACKAGES,
        beside=word_set("from off"),
        unless=word_set("draft sandbox dry-run test local private staging mirror cache lockfile"),
        reach=12,
        reason="whoever builds with what {thing} hands out is left without it",
    ),
    Pairing(
        rule="deed.limits",
        heuristic=POWER,
        verbs=word_set("lift lifting loosen loosening"),
        things=word_set(
            "limit limits limiter restriction restrictions ban embargo sanctions quarantine "
            "lockdown curfew moratorium injunction interlock interlocks"
        ),
        unless=word_set("zoom character word characters words"),
        reason="{Verb} the {thing} takes a protection away",
    ),
    Pairing(
        rule="deed.supply",
        heuristic=POWER,
        verbs=word_set("stop cut disable disconnect shut kill block interrupt halt close turn"),
        things=word_set(
            "power electricity mains gas oxygen water ventilation coolant refrigeration"
        ),
        unless=word_set("save saving button bill meter cup kettle heater bottle"),
        reason="{Verb} the {thing} stops what depends on it",
    ),
    Pairing(
        rule="deed.notice",
        heuristic=LOSS,
        verbs=word_set(
            "send mail issue serve hand deliver email post dispatch file give text start"
        ),
        things=word_set(
            "termination dismissal dismissals eviction redundancy layoff layoffs foreclosure "
            "resignation subpoena lawsuit summons cease-and-desist ultimatum"
        ),
        unless=word_set("draft sample template"),
        reason="what a {thing} notice sets going cannot be called back",
    ),
    Pairing(
        rule="deed.campaign",
        heuristic=SIZE,
        verbs=word_set("launch start send release schedule trigger"),
        things=word_set("campaign mailing mailshot newsletter mail-merge blast"),
        unless=word_set("draft test"),
        reason="{Verb} a {thing} reaches many people at once",
    ),
)
