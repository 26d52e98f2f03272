"""The catalog: every name once, ten tools to a domain, arguments by schema."""

import msgspec
import pytest
from tests.builders import a_tool

from holdpoint.core.catalog import Catalog
from holdpoint.core.tool import NO_NUL, Result, RunContext, spec_of, tool
from holdpoint.messages.catalog import DISPATCH, HOST_DOMAIN, DeclaredTool, Naming, Repeat
from holdpoint.messages.run import RunStatus


class Nothing(msgspec.Struct, frozen=True):
    """No arguments."""


SCHEMA = {
    "type": "object",
    "properties": {
        "table": {"type": "string"},
        "limit": {"type": "integer", "maximum": 10},
        "mode": {"enum": ["slow"]},
        "day": {"type": "string", "pattern": "^[0-9-]+$"},
        "path": {"type": "string", "pattern": NO_NUL},
    },
    "required": ["table"],
    "additionalProperties": False,
}


def test_a_tool_is_found_by_name_and_by_alias() -> None:
    catalog = Catalog([a_tool(aliases=("remove_rows",))])

    assert catalog.find("remove_rows") is catalog.find("delete_rows") is not None
    assert catalog.find("drop_rows") is None
    assert catalog.domains() == ("database",)


@pytest.mark.parametrize("twin", [a_tool(), a_tool(name="x", aliases=("delete_rows",))])
def test_two_tools_never_share_a_name(twin: object) -> None:
    with pytest.raises(ValueError, match=r"The name delete_rows is taken"):
        Catalog([a_tool(), twin])  # type: ignore[list-item]  # a tool


def test_a_domain_has_ten_tools_at_most() -> None:
    ten = [a_tool(name=f"tool_{at}") for at in range(10)]

    assert set(Catalog(ten).tools) == {DISPATCH, *(tool.name for tool in ten)}
    with pytest.raises(ValueError, match="database has 11 tools"):
        Catalog([*ten, a_tool()])


@pytest.mark.parametrize("domain", ["none", "a.b", "", "*"])
def test_a_domain_is_a_word_of_a_subject(domain: str) -> None:
    with pytest.raises(ValueError, match="No domain can be called"):
        Catalog([a_tool(domain=domain)])


@pytest.mark.parametrize(
    ("arguments", "wrong"),
    [
        ({"table": "users"}, ""),
        ({"table": "users", "limit": 10}, ""),
        ({}, "arguments: `table` is missing"),
        ({"table": 1}, "table: it must be a string"),
        ({"table": "users", "limit": 11}, "limit: it must be at most 10"),
        ({"table": "users", "all": True}, "arguments: there is no `all`"),
        ({"table": "users", "kind": "x"}, "arguments: there is no `kind`"),
        ({"table": "users", "mode": "fast"}, "mode: it must be slow"),
        ({"table": "users", "day": "today"}, "day: it must fit `^[0-9-]+$`"),
        ({"table": "users", "path": "a\0b"}, r"path: it holds a NUL (`\u0000`)"),
    ],
)
def test_arguments_fit_or_the_place_is_named(arguments: dict[str, object], wrong: str) -> None:
    tool = a_tool(schema=SCHEMA)
    objection = Catalog([tool]).objection(tool, arguments)

    assert objection.startswith(wrong)
    assert bool(objection) == bool(wrong)


def test_an_object_that_is_expected_is_described_and_each_problem_is_told() -> None:
    money = {"type": "object", "properties": {"value": {}, "currency": {}, "note": {}}}
    schema = {
        "type": "object",
        "properties": {"amount": {"$ref": "#/$defs/Money"}, "to": {"type": "string"}},
        "required": ["amount", "to"],
        "$defs": {"Money": money | {"required": ["value", "currency"]}},
    }
    tool = a_tool(schema=schema)
    catalog = Catalog([tool])

    assert catalog.objection(tool, {"amount": 150, "to": 1}) == (
        "amount: it must be an object with `value`, `currency`, `note` (optional); "
        "to: it must be a string"
    )
    assert catalog.objection(tool, {"amount": {}, "to": "a"}) == (
        "amount: `value` is missing; amount: `currency` is missing"
    )


@pytest.mark.parametrize(
    ("said", "wrong"),
    [
        ({"description": "a decimal number", "examples": ["12.50"]},
         "amount: it does not fit: a decimal number, such as 12.50"),
        ({"description": "Two\n\u202eletters."}, r"amount: it does not fit: Two \u{202e}letters"),
        ({"examples": ["1", "2"]}, "amount: it does not fit: such as 1 or 2"),
        ({}, "amount: it must fit `^[0-9.]+$`"),
    ],
)  # fmt: skip
def test_a_form_is_told_in_the_words_of_the_schema(said: dict[str, object], wrong: str) -> None:
    amount = {"type": "string", "pattern": "^[0-9.]+$", **said}
    schema = {"properties": {"amount": {"$ref": "#/$defs/Amount"}}, "$defs": {"Amount": amount}}
    tool = a_tool(schema=schema)

    assert Catalog([tool]).objection(tool, {"amount": "much"}) == wrong


def test_a_schema_within_a_schema_is_checked_too() -> None:
    inner = {"$id": "http://a.example/b", "properties": {"day": {"type": "string"}}}
    schema = {"properties": {"on": {"$ref": "http://a.example/b"}}, "$defs": {"Day": inner}}
    tool = a_tool(schema=schema)

    assert Catalog([tool]).objection(tool, {"on": {"day": 1}}) == "on/day: it must be a string"


def test_what_is_missing_is_named_where_nothing_else_is_wrong() -> None:
    tool = a_tool(schema=SCHEMA)
    catalog = Catalog([tool])

    assert catalog.missing(tool, {}) == ("table",)
    assert catalog.missing(tool, {"table": "users"}) == ()
    assert catalog.missing(tool, {"all": True}) == ()


def test_an_objection_never_repeats_a_value() -> None:
    tool = a_tool(schema=SCHEMA)

    assert "hunter2" not in Catalog([tool]).objection(tool, {"table": ["hunter2"]})


@pytest.mark.parametrize("level", [0, 6])
def test_there_are_only_levels_1_to_5(level: int) -> None:
    with pytest.raises(ValueError, match=f"has level {level}"):
        Catalog([a_tool(level=level)])


def test_a_tool_without_a_level_counts_as_the_highest() -> None:
    @tool(domain="own", template="x", schema=Nothing, repeat=Repeat.MANUAL)
    async def unlevelled(_: Nothing, __: RunContext) -> Result:
        return Result(status=RunStatus.DONE)

    assert spec_of(unlevelled).tool.level == 5


def test_a_catalog_file_alone_offers_what_the_asking_program_runs() -> None:
    declared = DeclaredTool(name="shop_host_order", domain=HOST_DOMAIN, level=3)
    catalog = Catalog((), Naming(tools=(declared,), aliases={"order": "shop_host_order"}))

    found = catalog.find("order")

    assert found is not None
    assert (found.domain, found.level, found.plans) == (HOST_DOMAIN, 3, False)
    assert catalog.domains() == ()
    assert catalog.objection(found, {"item": "anything"}) == ""


def test_no_worker_serves_the_domain_of_the_asking_program() -> None:
    with pytest.raises(ValueError, match="host is taken"):
        Catalog([a_tool(domain=HOST_DOMAIN)])
