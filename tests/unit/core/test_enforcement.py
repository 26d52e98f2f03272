"""The grade of a decision: fixed by whose tool it is, and told in words on its card."""

import msgspec
from tests.builders import a_tool

from holdpoint.core.dispatch import DISPATCH_TOOL
from holdpoint.core.enforcement import ENFORCED
from holdpoint.messages.call import Intent, Propose, Trace, Withdraw
from holdpoint.messages.catalog import Enforcement
from holdpoint.messages.hold import Hold


def test_every_grade_has_words() -> None:
    assert set(ENFORCED) == set(Enforcement)


def test_a_workers_tool_is_structural() -> None:
    assert a_tool().enforcement is Enforcement.STRUCTURAL
    assert DISPATCH_TOOL.enforcement is Enforcement.STRUCTURAL


def test_nothing_that_an_agent_says_names_a_grade() -> None:
    for kind in (Propose, Intent, Withdraw, Trace):
        assert "enforcement" not in kind.__struct_fields__


def test_a_hold_from_before_has_no_grade() -> None:
    field = next(it for it in msgspec.structs.fields(Hold) if it.name == "enforcement")

    assert field.default is None
