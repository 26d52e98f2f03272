"""The policy as people write it, in YAML, made into the policy that the gate judges by.

`policy/default.yaml` decides; every other file in `policy/` is a pack: it adds patterns and
high-risk commands, tightens thresholds, and names dry runs of its own tools. `environments.yaml`
says what is a sandbox, and which domains are the house's own.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Annotated, TypeVar

import msgspec
import yaml
from pydantic import BaseModel, ConfigDict, Field, field_validator

from holdpoint.messages.base import MAX_SAFE_INTEGER
from holdpoint.messages.policy import (
    TARGET_KINDS,
    Measure,
    Method,
    OnSilence,
    Pack,
    Policy,
    TallyBy,
    Thresholds,
    VerdictKind,
)
from holdpoint.messages.risk import Environment, Heuristic, RiskLevel
from holdpoint.runtime.config.yaml_files import (
    Amount,
    Domain,
    FolderName,
    Fragment,
    Part,
    Percent,
    Reason,
    RuleId,
    Text,
    Whole,
    below,
    composed,
    does_something,
    is_tried,
    keys_of,
    line_at,
    lines_of,
    listed,
    read,
)
from holdpoint.runtime.errors import SetupError

DEFAULT = "default.yaml"
POLICY_FOLDER = "policy"
ENVIRONMENTS = "environments.yaml"


class VoicesFile(Part):
    """So many people of a group."""

    group: Text
    voices: int = Field(default=1, ge=1, le=MAX_SAFE_INTEGER)


class EscalateFile(Part):
    """A backup group, and when it is asked too."""

    group: Text
    after_s: int = Field(ge=1, le=MAX_SAFE_INTEGER)


Seconds = Annotated[int, Field(ge=1, le=MAX_SAFE_INTEGER)]
Times = Annotated[tuple[Seconds, ...], Field(max_length=10)]


class LevelFile(Part):
    """Requirements of an operation level."""

    verdict: VerdictKind
    all_of: tuple[VoicesFile, ...] = ()
    proofs: tuple[Method, ...] = ()
    every_proof: bool = False
    four_eyes: bool = False
    client_may_answer: bool = False
    """Whether the person at an MCP client may say yes in its form; never above level 3."""

    deadline_s: int = Field(default=900, ge=1, le=MAX_SAFE_INTEGER)
    cooling_off_s: Whole = 0
    on_silence: OnSilence = OnSilence.EXPIRE
    remind_after_s: Times = ()
    """When people who have not answered are told again."""

    escalate: EscalateFile | None = None
    extend_up_to_s: Whole = 0
    """By how much people may move the deadline, all in all; 0 is not at all."""

    notice_before_s: Times = ()
    """How long before the end of a cooling-off people are told again what is about to run."""

    why: str = ""


class ThresholdsFile(Part):
    """Thresholds for what counts as large."""

    records: Whole
    amount: Text
    currency: Text
    rates: dict[Text, Text] = {}
    percent: Percent


class TallyFile(Part):
    """A rolling sum and its limit."""

    id: Text
    of: Measure
    by: tuple[TallyBy, ...]
    window_s: Whole
    limit: Text


class UntrustedFile(Part):
    """Tools whose results nobody vouches for, each with what it brings."""

    tools: dict[Text, Text] = {}
    window_s: int = Field(default=3600, ge=1, le=MAX_SAFE_INTEGER)


class IntentsFile(Part):
    """Judging of what agents say, beyond the rules."""

    reader: bool = True
    """Whether the learned reader judges sentences too."""


class PatternFile(Part):
    """One regular expression with its reason and its own tests."""

    model_config = ConfigDict(json_schema_extra=is_tried)

    id: RuleId
    pattern: Text
    heuristic: Heuristic
    level: RiskLevel
    reason: Reason
    action_type: str = ""
    commands: bool = False
    must_fire: tuple[str, ...] = ()
    must_not: tuple[str, ...] = ()


class RuleDangerFile(Part):
    """Effect of a command rule that fits."""

    id: RuleId
    level: RiskLevel
    reason: Reason
    verb: str = ""
    heuristic: Heuristic = Heuristic.IRREVERSIBILITY


class CommandRuleFile(Part):
    """One outcome of a tool, and its own tests."""

    subcommands: tuple[Text, ...] = ()
    words: tuple[Text, ...] = ()
    patterns: tuple[Text, ...] = ()
    options: str = ""
    unless: str = ""
    spares: str = ""
    danger: RuleDangerFile
    fires: Annotated[tuple[Text, ...], Field(min_length=1)]
    silent: tuple[Text, ...] = ()


class SqlDangerFile(Part):
    """Effect of a SQL rule that fits."""

    id: RuleId
    level: RiskLevel
    reason: Reason


class SqlRuleFile(Part):
    """One outcome of a statement, and its own tests."""

    verbs: Text
    match: tuple[Text, ...] = ()
    unless: tuple[Text, ...] = ()
    danger: SqlDangerFile
    fires: Annotated[tuple[Text, ...], Field(min_length=1)]
    silent: tuple[Text, ...] = ()


class ToolFile(Part):
    """A tool, by its program's name."""

    also: tuple[Text, ...] = ()
    values: str = ""
    dry_run: str = ""
    no_dry_run: str = ""
    silent: tuple[Text, ...] = ()
    rules: Annotated[tuple[CommandRuleFile, ...], Field(min_length=1)]


class RulesFile(Part):
    """Parts that every file of a policy may carry."""

    patterns: tuple[PatternFile, ...] = ()
    commands: dict[Text, ToolFile] = {}
    sql: tuple[SqlRuleFile, ...] = ()
    high_risk_commands: tuple[Fragment, ...] = ()


class TighterFile(Part):
    """Thresholds that hold besides those of `default.yaml`, in its currency; the lowest counts."""

    records: Whole | None = None
    amount: Amount | None = None
    percent: Percent | None = None


class PackFile(RulesFile):
    """A pack: reasons to worry, and the dry runs of its own tools. Its name is its file's."""

    model_config = ConfigDict(json_schema_extra=does_something)

    version: Text = ""
    thresholds: TighterFile = TighterFile()


class PolicyFile(RulesFile):
    """`default.yaml`: what is decided, and our own patterns."""

    version: Text
    levels: dict[int, LevelFile]
    risk_levels: dict[RiskLevel, int]
    thresholds: ThresholdsFile
    tallies: tuple[TallyFile, ...] = ()
    untrusted: UntrustedFile = UntrustedFile()
    denials_s: Whole = 900
    """Seconds for which what a person cancelled halts again in whatever words; 0 is not at all."""

    most_open: Whole = 0
    """Holds of one agent that wait for one group at a time; more wait for their turn. 0: all."""

    back_off_after: Whole = 0
    """So many remembered denials, and an agent waits before it asks again; 0 is never."""

    grant_s: Whole
    valid_for_s: Whole
    confidence_below: float = Field(ge=0, le=1)
    intents: IntentsFile = IntentsFile()


class EnvironmentFile(Part):
    """Targets that one glob names."""

    match: Annotated[Text, Field(json_schema_extra={"pattern": f"^(?:{'|'.join(TARGET_KINDS)}):."})]
    environment: Environment

    @field_validator("match")
    @classmethod
    def _names_a_kind(cls, match: str) -> str:
        """A line that no target can ever match would leave one unprotected, unnoticed."""
        kind, _, name = match.partition(":")
        if kind not in TARGET_KINDS or not name:
            raise ValueError(
                f"begin with a kind ({', '.join(TARGET_KINDS)}), as in `database:scratch*`"
            )
        return match


class EnvironmentsFile(Part):
    """`environments.yaml`: the only thing that makes a target a sandbox, or an address yours."""

    environments: tuple[EnvironmentFile, ...] = ()
    own_domains: tuple[Domain, ...] = ()
    """Mail to any other asks a person; each stands for all below it. Without any, none does."""

    build_products: tuple[FolderName, ...] = ()
    """Folders under the working folder that a build makes again. Deleting one loses nothing."""


F = TypeVar("F", bound=BaseModel)

LIMITS = {
    "records": "magnitude.records",
    "amount": "magnitude.amount",
    "percent": "magnitude.percent",
}
"""What a pack may tighten, and the rule that goes by it."""


def load_policy(config_dir: Path, groups: Mapping[str, tuple[str, ...]]) -> Policy:
    """Read and merge every file; `core.policy_check` says whether it makes sense."""
    return merged(policy_files(config_dir / POLICY_FOLDER), config_dir / ENVIRONMENTS, groups)


def policy_files(folder: Path) -> list[Path]:
    """The main file, then its packs by name; raises `SetupError` for one that would be ignored."""
    if misnamed := sorted(folder.glob("*.yml")):
        told = (f"{path}: is not read. Name it {path.stem}.yaml." for path in misnamed)
        raise SetupError("\n".join(told))
    packs = [path for path in sorted(folder.glob("*.yaml")) if path.name != DEFAULT]
    return [folder / DEFAULT, *packs]


def merged(
    files: Sequence[Path], environments: Path, groups: Mapping[str, tuple[str, ...]]
) -> Policy:
    """Merge these files: the first decides, the others are packs. Every mistake is told at once."""
    wrong: list[str] = []
    main = _read(files[0], PolicyFile, wrong)
    places = _read(environments, EnvironmentsFile, wrong)
    packs = {path: _read(path, PackFile, wrong) for path in files[1:]}
    if not wrong:
        wrong = [told for path, pack in packs.items() for told in _useless(main, path, pack)]
        wrong += _twice(files[0], main, packs)
    if wrong:
        raise SetupError("\n".join(wrong))
    parts = (main, *packs.values())
    whole = main.model_dump(mode="json") | {
        "patterns": [one.model_dump(mode="json") for part in parts for one in part.patterns],
        "commands": {
            name: tool.model_dump(mode="json")
            for part in parts
            for name, tool in part.commands.items()
        },
        "sql": [one.model_dump(mode="json") for part in parts for one in part.sql],
        "high_risk_commands": [one for part in parts for one in part.high_risk_commands],
        "environments": [one.model_dump(mode="json") for one in places.environments],
        "own_domains": list(places.own_domains),
        "build_products": list(places.build_products),
        "groups": {name: list(people) for name, people in groups.items()},
    }
    return _tightened(msgspec.convert(whole, Policy, strict=False), packs)


def _read(path: Path, kind: type[F], wrong: list[str]) -> F:
    """The file; where it is wrong that is added, and what comes back is empty."""
    try:
        return read(path, kind)
    except SetupError as error:
        wrong.append(str(error))
        return kind.model_construct()


def _useless(main: PolicyFile, path: Path, pack: PackFile) -> Iterator[str]:
    """Yield where a pack does nothing, or would let through more than `default.yaml` does."""
    limits, most = _limits(pack.thresholds), _limits(main.thresholds)
    rules = pack.patterns or pack.commands or pack.sql or pack.high_risk_commands
    if not (rules or limits):
        yield f"{path}:1: it has no rule and tightens nothing. Write one, or remove the file."
    for name, wanted in limits.items():
        if name in most and wanted > most[name]:
            line = line_at(composed(path), ("thresholds", name))
            yield (
                f"{path}:{line}: thresholds.{name}: {wanted} is looser than the {most[name]} of "
                f"{DEFAULT}. A pack only tightens: lower it, or remove it."
            )


def _twice(first: Path, main: PolicyFile, packs: Mapping[Path, PackFile]) -> Iterator[str]:
    """Yield where two files have rules for one tool: nobody could tell which of them count."""
    where = dict.fromkeys(main.commands, first)
    for path, pack in packs.items():
        for name in pack.commands:
            if name in where:
                line = line_at(composed(path), ("commands", name))
                yield f"{path}:{line}: commands.{name}: {where[name].name} has rules for it too."
            where.setdefault(name, path)


def _tightened(policy: Policy, packs: Mapping[Path, PackFile]) -> Policy:
    """The lowest of each threshold counts, and each rule says which pack it comes from."""
    lowest = _limits(policy.thresholds)
    behind: dict[str, Path] = {}
    limits: dict[str, int | str] = {}
    for path, pack in packs.items():
        for name, wanted in _limits(pack.thresholds).items():
            if name in lowest and wanted < lowest[name]:
                lowest[name], behind[name] = wanted, path
                limits[name] = getattr(pack.thresholds, name)
    return msgspec.structs.replace(
        policy,
        thresholds=msgspec.structs.replace(policy.thresholds, **limits),
        packs=tuple(_pack(path, pack, behind) for path, pack in packs.items()),
    )


def _pack(path: Path, pack: PackFile, behind: Mapping[str, Path]) -> Pack:
    tightens = (rule for name, rule in LIMITS.items() if behind.get(name) == path)
    ids = (pattern.id for pattern in pack.patterns)
    commands = (rule.danger.id for tool in pack.commands.values() for rule in tool.rules)
    statements = (rule.danger.id for rule in pack.sql)
    rules = tuple(dict.fromkeys((*tightens, *ids, *commands, *statements)))
    return Pack(name=path.stem, version=pack.version, rules=rules)


def _limits(part: Thresholds | ThresholdsFile | TighterFile) -> dict[str, Decimal]:
    """Thresholds to compare, without what is not given, or what `check_policy` will refuse."""
    found: dict[str, Decimal] = {}
    for name in LIMITS:
        with suppress(InvalidOperation):
            found[name] = Decimal(str(getattr(part, name)).replace(",", ""))
    return found


def places(problem: str, files: Sequence[Path]) -> list[tuple[str, str]]:
    """File and line of what a problem of the policy is about: its rule's line, or its field.

    The first file is the main one. What is about all of them, as their size, stands in their
    folder, and has no line.
    """
    parts = [(path, *found) for path in sorted(files) for found in _parts(problem, composed(path))]
    mark = next((one for one in _MARKS if one in problem), "")
    said = problem.partition(mark)[2] if mark and not problem.startswith("pattern ") else ""
    exact = [(str(path), str(line)) for path, rule, _ in parts for line in lines_of(rule, said)]
    rough = [(str(path), str(line_at(head, ()))) for path, _, head in parts]
    return exact or rough or [_field(problem, files[0])]


_MARKS = (" line: ", " pattern: ", " id: ")
"""What stands before the text that a problem is about."""


def located(problems: Iterable[str], files: Sequence[Path]) -> list[str]:
    """Each problem behind its `file:line`, as a file that cannot be read is told."""
    return [f"{':'.join(filter(None, places(one, files)[0]))}: {one}" for one in problems]


def _parts(problem: str, node: yaml.Node | None) -> Iterator[tuple[yaml.Node, yaml.Node]]:
    """The rules of a file that a problem is about, each with what names it."""
    for name in keys_of(node, "commands"):
        if problem.startswith((f"commands.{name}: ", f"commands.{name} ")):
            tool = below(node, "commands", name)
            if tool:
                yield tool, tool
    for key, word, steps in _LISTS:
        for part in listed(node, key):
            rule = below(part, *steps)
            told = (f"{word} {rule.value}: ", f"{word} {rule.value!r}: ") if rule else ()
            if rule and problem.startswith(told):
                yield part, rule


_LISTS = (("patterns", "pattern", ("id",)), ("sql", "sql", ("danger", "id")))
"""The lists of rules in a file: its key, how a problem calls one, where each has its id."""


def _field(problem: str, main: Path) -> tuple[str, str]:
    first, *steps = problem.partition(": ")[0].split(".")
    if first not in PolicyFile.model_fields:
        return str(main.parent), ""
    return str(main), str(line_at(composed(main), (first, *steps)))
