"""Notices to a group: once when its card comes, and again with each reminder."""

import asyncio
from dataclasses import dataclass, field
from pathlib import Path

import structlog

from holdpoint.console.card_store import Board
from holdpoint.notices.notice import Notice, notice_of
from holdpoint.notices.targets import RefusedError, Target
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.errors import UnavailableError
from holdpoint.runtime.process import clock
from holdpoint.runtime.store.private_database import open_private

log = structlog.get_logger(__name__)

FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.5, 60.0
KEPT_S = 31 * 24 * 60 * 60
"""Longer than any hold is open."""

FILE = "told.db"
TABLE = "told (target TEXT, notice TEXT, at INTEGER, PRIMARY KEY (target, notice))"


class Told:
    """Notices that were sent, by target: a restart tells nothing twice."""

    def __init__(self, folder: Path) -> None:
        self._db = open_private(folder / FILE, TABLE)

    def __contains__(self, key: tuple[str, str]) -> bool:
        question = "SELECT 1 FROM told WHERE target = ? AND notice = ?"
        return self._db.execute(question, key).fetchone() is not None

    def put(self, target: str, notice: str, at: int) -> None:
        """Write down that it was sent, and forget what is too old to matter."""
        with self._db:
            self._db.execute("INSERT OR IGNORE INTO told VALUES (?, ?, ?)", (target, notice, at))
            self._db.execute("DELETE FROM told WHERE at < ?", (at - KEPT_S,))


@dataclass(eq=False, kw_only=True)
class Teller:
    """Notices of one target; a receiver that is away delays no other one."""

    target: Target
    board: Board
    told: Told
    settings: Settings
    problem: str = ""
    _waiting: set[str] = field(default_factory=set)

    async def run(self) -> None:
        """Tell until cancelled."""
        group = (self.target.group,)
        with self.board.watched() as watch:
            self._waiting |= {card.hold_id for card in self.board.cards_for(group)}
            while True:
                while not (self._waiting and self.board.is_live):
                    await watch.bell.wait()
                    self._waiting |= watch.taken()
                await self._tell(self._waiting.pop())
                self._waiting |= watch.taken()

    async def _tell(self, hold_id: str) -> None:
        """Tell of a hold as long as it waits, however often that has to be tried."""
        pause_s = FIRST_PAUSE_S
        while (notice := self._due(hold_id)) is not None:
            try:
                await self.target.send(notice)
            except UnavailableError as why:
                self._fails(str(why))
                await asyncio.sleep(pause_s)
                pause_s = min(2 * pause_s, LONGEST_PAUSE_S)
                continue
            except RefusedError as why:
                self._fails(str(why))
            else:
                self.problem = ""
            self.told.put(self.target.name, notice.id, int(clock.now().timestamp()))

    def _due(self, hold_id: str) -> Notice | None:
        card = self.board.card_for((self.target.group,), hold_id)
        link = self.settings.review_url(card.agent, hold_id) if card else ""
        notice = notice_of(card, link, clock.now()) if card else None
        is_told = notice is not None and (self.target.name, notice.id) in self.told
        return None if is_told else notice

    def _fails(self, why: str) -> None:
        if why != self.problem:
            log.warning("notice_not_sent", target=self.target.name, why=why)
        self.problem = why
