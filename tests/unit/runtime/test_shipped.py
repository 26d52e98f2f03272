"""A copy of the built-in configuration hands nobody's key for the HTTP API on."""

import shutil
from pathlib import Path

from holdpoint.runtime.config.api_files import API_FILE, KEYS_FOLDER, load_api
from holdpoint.runtime.config.settings import SHIPPED_CONFIG
from holdpoint.runtime.config.shipped import copy_shipped


def test_a_copy_serves_no_agent_that_was_added_to_the_built_in_one(tmp_path: Path) -> None:
    source, copy = tmp_path / "source", tmp_path / "copy"
    shutil.copytree(SHIPPED_CONFIG, source)
    (source / KEYS_FOLDER).mkdir(exist_ok=True)
    (source / KEYS_FOLDER / "robot.pem").write_text("a public key")
    said = (
        (source / API_FILE)
        .read_text()
        .replace(
            "agents: []", "agents:\n- agent: sample-agent\n  keys: {robot: api_keys/robot.pem}"
        )
    )
    (source / API_FILE).write_text(said)

    copy_shipped(copy, source)

    served = load_api(copy)
    assert (served.agents, served.people) == ((), ())
    assert not (copy / KEYS_FOLDER).exists()
    assert (copy / API_FILE).read_text().startswith(said.partition("issuer:")[0])


def test_a_copy_of_the_plain_one_is_the_same(tmp_path: Path) -> None:
    copy_shipped(tmp_path / "copy")

    for path in SHIPPED_CONFIG.rglob("*.yaml"):
        assert (
            tmp_path / "copy" / path.relative_to(SHIPPED_CONFIG)
        ).read_text() == path.read_text()
