"""The ledger reaches its receivers whole and in order, whoever goes away in between."""

import re
import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.integration.ledger_files import entered, new_ledger
from tests.integration.ledger_stories import every_story

from holdpoint.audit import forward as forwarding
from holdpoint.audit.forward import forward, read_position
from holdpoint.audit.forward_formats import ForwardedEvent, syslog
from holdpoint.audit.forward_targets import Send, to_ocsf, to_syslog, to_webhook
from holdpoint.core.webhook_signature import HEADER, is_signed
from holdpoint.runtime.errors import HistoryError, UnavailableError
from holdpoint.runtime.process import clock

STORIES = every_story()
SECRET = b"whsec_test"


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forwarding, "BATCH", 7)
    monkeypatch.setattr(forwarding, "FIRST_REST_S", 0.01)
    monkeypatch.setattr(forwarding, "LONGEST_REST_S", 0.02)


@pytest.fixture
def url(tmp_path: Path) -> str:
    ledger = new_ledger(tmp_path)
    entered(ledger, STORIES)
    return ledger


def everything(url: str, folder: Path, send: Send) -> int:
    return forward(url, folder / "position.json", send, threading.Event(), once=True)


ALL = list(range(1, len(STORIES) + 1))


def test_ocsf_lines_are_whole_also_after_one_was_cut_off(url: str, tmp_path: Path) -> None:
    path = tmp_path / "events.ocsf"
    path.write_text('{"cut of')
    everything(url, tmp_path, to_ocsf(path))
    lines = path.read_text().splitlines()[1:]
    found = [msgspec.json.decode(line) for line in lines]

    assert [it["metadata"]["sequence"] for it in found] == ALL
    assert {it["class_uid"] for it in found} == {6003}
    assert "hunter2-secret" not in path.read_text()


def test_it_goes_on_where_it_was_and_refuses_another_ledger(url: str, tmp_path: Path) -> None:
    taken = list[int]()
    everything(url, tmp_path, lambda batch: taken.extend(it.seq for it in batch))
    assert everything(url, tmp_path, lambda _: pytest.fail("Nothing is new.")) == 0
    other = new_ledger(tmp_path, "other")
    entered(other, STORIES[5:])

    assert taken == ALL
    assert read_position(tmp_path / "position.json").seq == ALL[-1]
    with pytest.raises(HistoryError):
        everything(other, tmp_path, taken.append)  # type: ignore[arg-type]  # it is never called


def test_what_was_taken_and_not_noted_comes_again(url: str, tmp_path: Path) -> None:
    taken, calls = list[int](), 0

    def send(batch: Any) -> None:
        nonlocal calls
        calls += 1
        if calls % 3 == 1:
            raise UnavailableError("It is away.")
        taken.extend(it.seq for it in batch)
        if calls % 3 == 2:
            raise UnavailableError("It took it, and its reply was lost.")

    everything(url, tmp_path, send)

    assert sorted(set(taken)) == ALL
    assert list(dict.fromkeys(taken)) == ALL


def read_to_the_end(line: socket.socket) -> bytes:
    whole = b""
    while piece := line.recv(65536):
        whole += piece
    return whole


def serve_syslog(port: int, server: socket.socket, taken: list[bytes]) -> None:
    """Read each third connection to its end; reset one, and be away after another."""
    count = 0
    while True:
        line, _ = server.accept()
        count += 1
        with line:
            if count % 3 == 1:  # reads a part, and resets
                part = line.recv(10)
                line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                if not part:
                    break
                continue
            whole = read_to_the_end(line)
            taken.append(whole)
        if not whole:
            break
        if count % 3 == 2:
            server.close()
            server = socket.create_server(("127.0.0.1", port))
    server.close()


@contextmanager
def syslog_server(taken: list[bytes]) -> Iterator[int]:
    server = socket.create_server(("127.0.0.1", 0))
    port = server.getsockname()[1]
    thread = threading.Thread(target=serve_syslog, args=(port, server, taken), daemon=True)
    thread.start()
    try:
        yield port
    finally:
        socket.create_connection(("127.0.0.1", port)).close()
        thread.join(timeout=10)
        assert not thread.is_alive()


def test_syslog_gets_all_from_a_receiver_that_goes_away(url: str, tmp_path: Path) -> None:
    taken = list[bytes]()
    with syslog_server(taken) as port:
        everything(url, tmp_path, to_syslog("127.0.0.1", port))
    whole = b"".join(taken)
    seqs, at = list[int](), 0
    while at < len(whole):
        count, _, _ = whole[at:].partition(b" ")
        begin = at + len(count) + 1
        message = whole[begin : begin + int(count)].decode()
        found = re.match(r'<110>1 \S+Z \S+ holdpoint - \S+ \[holdpoint@32473 seq="(\d+)"', message)
        assert found, message
        seqs.append(int(found[1]))
        at = begin + int(count)

    assert list(dict.fromkeys(seqs)) == ALL


def test_a_webhook_is_signed_and_tried_until_it_is_taken(url: str, tmp_path: Path) -> None:
    taken, statuses = list[int](), [503, 200, 302, 500]

    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self) -> None:  # the server's name for it
            body = self.rfile.read(int(self.headers["Content-Length"]))
            now = int(clock.now().timestamp())
            assert is_signed(SECRET, self.headers[HEADER], body, now)
            status = statuses.pop(0) if statuses else 200
            if status == 200:
                taken.extend(it["seq"] for it in msgspec.json.decode(body)["events"])
            self.send_response(status)
            self.send_header("Location", "http://127.0.0.1:1/")
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    with HTTPServer(("127.0.0.1", 0), Receiver) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            everything(url, tmp_path, to_webhook(f"http://127.0.0.1:{server.server_port}", SECRET))
        finally:
            server.shutdown()
            thread.join()

    assert taken == ALL


def test_what_stands_in_an_event_cannot_break_a_syslog_message() -> None:
    odd = ForwardedEvent(
        seq=1, stream='a"]\n<13>1', stream_seq=1, subject="s", type="t", time="now", time_ms=0,
        hold_id="h\\", agent="", principal="", body_sha256="", leaf="",
    )  # fmt: skip

    text = syslog(odd, "host").decode()
    assert 'stream="a\\"\\] <13>1"' in text
    assert 'hold="h\\\\"' in text
    assert "\n" not in text
