"""Checkpoints reach the witnesses: each, in its own time, and only those of the same history."""

import asyncio
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread

import pytest
from nats.js import JetStreamContext
from tests.integration.ledger_files import (
    ORIGIN,
    PUBLIC_KEY,
    asked,
    attested,
    entered,
    new_ledger,
)
from tests.integration.ledger_stories import every_story

from holdpoint.audit import publishing
from holdpoint.audit.checkpoint_keys import Attester, checked_note
from holdpoint.audit.publishing import Publisher, newest_in, witness_of
from holdpoint.core.checkpoint import notes_in
from holdpoint.ledger import writer
from holdpoint.ledger.checkpoints import every_checkpoint
from holdpoint.ledger.writer import Ledger
from holdpoint.runtime.broker.connection import Login, connect
from holdpoint.runtime.broker.nats_conf import ANY_PORT
from holdpoint.runtime.broker.server import NatsServer
from holdpoint.runtime.config.witness_files import WitnessEntry, load_witnesses
from holdpoint.runtime.errors import SetupError
from holdpoint.runtime.security.credentials import make_credential, public_key, read_seed
from holdpoint.runtime.security.keys import Keyset

STORIES = every_story()


class Receiver:
    """A witness on the web that may be out of order."""

    def __init__(self) -> None:
        self.taken: list[str] = []
        self.status = 200
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                if outer.status == 200:
                    outer.taken.append(body)
                self.send_response(outer.status)
                self.end_headers()

            def log_message(self, *_: object) -> None:
                """Stay silent."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/checkpoints"

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with closing(Receiver()) as made:
        Thread(target=made.server.serve_forever, daemon=True).start()
        yield made


def publisher(url: str, *entries: WitnessEntry) -> Publisher:
    ledger = Ledger(url, lambda _: [], attested)
    return Publisher(ledger=ledger, witnesses=[witness_of(it, ORIGIN) for it in entries])


def sizes_in(folder: Path) -> list[int]:
    """Of the checkpoints in a witness's directory."""
    texts = "".join(path.read_text() for path in sorted(folder.iterdir()))
    return [checked_note(note, [PUBLIC_KEY]).size for note in notes_in(texts)]


async def test_each_witness_gets_each_checkpoint_once_and_catches_up(
    tmp_path: Path, receiver: Receiver
) -> None:
    archive = tmp_path / "archive"
    url = new_ledger(tmp_path)
    made = publisher(
        url,
        WitnessEntry(name="archive", directory=str(archive)),
        WitnessEntry(name="auditor", url=receiver.url),
    )
    entered(url, STORIES[:20])
    await made.publish()
    await made.publish()
    receiver.status = 500
    entered(url, STORIES[20:30])
    await made.publish()
    receiver.status = 200
    entered(url, STORIES[30:])
    await made.publish()
    await made.ledger.close()

    assert sizes_in(archive) == [20, 30, len(STORIES)]
    assert [checked_note(it, [PUBLIC_KEY]).size for it in receiver.taken] == [20, len(STORIES)]
    assert made.problem() == ""
    assert newest_in(archive, ORIGIN) == checked_note(receiver.taken[-1], [PUBLIC_KEY])


async def test_a_witness_that_never_ends_its_answer_delays_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(publishing, "WAITS_S", 0.3)
    over, archive = Event(), tmp_path / "archive"

    def drip(listening: socket.socket) -> None:
        with closing(listening.accept()[0]) as line:
            while not over.wait(0.05):
                line.send(b"x")

    url = new_ledger(tmp_path)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        dripping = Thread(target=drip, args=(listening,))
        dripping.start()
        port = listening.getsockname()[1]
        made = publisher(
            url,
            WitnessEntry(name="slow", url=f"http://127.0.0.1:{port}/"),
            WitnessEntry(name="archive", directory=str(archive)),
        )
        try:
            async with asyncio.timeout(5.0):
                for begin in (0, 20):
                    entered(url, STORIES[begin : begin + 20])
                    await made.publish()
            assert sizes_in(archive) == [20, 40]
        finally:
            over.set()
            dripping.join()
            await made.publish()
            await made.ledger.close()


@pytest.mark.slow
@pytest.mark.nats
async def test_a_stream_of_another_account_is_a_witness(tmp_path: Path) -> None:
    """It keeps each checkpoint, and one who starts anew asks it what it has."""
    async with second_account(tmp_path) as (entry, owner):
        first, other = new_ledger(tmp_path), new_ledger(tmp_path, "other")
        entered(first, STORIES[:20])
        made = publisher(first, entry)
        await made.publish()
        entered(first, STORIES[20:])
        await made.publish()
        await made.publish()
        await made.ledger.close()
        entered(other, STORIES[1:])
        again = publisher(other, entry)
        await again.publish()
        await again.ledger.close()

        kept = [await owner.get_msg("CHECKPOINTS", number) for number in (1, 2)]
        notes = [(it.data or b"").decode() for it in kept]
        assert [checked_note(it, [PUBLIC_KEY]).size for it in notes] == [20, len(STORIES)]
        assert (await owner.stream_info("CHECKPOINTS")).state.messages == 2
        assert made.problem() == ""
        assert "replaced or rewritten" in again.problem()


@asynccontextmanager
async def second_account(
    folder: Path,
) -> AsyncIterator[tuple[WitnessEntry, JetStreamContext]]:
    """A server with an account of the auditor's: its owner, and a user who is a witness's."""
    for name in ("owner", "witness"):
        make_credential(folder / "credentials", name)
    owner, user = (public_key(read_seed(folder / "credentials", it)) for it in ("owner", "witness"))
    may = """{
      publish: ["checkpoints.acme", "$JS.API.STREAM.MSG.GET.CHECKPOINTS"]
      subscribe: ["_INBOX_witness_second.>"]
    }"""
    config = folder / "server.conf"
    config.write_text(f"""
    listen: "127.0.0.1:-1"
    ports_file_dir: "{folder}"
    jetstream {{ store_dir: "{folder}/store" }}
    accounts {{ AUDITOR {{
      jetstream: enabled
      users: [{{ nkey: {owner} }}, {{ nkey: {user}, permissions: {may} }}]
    }} }}
    """)
    server = NatsServer(config=config, run_dir=folder, port=ANY_PORT)
    await server.start()
    seed = read_seed(folder / "credentials", "owner")
    client = await connect(Login(user="owner", seed=seed, url=server.url))
    try:
        account = client.jetstream()
        await account.add_stream(name="CHECKPOINTS", subjects=["checkpoints.acme"])
        yield (
            WitnessEntry(
                name="second",
                nats=server.url,
                stream="CHECKPOINTS",
                subject="checkpoints.acme",
                credential=str(folder / "credentials" / "witness.nk"),
            ),
            account,
        )
    finally:
        await client.close()
        await server.stop()


async def test_a_witness_with_another_history_gets_nothing_and_it_is_said(tmp_path: Path) -> None:
    archive = WitnessEntry(name="archive", directory=str(tmp_path / "archive"))
    first, other = new_ledger(tmp_path), new_ledger(tmp_path, "other")
    entered(first, STORIES[:20])
    made = publisher(first, archive)
    await made.publish()
    await made.ledger.close()
    entered(other, STORIES[1:])
    again = publisher(other, archive)
    await again.publish()
    await again.ledger.close()

    assert "replaced or rewritten" in again.problem()
    assert sizes_in(tmp_path / "archive") == [20]


async def test_a_line_that_was_torn_hides_no_later_checkpoint(tmp_path: Path) -> None:
    folder = tmp_path / "archive"
    url = new_ledger(tmp_path)
    made = publisher(url, WitnessEntry(name="archive", directory=str(folder)))
    entered(url, STORIES[:20])
    await made.publish()
    (path,) = folder.iterdir()
    path.write_text(path.read_text() + "holdpoint/acme\n2")
    entered(url, STORIES[20:])
    await made.publish()
    await made.ledger.close()

    assert sizes_in(folder) == [20, len(STORIES)]


async def test_enough_events_are_signed_for_with_the_commit_that_enters_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "EVERY_EVENTS", 20)
    url = new_ledger(tmp_path)
    ledger = Ledger(url, lambda _: [], attested)
    for start in (0, 15, 30):
        await ledger.enter(STORIES[start : start + 15], {})
    await ledger.close()

    assert [it.size for it in asked(url, lambda it: list(every_checkpoint(it)))] == [30]


async def test_without_a_key_events_are_entered_and_it_is_said(tmp_path: Path) -> None:
    attest = Attester(tmp_path / "keys", Keyset(tmp_path / "keys"), ORIGIN)
    ledger = Ledger(new_ledger(tmp_path), lambda _: [], attest)

    assert await ledger.enter(STORIES[:5], {}) == 5
    assert await ledger.checkpoint() is None
    await ledger.close()
    assert "checkpoints are not signed" in attest.problem


@pytest.mark.parametrize(
    "text",
    [
        "witnesses: [{name: a}]",
        "witnesses: [{name: a, directory: /a, url: 'https://b'}]",
        "witnesses: [{name: a, directory: here}]",
        "witnesses: [{name: a, url: 'http://example.org'}]",
        "witnesses: [{name: a, nats: 'nats://a', stream: s, subject: t}]",
        "witnesses: [{name: a, directory: /a, subject: t}]",
        "witnesses: [{name: a, nats: 'tls://a', stream: s, subject: t, credential: /a}]",
        "witnesses: [{name: a, directory: /a}, {name: a, directory: /b}]",
    ],
)
def test_a_mistake_in_the_file_is_told(tmp_path: Path, text: str) -> None:
    (tmp_path / "witnesses.yaml").write_text(text)

    with pytest.raises(SetupError, match=r"witnesses\.yaml"):
        load_witnesses(tmp_path)


def test_without_the_file_there_are_none(tmp_path: Path) -> None:
    assert load_witnesses(tmp_path) == ()
