"""One-time codes by the clock (RFC 6238): secrets, codes, and what an app scans."""

import base64
import binascii
import io
from datetime import datetime

import pyotp
import segno
from pyotp.utils import strings_equal

ISSUER = "Holdpoint"
STEP_S = 30
LEAST_SECRET_BYTES = 20
"""160 bits, as RFC 4226 recommends."""

DIGITS = 6
AROUND = (0, -1, 1)
"""Steps of which a code may be: the clock of a telephone may be half a minute off."""


def new_secret() -> str:
    """Make a secret, in base32."""
    return pyotp.random_base32()


def is_secret(text: str) -> bool:
    """Return whether this is a secret that nobody guesses."""
    try:
        return len(base64.b32decode(text)) >= LEAST_SECRET_BYTES
    except (binascii.Error, ValueError):
        return False


def is_code(text: str) -> bool:
    """Return whether a text can be a code at all: six digits."""
    return len(text) == DIGITS and text.isascii() and text.isdigit()


def code_at(secret: str, at: datetime) -> str:
    """Return the code that an app shows at this moment."""
    return pyotp.TOTP(secret, interval=STEP_S).at(at)


def step_of(secret: str, code: str, at: datetime) -> int | None:
    """Return the half minute around this moment whose code it is; None for a wrong code."""
    totp, now = pyotp.TOTP(secret, interval=STEP_S), int(at.timestamp()) // STEP_S
    fitting = [step for step in (now + it for it in AROUND) if _is_of(totp, code, step)]
    return fitting[0] if fitting else None


def address_of(secret: str, person: str, tenant: str) -> str:
    """Return what an authenticator app reads: `otpauth://totp/Holdpoint:ann@acme?secret=…`"""
    return pyotp.TOTP(secret).provisioning_uri(name=f"{person}@{tenant}", issuer_name=ISSUER)


def as_blocks(address: str) -> str:
    """Draw its QR code for a terminal, two rows of modules to a line."""
    drawn = io.StringIO()
    segno.make(address, error="l", micro=False).terminal(drawn, compact=True)
    return drawn.getvalue()


def as_path(address: str) -> tuple[int, str]:
    """Draw its QR code for a page: how many modules wide it is, and the path of an SVG."""
    code = segno.make(address, error="l", micro=False)
    rows = enumerate(code.matrix_iter(border=code.default_border_size))
    dark = [f"M{x} {y}h1v1h-1z" for y, row in rows for x, module in enumerate(row) if module]
    return int(code.symbol_size()[0]), "".join(dark)


def _is_of(totp: pyotp.TOTP, code: str, step: int) -> bool:
    return step >= 0 and strings_equal(code, totp.generate_otp(step))
