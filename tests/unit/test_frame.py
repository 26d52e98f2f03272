"""The frame keeps its promises: all pinned, argued, listed, and on a floor."""

import re
import subprocess
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
PYPROJECT = (ROOT / "pyproject.toml").read_text()
CONSTRAINTS = (ROOT / "constraints.txt").read_text()
SETTINGS = tomllib.loads(PYPROJECT)


def test_every_pinned_release_has_a_hash() -> None:
    pins = re.split(r"^(?=[a-z0-9])", CONSTRAINTS, flags=re.MULTILINE | re.IGNORECASE)[1:]
    unpinned = [
        pin for pin in pins if not re.match(r"\S+==\S+", pin) or "--hash=sha256:" not in pin
    ]

    assert pins
    assert unpinned == []


def test_the_constraints_name_no_index_no_host_and_no_path() -> None:
    told = re.findall(
        r"(?im)^.*(?:://|--index|--extra-index|--find-links|--trusted-host|^-|[ =]/).*$",
        CONSTRAINTS,
    )

    assert told == []


def test_every_dependency_is_pinned() -> None:
    pinned = set(re.findall(r"(?m)^([a-z0-9-]+)==", CONSTRAINTS))
    wanted = [
        *SETTINGS["project"]["dependencies"],
        *(
            name
            for extra in SETTINGS["project"]["optional-dependencies"].values()
            for name in extra
        ),
        *SETTINGS["dependency-groups"]["dev"],
        *SETTINGS["build-system"]["requires"],
    ]

    assert {re.split(r"[\[;<>=~! ]", name)[0].lower() for name in wanted} - pinned == set()


def test_every_ruff_ignore_says_why() -> None:
    rules = SETTINGS["tool"]["ruff"]["lint"]
    ignores = _lines_between("ignore = [", "]")
    for pattern in rules["per-file-ignores"]:
        ignores += _lines_between(f'"{pattern}" = [', "]")

    assert len(ignores) == sum(map(len, [rules["ignore"], *rules["per-file-ignores"].values()]))
    assert [line for line in ignores if not re.fullmatch(r' +"[A-Z]+\d*", +# \S.{9,}', line)] == []


def test_a_hook_runs_what_make_check_runs() -> None:
    hooks = (ROOT / ".pre-commit-config.yaml").read_text()
    makefile = (ROOT / "Makefile").read_text()
    entries = re.findall(r"(?m)^ +entry: \.venv/bin/(.+)$", hooks)

    assert len(entries) == 4
    assert [entry for entry in entries if f"\t$(BIN)/{entry}\n" not in makefile] == []


def test_make_alone_lists_every_target() -> None:
    makefile = (ROOT / "Makefile").read_text()
    targets = set(re.findall(r"(?m)^([a-z][a-z0-9-]*):(?!=)", makefile))
    phony = re.search(r"\.PHONY:((?:\\\n|.)*)", makefile)
    shown = subprocess.run(
        ["make", "--no-print-directory"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=10,
    )

    assert {line.split()[0] for line in shown.stdout.splitlines()} == targets
    assert phony is not None
    assert set(phony[1].replace("\\", " ").split()) == targets


def test_every_module_of_the_package_has_a_floor() -> None:
    floors, *_ = SETTINGS["tool"]["importlinter"]["contracts"]
    named = {name.strip(" ()") for layer in floors["layers"] for name in layer.split("|")}
    package = ROOT / "services" / "holdpoint"
    folders = {path.name for path in package.iterdir() if path.is_dir() and any(path.rglob("*.py"))}
    modules = {path.stem for path in package.glob("*.py")} - {"__init__", "__main__"}

    assert (folders | modules) - named == set()


def test_every_folder_of_the_package_is_imported_as_one() -> None:
    package = ROOT / "services" / "holdpoint"
    folders = {path.parent for path in package.rglob("*.py")}

    assert [str(folder) for folder in folders if not (folder / "__init__.py").exists()] == []


def _lines_between(opening: str, closing: str) -> list[str]:
    lines = iter(PYPROJECT.splitlines())
    for line in lines:
        if line == opening:
            break
    return list(iter(lambda: next(lines, closing), closing))
