"""The file tools stay in their folder, follow no link and overwrite nothing."""

import os
from pathlib import Path
from typing import Any

import pytest

from holdpoint.core.tool import ArgumentsError, Result, Run, RunContext, arguments_of, spec_of
from holdpoint.domains.settings import ShellSettings
from holdpoint.domains.shell.files import entry_of
from holdpoint.domains.shell.tools import TOOLS, create_file, list_directory, read_file, run_command
from holdpoint.messages.run import RunStatus


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "work"
    (root / "sub").mkdir(parents=True)
    (root / "sub/file").write_text("hello", encoding="utf-8")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/secret").write_text("s3cret", encoding="utf-8")
    (root / "link").symlink_to(tmp_path / "outside")
    (root / "sub/leak").symlink_to(tmp_path / "outside/secret")
    return root


def a_context(root: Path, **changes: Any) -> RunContext:
    settings = ShellSettings.model_validate({"root": root, **changes.pop("settings", {})})
    values = {"hold_id": "h1", "nonce": "n1", "preconditions": {}, "idempotency_key": "k1"}
    return RunContext(**(values | changes), settings=settings)


async def call(function: Run, root: Path, raw: dict[str, Any], **changes: Any) -> Result:
    spec = spec_of(function)
    return await spec.run(arguments_of(spec, raw), a_context(root, **changes))


def test_what_is_removed_while_a_folder_is_listed_is_left_out(root: Path) -> None:
    with os.scandir(root / "sub") as found:
        names = {one.name: one for one in found}
    (root / "sub/file").unlink()

    assert entry_of(names["file"]) is None
    assert entry_of(names["leak"]) is not None


async def test_a_folder_is_listed(root: Path) -> None:
    result = await call(list_directory, root, {"path": "sub"})
    assert result.status is RunStatus.DONE
    assert [(entry["name"], entry["kind"]) for entry in result.data["entries"]] == [
        ("file", "file"),
        ("leak", "link"),
    ]
    assert result.formatted_spoken == "The folder has two entries."
    assert result.available_actions[0].tool == "read_file"
    assert result.executed is None


async def test_a_long_folder_is_visibly_cut(root: Path) -> None:
    result = await call(list_directory, root, {}, settings={"list_entries": 1})
    assert result.data["more"]
    assert "more than one" in result.formatted_spoken


async def test_a_file_is_read_in_pieces(root: Path) -> None:
    (root / "long").write_text("a" * 300, encoding="utf-8")
    small = {"read_bytes": 256}
    first = await call(read_file, root, {"path": "long"}, settings=small)
    assert first.data["next_offset"] == 256
    assert first.available_actions[0].params == {"path": f"{root}/long", "offset": 256}
    rest = await call(read_file, root, first.available_actions[0].params, settings=small)
    assert rest.data["text"] == "a" * 44


def names(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


@pytest.mark.parametrize(
    ("function", "path"),
    [
        (list_directory, "link"),
        (list_directory, ".."),
        (list_directory, "/"),
        (list_directory, "/etc"),
        (list_directory, "sub/../../outside"),
        (read_file, "link/secret"),
        (read_file, "sub/leak"),
        (read_file, "../outside/secret"),
        (read_file, "/etc/passwd"),
        (read_file, "sub"),
        (read_file, "."),
        (create_file, "link/new"),
        (create_file, "sub/leak"),
        (create_file, "../outside/new"),
        (create_file, "/var/new"),
        (create_file, "no/such/folder"),
    ],
)
async def test_no_path_leads_outside(root: Path, function: Run, path: str) -> None:
    result = await call(function, root, {"path": path})
    assert result.status is RunStatus.FAILED
    assert result.executed is None
    assert "s3cret" not in str(result)
    assert names(root.parent / "outside") == ["secret"]


@pytest.mark.parametrize("function", [list_directory, read_file, create_file])
async def test_a_path_with_a_nul_is_not_even_taken(root: Path, function: Run) -> None:
    content = {"content": "x"} if function is create_file else {}
    with pytest.raises(ArgumentsError, match="cannot take these arguments"):
        await call(function, root, {"path": "a\0b", **content})
    assert names(root) == ["link", "sub"]


async def test_a_pipe_is_not_read(root: Path) -> None:
    os.mkfifo(root / "pipe")
    result = await call(read_file, root, {"path": "pipe"})
    assert result.status is RunStatus.FAILED


async def test_a_new_file_is_created(root: Path) -> None:
    raw = {"path": "sub/new", "content": "text"}
    result = await call(create_file, root, raw)
    assert result.status is RunStatus.DONE
    assert result.executed == {"tool": "create_file", "arguments": raw}
    assert (root / "sub/new").read_text(encoding="utf-8") == "text"
    assert names(root / "sub") == ["file", "leak", "new"]


async def test_a_file_is_never_overwritten(root: Path) -> None:
    result = await call(create_file, root, {"path": "sub/file", "content": "other"})
    assert result.status is RunStatus.FAILED
    assert "exists already" in result.error
    assert (root / "sub/file").read_text(encoding="utf-8") == "hello"


async def test_lookup_knows_whether_a_file_was_created(root: Path) -> None:
    spec = spec_of(create_file)
    arguments = arguments_of(spec, {"path": "sub/new", "content": "text"})
    assert spec.lookup is not None
    assert await spec.lookup(arguments, a_context(root)) is None
    await spec.run(arguments, a_context(root))
    found = await spec.lookup(arguments, a_context(root))
    assert found is not None
    assert found.status is RunStatus.DONE


async def test_a_draft_that_a_crash_left_is_no_obstacle(root: Path) -> None:
    (root / "sub/.h1.holdpoint").write_text("half", encoding="utf-8")
    result = await call(create_file, root, {"path": "sub/new", "content": "whole"})
    assert result.status is RunStatus.DONE
    assert (root / "sub/new").read_text(encoding="utf-8") == "whole"


async def test_a_command_runs_and_says_so(root: Path) -> None:
    result = await call(run_command, root, {"command": "cat sub/file; exit 3"})
    assert (result.status, result.data["exit_code"]) == (RunStatus.FAILED, 3)
    assert result.formatted == "hello"
    assert result.formatted_spoken == "The command failed with exit code three."
    assert result.executed == {
        "tool": "run_command",
        "arguments": {"command": "cat sub/file; exit 3"},
    }


async def test_a_command_runs_when_its_precondition_holds(root: Path) -> None:
    result = await call(run_command, root, {"command": "rm -r sub"}, preconditions={"affected": 2})
    assert result.status is RunStatus.DONE
    assert not (root / "sub").exists()


@pytest.mark.parametrize("preconditions", [{"affected": 3}, {"affected": 2, "other": 1}, {"x": 1}])
async def test_a_command_does_not_run_when_its_precondition_fails(
    root: Path, preconditions: dict[str, int]
) -> None:
    result = await call(run_command, root, {"command": "rm -r sub"}, preconditions=preconditions)
    assert result.status is RunStatus.PRECONDITION_FAILED
    assert "nothing was run" in result.error
    assert result.executed is None
    assert (root / "sub/file").exists()


def test_the_domain_keeps_to_its_ten_tools() -> None:
    assert len(TOOLS) <= 10
