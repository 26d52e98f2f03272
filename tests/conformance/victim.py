"""A program that makes a call through an adapter and waits: the suite kills it.

python -m tests.conformance.victim ADAPTER FOLDER STATE_DIR CONFIG_DIR URL COMMAND
"""

import asyncio
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from tests.conformance.adapters import ADAPTERS

from holdpoint.client import Holdpoint
from holdpoint.runtime.config.settings import Settings


async def main(arguments: list[str]) -> None:
    """Propose, say which hold it is, and go on for as long as it takes."""
    name, folder, state, config, url, command = arguments
    settings = Settings(tenant="acme", state_dir=Path(state), config_dir=Path(config), nats_url=url)
    road: Any = SimpleNamespace(settings=settings, supervisor=SimpleNamespace(url=url))
    kind = next(it for it in ADAPTERS if getattr(it, "name", "") == name)
    async with Holdpoint.connect("coder", settings) as hp:
        adapter = kind(hp=hp, road=road, folder=Path(folder))
        print(await adapter.propose(command), flush=True)  # noqa: T201  # its test reads it
        while True:
            await adapter.go_on()


asyncio.run(main(sys.argv[1:]))
