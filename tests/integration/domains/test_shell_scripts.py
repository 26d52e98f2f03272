"""What a command runs by a file's name is shown, and bound to what the file holds."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from holdpoint.core.tool import Result, RunContext, arguments_of, spec_of
from holdpoint.domains.settings import ShellSettings
from holdpoint.domains.shell import plans
from holdpoint.domains.shell.scripts import MAX_BYTES, scripts_of
from holdpoint.domains.shell.tools import run_command
from holdpoint.messages.action import Plan
from holdpoint.messages.run import RunStatus

TIDY = "rm -f *.tmp\necho tidied\n"

BOUND = {
    "bash tidy.sh": {"tidy.sh"},
    "bash -ex tidy.sh now": {"tidy.sh"},
    "sh ./tidy": {"tidy"},
    "cat tidy.sh | bash": {"tidy.sh"},
    "x=tidy.sh; bash $x": {"tidy.sh"},
    "FOO=1 nohup 'tidy.sh' &": {"tidy.sh"},
    ". tidy": {"tidy"},
    "true && . ./tidy": {"tidy"},
    "source tidy": {"tidy"},
    "python3 -u work.py --fast": {"work.py"},
    "timeout 5 python3 work": {"work"},
    "./run --all": {"run"},
    "xargs -a names ./run": {"run"},
    "cd sub && bash deep.sh": {"deep.sh", "sub/deep.sh"},
    "make test": {"Makefile", "makefile", "GNUmakefile"},
    "npm run build": {"package.json", "run"},
    "bash later.sh": {"later.sh"},
    "bash link": {"link"},
}
UNBOUND = [
    "ls -la", "wc -l notes.txt", "grep -r x .", "find . -name '*.tmp'", "cat notes.txt | sort",
    "python3 -c 'import os; print(1)'", "bash -c 'echo hi'", "python3 -m json.tool notes.txt",
    "python3 --version", "ls sub", "bash /usr/share/tidy.sh", "bash ../outside.sh",
]  # fmt: skip


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "work"
    (root / "sub").mkdir(parents=True)
    for name in ("tidy.sh", "tidy", "sub/deep.sh"):
        (root / name).write_text(TIDY, "utf-8")
    for name in ("work.py", "work"):
        (root / name).write_text("print('worked')\n", "utf-8")
    for name in ("notes.txt", "names", "package.json", "Makefile"):
        (root / name).write_text("test:\n\techo made\n", "utf-8")
    (root / "run").write_text("#!/bin/sh\necho ran\n", "utf-8")
    (root / "run").chmod(0o755)
    (root / "link").symlink_to("tidy.sh")
    return root


def settings(root: Path) -> ShellSettings:
    return ShellSettings(root=root)


def named(root: Path, command: str) -> set[str]:
    return {one.name for one in scripts_of(command, settings(root))}


async def planned(root: Path, command: str) -> Plan:
    return await plans.of_command(command, settings(root))


async def ran(root: Path, command: str, preconditions: dict[str, Any]) -> Result:
    spec = spec_of(run_command)
    context = RunContext(
        hold_id="h1",
        nonce="n1",
        preconditions=preconditions,
        idempotency_key="k1",
        settings=settings(root),
    )
    return await spec.run(arguments_of(spec, {"command": command}), context)


def test_files_that_run_are_found(root: Path) -> None:
    found = {command: named(root, command) for command in BOUND}
    assert {command: names for command, names in found.items() if names != BOUND[command]} == {}


def test_data_and_what_lies_outside_is_none(root: Path) -> None:
    assert [command for command in UNBOUND if named(root, command)] == []


async def test_a_card_shows_what_would_run(root: Path) -> None:
    plan = await planned(root, "bash tidy.sh")

    assert plan.sample == ("tidy.sh would run, and says:", "    rm -f *.tmp", "    echo tidied")
    assert plan.error
    other = await planned(root, "ls")
    assert (other.error, other.files, other.sample) == (plans.UNPREDICTED, {}, ())


async def test_a_long_file_is_visibly_cut(root: Path) -> None:
    (root / "tidy.sh").write_text("echo x\n" * 100, "utf-8")

    assert (await planned(root, "bash tidy.sh")).sample[-1] == "    … 60 more lines"


@pytest.mark.parametrize("command", ["bash tidy.sh", "cat tidy.sh | bash", "bash link"])
async def test_a_file_that_changed_after_the_card_does_not_run(root: Path, command: str) -> None:
    promised = plans.conditions(await planned(root, command))
    (root / "tidy.sh").write_text("touch swapped\n", "utf-8")
    result = await ran(root, command, promised)

    assert result.status is RunStatus.PRECONDITION_FAILED
    assert "no longer holds what the card showed: nothing was run" in result.error
    assert not (root / "swapped").exists()


async def test_a_file_that_came_after_the_card_does_not_run(root: Path) -> None:
    plan = await planned(root, "bash later.sh")
    (root / "later.sh").write_text("touch swapped\n", "utf-8")
    result = await ran(root, "bash later.sh", plans.conditions(plan))

    assert plan.error == "later.sh does not exist yet"
    assert plan.sample == ()
    assert result.status is RunStatus.PRECONDITION_FAILED
    assert not (root / "swapped").exists()


@pytest.mark.parametrize("command", ["bash tidy.sh", "rm -r sub", "ls"])
async def test_nothing_runs_in_a_folder_that_took_the_place_of_the_cards(
    root: Path, command: str
) -> None:
    promised = plans.conditions(await planned(root, command))
    shutil.copytree(root.rename(root.with_name("aside")), root, symlinks=True)
    result = await ran(root, command, promised)

    assert result.status is RunStatus.PRECONDITION_FAILED
    assert result.error == (
        f"The working folder {root} was moved or replaced since the card: nothing was run."
    )


async def test_a_card_from_before_an_upgrade_names_no_folder_and_runs(root: Path) -> None:
    assert (await ran(root, "rm -r sub", {"affected": 1})).status is RunStatus.DONE


async def test_a_file_that_stayed_as_it_was_runs(root: Path) -> None:
    promised = plans.conditions(await planned(root, "bash tidy.sh"))
    (root / "notes.txt").write_text("other data", "utf-8")

    assert (await ran(root, "bash tidy.sh", promised)).status is RunStatus.DONE


async def test_nobody_is_asked_about_a_file_that_cannot_be_read(root: Path) -> None:
    (root / "tidy.sh").write_bytes(b"#" * (MAX_BYTES + 1))
    (root / "loop.sh").symlink_to("loop.sh")

    for command in ("bash tidy.sh", "bash loop.sh", "python3 " + "a.py ".join(map(str, range(99)))):
        assert "nobody can say yes to it" in (await planned(root, command)).impossible, command
