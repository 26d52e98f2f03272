"""The fork server of the tests, whose commands may end at once."""

import sys

import pytest
from tests import forking
from tests.forking import Birth

PARENT = """\
import json, sys
for line in sys.stdin:
    name = json.loads(line)["name"]
    born = json.dumps({"name": name, "pid": 1})
    ended = json.dumps({"name": name, "pid": 1, "code": 7})
    sys.stdout.write(born + "\\n" + ended + "\\n")
    sys.stdout.flush()
"""


@pytest.mark.timeout(30)
def test_a_command_that_ended_before_it_was_looked_at_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(forking, "COMMAND", (sys.executable, "-c", PARENT))
    parent = forking._Parent()
    birth = Birth(name="", arguments=(), env={}, out="", err="")

    codes = [parent.fork(birth).wait(10.0) for _ in range(200)]

    parent._end()
    assert codes == [7] * 200
