"""The policy as the gate reads it: what each level asks of people, thresholds, patterns."""

from enum import StrEnum

from holdpoint.messages.base import Value
from holdpoint.messages.command_rules import ToolRules
from holdpoint.messages.risk import Environment, Heuristic, RiskLevel
from holdpoint.messages.sql_rules import SqlRule


class VerdictKind(StrEnum):
    """First decision of the gate."""

    PASS = "pass"  # noqa: S105  # a verdict, not a password
    WITNESS = "witness"
    HOLD = "hold"
    DENY = "deny"


class Method(StrEnum):
    """Proof of who a person is, weakest first."""

    CHAT = "chat"
    TOTP = "totp"
    PASSKEY = "passkey"


class OnSilence(StrEnum):
    """End of a hold that nobody answers in time. Never a yes, never reported as a no."""

    EXPIRE = "expire"
    PARK = "park"


class Voices(Value, frozen=True, kw_only=True):
    """So many distinct people of this group must say yes."""

    group: str
    voices: int = 1


class Escalate(Value, frozen=True, kw_only=True):
    """Escalation to a backup group, whose people then count for every group that is asked."""

    group: str
    after_s: int
    """From when people are asked on."""


class LevelRule(Value, frozen=True, kw_only=True):
    """Requirements of an operation level."""

    verdict: VerdictKind
    all_of: tuple[Voices, ...] = ()
    proofs: tuple[Method, ...] = ()
    """How a person may prove who they are: one of these is enough."""

    every_proof: bool = False
    """Whether a yes takes all of `proofs` instead."""

    four_eyes: bool = False
    client_may_answer: bool = False
    """Whether the person at an MCP client may say yes in its form; never above level 3."""

    deadline_s: int = 900
    cooling_off_s: int = 0
    on_silence: OnSilence = OnSilence.EXPIRE
    remind_after_s: tuple[int, ...] = ()
    """When people who were asked and have not answered are told again."""

    escalate: Escalate | None = None
    extend_up_to_s: int = 0
    """Time by which people may move the deadline, all in all; 0 is not at all."""

    notice_before_s: tuple[int, ...] = ()
    """How long before the end of a cooling-off people are told again what is about to run."""

    why: str = ""
    """For a deny: what the agent is told."""


LONGEST_REASON = 90
"""Characters of a rule's reason: it is one line of a card."""

RESERVED_FAMILIES = (
    "agent", "call", "command", "deed", "environment", "http", "intents", "magnitude", "plan",
    "shell", "sql", "taint", "tally", "text", "tool", "uncertainty", "verb",
)  # fmt: skip
"""How the ids of the engine's own rules begin, before a dot."""

RESERVED_RULES = ("doubt.acts", "doubt.asks-back", "doubt.asks-deed", "doubt.undecided")
"""Its own rules in a family that the shipped policy shares."""


class Pattern(Value, frozen=True, kw_only=True):
    """A regular expression (RE2 syntax) over the case-folded NFKC text, with its reason."""

    id: str
    pattern: str
    heuristic: Heuristic
    level: RiskLevel
    reason: str
    action_type: str = ""
    commands: bool = False
    """True if it is about commands: where one was parsed, the parse decides in its place."""

    must_fire: tuple[str, ...] = ()
    must_not: tuple[str, ...] = ()


class Thresholds(Value, frozen=True, kw_only=True):
    """Strictly above is large (seed 002)."""

    records: int = 100
    amount: str = "1000.00"
    currency: str = "USD"
    rates: dict[str, str] = {}
    """Units of `currency` for one unit of another, as decimal strings; unlisted counts as large."""

    percent: int = 10
    """Share of a whole, in percent, strictly above which a change is large."""


class Measure(StrEnum):
    """Quantity that a tally sums."""

    AMOUNT = "amount"
    RECORDS = "records"


class TallyBy(StrEnum):
    """Owner of a sum; several of them together make one key."""

    AGENT = "agent"
    TREE = "tree"
    """The agent, no matter who started it, and all that those started."""

    PERSON = "person"
    TOOL = "tool"
    RESOURCE = "resource"


class TallyRule(Value, frozen=True, kw_only=True):
    """A rolling sum, strictly above whose limit people are asked."""

    id: str
    of: Measure
    by: tuple[TallyBy, ...]
    window_s: int
    limit: str
    """A decimal string: of `thresholds.currency` for amounts, a count for records."""


class Untrusted(Value, frozen=True, kw_only=True):
    """Tools that bring content that nobody vouches for; what an agent does next may follow it."""

    tools: dict[str, str] = {}
    """By the tool's name or alias, what its result is, in a person's words: `a web page`."""

    window_s: int = 3600
    """For how long it may steer what its tree of agents changes."""


TARGET_KINDS = ("account", "cluster", "container", "database", "env", "host", "path", "url")
"""What a glob over targets begins with."""


class EnvironmentRule(Value, frozen=True, kw_only=True):
    """A target (glob over host, database, account, cluster or path) and where it lies."""

    match: str
    environment: Environment


class Pack(Value, frozen=True, kw_only=True):
    """A file of rules that came beside the main one."""

    name: str
    version: str = ""
    rules: tuple[str, ...] = ()
    """The rules that signals name and this pack decides: its patterns, and what it tightened."""


class Intents(Value, frozen=True, kw_only=True):
    """Judging of what agents say, beyond the rules."""

    reader: bool = False
    """Whether the learned reader judges sentences too; a policy of before there was one says no."""


class Policy(Value, frozen=True, kw_only=True):
    """Everything the gate judges by; its digest stands in each grant."""

    version: str
    levels: dict[int, LevelRule]
    """By operation level 1 to 5; a level that is missing is denied."""

    risk_levels: dict[RiskLevel, int]
    """The least operation level that a risk asks for."""

    thresholds: Thresholds = Thresholds()
    tallies: tuple[TallyRule, ...] = ()
    untrusted: Untrusted = Untrusted()
    patterns: tuple[Pattern, ...] = ()
    environments: tuple[EnvironmentRule, ...] = ()
    own_domains: tuple[str, ...] = ()
    """The house's own: who is written to elsewhere is outside. Without them nobody knows."""

    build_products: tuple[str, ...] = ()
    """Folders under the working folder that a build makes again: deleting them loses nothing."""

    groups: dict[str, tuple[str, ...]] = {}
    """Members of each group of people."""

    high_risk_commands: tuple[str, ...] = ()
    """Fragments that make `assess_risk` say CRITICAL (seed 002)."""

    commands: dict[str, ToolRules] = {}
    """Command rules of one's own, by the tool's program; they only add to the engine's."""

    sql: tuple[SqlRule, ...] = ()
    """SQL rules of one's own; they only add to the engine's."""

    packs: tuple[Pack, ...] = ()
    """Where rules come from that do not come from the main file."""

    denials_s: int = 900
    """Time for which what a person cancelled halts again in other words; 0 is not at all."""

    most_open: int = 0
    """Holds of one agent that wait for one group at a time; more wait for their turn. 0: no limit,
    and the same action is not collapsed into the hold that is open on it."""

    back_off_after: int = 0
    """Number of denials remembered from which on an agent waits before it asks again; 0: never."""

    grant_s: int = 300
    """Time that a grant lives: at most 300 s."""

    valid_for_s: int = 900
    """Time that a yes stays good for minting a fresh grant."""

    confidence_below: float = 0.5
    """An agent's own confidence under this counts as uncertainty."""

    intents: Intents = Intents()


class PolicyRef(Value, frozen=True, kw_only=True):
    """Policy that a verdict was given by."""

    version: str
    digest: str
