"""A file that something runs by itself is no text that lies about: what of it wipes a machine."""

from typing import Any

import msgspec
import pytest
from tests.unit.risk.builders import a_tool, an_action, judged
from tests.unit.risk.shell.levels import level

from holdpoint.messages.risk import Assessment, RiskLevel

SHELL = (
    ("package.json", '{{"name": "shop", "scripts": {{"postinstall": "{}"}}}}\n'),
    ("app/package.json", '{{"scripts": {{"test": "jest", "tidy": "{}"}}}}\n'),
    ("Makefile", "all:\n\t@{}\n"),
    ("out/rules.mk", "all: ; {}\n"),
    ("justfile", "tidy:\n    {}\n"),
    ("Dockerfile", "FROM debian\nRUN apt-get update && \\\n    {}\n"),
    ("Containerfile", "FROM debian\nENTRYPOINT {}\n"),
    ("compose.yaml", "services:\n  a:\n    command: {}\n"),
    ("Taskfile.yml", "tasks:\n  a:\n    cmds:\n      - {}\n"),
    (".github/workflows/ci.yml", "jobs:\n  a:\n    steps:\n      - run: {}\n"),
    (".gitlab-ci.yml", "a:\n  before_script:\n    - {}\n"),
    (".pre-commit-config.yaml", "repos:\n- hooks:\n  - id: a\n    entry: {}\n"),
    (".git/hooks/pre-commit", "#!/bin/sh\n{}\n"),
    (".husky/pre-push", "{}\n"),
    ("crontab", "0 3 * * * {}\n"),
    ("units/sweep.service", "[Service]\nExecStart=-{}\n"),
    (".bashrc", "alias ll='ls -l'\n{}\n"),
    ("Jenkinsfile", "pipeline {{ stages {{ stage('a') {{ steps {{ sh '{}' }} }} }} }}\n"),
    (".vscode/tasks.json", '{{"tasks": [{{"label": "a", "command": "{}"}}]}}\n'),
)
PYTHON = ("conftest.py", "tests/conftest.py", "setup.py", "sitecustomize.py", "noxfile.py")
WIPES = (
    "rm -rf /",
    "sudo rm -rf /*",
    "rm -rf ~",
    "mkfs.ext4 /dev/sda1",
    "dd if=/dev/zero of=/dev/sda",
)
TIDIES = ("rm -rf build dist", "rm -rf node_modules", "npm run build", "echo rm -rf /")
IN_THE_IMAGE = (
    "rm -rf /var/lib/apt/lists/*",
    "rm -rf /tmp/* ~/.cache/pip",
    "rm -rf /usr/share/doc",
)
WRITTEN_ONLY = (
    "notes.txt",
    "src/clean.sh",
    "docs/Makefile.md",
    "app/service.py",
    "package.json.md",
)
ASKED_ABOUT = (".git/hooks/pre-commit", ".bashrc")
"""Files that nobody writes over without being asked, or whose commands run with the next shell."""


def written(path: str, content: str, tool: str = "write_file") -> Assessment:
    known = a_tool(name=tool, level=2, schema={"properties": {"path": {}, "content": {}}})
    return judged(an_action(tool, path=path, content=content), tool=known)


@pytest.mark.parametrize(("path", "holds"), SHELL)
def test_what_runs_by_itself_may_not_wipe_the_machine(path: str, holds: str) -> None:
    for wipes in WIPES:
        seen = written(path, holds.format(wipes))

        assert seen.level >= RiskLevel.HIGH, wipes
        assert "file.planted" in {one.rule for one in seen.signals}, wipes


@pytest.mark.parametrize(("path", "holds"), SHELL)
def test_nor_where_a_shell_writes_it(path: str, holds: str) -> None:
    for wipes in WIPES:
        said = holds.format(wipes)
        for command in (f"cat > {path} <<'E'\n{said}E\n", f"tee {path} <<'E'\n{said}E\n"):
            assert level(command) >= RiskLevel.HIGH, command


@pytest.mark.parametrize(("path", "holds"), SHELL)
def test_what_it_tidies_up_asks_nobody(path: str, holds: str) -> None:
    for tidies in TIDIES:
        said = holds.format(tidies)
        if path not in ASKED_ABOUT:
            assert level(f"cat > {path} <<'E'\n{said}E\n") < RiskLevel.HIGH, tidies
        assert "file.planted" not in {one.rule for one in written(path, said).signals}, tidies


def test_an_image_may_be_emptied_of_what_it_does_not_need() -> None:
    for tidies in IN_THE_IMAGE:
        seen = written("Dockerfile", f"FROM debian\nRUN apt-get install -y curl && {tidies}\n")

        assert seen.level < RiskLevel.HIGH, (tidies, seen.signals)


@pytest.mark.parametrize("path", PYTHON)
def test_python_that_is_found_and_run(path: str) -> None:
    grave = (
        "import shutil\nshutil.rmtree('/')\n",
        "from pathlib import Path\nimport shutil\nshutil.rmtree(Path.home())\n",
        "import os, shutil\nshutil.rmtree(os.path.expanduser('~'), ignore_errors=True)\n",
        "import os\nos.system('rm -rf /')\n",
    )
    for code in grave:
        assert written(path, code).level >= RiskLevel.HIGH, code
        assert level(f"cat > {path} <<'E'\n{code}E\n") >= RiskLevel.HIGH, code


def test_fixtures_may_clean_up_behind_themselves() -> None:
    for code in (
        "import shutil\ndef folder(tmp_path):\n    yield tmp_path\n    shutil.rmtree(tmp_path)\n",
        "from setuptools import setup\nsetup(name='shop')\n",
        "import shutil\nfrom pathlib import Path\nshutil.rmtree(Path.home() / '.cache' / 'shop')\n",
        "import os, shutil\nos.remove('out.db')\nshutil.rmtree('/srv/shop/build')\n",
    ):
        seen = written("conftest.py", code)

        assert seen.level < RiskLevel.HIGH, (code, seen.signals)


def test_a_disk_that_is_mounted_is_the_disk() -> None:
    mounts = "services:\n  a:\n    volumes:\n      - {}:/host\n    command: rm -rf /host\n"
    assert written("docker-compose.yml", mounts.format("/")).level >= RiskLevel.HIGH
    assert written("docker-compose.yml", mounts.format("./out")).level < RiskLevel.HIGH


def test_a_part_that_is_put_in_and_files_of_a_list() -> None:
    holds = '"test": "jest",\n"postinstall": "rm -rf ~"'
    known = {"properties": dict.fromkeys(("file_path", "old_string", "new_string"), True)}
    edit = an_action(
        "Edit", file_path="package.json", old_string='"test": "jest"', new_string=holds
    )
    assert judged(edit, tool=a_tool(name="Edit", level=2, schema=known)).level >= RiskLevel.HIGH

    for path, expected in (("Makefile", True), ("notes.txt", False)):
        files = [{"path": "a.md", "content": "x"}, {"path": path, "content": "a:\n\trm -rf $$HOME"}]
        push = an_action("create_files", files=files)
        tool = a_tool(name="create_files", level=2, schema={"properties": {"files": {}}})
        seen = judged(push, tool=tool)
        assert ("file.planted" in {one.rule for one in seen.signals}) is expected, path


def test_what_a_patch_adds_is_written_too() -> None:
    tool = a_tool(name="apply_patch", level=2, schema={"properties": {"patch": {}}})
    for head in ("*** Begin Patch\n*** Add File: ", "--- /dev/null\n+++ b/"):
        for path, expected in (("Makefile", True), ("notes.txt", False)):
            patch = f"{head}{path}\n+all:\n+\trm -rf /\n"
            seen = judged(an_action("apply_patch", patch=patch), tool=tool)
            assert ("file.planted" in {one.rule for one in seen.signals}) is expected, patch


def test_code_that_a_script_hands_on() -> None:
    holds = '{"scripts": {"prepare": "node -e \\"fs.rmSync(\'%s\', {recursive: true})\\""}}'
    assert written("package.json", holds % "/").level >= RiskLevel.HIGH
    assert written("package.json", holds % "dist").level < RiskLevel.HIGH


def test_a_long_file_hides_nothing() -> None:
    builds = "".join(f"\tgcc -c part{one}.c -o part{one}.o\n" for one in range(400))
    assert written("Makefile", f"all:\n{builds}").level < RiskLevel.HIGH
    assert written("Makefile", f"all:\n{builds}\trm -rf /\n").level >= RiskLevel.HIGH
    tidies = "".join(f"\trm -rf build/part{one} $(OUT)\n" for one in range(400))
    assert written("Makefile", f"all:\n{tidies}\trm -rf /\n").level >= RiskLevel.HIGH

    tests = "".join(f"def test_{one}():\n    os.remove('a{one}'.format())\n" for one in range(300))
    assert written("conftest.py", f"import os\n{tests}").level < RiskLevel.HIGH
    wipes = "import shutil\nshutil.rmtree('/')\n"
    assert written("conftest.py", f"import os\n{tests}{wipes}").level >= RiskLevel.HIGH


def test_edits_of_one_file_count_together() -> None:
    edits = [{"new_string": "all:\n\trm -rf /"}, {"new_string": "x:\n\techo x"}]
    edit = an_action("multi_edit", file_path="Makefile", edits=edits)
    known: dict[str, Any] = {"properties": {"file_path": {}, "edits": {}}}
    seen = judged(edit, tool=a_tool(name="multi_edit", level=2, schema=known))

    assert "file.planted" in {one.rule for one in seen.signals}


def test_other_files_are_only_written() -> None:
    for path in WRITTEN_ONLY:
        assert written(path, "all:\n\trm -rf /\n").level < RiskLevel.HIGH, path
    checked = written("Makefile", "all:\n\trm -rf /\n", "validate_file")
    assert "file.planted" not in {one.rule for one in checked.signals}


@pytest.mark.parametrize(
    "others",
    [
        [{"path": f"d{at}/Makefile", "content": "all:\n\trm -rf build\n"} for at in range(9)],
        [{"path": f"d{at}/a.txt", "content": "hello"} for at in range(60)],
    ],
)
def test_a_file_that_wipes_is_seen_behind_many_others(others: list[dict[str, str]]) -> None:
    known = a_tool(name="write_files", level=2, schema={"properties": {"files": {}}})
    wipes = {"path": "x/Makefile", "content": "all:\n\trm -rf /\n"}

    quiet = judged(an_action("write_files", files=others), tool=known)
    loud = judged(an_action("write_files", files=[*others, wipes]), tool=known)

    assert quiet.level < RiskLevel.HIGH <= loud.level


@pytest.mark.parametrize("path", [".gitconfig", ".git/config", ".kube/config", "conftest.py"])
def test_a_tool_of_the_shell_is_asked_about_such_a_file_too(path: str) -> None:
    content = "import os\nos.system('rm -rf ~')\n"
    known = a_tool(name="create_file", level=2, schema={"properties": {"path": {}, "content": {}}})
    action = an_action("create_file", path=path, content=content)

    assert (
        judged(msgspec.structs.replace(action, domain="shell"), tool=known).level >= RiskLevel.HIGH
    )
