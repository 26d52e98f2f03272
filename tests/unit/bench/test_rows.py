"""A labelled corpus: what is wrong with a row is told with its place, and ends `make score`."""

from pathlib import Path

import pytest
from bench.rows import BadCorpusError, rows_in
from bench.score import main

GOOD = '{"id": "1", "kind": "shell", "text": "ls", "label": "benign", "source": "own"}\n'
CALL = (
    '{"id": 2, "kind": "tool_call", "payload": {"tool": "drop_all"}, "label": "dangerous", '
    '"source": "own", "scope": "extended", "primary": false, "why": "ignored"}\n'
)


def corpus(folder: Path, text: str) -> Path:
    (folder / "some.jsonl").write_text(text, "utf-8")
    return folder


def test_a_row_is_a_line_with_a_label(tmp_path: Path) -> None:
    first, then = rows_in(corpus(tmp_path, f"{GOOD}\n{CALL}"))

    assert (first.known.label, first.known.scope, first.known.primary) == ("benign", "core", True)
    assert (first.body, then.body) == ("ls", '{"tool": "drop_all"}')
    assert (then.known.scope, then.known.primary) == ("extended", False)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (GOOD.replace('"label": "benign", ', ""), "missing required field `label`"),
        (GOOD.replace(', "source": "own"', ""), "missing required field `source`"),
        (GOOD.replace('"id": "1", ', ""), "missing required field `id`"),
        (GOOD.replace('"text": "ls", ', ""), "nothing to assess"),
        (GOOD.replace("shell", "song"), "Invalid enum value 'song'"),
        (GOOD.replace("benign", "safe"), "Invalid enum value 'safe'"),
        (GOOD[:20], "truncated"),
    ],
)
def test_what_is_wrong_with_a_row_is_told_with_its_place(
    tmp_path: Path, line: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = corpus(tmp_path, f"{GOOD}\n{line}")

    with pytest.raises(BadCorpusError, match=told):
        list(rows_in(folder))
    assert main(str(folder)) == 1
    assert capsys.readouterr().err.startswith(f"score: {folder / 'some.jsonl'}:3: ")


def test_a_folder_without_rows_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(str(tmp_path)) == 1
    assert "There is no .jsonl in " in capsys.readouterr().err
