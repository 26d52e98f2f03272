"""Settings: each has a default, a description, and an environment variable."""

from pathlib import Path

import pytest
from pydantic import ValidationError

from holdpoint.runtime.config import remembered
from holdpoint.runtime.config.settings import MEBIBYTE, Settings
from holdpoint.runtime.errors import SetupError


@pytest.fixture(autouse=True)
def _clean(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in Settings.model_fields:
        monkeypatch.delenv(f"HP_{name.upper()}", raising=False)
    monkeypatch.chdir(tmp_path)


def test_each_setting_says_what_it_is() -> None:
    assert [name for name, field in Settings.model_fields.items() if not field.description] == []


def test_the_environment_sets_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HP_STATE_DIR", "/srv/holdpoint")

    settings = Settings()

    assert settings.state_dir == Path("/srv/holdpoint")
    assert settings.ledger_url == "sqlite+aiosqlite:////srv/holdpoint/ledger.db"


def test_they_cannot_be_changed_afterwards() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        Settings().tenant = "other"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("HP_TENANT", "a.b"),
        ("HP_TENANT", "*"),
        ("HP_SYNC_INTERVAL", "2m"),
        ("HP_REPLICAS", "2"),
        ("HP_STREAM_MAX_BYTES", "1"),
    ],
)
def test_a_value_out_of_bounds_is_refused(
    name: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)

    with pytest.raises(SetupError):
        Settings()


def test_any_port_that_nobody_took_yet_is_nobodys() -> None:
    """Port 0 would be taken for the usual one, where somebody else's broker may answer."""
    assert Settings(nats_port=0).broker_url == "nats://127.0.0.1:1"


def test_the_health_of_a_service_never_takes_the_port_of_console_or_api() -> None:
    settings = Settings(monitor_port_base=8322, console_port=8324, api_port=8325)

    assert [settings.health_port(number) for number in range(4)] == [8322, 8323, 8326, 8327]
    assert Settings(monitor_port_base=0).health_port(3) == 0


def test_the_broker_is_where_up_wrote_it_down() -> None:
    settings = Settings()
    assert settings.broker_url == "nats://127.0.0.1:4222"
    settings.run_dir.mkdir(parents=True)
    settings.url_file.write_text("nats://127.0.0.1:4999\n")

    assert settings.broker_url == "nats://127.0.0.1:4999"
    assert Settings(nats_url="nats://far:4222").broker_url == "nats://far:4222"


def test_a_state_folder_remembers_what_it_was_started_with(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    far = tmp_path / "far"
    url = "postgresql://holdpoint:hush@db/ledger"
    first = Settings(
        state_dir=far,
        broker_nodes=3,
        stream_max_bytes=8 * MEBIBYTE,
        ledger_url=url,
        environment="production",
    )
    far.mkdir()
    first.remember()
    monkeypatch.setenv("HP_STATE_DIR", str(far))

    later = Settings()

    assert (later.broker_nodes, later.replicas, later.stream_max_bytes) == (3, 3, 8 * MEBIBYTE)
    assert (later.ledger_url, later.environment) == (url, "production")
    assert (far / remembered.FILE).stat().st_mode & 0o077 == 0, "the ledger's password is in it"


def test_the_environment_says_more_than_what_is_remembered(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    Settings(state_dir=tmp_path, environment="production").remember()
    monkeypatch.setenv("HP_STATE_DIR", str(tmp_path))
    monkeypatch.setenv("HP_ENVIRONMENT", "staging")

    assert Settings().environment == "staging"


def test_a_store_keeps_its_number_of_servers(tmp_path: Path) -> None:
    Settings(state_dir=tmp_path, broker_nodes=3).remember()

    with pytest.raises(SetupError, match="HP_BROKER_NODES=3"):
        Settings(state_dir=tmp_path, broker_nodes=1).check_tenant()


def test_a_ledger_in_its_state_folder_moves_with_it(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    old.mkdir()
    Settings(state_dir=old, ledger_url=f"sqlite:///{old}/ledger.db").remember()
    old.rename(new)

    assert str(new) in Settings(state_dir=new).ledger_url


def test_a_ledger_elsewhere_is_found_from_every_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "other").mkdir()
    Settings(state_dir=tmp_path, ledger_url="sqlite:///audit.db").remember()
    monkeypatch.chdir(tmp_path / "other")

    assert Settings(state_dir=tmp_path).ledger_url == f"sqlite:///{tmp_path}/audit.db"


def test_what_is_remembered_and_cannot_be_read_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / remembered.FILE).write_text("{")

    with pytest.raises(SetupError, match="Remove it"):
        Settings(state_dir=tmp_path)
