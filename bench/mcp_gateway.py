"""`python -m bench.mcp_gateway`: a passing call of an MCP tool, direct and through the gateway.

Both are the SDK's client with a child over stdio; one call is in flight. The gateway may take one
and a half times as long as the server itself, and one passing call of the floor besides.
"""

import asyncio
import statistics
import sys
from collections.abc import Mapping
from pathlib import Path

from bench import floor, ours
from bench.measure import NOTE, Call, Sync, latency
from mcp import Client
from mcp.client.stdio import StdioServerParameters

from holdpoint.messages.mcp import MCP_DOMAIN
from holdpoint.runtime.config.mcp_servers import MCP_SERVERS_FILE
from holdpoint.runtime.config.settings import Settings

SERVER = Path(__file__).parent / "echo_server.py"
NAME = "bench"
COUNT = 400
SYNC: Sync = "100ms"
DIRECT_TIMES = 1.5
SERVERS = f"""\
servers:
  {NAME}: {{command: {sys.executable}, args: [{SERVER}], levels: {{echo: 1}}}}
"""


def measured(rounds: int) -> dict[str, float]:
    """Return how long a call takes through the gateway, to what it may take."""
    found = [asyncio.run(_round()) for _ in range(rounds)]
    shares = [it["gateway"] / (DIRECT_TIMES * it["direct"] + it["floor"]) for it in found]
    for name in ("direct", "gateway", "floor"):
        middle = statistics.median(it[name] for it in found) * 1e6
        print(f"  mcp {name:8} p50 {middle:7.0f} us", flush=True)
    return {"mcp_gateway_p50": float(statistics.median(shares))}


async def _round() -> Mapping[str, float]:
    """The three, one after the other, in the same minute."""
    direct = StdioServerParameters(command=sys.executable, args=[str(SERVER)])
    found = {"direct": await _timed(direct)}
    async with floor.running(SYNC) as bare:
        found["floor"] = (await latency(bare.caller("read_probe", NOTE), COUNT)).p50
    async with ours.running(SYNC, declare=_declare, more=(f"worker-{MCP_DOMAIN}",)) as it:
        found["gateway"] = await _timed(_gateway(it.settings))
    return found


def _declare(settings: Settings) -> None:
    (settings.config_dir / MCP_SERVERS_FILE).write_text(SERVERS)


def _gateway(settings: Settings) -> StdioServerParameters:
    return StdioServerParameters(
        command=sys.executable,
        args=["-m", "holdpoint", "mcp", "gateway", "--server", NAME, "--as", ours.AGENT],
        env={
            "HP_STATE_DIR": str(settings.state_dir),
            "HP_CONFIG_DIR": str(settings.config_dir),
        },
    )


async def _timed(server: StdioServerParameters) -> float:
    async with Client(server) as client:
        return (await latency(_caller(client), COUNT)).p50


def _caller(client: Client) -> Call:
    async def call(number: int) -> None:
        result = await client.call_tool("echo", {"note": f"{number} {NOTE}"})
        if result.is_error:
            raise RuntimeError(f"It failed: {result.content}")

    return call


if __name__ == "__main__":
    for name, figure in measured(3).items():
        print(f"{name} {figure:.2f}")
