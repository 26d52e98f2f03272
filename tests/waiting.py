"""Waiting for what happens elsewhere: ask again until it is so, never sleep and hope."""

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")

WITHIN_S = 20.0
POLL_S = 0.02


async def eventually(check: Callable[[], Awaitable[T]], within_s: float = WITHIN_S) -> T:
    """Return the check's first true answer; its last failure is the test's failure."""
    deadline = asyncio.get_running_loop().time() + within_s
    while True:
        try:
            answer = await check()
            if answer:
                return answer
            failure = AssertionError(f"still {answer!r} after {within_s} s")
        except AssertionError as error:
            failure = error
        if asyncio.get_running_loop().time() > deadline:
            raise failure
        await asyncio.sleep(POLL_S)


async def together(*works: Awaitable[None]) -> None:
    """Do all of it; the first failure is raised once the rest has ended too."""
    for ended in await asyncio.gather(*works, return_exceptions=True):
        if isinstance(ended, BaseException):
            raise ended


async def stop(pid: int) -> None:
    """Stop a process by SIGSTOP: on another core it may still run for a while after the signal."""
    os.kill(pid, signal.SIGSTOP)

    async def stands_still() -> bool:
        threads = Path(f"/proc/{pid}/task").iterdir()
        return {(one / "stat").read_text().rpartition(")")[2].split()[0] for one in threads} == {
            "T"
        }

    await eventually(stands_still)
