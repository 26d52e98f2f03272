"""Two tenants on one machine: a state folder belongs to one of them, and hints reach it."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from tests.integration.cli.command_line import alone
from tests.integration.cli.long_commands import private

from holdpoint.cli.hold_names import command
from holdpoint.cli.output import ExitCode
from holdpoint.cli.read_notes import note_read, record_read
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.errors import SetupError

NO_BROKER = {"HP_NATS_URL": "", "HP_NATS_PORT": "4222"}


@pytest.fixture
def acme(tmp_path: Path) -> Settings:
    """The state folder of acme, as `provision` leaves it before a broker runs."""
    settings = private(tmp_path)
    assert alone(settings, "provision", **NO_BROKER).code == ExitCode.SETUP
    assert settings.nats_conf.exists()
    return settings


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(("provision",), marks=pytest.mark.slow),
        ("up", "--no-sample"),
        pytest.param(("down",), marks=pytest.mark.slow),
        pytest.param(("reset", "--yes"), marks=pytest.mark.slow),
        pytest.param(("status",), marks=pytest.mark.slow),
        pytest.param(("pending", "--as", "ann"), marks=pytest.mark.slow),
        ("call", "list_directory", "--as", "sample-agent"),
        pytest.param(("audit", "query"), marks=pytest.mark.slow),
        ("serve", "gate"),
    ],
)
def test_a_command_with_another_tenant_refuses(words: tuple[str, ...], acme: Settings) -> None:
    before = acme.nats_conf.read_text()

    ended = alone(acme, *words, HP_TENANT="beta", **NO_BROKER)

    assert ended.code == ExitCode.SETUP
    assert f"{acme.state_dir} belongs to the tenant acme, and HP_TENANT is beta" in " ".join(
        ended.err.split()
    )
    assert acme.nats_conf.read_text() == before


@pytest.mark.parametrize("reads", [note_read, record_read])
def test_nobody_reads_another_tenants_ledger_or_tries_to_note_it(
    reads: Callable[[str, str, Mapping[str, str]], None],
    acme: Settings,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in {"STATE_DIR": str(acme.state_dir), "TENANT": "beta"}.items():
        monkeypatch.setenv(f"HP_{name}", value)

    with pytest.raises(SetupError, match="belongs to the tenant acme, and HP_TENANT is beta"):
        reads("", "query", {})


def test_a_folder_from_before_tells_its_tenant_by_the_brokers_configuration(
    acme: Settings,
) -> None:
    acme.tenant_file.unlink()
    before = acme.nats_conf.read_text()

    ended = alone(acme, "provision", HP_TENANT="beta", **NO_BROKER)

    assert "belongs to the tenant acme" in " ".join(ended.err.split())
    assert acme.nats_conf.read_text() == before


def test_the_own_tenant_goes_on(acme: Settings) -> None:
    assert "belongs to" not in alone(acme, "provision", **NO_BROKER).err


def test_a_hint_carries_what_reaches_this_instance(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HP_STATE_DIR")
    usual = Settings()
    chosen = Settings(tenant="beta", state_dir=Path("/srv/be ta"), nats_port=4223)

    assert not command(usual, "pending").startswith("HP_")
    assert command(usual, "pending").endswith("holdpoint pending")
    assert command(chosen, "pending").startswith("HP_TENANT=beta HP_STATE_DIR='/srv/be ta' ")
