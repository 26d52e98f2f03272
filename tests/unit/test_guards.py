"""Every guard of `make guards` is found where it is said to be, exactly once."""

import pytest
from tests.faults.guards import GUARDS, ROOT, Guard


@pytest.mark.parametrize("guard", GUARDS, ids=lambda guard: guard.name)
def test_the_guard_is_found_once(guard: Guard) -> None:
    code = (ROOT / "services" / "holdpoint" / guard.file).read_text()
    assert code.count(guard.there) == 1
