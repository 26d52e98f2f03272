"""Asked whether it is ready, a service that dies meanwhile is not; nobody falls over it."""

import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path

import pytest
from tests.waiting import eventually

from holdpoint.runtime.process import health
from holdpoint.runtime.process.health import Health, Readiness, forget_others, health_file, is_ready


def test_services_that_are_run_no_more_leave_no_address(tmp_path: Path) -> None:
    for name in ("gate", "worker-shell@2", "worker-invoice"):
        health_file(tmp_path, name).write_text("http://127.0.0.1:9")

    forget_others(tmp_path, ("gate", "worker-shell", "worker-shell@2"))

    assert {it.name for it in tmp_path.iterdir()} == {"gate.health", "worker-shell@2.health"}


@contextmanager
def listening(answer: Callable[[socket.socket], None]) -> Iterator[str]:
    """A server for one connection, which does this with it."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            connection, _ = server.accept()
            with connection:
                connection.recv(1)
                answer(connection)

        thread = threading.Thread(target=serve)
        thread.start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}"
        thread.join()


def resets(connection: socket.socket) -> None:
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


async def test_one_that_breaks_off_is_not_ready() -> None:
    with listening(resets) as address:
        assert not await is_ready(address)


async def test_one_that_says_nothing_is_not_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "ANSWERS_S", 0.05)
    over = threading.Event()

    def says_nothing(_connection: socket.socket) -> None:
        over.wait()

    with listening(says_nothing) as address:
        assert not await is_ready(address)
        over.set()


async def test_one_that_is_gone_or_never_came_is_not_ready() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"http://127.0.0.1:{server.getsockname()[1]}"
    assert not await is_ready(address)
    assert not await is_ready("")


@pytest.mark.parametrize("ready", [True, False])
async def test_a_service_says_itself_whether_it_is(ready: bool) -> None:
    server = Health(service="gate", readiness=lambda: Readiness(is_ready=ready)).start(0)
    try:
        assert await is_ready(f"http://127.0.0.1:{server.server_port}") is ready
    finally:
        server.shutdown()
        server.server_close()


async def test_who_connects_and_says_nothing_takes_no_thread_for_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Any program of this machine can connect, and the gate needs its threads and files."""
    before = threading.active_count()
    server = Health(service="gate", readiness=lambda: Readiness(is_ready=True)).start(0)
    port = server.server_port

    async def at_most(threads: int) -> bool:
        return threading.active_count() - before <= threads

    try:
        with ExitStack() as silent:
            for _ in range(100):
                silent.enter_context(socket.create_connection(("127.0.0.1", port)))
            assert await is_ready(f"http://127.0.0.1:{port}")
            await eventually(partial(at_most, 1 + health.MOST_WAITING), 2.0)
        assert health._Quiet.timeout == health.ASKS_WITHIN_S
        monkeypatch.setattr(health._Quiet, "timeout", 0.1)
        with socket.create_connection(("127.0.0.1", port)) as alone:
            assert alone.recv(1) == b""
    finally:
        server.shutdown()
        server.server_close()
