"""A command whose output nobody can take says so once, or nothing where nobody reads on."""

import json
import os
import subprocess
from pathlib import Path

import pytest
from tests.integration.cli.command_line import HOLDPOINT
from tests.integration.ledger_files import entered, new_ledger
from tests.integration.ledger_stories import every_story
from tests.unit.risk.builders import CONFIG

FULL = Path("/dev/full")
TOLD = "The output cannot be written: No space left on device. Make room, or send it elsewhere.\n"
LINE = b'{"id": "1", "kind": "shell", "text": "rm -rf /"}\n'
WITH_OUTPUT = [
    ("assess", "ls"),
    ("assess", "--jsonl", "-"),
    *(
        pytest.param(words, marks=pytest.mark.slow, id=" ".join(words))
        for words in (
            ("policy", "explain", "--jsonl", "-"),
            ("config", "show"),
            ("--version",),
            ("--help",),
        )
    ),
]
pytestmark = pytest.mark.skipif(not FULL.exists(), reason="this system has no full device")


def ended(words: tuple[str, ...], out: int, lines: bytes) -> subprocess.CompletedProcess[bytes]:
    world = os.environ | {"HP_CONFIG_DIR": str(CONFIG)}
    world.pop("PYTHONUNBUFFERED", None)
    return subprocess.run(
        [*HOLDPOINT, *words],
        stdout=out,
        stderr=subprocess.PIPE,
        input=lines,
        env=world,
        check=False,
    )


def on_a_full_disk(*words: str, lines: bytes = LINE) -> tuple[int, str]:
    out = os.open(FULL, os.O_WRONLY)
    try:
        found = ended(words, out, lines)
    finally:
        os.close(out)
    return found.returncode, found.stderr.decode()


def for_nobody(*words: str, lines: bytes = LINE) -> tuple[int, str]:
    """Whoever would have read has gone."""
    read, write = os.pipe()
    os.close(read)
    try:
        found = ended(words, write, lines)
    finally:
        os.close(write)
    return found.returncode, found.stderr.decode()


@pytest.mark.slow
@pytest.mark.parametrize("words", WITH_OUTPUT)
def test_a_full_disk_is_told_in_one_sentence(words: tuple[str, ...]) -> None:
    assert on_a_full_disk(*words) == (1, TOLD)


@pytest.mark.slow
@pytest.mark.parametrize("words", WITH_OUTPUT)
def test_where_nobody_reads_nothing_is_told(words: tuple[str, ...]) -> None:
    assert for_nobody(*words) == (1, "")


@pytest.mark.slow
@pytest.mark.parametrize(
    "words", [("assess", "--jsonl", "-"), ("policy", "explain", "--jsonl", "-")]
)
def test_so_it_is_with_more_than_a_buffer_holds(words: tuple[str, ...]) -> None:
    assert on_a_full_disk(*words, lines=LINE * 200) == (1, TOLD)
    assert for_nobody(*words, lines=LINE * 200) == (1, "")


@pytest.mark.slow
def test_a_program_is_told_as_json() -> None:
    code, told = on_a_full_disk("assess", "ls", "--json")

    assert code == 1
    assert json.loads(told) == {"error": {"code": "unwritable_output", "text": TOLD.strip()}}


@pytest.mark.slow
def test_so_it_is_with_what_the_ledger_holds(tmp_path: Path) -> None:
    url = new_ledger(tmp_path)
    entered(url, every_story())
    export = ("intents", "export", "--ledger", url)
    query = ("audit", "query", "--ledger", url)

    assert on_a_full_disk(*export) == on_a_full_disk(*query) == (1, TOLD)
    assert for_nobody(*export) == for_nobody(*query) == (1, "")
