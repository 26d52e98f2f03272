"""Settings: each has a default, a description, and an environment variable."""

from pathlib import Path

import pytest
from pydantic import ValidationError

from holdpoint.runtime.config.settings import Settings


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

    with pytest.raises(ValidationError):
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
