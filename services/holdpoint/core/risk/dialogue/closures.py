"""Verbs and objects that are grave together: what is closed, given up, wound back."""

from holdpoint.core.risk.dialogue.pairing import LOSS, POWER, SIZE, Pairing
from holdpoint.core.risk.dialogue.verbs import SENDS
from holdpoint.core.risk.words import word_set

_RIGHTS = word_set(
    "trademark patent patents copyright licence license lease tenancy right rights claim claims "
    "title domain ownership land property custody citizenship option options seat stake visa "
    "permit warranty inheritance pension concession franchise"
)

CLOSURES: tuple[Pairing, ...] = (
    Pairing(
        rule="deed.retired",
        heuristic=LOSS,
        verbs=word_set("retire sunset discontinue"),
        things=word_set(
            "platform archive archives portal system service product database registry ledger "
            "helpline website warehouse zone zones nameserver nameservers cluster clusters"
        ),
        unless=word_set("draft banner notice flag variable function alias test"),
        reason="whoever relies on the {thing} is left without it",
    ),
    Pairing(
        rule="deed.retired",
        heuristic=LOSS,
        verbs=word_set("reset"),
        things=word_set("database databases db schema ledger cluster tenant queue queues topic"),
        unless=word_set("test local dev staging sandbox view filter password position offset"),
        reason="{Verb} the {thing} loses what was in it",
    ),
    Pairing(
        rule="deed.funds",
        heuristic=SIZE,
        verbs=word_set("transfer wire send move withdraw sweep sweeping"),
        things=word_set("balance"),
        beside=word_set("remaining whole entire full all rest"),
        unless=word_set("line lines row column field label widget cell report"),
        reason="{Verb} the whole {thing} is final, whatever the sum",
    ),
    Pairing(
        rule="deed.payee",
        heuristic=POWER,
        verbs=word_set("switch change move redirect point repoint reroute set update"),
        things=word_set("payroll salaries wages payouts"),
        beside=word_set("account iban"),
        unless=word_set("report query savings password owner email"),
        reach=12,
        reason="whoever changes where the {thing} goes decides who is paid next",
    ),
    Pairing(
        rule="deed.offline",
        heuristic=SIZE,
        verbs=word_set("stop"),
        things=word_set("offline"),
        beside=word_set(
            "site website shop store checkout page api service portal app gateway login database "
            "db primary cluster production prod server servers payments network platform"
        ),
        unless=word_set("map maps copy mode my local staging sandbox test"),
        reason="whoever uses it is left without it",
    ),
    Pairing(
        rule="deed.surrendered",
        heuristic=LOSS,
        verbs=word_set("relinquish surrender surrendering forfeit cede ceding renounce renouncing"),
        things=_RIGHTS,
        reason="whoever lets the {thing} go may not get it again",
    ),
    Pairing(
        rule="deed.called-in",
        heuristic=LOSS,
        verbs=word_set("call-in"),
        things=word_set("in"),
        reason="whoever owes it must pay at once, or default",
    ),
    Pairing(
        rule="deed.office",
        heuristic=POWER,
        verbs=word_set(
            "relieve relieving strip deprive depriving divest divesting appoint appointing"
        ),
        things=word_set(
            "authority signatory signatories power powers vote votes voting mandate custody "
            "licence license citizenship pension trustee executor beneficiary guardian"
        ),
        unless=word_set("field column variable header headers comment comments text file files"),
        reason="it takes a {thing} from somebody, or gives it to somebody",
    ),
    Pairing(
        rule="deed.deprives",
        heuristic=POWER,
        verbs=word_set(
            "stop suspend freeze halt cut withhold withholding deny denying revoke dock docking "
            "garnish garnishing confiscate confiscating seize seizing reduce lower lowering halve "
            "halving double doubling pause end terminate cancel reject block"
        ),
        things=word_set(
            "benefits pension prescription medication medicine medicines insulin dose dosage "
            "chemotherapy dialysis treatment wages salary pay allowance asylum visa custody funds "
            "assets deposit bail parole scholarship insurance care rations"
        ),
        beside=word_set(
            "her his their patient's patients' tenant's child's family's widow's worker's "
            "employee's client's pupil's student's prisoner's customer's resident's"
        ),
        reason="{Verb} somebody's {thing} may harm them at once",
    ),
    Pairing(
        rule="deed.dismissed",
        heuristic=POWER,
        verbs=word_set("end terminate cancel revoke rescind"),
        things=word_set("employment tenancy apprenticeship traineeship internship tenure"),
        unless=word_set("draft field column section chapter"),
        reason="{Verb} somebody's {thing} cannot be taken back",
    ),
    Pairing(
        rule="deed.driven-out",
        heuristic=POWER,
        verbs=word_set(
            "evict expel deport deporting detain detaining arrest arresting extradite extraditing"
        ),
        things=word_set(
            "him her them family families tenant tenants pupil pupils student students resident "
            "residents household lodger migrant migrants refugee refugees prisoner"
        ),
        reason="{Verb} people takes their place from them",
    ),
    Pairing(
        rule="deed.struck",
        heuristic=LOSS,
        verbs=word_set("remove strike striking"),
        things=word_set("transplant electoral voter voters voting donor donors surgery waiting"),
        beside=word_set("list lists register roll rolls registry"),
        reason="whoever is struck off a {thing} list loses their place",
    ),
    Pairing(
        rule="deed.topic",
        heuristic=LOSS,
        verbs=word_set("purge drop delete truncate empty wipe"),
        things=word_set("topic topics"),
        beside=word_set("kafka pulsar sns pubsub event events message messages redpanda"),
        reason="what is in the {thing} and not yet read is lost",
    ),
    Pairing(
        rule="deed.rewound",
        heuristic=LOSS,
        verbs=word_set("restore"),
        things=word_set("over onto"),
        beside=word_set("live production prod current running database db"),
        unless=word_set("scratch copy sandbox staging test"),
        reach=12,
        reason="what was entered since the copy was taken is lost",
    ),
    Pairing(
        rule="deed.voided",
        heuristic=LOSS,
        verbs=word_set("void annul nullify"),
        things=word_set(
            "invoice invoices cheque cheques contract contracts policy warranty marriage ticket "
            "tickets agreement agreements lease licence license check checks permit order receipt"
        ),
        unless=word_set("function method variable test column field"),
        reason="what was owed or promised by the {thing} no longer is",
    ),
    Pairing(
        rule="deed.stripped",
        heuristic=POWER,
        verbs=word_set("strip"),
        things=word_set("rights privileges permissions role roles access citizenship"),
        unless=word_set(
            "log logs column field header headers string text whitespace spaces file html prefix "
            "suffix name names"
        ),
        reason="without their {thing} somebody cannot go on",
    ),
    Pairing(
        rule="deed.halt",
        heuristic=POWER,
        verbs=word_set("reboot restart"),
        things=word_set("switch router firewall gateway loadbalancer balancer hypervisor"),
        beside=word_set(
            "core main office branch building site backbone edge border primary load production "
            "prod"
        ),
        unless=word_set("test lab statement case home my spare game games"),
        reason="{Verb} the {thing} stops people's work",
    ),
    Pairing(
        rule="deed.everybody",
        heuristic=SIZE,
        verbs=SENDS | {"invite"},
        things=word_set("half"),
        beside=word_set(
            "company staff customers clients users subscribers members employees department"
        ),
        unless=word_set("draft me summary"),
        reason="{Verb} goes to very many at once",
    ),
    Pairing(
        rule="deed.halt",
        heuristic=POWER,
        verbs=word_set("swap switch"),
        things=word_set("dns nameserver nameservers"),
        beside=word_set("host provider over server registrar records entry"),
        unless=word_set("paragraph paragraphs slide slides section sections test my local"),
        reason="whoever looks for the site by {thing} is sent elsewhere",
    ),
)
