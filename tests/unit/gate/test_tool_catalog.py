"""Catalog files are read again once they change, before anything is listed."""

from pathlib import Path

import pytest
from tests.builders import a_tool

from holdpoint.gate.tool_catalog import ToolCatalog
from holdpoint.messages.mcp import McpListing
from holdpoint.runtime.config.mcp_servers import McpFiles
from holdpoint.runtime.errors import SetupError


def write(folder: Path, alias: str) -> None:
    (folder / "names.yaml").write_text(f"namespace: own\ntool_aliases: {{{alias}: delete_rows}}\n")


async def test_a_changed_file_counts_from_the_next_listing_on(tmp_path: Path) -> None:
    catalog = ToolCatalog((a_tool(),), tmp_path)
    assert catalog.current.find("remove_rows") is None

    write(tmp_path, "remove_rows")
    assert (await catalog.ensure_fresh()).find("remove_rows") is not None
    write(tmp_path, "erase_rows_now")

    fresh = await catalog.ensure_fresh()
    assert (fresh.find("remove_rows"), fresh.find("erase_rows_now")) == (None, fresh.entries[0])
    assert catalog.current is fresh
    assert await catalog.ensure_fresh() is fresh


async def test_the_last_good_file_counts_while_the_new_one_has_a_mistake(tmp_path: Path) -> None:
    write(tmp_path, "remove_rows")
    catalog = ToolCatalog((a_tool(),), tmp_path)

    (tmp_path / "names.yaml").write_text("namespace: [")

    assert (await catalog.ensure_fresh()).find("remove_rows") is not None


def test_a_gate_does_not_start_with_a_mistake(tmp_path: Path) -> None:
    (tmp_path / "names.yaml").write_text("namespace: own\ntool_aliases: {taken: delete_rows}\n")

    with pytest.raises(SetupError, match="The name taken is taken"):
        ToolCatalog((a_tool(), a_tool(name="taken")), tmp_path)


def test_a_servers_tool_takes_no_name_that_a_tool_has(tmp_path: Path) -> None:
    """Its own tool keeps the name that an alias would give to the server's."""
    names = tmp_path / "catalog"
    names.mkdir()
    (names / "names.yaml").write_text("namespace: own\ntool_aliases: {taken: far_tool}\n")
    (tmp_path / "mcp_servers.yaml").write_text(
        "servers: {far: {command: far, prefix: '', level: 1}}\n"
    )
    files = McpFiles(config_dir=tmp_path, state_dir=tmp_path / "var")
    definition = {"name": "far_tool", "inputSchema": {"type": "object"}}
    files.list_tools("far", McpListing(up=True, tools=(definition,)))

    found = ToolCatalog((a_tool(name="taken"),), names, mcp=files).current

    assert found.find("taken") is not found.find("far_tool")
    assert found.find("far_tool") is not None
