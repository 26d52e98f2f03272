"""One signature for many bodies: each verifies alone, and nothing but what was signed does."""

import base64
import hashlib
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from nacl.signing import SigningKey, VerifyKey

from holdpoint.runtime.errors import SignatureError
from holdpoint.runtime.process import clock
from holdpoint.runtime.security import keys, signature_trees
from holdpoint.runtime.security.keys import Keyset, Signer

NOW = clock.now()
SIZES = range(1, 71)
QUICK = {1, 2, 3, 5, 8, 31, 32, 33, 64, 65}


def sized(sizes: range) -> pytest.MarkDecorator:
    """Each size of a tree; a quick run takes the least ones and those around powers of two."""
    slow = {size: pytest.mark.slow for size in sizes if size not in QUICK}
    return pytest.mark.parametrize(
        "size", [pytest.param(it, marks=slow[it]) if it in slow else it for it in sizes]
    )


WORKER = keys.worker_role("shell")


class Count:
    """Ed25519 verifications that were really done."""

    def __init__(self) -> None:
        self.done = 0


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    keys.make_signing_key(tmp_path, keys.GATE, NOW)
    keys.make_signing_key(tmp_path, WORKER, NOW)
    return tmp_path


@pytest.fixture
def keyset(folder: Path) -> Keyset:
    return Keyset(folder)


@pytest.fixture
def signer(folder: Path, keyset: Keyset) -> Signer:
    return Signer(folder, keys.GATE, keyset)


@pytest.fixture
def verifications(monkeypatch: pytest.MonkeyPatch) -> Count:
    count, verify = Count(), VerifyKey.verify

    def counted(self: VerifyKey, message: bytes, signature: bytes) -> bytes:
        count.done += 1
        return verify(self, message, signature)

    monkeypatch.setattr(VerifyKey, "verify", counted)
    return count


def _bodies(size: int) -> list[bytes]:
    return [b'{"id":"%d of %d"}' % (index, size) for index in range(size)]


def _refused(keyset: Keyset, body: bytes, header: str) -> bool:
    try:
        keyset.verify(body, header, keys.GATE, NOW)
    except SignatureError:
        return True
    return False


@sized(SIZES)
def test_every_body_verifies_alone_and_none_in_anothers_place(
    size: int, signer: Signer, keyset: Keyset
) -> None:
    bodies = _bodies(size)
    headers = signer.sign_all(bodies)

    for index, (body, header) in enumerate(zip(bodies, headers, strict=True)):
        assert keyset.verify(body, header, keys.GATE, NOW) == signer.key_id
        assert _refused(keyset, body + b" ", header)
        others = {0, index - 1, index ^ 1, index ^ 2, index + 1, size - 1} & set(range(size))
        assert all(_refused(keyset, bodies[other], header) for other in others - {index})


@sized(SIZES[1:])
def test_no_other_body_place_or_size_leads_to_what_was_signed(size: int) -> None:
    encoded = [_encoded(body) for body in _bodies(size)]
    signed, proofs = signature_trees.grow(encoded)
    for index, proof in enumerate(proofs):
        _, path = proof.words().split(" ")
        assert proof.message(encoded[index]) == signed
        others = (encoded[other] for other in range(size) if other != index)
        assert all(proof.message(other) != signed for other in others)
        for place in _other_places(index, size):
            assert _message(place, path, encoded[index]) != signed


def _other_places(index: int, size: int) -> Iterator[str]:
    yield from (f"{other}/{size}" for other in range(size + 2) if other != index)
    yield from (f"{index}/{other}" for other in range(2 * size + 2) if other != size)


def _message(place: str, path: str, encoded: bytes) -> bytes:
    try:
        return signature_trees.read(place, path).message(encoded)
    except ValueError:
        return b""


@sized(SIZES[1:])
def test_a_header_that_was_changed_in_any_word_is_refused(
    size: int, signer: Signer, keyset: Keyset
) -> None:
    bodies = _bodies(size)
    foreign = signer.sign_all([body + b"!" for body in bodies])
    for index, (body, header) in enumerate(zip(bodies, signer.sign_all(bodies), strict=True)):
        for changed in _changed(header, foreign[index]):
            assert _refused(keyset, body, changed), changed


def _changed(header: str, foreign: str) -> Iterator[str]:
    key_id, signature, place, path = header.split(" ")
    index, size = (int(each) for each in place.split("/"))
    raw = base64.b64decode(path)
    _, other_signature, _, other_path = foreign.split(" ")
    yield f"{key_id} {signature}"
    yield f"{key_id} {signature} {place}"
    yield f"{key_id} {signature} {place} {path} {path}"
    yield f"{key_id} {signature} {place} {other_path}"
    yield f"{key_id} {other_signature} {place} {path}"
    for other in (index - 1, index ^ 1, index + 1, size):
        yield f"{key_id} {signature} {other}/{size} {path}"
    for other in (1, size - 1, size + 1, 2 * size):
        yield f"{key_id} {signature} {index}/{other} {path}"
    for wrong in (raw[:-32], raw[32:], raw[:-1], raw + bytes(32), raw + raw[:32], bytes(len(raw))):
        yield f"{key_id} {signature} {place} {base64.b64encode(wrong).decode()}"
    flipped = bytes([raw[0] ^ 1]) + raw[1:]
    yield f"{key_id} {signature} {place} {base64.b64encode(flipped).decode()}"
    for spelled in (f"0{place}", f"+{place}", f" {place}", place.replace("/", " "), f"{place}/"):
        yield f"{key_id} {signature} {spelled} {path}"
    yield f"{key_id} {signature} {index}/0{size} {path}"
    if path.endswith("="):
        yield f"{key_id} {signature} {place} {path.rstrip('=')}"
    yield f"{key_id} {signature} {place} {path}="
    yield f"{key_id} {signature} {place} {path}\n"


def test_a_path_is_written_in_one_way_only(signer: Signer, keyset: Keyset) -> None:
    """The last character before `=` has bits that no byte takes."""
    header = signer.sign_all(_bodies(2))[0]
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    last = header[-2]
    assert header.endswith("=")
    assert not header.endswith("==")

    for other in alphabet:
        if other != last:
            assert _refused(keyset, _bodies(2)[0], f"{header[:-2]}{other}=")


def test_one_body_is_signed_as_it_always_was(signer: Signer) -> None:
    assert signer.sign_all([b"one"]) == [signer.sign(b"one")]
    assert signer.sign_all([]) == []


def test_more_than_a_tree_holds_are_several_trees(signer: Signer, keyset: Keyset) -> None:
    bodies = _bodies(signature_trees.MAX_LEAVES + 1)

    headers = signer.sign_all(bodies)

    assert len({header.split(" ")[1] for header in headers}) == 2
    for body, header in zip(bodies, headers, strict=True):
        assert keyset.verify(body, header, keys.GATE, NOW)
    assert headers[-1].count(" ") == 1


def test_a_node_is_no_leaf(signer: Signer, keyset: Keyset) -> None:
    """Whoever gives two hashes as a body gets another leaf than their node: the prefixes differ."""
    bodies = _bodies(4)
    key_id, signature, _, path = signer.sign_all(bodies)[0].split(" ")
    leaves = [hashlib.sha256(b"\0" + _encoded(body)).digest() for body in bodies]
    uncle = base64.b64encode(base64.b64decode(path)[32:]).decode()

    for body in (leaves[0] + leaves[1], b"\1" + leaves[0] + leaves[1]):
        for size in (2, 3, 4):
            assert _refused(keyset, body, f"{key_id} {signature} 0/{size} {uncle}")


def test_a_trees_signature_signs_no_body_and_a_bodys_no_tree(
    signer: Signer, keyset: Keyset
) -> None:
    bodies = _bodies(2)
    key_id, signature, place, path = signer.sign_all(bodies)[0].split(" ")
    leaves = [hashlib.sha256(b"\0" + _encoded(body)).digest() for body in bodies]
    root = hashlib.sha256(b"\1" + leaves[0] + leaves[1]).digest()
    signed = (2).to_bytes(8, "big") + root

    for body in (root, signed):
        assert _refused(keyset, body, f"{key_id} {signature}")
        alone = signer.sign(body).split(" ")[1]
        assert _refused(keyset, bodies[0], f"{key_id} {alone} {place} {path}")


def test_any_language_can_verify_it(folder: Path, signer: Signer) -> None:
    """By hand: RFC 6962's hashes over DSSE's encoding, and DSSE again over size and root."""
    bodies = _bodies(3)
    leaves = [hashlib.sha256(b"\0" + _encoded(body)).digest() for body in bodies]
    left = hashlib.sha256(b"\1" + leaves[0] + leaves[1]).digest()
    root = hashlib.sha256(b"\1" + left + leaves[2]).digest()
    kind = b"application/vnd.holdpoint.signature-tree"
    message = b"DSSEv1 40 %s 40 " % kind + (3).to_bytes(8, "big") + root
    secret = next(folder.glob("gate-*.key"))
    by_hand = SigningKey(base64.b64decode(secret.read_bytes())).sign(message).signature

    paths = [leaves[1] + leaves[2], leaves[0] + leaves[2], left]
    assert signer.sign_all(bodies) == [
        f"{signer.key_id} {_text(by_hand)} {index}/3 {_text(path)}"
        for index, path in enumerate(paths)
    ]


def test_a_tree_is_verified_once(signer: Signer, keyset: Keyset, verifications: Count) -> None:
    bodies = _bodies(64)
    headers = signer.sign_all(bodies)

    for body, header in zip(bodies, headers, strict=True):
        keyset.verify(body, header, keys.GATE, NOW)

    assert verifications.done == 1


def test_a_tree_that_was_verified_still_counts_in_its_role_and_window_only(
    folder: Path, signer: Signer, keyset: Keyset
) -> None:
    bodies = _bodies(2)
    header = signer.sign_all(bodies)[0]
    keyset.verify(bodies[0], header, keys.GATE, NOW)

    with pytest.raises(SignatureError, match="not as worker:shell"):
        keyset.verify(bodies[0], header, WORKER, NOW)
    with pytest.raises(SignatureError, match="does not count at"):
        keyset.verify(bodies[0], header, keys.GATE, NOW + keys.LIFETIME)
    keys.revoke(folder, signer.key_id, NOW)
    with pytest.raises(SignatureError, match="does not count at"):
        Keyset(folder).verify(bodies[0], header, keys.GATE, NOW + timedelta(seconds=1))


def test_what_is_remembered_of_trees_is_bounded(
    folder: Path, signer: Signer, verifications: Count, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keys, "REMEMBERED_TREES", 2)
    keyset = Keyset(folder)
    trees = [(bodies, signer.sign_all(bodies)) for bodies in map(_bodies, (2, 3, 4))]

    for bodies, headers in (*trees, *trees):
        keyset.verify(bodies[0], headers[0], keys.GATE, NOW)

    assert verifications.done == 6


def _encoded(body: bytes) -> bytes:
    return b"DSSEv1 28 application/cloudevents+json %d " % len(body) + body


def _text(raw: bytes) -> str:
    return base64.b64encode(raw).decode()
