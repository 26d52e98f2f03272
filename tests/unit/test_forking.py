"""The fork server of the tests, whose commands may end at once."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from tests.forking import ROOT, STATE, Birth, Parent, with_private_state

from holdpoint.runtime.config.settings import Settings

SERVER = """\
import json, socket
told = socket.socket(fileno=0)
while message := told.recv(100_000):
    name = json.loads(message)["name"]
    told.send(json.dumps({"name": name, "pid": 1}).encode())
    told.send(json.dumps({"name": name, "pid": 1, "code": 7}).encode())
"""


@pytest.mark.timeout(30)
def test_a_command_that_ended_before_it_was_looked_at_is_found() -> None:
    ours, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    birth = Birth(name="", arguments=(), env={}, out="", err="")
    with subprocess.Popen([sys.executable, "-c", SERVER], stdin=its.fileno()), its:
        parent = Parent(ours)

        codes = [parent.fork(birth).wait(10.0) for _ in range(200)]

        ours.shutdown(socket.SHUT_RDWR)
    ours.close()
    assert codes == [7] * 200


def test_no_test_reads_the_state_of_this_checkout() -> None:
    ours = Settings().state_dir
    program = f"import os; print(os.environ[{STATE!r}])"
    started = subprocess.run([sys.executable, "-c", program], stdout=subprocess.PIPE, check=True)

    assert not ours.exists()
    assert ROOT not in ours.parents
    assert Path(started.stdout.decode().strip()) == ours
    assert with_private_state({}) == {STATE: os.environ[STATE]}
    assert with_private_state({STATE: "other"}) == {STATE: "other"}
