"""Tools, agents and people, as configuration and domains declare them."""

from datetime import datetime, timedelta
from enum import StrEnum

from holdpoint.messages.base import JsonObject, Value

UNLEVELLED = 5
"""The operation level of a tool that declares none, or that no catalog lists: the highest."""

READ_LEVEL = 1
"""The operation level of a tool that only reads."""

DISPATCH = "dispatch"
"""Tool 0 of seed 001: one agent calls another."""

AGENTS_DOMAIN = "agents"
"""Of `dispatch` alone. No worker runs it: the gate writes its end."""

HOST_DOMAIN = "host"
"""Of tools that the asking program runs itself: the gate writes claim and end, on its word."""


class Repeat(StrEnum):
    """Permitted recovery of a worker that finds a claim without a result."""

    IDEMPOTENT = "idempotent"
    """Run again with the same key: harmless."""

    LOOKUP = "lookup"
    """Ask the target whether the effect happened."""

    MANUAL = "manual"
    """Nobody can know: in doubt, a person reconciles."""


class Enforcement(StrEnum):
    """How an action is kept from running without its yes; fixed by the tool's owner."""

    STRUCTURAL = "structural"
    """Only a worker can do it, and it does so on a verified grant alone."""

    NETWORK = "network"
    """It can be reached through the gateway alone, as far as the network is set up so."""

    COOPERATIVE = "cooperative"
    """The program that asked does it itself, and keeps to the answer."""


class Tool(Value, frozen=True, kw_only=True):
    """One entry of the catalog, as the gate and the worker's own table know it."""

    name: str
    domain: str
    level: int = UNLEVELLED
    """Operation level: 1 read, 2 create, 3 update, 4 financial, 5 irreversible (seed 000)."""

    levelled: bool = True
    """False if nobody gave it a level, so that it has the highest."""

    by_risk: bool = False
    """True if it runs what it is given: what is proven to only read is then level 1, and everything
    else is `level`."""

    description: str
    schema: JsonObject
    """JSON Schema of the arguments."""

    schema_sha256: str
    template: str
    """The card's one line, from arguments and plan: `delete {affected} rows in {target}`."""

    repeat: Repeat = Repeat.MANUAL
    plans: bool = False
    """True if the domain can make a dry run of it."""

    aliases: tuple[str, ...] = ()
    secret: tuple[str, ...] = ()
    """JSON pointers of arguments that no card, log or leaf may show."""

    undo: str = ""
    """The way to take it back, in a person's words; empty when it cannot be."""

    effect: str = ""
    """Effect of a run, for the card's danger: `disputes a charge`. Without one the danger names the
    place alone."""

    enforcement: Enforcement = Enforcement.STRUCTURAL

    offered_to: tuple[str, ...] = ()
    """Other domains whose agents find it as one of theirs."""


class ToolDefinition(Value, frozen=True, kw_only=True):
    """A tool as an agent finds it in the catalog."""

    name: str
    """Canonical: `{namespace}_{domain}_{action}`; without a namespace the tool's own name."""

    description: str
    domain: str
    level: int
    """Operation level, which is also the tier of a search."""

    by_risk: bool = False
    aliases: tuple[str, ...] = ()
    schema: JsonObject
    """JSON Schema of the arguments."""

    version: str
    """SHA-256 of the schema: another schema is another version."""


class DeclaredTool(Value, frozen=True, kw_only=True):
    """A tool that a catalog file names; it can be called once a domain or server offers it."""

    name: str
    domain: str
    level: int
    by_risk: bool = False
    description: str = ""
    schema: JsonObject = {}
    """JSON Schema of the arguments of a tool that the asking program runs; empty takes any."""

    template: str = ""


class Naming(Value, frozen=True, kw_only=True):
    """Names from catalog files: old names of tools, and the domains that agents name."""

    tools: tuple[DeclaredTool, ...] = ()
    aliases: dict[str, str] = {}
    """The canonical name that each stands for."""

    prefixes: dict[str, tuple[str, ...]] = {}
    """Beginnings of the names of a domain's tools, by the domain's name."""


class Budget(Value, frozen=True, kw_only=True):
    """Budget of an agent."""

    calls_per_second: float = 50.0
    calls_at_once: int = 2_000
    """So many more at once, when there were fewer before."""

    bytes_per_day: int = 32 * 1024 * 1024
    """Of calls. Each counts for 2 KiB at least."""

    holds_per_day: float = 200.0
    """Of what is kept for as long as the bus remembers: what people are asked about, and what runs
    at level 3 or higher. A large one counts as several."""

    holds_at_once: int = 100
    """So many when there were fewer before."""


class Agent(Value, frozen=True, kw_only=True):
    """An agent as `agents.yaml` declares it."""

    name: str
    tools: tuple[str, ...]
    acts_for: tuple[str, ...] = ()
    """The people in whose name it may act."""

    tree: str = ""
    """The agent at the root of its tree, which started it or who started it; empty: itself."""

    budget: Budget = Budget()
    title: str = ""
    """Its name in a person's words."""

    domains: tuple[str, ...] = ()
    """The domains whose tools it may use, as far as `narrowed` does not leave some out."""

    narrowed: bool = True
    """False where every tool of its domains is meant; else `tools` are all."""

    capabilities: tuple[str, ...] = ()
    may_call: tuple[str, ...] = ()
    """The agents that it may dispatch to (R_AA of seed 001)."""

    user_facing: bool = True
    """False where it acts only while another agent's dispatch to it is open."""


class Role(StrEnum):
    """Right of a person; each stands by itself. Everybody sees the cards of their groups."""

    VIEWER = "viewer"
    """Sees cards, and has no say by this alone."""

    APPROVER = "approver"
    """Answers cards."""

    AUDITOR = "auditor"
    """Reads the ledger's pages."""

    COMPLIANCE = "compliance"
    """Erases bodies from the ledger, and keeps them there by a legal hold."""

    ADMIN = "admin"
    """Stops agents and adopts policy."""


LONGEST_DELEGATION = timedelta(days=92)


class Delegation(Value, frozen=True, kw_only=True):
    """A time in which somebody may answer in a person's place, and never more than that person."""

    to: str
    since: datetime
    until: datetime
    away: bool = False
    """True if the person is out of office, and not only helped."""

    reason: str = ""


WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


class Hours(Value, frozen=True, kw_only=True):
    """A time of the day in which a person is asked."""

    days: tuple[str, ...] = WEEKDAYS
    since: str
    """`09:00`, on the clock of the person's time zone."""

    until: str
    """Later on the same day; `24:00` is its end."""


class Person(Value, frozen=True, kw_only=True):
    """A person as `people.yaml` declares them."""

    name: str
    groups: tuple[str, ...] = ()
    admin: bool = False
    """May throw the kill switch and change policy."""

    roles: tuple[Role, ...] = (Role.APPROVER, Role.AUDITOR)
    """Their roles besides admin."""

    delegations: tuple[Delegation, ...] = ()
    """Those that the file declares; people make others themselves."""

    hours: tuple[Hours, ...] = ()
    """When they are asked; empty: at any time. They may answer at any time."""

    zone: str = "UTC"
    """The IANA name of their time zone."""

    email: str = ""
    """As the identity provider verified it; empty for whom it does not know."""

    subject: str = ""
    """The identity provider's own name of them, which no other person ever gets."""

    slack: str = ""
    """Slack's id of them in the workspace of slack.yaml; empty for whom Slack does not know."""

    mcp_clients: tuple[str, ...] = ()
    """The agents at whose MCP clients they sit, to answer in a form where the policy says so."""


def may_answer(person: Person) -> bool:
    """Return whether the person's answers count."""
    return Role.APPROVER in person.roles


def may_read_ledger(person: Person) -> bool:
    """Return whether the person reads the ledger's pages."""
    return Role.AUDITOR in person.roles


def may_erase(person: Person) -> bool:
    """Return whether the person erases from the ledger, and says what stays in it."""
    return Role.COMPLIANCE in person.roles


def own_audience(name: str) -> str:
    """The audience of the cards that a person sees in others' place: no group has such a name."""
    return f"@{name}"


def audiences(person: Person) -> tuple[str, ...]:
    """Everything whose cards the person sees."""
    return (*person.groups, own_audience(person.name))
