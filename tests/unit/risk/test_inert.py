"""What is written down or worked on is no order; where it runs all the same it still counts."""

from typing import Any

from tests.unit.risk.builders import a_tool, an_action, judged
from tests.unit.risk.inert_cases import (
    DONE_ALL_THE_SAME,
    LONG,
    ORDINARY_PLACES,
    ROWS,
    RUN_ALL_THE_SAME,
    TRUSTED_PLACES,
    WIPES,
    WORKED_ON,
    WRITTEN,
)

from holdpoint.core.risk.inert_arguments import works
from holdpoint.core.risk.tools.names import tool_name
from holdpoint.messages.risk import Assessment, RiskLevel


def found(name: str, level: int, arguments: dict[str, Any]) -> Assessment:
    """By a tool of this operation level that knows all its arguments."""
    tool = a_tool(name=name, level=level, schema={"properties": dict.fromkeys(arguments, True)})
    return judged(an_action(name, **arguments), tool=tool)


def as_offline(name: str) -> int:
    return 1 if tool_name(name).reads or works(name) else 2


def test_what_is_only_written_down_is_no_order() -> None:
    for name, arguments in WRITTEN:
        seen = found(name, 2, arguments)

        assert seen.level < RiskLevel.HIGH, (name, arguments, seen.signals)


def test_what_is_written_where_it_runs_or_is_believed_is_read() -> None:
    for place in TRUSTED_PLACES:
        seen = found("write_file", 2, {"path": place, "content": WIPES})

        assert seen.level >= RiskLevel.HIGH, place


def test_what_is_written_anywhere_else_is_not() -> None:
    for place in ORDINARY_PLACES:
        seen = found("write_file", 2, {"path": place, "content": WIPES})

        assert seen.level < RiskLevel.HIGH, (place, seen.signals)


def test_a_name_lowers_nothing_where_more_is_done() -> None:
    for name, arguments in DONE_ALL_THE_SAME:
        seen = found(name, 2, arguments)

        assert seen.level >= RiskLevel.HIGH, (name, arguments)


def test_what_is_only_looked_for_or_worked_on_is_no_order() -> None:
    for name, arguments in WORKED_ON:
        assert as_offline(name) == 1, name
        seen = found(name, 1, arguments)

        assert seen.level < RiskLevel.HIGH, (name, seen.signals)


def test_what_runs_all_the_same_is() -> None:
    for name, arguments in RUN_ALL_THE_SAME:
        seen = found(name, as_offline(name), arguments)

        assert seen.level >= RiskLevel.HIGH, name


def test_only_what_the_catalog_says_of_a_tool_makes_its_words_idle() -> None:
    """Whom no catalog lists, whose schema is unknown, or whose level is grave: its name is all."""
    name, arguments = "write_file", {"path": "src/a.py", "content": WIPES}
    known = {"properties": dict.fromkeys(arguments, True)}
    told = (
        None,
        a_tool(name=name, level=2, schema={}),
        a_tool(name=name, level=2, schema={"properties": {"path": {}}}),
        a_tool(name=name, level=4, schema=known),
        a_tool(name=name, level=5, schema=known),
    )
    for tool in told:
        assert judged(an_action(name, **arguments), tool=tool).level >= RiskLevel.HIGH, tool

    for name, arguments in WORKED_ON[2:5]:
        assert found(name, 2, arguments).level >= RiskLevel.HIGH, name


def test_nothing_that_is_added_lowers_what_is_written() -> None:
    bare = {"content": WIPES}
    known: dict[str, Any] = {"properties": {"content": {}, "path": {}, "mode": {}}}
    tool = a_tool(name="edit", level=2, schema={"properties": {"content": {}}})
    for more in ({"path": "a.txt"}, {"draft": True}, {"file_path": "a", "note": "only a note"}):
        assert judged(an_action("edit", **bare, **more), tool=tool).level >= RiskLevel.HIGH, more

    listed = a_tool(name="edit", level=2, schema=known)
    assert judged(an_action("edit", **bare, path="a.txt"), tool=listed).level < RiskLevel.HIGH
    assert judged(an_action("edit", **bare, x="y"), tool=listed).level >= RiskLevel.HIGH


def test_a_remark_in_python_is_no_call() -> None:
    silent = (
        "# shutil.rmtree('/srv') would be wrong here\nprint(1)",
        "total = 1  # rm -rf / is what we never do\nprint(f'{total} \\n')",
        "x = 'a # b'\n# os.system('mkfs.ext4 /dev/sda')\n",
    )
    for code in silent:
        seen = found("python", 2, {"code": code})

        assert seen.level < RiskLevel.HIGH, (code, seen.signals)


def test_what_only_looks_like_a_remark_is_run() -> None:
    rmtree = "__import__('shutil').rmtree('/srv')"
    grave = (
        f"x = '#'; {rmtree}",
        f'x = """\n# """; {rmtree}',
        f"# fine\r{rmtree}",
        f"# coding: utf-7\n# {rmtree}",
        f"print(1)  # fine\n{rmtree}",
        "%%bash\necho ${#a}; rm -rf /srv",
        "x = %sx echo ${#a}; rm -rf /srv",
        f"x = f\"{{d['#']}}\"; {rmtree}",
        "'" + "#" * 9_000 + f"'; {rmtree}",
    )
    for code in grave:
        assert found("python", 2, {"code": code}).level >= RiskLevel.HIGH, code[:60]

    ruby = {"code": "x = 1 # system('rm -rf /')", "language": "ruby"}
    assert found("run_code", 2, ruby).level >= RiskLevel.HIGH
    assert found("python_or_js", 2, ruby).level >= RiskLevel.HIGH
    lua = {"code": "print(\n#t, os.execute('rm -rf /')\n)", "language": "python"}
    unknown = a_tool(name="run_code", level=2, schema={"properties": {"code": {}}})
    assert judged(an_action("run_code", **lua), tool=unknown).level >= RiskLevel.HIGH


def test_what_a_get_searches_for_is_no_statement() -> None:
    silent = ("https://shop.example/find?q=drop%20table%20carts&page=2", "/items?search=rm+-rf+/")
    for url in silent:
        seen = found("http.request", 1, {"method": "GET", "url": url})

        assert seen.level < RiskLevel.HIGH, (url, seen.signals)

    grave = (
        {"method": "GET", "url": "http://db.example:8086/query?q=DROP%20DATABASE%20carts"},
        {"method": "GET", "url": "http://db.example/?query=DROP%20TABLE%20carts"},
        {"method": "GET", "url": "http://a.example/?q=x&cmd=rm%20-rf%20/srv"},
        {"method": "POST", "url": "http://a.example/?q=drop%20table%20carts"},
        {"method": "GET", "url": "http://a.example/?q=drop%20table%20carts", "body": "x"},
    )
    for arguments in grave:
        level = 1 if arguments["method"] == "GET" else 2

        assert found("http.request", level, arguments).level >= RiskLevel.HIGH, arguments


def test_a_text_of_any_length_that_a_gate_takes_is_written() -> None:
    for content in (LONG, ROWS, "," * 65_000, "\n" * 65_000, "[" * 65_000, "a=b&" * 16_000):
        seen = found("write_file", 2, {"path": "a.txt", "content": content})

        assert seen.level < RiskLevel.HIGH, content[:20]

    for content in ("a" * 65_537, "é" * 33_000):
        seen = found("write_file", 2, {"path": "a.txt", "content": content})

        assert seen.level >= RiskLevel.HIGH, content[:20]


HOSTILE: tuple[tuple[str, dict[str, Any]], ...] = (
    ("MultiEdit", {"file_path": "a", "edits": [{"old_string": "x", "new_string": "y"}] * 5_000}),
    ("create_document", {"content": [[["x"] * 300] * 30] * 7}),
    ("write_file", {"content": "x", "path": ["/." * 140] * 400}),
    ("write_file", {"content": "x", "path": "/" * 60_000}),
    ("apply_patch", {"patch": "--- a/x\n" * 8_000}),
    ("embed", {"input": [["drop table"] * 80] * 80}),
    ("python", {"code": "a=b;" * 1_000 + "#"}),
    ("python", {"code": "(" * 4_000 + "#"}),
    ("python", {"code": "-" * 4_000 + "1#"}),
    ("python", {"code": "#\n" * 2_000}),
    ("http.request", {"method": "GET", "url": "http://a/?" + "q=a&" * 1_000}),
)


def test_hostile_texts_end_and_raise_nothing() -> None:
    for name, arguments in HOSTILE:
        judged_once = [found(name, level, arguments).level for level in (1, 2)]

        assert all(level >= RiskLevel.LOW for level in judged_once), name


def test_words_that_a_request_searches_for_count_where_its_tool_does_more_than_ask() -> None:
    url = {"method": "GET", "url": "https://shop.example/find?q=drop%20table%20carts"}

    assert found("http.request", 1, url).level < RiskLevel.HIGH
    assert found("purge_by_url", 1, url).level >= RiskLevel.HIGH
