"""`holdpoint chat` where nobody answers."""

import sys

import pytest

from holdpoint.cli.commands.chat import why_silent


def test_without_its_extra_only_the_extra_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "Send the same again" in why_silent()

    monkeypatch.setitem(sys.modules, "langgraph", None)

    assert "pip install 'holdpoint[coordinator]'" in why_silent()
    assert "again: nothing is done twice" not in why_silent()
