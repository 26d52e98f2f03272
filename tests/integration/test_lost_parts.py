"""What was lost is never made anew without a word: keys that signed, a stream beside others."""

from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from tests.conftest import Connect
from tests.running_system import CONFIG, TENANT
from tests.world import World, provision

from holdpoint.messages import subjects as s
from holdpoint.runtime.broker import provisioning
from holdpoint.runtime.broker.nats_conf import ANY_PORT
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.errors import SetupError
from holdpoint.runtime.process import clock
from holdpoint.runtime.security import credentials, keyset_files

pytestmark = pytest.mark.nats

STATE = s.stream(TENANT, s.STATE)
CALLS = s.stream(TENANT, "CALLS@robot")
CALL = s.call_subject(TENANT, "robot", "trace")


def test_a_lost_keyset_is_not_replaced_by_a_new_one(tmp_path: Path) -> None:
    settings = Settings(state_dir=tmp_path / "var", config_dir=CONFIG)
    provisioning.prepare(settings, ("shell",), ANY_PORT, clock.now())
    (settings.keys_dir / keyset_files.KEYSET_FILE).unlink()

    with pytest.raises(SetupError, match=r"keyset\.json is missing, although this"):
        provisioning.prepare(settings, ("shell",), ANY_PORT, clock.now())

    assert not (settings.keys_dir / keyset_files.KEYSET_FILE).exists()


async def test_one_lost_stream_is_not_made_anew_beside_others_with_data(
    own_world: World, connected: Connect
) -> None:
    await _answered(own_world, connected)
    await _without(own_world, connected, STATE)

    with pytest.raises(SetupError, match=f"{STATE} is gone, and .* holds 1 messages"):
        await provision(own_world)

    assert STATE not in await _names(own_world, connected)


async def test_its_loss_can_be_accepted(own_world: World, connected: Connect) -> None:
    await _answered(own_world, connected)
    await _without(own_world, connected, STATE)

    report = await provision(own_world, accept_lost=STATE)

    assert STATE in report.created
    assert await provision(own_world) == provisioning.Report()


async def test_streams_that_hold_nothing_yet_are_completed(
    own_world: World, connected: Connect
) -> None:
    await _without(own_world, connected, STATE)

    assert STATE in (await provision(own_world)).created


async def test_streams_that_are_not_the_recorded_ones_are_not_gone_on_with(
    own_world: World, connected: Connect
) -> None:
    client = await connected(own_world.login(credentials.PROVISIONER))
    reply = await client.request(f"$JS.API.STREAM.INFO.{CALLS}", b"", timeout=5)
    known = provisioning.Recorded(created=msgspec.json.decode(reply.data)["created"], last_seq=0)
    longer = replace(known, last_seq=8)
    another = replace(known, created="2026-01-01T00:00:00Z")

    await provision(own_world, recorded={CALLS: known, "HP_CALLS_acme@removed": known})
    with pytest.raises(SetupError, match=f"{CALLS} ends at 0, and the ledger holds it up to 8"):
        await provision(own_world, recorded={CALLS: longer})
    with pytest.raises(SetupError, match=f"{CALLS} was made at .*HP_ACCEPT_LOST_STREAM={CALLS};"):
        await provision(own_world, recorded={CALLS: another})
    await _without(own_world, connected, CALLS)
    with pytest.raises(SetupError, match=f"{CALLS} is gone, and the ledger holds it up to 8"):
        await provision(own_world, recorded={CALLS: longer, STATE: longer}, accept_lost=STATE)

    report = await provision(
        own_world, recorded={CALLS: longer, STATE: longer}, accept_lost=f"{STATE}, {CALLS}"
    )
    assert CALLS in report.created


async def test_a_stream_that_nobody_has_is_none_whose_loss_is_accepted(own_world: World) -> None:
    told = "HP_ACCEPT_LOST_STREAM names HP_STATES_acme, and there is no such stream. There are: .*"
    with pytest.raises(SetupError, match=f"{told}{STATE}"):
        await provision(own_world, accept_lost=f"{CALLS},HP_STATES_acme")


async def _answered(world: World, connected: Connect) -> None:
    """One card stands, so that the streams hold something."""
    gate = await connected(world.login(credentials.GATE))
    await gate.request(s.card_subject(TENANT, "operators", "h1"), b"{}", timeout=5)


async def _without(world: World, connected: Connect, name: str) -> None:
    client = await connected(world.login(credentials.PROVISIONER))
    await client.request(f"$JS.API.STREAM.DELETE.{name}", b"", timeout=5)


async def _names(world: World, connected: Connect) -> str:
    client = await connected(world.login(credentials.PROVISIONER))
    return (await client.request("$JS.API.STREAM.NAMES", b"", timeout=5)).data.decode()
