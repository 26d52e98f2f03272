"""What costs more to read than a person would check goes up, and what is merely long does not."""

from collections.abc import Callable
from typing import Any

import pytest
import sqlglot
from tests.unit.risk.builders import the_policy

from holdpoint.core import text as text_module
from holdpoint.core.risk.extract.payload import MAX_PATH, MAX_STRING, MAX_VALUES, bounded
from holdpoint.core.risk.shell import judge
from holdpoint.core.risk.sql.orders import MAX_PARSED
from holdpoint.core.text import bare
from holdpoint.messages.risk import RiskLevel
from holdpoint.policy_lab.assess import judged
from holdpoint.policy_lab.cases import Line, LineKind

HIGH = RiskLevel.HIGH


def _level(kind: LineKind, given: Any) -> RiskLevel:
    told = {"text": given} if isinstance(given, str) else {"payload": given}
    return judged(Line(id="", kind=kind, **told), the_policy()).level


def _call(args: dict[str, Any], tool: str = "note_things") -> tuple[LineKind, Any]:
    return LineKind.TOOL_CALL, {"tool": tool, "args": args}


TOO_MUCH: dict[str, tuple[LineKind, Any]] = {
    "a key that is longer than is read": _call({"k7" * 20_000: 1}),
    "such a key inside": _call({"a": [{"b": {"k7" * 20_000: 1}}]}),
    "a tool's name that is": (LineKind.TOOL_CALL, {"tool": "view_x7" * 9_000, "args": {}}),
    "more keys than are walked": _call({f"k{at}": at for at in range(MAX_VALUES + 1)}),
    "more of them inside": _call({"a": {"b": {f"k{at}": at for at in range(MAX_VALUES + 1)}}}),
    "a form of more fields than are read": _call({"body": "a=1&" * 900 + "b=2"}, "get_page"),
    "more elements than are read": _call({"body": "<p>we met at noon</p>" * 2_500}, "get_page"),
    "programs named by patterns": (
        LineKind.SHELL,
        "; ".join(f"/*/r? x{at}" for at in range(200)),
    ),
    "lists in braces without end": (LineKind.SHELL, "echo " + "{a,b}{c,d}{e,f}{g,h} " * 700),
    "signs without words": (LineKind.SQL, "update t set a = 1 " + "\\" * 9_000),
    "verbs that may be none, in one sentence": (LineKind.DIALOGUE, "let a=7+" * 1_600),
}

READ: dict[str, tuple[LineKind, Any]] = {
    "a thousand values": _call(
        {f"k{at}": {f"j{one}": one for one in range(30)} for at in range(30)}, "get_page"
    ),
    "a hundred keys": _call({f"k{at}": at for at in range(100)}),
    "a key that is a sentence": _call({"we met at noon and spoke of the garden " * 4: "ok"}),
    "a form of many fields": _call({"body": "&".join(f"a{at}={at}" for at in range(200))}),
    "a page of a mail": _call({"body": "<p>we met at noon</p>" * 200}, "get_page"),
    "a script of 300 lines": (
        LineKind.SHELL,
        "\n".join(f"echo step {at}\ngrep -c x{at} log.txt" for at in range(150)),
    ),
    "a few patterns": (LineKind.SHELL, "ls *.txt; echo {a,b}{c,d}; ./r?n.sh"),
    "a long text in another script": (LineKind.SHELL, "echo " + "가나다라" * 3_000),
    "a migration": (
        LineKind.SQL,
        ";\n".join(f"update t set a = {at} where id = {at}" for at in range(100)),
    ),
}


def test_what_is_too_much_to_read_goes_up() -> None:
    low = [name for name, given in TOO_MUCH.items() if _level(*given) < HIGH]

    assert not low, f"these were not read, and did not go up: {low}"


def test_what_is_merely_long_stays_where_it_was() -> None:
    high = [name for name, given in READ.items() if _level(*given) >= HIGH]

    assert not high, f"these were read, and went up: {high}"


def test_a_payload_within_bounds_is_the_one_that_was_given() -> None:
    given = {"a": [1, {"b": "x" * 1000}], "c": {"d": None}}

    assert bounded(given) == (given, True)
    assert bounded(given)[0] is given


@pytest.mark.parametrize(
    "given",
    [
        {"a": "x" * (MAX_STRING * 3)},
        {"a": ["x" * (MAX_STRING * 3)]},
        {"k" * (MAX_PATH * 3): {"b" * (MAX_PATH * 3): 1}},
        {f"k{at}": at for at in range(MAX_VALUES * 3)},
        {"a": {"b": {f"k{at}": at for at in range(MAX_VALUES * 3)}}},
        {"a": [{"x": ["y" * (MAX_STRING * 3)] * 3}] * (MAX_VALUES * 3)},
    ],
)
def test_what_is_out_of_bounds_is_cut_at_any_depth(given: dict[str, Any]) -> None:
    cut, fits = bounded(given)

    assert not fits
    waiting: list[Any] = [cut]
    for one in waiting:
        if isinstance(one, dict):
            assert len(one) <= MAX_VALUES + 1
            assert max(map(len, one)) <= MAX_PATH + 1
            waiting += one.values()
        elif isinstance(one, list):
            waiting += one[: MAX_VALUES + 1]
        elif isinstance(one, str):
            assert len(one) <= MAX_STRING + 1


def test_a_list_that_is_cut_is_still_as_long() -> None:
    assert len(bounded({"a": [1] * 50_000})[0]["a"]) == 50_000


def test_a_pattern_is_held_against_the_programs_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def counting(work: Callable[[str], Any]) -> Callable[[str], Any]:
        def counted(pattern: str) -> Any:
            asked.append(pattern)
            return work(pattern)

        return counted

    monkeypatch.setattr(judge, "fitting", counting(judge.fitting))
    _level(LineKind.SHELL, "; ".join(f"/*/q? y{at}" for at in range(300)))

    assert len(asked) < 60, "commands that a pattern names count as several"


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The length of each text that is parsed as SQL."""
    lengths: list[int] = []
    whole = sqlglot.parse_one

    def counting(text: str, **how: Any) -> Any:
        lengths.append(len(text))
        return whole(text, **how)

    monkeypatch.setattr(sqlglot, "parse_one", counting)
    return lengths


def test_conditions_of_one_text_are_parsed_within_one_budget(parsed: list[int]) -> None:
    """However many statements a sentence holds, and in however many ways each may be cut."""
    tangle = 'delete from t where (a=1 or b=2) and $((1+<<< "a" {a,{{a, '
    for kind in (LineKind.DIALOGUE, LineKind.SQL, LineKind.SHELL):
        parsed.clear()
        assert _level(kind, tangle * 40) >= HIGH
        assert sum(parsed) < 2 * MAX_PARSED, (kind, len(parsed))


def test_all_statements_of_a_call_are_parsed_within_one_budget(parsed: list[int]) -> None:
    """However many of its arguments hold some."""
    tangles = [f"delete from t where (a=1 or b={at}) and (c like {at} or " * 4 for at in range(90)]
    for given in (
        {"x": tangles},
        {"x": [{"sql": one} for one in tangles]},
        {"x": [{"command": f'psql -c "{one}"'} for one in tangles]},
    ):
        parsed.clear()
        assert _level(*_call(given)) >= HIGH
        assert sum(parsed) < 2 * MAX_PARSED, len(parsed)


def test_each_sign_of_a_text_is_asked_about_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    shown = text_module._without_disguise

    def counting(sign: str) -> str:
        asked.append(sign)
        return shown(sign)

    monkeypatch.setattr(text_module, "_without_disguise", counting)
    _level(LineKind.SQL, "\u202e😀" * 40_000)

    assert len(asked) < 50


def test_disguise_is_seen_whatever_stands_around_it() -> None:
    table = {
        "r\uff4d -rf /": ("rm -rf /", True),
        "r\u200bm x": ("rm x", True),
        "r\x1bm x": ("rm x", True),
        "a\rb\r\nc": ("a\nb\r\nc", True),
        "echo 가나 \u1100\u1161 漢字": ("echo 가나 \u1100\u1161 漢字", False),
        "echo x \u2013 y": ("echo x - y", False),
    }
    for given, (shown, hidden) in table.items():
        seen = bare(given)
        assert (seen.text, seen.hidden) == (shown, hidden), given
        if seen.origin is not None:
            assert len(seen.origin) == len(seen.text), given
