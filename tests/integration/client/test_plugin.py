"""The pytest plugin, as every pytest of the environment loads it, and as a project uses it."""

import subprocess
import sys
from pathlib import Path

import pytest
from tests.world import AGENTS_YAML, PEOPLE_YAML

ROOT = Path(__file__).parents[3]
CONFIG = ROOT / "deploy" / "config"

CONFTEST = """
from pathlib import Path
import pytest

@pytest.fixture(scope="session")
def holdpoint_config_dir():
    return Path(__file__).parent / "config"
"""
TESTS = """
def test_a_no(agent, person):
    person.cancels("not today")
    outcome = agent.call("run_command", {"command": "rm -r ."})
    assert (outcome.status, outcome.reason) == ("cancelled", "not today")

def test_a_yes(agent, person):
    person.proceeds()
    assert agent.request_confirmation("Go on?", "high", {"type": "test"}) is True

def test_a_yes_with_a_one_time_code(agent, person):
    person.proceeds()
    assert agent.request_confirmation("Go on?", "critical", {"type": "test"}) is True
    assert agent.request_confirmation("And on?", "critical", {"type": "test"}) is True

def test_the_next_test_has_the_same_person(agent, person):
    person.cancels()
    assert agent.request_confirmation("Go on?", "critical", {"type": "test"}) is False
"""


def test_whoever_does_not_use_it_does_not_pay_for_it() -> None:
    program = "import sys, holdpoint.testing; print(sorted({'nats', 'msgspec'} & set(sys.modules)))"
    printed = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)

    assert printed.stdout.strip() == b"[]"


@pytest.mark.slow
def test_a_project_with_agents_of_its_own_tests_them_in_ten_lines(tmp_path: Path) -> None:
    config = tmp_path / "config"
    config.mkdir()
    for name in ("domains.yaml", "environments.yaml", "policy"):
        (config / name).symlink_to(CONFIG / name)
    (config / "agents.yaml").write_text(AGENTS_YAML)
    (config / "people.yaml").write_text(PEOPLE_YAML)
    (tmp_path / "conftest.py").write_text(CONFTEST)
    (tmp_path / "test_mine.py").write_text(TESTS)

    ended = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-W", "error", "-p", "no:asyncio", tmp_path],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=False,
    )

    assert ended.returncode == pytest.ExitCode.OK, ended.stdout
    assert "4 passed" in ended.stdout
