"""What people read holds no tuple, no traceback and no regular expression."""

from pathlib import Path

import pytest

from holdpoint.cli.commands.schemas import schemas
from holdpoint.cli.views.ledger_rows import _cell
from holdpoint.domains.shell.formatters import _bytes
from holdpoint.messages.call import Withdraw
from holdpoint.messages.codec import UnreadableError, check_strict, decode
from holdpoint.runtime.errors import SetupError


def test_several_people_stand_in_one_cell() -> None:
    assert _cell(("ann", "ben")) == "ann, ben"
    assert _cell(()) == ""


def test_a_contract_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    with pytest.raises(SetupError, match="file/below cannot be written: Not a directory"):
        schemas(tmp_path / "file" / "below")


def test_one_byte_is_one_byte() -> None:
    assert [_bytes(size) for size in (0, 1, 2)] == ["0 bytes", "1 byte", "2 bytes"]


def test_a_message_that_cannot_be_read_is_told_without_internals() -> None:
    with pytest.raises(UnreadableError, match="a name of up to 64 letters") as refused:
        decode(b'{"hold_id": "a.b"}', Withdraw)
    assert "regex" not in str(refused.value)
    with pytest.raises(UnreadableError, match=r"^The message is not JSON in UTF-8\.$"):
        check_strict(b"\xff")
