"""The examples of agent frameworks, each on its library's own fake model, as a reader runs them."""

import asyncio
import os
import sys
from pathlib import Path

import pytest
from tests.actors import PersonVoice
from tests.running_system import Road, fresh

pytestmark = [pytest.mark.nats, pytest.mark.slow]
pytest_plugins = ("tests.conformance.shared_world",)

EXAMPLES = Path(__file__).parents[2] / "examples"
LONGEST = 40
NAMES = ["langchain_agent", "openai_agent", "pydantic_agent"]


@pytest.mark.parametrize(
    ("name", "options"), [*((name, ()) for name in NAMES), ("langchain_agent", ("--deep",))]
)
async def test_an_example_waits_and_then_runs(
    name: str, options: tuple[str, ...], host_road: Road, host_ann: PersonVoice, tmp_path: Path
) -> None:
    command = f"echo {fresh('ran')} | tee told; pytest --version > /dev/null 2>&1"
    environment = {
        "HP_STATE_DIR": str(host_road.settings.state_dir),
        "HP_CONFIG_DIR": str(host_road.settings.config_dir),
        "HP_NATS_URL": host_road.supervisor.url,
    }
    child = await asyncio.create_subprocess_exec(
        sys.executable, str(EXAMPLES / f"{name}.py"), command, *options,
        stdout=asyncio.subprocess.PIPE, cwd=tmp_path, env=os.environ | environment,
    )  # fmt: skip
    assert child.stdout
    hold_id = (await child.stdout.readline()).decode().removeprefix("waits: ").strip()
    before = (tmp_path / "told").exists()
    await host_ann.proceed(await host_ann.card(hold_id))
    said, _ = await child.communicate()

    assert (before, child.returncode) == (False, 0)
    assert said.decode().strip() == (tmp_path / "told").read_text().strip()


@pytest.mark.parametrize("name", NAMES)
def test_an_example_is_short(name: str) -> None:
    assert len((EXAMPLES / f"{name}.py").read_text().splitlines()) <= LONGEST
