"""Verbs and objects that are grave together: machines taken out, buttons pressed, secrets told."""

from holdpoint.core.risk.dialogue.pairing import LOSS, POWER, SIZE, Pairing
from holdpoint.core.risk.words import word_set

_MADE_UP = word_set(
    "draft drafts sample template test sandbox staging example mock dummy fake demo simulation "
    "simulator slide slides"
)
_HOSTS = word_set(
    "node nodes worker workers host hosts server servers instance instances broker brokers shard "
    "shards replica replicas machine machines"
)

STEPS: tuple[Pairing, ...] = (
    Pairing(
        rule="deed.halt",
        heuristic=POWER,
        verbs=word_set("fail-over"),
        things=word_set(
            "primary production prod database databases db cluster clusters region master site "
            "service services system gateway payments datacentre datacenter"
        ),
        unless=_MADE_UP,
        reason="{Verb} the {thing} sends people's work to other machines at once",
    ),
    Pairing(
        rule="deed.supply",
        heuristic=POWER,
        verbs=word_set("switch set put turn"),
        things=word_set(
            "pump pumps valve valves turbine turbines reactor boiler boilers crane cranes burner "
            "compressor chiller train trains signals sluice locks"
        ),
        beside=word_set("manual bypass override"),
        unless=_MADE_UP | word_set("page pages chapter text"),
        reach=10,
        reason="nothing minds the {thing} by itself any more",
    ),
    Pairing(
        rule="deed.power",
        heuristic=POWER,
        verbs=word_set("transfer give"),
        things=word_set("ownership"),
        unless=_MADE_UP | word_set("talk lesson chapter"),
        reason="whoever has the {thing} decides from then on",
    ),
    Pairing(
        rule="deed.final",
        heuristic=LOSS,
        verbs=word_set("book buy order purchase reserve pay"),
        things=word_set("non-refundable nonrefundable"),
        unless=_MADE_UP,
        reason="what is {thing} is not paid back",
    ),
    Pairing(
        rule="deed.halt",
        heuristic=POWER,
        verbs=word_set("stop"),
        things=word_set("kill kill-switch"),
        unless=_MADE_UP,
        reason="a {thing} switch stops what people work with",
    ),
    Pairing(
        rule="deed.protection",
        heuristic=POWER,
        verbs=word_set("leave-open"),
        things=word_set("unlocked unguarded unattended unsecured unprotected"),
        beside=word_set(
            "door doors gate gates safe vault room building shop warehouse hatch window windows "
            "server rack reactor cabinet armoury pharmacy"
        ),
        unless=_MADE_UP,
        reach=12,
        reason="what stands {thing} is open to whoever comes by",
    ),
    Pairing(
        rule="deed.halt",
        heuristic=POWER,
        verbs=word_set("switch"),
        things=word_set("cutover cut-over failover switchover"),
        unless=_MADE_UP,
        reason="a {thing} sends people's work to other machines at once",
    ),
    Pairing(
        rule="deed.halt",
        heuristic=POWER,
        verbs=word_set("switch fail-over"),
        things=word_set("replica standby secondary follower"),
        beside=word_set("over to onto"),
        unless=_MADE_UP | word_set("tab view"),
        reason="{Verb} to the {thing} sends people's work there at once",
    ),
    Pairing(
        rule="deed.halt",
        heuristic=POWER,
        verbs=word_set("reboot restart"),
        things=word_set("fleet farm region datacenter datacentre"),
        unless=_MADE_UP,
        reason="{Verb} the {thing} stops people's work",
    ),
    Pairing(
        rule="deed.halt",
        heuristic=POWER,
        verbs=word_set("promote"),
        things=word_set("replica standby secondary follower slave"),
        unless=_MADE_UP,
        reason="{Verb} the {thing} sends people's work there at once",
    ),
    Pairing(
        rule="deed.halt",
        heuristic=POWER,
        verbs=word_set("stop"),
        things=word_set("shutdown"),
        beside=_HOSTS | word_set("rack racks cluster plant line site system network datacentre"),
        unless=_MADE_UP | word_set("hook handler script"),
        reason="a {thing} stops people's work",
    ),
    Pairing(
        rule="deed.final",
        heuristic=LOSS,
        verbs=word_set("reset"),
        things=word_set("hard factory"),
        unless=_MADE_UP,
        reason="after a {thing} reset the old content is lost",
    ),
    Pairing(
        rule="deed.halt",
        heuristic=POWER,
        verbs=word_set("drain draining cordon cordoning"),
        things=_HOSTS,
        unless=_MADE_UP,
        reason="whatever runs on the {thing} has to move or stop",
    ),
    Pairing(
        rule="deed.halt",
        heuristic=POWER,
        verbs=word_set("remove"),
        things=word_set("pool rotation cluster quorum balancer"),
        beside=_HOSTS,
        unless=_MADE_UP,
        reason="without it the {thing} has less to work with",
    ),
    Pairing(
        rule="deed.published",
        heuristic=LOSS,
        verbs=word_set("publish send announce"),
        things=word_set("press investors shareholders analysts"),
        beside=word_set("on to"),
        unless=_MADE_UP,
        reason="what the {thing} has read once cannot be called back",
    ),
    Pairing(
        rule="deed.published",
        heuristic=LOSS,
        verbs=word_set("publish"),
        things=word_set("report results figures earnings statement"),
        beside=word_set("annual quarterly earnings financial interim"),
        unless=_MADE_UP | word_set("internal internally"),
        reason="what people have read once cannot be called back",
    ),
    Pairing(
        rule="deed.everybody",
        heuristic=SIZE,
        verbs=word_set("forward send email message post notify share text invite"),
        things=word_set("half third thirds majority"),
        beside=word_set(
            "company staff customers clients users subscribers members employees department "
            "followers"
        ),
        unless=word_set("draft me summary"),
        reason="{Verb} goes to very many at once",
    ),
    Pairing(
        rule="deed.pay",
        heuristic=SIZE,
        verbs=word_set("add append insert put tack tacking"),
        things=word_set("zero zeros zeroes nought noughts"),
        beside=word_set(
            "salary bonus wage wages pay amount price invoice payment payout refund payroll rate "
            "budget order transfer limit"
        ),
        unless=_MADE_UP | word_set("leading trailing column format string axis chart"),
        reach=10,
        reason="one {thing} more makes it ten times as much",
    ),
    Pairing(
        rule="deed.confided",
        heuristic=LOSS,
        verbs=word_set(
            "reveal revealing disclose disclosing divulge divulging post share publish forward text"
        ),
        things=word_set(
            "salary salaries diagnosis identity whistleblower informant pay wages medical "
            "condition illness pregnancy address"
        ),
        beside=word_set(
            "manager boss employer colleague colleagues recruiter board team press husband wife "
            "landlord insurer everyone everybody client customer supervisor chat channel family "
            "feed"
        ),
        unless=_MADE_UP,
        reach=12,
        reason="what is told of the {thing} cannot be called back",
    ),
    Pairing(
        rule="deed.program",
        heuristic=POWER,
        verbs=word_set("let"),
        things=word_set("run execute"),
        beside=word_set("sudo root administrator unattended unsupervised"),
        unless=_MADE_UP,
        reach=10,
        reason="what may {thing} so can do whatever it likes",
    ),
    Pairing(
        rule="deed.actuated",
        heuristic=POWER,
        verbs=word_set("vent venting depressurise depressurize"),
        things=word_set("tank tanks vessel reactor reactor's chamber cylinder boiler autoclave"),
        unless=_MADE_UP | word_set("manual chapter"),
        reason="what is let out of the {thing} cannot be put back",
    ),
    Pairing(
        rule="deed.dispatched",
        heuristic=POWER,
        verbs=word_set("dispatch scramble scrambling"),
        things=word_set(
            "ambulance ambulances crew crews police patrol helicopter engine squad medics "
            "paramedics lifeboat"
        ),
        unless=_MADE_UP | word_set("report event events action reducer message queue"),
        reason="whoever is sent out there is missing elsewhere",
    ),
)
