"""The argument that tells most: by the schema's order, never by the agent's."""

from typing import Any

import pytest

from holdpoint.core.redaction.display import MASK
from holdpoint.core.telling_argument import LONGEST, telling_argument, words_of_name


@pytest.mark.parametrize(
    ("arguments", "required", "tells"),
    [
        ({"id": 3}, ("id",), "3"),
        (
            {"repo_path": "/r", "files": ["README.md", "a.py"]},
            ("repo_path", "files"),
            "README.md, a.py",
        ),
        ({"owner": "o", "repo": "r", "title": "Broken"}, ("owner", "repo", "title"), "Broken"),
        ({"query": "tax", "path": "/home"}, ("query",), "tax"),
        ({"table": "crm", "id": 7}, ("table", "id"), "7"),
        ({"dry_run": True, "limit": 2.5, "password": MASK}, (), ""),
        ({}, (), ""),
    ],
)
def test_it_names_one_thing_among_others(
    arguments: dict[str, Any], required: tuple[str, ...], tells: str
) -> None:
    assert telling_argument(arguments, arguments, required) == tells
    backwards = dict(reversed(arguments.items()))
    assert telling_argument(backwards, arguments, required) == tells


@pytest.mark.parametrize(
    ("tool", "arguments", "tells"),
    [
        ("delete_task", {"user_id": "ann", "task_id": "1"}, "1"),
        (
            "http_request",
            {"method": "delete", "url": "https://api.example.com/v1/projects/42"},
            "DELETE https://api.example.com/v1/projects/42",
        ),
        ("http_request", {"method": "GET", "url": "https://a.example"}, "https://a.example"),
        ("http_request", {"method": "PUT"}, "PUT"),
        ("add_user_role", {"user": "bob", "role": "admin"}, "bob, admin"),
        ("crm_setStatus", {"id": 7, "status": "lost"}, "7, lost"),
        ("write_file", {"path": "a.txt", "content": "x"}, "a.txt"),
    ],
)
def test_a_method_and_what_the_tool_is_named_for_stand_beside_it(
    tool: str, arguments: dict[str, Any], tells: str
) -> None:
    assert telling_argument(arguments, arguments, tuple(arguments), tool) == tells


def test_what_is_long_keeps_its_beginning_and_its_end() -> None:
    told = telling_argument({"path": f"/srv/{'a' * 90}/b.txt"}, ["path"], ())

    assert len(told) == LONGEST
    assert told.startswith("/srv/")
    assert told.endswith("/b.txt")


@pytest.mark.parametrize("name", ["delete_task", "deleteTask", "delete-task"])
def test_a_name_in_words(name: str) -> None:
    assert words_of_name(name) == "delete task"
