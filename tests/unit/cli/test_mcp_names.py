"""MCP servers as they are named at the command line."""

import pytest

from holdpoint.cli.mcp_names import name_of, server_at
from holdpoint.cli.output import CommandError
from holdpoint.messages.mcp import McpServer


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("uvx mcp-server-git", "git"),
        ("/opt/venv/bin/mcp-server-time --local-timezone UTC", "time"),
        ("npx -y @modelcontextprotocol/server-filesystem /tmp", "filesystem"),
        ("python3.12 -m mcp_server_fetch", "fetch"),
        ("python server.py", "server"),
        ("uv run my-notes-mcp@1.2", "my-notes"),
        ("node", "node"),
    ],
)
def test_a_server_is_named_after_its_program(command: str, name: str) -> None:
    assert name_of(command.split(), "") == name


def test_a_server_at_an_address_is_named_after_it() -> None:
    assert name_of((), "https://tools.example.org/mcp") == "tools-example-org"


def at(*command: str, **said: object) -> McpServer:
    options: dict[str, object] = {
        "url": "", "name": "", "levels": (), "idempotent": (), "env": (), **said
    }  # fmt: skip
    return server_at(command, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["bad name!", "a/b", "a.b", "ü", "a" * 65])
def test_a_name_that_a_file_could_not_give_a_server_is_refused(name: str) -> None:
    with pytest.raises(CommandError, match="is no server's name"):
        at("sh", name=name)


def test_levels_are_for_all_tools_or_for_one() -> None:
    server = at("sh", levels=("3", "git_status=1"))
    assert (server.level, server.levels) == (3, {"git_status": 1})
    assert at("sh").level == 5


def test_a_variable_is_taken_from_here_or_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOKEN", "secret")
    assert at("sh", env=("TOKEN", "REGION=eu=1")).env == {"TOKEN": "secret", "REGION": "eu=1"}


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ((), {}),
        (("sh",), {"url": "http://x"}),
        (("no-such-program",), {}),
        (("sh",), {"levels": ("9",)}),
        (("sh",), {"levels": ("tool=",)}),
        (("sh",), {"env": ("NO_SUCH_VARIABLE_HERE",)}),
    ],
)
def test_what_cannot_be_meant_is_told(command: tuple[str, ...], said: dict[str, object]) -> None:
    with pytest.raises(CommandError):
        at(*command, **said)
