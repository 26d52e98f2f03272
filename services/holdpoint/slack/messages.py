"""Messages in Slack, by card: kept on disk, so that a restart neither forgets nor repeats one."""

from dataclasses import dataclass
from pathlib import Path

from holdpoint.runtime.store.private_database import open_private
from holdpoint.slack.cards import Place

FILE = "messages.db"
TABLE = (
    "posted (hold_id TEXT, audience TEXT, channel TEXT, ts TEXT, look TEXT, "
    "PRIMARY KEY (hold_id, audience))"
)


@dataclass(frozen=True, kw_only=True)
class Posted:
    """A message, and the digest of what it shows."""

    place: Place
    look: str


class Messages:
    """The message of each hold and group."""

    def __init__(self, folder: Path) -> None:
        self._db = open_private(folder / FILE, TABLE)

    def find(self, hold_id: str, group: str) -> Posted | None:
        """Return the message that shows this card; None where there is none."""
        row = self._db.execute(
            "SELECT channel, ts, look FROM posted WHERE hold_id = ? AND audience = ?",
            (hold_id, group),
        ).fetchone()
        return Posted(place=Place(channel=row[0], ts=row[1]), look=row[2]) if row else None

    def put(self, hold_id: str, group: str, posted: Posted) -> None:
        """Write down where a card is shown, and how."""
        row = (hold_id, group, posted.place.channel, posted.place.ts, posted.look)
        with self._db:
            self._db.execute("INSERT OR REPLACE INTO posted VALUES (?, ?, ?, ?, ?)", row)

    def close(self) -> None:
        """Close the file."""
        self._db.close()
