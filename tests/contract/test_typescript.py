"""The TypeScript types: they compile, they are as narrow as they should be, the examples fit."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.contract.write_examples import EXAMPLES

from holdpoint.contract import files
from holdpoint.contract.schemas import BARE, short_name
from holdpoint.messages.subjects import TYPES

USAGE = Path(__file__).with_name("usage.ts")
STRICT = ["--noEmit", "--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess"]
TARGET = ["--target", "es2022", "--module", "es2022", "--moduleResolution", "bundler"]
COMPILE_S = 50


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "holdpoint.d.ts").write_bytes(files()["holdpoint.d.ts"])
    return tmp_path


def complaints(node_modules: Path, folder: Path) -> str:
    """What the compiler says about every file in the folder."""
    compiler = str(node_modules / "typescript" / "lib" / "tsc.js")
    sources = sorted(path.name for path in folder.glob("*.ts"))
    done = subprocess.run(
        [shutil.which("node") or "node", compiler, *STRICT, *TARGET, *sources],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=COMPILE_S,
    )
    return done.stdout + done.stderr


@pytest.mark.slow
def test_the_types_are_as_narrow_as_they_should_be(node_modules: Path, folder: Path) -> None:
    shutil.copy(USAGE, folder)

    assert complaints(node_modules, folder) == ""


@pytest.mark.slow
def test_every_example_fits_its_type(node_modules: Path, folder: Path) -> None:
    lines = ["import type * as holdpoint from './holdpoint';"]
    for kind, name in TYPES.items():
        document = json.loads((EXAMPLES / f"{short_name(kind)}.json").read_bytes())
        data = f"holdpoint.{kind.__name__}"
        made = data if kind in BARE else f"holdpoint.CloudEvent<{json.dumps(name)}, {data}>"
        lines.append(f"export const {short_name(kind)}: {made} = {json.dumps(document)};")
    (folder / "examples.ts").write_text("\n".join(lines))

    assert complaints(node_modules, folder) == ""


@pytest.mark.slow
def test_the_compiler_would_notice(node_modules: Path, folder: Path) -> None:
    (folder / "wrong.ts").write_text(
        "import type { RiskLevel } from './holdpoint';\nexport const wrong: RiskLevel = 'none';\n"
    )

    assert "TS2322" in complaints(node_modules, folder)
