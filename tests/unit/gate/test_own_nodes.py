"""Traces: whose nodes an agent may tell of, and what a question about one is answered."""

import pytest

from holdpoint.core.responses import waiting
from holdpoint.gate.calls import _check_own_node
from holdpoint.gate.context import RefusedError
from holdpoint.messages.call import Phase, Trace

CALL = "CALLS@robot:1"


def a_trace(trace_id: str = "t", group_id: str = "g") -> Trace:
    return Trace(trace_id=trace_id, group_id=group_id, fn="read", phase=Phase.OPENED)


@pytest.mark.parametrize(
    "trace",
    [a_trace(CALL), a_trace(f"{CALL}\n"), a_trace(f" {CALL}"), a_trace(group_id=f"{CALL}\n")],
)
def test_no_trace_takes_the_id_of_a_call(trace: Trace) -> None:
    with pytest.raises(RefusedError, match="is the id of a call") as refused:
        _check_own_node(trace)
    assert refused.value.code == "not_your_node"


def test_a_node_of_ones_own_may_be_told() -> None:
    _check_own_node(a_trace("CALLS-1", "CALLS@robot"))


def test_a_question_about_a_trace_says_that_it_is_never_judged() -> None:
    assert "never judged" in waiting("", is_trace=True).message_for_user
    assert "not been judged yet" in waiting("").message_for_user
