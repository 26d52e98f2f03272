"""A hook's supervisor: whatever becomes of its child, the host gets an answer in time.

The child asks the gate. It may crash, be killed, hang or write rubbish: each of these is a no, told
in the host's own JSON. What kills the supervisor itself ends in exit code 2 of the shell around it
(`holdpoint hook … || exit 2`), which hosts take for a no as well.
"""

import os
import signal
import subprocess
import sys
from pathlib import Path

import msgspec

from holdpoint.adapters.coding_hosts import HOSTS, Answer
from holdpoint.messages.base import JsonObject

MARGIN_S = 15.0
"""Above the wait for people: to connect, to propose, to take the claim."""

LONGEST_BYTES = 4 * 1024 * 1024

NO_ANSWER = (
    "Holdpoint gave no answer, so nothing may run: {why}. Nobody refused it; make the same call "
    "again later. `holdpoint status` says what is wrong."
)


def supervised(
    host: str, agent: str, wait_s: float, folder: Path, body: bytes, child: tuple[str, ...] = ()
) -> bytes:
    """Return the child's answer, or a no in its place. `child` replaces the program that is run."""
    if len(body) > LONGEST_BYTES:
        return _no(host, body, "the call is too large")
    module = (sys.executable, "-m", "holdpoint.adapters.hook_child")
    command = (*(child or module), host, agent, str(wait_s), str(folder))
    try:
        ended = _run(command, body, wait_s + MARGIN_S)
    except (OSError, subprocess.SubprocessError) as error:
        return _no(host, body, type(error).__name__)
    if ended.returncode:
        return _no(host, body, _last_line(ended.stderr) or f"exit code {ended.returncode}")
    return ended.stdout if _is_answer(ended.stdout) else _no(host, body, "it is no JSON object")


def _run(
    command: tuple[str, ...], body: bytes, within_s: float
) -> subprocess.CompletedProcess[bytes]:
    """Run it in a group of its own, so that nothing of it is left when its time is over."""
    started = subprocess.Popen(  # noqa: S603  # our own program
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        out, errors = started.communicate(body, timeout=within_s)
    except subprocess.TimeoutExpired:
        os.killpg(started.pid, signal.SIGKILL)
        started.communicate()
        raise
    return subprocess.CompletedProcess(command, started.returncode, out, errors)


def _no(host: str, body: bytes, why: str) -> bytes:
    """Return a no; after a run there is nothing left to refuse."""
    if _event(body).get("hook_event_name") in HOSTS[host].after:
        return b"{}"
    answer = Answer(allow=False, text=NO_ANSWER.format(why=why.rstrip(".")))
    return msgspec.json.encode(HOSTS[host].answer(answer))


def _event(body: bytes) -> JsonObject:
    try:
        said = msgspec.json.decode(body)
    except msgspec.DecodeError:
        return {}
    return said if isinstance(said, dict) else {}


def _is_answer(out: bytes) -> bool:
    try:
        return isinstance(msgspec.json.decode(out), dict)
    except msgspec.DecodeError:
        return False


def _last_line(errors: bytes) -> str:
    lines = errors.decode(errors="replace").strip().splitlines()
    return lines[-1][:200] if lines else ""
