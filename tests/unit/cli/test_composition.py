"""Services of a machine: the coordinator only where its extra and its configuration are."""

import shutil
from pathlib import Path

import pytest

from holdpoint.cli import composition
from holdpoint.cli.config_checks import problems
from holdpoint.cli.domains import catalog
from holdpoint.console.agent_routes import placed
from holdpoint.coordinator import app
from holdpoint.runtime.config.settings import SHIPPED_CONFIG, Settings
from holdpoint.runtime.errors import SetupError


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    shutil.copytree(SHIPPED_CONFIG, tmp_path / "config")
    return Settings(state_dir=tmp_path / "var", config_dir=tmp_path / "config")


def test_the_shipped_configuration_has_a_coordinator(settings: Settings) -> None:
    assert "coordinator" in composition.supervisor(settings).services


def test_an_older_configuration_goes_on_without_one(settings: Settings) -> None:
    (settings.config_dir / "coordinator.yaml").unlink()
    assert "coordinator" not in composition.supervisor(settings).services
    assert problems(settings) == []


def test_without_the_extra_it_is_left_out_and_says_what_to_install(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(composition, "find_spec", lambda _: None)
    assert "coordinator" not in composition.supervisor(settings).services


async def test_the_service_itself_says_what_to_install(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:

    monkeypatch.setattr(app, "find_spec", lambda _: None)
    with pytest.raises(SetupError, match=r"pip install 'holdpoint\[coordinator\]'"):
        await app.build(settings)


def test_a_fault_in_the_workflows_is_told_with_its_line(settings: Settings) -> None:
    path = settings.config_dir / "coordinator.yaml"
    path.write_text(path.read_text().replace("does: add a task", "dose: add a task"))
    assert any("coordinator.yaml" in it.line and "dose" in it.line for it in problems(settings))


def test_the_console_reaches_agents_whose_domains_have_dispatch(settings: Settings) -> None:
    _, _, matrix = placed(settings.config_dir, catalog(settings))

    layers = {it.agent: it.layer for it in matrix.places}
    assert (layers["finops-agent"], layers["log-analytics-agent"]) == (1, 2)
