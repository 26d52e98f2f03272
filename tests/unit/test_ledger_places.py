"""Where a message of the ledger stands, by its subject."""

import pytest

from holdpoint.ledger.entries import Place, place_of


@pytest.mark.parametrize("subject", ["", "hp", "hp.acme", "hp.acme.other", "hp.acme.hold", "x.y.z"])
def test_an_odd_subject_is_no_place(subject: str) -> None:
    assert place_of(subject) == Place()
