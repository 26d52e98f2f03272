"""`make money`: twenty thousand transfers through the whole road, with two hundred kills.

Afterwards the books balance to the cent, and each key was executed at most once. `make test-all`
does the same with a tenth of it; this takes longer than a CI run has.
"""

import argparse
import asyncio
import sys
import tempfile
from pathlib import Path

from tests.journeys.test_bank_money import pay_through_kills

from holdpoint.runtime.process import clock


def main() -> None:
    """Pay, and say how long it took; whatever does not hold ends it with an error."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--transfers", type=int, default=20_000)
    parser.add_argument("--kills", type=int, default=200)
    asked = parser.parse_args()
    began = clock.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(pay_through_kills(Path(folder), asked.transfers, asked.kills))
    took_s = clock.monotonic() - began
    sys.stdout.write(
        f"{asked.transfers} transfers, {asked.kills} kills, {took_s:.0f} s: the books balance, "
        "and no key was executed twice.\n"
    )


if __name__ == "__main__":
    main()
