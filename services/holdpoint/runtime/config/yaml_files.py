"""YAML files as people write them: read strictly, each mistake with its line; kinds of fields."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, TypeVar, cast

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, WithJsonSchema
from pydantic_core import ErrorDetails

from holdpoint.messages.base import ID_PATTERN, MAX_SAFE_INTEGER
from holdpoint.messages.policy import LONGEST_REASON, RESERVED_FAMILIES, RESERVED_RULES
from holdpoint.runtime.config.files import read_text
from holdpoint.runtime.errors import SetupError


class Part(BaseModel):
    """A part of such a file: frozen, and unknown keys are mistakes."""

    model_config = ConfigDict(extra="forbid", frozen=True)


F = TypeVar("F", bound=BaseModel)
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""libyaml reads twenty times faster, where PyYAML was built with it."""

DEEPEST = 100
"""Levels of lists and mappings; no file of ours has more than ten."""

LARGEST = 1_000_000
"""Values that a file may stand for, with what its references repeat."""

_MERGE = "tag:yaml.org,2002:merge"

BLANK = r"\S"
"""The pattern of a text that says something."""

CLOCK_TIME = r"^(?:(?:[01][0-9]|2[0-3]):[0-5][0-9]|24:00)$"
"""The pattern of a time of day, without seconds."""

DECIMAL = r"^[0-9]{1,18}([.][0-9]{1,18})?$"
"""The pattern of money, as a decimal string."""

Loc = tuple[int | str, ...]
"""Where something stands in a document: keys and places in lists."""


def read(path: Path, kind: type[F]) -> F:
    """The file as `kind`; raises `SetupError`, one line `file:line: …` for each mistake."""
    node = composed(path)
    try:
        return kind.model_validate(_plain(node, path) if node else {})
    except ValidationError as error:
        wrong = error.errors(include_url=False)
        shown = (one for one in wrong if not _is_empty_by_another(one["loc"], one["type"], wrong))
        problems = [_told(path, node, one) for one in shown]
        raise SetupError("\n".join(problems)) from None


def _is_empty_by_another(loc: Loc, kind: str, wrong: Sequence[ErrorDetails]) -> bool:
    """Return whether a list is called empty only because an entry of it is wrong."""
    inside = (one["loc"] for one in wrong if len(one["loc"]) > len(loc))
    return kind == "too_short" and any(one[: len(loc)] == loc for one in inside)


def composed(path: Path) -> yaml.Node | None:
    """The file's document with its positions; None when it is empty."""
    try:
        text = read_text(path)
    except OSError as error:
        said = f"{path}: cannot be read ({error.strerror}). Put it back, or fix it."
        raise SetupError(said) from None
    try:
        return _composed(text, path)
    except yaml.YAMLError as error:
        raise SetupError(_no_yaml(path, error, text)) from None
    except RecursionError:
        raise SetupError(_too_deep(str(path))) from None


def _composed(text: str, path: Path) -> yaml.Node | None:
    try:
        _check_shape(text, path)
        return yaml.compose(text, Loader=LOADER)
    except yaml.YAMLError:  # PyYAML's own words for it say more
        return yaml.compose(text, Loader=yaml.SafeLoader)


def _check_shape(text: str, path: Path) -> None:
    """Refuse what is nested too deeply for the stack, and references that multiply each other."""
    sizes: dict[str, int] = {}
    anchors, inside = [""], [0]
    for event in yaml.parse(text, Loader=LOADER):
        if isinstance(event, yaml.CollectionStartEvent):
            anchors.append(event.anchor or "")
            inside.append(1)
        elif isinstance(event, yaml.CollectionEndEvent):
            size = inside.pop()
            sizes[anchors.pop()] = size
            inside[-1] += size
        elif isinstance(event, yaml.NodeEvent):
            is_repeated = isinstance(event, yaml.AliasEvent)
            inside[-1] += sizes.get(event.anchor or "", 1) if is_repeated else 1
        where = f"{path}:{event.start_mark.line + 1 if event.start_mark else 1}"
        if len(inside) > DEEPEST + 1:
            raise SetupError(_too_deep(where))
        if inside[-1] > LARGEST:
            raise SetupError(f"{where}: its references (`*name`) multiply. Write the values out.")


def _too_deep(where: str) -> str:
    return f"{where}: it is nested too deeply to be read. Write it flat."


def line_at(node: yaml.Node | None, loc: Loc) -> int:
    """The line of what stands there, by its key, or of the last thing on the way; from 1 on."""
    start = node
    for step in loc:
        below = _below(node, step)
        if below is None:
            break
        start, node = _key(node, step) or below, below
    return int(start.start_mark.line) + 1 if start else 1


def _key(node: yaml.Node | None, step: int | str) -> yaml.Node | None:
    pairs = node.value if isinstance(node, yaml.MappingNode) else ()
    return next((key for key, _ in pairs if key.value == str(step)), None)


def listed(node: yaml.Node | None, step: str) -> list[yaml.Node]:
    """Return the parts of the list that stands there."""
    found = _below(node, step)
    return list(found.value) if isinstance(found, yaml.SequenceNode) else []


def lines_of(node: yaml.Node | None, text: str) -> Iterator[int]:
    """Return the line of each scalar that says this, wherever it stands."""
    if isinstance(node, yaml.ScalarNode):
        if node.value == text:
            yield int(node.start_mark.line) + 1
        return
    for part in node.value if node else ():
        for below in part if isinstance(part, tuple) else (part,):
            yield from lines_of(below, text)


def below(node: yaml.Node | None, *steps: int | str) -> yaml.Node | None:
    """Return what stands there; None when nothing does."""
    for step in steps:
        node = _below(node, step)
    return node


def keys_of(node: yaml.Node | None, step: str) -> Iterator[str]:
    """Return the keys of the mapping that stands there."""
    below = _below(node, step)
    if isinstance(below, yaml.MappingNode):
        yield from (str(key.value) for key, _ in below.value)


def _below(node: yaml.Node | None, step: int | str) -> yaml.Node | None:
    if isinstance(node, yaml.MappingNode):
        return next((value for key, value in node.value if key.value == str(step)), None)
    if not isinstance(node, yaml.SequenceNode):
        return None
    return node.value[step] if isinstance(step, int) else _named(node, step)


def _named(node: yaml.SequenceNode, name: str) -> yaml.Node | None:
    """The part of a list that has this `id`."""
    for part in node.value:
        found = _below(part, "id") if isinstance(part, yaml.MappingNode) else None
        if found is not None and found.value == name:
            return cast("yaml.Node", part)
    return None


def _plain(node: yaml.Node, path: Path) -> Any:
    """The document without its positions; a key that stands twice is refused, not overwritten."""
    try:
        for mapping in _mappings(node, set()):
            _check_keys(mapping, path)
        return yaml.SafeLoader("").construct_document(node)
    except yaml.YAMLError as error:
        raise SetupError(_no_yaml(path, error)) from None


def _check_keys(mapping: yaml.MappingNode, path: Path) -> None:
    """Two keys are the same if they mean the same: `1`, `0x1` and `true`."""
    loader = yaml.SafeLoader("")
    nodes = [key for key, _ in mapping.value]
    meant = [key.value if key.tag == _MERGE else loader.construct_object(key) for key in nodes]
    for key, value in zip(nodes, meant, strict=True):
        if meant.count(value) > 1:
            line = line_at(key, ())
            raise SetupError(f"{path}:{line}: `{key.value}` stands twice. Remove one.")


def _mappings(node: yaml.Node, seen: set[int]) -> Iterator[yaml.MappingNode]:
    """Every mapping, each once: an alias may stand for what is around it."""
    if id(node) in seen or isinstance(node, yaml.ScalarNode):
        return
    seen.add(id(node))
    if isinstance(node, yaml.MappingNode):
        yield node
    parts = [part[1] if isinstance(part, tuple) else part for part in node.value]
    for part in parts:
        yield from _mappings(part, seen)


def _no_yaml(path: Path, error: yaml.YAMLError, text: str = "") -> str:
    if isinstance(error, yaml.reader.ReaderError):
        line = text.count("\n", 0, error.position) + 1
        sign = f"U+{error.character:04X}"
        return f"{path}:{line}: this is not YAML: it holds the character {sign}. Remove it."
    mark = getattr(error, "problem_mark", None)
    where = f"{path}:{mark.line + 1}" if mark else f"{path}"
    why = getattr(error, "problem", None) or " ".join(str(error).split())
    return f"{where}: this is not YAML: {why}"


def _told(path: Path, node: yaml.Node | None, problem: Any) -> str:
    where = ".".join(map(str, problem["loc"]))
    said, advice = explained(problem)
    written = below(node, *problem["loc"])
    if problem["type"] == "string_type" and isinstance(written, yaml.ScalarNode) and written.value:
        advice = f'Put it in quotes: "{written.value}".'
    line = line_at(node, problem["loc"])
    return f"{path}:{line}: {where or 'the file'}: {said}. {advice}"


def explained(problem: Any) -> tuple[str, str]:
    """Return what is wrong, and what to do, in words that know no Python."""
    around = {name: _whole(value) for name, value in problem.get("ctx", {}).items()}
    kind = problem["type"]
    if kind == "string_type" and isinstance(problem["input"], dict | list):
        return _WORDS[kind][0], "Write a text in its place."
    if around.get("pattern", "") in _PATTERNS:
        return _PATTERNS[around["pattern"]]
    if kind not in _WORDS:
        return problem["msg"].removeprefix("Value error, "), "Change it."
    said, advice = _WORDS[kind]
    return said.format_map(around), advice.format_map(around)


def _whole(value: Any) -> Any:
    return int(value) if isinstance(value, float) and value.is_integer() else value


_WORDS = {
    "extra_forbidden": (
        "unknown key",
        "Remove it, or check its spelling.",
    ),
    "missing": ("it is missing", "Add it."),
    "model_type": (
        "Keys are missing",
        "Write `name: value` lines, such as `patterns:` with a list below.",
    ),
    "string_type": ("not text", "Put it in quotes."),
    "too_short": ("it is empty", "Write an entry, or remove it."),
    "string_too_short": ("it is empty", "Write something, or remove it."),
    "tuple_type": ("not a list", "Write `[a, b]`, or a line with `- ` for each."),
    "list_type": ("not a list", "Write `[a, b]`, or a line with `- ` for each."),
    "dict_type": ("not a mapping", "Write a `name: value` line for each."),
    "string_too_long": ("it is longer than {max_length} characters", "Shorten it."),
    "enum": ("it is none of {expected}", "Write one of those."),
    "int_type": ("not a whole number", "Write digits, such as 100."),
    "int_parsing": ("not a whole number", "Write digits, such as 100."),
    "int_from_float": ("not a whole number", "Write digits, such as 100."),
    "float_type": ("not a number", "Write one, such as 0.5."),
    "float_parsing": ("not a number", "Write one, such as 0.5."),
    "bool_type": ("it is neither true nor false", "Write one of those."),
    "bool_parsing": ("it is neither true nor false", "Write one of those."),
    "finite_number": ("not a finite number", "Write one, such as 0.5."),
    "literal_error": ("it is none of {expected}", "Write one of those."),
    "timezone_aware": ("it names no time zone", "Add one, such as 2026-01-31T08:00:00Z."),
    "string_pattern_mismatch": ("not in the form that is expected", "It has to match {pattern}."),
    "greater_than": ("it has to be more than {gt}", "Write a larger number."),
    "less_than": ("it has to be less than {lt}", "Write a smaller number."),
    "greater_than_equal": ("it has to be at least {ge}", "Write a larger number."),
    "less_than_equal": ("it may be {le} at most", "Write a smaller number."),
}
"""By the kind of problem, with what the library knows around it; any other kind in its words."""

_PATTERNS = {
    BLANK: ("it is blank, and blanks are in every text", "Write what to look for, or remove it."),
    ID_PATTERN: ("not a valid name", "Use up to 64 letters, digits, `_` and `-`."),
    CLOCK_TIME: ("not a time of day", 'Write it in quotes, from "00:00" to "24:00".'),
    DECIMAL: ("not a plain decimal", 'Write it in quotes, such as "1000.00".'),
}


Whole = Annotated[
    int,
    Field(ge=0, le=MAX_SAFE_INTEGER),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "integer", "minimum": 0, "maximum": MAX_SAFE_INTEGER},
                {"type": "string", "pattern": "^[0-9]{1,15}$"},
            ]
        }
    ),
]
"""A number that may stand in quotes."""

WHOLE_PERCENT = 100

Percent = Annotated[
    int,
    Field(ge=0, le=WHOLE_PERCENT),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "integer", "minimum": 0, "maximum": WHOLE_PERCENT},
                {"type": "string", "pattern": "^(?:100|[0-9]{1,2})$"},
            ]
        }
    ),
]
"""A share, which is never more than all; it may stand in quotes too."""

Text = Annotated[str, Field(min_length=1)]
Fragment = Annotated[str, Field(pattern=BLANK, max_length=1000)]
"""Something to look for: blanks alone are in every text."""

Domain = Annotated[str, Field(pattern=r"^[a-z0-9-]+(\.[a-z0-9-]+)+$")]
FolderName = Annotated[str, Field(pattern=r"^(\*\*/)?(\*\.|\.)?[A-Za-z0-9_][A-Za-z0-9._-]*$")]
"""A domain alone, in small letters: `acme.example`. A line that no address can match is refused."""

Amount = Annotated[str, Field(pattern=DECIMAL)]
"""Money, as a decimal string."""

_reserved = "|".join(RESERVED_FAMILIES)
_own = "|".join(RESERVED_RULES).replace(".", r"\.")
RuleId = Annotated[
    Text,
    Field(
        json_schema_extra={
            "pattern": rf"^(?!(?:{_reserved})\.)(?!(?:{_own})$)[A-Za-z0-9][A-Za-z0-9_.-]*$"
        }
    ),
]
"""`core.policy_check` says it in words; an editor says it while it is typed."""

UNSEEN = r"\u0000-\u001f\u007f-\u00a0\u00ad\u2000-\u200f\u2028-\u202f\u2060-\u206f\ufeff"
Reason = Annotated[
    Text, Field(json_schema_extra={"maxLength": LONGEST_REASON, "pattern": f"^[^{UNSEEN}]*$"})
]
"""The same: one line of a card."""


def is_tried(schema: dict[str, Any]) -> None:
    """A rule without a line of its own is refused."""
    lines = schema["properties"]["must_fire"]
    lines["minItems"] = 1
    del lines["default"]
    schema["required"].append("must_fire")


def does_something(schema: dict[str, Any]) -> None:
    """A pack that has nothing is refused."""
    parts = ("patterns", "commands", "sql", "high_risk_commands", "thresholds")
    schema["anyOf"] = [{"required": [part]} for part in parts]
