"""However the server's bytes are cut on the way, each message comes once, whole and in order."""

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nats.errors import BadHeaderError, ProtocolError

from holdpoint.runtime.broker.wire import Frames, Headers, OnMessage, header_block

SUBJECTS = st.sampled_from(["hp.acme.call.robot.propose", "a", "_INBOX_gate.x.17"])
BODIES = st.one_of(
    st.binary(max_size=40),
    st.sampled_from([b"", b"\r\n", b"MSG a w1 3\r\nxyz\r\n", b"HMSG ", b"PING\r\n", b"\r"]),
)
HEADERS = st.one_of(
    st.just(b""),
    st.just(b"NATS/1.0 100 Idle Heartbeat\r\n\r\n"),
    st.dictionaries(st.sampled_from(["A", "Nats-Subject"]), st.text("xyz ", max_size=5)).map(
        header_block
    ),
)
OTHERS = st.sampled_from(
    [b"PING\r\n", b"PONG\r\n", b"+OK\r\n", b"-ERR 'MSG'\r\n", b'INFO {"a":"MSG w1"}\r\n']
)


@dataclass(frozen=True)
class Sent:
    """One message of the server's, to a subscription of ours, of nats-py, or one that ended."""

    sid: str
    subject: str
    reply: str
    headers: bytes
    body: bytes

    def frame(self) -> bytes:
        words = [self.subject, self.sid, *([self.reply] if self.reply else [])]
        size = len(self.headers) + len(self.body)
        if self.headers:
            line = " ".join(["HMSG", *words, str(len(self.headers)), str(size)])
        else:
            line = " ".join(["MSG", *words, str(size)])
        return line.encode() + b"\r\n" + self.headers + self.body + b"\r\n"


MESSAGES = st.builds(
    Sent,
    sid=st.sampled_from(["w1", "w2", "w3", "1", "17"]),
    subject=SUBJECTS,
    reply=st.sampled_from(["", "$JS.ACK.HP_CALLS_acme.gate.1.2.2.1795305600000001999.0"]),
    headers=HEADERS,
    body=BODIES,
)
CUTS = st.lists(st.integers(min_value=1, max_value=30), max_size=60)


@given(stream=st.lists(st.one_of(MESSAGES, OTHERS), max_size=12), cuts=CUTS)
def test_each_message_comes_once_whole_and_in_order(
    stream: list[Sent | bytes], cuts: list[int]
) -> None:
    heard: list[Sent] = []

    def tap(sid: str) -> OnMessage:
        return lambda subject, reply, headers, body: heard.append(
            Sent(sid, subject, reply, headers, body)
        )

    frames = Frames({b"w1": tap("w1"), b"w2": tap("w2")})
    raw = b"".join(it.frame() if isinstance(it, Sent) else it for it in stream)

    passed_on = b""
    for cut in cuts:
        passed_on += frames.feed(raw[:cut])
        raw = raw[cut:]
    passed_on += frames.feed(raw)

    assert heard == [it for it in stream if isinstance(it, Sent) and it.sid in {"w1", "w2"}]
    assert passed_on == b"".join(
        it if isinstance(it, bytes) else it.frame()
        for it in stream
        if isinstance(it, bytes) or not it.sid.startswith("w")
    )


@pytest.mark.parametrize(
    "raw", [b"MSG\r\n", b"MSG a w1 x\r\n", b"HMSG a w1 3\r\n", b"MSG a w1\r\n", b"M\r\n"]
)
def test_bytes_that_no_server_sends_are_an_error(raw: bytes) -> None:
    with pytest.raises(ProtocolError):
        Frames({}).feed(raw)


def test_a_line_without_an_end_is_an_error() -> None:
    frames = Frames({})
    assert frames.feed(b"x" * 1024 * 1024) == b""
    with pytest.raises(ProtocolError):
        frames.feed(b"x")


def test_a_callback_that_fails_keeps_no_message_from_the_next() -> None:
    heard: list[bytes] = []

    def fail(_subject: str, _reply: str, _headers: bytes, body: bytes) -> None:
        heard.append(body)
        raise ValueError("not this one")

    Frames({b"w1": fail}).feed(b"MSG a w1 1\r\nx\r\nMSG a w1 1\r\ny\r\n")

    assert heard == [b"x", b"y"]


def test_the_servers_own_header_counts() -> None:
    """The server puts its headers behind those that a sender wrote."""
    block = b"NATS/1.0\r\nNats-Subject: forged\r\nNats-Subject:  real \r\nX: 1\r\n\r\n"

    assert Headers(block).get("Nats-Subject", "") == "real"
    assert Headers(block).get("Subject", "none") == "none"
    assert Headers(b"").get("X", None) is None


@pytest.mark.parametrize(
    ("block", "status"),
    [
        (b"NATS/1.0 503\r\n\r\n", "503"),
        (b"NATS/1.0 100 Idle Heartbeat\r\nNats-Last-Consumer: 1\r\n\r\n", "100"),
        (b"NATS/1.0\r\nA: 404\r\n\r\n", ""),
        (b"", ""),
    ],
)
def test_a_status_is_the_servers_word(block: bytes, status: str) -> None:
    assert Headers(block).status == status


@pytest.mark.parametrize("value", ["a\r\nNats-TTL: 1s", "a\nb", "a\rb"])
def test_a_header_cannot_carry_another_one(value: str) -> None:
    with pytest.raises(BadHeaderError):
        header_block({"X": value})
