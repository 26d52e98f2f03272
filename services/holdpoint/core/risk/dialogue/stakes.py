"""Verbs and objects that are grave together: whose pay, health, doors and names are at stake."""

from holdpoint.core.risk.dialogue.pairing import LOSS, POWER, SIZE, Pairing
from holdpoint.core.risk.words import word_set

_CHANGES = word_set(
    "change changing update updating replace replacing switch switching set setting edit editing "
    "amend amending swap swapping alter altering modify modifying correct"
)
_LOWERS = word_set(
    "raise raising increase increasing lower lowering reduce reducing double halve cut bump hike "
    "slash triple"
)
_MADE_UP = word_set(
    "draft drafts sample template test sandbox staging example mock dummy fake demo slide slides "
    "spreadsheet chart document my"
)

STAKES: tuple[Pairing, ...] = (
    Pairing(
        rule="deed.precious",
        heuristic=LOSS,
        verbs=word_set("delete remove drop wipe erase destroy trash discard scrap"),
        things=word_set(
            "user customer client patient tenant invoice invoices order orders email emails mail "
            "mails message messages row document documents photo photos video videos recording "
            "recordings contact contacts originals replica db file files team employee student "
            "following doc docx xls xlsx ppt pptx pdf csv tsv xml txt sql sqlite zip gz tgz bak "
            "png jpg jpeg mp4 mp3 wav parquet pem"
        ),
        unless=_MADE_UP
        | word_set(
            "column temp temporary temporarily cache cached local extension line lines paragraph "
            "typo typos comment label labels tag tags filter scratch duplicate duplicates copy "
            "whitespace word words field placeholder stale log header headers footer signature "
            "selection search name names out prefix suffix"
        ),
        reason="{Verb} the {thing} cannot be undone",
    ),
    Pairing(
        rule="deed.payee",
        heuristic=POWER,
        verbs=_CHANGES,
        things=word_set("bank iban payout payee remittance"),
        beside=word_set(
            "vendor vendor's vendors supplier supplier's suppliers contractor contractor's "
            "landlord landlord's employee employee's employees payroll beneficiary creditor "
            "customer's client's email letter invoice"
        ),
        unless=_MADE_UP | word_set("holiday holidays reconciliation feed statement"),
        reach=12,
        reason="whoever changes the {thing} details decides who is paid next",
    ),
    Pairing(
        rule="deed.power",
        heuristic=POWER,
        verbs=word_set("grant granting give giving add adding"),
        things=word_set("access permission permissions rights privileges"),
        beside=word_set(
            "production prod vault secret secrets payroll billing admin administrative treasury "
            "signing deploy"
        ),
        unless=word_set("read-only readonly me note notes"),
        reach=14,
        reason="{thing} of that kind gives power away",
    ),
    Pairing(
        rule="deed.dose",
        heuristic=POWER,
        verbs=_CHANGES
        | _LOWERS
        | word_set("start starting stop stopping give giving adjust administer administering"),
        things=word_set(
            "dose doses dosage basal infusion drip insulin morphine heparin warfarin oxygen "
            "chemotherapy sedation anaesthetic anesthetic ventilator defibrillator pacemaker"
        ),
        beside=word_set(
            "patient patient's patients bed ward icu unit units mg milligrams his her pump pump's "
            "limit"
        ),
        unless=_MADE_UP | word_set("leaflet chapter lesson quiz"),
        reach=14,
        reason="what is done with the {thing} acts on somebody at once",
    ),
    Pairing(
        rule="deed.dose",
        heuristic=POWER,
        verbs=word_set(
            "disable stop disconnect unplug unplugging switch kill cut shut pause suspend"
        ),
        things=word_set(
            "ventilator ventilators respirator respirators incubator incubators pacemaker "
            "defibrillator dialysis life-support"
        ),
        unless=_MADE_UP | word_set("simulator simulation manual"),
        reason="somebody may live on the {thing}",
    ),
    Pairing(
        rule="deed.pay",
        heuristic=SIZE,
        verbs=word_set("run start launch execute trigger submit release fire-off"),
        things=word_set("payroll"),
        beside=word_set("all every everyone everybody staff employees whole entire company"),
        unless=_MADE_UP | word_set("report reports summary preview dry-run query script tests"),
        reach=12,
        reason="the {thing} pays everybody at once",
    ),
    Pairing(
        rule="deed.pay",
        heuristic=SIZE,
        verbs=_CHANGES | _LOWERS,
        things=word_set("salary salaries wage wages pay payroll bonus bonuses pension pensions"),
        beside=word_set(
            "staff employees employee everyone everybody everyone's everybody's team workers "
            "drivers nurses teachers department crew percent all by"
        ),
        unless=_MADE_UP | word_set("report summary"),
        reach=12,
        reason="{Verb} the {thing} of people is a large step",
    ),
    Pairing(
        rule="deed.reaches",
        heuristic=SIZE,
        verbs=_CHANGES | _LOWERS | word_set("reset resetting apply applying"),
        things=word_set(
            "invoices customers accounts orders employees users tenants patients contracts "
            "subscriptions policies members students loans subscribers suppliers vendors products "
            "listings tickets devices device phones laptops hosts machines meters"
        ),
        beside=word_set("all every each entire whole"),
        unless=_MADE_UP | word_set("list report table column font colour color label text"),
        reach=10,
        reason="{Verb} all {thing} is a large step",
    ),
    Pairing(
        rule="deed.names",
        heuristic=POWER,
        verbs=_CHANGES | word_set("repoint point move moving migrate delete remove cut flip"),
        things=word_set("dns nameserver nameservers mx"),
        beside=word_set(
            "domain main apex root company website mail production our registrar record records "
            "over new host provider"
        ),
        unless=_MADE_UP | word_set("dev internal local page wiki docs documentation readme"),
        reach=12,
        reason="whoever looks for the name finds what the {thing} says from then on",
    ),
    Pairing(
        rule="deed.names",
        heuristic=POWER,
        verbs=_CHANGES | word_set("repoint repointing delete remove"),
        things=word_set("servers"),
        beside=word_set("domain domain's domains domains' registrar registrar's"),
        unless=_MADE_UP | word_set("dev internal local"),
        reach=12,
        reason="whoever looks for the name finds what other {thing} say from then on",
    ),
    Pairing(
        rule="deed.notice",
        heuristic=LOSS,
        verbs=word_set("resign quit quitting"),
        things=word_set("behalf"),
        unless=_MADE_UP,
        reason="{Verb} on somebody's {thing} ends what they may not get again",
    ),
    Pairing(
        rule="deed.protection",
        heuristic=POWER,
        verbs=word_set(
            "remove removing drop dropping lift lifting waive waiving skip relax loosen"
        ),
        things=word_set("requirement requirements rule prompt step"),
        beside=word_set(
            "password passwords login sign-in authentication approval approvals two-factor 2fa mfa "
            "verification signature"
        ),
        unless=_MADE_UP,
        reason="without that {thing} a protection is gone",
    ),
    Pairing(
        rule="deed.protection",
        heuristic=POWER,
        verbs=word_set("reset resetting clear clearing re-enrol re-enroll"),
        things=word_set("mfa 2fa two-factor authenticator second-factor passkey passkeys"),
        unless=_MADE_UP | word_set("my docs documentation"),
        reason="without the {thing} of before a password alone lets somebody in",
    ),
    Pairing(
        rule="deed.protection",
        heuristic=POWER,
        verbs=word_set("unsubscribe unsubscribing remove removing drop take sign"),
        things=word_set("emergency paging on-call alarm alarms sos"),
        beside=word_set("service list alerts alerting paging rota notifications from"),
        unless=_MADE_UP | word_set("duplicate duplicates"),
        reach=10,
        reason="whoever gets no word of an {thing} cannot help",
    ),
    Pairing(
        rule="deed.supply",
        heuristic=POWER,
        verbs=word_set("stop cut disable shut kill switch turn halt"),
        things=word_set("cooling chiller chillers pump pumps compressor compressors"),
        beside=word_set(
            "hall rack racks data server room plant reactor ward cold storage controller"
        ),
        unless=word_set("fan laptop"),
        reach=12,
        reason="{Verb} the {thing} stops what depends on it",
    ),
    Pairing(
        rule="deed.supply",
        heuristic=POWER,
        verbs=word_set("unplug unplugging"),
        things=word_set("ups server router switch freezer fridge ventilator nas rack firewall"),
        reason="{Verb} the {thing} stops what depends on it",
    ),
    Pairing(
        rule="deed.halt",
        heuristic=POWER,
        verbs=word_set("scale scaling fail failing"),
        things=word_set("production prod primary database db cluster"),
        beside=word_set("zero over"),
        unless=_MADE_UP,
        reason="{Verb} the {thing} so stops people's work",
    ),
    Pairing(
        rule="deed.dose",
        heuristic=POWER,
        verbs=_CHANGES | _LOWERS,
        things=word_set("dose doses dosage"),
        beside=word_set("times double twice half from to"),
        unless=_MADE_UP | word_set("leaflet chapter lesson quiz"),
        reach=10,
        reason="what is done with the {thing} acts on somebody at once",
    ),
    Pairing(
        rule="deed.protection",
        heuristic=POWER,
        verbs=word_set("lower weaken relax loosen shorten"),
        things=word_set("policy policies requirement requirements"),
        beside=word_set("password passwords login lockout security access"),
        unless=_MADE_UP,
        reason="{Verb} the {thing} takes a protection away",
    ),
    Pairing(
        rule="deed.protection",
        heuristic=POWER,
        verbs=word_set("suppress suppressing silence silencing mute muting"),
        things=word_set("alert alerts alarm alarms warnings"),
        beside=word_set("security intrusion fraud smoke fire production monitoring emergency"),
        unless=_MADE_UP,
        reason="{Verb} the {thing} takes a protection away",
    ),
    Pairing(
        rule="deed.confided",
        heuristic=LOSS,
        verbs=word_set("tell telling inform informing notify notifying announce announcing"),
        things=word_set("hacked breached leaked breach leak"),
        beside=word_set("customers customer users everyone everybody public clients partners"),
        unless=word_set("draft drafts"),
        reach=12,
        reason="what people were told of what {thing} cannot be called back",
    ),
    Pairing(
        rule="deed.lapses",
        heuristic=LOSS,
        verbs=word_set("withdraw withdrawing"),
        things=word_set(
            "enrolment enrollment candidacy admission application registration consent appeal "
            "offer nomination claim"
        ),
        unless=_MADE_UP,
        reason="whoever withdraws the {thing} may not get it again",
    ),
    Pairing(
        rule="deed.confided",
        heuristic=LOSS,
        verbs=word_set("reply replying tell telling write email answer confirm confirming admit"),
        things=word_set("journalist journalists reporter reporters press newspaper media"),
        beside=word_set(
            "breach incident leak layoffs merger acquisition investigation outage lawsuit recall "
            "redundancies"
        ),
        unless=word_set("draft drafts about article articles coverage"),
        reach=14,
        reason="what the {thing} is told cannot be called back",
    ),
    Pairing(
        rule="deed.opened-up",
        heuristic=POWER,
        verbs=word_set("put putting place placing move moving take taking"),
        things=word_set("vpn firewall address ip interface"),
        beside=word_set("public outside behind internet"),
        unless=_MADE_UP | word_set("library office letter"),
        reach=14,
        reason="what stands in front of the {thing} lets everybody in",
    ),
)
