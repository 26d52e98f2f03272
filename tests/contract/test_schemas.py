"""`schemas/` says what the code does: run `make schemas` when this fails."""

import json
import shutil
import tomllib
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest
import yaml
from tests.contract.write_examples import EXAMPLES, documents

from holdpoint.cli.config_checks import policy_problems
from holdpoint.contract import files, write
from holdpoint.contract.schemas import BARE, message_schemas, short_name
from holdpoint.messages.base import Message
from holdpoint.messages.card import BUTTONS
from holdpoint.messages.codec import (
    UnreadableError,
    check_strict,
    decode,
    decode_data,
    decode_event,
)
from holdpoint.messages.hold import HoldFact
from holdpoint.messages.subjects import TYPES
from holdpoint.runtime.config.policy import load_policy
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.errors import SetupError

ROOT = Path(__file__).parents[2]
SCHEMAS = ROOT / "schemas"
CONFIG = ROOT / "deploy" / "config"
BY_NAME = {short_name(kind): kind for kind in TYPES}
WRITTEN_BY_HAND = {"README.md"}
WRITTEN = sorted(
    str(path.relative_to(SCHEMAS))
    for path in SCHEMAS.rglob("*.json")
    if EXAMPLES not in path.parents
)

SHIPPED = sorted(CONFIG.rglob("*.yaml"))
HEAD = "# yaml-language-server: $schema="
KNOWLEDGE = ROOT / "services/holdpoint/core/risk/data"
DATA = sorted(KNOWLEDGE.rglob("*.toml"))
TOML_HEAD = "#:schema "


def schema_of(path: str) -> Any:
    return json.loads((SCHEMAS / path).read_bytes())


def example_of(name: str) -> bytes:
    return (EXAMPLES / f"{name}.json").read_bytes()


def read(name: str, raw: bytes) -> Message:
    """As every reader of ours does it."""
    check_strict(raw)
    if BY_NAME[name] in BARE:
        return decode(raw, BY_NAME[name])
    event = decode_event(raw)
    assert event.type == TYPES[BY_NAME[name]]
    return decode_data(event)


def test_the_written_contract_is_the_spoken_one() -> None:
    written = {
        str(path.relative_to(SCHEMAS)): path.read_bytes()
        for path in SCHEMAS.rglob("*")
        if path.is_file() and EXAMPLES not in path.parents
    }

    assert {name: it for name, it in written.items() if name not in WRITTEN_BY_HAND} == files()


def test_it_can_be_written_anywhere(tmp_path: Path) -> None:
    paths = write(tmp_path)

    assert {str(path.relative_to(tmp_path)) for path in paths} == set(files())
    assert all(path.read_bytes() for path in paths)


def test_every_type_has_a_schema_and_one_example() -> None:
    assert {path.stem for path in EXAMPLES.glob("*")} == set(BY_NAME) == set(message_schemas())
    assert set(documents()) == set(BY_NAME)


@pytest.mark.parametrize("path", WRITTEN)
def test_every_schema_is_a_schema(path: str) -> None:
    if path != "asyncapi.json":
        jsonschema.Draft202012Validator.check_schema(schema_of(path))


@pytest.mark.parametrize("name", BY_NAME)
def test_an_example_of_the_first_day_is_readable_for_ever(name: str) -> None:
    assert isinstance(read(name, example_of(name)), BY_NAME[name])


@pytest.mark.parametrize("name", BY_NAME)
def test_an_example_fits_its_schema(name: str) -> None:
    validator = jsonschema.Draft202012Validator(
        schema_of(f"v1/{name}.json"),
        format_checker=jsonschema.Draft202012Validator.FORMAT_CHECKER,
    )

    assert [error.message for error in validator.iter_errors(json.loads(example_of(name)))] == []


@pytest.mark.parametrize("name", BY_NAME)
def test_everything_in_an_example_is_understood(name: str) -> None:
    document = json.loads(example_of(name))
    said = document if BY_NAME[name] in BARE else document["data"]
    understood = msgspec.json.decode(msgspec.json.encode(read(name, example_of(name))))

    assert without_empty(understood) == without_empty(said)


def without_empty(part: Any) -> Any:
    """What is always written now was left out where it was empty."""
    match part:
        case dict():
            kept = {key: without_empty(each) for key, each in part.items()}
            return {key: each for key, each in kept.items() if each not in ("", {}, [])}
        case list():
            return [without_empty(each) for each in part]
        case _:
            return part


@pytest.mark.parametrize("name", BY_NAME)
def test_schema_and_reader_ask_for_the_same_fields(name: str) -> None:
    document = json.loads(example_of(name))
    schema = schema_of(f"v1/{name}.json")
    bare = BY_NAME[name] in BARE
    said = document if bare else document["data"]
    for field in list(said):
        less = {key: part for key, part in said.items() if key != field}
        changed = less if bare else {**document, "data": less}
        fits = jsonschema.Draft202012Validator(schema).is_valid(changed)
        assert fits == is_readable(name, json.dumps(changed).encode()), field


def is_readable(name: str, raw: bytes) -> bool:
    try:
        read(name, raw)
    except UnreadableError:
        return False
    return True


@pytest.mark.parametrize("name", [name for name, kind in BY_NAME.items() if kind not in BARE])
def test_a_new_optional_field_disturbs_nobody(name: str) -> None:
    document = json.loads(example_of(name))
    later = {**document, "later": 1, "data": {**document["data"], "later": {"x": 1}}}

    assert read(name, json.dumps(later).encode()) == read(name, example_of(name))
    assert jsonschema.Draft202012Validator(schema_of(f"v1/{name}.json")).is_valid(later)


def test_the_ui_has_exactly_the_seed_s_five_fields() -> None:
    schema = schema_of("confirmation_ui.json")
    fields = ["message", "action", "risk_level", "show_details", "buttons"]

    assert list(schema["properties"]) == schema["required"] == fields
    assert schema["$defs"]["RiskLevel"]["enum"] == ["low", "medium", "high", "critical"]


@pytest.mark.parametrize(
    "buttons",
    [["Cancel", "Proceed"], ["Proceed"], ["Proceed", "Cancel", "Later"], ["OK", "Cancel"]],
)
def test_there_are_two_buttons_and_no_others(buttons: list[str]) -> None:
    validator = jsonschema.Draft202012Validator(schema_of("confirmation_ui.json"))
    ui = json.loads(example_of("card"))["data"]["ui"]

    assert validator.is_valid(ui)
    assert ui["buttons"] == list(BUTTONS)
    assert not validator.is_valid({**ui, "buttons": buttons})


@pytest.mark.parametrize("hold_id", ["*", ">", "a.b", "", "a\n", "ä"])
def test_what_cannot_enter_a_subject_does_not_fit(hold_id: str) -> None:
    document = json.loads(example_of("withdraw"))
    document["data"]["hold_id"] = hold_id
    body = schema_of("v1/withdraw.json")["$defs"]["Withdraw"]["properties"]["hold_id"]

    assert body["pattern"] == "^[A-Za-z0-9_-]{1,64}$"
    assert not is_readable("withdraw", json.dumps(document).encode())


def named_in(path: Path) -> Path:
    """The schema that an editor finds in the file's first line."""
    head = path.read_text().splitlines()[0]
    start = TOML_HEAD if path.suffix == ".toml" else HEAD
    assert head.startswith(start), path
    return (path.parent / head.removeprefix(start)).resolve()


def fits(schema: Path, text: str) -> bool:
    """As an editor sees it: YAML's whole numbers as keys are text."""
    return fits_document(schema, json.loads(json.dumps(yaml.safe_load(text))))


def fits_document(schema: Path, document: object) -> bool:
    return bool(jsonschema.Draft202012Validator(json.loads(schema.read_bytes())).is_valid(document))


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.name)
def test_each_file_that_we_ship_names_the_schema_that_it_fits(path: Path) -> None:
    assert fits(named_in(path), path.read_text())


@pytest.mark.parametrize("path", DATA, ids=lambda path: str(path.relative_to(KNOWLEDGE)))
def test_each_file_of_knowledge_names_the_schema_that_it_fits(path: Path) -> None:
    assert fits_document(named_in(path), tomllib.loads(path.read_text()))


def test_each_schema_of_a_file_is_named_by_a_file() -> None:
    assert {named_in(path) for path in (*SHIPPED, *DATA)} == set(
        (SCHEMAS / "config").glob("*.json")
    )


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("words/english", 'articles = "', 'articles = 1.5\nmore = "'),
        ("patterns/sql", "mighty_columns = [", "mighty_columns = []\nmore = ["),
        ("currencies", "code=true", "cod=true"),
        ("units", 'size="0.01"', "size=0.01"),
        ("targets", "alone = true", 'alone = "true"'),
        ("verbs", 'transfer = "transfer"', "transfer = 1"),
        ("rules/groups", "\nprograms = ", "\nprogram = "),
        ("rules/tools", "\nname_not = ", "\nnam_not = "),
        ("rules/verbs_on_things", '"revert" = "', '"revert" = 1\n"more" = "'),
    ],
)
def test_a_mistake_in_a_file_of_knowledge_does_not_fit(file: str, old: str, new: str) -> None:
    path = KNOWLEDGE / f"{file}.toml"
    text = path.read_text("utf-8")
    assert old in text

    assert not fits_document(named_in(path), tomllib.loads(text.replace(old, new, 1)))


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("policy/default.yaml", "grant_s:", "grants:"),
        ("policy/default.yaml", "  1: {verdict: pass}", "  1: {verdict: maybe}"),
        ("policy/default.yaml", "  critical: 4", "  grave: 3"),
        ("policy/default.yaml", 'amount: "1000.00"', "amount: 1000.00"),
        ("policy/default.yaml", "  records: 100", "  records: -1"),
        ("policy/default.yaml", "by: [", "by: [nobody, "),
        ("policy/default.yaml", "  - shred -u /", "  - ' '"),
        ("policy/seed-002.yaml", "version:", "levels: {}\nversion:"),
        ("policy/seed-002.yaml", "level: high", "level: higher"),
        ("policy/seed-002.yaml", "heuristic: irrev", "heuristic: x"),
        ("policy/seed-002.yaml", "    reason: it deletes", "    reasons: it deletes"),
        ("policy/seed-002.yaml", "version:", "thresholds: {record: 5}\nversion:"),
        ("policy/seed-002.yaml", "version:", "thresholds: {amount: much}\nversion:"),
        ("policy/seed-002.yaml", "version:", "thresholds: {currency: EUR}\nversion:"),
        ("environments.yaml", "environment: sandbox", "environment: test"),
        ("environments.yaml", "match:", "mach:"),
    ],
)
def test_what_an_editor_marks_is_what_the_gate_refuses(
    tmp_path: Path, file: str, old: str, new: str
) -> None:
    config = tmp_path / "config"
    shutil.copytree(CONFIG, config)
    text = (CONFIG / file).read_text()
    assert old in text
    wrong = text.replace(old, new, 1)
    (config / file).write_text(wrong)

    assert not fits(named_in(CONFIG / file), wrong)
    with pytest.raises(SetupError, match=file):
        load_policy(config, {})


RULE = """
patterns:
  - id: own.boom
    pattern: boom
    heuristic: magnitude
    level: high
    reason: it explodes
    must_fire: [boom]
"""


@pytest.mark.parametrize(
    ("old", "new", "is_right"),
    [
        ("", "", True),
        ("[boom]", "[]", False),
        ("    must_fire: [boom]\n", "", False),
        ("it explodes", "x" * 90, True),
        ("it explodes", "x" * 91, False),
        ("it explodes", '"a\\tb"', False),
        ("it explodes", '"a\\u202eb"', False),
        ("it explodes", "it costs 5 € — truly", True),
        ("own.boom", "own boom", False),
        ("own.boom", "own.böm", False),
        ("own.boom", "own.boom-2_x", True),
        ("own.boom", "shell.mine", False),
        ("own.boom", "doubt.acts", False),
        ("own.boom", "shells.mine", True),
        ("own.boom", "doubt.acts-up", True),
        (RULE, "{}", False),
        (RULE, "version: '3'", False),
        (RULE, "thresholds: {records: '20'}", True),
        (RULE, "thresholds: {records: 20}", True),
        (RULE, "thresholds: {records: 'x'}", False),
        (RULE, "thresholds: {percent: 5}", True),
        (RULE, "thresholds: {percent: 101}", False),
        (RULE, "thresholds: {percent: '500'}", False),
        ("patterns:", "version: ''\npatterns:", False),
        ("patterns:", "version: '3'\npatterns:", True),
        (RULE, "high_risk_commands: [launch the rocket]", True),
        (RULE, f"high_risk_commands: [{'x' * 1001}]", False),
    ],
)
def test_what_an_editor_marks_in_a_pack_is_what_the_check_refuses(
    tmp_path: Path, old: str, new: str, *, is_right: bool
) -> None:
    shutil.copytree(CONFIG, tmp_path / "config")
    written = RULE.replace(old, new, 1) if old else RULE
    (tmp_path / "config" / "policy" / "own.yaml").write_text(written)
    settings = Settings(config_dir=tmp_path / "config")

    assert fits(SCHEMAS / "config" / "policy_pack.json", written) is is_right
    assert (policy_problems(settings) == []) is is_right


def test_a_spelling_mistake_in_a_file_does_not_fit() -> None:
    validator = jsonschema.Draft202012Validator(schema_of("config/agents.json"))

    assert validator.is_valid({"agents": [{"name": "a", "tools": []}]})
    assert not validator.is_valid({"agents": [{"name": "a", "tools": [], "act_for": ["ann"]}]})
    assert not validator.is_valid({"agents": [{"name": "a.b", "tools": []}]})


def test_the_examples_tell_one_story() -> None:
    facts = [read(name, example_of(name)) for name in ("halt", "render", "answered", "resume")]

    assert len({fact.hold.digest for fact in facts if isinstance(fact, HoldFact)}) == 1
