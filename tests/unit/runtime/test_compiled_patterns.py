from pathlib import Path

import pytest

from holdpoint.core.automaton import by_hyperscan
from holdpoint.runtime.store.compiled_patterns import MOST_KEPT, CompiledFiles

pytest.importorskip("hyperscan")
PATTERNS = (r"\brm\s+-rf\b", r"drop\s+table", r"[^ü]q")
"""The last one is none that hyperscan is given."""

TEXTS = ("rm  -rf /", "now drop table users", "1üüü", "nothing")


def marks_of(folder: Path, patterns: tuple[str, ...] = PATTERNS) -> list[list[int]]:
    marks = by_hyperscan(patterns, CompiledFiles(folder))
    return [list(marks(text)) for text in TEXTS]


def kept(folder: Path) -> list[Path]:
    return sorted(folder.glob("*"))


def test_what_was_compiled_once_is_loaded_with_the_same_marks(tmp_path: Path) -> None:
    first = marks_of(tmp_path / "compiled")
    (file,) = kept(tmp_path / "compiled")
    written = file.stat().st_mtime_ns
    assert marks_of(tmp_path / "compiled") == first == [[0, 2], [1, 2], [2], [2]]
    assert file.stat().st_mtime_ns == written
    assert file.stat().st_mode & 0o077 == 0


def test_other_patterns_are_compiled_anew(tmp_path: Path) -> None:
    marks_of(tmp_path)
    assert marks_of(tmp_path, (*PATTERNS, "nothing"))[-1] == [2, 3]
    assert len(kept(tmp_path)) == 2


@pytest.mark.parametrize("damage", ["cut", "flipped", "empty", "not ours"])
def test_a_damaged_file_is_compiled_anew_and_replaced(tmp_path: Path, damage: str) -> None:
    first = marks_of(tmp_path)
    (file,) = kept(tmp_path)
    whole = bytearray(file.read_bytes())
    whole[len(whole) // 2] ^= 1
    file.write_bytes(
        {
            "cut": bytes(whole[: len(whole) // 2]),
            "flipped": bytes(whole),
            "empty": b"",
            "not ours": b"{}",
        }[damage]
    )
    assert marks_of(tmp_path) == first
    whole[len(whole) // 2] ^= 1
    assert file.read_bytes() == whole


def test_a_file_of_other_patterns_under_this_name_counts_for_nothing(tmp_path: Path) -> None:
    marks_of(tmp_path, ("something else",))
    (other,) = kept(tmp_path)
    first = marks_of(tmp_path)
    (mine,) = [file for file in kept(tmp_path) if file != other]
    mine.write_bytes(other.read_bytes())
    assert marks_of(tmp_path) == first


def test_a_folder_that_cannot_be_written_costs_only_a_compilation(tmp_path: Path) -> None:
    blocked = tmp_path / "a-file"
    blocked.write_text("in the way")
    assert marks_of(blocked / "compiled") == marks_of(tmp_path / "compiled")


def test_old_files_are_removed(tmp_path: Path) -> None:
    store = CompiledFiles(tmp_path)
    for number in range(MOST_KEPT + 5):
        store.save(f"{number:04}", b"x")
    assert len(kept(tmp_path)) == MOST_KEPT
    assert store.load(f"{MOST_KEPT + 4:04}") == b"x"
