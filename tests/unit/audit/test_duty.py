"""One audit is on duty; another stands by until that one is gone."""

import asyncio
from collections.abc import Coroutine
from functools import partial
from pathlib import Path
from typing import Any

from tests.waiting import eventually

from holdpoint.audit.duty import Duty


def audit(lock: Path, name: str, done: list[str]) -> Duty:
    def says(what: str) -> partial[Coroutine[Any, Any, None]]:
        return partial(_note, done, f"{name} {what}")

    return Duty(
        lock=lock,
        begin=(says("opens"),),
        jobs=(says("reads"), asyncio.Event().wait),
        end=(says("closes"),),
    )


async def _note(done: list[str], what: str) -> None:
    done.append(what)


async def test_a_second_audit_writes_only_after_the_first_one_left(tmp_path: Path) -> None:
    done: list[str] = []
    first, second = (audit(tmp_path / "ledger.db.lock", it, done) for it in ("first", "second"))
    await first.take_at_once()
    await second.take_at_once()
    assert done == ["first opens"]
    running = [asyncio.create_task(it.run()) for it in (first, second)]

    async def reads() -> bool:
        return done[1:] == ["first reads"]

    await eventually(reads)

    running[0].cancel()
    await first.leave()

    async def follows() -> bool:
        return done[2:] == ["first closes", "second opens", "second reads"]

    await eventually(follows)
    running[1].cancel()
    await second.leave()
    await asyncio.gather(*running, return_exceptions=True)
