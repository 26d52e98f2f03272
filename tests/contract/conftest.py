"""What only JavaScript has: the TypeScript compiler and AsyncAPI's own schema, pinned by hashes.

They are installed once into `.venv/contract` from `package-lock.json`. Where there is no node, or
nothing can be fetched, the tests that need them are skipped and say so; in CI (CI=true) they fail.
"""

import os
import shutil
import subprocess
from pathlib import Path
from typing import NoReturn

import pytest

HERE = Path(__file__).parent
HOME = HERE.parents[1] / ".venv" / "contract"
LOCK = "package-lock.json"
INSTALL_S = 50


@pytest.fixture(scope="session")
def node_modules() -> Path:
    """Where the packages of `package.json` lie."""
    lock = HERE / LOCK
    marker = HOME / "node_modules" / ".installed"
    if not marker.exists() or marker.read_bytes() != lock.read_bytes():
        _install()
        marker.write_bytes(lock.read_bytes())
    return HOME / "node_modules"


def _install() -> None:
    npm = shutil.which("npm")
    if npm is None:
        _missing("there is no npm; install Node.js 18 or newer")
    HOME.mkdir(parents=True, exist_ok=True)
    for name in ("package.json", LOCK):
        shutil.copy(HERE / name, HOME / name)
    command = [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
    try:
        subprocess.run(
            command, cwd=HOME, capture_output=True, text=True, check=True, timeout=INSTALL_S
        )
    except subprocess.CalledProcessError as error:
        _missing(f"npm could not fetch the pinned packages: {error.stderr.strip()[-500:]}")
    except subprocess.TimeoutExpired:
        _missing(f"npm took longer than {INSTALL_S} s to fetch the pinned packages")


def _missing(why: str) -> NoReturn:
    text = f"The contract cannot be checked with TypeScript and AsyncAPI: {why}."
    if os.environ.get("CI", "").lower() == "true":
        pytest.fail(text)
    pytest.skip(text)
