"""A good grant with any byte or field changed: no worker accepts it."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from random import Random  # noqa: TID251  # repeatable: the seed is fixed
from typing import Any

import msgspec
import pytest
from tests.builders import T0, a_leave

from holdpoint.messages.codec import encode_event
from holdpoint.messages.subjects import hold_subject
from holdpoint.runtime.errors import SignatureError
from holdpoint.runtime.process import clock
from holdpoint.runtime.security import keys
from holdpoint.runtime.security.keys import Keyset, Signer

SEED = 100_000
NOW = clock.now()


def mutations(body: bytes, header: str, dice: Random) -> Iterator[tuple[bytes, str]]:
    """Endless: a bit, a byte, a cut, an insertion, a field of the JSON, or the header."""
    document = msgspec.json.decode(body)
    while True:
        at = dice.randrange(len(body))
        match dice.randrange(6):
            case 0:
                changed = bytearray(body)
                changed[at] ^= 1 << dice.randrange(8)
                yield bytes(changed), header
            case 1:
                yield body[:at] + bytes([dice.randrange(256)]) + body[at + 1 :], header
            case 2:
                yield body[:at] + body[at + 1 + dice.randrange(8) :], header
            case 3:
                yield body[:at] + dice.randbytes(1 + dice.randrange(8)) + body[at:], header
            case 4:
                yield msgspec.json.encode(_with_one_field_changed(document, dice)), header
            case _:
                place = dice.randrange(len(header))
                other = chr(33 + dice.randrange(94))
                yield body, header[:place] + other + header[place + 1 :]


def _with_one_field_changed(document: Any, dice: Random) -> Any:
    match document:
        case dict() if document:
            name = dice.choice(sorted(document))
            return document | {name: _with_one_field_changed(document[name], dice)}
        case list() if document:
            place = dice.randrange(len(document))
            changed = _with_one_field_changed(document[place], dice)
            return [*document[:place], changed, *document[place + 1 :]]
        case str():
            return f"{document}{dice.randrange(10)}"
        case bool():
            return not document
        case int() | float():
            return document + 1
        case _:
            return "other"


@pytest.mark.parametrize(
    "times", [2_000, pytest.param(100_000, marks=[pytest.mark.slow, pytest.mark.timeout(300)])]
)
def test_no_mutated_grant_is_accepted(tmp_path: Path, times: int) -> None:
    folder = tmp_path / "keys"
    keys.make_signing_key(folder, keys.GATE, clock.now() - timedelta(days=1))
    keyset = Keyset(folder)
    fact = a_leave()
    subject = hold_subject(fact)
    body = encode_event(
        fact, event_id="e1", source="holdpoint/gate", subject=subject, at=T0, salt="00"
    )
    line = keyset.newest(keys.GATE, NOW)
    header = Signer(folder, keys.GATE, keyset).sign(body)
    assert keyset.verify(body, header, keys.GATE, NOW) == line.key_id
    accepted = tried = 0
    for changed, signed in mutations(body, header, Random(SEED)):  # noqa: S311  # repeatable
        if (changed, signed) == (body, header):
            continue
        tried += 1
        try:
            keyset.verify(changed, signed, keys.GATE, NOW)
        except SignatureError:
            pass
        else:
            accepted += 1
        if tried == times:
            break
    assert (tried, accepted) == (times, 0)
