"""What `@tool` attaches, and how strictly it reads arguments."""

import hashlib
from typing import Any

import jsonschema
import msgspec
import pytest

from holdpoint.core.digest import canonical
from holdpoint.core.tool import (
    MAX_TOOLS,
    ArgumentsError,
    Result,
    Run,
    RunContext,
    arguments_of,
    json_schema,
    spec_of,
    tool,
    what_ran,
)
from holdpoint.domains.database import tools as database
from holdpoint.domains.shell import tools as shell
from holdpoint.messages.catalog import Repeat
from holdpoint.messages.run import RunStatus

DOMAINS = {"shell": shell.TOOLS, "database": database.TOOLS}
EVERY = [function for tools in DOMAINS.values() for function in tools]


class Arguments(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A few of each kind."""

    path: str
    count: int = 1
    secret: str = ""


async def act(arguments: Arguments, context: RunContext) -> Result:
    """Do it
    now.

    More that no catalog needs.
    """
    return Result(status=RunStatus.DONE, data={"path": arguments.path, "id": context.hold_id})


def attached(**changes: Any) -> Run:
    values: dict[str, Any] = {
        "domain": "test",
        "level": 1,
        "template": "act on {path}",
        "schema": Arguments,
        "repeat": Repeat.IDEMPOTENT,
    }
    return tool(**(values | changes))(act)


def test_tool_returns_the_function_with_its_spec() -> None:
    function = attached(aliases=("do",), secret=("/secret",), undo="Undo it.")
    assert function is act
    entry = spec_of(function).tool
    assert (entry.name, entry.domain, entry.description) == ("act", "test", "Do it now.")
    assert (entry.aliases, entry.secret, entry.undo, entry.plans) == (
        ("do",),
        ("/secret",),
        "Undo it.",
        False,
    )
    assert entry.schema_sha256 == hashlib.sha256(canonical(entry.schema)).hexdigest()


def test_a_function_without_tool_is_refused() -> None:
    async def bare(arguments: Arguments, context: RunContext) -> Result:
        raise NotImplementedError(arguments, context)

    with pytest.raises(TypeError, match="carries no @tool"):
        spec_of(bare)


def test_lookup_and_its_function_belong_together() -> None:
    async def looked_up(arguments: Any, context: RunContext) -> Result | None:
        raise NotImplementedError(arguments, context)

    with pytest.raises(TypeError, match="belong together"):
        attached(repeat=Repeat.LOOKUP)
    with pytest.raises(TypeError, match="belong together"):
        attached(repeat=Repeat.MANUAL, lookup=looked_up)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"repeat": "once"}, "`repeat` is one of idempotent, lookup, manual: 'once' is none"),
        ({"secret": "/secret"}, "`secret` is a tuple"),
        ({"secret": ("secret",)}, "`secret` names 'secret', which points to no argument"),
        ({"secret": ("/secrte",)}, "they are count, path, secret"),
        ({"template": "act on {pth}"}, r"`template` names \{pth\}, which is no argument"),
    ],
)
def test_what_names_no_argument_or_no_way_to_repeat_is_refused(
    changes: dict[str, Any], why: str
) -> None:
    with pytest.raises(TypeError, match=why):
        attached(**changes)


def test_a_way_to_repeat_may_be_given_as_a_word() -> None:
    assert spec_of(attached(repeat="manual")).tool.repeat is Repeat.MANUAL


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        ({}, "missing required field `path`"),
        ({"path": 1}, r"Expected `str`, got `int` - at `\$.path`"),
        ({"path": "a", "count": "1"}, "Expected `int`, got `str`"),
        ({"path": "a", "count": True}, "Expected `int`, got `bool`"),
        ({"path": "a", "extra": 1}, "unknown field `extra`"),
    ],
)
def test_arguments_are_read_strictly(raw: dict[str, Any], why: str) -> None:
    with pytest.raises(ArgumentsError, match=why):
        arguments_of(spec_of(attached()), raw)


def test_what_ran_is_masked() -> None:
    arguments = Arguments(path="a", secret="s3")  # noqa: S106  # an example
    ran = what_ran("act", arguments, (("secret",), ("no", "such")))
    assert ran == {"tool": "act", "arguments": {"path": "a", "count": 1, "secret": "•••"}}


def test_parts_of_a_schema_stand_in_its_definitions() -> None:
    class Whole(msgspec.Struct):
        part: Arguments

    schema = json_schema(Whole)
    assert schema["type"] == "object"
    assert set(schema["$defs"]) == {"Arguments"}


@pytest.mark.parametrize("name", DOMAINS)
def test_a_domain_has_at_most_ten_tools_of_its_own(name: str) -> None:
    tools = [spec_of(function).tool for function in DOMAINS[name]]
    assert 0 < len(tools) <= MAX_TOOLS
    assert {tool.domain for tool in tools} == {name}


@pytest.mark.parametrize("function", EVERY)
def test_every_tool_is_described(function: Run) -> None:
    spec = spec_of(function)
    assert spec.tool.description.endswith(".")
    assert spec.tool.schema["additionalProperties"] is False
    jsonschema.Draft202012Validator.check_schema(spec.tool.schema)
    assert spec.tool.plans is (spec.plan is not None)
    assert 1 <= spec.tool.level <= 5
    assert spec.tool.level < 3 or spec.plan is not None


def test_names_are_not_taken_twice() -> None:
    names = [spec_of(function).tool.name for function in EVERY]
    assert len(set(names)) == len(names)


def test_in_a_namespace_the_bare_name_is_an_alias() -> None:
    bare = spec_of(attached()).tool
    entry = spec_of(attached(namespace="bank", aliases=("do",))).tool

    assert entry.name == f"bank_{bare.domain}_{bare.name}"
    assert entry.aliases == (bare.name, "do")
