"""A log that cannot be written stops nothing."""

import subprocess
import sys
from pathlib import Path

import pytest

FULL = Path("/dev/full")
PROGRAM = """
import structlog
from holdpoint.runtime.process import logs, metrics
from holdpoint.runtime.config.settings import Settings

logs.configure(Settings(), "gate")
for _ in range(3):
    structlog.get_logger().warning("handler_failed", error="the disk is full")
print("alive", int(metrics.LOST_LINES._value.get()))
"""


@pytest.mark.skipif(not FULL.exists(), reason="this system has no /dev/full")
def test_a_full_disk_behind_the_log_stops_no_service() -> None:
    with FULL.open("wb") as full:
        ended = subprocess.run(
            [sys.executable, "-c", PROGRAM], stdout=subprocess.PIPE, stderr=full, check=False
        )

    assert ended.stdout == b"alive 3\n"
