"""A file of the configuration that has no end, or is none, is refused with its path."""

import os
import shutil
from pathlib import Path

import pytest
from tests.unit.risk.builders import CONFIG

from holdpoint.domains import settings as domain_settings
from holdpoint.runtime.config.files import LARGEST
from holdpoint.runtime.config.policy import load_policy
from holdpoint.runtime.config.registry import load_registry
from holdpoint.runtime.errors import SetupError


@pytest.fixture
def config(tmp_path: Path) -> Path:
    shutil.copytree(CONFIG, tmp_path / "config")
    return tmp_path / "config"


def whole(config: Path) -> None:
    load_policy(config, {})
    load_registry(config)


@pytest.mark.parametrize(
    "name",
    ["policy/default.yaml", "policy/own.yaml", "environments.yaml", "people.yaml", "agents.yaml"],
)
@pytest.mark.parametrize("kind", ["device", "pipe", "large"])
def test_what_has_no_end_is_not_read(config: Path, name: str, kind: str) -> None:
    path = config / name
    path.unlink(missing_ok=True)
    match kind:
        case "device":
            path.symlink_to("/dev/zero")
        case "pipe":
            os.mkfifo(path)
        case _:
            path.write_bytes(b"#" * (LARGEST + 1))
    said = "it is larger than" if kind == "large" else "it is no regular file"

    with pytest.raises(SetupError, match=f"{path}.*{said}"):
        whole(config)


def test_neither_is_it_as_a_list_of_domains(tmp_path: Path) -> None:
    (tmp_path / "domains.yaml").symlink_to("/dev/zero")

    with pytest.raises(SetupError, match=r"domains\.yaml: cannot be read .*no regular file"):
        domain_settings.load(tmp_path / "domains.yaml", tmp_path)


def test_what_is_no_text_is_told(config: Path) -> None:
    (config / "people.yaml").write_bytes(b"people: [\xff]")

    with pytest.raises(SetupError, match=r"people\.yaml: cannot be read .not UTF-8 text"):
        load_registry(config)


def test_the_mark_that_some_editors_begin_a_file_with_is_no_fault(config: Path) -> None:
    path = config / "people.yaml"
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())

    assert load_registry(config) == load_registry(CONFIG)
