"""A stream that cannot be read for a moment is no fault."""

import pytest
import structlog
from structlog.testing import CapturingLogger

from holdpoint.audit import follower


@pytest.mark.parametrize(("passes_s", "levels"), [(60.0, ["info"]), (0.0, ["info", "warning"])])
def test_only_what_does_not_pass_by_itself_is_a_warning(
    passes_s: float, levels: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    said = CapturingLogger()
    log = structlog.wrap_logger(said, processors=(), wrapper_class=structlog.BoundLogger)
    monkeypatch.setattr(follower, "log", log)
    monkeypatch.setattr(follower, "PASSES_S", passes_s)
    stream = follower._Stream(name="HP_HOLDS_acme", agent="", longest_rest_s=1.0)

    for _ in range(3):
        follower._tell_unread(stream, "no answer")

    assert [it.method_name for it in said.calls] == levels
