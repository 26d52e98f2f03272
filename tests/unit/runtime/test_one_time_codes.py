"""One-time codes by the clock: RFC 6238's own numbers, and what is no code."""

import base64
import re
from datetime import UTC, datetime, timedelta

import pytest

from holdpoint.runtime.security import one_time_codes as codes

SECRET = base64.b32encode(b"12345678901234567890").decode()
HALF_MINUTE = timedelta(seconds=30)

RFC_6238 = [(59, "287082"), (1111111109, "081804"), (1234567890, "005924"), (20000000000, "353130")]


@pytest.mark.parametrize(("seconds", "code"), RFC_6238)
def test_codes_are_those_of_the_standard(seconds: int, code: str) -> None:
    at = datetime.fromtimestamp(seconds, UTC)

    assert codes.code_at(SECRET, at) == code
    assert codes.step_of(SECRET, code, at) == seconds // 30


def test_a_clock_half_a_minute_off_is_understood_and_no_more() -> None:
    at = datetime(2026, 11, 24, 12, 0, 10, tzinfo=UTC)
    code, step = codes.code_at(SECRET, at), int(at.timestamp()) // 30

    assert codes.step_of(SECRET, code, at + HALF_MINUTE) == step
    assert codes.step_of(SECRET, code, at - HALF_MINUTE) == step
    assert codes.step_of(SECRET, code, at + 2 * HALF_MINUTE) is None
    assert codes.step_of(SECRET, code, at - 2 * HALF_MINUTE) is None


@pytest.mark.parametrize("code", ["", "28708", "2870820", "ab7082", " 287082", "287 082"])
def test_what_is_no_code_is_wrong(code: str) -> None:
    assert codes.step_of(SECRET, code, datetime.fromtimestamp(59, UTC)) is None


def test_a_new_secret_is_long_and_new() -> None:
    made = {codes.new_secret() for _ in range(100)}

    assert len(made) == 100
    assert all(map(codes.is_secret, made))


@pytest.mark.parametrize("text", ["", "A", "JBSWY3DPEHPK3PXP", "not base32 at all", "ä" * 32])
def test_a_short_or_odd_secret_is_none(text: str) -> None:
    assert not codes.is_secret(text)


def test_an_app_reads_whose_codes_they_are() -> None:
    address = codes.address_of(SECRET, "ann", "acme")

    assert address == f"otpauth://totp/Holdpoint:ann%40acme?secret={SECRET}&issuer=Holdpoint"


def test_the_picture_is_a_square_of_whole_modules() -> None:
    address = codes.address_of(SECRET, "ann", "acme")
    wide, path = codes.as_path(address)
    lines = codes.as_blocks(address).splitlines()

    assert re.fullmatch(r"(M\d+ \d+h1v1h-1z)+", path)
    assert {len(line) for line in lines} == {wide}
    assert wide < 60
