"""Signatures of webhooks: of this body, at this time, with this secret."""

from holdpoint.core.webhook_signature import TOLERANCE_S, is_signed, signature

SECRET, NOW, BODY = b"whsec_1", 1_764_200_000, b'{"id": "h1.done"}'


def test_a_signature_counts_for_its_body_secret_and_time() -> None:
    header = signature(SECRET, NOW, BODY)

    assert is_signed(SECRET, header, BODY, NOW + TOLERANCE_S)
    assert not is_signed(SECRET, header, BODY, NOW + TOLERANCE_S + 1)
    assert not is_signed(SECRET, header, BODY, NOW - TOLERANCE_S - 1)
    assert not is_signed(SECRET, header, BODY + b" ", NOW)
    assert not is_signed(b"whsec_2", header, BODY, NOW)


def test_what_is_no_signature_does_not_count() -> None:
    digest = signature(SECRET, NOW, BODY).partition(",")[2]
    for header in ("", digest, f"t=x,{digest}", f"t={NOW + 1},{digest}", f"t={NOW}", "é"):
        assert not is_signed(SECRET, header, BODY, NOW)
