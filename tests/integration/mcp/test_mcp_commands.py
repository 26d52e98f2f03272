"""`holdpoint mcp add`, `list`, `adopt` and `remove` with a worker that keeps the servers up."""

import asyncio
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.integration.cli.command_line import Ended, alone
from tests.mcp_system import HERE, SERVER, Bench, bench_in
from tests.running_system import fresh
from tests.waiting import eventually

from holdpoint.cli.output import ExitCode

pytestmark = [pytest.mark.slow, pytest.mark.nats]

WORKBENCH = str(HERE / "workbench_server.py")


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    """Shared by the tests of this module."""
    with asyncio.Runner() as runner:
        world = bench_in(tmp_path_factory.mktemp("mcp"))
        yield runner.run(world.__aenter__())
        runner.run(world.__aexit__(None, None, None))


async def said(bench: Bench, *words: str) -> Ended:
    return await asyncio.to_thread(alone, bench.road.settings, "mcp", *words)


async def listed(bench: Bench) -> dict[str, Any]:
    """Each server as `holdpoint mcp list --json` tells it, by its name."""
    ended = await said(bench, "list", "--json")
    assert ended.code == ExitCode.OK.value, ended
    return {line["name"]: line for line in map(json.loads, ended.out.splitlines())}


def code_of(ended: Ended) -> str:
    return str(json.loads((ended.out + ended.err).splitlines()[-1])["error"]["code"])


async def test_a_server_is_added_started_listed_and_removed(bench: Bench, tmp_path: Path) -> None:
    name = fresh("second")
    command = ("--", sys.executable, WORKBENCH, str(tmp_path))
    added = await said(bench, "add", name, "--level", "3", "--level", "peek=1", "--json", *command)
    assert added.code == ExitCode.OK.value, added

    async def up() -> dict[str, Any] | None:
        line = (await listed(bench)).get(name, {})
        return line if line.get("is_up") else None

    line = await eventually(up, 60.0)
    assert line
    levels = {it["name"]: it["level"] for it in line["tools"]}
    assert (levels["peek"], levels["note"]) == (1, 3)
    assert {it["tool"] for it in line["tools"]} >= {f"{name}_peek", f"{name}_note"}
    assert all(it["adopted"] for it in line["tools"])
    pid = int((tmp_path / "pid").read_text())

    removed = await said(bench, "remove", name)
    again = await said(bench, "remove", name, "--json")

    assert removed.code == ExitCode.OK.value
    assert (again.code, code_of(again)) == (ExitCode.NOT_FOUND.value, "unknown_server")
    assert name not in await listed(bench)

    async def ended() -> bool:
        return not Path(f"/proc/{pid}/cmdline").exists()

    assert await eventually(ended)


async def test_a_name_stands_for_one_command(bench: Bench, tmp_path: Path) -> None:
    name = fresh("once")
    command = ("--", sys.executable, WORKBENCH, str(tmp_path))
    await said(bench, "add", name, *command)

    same = await said(bench, "add", name, *command)
    other = await said(bench, "add", name, "--json", *command, "8333")
    await said(bench, "remove", name)

    assert same.code == ExitCode.OK.value
    assert (other.code, code_of(other)) == (ExitCode.FAILED.value, "other_server")


async def test_what_cannot_be_added_is_told(bench: Bench) -> None:
    wrong = (
        ("add", "x"),
        ("add", "x", "--url", "http://127.0.0.1:1/mcp", "--", sys.executable),
        ("add", "x", "--", "no-such-program"),
        ("add", "x", "--level", "6", "--", sys.executable),
        ("add", "x", "--env", "HP_NOWHERE", "--", sys.executable),
    )
    for words in wrong:
        ended = await said(bench, *words)
        assert ended.code == ExitCode.USAGE.value, words
    assert "x" not in await listed(bench)


async def test_a_server_of_the_file_is_not_removed(bench: Bench) -> None:
    ended = await said(bench, "remove", SERVER)

    assert ended.code == ExitCode.NOT_FOUND.value
    assert "mcp_servers.yaml" in ended.err
    assert SERVER in await listed(bench)


async def test_a_changed_tool_has_level_5_until_it_is_adopted(bench: Bench) -> None:
    (bench.folder / "edition").write_text("Another edition.")
    bench.kill()
    await bench.is_up(up=False)
    await bench.is_up()

    async def note() -> dict[str, Any]:
        tools: list[dict[str, Any]] = (await listed(bench))[SERVER]["tools"]
        return next(it for it in tools if it["name"] == "note")

    before = await note()
    adopted = await said(bench, "adopt", SERVER, "--json")
    after = await note()

    assert (before["level"], before["adopted"]) == (5, False)
    assert json.loads(adopted.out)["adopted"] == ["note"]
    assert (after["level"], after["adopted"]) == (3, True)


async def test_nobody_adopts_what_is_not_there(bench: Bench) -> None:
    name = fresh("ends")
    await said(bench, "add", name, "--", sys.executable, "-c", "pass")

    unknown = await said(bench, "adopt", "nowhere", "--json")
    away = await said(bench, "adopt", name, "--json")
    await said(bench, "remove", name)

    assert (unknown.code, code_of(unknown)) == (ExitCode.NOT_FOUND.value, "unknown_server")
    assert (away.code, code_of(away)) == (ExitCode.FAILED.value, "server_away")
