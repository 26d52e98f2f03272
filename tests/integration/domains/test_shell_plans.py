"""The dry run of a deletion counts exactly what bash would delete, and touches nothing."""
# ruff: noqa: ASYNC221  # a test may block its own loop

import os
import subprocess
from pathlib import Path

import pytest

from holdpoint.domains.settings import ShellSettings
from holdpoint.domains.shell import plans
from holdpoint.messages.action import Plan


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A working folder with a bit of everything."""
    root = tmp_path / "work"
    outside = tmp_path / "outside"
    for folder in ("scratch/deep/deeper", "scratch/.hidden", "empty", "other"):
        (root / folder).mkdir(parents=True)
    outside.mkdir()
    for name in ("outside/precious", "work/other/kept", "work/a.log", "work/b.log", "work/.c.log"):
        (tmp_path / name).write_text("x", encoding="utf-8")
    for count in range(7):
        (root / f"scratch/deep/{count}.log").write_text("x", encoding="utf-8")
    (root / "scratch/.hidden/file").write_text("x", encoding="utf-8")
    (root / "scratch/to_outside").symlink_to(outside)
    (root / "way_out").symlink_to(outside)
    os.mkfifo(root / "scratch/pipe")
    return root


async def plan(root: Path, command: str, **changes: object) -> Plan:
    settings = ShellSettings.model_validate({"root": root, **changes})
    return await plans.of_command(command, settings)


def everything(top: Path) -> dict[str, int]:
    """Each name, and when it was last read: what `opened` would change."""
    return {str(path): path.lstat().st_atime_ns for path in top.rglob("*")}


async def test_rm_r_counts_without_touching(root: Path) -> None:
    before = everything(root.parent)
    found = await plan(root, "rm -r scratch")
    assert found.affected == 10
    assert found.targets == (str(root / "scratch"),)
    assert found.environment_keys == (f"path:{root / 'scratch'}",)
    assert found.sample[0] == "scratch/.hidden/file"
    assert found.sample[-1] == "and 4 folders"
    assert (found.verb, found.reversible, found.error) == ("delete", False, "")
    assert set(everything(root.parent)) == set(before)
    files = [path for path in before if not Path(path).is_dir()]
    assert [everything(root.parent)[file] for file in files] == [before[file] for file in files]


@pytest.mark.parametrize(
    "command",
    [
        "rm -r scratch",
        "rm -rf scratch/deep empty missing",
        "rm -rf scratch scratch/deep",
        "rm a.log b.log",
        "rm *.log",
        "rm .*.log",
        "rm -f *.nothing",
        "rm -rf scratch/*",
        "rm -rf */deep/?.log",
        "rm way_out",
        "rm -rf way_out other",
        "rm -d empty other",
        "rm empty",
        "rm -f a.log/b",
        "find scratch -delete",
        "find . -type f -name '*.log' -delete",
        "find . -type l -delete",
        "find . scratch -type f -delete",
    ],
)
async def test_the_count_is_what_is_gone_afterwards(root: Path, command: str) -> None:
    found = await plan(root, command)
    before = everything(root.parent)
    subprocess.run(["bash", "-c", command], cwd=root, check=False, capture_output=True)
    gone = set(before) - set(everything(root.parent))
    folders = {path for path in gone if Path(path).name in ("deep", "deeper", ".hidden")} | {
        path for path in gone if Path(path).name in ("scratch", "empty", "other")
    }
    assert found.error == ""
    files = gone - folders
    assert (found.affected, found.unit) == (
        (len(folders), "folders") if folders and not files else (len(files), "files")
    )
    told = [line for line in found.sample if line.startswith("and ")]
    assert told == (
        [f"and {len(folders)} folder{'s' * (len(folders) != 1)}"] if folders and files else []
    )


@pytest.mark.parametrize(
    "command",
    [
        "rm -r /etc",
        "rm -r way_out/precious",
        "rm way_out/*",
        "find way_out/x -delete",
        "rm -r .",
        "find . -delete",
        "rm -r scratch; true",
        "python3 -c 1",
    ],
)
async def test_what_is_not_surely_inside_has_no_dry_run(root: Path, command: str) -> None:
    found = await plan(root, command)
    assert found.error
    assert found.affected is None
    assert found.environment_keys == (f"path:{root}",)


async def test_too_many_files_have_no_dry_run(root: Path) -> None:
    found = await plan(root, "rm -r scratch", walk_entries=5)
    assert "more than 5 entries" in found.error
