"""A ledger that cannot be read is one plain sentence, whatever its database says of it."""

import os
import socket
import sqlite3
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy.exc import DatabaseError

from holdpoint.cli.commands.status import BrokerLine, ServiceLine, Standing, _exit_code
from holdpoint.cli.ledger_session import snapshot
from holdpoint.cli.output import CommandError, ExitCode
from holdpoint.ledger.unreadable import unreadable

NOBODY = 65534


def told_of(url: str) -> str:
    with pytest.raises(CommandError) as ended, snapshot(url) as connection:
        connection.exec_driver_sql("SELECT * FROM events")
    assert ended.value.exit_code is ExitCode.SETUP
    assert "\n" not in ended.value.text
    return ended.value.text


@contextmanager
def refusing(code: str, text: str) -> Iterator[int]:
    """A server that speaks PostgreSQL's protocol, and lets nobody in."""
    fields = {"S": "FATAL", "V": "FATAL", "C": code, "M": text}
    body = b"".join(f"{name}{value}\0".encode() for name, value in fields.items()) + b"\0"

    def serve() -> None:
        connection, _ = server.accept()
        with connection:
            connection.recv(4096)
            connection.sendall(b"N")  # no TLS
            connection.recv(4096)
            connection.sendall(b"E" + struct.pack("!I", len(body) + 4) + body)

    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=serve)
        thread.start()
        yield int(server.getsockname()[1])
        thread.join()


def test_a_server_that_does_not_answer() -> None:
    assert told_of("postgresql://reader:hush@127.0.0.1:1/ledger") == (
        "The ledger postgresql://reader:***@127.0.0.1:1/ledger cannot be read: PostgreSQL does not "
        "answer there. Start it, or correct HP_LEDGER_URL or --ledger."
    )


@pytest.mark.parametrize(
    ("code", "says", "told"),
    [
        (
            "28P01",
            'password authentication failed for user "reader"',
            "PostgreSQL refuses the user or the password. Correct them in HP_LEDGER_URL",
        ),
        (
            "3D000",
            'database "ledger" does not exist',
            'PostgreSQL says: database "ledger" does not exist. Correct HP_LEDGER_URL',
        ),
    ],
)
def test_a_server_that_lets_nobody_in(code: str, says: str, told: str) -> None:
    with refusing(code, says) as port:
        text = told_of(f"postgresql://reader:hush@127.0.0.1:{port}/ledger")

    assert told in text
    assert "hush" not in text


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    assert "there is no such file. Set HP_LEDGER_URL" in told_of(f"sqlite:///{tmp_path}/ledger.db")


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    (tmp_path / "ledger.db").write_bytes(b"This is no database. " * 500)

    assert "the file is not a database" in told_of(f"sqlite:///{tmp_path}/ledger.db")


def test_a_database_that_is_no_ledger(tmp_path: Path) -> None:
    (tmp_path / "ledger.db").touch()

    assert "it is not a ledger" in told_of(f"sqlite:///{tmp_path}/ledger.db")


@pytest.mark.parametrize(
    ("errorname", "told"),
    [
        ("SQLITE_FULL", "its disk is full. Make room: see Room in docs/operate.md."),
        ("SQLITE_IOERR_SHMSIZE", "its disk is full. Make room: see Room in docs/operate.md."),
        ("SQLITE_IOERR_READ", "its disk cannot be read or written (disk I/O error). Look at "),
    ],
)
def test_a_full_disk_asks_for_room_and_not_for_another_url(
    tmp_path: Path, errorname: str, told: str
) -> None:
    (tmp_path / "ledger.db").touch()
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorname = errorname

    text = unreadable(f"sqlite:///{tmp_path}/ledger.db", DatabaseError("", None, error))

    assert told in text
    assert "HP_LEDGER_URL" not in text


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    assert "it is a folder" in told_of(f"sqlite:///{tmp_path}")


def test_a_file_of_somebody_else(tmp_path: Path) -> None:
    file = tmp_path / "ledger.db"
    file.touch(mode=0o600)
    file.chmod(0)
    me = os.geteuid()
    os.seteuid(me or NOBODY)
    try:
        text = told_of(f"sqlite:///{file}")
    finally:
        os.seteuid(me)

    assert "this user may not read the file. Run the command as the user who owns it" in text


@pytest.mark.parametrize(
    ("unread", "code"), [("", ExitCode.OK), ("It cannot be read.", ExitCode.FAILED)]
)
def test_status_fails_where_the_ledger_cannot_be_read(unread: str, code: ExitCode) -> None:
    found = Standing(
        running=True,
        pid=1,
        broker=BrokerLine(url="nats://a", reachable=True, unread_ledger=unread),
        console="",
        services=[ServiceLine(name="gate", pid=1, health="", alive=True, ready=True)],
        warnings=[],
    )

    assert _exit_code(found) is code
