"""Verbs and objects that are grave together: people's work, machines, rights, what is sold."""

from holdpoint.core.risk.dialogue.pairing import LOSS, POWER, SIZE, Pairing
from holdpoint.core.risk.words import word_set

_PEOPLE = word_set(
    "employee employees freelancer freelancers worker workers staff contractor contractors team "
    "crew manager managers assistant assistants intern interns nurse nurses teacher teachers "
    "driver drivers clerk guard cook engineer engineers developer developers agent agents him her "
    "them everyone everybody people cleaner cleaners secretary director tutor shift"
)

_SHOWN = word_set("css style styles method function test tests mock draft chapter game")

HAZARDS: tuple[Pairing, ...] = (
    Pairing(
        rule="deed.lapses",
        heuristic=LOSS,
        verbs=word_set("cancel"),
        things=word_set(
            "domain registration insurance policy licence license patent trademark warranty cover "
            "coverage lease option visa permit operation surgery treatment transplant scholarship"
        ),
        reason="whoever lets the {thing} go may not get it again",
    ),
    Pairing(
        rule="deed.dismissed",
        heuristic=LOSS,
        verbs=word_set("fire firing sack dismiss"),
        things=_PEOPLE,
        unless=word_set("event events alarm drill notification banner toast popup alert request"),
        reason="{Verb} people ends their work",
    ),
    Pairing(
        rule="deed.recalled",
        heuristic=SIZE,
        verbs=word_set("recall recalling"),
        things=word_set(
            "shipment shipments batch batches lot lots product products vehicles cars units "
            "devices implants pumps drug vaccine vaccines medicine toys"
        ),
        unless=word_set("can cannot what how why that when who said remember draft notice"),
        reason="{Verb} the {thing} reaches everybody who has one",
    ),
    Pairing(
        rule="deed.unplugged",
        heuristic=LOSS,
        verbs=word_set("cancel"),
        things=word_set("plug"),
        beside=word_set(
            "primary server servers cluster database production prod replica site service host "
            "node mainframe exchange gateway rack datacenter datacentre network"
        ),
        reason="to pull the {thing} on it stops whoever uses it",
    ),
    Pairing(
        rule="deed.dissolved",
        heuristic=LOSS,
        verbs=word_set("dissolve deregister liquidate disband end wind-down"),
        things=word_set(
            "company firm business charity association partnership foundation club "
            "subsidiary trust fund corporation cooperative entity consortium society"
        ),
        reason="{Verb} the {thing} ends it",
    ),
    Pairing(
        rule="deed.spilled",
        heuristic=LOSS,
        verbs=word_set(
            "drain draining dump dumping pour pouring flush empty vent venting discharge "
            "discharging release pump pumping discard"
        ),
        things=word_set("river sea lake sewer creek ocean soil groundwater stream pond canal"),
        unless=word_set("data event video audio log logs"),
        reason="what is in the {thing} once cannot be brought back",
    ),
    Pairing(
        rule="deed.blanked",
        heuristic=LOSS,
        verbs=word_set("replace overwrite fill swap"),
        things=word_set(
            "contents content everything data file files sheet spreadsheet table database page "
            "document disk drive folder"
        ),
        beside=word_set("empty blank nothing zero zeros zeroes null nulls"),
        unless=word_set("cell cells value values missing draft"),
        reach=12,
        reason="{Verb} the {thing} with nothing loses what was in it",
    ),
    Pairing(
        rule="deed.actuated",
        heuristic=POWER,
        verbs=word_set("open close shut release unlock lower raise disengage"),
        things=word_set(
            "valve valves sluice floodgate floodgates breaker breakers hatch hatches dam penstock "
            "brake brakes clamp clamps turbine barrier barriers airlock vents"
        ),
        unless=word_set("chapter page tab file ticket issue drawing diagram case"),
        reason="{Verb} the {thing} moves what cannot be moved back in time",
    ),
    Pairing(
        rule="deed.override",
        heuristic=POWER,
        verbs=word_set(
            "wire set change reconfigure configure configuring make rig rigging reprogram "
            "reprogramming switch adjust put patch tell modify edit"
        ),
        things=word_set("ignore bypass override skip suppress defeat ignores skips bypasses"),
        beside=word_set(
            "emergency interlock interlocks limiter failsafe fail-safe safety warnings alarm "
            "alarms checks guard guards protection limit limits review approval approvals "
            "authentication"
        ),
        reach=12,
        reason="to make it {thing} a safeguard takes a protection away",
    ),
    Pairing(
        rule="deed.override",
        heuristic=POWER,
        verbs=word_set("override overriding defeat defeating bridge bridging"),
        things=word_set(
            "interlock interlocks failsafe fail-safe guard guards alarm alarms limiter watchdog "
            "lockout cutoff cut-out deadman dead-man"
        ),
        unless=_SHOWN,
        reason="{Verb} the {thing} takes a protection away",
    ),
    Pairing(
        rule="deed.sold",
        heuristic=SIZE,
        verbs=word_set("sell liquidate short auction"),
        things=word_set(
            "share shares stock stocks holding holdings position positions portfolio bond bonds "
            "house flat land business company stake patent rights coins bitcoin gold domain "
            "trademark"
        ),
        uncounted=True,
        reason="what is sold is sold, whatever it brings",
    ),
    Pairing(
        rule="deed.sold",
        heuristic=SIZE,
        verbs=word_set("put place placing list listing"),
        things=word_set("market auction"),
        beside=word_set("house flat land property company business farm boat estate building"),
        unless=word_set("report research analysis draft chart"),
        reason="what is put on the {thing} may be gone",
    ),
    Pairing(
        rule="deed.reaches",
        heuristic=SIZE,
        verbs=word_set("run execute apply trigger"),
        things=word_set("dedupe deduplication merge cleanup clean-up purge sweep migration script"),
        beside=word_set("all every entire whole everyone everybody each full"),
        unless=word_set("test tests dry dry-run locally local staging sandbox preview"),
        reach=12,
        reason="a {thing} over all of them is a large step",
    ),
    Pairing(
        rule="deed.severed",
        heuristic=POWER,
        verbs=word_set("disconnect sever isolate isolating severing"),
        things=word_set(
            "office branch clinic hospital school site network internet grid mains plant ward "
            "warehouse region district customers"
        ),
        unless=word_set("bluetooth headset session call"),
        reason="{Verb} the {thing} leaves people without it",
    ),
    Pairing(
        rule="deed.reaches",
        heuristic=SIZE,
        verbs=word_set("deploy enrol enroll book reserve dispatch push broadcast"),
        things=word_set("everyone everybody anyone anybody all every whole entire each full"),
        beside=word_set(
            "staff department faculty team company school everyone everybody anyone anybody fleet "
            "notification notifications alert alerts message messages update updates patch patches "
            "site workforce firmware users customers devices phones members guests people class "
            "year"
        ),
        reach=12,
        reason="{Verb} it reaches {thing} of them at once",
    ),
)
