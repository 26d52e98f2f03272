"""`make bench-start`: how long from nothing to the console's address, in a private folder."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time

BUDGET_S = 10.0
READY = "ready"


def main() -> None:
    """Start everything, wait for its address, stop it; fail when that took too long."""
    with tempfile.TemporaryDirectory(prefix="hp-start-") as folder:
        began = time.perf_counter()
        child = subprocess.Popen(
            [sys.executable, "-m", "holdpoint", "up", "--json", "--no-sample"],
            env=os.environ | {"HP_STATE_DIR": folder, "HP_NATS_PORT": "26000"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            address = _address(child)
            took = time.perf_counter() - began
        finally:
            child.send_signal(signal.SIGINT)
            child.wait()
    print(f"{address} after {took:.1f} s (at most {BUDGET_S:.0f} s)")
    sys.exit(took > BUDGET_S)


def _address(child: subprocess.Popen[str]) -> str:
    for line in child.stdout or ():
        event = json.loads(line)
        if event["event"] == READY:
            return str(event["console"])
    raise SystemExit("It ended before it was ready.")


if __name__ == "__main__":
    main()
