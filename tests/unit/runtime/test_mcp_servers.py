"""mcp_servers.yaml, and what is registered beside it."""

from pathlib import Path

import pytest

from holdpoint.messages.mcp import McpListing, McpServer, Transport
from holdpoint.runtime.config.mcp_servers import MCP_SERVERS_FILE, McpFiles, load_servers
from holdpoint.runtime.errors import SetupError

SEED_004 = """\
servers:
  oci-unified:
    transport: stdio
    command: python
    args: ["-m", "src.mcp.server"]
    enabled: true
    domains:
      - identity
      - compute
      - network
      - cost
      - security
      - observability

  database-observatory:
    transport: stdio
    command: python
    args: ["-m", "src.mcp_server"]
    working_dir: /path/to/mcp-oci-database-observatory
    enabled: true
    domains:
      - database
      - opsi
      - logan
"""


@pytest.fixture
def files(tmp_path: Path) -> McpFiles:
    (tmp_path / "config").mkdir()
    return McpFiles(config_dir=tmp_path / "config", state_dir=tmp_path / "var")


def test_the_seeds_two_servers_load_as_printed(files: McpFiles) -> None:
    (files.config_dir / MCP_SERVERS_FILE).write_text(SEED_004)
    assert files.declared() == (
        McpServer(
            name="oci-unified",
            command="python",
            args=("-m", "src.mcp.server"),
            domains=("identity", "compute", "network", "cost", "security", "observability"),
        ),
        McpServer(
            name="database-observatory",
            command="python",
            args=("-m", "src.mcp_server"),
            working_dir="/path/to/mcp-oci-database-observatory",
            domains=("database", "opsi", "logan"),
        ),
    )


def test_every_field_is_read(tmp_path: Path) -> None:
    path = tmp_path / MCP_SERVERS_FILE
    path.write_text(
        "servers: {far: {transport: http, url: 'https://example.org/mcp', level: 3, "
        "levels: {peek: 1}, idempotent: [tag], env: {REGION: eu}, timeout_s: 5, prefix: far_}}"
    )
    (server,) = load_servers(path)
    assert server == McpServer(
        name="far",
        transport=Transport.HTTP,
        url="https://example.org/mcp",
        level=3,
        levels={"peek": 1},
        idempotent=("tag",),
        env={"REGION": "eu"},
        timeout_s=5.0,
        prefix="far_",
    )


@pytest.mark.parametrize(
    "text",
    [
        "servers: {a: {transport: stdio}}",
        "servers: {a: {transport: http, url: 'ftp://x'}}",
        "servers: {a: {command: x, level: 9}}",
        "servers: {a: {command: x, levels: {peek: 0}}}",
        "servers: {'a b': {command: x}}",
        "servers: {a: {command: x, colour: red}}",
    ],
)
def test_a_mistake_is_told_with_its_line(tmp_path: Path, text: str) -> None:
    path = tmp_path / MCP_SERVERS_FILE
    path.write_text(text)
    with pytest.raises(SetupError, match=f"{MCP_SERVERS_FILE}:1: "):
        load_servers(path)


def test_a_registered_server_is_kept_and_forgotten(files: McpFiles) -> None:
    server = McpServer(name="git", command="/bin/git-server", env={"TOKEN": "secret"})
    empty = files.stamp()
    files.register(server)
    assert files.declared() == (server,)
    assert files.stamp() != empty
    assert (files.folder / "servers" / "git.json").stat().st_mode & 0o077 == 0
    files.list_tools("git", McpListing(up=True))
    assert files.forget("git")
    assert not files.forget("git")
    assert files.declared() == ()
    assert files.states() == ()


def test_the_file_comes_before_what_is_registered(files: McpFiles) -> None:
    files.register(McpServer(name="oci-unified", command="other"))
    (files.config_dir / MCP_SERVERS_FILE).write_text(SEED_004)
    assert [it.command for it in files.declared()] == ["python", "python"]


def test_a_broken_file_is_told(files: McpFiles) -> None:
    files.register(McpServer(name="git", command="x"))
    (files.folder / "servers" / "git.json").write_text("{")
    with pytest.raises(SetupError, match="holdpoint mcp remove git"):
        files.declared()
