"""Requests that are being answered: one that comes again waits for the answer of the first."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass, field
from functools import partial


@dataclass(eq=False, kw_only=True)
class UnderWay:
    """Answers in the making, each by exactly what was asked and by whom."""

    _answers: dict[Hashable, asyncio.Task[bytes]] = field(default_factory=dict)

    async def answer(self, asked: Hashable, make: Callable[[], Awaitable[bytes]]) -> bytes:
        """Return the answer, made once; who leaves meanwhile does not end it."""
        making = self._answers.get(asked)
        if making is None:
            making = asyncio.ensure_future(make())
            self._answers[asked] = making
            making.add_done_callback(partial(self._forget, asked))
        return await asyncio.shield(making)

    def _forget(self, asked: Hashable, _: asyncio.Task[bytes]) -> None:
        del self._answers[asked]
