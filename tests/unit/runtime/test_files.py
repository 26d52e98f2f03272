"""Folders that only their owner may look into, whatever the umask lets through."""

import errno
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from holdpoint.runtime.config import files


@pytest.fixture(autouse=True)
def _generous_umask() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def test_whatever_is_missing_on_the_way_is_made_private_too(tmp_path: Path) -> None:
    files.private_folder(tmp_path / "var" / "run")

    assert (mode(tmp_path / "var"), mode(tmp_path / "var" / "run")) == (0o700, 0o700)


def test_what_is_there_stays_as_its_owner_left_it(tmp_path: Path) -> None:
    (tmp_path / "shared").mkdir(mode=0o755)

    files.private_folder(tmp_path / "shared" / "keys")
    files.private_folder(tmp_path / "shared" / "keys")

    assert (mode(tmp_path / "shared"), mode(tmp_path / "shared" / "keys")) == (0o755, 0o700)


@pytest.mark.parametrize("write", [files.create, files.replace])
def test_nothing_stays_of_a_file_that_a_full_disk_cut_off(
    write: Callable[[Path, bytes, int], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space") as failed:
        write(tmp_path / "ann.key", b"new", files.PRIVATE)

    assert failed.value.filename == str(tmp_path / "ann.key")
    assert list(tmp_path.iterdir()) == []


def test_a_relative_folder_is_made_where_we_stand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    files.private_folder(Path("var/keys"))

    assert (mode(tmp_path / "var"), mode(tmp_path / "var" / "keys")) == (0o700, 0o700)
