"""A witness in another NATS account: its stream keeps each checkpoint, and tells the last one.

The account has a user whose seed we hold and who may publish on one subject and read one stream;
nobody of ours may change or delete there.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from nats.errors import Error as NatsError
from nats.js import JetStreamContext
from nats.js.errors import APIError, NotFoundError

from holdpoint.core.checkpoint import Checkpoint, NoteError, read_note
from holdpoint.runtime.broker.connection import Login, connect
from holdpoint.runtime.broker.nats_errors import in_words
from holdpoint.runtime.config import files
from holdpoint.runtime.config.witness_files import WitnessEntry
from holdpoint.runtime.errors import UnavailableError

TAKES_WITHIN_S = 5.0


def publish(entry: WitnessEntry, note: str) -> None:
    """Store the checkpoint; when this returns, the stream has acknowledged it."""
    asyncio.run(_publish(entry, note))


def newest_at(entry: WitnessEntry) -> Checkpoint | None:
    """Return the last checkpoint on the witness's subject; None before the first."""
    try:
        note = asyncio.run(_last(entry))
        return read_note(note).checkpoint if note else None
    except NoteError as error:
        raise UnavailableError(f"its last message is no checkpoint: {error}") from None


async def _publish(entry: WitnessEntry, note: str) -> None:
    async with _account(entry) as account:
        await account.publish(entry.subject, note.encode(), stream=entry.stream)


async def _last(entry: WitnessEntry) -> str:
    async with _account(entry) as account:
        try:
            found = await account.get_last_msg(entry.stream, entry.subject)
        except NotFoundError:
            return ""
        return (found.data or b"").decode(errors="replace")


@asynccontextmanager
async def _account(entry: WitnessEntry) -> AsyncIterator[JetStreamContext]:
    seed = files.read_secret(Path(entry.credential)).decode().strip()
    ca = Path(entry.ca) if entry.ca else None
    client = await connect(Login(user=f"witness_{entry.name}", seed=seed, url=entry.nats, ca=ca))
    try:
        yield client.jetstream(timeout=TAKES_WITHIN_S)
    except (NatsError, APIError) as error:
        raise UnavailableError(f"it took nothing: {in_words(error)}") from None
    finally:
        await client.close()
