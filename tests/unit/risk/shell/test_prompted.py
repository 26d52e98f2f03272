"""Programs that hand a part of what they are told to a shell: notebooks, make, editors, clients."""

from tests.unit.risk.shell.levels import level

from holdpoint.messages.risk import RiskLevel


def test_more_code_than_is_read_counts_as_unread() -> None:
    for text in (
        "vim " + "-c 'py3 print(1)' " * 40,
        "gdb " + "-ex 'python print(1)' " * 40,
    ):
        assert level(text) >= RiskLevel.HIGH, text
    assert level("vim " + "-c 'py3 print(1)' " * 4) < RiskLevel.HIGH
