"""The sample MCP servers of `holdpoint up`: registered once, and never in place of a person's."""

from pathlib import Path

from holdpoint.cli.demo.sample_servers import offer_sample_servers, sample_servers
from holdpoint.messages.mcp import McpServer
from holdpoint.runtime.config import files
from holdpoint.runtime.config.mcp_servers import McpFiles
from holdpoint.runtime.config.settings import Settings

CONFIG = Path(__file__).parents[3] / "deploy" / "config"
NAMES = {"oci-unified", "database-observatory", "tasks"}


def settings_in(folder: Path) -> Settings:
    settings = Settings(config_dir=CONFIG, state_dir=folder)
    files.private_folder(settings.state_dir / "sample")
    return settings


async def offered(settings: Settings) -> dict[str, McpServer]:
    await offer_sample_servers(settings, lambda _: None)
    return {it.name: it for it in McpFiles.of(settings).declared()}


async def test_one_that_was_removed_does_not_come_back(tmp_path: Path) -> None:
    settings = settings_in(tmp_path)
    assert set(await offered(settings)) == NAMES

    McpFiles.of(settings).forget("tasks")

    assert set(await offered(settings)) == NAMES - {"tasks"}


async def test_a_server_of_the_same_name_stays_as_it_is(tmp_path: Path) -> None:
    settings = settings_in(tmp_path)
    own = McpServer(name="tasks", command="my-tasks", prefix="tasks_")
    McpFiles.of(settings).register(own)

    assert (await offered(settings))["tasks"] == own


def test_whatever_changes_something_of_theirs_asks_a_person(tmp_path: Path) -> None:
    levels = {it.name: it for it in sample_servers(settings_in(tmp_path))}

    assert levels["database-observatory"].levels == {"oci_database_execute_sql": 3}
    assert levels["tasks"].level == 3
    assert not any(it.idempotent for it in levels.values())
