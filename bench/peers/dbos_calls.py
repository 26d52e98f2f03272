"""DBOS on PostgreSQL: a durable workflow that runs a step, and one that waits before it."""

import asyncio
import sys

from bench.peers.measured import p50_s, report
from dbos import DBOS, DBOSConfig, SetWorkflowID

ANSWER_S = 30.0


@DBOS.step()
async def run(number: int) -> int:
    """Run the tool, which does nothing."""
    return number


@DBOS.workflow()
async def passing(number: int) -> int:
    """Run it at once."""
    result: int = await run(number)
    return result


@DBOS.workflow()
async def halted(number: int) -> int:
    """Ask a person, and run it when they say so."""
    await DBOS.set_event_async("asked", number)
    if await DBOS.recv_async("answer", timeout_seconds=ANSWER_S) != "proceed":
        raise RuntimeError("cancelled")
    result: int = await run(number)
    return result


async def main() -> None:
    """Measure both kinds of call."""

    async def pass_once(number: int) -> None:
        with SetWorkflowID(f"pass-{number}"):
            check(await passing(number), number)

    async def halt_once(number: int) -> None:
        with SetWorkflowID(name := f"halt-{number}"):
            handle = await DBOS.start_workflow_async(halted, number)
        await DBOS.get_event_async(name, "asked", timeout_seconds=ANSWER_S)
        await DBOS.send_async(name, "proceed", "answer")
        check(await handle.get_result(), number)

    report(await p50_s(pass_once), await p50_s(halt_once))


def check(result: int, number: int) -> None:
    """Refuse to measure a call that did not run."""
    if result != number:
        raise RuntimeError(f"the call did not run: {result}")


if __name__ == "__main__":
    config: DBOSConfig = {
        "name": "bench",
        "system_database_url": sys.argv[1],
        "log_level": "ERROR",
        "run_admin_server": False,
    }
    DBOS(config=config)
    DBOS.launch()
    asyncio.run(main())
    DBOS.destroy()
