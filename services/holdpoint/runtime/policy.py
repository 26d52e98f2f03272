"""The policy as people write it, in YAML, made into the policy that the gate judges by.

`policy/default.yaml` decides; every other file in `policy/` is a pack that only adds patterns and
high-risk commands; `environments.yaml` says what is a sandbox.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, TypeVar

import msgspec
import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from holdpoint.messages.policy import (
    Measure,
    Method,
    OnSilence,
    Policy,
    TallyBy,
    VerdictKind,
)
from holdpoint.messages.risk import Environment, Heuristic, RiskLevel
from holdpoint.runtime.errors import SetupError

DEFAULT = "default.yaml"
ENVIRONMENTS = "environments.yaml"

Text = Annotated[str, Field(min_length=1)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class VoicesFile(_Part):
    """So many people of a group."""

    group: Text
    voices: int = Field(default=1, ge=1)


class LevelFile(_Part):
    """What an operation level asks for."""

    verdict: VerdictKind
    all_of: tuple[VoicesFile, ...] = ()
    proofs: tuple[Method, ...] = ()
    four_eyes: bool = False
    deadline_s: int = Field(default=900, ge=1)
    cooling_off_s: int = Field(default=0, ge=0)
    on_silence: OnSilence = OnSilence.EXPIRE
    why: str = ""


class ThresholdsFile(_Part):
    """What counts as large."""

    records: int = Field(ge=0)
    amount: Text
    currency: Text
    rates: dict[Text, Text] = {}
    percent: int = Field(ge=0)


class TallyFile(_Part):
    """A rolling sum and its limit."""

    id: Text
    of: Measure
    by: tuple[TallyBy, ...]
    window_s: int
    limit: Text


class UntrustedFile(_Part):
    """Tools whose results nobody vouches for, each with what it brings."""

    tools: dict[Text, Text] = {}
    window_s: int = Field(default=3600, ge=1)


class PatternFile(_Part):
    """One regular expression with its reason and its own tests."""

    id: Text
    pattern: Text
    heuristic: Heuristic
    level: RiskLevel
    reason: Text
    action_type: str = ""
    commands: bool = False
    must_fire: tuple[str, ...] = ()
    must_not: tuple[str, ...] = ()


class PackFile(_Part):
    """A pack: it can only add reasons to worry."""

    patterns: tuple[PatternFile, ...] = ()
    high_risk_commands: tuple[Text, ...] = ()


class PolicyFile(PackFile):
    """`default.yaml`: what is decided, and our own patterns."""

    version: Text
    levels: dict[int, LevelFile]
    risk_levels: dict[RiskLevel, int]
    thresholds: ThresholdsFile
    tallies: tuple[TallyFile, ...] = ()
    untrusted: UntrustedFile = UntrustedFile()
    grant_s: int
    valid_for_s: int
    confidence_below: float


class EnvironmentFile(_Part):
    """Targets that one glob names."""

    match: Text
    environment: Environment


class EnvironmentsFile(_Part):
    """`environments.yaml`: the only thing that makes a target a sandbox."""

    environments: tuple[EnvironmentFile, ...] = ()


F = TypeVar("F", bound=BaseModel)


def load_policy(config_dir: Path, groups: Mapping[str, tuple[str, ...]]) -> Policy:
    """Read and merge every file; `core.risk.check.check_policy` says whether it makes sense."""
    files = sorted((config_dir / "policy").glob("*.yaml"))
    packs = [path for path in files if path.name != DEFAULT]
    return merged((config_dir / "policy" / DEFAULT, *packs), config_dir / ENVIRONMENTS, groups)


def merged(
    files: Sequence[Path], environments: Path, groups: Mapping[str, tuple[str, ...]]
) -> Policy:
    """Merge these files: the first decides, the others are packs."""
    main = _read(files[0], PolicyFile)
    places = _read(environments, EnvironmentsFile)
    parts = (main, *(_read(path, PackFile) for path in files[1:]))
    whole = main.model_dump(mode="json") | {
        "patterns": [one.model_dump(mode="json") for part in parts for one in part.patterns],
        "high_risk_commands": [one for part in parts for one in part.high_risk_commands],
        "environments": [one.model_dump(mode="json") for one in places.environments],
        "groups": {name: list(people) for name, people in groups.items()},
    }
    return msgspec.convert(whole, Policy, strict=False)


def _read(path: Path, kind: type[F]) -> F:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SetupError(f"{path}: cannot be read ({error}). Put it back, or fix it.") from None
    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
        document = _plain(node, path) if node else {}
    except yaml.YAMLError as error:
        raise SetupError(f"{path}: this is not YAML: {error}") from None
    try:
        return kind.model_validate(document)
    except ValidationError as error:
        problems = [_told(path, node, one) for one in error.errors(include_url=False)]
        raise SetupError("\n".join(problems)) from None


def _plain(node: yaml.Node, path: Path) -> Any:
    """The document without its positions; a key that stands twice is refused, not overwritten."""
    for mapping in _mappings(node):
        keys = [key.value for key, _ in mapping.value]
        for key, _ in mapping.value:
            if keys.count(key.value) > 1:
                raise SetupError(f"{path}:{_line(key)}: `{key.value}` stands twice. Remove one.")
    return yaml.SafeLoader("").construct_document(node)


def _mappings(node: yaml.Node) -> list[yaml.MappingNode]:
    if isinstance(node, yaml.MappingNode):
        inside = [found for _, value in node.value for found in _mappings(value)]
        return [node, *inside]
    if isinstance(node, yaml.SequenceNode):
        return [found for value in node.value for found in _mappings(value)]
    return []


def _told(path: Path, node: yaml.Node | None, problem: Any) -> str:
    where = ".".join(map(str, problem["loc"]))
    line = _line(_deepest(node, problem["loc"])) if node else 1
    advice = _ADVICE.get(problem["type"], "Change it.")
    return f"{path}:{line}: {where or 'the file'}: {problem['msg']}. {advice}"


_ADVICE = {
    "extra_forbidden": "Remove it, or look for a spelling mistake; packs add patterns only.",
    "missing": "Add it.",
}


def _deepest(node: yaml.Node, loc: tuple[int | str, ...]) -> yaml.Node:
    """The YAML node that an error is about, or the last one on the way there."""
    for step in loc:
        below = _below(node, step)
        if below is None:
            return node
        node = below
    return node


def _below(node: yaml.Node, step: int | str) -> yaml.Node | None:
    if isinstance(node, yaml.MappingNode):
        return next((value for key, value in node.value if key.value == str(step)), None)
    listed = isinstance(node, yaml.SequenceNode) and isinstance(step, int)
    return node.value[step] if listed else None


def _line(node: yaml.Node) -> int:
    return int(node.start_mark.line) + 1
