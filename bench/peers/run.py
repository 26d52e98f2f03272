"""`make bench-peers`: ours, LangGraph on PostgreSQL and a durable workflow engine in one run.

Each side makes the same two calls, one in flight: one that passes, and one that waits for an
answer, which a program gives at once. Every side stores each step durably before it goes on: ours
syncs each write, PostgreSQL each commit. Two turns each; the better median of each side counts.
"""

import json
import subprocess
import sys
from pathlib import Path

import uvloop
from bench import ours
from bench.measure import NOTE
from bench.peers.measured import p50_s
from tests.postgres import running_postgres

ROOT = Path(__file__).parents[2]
PYTHON = ROOT / ".venv-peers" / "bin" / "python"
PEERS = ("langgraph", "dbos")
TURNS = 2
LEAST = 2.0
"""How many times faster than each peer ours has to be."""

LONGEST_S = 300


def main() -> None:
    """Measure everybody in turn and print how many times faster ours is."""
    rounds = [_round() for _ in range(TURNS)]
    best = {
        who: {kind: min(each[who][kind] for each in rounds) for kind in ("pass", "halt")}
        for who in ("ours", *PEERS)
    }
    for who, took in best.items():
        _say(f"{who:10} pass {took['pass'] * 1e3:6.2f} ms   halted {took['halt'] * 1e3:6.2f} ms")
    slowest = 99.0
    for peer in PEERS:
        for kind in ("pass", "halt"):
            times = best[peer][kind] / best["ours"][kind]
            slowest = min(slowest, times)
            _say(f"peer_{peer}_{kind} {times:.2f}")
    sys.exit(slowest < LEAST)


def _round() -> dict[str, dict[str, float]]:
    found = {"ours": uvloop.run(_ours())}
    with running_postgres() as url:
        for peer in PEERS:
            found[peer] = _peer(peer, url)
    return found


async def _ours() -> dict[str, float]:
    async with ours.running("always") as it:
        return {
            "pass": await p50_s(it.caller("read_probe", NOTE)),
            "halt": await p50_s(it.caller("change_probe", NOTE)),
        }


def _peer(name: str, url: str) -> dict[str, float]:
    command = [str(PYTHON), "-m", f"bench.peers.{name}_calls", url]
    done = subprocess.run(
        command, cwd=ROOT, stdout=subprocess.PIPE, text=True, timeout=LONGEST_S, check=True
    )
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def _say(text: str) -> None:
    print(text, flush=True)


if __name__ == "__main__":
    main()
