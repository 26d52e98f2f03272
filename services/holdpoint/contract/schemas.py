"""JSON Schema (2020-12) of every message, of the UI, and of the files that people write."""

import ast
import inspect
import textwrap
from collections.abc import Iterator, Mapping
from enum import Enum
from functools import cache
from itertools import pairwise
from types import ModuleType
from typing import Any, TypeAlias

import msgspec
from pydantic import BaseModel

from holdpoint.coordinator.workflows import CoordinatorFile
from holdpoint.domains.settings import DomainsSettings
from holdpoint.messages import (
    action,
    answer,
    ask,
    base,
    call,
    card,
    catalog,
    command_rules,
    envelope,
    erasure,
    hold,
    knowledge_files,
    policy,
    program_rules,
    reading,
    request,
    risk,
    run,
    sql_rules,
    state,
)
from holdpoint.messages.answer import Proof
from holdpoint.messages.base import CONTENT_TYPE, SPEC_VERSION, TYPE_PREFIX, Event, Message
from holdpoint.messages.card import ConfirmationUI
from holdpoint.messages.command_rules import ToolRules
from holdpoint.messages.knowledge_files import (
    CurrencyNames,
    Groups,
    PatternFile,
    TargetRule,
    ToolCallRules,
    Units,
    Verbs,
    VerbsOnThings,
    WordFile,
)
from holdpoint.messages.program_rules import Carriers, OutputRule, Programs, Wrappers
from holdpoint.messages.sql_rules import SqlRules
from holdpoint.messages.state import NewPasskey, TotpSecret
from holdpoint.messages.subjects import TYPES
from holdpoint.runtime.config.api_files import ApiFile
from holdpoint.runtime.config.catalog_files import CatalogFile
from holdpoint.runtime.config.channel_files import NoticesFile, SlackFile
from holdpoint.runtime.config.mcp_servers import McpServersFile
from holdpoint.runtime.config.parity_files import ParityFile
from holdpoint.runtime.config.policy import EnvironmentsFile, PackFile, PolicyFile
from holdpoint.runtime.config.registry import AgentsFile, PeopleFile
from holdpoint.runtime.config.witness_files import WitnessesFile

Schema: TypeAlias = dict[str, Any]

DIALECT = "https://json-schema.org/draft/2020-12/schema"
LOCAL = "#/$defs/{name}"

BARE = frozenset(
    {kind for kind in TYPES if kind.__module__ in {ask.__name__, request.__name__}}
    | {envelope.Envelope}
)
"""Questions and their answers: they travel without a CloudEvents frame and are not stored."""

SETTINGS: Mapping[str, type[BaseModel]] = {
    "agents": AgentsFile,
    "api": ApiFile,
    "notices": NoticesFile,
    "people": PeopleFile,
    "slack": SlackFile,
    "policy": PolicyFile,
    "policy_pack": PackFile,
    "environments": EnvironmentsFile,
    "domains": DomainsSettings,
    "catalog": CatalogFile,
    "mcp_servers": McpServersFile,
    "parity": ParityFile,
    "coordinator": CoordinatorFile,
    "witnesses": WitnessesFile,
}

KNOWLEDGE: Mapping[str, tuple[str, Any]] = {
    "command_rules": ("Command rules", dict[str, ToolRules]),
    "group_rules": ("Rules of several programs", Groups),
    "sql_rules": ("SQL rules", SqlRules),
    "tool_rules": ("Rules of tool calls", ToolCallRules),
    "verbs_on_things": ("Verbs that count on some things", VerbsOnThings),
    "wrappers": ("Programs that run a command", Wrappers),
    "carriers": ("Programs that run a text", Carriers),
    "outputs": ("Programs and the files that they write", dict[Programs, tuple[OutputRule, ...]]),
    "targets": ("Programs and what they act on", dict[str, TargetRule]),
    "words": ("Word lists", WordFile),
    "patterns": ("Regular expressions", PatternFile),
    "verbs": ("Verbs", Verbs),
    "units": ("Units", Units),
    "currencies": ("Currencies", dict[str, CurrencyNames]),
}
"""Files of data of the risk engine, with the schemas' titles."""

_MODULES: tuple[ModuleType, ...] = (
    action,
    answer,
    ask,
    base,
    call,
    card,
    catalog,
    command_rules,
    envelope,
    erasure,
    hold,
    knowledge_files,
    policy,
    program_rules,
    reading,
    request,
    risk,
    run,
    sql_rules,
    state,
)


def short_name(kind: type[Message]) -> str:
    """`propose`, the type without its prefix: the name of its files."""
    return TYPES[kind].removeprefix(f"{TYPE_PREFIX}.")


def message_schemas() -> dict[str, Schema]:
    """By short name: the whole document for what is stored, the bare message for a question."""
    known = parts()
    return {
        short_name(kind): _document(kind, known) if kind not in BARE else _bare(kind, known)
        for kind in TYPES
    }


def confirmation_ui() -> Schema:
    """Seed 002's UI by itself, for anyone who draws it."""
    return _top("confirmation_ui", parts(), ConfirmationUI.__name__)


def settings_schemas() -> dict[str, Schema]:
    """Return what people may write in each file; an editor checks it while they type."""
    written = {
        name: {"$schema": DIALECT, "$id": _urn(f"config/{name}"), **kind.model_json_schema()}
        for name, kind in SETTINGS.items()
    }
    return written | {
        name: _rules_schema(name, title, kind) for name, (title, kind) in KNOWLEDGE.items()
    }


def _rules_schema(name: str, title: str, kind: Any) -> Schema:
    """Return the schema of a file of rules."""
    (root,), made = msgspec.json.schema_components((kind,), ref_template=LOCAL)
    classes = _classes()
    return {
        "$schema": DIALECT,
        "$id": _urn(f"config/{name}"),
        "title": title,
        **root,
        "$defs": {name: _told(schema, classes[name]) for name, schema in sorted(made.items())},
    }


def parts() -> dict[str, Schema]:
    """Every struct and enum that a message is made of, by its class's name."""
    _, made = msgspec.json.schema_components(
        (*TYPES, ConfirmationUI, Proof, TotpSecret, NewPasskey), ref_template=LOCAL
    )
    classes = _classes()
    return {name: _told(schema, classes[name]) for name, schema in sorted(made.items())}


def frame(kind: type[Message]) -> Schema:
    """CloudEvents 1.0 around one type of message."""
    attributes = _described(msgspec.json.schema(Event)["$defs"][Event.__name__], Event)
    properties: Schema = attributes["properties"]
    properties |= {
        "specversion": {"const": SPEC_VERSION},
        "id": {"type": "string", "minLength": 1},
        "type": {"const": TYPES[kind]},
        "source": {"type": "string", "minLength": 1},
        "datacontenttype": {"const": CONTENT_TYPE},
        "data": {"$ref": LOCAL.format(name=kind.__name__)},
        "time": {"type": "string", "format": "date-time"},
    }
    return {
        "title": TYPES[kind],
        "description": inspect.getdoc(kind) or "",
        "type": "object",
        "properties": properties,
        "required": attributes["required"],
    }


def refs_in(schema: Any) -> Iterator[str]:
    """The names of the parts that a schema speaks of."""
    match schema:
        case {"$ref": str() as ref}:
            yield ref.rpartition("/")[2]
        case dict():
            for part in schema.values():
                yield from refs_in(part)
        case list():
            for part in schema:
                yield from refs_in(part)
        case _:
            return


def _document(kind: type[Message], known: dict[str, Schema]) -> Schema:
    body = frame(kind)
    return {
        "$schema": DIALECT,
        "$id": _urn(f"v1/{short_name(kind)}"),
        **body,
        "$defs": _needed(body, known),
    }


def _bare(kind: type[Message], known: dict[str, Schema]) -> Schema:
    return _top(f"v1/{short_name(kind)}", known, kind.__name__)


def _top(name: str, known: dict[str, Schema], part: str) -> Schema:
    body = {key: value for key, value in known[part].items() if key != "$defs"}
    needed = _needed(body, known)
    return {"$schema": DIALECT, "$id": _urn(name), **body, **({"$defs": needed} if needed else {})}


def _urn(name: str) -> str:
    return f"urn:holdpoint:{name.replace('/', ':')}"


def _needed(schema: Schema, known: dict[str, Schema]) -> dict[str, Schema]:
    """The parts that a schema is made of, and theirs."""
    found: dict[str, Schema] = {}
    waiting = list(refs_in(schema))
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = known[name]
            waiting += refs_in(known[name])
    return dict(sorted(found.items()))


def _classes() -> dict[str, type]:
    return {
        name: it for module in _MODULES for name, it in vars(module).items() if isinstance(it, type)
    }


def _told(schema: Schema, kind: type) -> Schema:
    """The schema, with what the generator cannot know: the order of enums, each field's meaning."""
    if issubclass(kind, Enum):
        return {**schema, "type": "string", "enum": [member.value for member in kind]}
    described = _described(schema, kind)
    leaves_out = issubclass(kind, msgspec.Struct) and kind.__struct_config__.omit_defaults
    return described if leaves_out else _all_written(described)


def _all_written(schema: Schema) -> Schema:
    """Of a struct that leaves nothing out every field is there, but one without any default."""
    names = schema.get("properties", {})
    always = [
        name for name, part in names.items() if name in schema["required"] or "default" in part
    ]
    return {**schema, "required": always}


def _described(schema: Schema, kind: type) -> Schema:
    words = {name: text for one in reversed(kind.__mro__) for name, text in _meanings(one).items()}
    properties = {
        name: _readable({**part, **({"description": words[name]} if name in words else {})})
        for name, part in schema.get("properties", {}).items()
    }
    described = {**schema, "properties": properties}
    return described | {"description": inspect.cleandoc(schema.get("description", ""))}


def _readable(part: Schema) -> Schema:
    r"""Python's `\Z` is what every other dialect writes as `$`."""
    if "pattern" in part:
        return {**part, "pattern": part["pattern"].replace(r"\Z", "$")}
    return part


@cache
def _meanings(kind: type) -> dict[str, str]:
    """The sentence that stands under each field of a class."""
    if kind.__module__.partition(".")[0] != "holdpoint":
        return {}
    tree = ast.parse(textwrap.dedent(inspect.getsource(kind))).body[0]
    lines = tree.body if isinstance(tree, ast.ClassDef) else []
    return {
        field.target.id: inspect.cleandoc(said.value.value)
        for field, said in pairwise(lines)
        if isinstance(field, ast.AnnAssign)
        and isinstance(field.target, ast.Name)
        and isinstance(said, ast.Expr)
        and isinstance(said.value, ast.Constant)
        and isinstance(said.value.value, str)
    }
