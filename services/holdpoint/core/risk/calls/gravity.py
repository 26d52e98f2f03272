"""Names of deeds that are hard to undo although their verb alone is not, each with its reason."""

from itertools import pairwise

from holdpoint.core.risk.lexicon import word_set

_OFF = word_set(
    "disable disarm unlock bypass deactivate stop suspend pause skip override defeat lift silence "
    "weaken off"
)
_ENDED = word_set(
    "stop pause halt suspend shutdown poweroff kill hibernate freeze archive reboot restart"
)

FINAL: tuple[tuple[frozenset[str], frozenset[str], str], ...] = (
    (
        word_set("deactivate disable suspend ban offboard"),
        word_set("account accounts user users tenant workspace organization organisation customer"),
        "locks somebody out",
    ),
    (word_set("factory hard"), word_set("reset"), "puts it back to its first day"),
    (
        word_set("reset revert restore"),
        word_set("database db cluster factory production prod vm schema"),
        "loses what was in it",
    ),
    (word_set("revert"), word_set("snapshot backup"), "loses what was in it"),
    (word_set("force"), word_set("push"), "rewrites what others rely on"),
    (
        word_set("merge automerge dedupe deduplicate"),
        word_set("accounts contacts customers records users patients leads companies profiles"),
        "makes one of several for good",
    ),
    (
        _OFF,
        word_set(
            "alarm lock door doors firewall mfa fa totp webauthn authentication antivirus "
            "monitoring encryption backup backups logging security protection waf guardrail "
            "guardrails edr audit versioning retention replication interlock sprinkler sprinklers "
            "smoke safety failover verification embargo quarantine sandboxing check checks warning "
            "warnings approval alerts alerting alarms paging guardduty cloudtrail securityhub "
            "macie defender crowdstrike falcon sentinelone siem selinux apparmor firewalld tamper "
            "xdr dlp ids ips dnssec hsts dkim dmarc spf csrf captcha geofence"
        ),
        "takes a protection away",
    ),
    (
        word_set("transfer reassign handover"),
        word_set("ownership domain repository repo workspace tenant title deed custody number nft"),
        "gives it to somebody who need not give it back",
    ),
    (
        word_set("schedule request initiate start confirm execute trigger submit"),
        word_set("deletion removal termination erasure destruction closure deactivation"),
        "sets a loss going that nobody stops",
    ),
    (
        word_set("fire dismiss terminate layoff"),
        word_set("employee employees worker workers staff contractor"),
        "ends what somebody lives by",
    ),
    (word_set("release"), word_set("escrow funds deposit"), "pays out what was held back"),
    (
        word_set("release"),
        word_set("number numbers phone ip eip address addresses domain hostname handle username"),
        "gives up what somebody else may take",
    ),
    (
        word_set("release publish push submit rollout yank"),
        word_set("firmware ota package crate gem npm pypi app appstore playstore"),
        "reaches everybody who uses it",
    ),
    (
        word_set("flash reflash burn"),
        word_set("firmware bios uefi rom bootloader ecu plc eeprom"),
        "leaves it dead if it fails",
    ),
    (
        word_set("publish release issue"),
        word_set(
            "press statement earnings results embargoed announcement grades marks transcripts"
        ),
        "cannot be taken back once people read it",
    ),
    (
        word_set("distribute submit publish send post release issue file"),
        word_set("newswire prnewswire businesswire globenewswire"),
        "cannot be taken back once people read it",
    ),
    (
        word_set("release discharge waive accept"),
        word_set("lien guarantee settlement claim claims mortgage"),
        "gives up a right for good",
    ),
    (
        word_set("run process execute submit approve release disburse finalize finalise"),
        word_set("payroll payrun payruns payouts ach bacs sepa disbursements"),
        "pays many people at once",
    ),
    (
        word_set("sign execute countersign esign"),
        word_set(
            "contract agreement deed lease loan settlement waiver mortgage document documents "
            "envelope nda offer"
        ),
        "binds somebody",
    ),
    (
        word_set("file lodge submit efile"),
        word_set("court motion petition bankruptcy lawsuit tax taxes resignation"),
        "cannot be called back",
    ),
    (
        word_set("administer inject infuse dispense bolus"),
        word_set("medication medicine dose drug insulin opioid"),
        "cannot be called back",
    ),
    (
        word_set(
            "set adjust change update program start stop increase decrease override deliver put"
        ),
        word_set(
            "insulin basal bolus infusion ventilator pacemaker defibrillator dialysis anesthesia "
            "anaesthesia ecmo neurostimulator oxygen dose dosage doses"
        ),
        "acts on somebody's body",
    ),
    (
        word_set(
            "submit prescribe order sign renew refill place approve dispense modify change adjust "
            "titrate increase decrease double amend update substitute switch"
        ),
        word_set("medication medications medicine prescription prescriptions drug drugs opioid"),
        "is something that somebody will take",
    ),
    (
        word_set("open vent trip control actuate"),
        word_set("valve valves sluice spillway floodgate breaker breakers feeder"),
        "cannot be called back",
    ),
    (
        word_set("start launch trigger run execute initiate switchover"),
        word_set("failover cutover switchover"),
        "moves everybody to another place",
    ),
    (
        word_set("change update set replace swap"),
        word_set("nameserver nameservers mx"),
        "moves everybody to another place",
    ),
    (
        word_set("change update set replace edit"),
        word_set("iban beneficiary payee bank"),
        "sends money somewhere else from now on",
    ),
    (
        _ENDED,
        word_set("project projects cluster clusters fleet datacenter region plant turbine reactor"),
        "stops everything that runs in it",
    ),
    (word_set("prescribe"), frozenset(), "is something that somebody will take"),
    (
        word_set("order orders"),
        word_set("cpoe ehr emr rx"),
        "is something that somebody will take",
    ),
    (word_set("add append edit write grant set"), word_set("sudoers"), "gives away all power"),
    (word_set("charge write strike writing"), word_set("off"), "gives up what is owed"),
    (
        word_set("enable enter activate"),
        word_set("maintenance"),
        "puts it out of use for everybody",
    ),
    (word_set("seal"), word_set("vault cluster"), "locks everybody out"),
    (
        word_set("unlock"),
        word_set("vehicle car truck safe gate smartlock"),
        "lets in whoever stands there",
    ),
    (word_set("writeoff chargeoff"), frozenset(), "gives up what is owed"),
    (word_set("port"), word_set("out"), "gives up what somebody else may take"),
    (word_set("opt"), word_set("out"), "gives up what may not be offered again"),
    (word_set("rewrite"), word_set("history"), "rewrites what others rely on"),
    (word_set("impersonate impersonation"), frozenset(), "acts in somebody else's name"),
    (
        word_set("leave"),
        word_set("organization organisation org workspace tenant guild company"),
        "gives up what others must give back",
    ),
    (word_set("deploy"), word_set("contract contracts"), "cannot be called back"),
    (word_set("publish"), word_set("release releases"), "reaches everybody who uses it"),
    (word_set("reset"), word_set("offset offsets"), "loses what was in it"),
    (word_set("self"), word_set("destruct"), "leaves nothing of it"),
    (word_set("tear"), word_set("down"), "leaves nothing of it"),
    (
        word_set("reset clear remove"),
        word_set("mfa fa otp totp authenticator passkey passkeys webauthn"),
        "lets in whoever has the password",
    ),
    (
        word_set("takeoff launch arm"),
        word_set("drone drones uav quadcopter aircraft"),
        "moves what people may stand beside",
    ),
    (
        word_set("accept agree consent"),
        word_set("terms tos eula agreement msa"),
        "binds somebody",
    ),
    (word_set("rotate"), word_set("root master signing"), "locks out whoever has the old one"),
    (word_set("rollback reformat overwrite truncate"), frozenset(), "loses what is there now"),
    (
        word_set("launch detonate fire"),
        word_set("missile weapon rocket torpedo"),
        "cannot be called back",
    ),
)
"""Verbs, things (none: whatever it is), and why that is hard to undo."""


def why_final(words: tuple[str, ...]) -> str:
    """Why what these words of a name do is hard to undo; empty when nothing says so."""
    said = frozenset(words)
    if not said.isdisjoint(_ONLY_ABOUT):
        return ""
    if set(pairwise(words)) & _MOVED:
        return "moves what people may stand beside"
    if said.isdisjoint(_VERBS):
        return ""
    reasons = (
        why for verbs, things, why in FINAL if verbs & said and (things & said or not things)
    )
    return next(reasons, "")


def acts(words: tuple[str, ...]) -> bool:
    """Whether a name begins with what one does: `run_payroll`, `initiate_failover`."""
    return len(words) > 1 and words[0] in _VERBS


_ONLY_ABOUT = word_set("reminder reminders diary draft drafts")
"""Beside these it is only spoken of."""

_MOVED = frozenset({("remote", "start"), ("emergency", "shutdown"), ("remote", "drive")})
"""Deeds of machines in two words."""

_VERBS = frozenset[str]().union(*(verbs for verbs, _, _ in FINAL))
