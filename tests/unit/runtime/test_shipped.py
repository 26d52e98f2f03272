"""A copy of the built-in configuration, and a wheel, hand nobody's key for the HTTP API on."""

import shutil
from pathlib import Path

import pytest
from hatchling.builders.wheel import WheelBuilder

from holdpoint.runtime.config.api_files import API_FILE, KEYS_FOLDER, load_api
from holdpoint.runtime.config.settings import SHIPPED_CONFIG
from holdpoint.runtime.config.shipped import copy_shipped

ROOT = Path(__file__).parents[3]


@pytest.fixture
def edited(tmp_path: Path) -> Path:
    """The built-in configuration of a checkout in which an agent got a key."""
    source = tmp_path / "checkout" / "deploy" / "config"
    copy_shipped(source)
    (source / KEYS_FOLDER).mkdir()
    (source / KEYS_FOLDER / "robot.pem").write_text("-----BEGIN PUBLIC KEY-----")
    said = (source / API_FILE).read_text()
    entry = "agents:\n- agent: sample-agent\n  keys: {robot: api_keys/robot.pem}"
    (source / API_FILE).write_text(said.replace("agents: []", entry))
    assert load_api(source).agents == ("sample-agent",)
    return source


def test_a_copy_serves_no_agent_that_was_added_to_the_built_in_one(
    edited: Path, tmp_path: Path
) -> None:
    copy_shipped(tmp_path / "copy", edited)

    served = load_api(tmp_path / "copy")
    assert (served.agents, served.people) == ((), ())
    assert not (tmp_path / "copy" / KEYS_FOLDER).exists()
    assert (tmp_path / "copy" / API_FILE).read_text().startswith("# yaml-language-server")


def test_a_wheel_of_that_checkout_has_neither_the_agent_nor_its_key(
    edited: Path, tmp_path: Path
) -> None:
    checkout = tmp_path / "checkout"
    shutil.copy(ROOT / "pyproject.toml", checkout)
    package = checkout / "services" / "holdpoint"
    package.mkdir(parents=True)
    (package / "default_config").symlink_to(edited)

    packed = {it.distribution_path for it in WheelBuilder(str(checkout)).recurse_included_files()}

    assert "holdpoint/default_config/agents.yaml" in packed
    assert not {it for it in packed if API_FILE in it or KEYS_FOLDER in it}


def test_a_copy_of_what_a_wheel_has_is_whole(tmp_path: Path) -> None:
    packed = tmp_path / "packed"
    shutil.copytree(SHIPPED_CONFIG, packed, ignore=shutil.ignore_patterns(API_FILE, KEYS_FOLDER))

    copy_shipped(tmp_path / "copy", packed)

    for path in SHIPPED_CONFIG.rglob("*.yaml"):
        assert (
            tmp_path / "copy" / path.relative_to(SHIPPED_CONFIG)
        ).read_text() == path.read_text()
