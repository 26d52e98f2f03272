"""Following the ledger to a receiver elsewhere: at least once, in order, without a gap.

The position is kept in a file of its own, and moves only after the receiver took a batch. It has
the root of the tree up to its event: a ledger that was replaced by another is not gone on with.
"""

import threading
from pathlib import Path

import msgspec
import structlog
from sqlalchemy import Connection, Row, select
from sqlalchemy.exc import SQLAlchemyError

from holdpoint.audit.forward_formats import ForwardedEvent
from holdpoint.audit.forward_targets import Send
from holdpoint.core.leaf import moment
from holdpoint.ledger import engines
from holdpoint.ledger.tables import events
from holdpoint.ledger.tree import root_at, size_of
from holdpoint.ledger.unreadable import unreadable
from holdpoint.runtime.config import files
from holdpoint.runtime.errors import HistoryError, SetupError, UnavailableError

log = structlog.get_logger(__name__)

BATCH = 500
IDLE_S = 1.0
FIRST_REST_S, LONGEST_REST_S = 0.5, 30.0
"""Before a receiver that is away is tried again; doubled each time."""


class ForwardPosition(msgspec.Struct, frozen=True, kw_only=True):
    """The last event that the receiver took."""

    seq: int = 0
    root: str = ""
    """Of the tree over all events up to it, hex."""


def forward(
    url: str, position_file: Path, send: Send, stop: threading.Event, *, once: bool = False
) -> int:
    """Send what the ledger gets until told to stop, or to its present end; return how many.

    HistoryError where the ledger is not the one that the position is of.
    """
    sent, rest_s = 0, FIRST_REST_S
    position = read_position(position_file)
    while not stop.is_set():
        try:
            batch, end = _next(url, position)
            if batch:
                send(batch)
                position = end
                files.replace(position_file, msgspec.json.encode(position), files.PRIVATE)
                sent, rest_s = sent + len(batch), FIRST_REST_S
        except UnavailableError as error:
            log.warning("forwarding_waits", why=str(error), next_seq=position.seq + 1)
            stop.wait(rest_s)
            rest_s = min(2 * rest_s, LONGEST_REST_S)
            continue
        if len(batch) < BATCH:
            if once:
                return sent
            stop.wait(IDLE_S)
    return sent


def read_position(path: Path) -> ForwardPosition:
    """Read how far the receiver is; the beginning where nothing was sent yet."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=ForwardPosition)
    except FileNotFoundError:
        return ForwardPosition()
    except msgspec.MsgspecError as error:
        text = f"{path} cannot be read: {error}. Delete it, and all is sent again from the start."
        raise SetupError(text) from None


def _next(url: str, position: ForwardPosition) -> tuple[list[ForwardedEvent], ForwardPosition]:
    """Read the next batch, and the position behind it."""
    engine = engines.reader(url)
    try:
        with engine.begin() as connection:
            _check(connection, position)
            after = select(events).where(events.c.seq > position.seq)
            rows = connection.execute(after.order_by(events.c.seq).limit(BATCH))
            batch = [_event(row) for row in rows]
            return batch, _position(connection, batch[-1].seq) if batch else position
    except SQLAlchemyError as error:
        raise UnavailableError(unreadable(url, error)) from None
    finally:
        engine.dispose()


def _check(connection: Connection, position: ForwardPosition) -> None:
    if position.seq == 0:
        return
    if size_of(connection) < position.seq or _position(connection, position.seq) != position:
        raise HistoryError(
            f"The ledger's event {position.seq} is not the one that was forwarded: the ledger was "
            "replaced. Delete the position, and all is sent again from the start."
        )


def _position(connection: Connection, seq: int) -> ForwardPosition:
    return ForwardPosition(seq=seq, root=root_at(connection, seq).hex())


def _event(row: Row[tuple[object, ...]]) -> ForwardedEvent:
    return ForwardedEvent(
        seq=row.seq,
        stream=row.src_stream,
        stream_seq=row.src_seq,
        subject=row.subject,
        type=row.type,
        time=moment(row._asdict()),
        time_ms=int(row.time.timestamp() * 1000),
        hold_id=row.hold_id or "",
        agent=row.agent or "",
        principal=row.principal or "",
        body_sha256=row.body_sha256,
        leaf=row.leaf.hex(),
    )
