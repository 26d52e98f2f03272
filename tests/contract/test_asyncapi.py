"""The AsyncAPI document: valid, complete, and true to the subjects."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from tests.contract.write_examples import EXAMPLES

from holdpoint.contract.asyncapi import PARAMETERS, ROLES
from holdpoint.contract.schemas import BARE, short_name
from holdpoint.messages.subjects import TYPES

API: Any = json.loads((EXAMPLES.parents[1] / "asyncapi.json").read_bytes())
STORED = [short_name(kind) for kind in TYPES if kind not in BARE]
BARE_NAMES = [short_name(kind) for kind in BARE]


def refs(document: Any) -> Iterator[str]:
    match document:
        case {"$ref": str() as ref}:
            yield ref
        case dict():
            for part in document.values():
                yield from refs(part)
        case list():
            for part in document:
                yield from refs(part)
        case _:
            return


def at(ref: str) -> Any:
    found = API
    for step in ref.removeprefix("#/").split("/"):
        found = found[step]
    return found


def official(node_modules: Path) -> jsonschema.Draft7Validator:
    path = node_modules / "@asyncapi" / "specs" / "schemas" / "3.0.0-without-$id.json"
    return jsonschema.Draft7Validator(json.loads(path.read_bytes()))


def test_it_is_valid_by_asyncapi_s_own_schema(node_modules: Path) -> None:
    errors = [
        (list(error.path), error.message) for error in official(node_modules).iter_errors(API)
    ]

    assert errors == []


def test_asyncapi_s_own_schema_would_notice(node_modules: Path) -> None:
    validator = official(node_modules)

    assert not validator.is_valid({**API, "asyncapi": "2.0.0"})
    assert not validator.is_valid({**API, "operations": {"x": {"action": "shout"}}})


def test_every_reference_leads_somewhere() -> None:
    assert len(list(refs(API))) > 300
    for ref in refs(API):
        assert at(ref)


@pytest.mark.parametrize("name", [short_name(kind) for kind in TYPES])
def test_every_message_has_its_channel(name: str) -> None:
    channel = API["channels"][name]

    assert channel["messages"] == {name: {"$ref": f"#/components/messages/{name}"}}
    assert API["components"]["messages"][name]["name"] == f"holdpoint.v1.{name}"


@pytest.mark.parametrize("name", STORED)
def test_an_example_s_subject_fits_its_channel(name: str) -> None:
    subject = json.loads((EXAMPLES / f"{name}.json").read_bytes())["subject"]
    address = API["channels"][name]["address"]

    assert re.fullmatch(re.sub(r"\{\w+\}", "[A-Za-z0-9_-]+", address), subject)


@pytest.mark.parametrize("name", STORED)
def test_an_example_fits_the_payload(name: str) -> None:
    payload = {**API["components"]["messages"][name]["payload"], "components": API["components"]}
    document = json.loads((EXAMPLES / f"{name}.json").read_bytes())

    assert [
        error.message for error in jsonschema.Draft7Validator(payload).iter_errors(document)
    ] == []


@pytest.mark.parametrize("name", sorted(BARE_NAMES))
def test_a_question_fits_the_payload(name: str) -> None:
    payload = {**API["components"]["messages"][name]["payload"], "components": API["components"]}
    document = json.loads((EXAMPLES / f"{name}.json").read_bytes())

    assert jsonschema.Draft7Validator(payload).is_valid(document)


@pytest.mark.parametrize("name", API["channels"])
def test_every_parameter_is_explained(name: str) -> None:
    channel = API["channels"][name]
    named = re.findall(r"\{(\w+)\}", channel["address"] or "")

    assert list(channel.get("parameters", {})) == named
    assert set(named) <= set(PARAMETERS)


@pytest.mark.parametrize("name", STORED)
def test_one_role_writes_and_the_others_read(name: str) -> None:
    about = {f"{role}_{action}_{name}" for role in ROLES for action in ("send", "receive")}
    told = [API["operations"][key] for key in sorted(about & set(API["operations"]))]

    assert [it["action"] for it in told].count("send") == 1
    assert [it["action"] for it in told].count("receive") >= 1
    assert {it["channel"]["$ref"] for it in told} == {f"#/channels/{name}"}


def test_every_stored_document_reaches_the_audit() -> None:
    unread = [name for name in STORED if f"audit_receive_{name}" not in API["operations"]]

    assert unread == ["alarm"]


def test_an_agent_writes_calls_and_questions_and_nothing_else() -> None:
    writes = {key for key in API["operations"] if key.startswith("agent_send_")}

    assert writes == {
        f"agent_send_{name}"
        for name in ("propose", "intent", "withdraw", "trace", "ask_hold", "ask_tools")
    }


def test_every_question_says_where_its_answer_goes() -> None:
    asked = [it for it in API["operations"].values() if "reply" in it]

    assert len(asked) == 14
    for operation in asked:
        assert at(operation["reply"]["channel"]["$ref"])["address"] is None
