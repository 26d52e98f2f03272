"""Passkeys: whatever a stranger sends is verified or refused, and never an accident."""

import base64
import copy
from typing import Any

import cbor2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.passkeys import SecurityKey

from holdpoint.runtime.errors import SignatureError
from holdpoint.runtime.security.passkeys import registered, verified

ORIGIN = "http://localhost:8330"
CHALLENGE = b"c" * 32
KEY = SecurityKey(origin=ORIGIN)
MADE = KEY.made(CHALLENGE)
OWN = registered(MADE, CHALLENGE, ORIGIN)
SIGNED = KEY.signs(CHALLENGE)

anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)
raw = st.binary(max_size=200).map(lambda it: base64.urlsafe_b64encode(it).rstrip(b"=").decode())
odd_cbor = anything.map(lambda it: base64.urlsafe_b64encode(cbor2.dumps(it)).rstrip(b"=").decode())


def test_what_the_key_signed_is_verified() -> None:
    assert verified(SIGNED, CHALLENGE, ORIGIN, OWN.public_key, 0) == 1


@pytest.mark.parametrize(
    "origin", ["", "localhost:8330", "http://localhost:8331", "//", "http://["]
)
def test_at_another_address_or_none_nothing_verifies(origin: str) -> None:
    with pytest.raises(SignatureError):
        verified(SIGNED, CHALLENGE, origin, OWN.public_key, 0)
    with pytest.raises(SignatureError):
        registered(MADE, CHALLENGE, origin)


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(st.text(max_size=8), anything))
def test_what_is_no_credential_is_refused(odd: dict[str, Any]) -> None:
    refused_both(odd)


@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from(["id", "rawId", "type", "response", "clientExtensionResults"]),
    anything | raw,
)
def test_a_credential_with_an_odd_part_is_refused_or_the_same(part: str, odd: Any) -> None:
    for whole, check in ((SIGNED, check_signed), (MADE, check_made)):
        check({**whole, part: odd})


@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from(
        ["clientDataJSON", "authenticatorData", "signature", "attestationObject", "userHandle",
         "transports"]
    ),
    anything | raw | odd_cbor,
)  # fmt: skip
def test_a_response_with_an_odd_part_is_refused_or_the_same(part: str, odd: Any) -> None:
    for whole, check in ((SIGNED, check_signed), (MADE, check_made)):
        changed = copy.deepcopy(whole)
        changed["response"][part] = odd
        check(changed)


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_a_byte_changed_anywhere_is_refused(data: st.DataObject) -> None:
    part = data.draw(st.sampled_from(["clientDataJSON", "authenticatorData", "signature"]))
    changed = copy.deepcopy(SIGNED)
    content = bytearray(base64.urlsafe_b64decode(changed["response"][part] + "=="))
    at = data.draw(st.integers(0, len(content) - 1))
    content[at] ^= data.draw(st.integers(1, 255))
    changed["response"][part] = base64.urlsafe_b64encode(bytes(content)).rstrip(b"=").decode()

    with pytest.raises(SignatureError):
        verified(changed, CHALLENGE, ORIGIN, OWN.public_key, 0)


@given(anything | raw | odd_cbor)
def test_an_odd_public_key_verifies_nothing(odd: Any) -> None:
    with pytest.raises(SignatureError):
        verified(SIGNED, CHALLENGE, ORIGIN, str(odd), 0)


def refused_both(odd: dict[str, Any]) -> None:
    with pytest.raises(SignatureError):
        verified(odd, CHALLENGE, ORIGIN, OWN.public_key, 0)
    with pytest.raises(SignatureError):
        registered(odd, CHALLENGE, ORIGIN)


def check_signed(changed: dict[str, Any]) -> None:
    """Parts that nobody signed may be anything."""
    try:
        assert verified(changed, CHALLENGE, ORIGIN, OWN.public_key, 0) == 1
    except SignatureError:
        return


def check_made(changed: dict[str, Any]) -> None:
    try:
        assert registered(changed, CHALLENGE, ORIGIN) == OWN
    except SignatureError:
        return
