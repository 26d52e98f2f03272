"""Publish from Python: propose a tool call, and hear what became of it.

python examples/publish.py "rm -r old-reports"
"""

import asyncio
import sys

from holdpoint.client import Holdpoint


async def main(command: str) -> None:
    """Propose the command; while people are asked, say under which id."""
    async with Holdpoint.connect("sample-agent") as hp:
        outcome = await hp.call(
            "run_command", {"command": command}, reasoning="No longer needed.", wait=False
        )
        if outcome.is_pending:
            print("waits for a person:", outcome.hold_id)
            outcome = await hp.resume(outcome.hold_id)
        print(outcome.status, outcome.formatted or outcome.message_for_user)


if len(sys.argv) == 1:
    sys.exit(__doc__)
asyncio.run(main(sys.argv[1]))
