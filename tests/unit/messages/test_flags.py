"""Flags: how each stands at first, switched, and switched back."""

import pytest

from holdpoint.messages.state import OFF_AT_FIRST, Flag, FlagState, SetFlag, flags_off, switched


def test_at_first_only_what_is_being_removed_is_off() -> None:
    assert flags_off(None) == (Flag.LEGACY_ASK,)
    assert set(OFF_AT_FIRST) == {Flag.LEGACY_ASK}


@pytest.mark.parametrize("flag", list(Flag))
def test_each_flag_is_switched_and_switched_back(flag: Flag) -> None:
    state: FlagState | None = None
    for on in (True, False, False, True, False):
        off, more = switched(state, SetFlag(flag=flag, on=on))
        state = FlagState(off=off, on=more, by="ann", cause="c")
        assert (flag not in flags_off(state)) is on
        others = set(Flag) - {flag}
        assert others & set(flags_off(state)) == others & set(flags_off(None))
