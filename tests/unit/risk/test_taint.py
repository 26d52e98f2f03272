"""Taint: what is raised, what is not, and what a person reads."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.risk.builders import a_tool, an_action, judged, said, the_policy

from holdpoint.core.redaction.display import one_line, visible
from holdpoint.core.risk.context import Brought, Context
from holdpoint.core.risk.explanation import MAX_REASON
from holdpoint.core.risk.taint import LONGEST_SOURCE, UNREADABLE, why_steered
from holdpoint.core.tallies import marks, trails
from holdpoint.messages.catalog import Tool
from holdpoint.messages.policy import Policy, Untrusted
from holdpoint.messages.risk import Assessment, Heuristic, RiskLevel

LOW, HIGH = RiskLevel.LOW, RiskLevel.HIGH
UNTRUSTED = Untrusted(
    tools={"fetch_page": "a web page", "browse": "a web page", "read_mail": "mail"}, window_s=3600
)
READS, CREATES = a_tool(name="things.find", level=1), a_tool(name="things.make", level=2)


def policy(untrusted: Untrusted = UNTRUSTED) -> Policy:
    return msgspec.structs.replace(the_policy(), untrusted=untrusted)


def tainted(found: Assessment) -> list[tuple[str, RiskLevel, str]]:
    return [
        (it.rule, it.level, it.reason) for it in found.signals if it.heuristic is Heuristic.TAINT
    ]


def declared(*pointers: str, tool: Tool = CREATES, source: str = "") -> Assessment:
    action = an_action(tool.name, to="shop", note="hello")
    return judged(action, tool=tool, taint=pointers, taint_source=source)


@pytest.mark.parametrize(
    ("pointers", "source", "reason"),
    [
        (("/to",), "mail", "by the agent's word, `/to` came from “mail”"),
        (("/to",), "", "by the agent's word, `/to` came from untrusted content"),
        (("/to", "/a"), "", "by the agent's word, `/to` and 1 more came from untrusted content"),
        ((), "mail", "by the agent's word, every argument came from “mail”"),
        (("",), "", "by the agent's word, every argument came from untrusted content"),
        (("/no/such",), "", "by the agent's word, `/no/such` came from untrusted content"),
        (("no pointer",), "", "by the agent's word, `no pointer` came from untrusted content"),
        ((), "a\nb\u200bc", "by the agent's word, every argument came from “a\\nb\\u{200b}c”"),
    ],
)
def test_arguments_that_an_agent_calls_untrusted_ask_a_person(
    pointers: tuple[str, ...], source: str, reason: str
) -> None:
    found = declared(*pointers, source=source)

    assert tainted(found) == [("taint.declared", HIGH, reason)]
    assert declared().level is LOW
    assert found.level is HIGH


@given(st.lists(st.text(max_size=60), max_size=120), st.text(max_size=60))
def test_a_reason_fits_on_one_line_whatever_the_agent_says(
    pointers: list[str], source: str
) -> None:
    for _, _, reason in tainted(declared(*pointers, source=source)):
        assert len(reason) <= MAX_REASON
        assert one_line(visible(reason)) == reason


@pytest.mark.parametrize("level", [2, 3, 4, 5])
def test_every_level_that_changes_something_is_raised(level: int) -> None:
    for around in ({"taint_source": "mail"}, {"brought": (a_page(),)}):
        found = judged(an_action(), tool=a_tool(level=level), **around)
        assert found.level >= HIGH
        assert tainted(found)


@pytest.mark.parametrize("pointer", ["to", "/nowhere", "/", "/to/deeper", "/é~"])
def test_a_pointer_that_names_nothing_raises_all_the_same(pointer: str) -> None:
    """The command line refuses it; what comes to a gate may only go up by it."""
    ((_, level, reason),) = tainted(declared(pointer))

    assert level is RiskLevel.HIGH
    assert f"`{pointer}`" in reason


def test_a_tainted_read_stays_what_it_is_and_tells() -> None:
    assert declared("/to", tool=READS).level is LOW
    assert tainted(declared("/to", tool=READS))[0][1] is LOW
    assert judged(an_action("things.find"), tool=READS, brought=(a_page(),)).signals == ()


def test_a_sentence_has_no_arguments() -> None:
    found = said("I will read the notes.", taint=("/a",), taint_source="mail", brought=(a_page(),))

    assert tainted(found) == []


def a_page(times: int | None = 1, source: str = "a web page") -> Brought:
    return Brought(source=source, within_s=3600, times=times)


@pytest.mark.parametrize(
    ("brought", "reason"),
    [
        (a_page(), "a web page came in within the last 1 h and may steer this call"),
        (a_page(7), "a web page came in within the last 1 h and may steer this call"),
        (a_page(0), ""),
        (a_page(-1), ""),
        (a_page(None), UNREADABLE),
    ],
)
def test_content_that_came_in_asks_and_what_nobody_knows_does_too(
    brought: Brought, reason: str
) -> None:
    found = judged(an_action(), brought=(brought, brought))

    assert tainted(found) == ([("taint.came-in", HIGH, reason)] if reason else [])


def test_what_came_in_is_told_on_one_line() -> None:
    longest = Brought(source="x" * LONGEST_SOURCE, within_s=604_799, times=1)

    assert len(why_steered(longest)) <= MAX_REASON
    assert len(UNREADABLE) <= MAX_REASON


def keys(tool: Tool, untrusted: Untrusted = UNTRUSTED, **around: Any) -> set[str]:
    """The counters that a call of this tool adds to."""
    context = Context(tool=tool, **around)
    left = marks(an_action(tool.name), context, policy(untrusted))
    assert {it.amount for it in left} <= {1}
    return {it.key for it in left}


def looked_at(tool: Tool, untrusted: Untrusted = UNTRUSTED, **around: Any) -> set[str]:
    """The counters that are read before a call of this tool."""
    found = trails(an_action(tool.name), Context(tool=tool, **around), policy(untrusted))
    return {it.own.key for it in found}


def test_what_a_tool_of_the_policy_brings_is_seen_by_whatever_changes_something() -> None:
    page, mail = keys(a_tool(name="fetch_page", level=1)), keys(a_tool(name="read_mail", level=1))

    assert len(page | mail) == 2
    assert looked_at(CREATES) == page | mail
    assert looked_at(READS) == set(), "a read costs nothing"
    assert keys(READS) == keys(CREATES) == set()
    assert keys(a_tool(name="browse", level=1)) == page, "one kind of content, one trail"


def test_an_alias_in_the_policy_means_its_tool() -> None:
    known = a_tool(name="web.get", aliases=("fetch_page",), level=1)

    assert keys(known) == keys(a_tool(name="fetch_page", level=1))


def test_a_policy_that_calls_nothing_untrusted_looks_nowhere() -> None:
    assert looked_at(CREATES, Untrusted()) == set()


def test_an_unknown_tool_is_looked_at_as_one_that_changes_something() -> None:
    context = Context(brought=(a_page(),))

    assert trails(an_action(), context, policy())
    assert judged(an_action(), tool=None, brought=(a_page(),)).level >= HIGH


def test_the_tree_of_agents_shares_what_came_in_and_no_group_escapes_it() -> None:
    page = a_tool(name="fetch_page", level=1)

    assert keys(page, trees=("lead",)) <= looked_at(CREATES, trees=("lead", "group x"))
    assert keys(page, trees=("a", "group x")) & looked_at(CREATES, trees=("b", "group x"))
    assert not keys(page, trees=("lead",)) & looked_at(CREATES, trees=("stranger",))
    assert keys(page) == keys(page, trees=("bot",)), "whoever knows of no tree takes the agent"


def test_what_a_call_brings_itself_is_not_held_against_it() -> None:
    both = a_tool(name="fetch_page", level=3)
    own = {it.source: it.own.amount for it in trails(an_action(), Context(tool=both), policy())}

    assert own == {"a web page": 1, "mail": 0}
