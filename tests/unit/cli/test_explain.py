"""`holdpoint policy explain`: why this level, in words that a person checks against the text."""

import re
import shutil
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.text import Text
from tests.golden.write_explanations import HERE, INPUTS, explanations
from tests.unit.risk.builders import CONFIG, a_pattern, the_policy
from tests.unit.risk.corpus import commands, spoken
from typer.testing import CliRunner

from holdpoint.cli.commands.policy import policy
from holdpoint.cli.output import CommandError, ExitCode
from holdpoint.cli.views.explanation import explanation_lines
from holdpoint.core.redaction.display import one_line, visible
from holdpoint.core.risk import Explanation, Why
from holdpoint.core.risk.explanation import MAX_REASON
from holdpoint.messages.risk import RiskLevel
from holdpoint.policy_lab.cases import Line, LineKind, line_of
from holdpoint.policy_lab.corpus import CorpusError
from holdpoint.policy_lab.explain import explanation

RUNNER = CliRunner()
ASKED = spoken("asks", "doubt", "leave", "size", "money", "loss", "told to", "more")
GOLDEN = sorted(HERE.glob("*.json"))
QUOTED = re.compile("“(.+?)…?”|`(.+?)…?`")
SECOND_SENTENCE = re.compile(r"[.!?;] +\w")


def said(*words: str, stdin: str | None = None, code: int = 0) -> str:
    result = RUNNER.invoke(policy, ["explain", *words], input=stdin)
    assert result.exit_code == code, result.output
    return result.output


def refused(*words: str) -> CommandError:
    error = RUNNER.invoke(policy, ["explain", *words]).exception
    assert isinstance(error, CommandError)
    return error


def explained(text: str, kind: LineKind = LineKind.DIALOGUE) -> Explanation:
    return explanation(Line(id="", kind=kind, text=text), the_policy())


def in_one_line(words: str) -> str:
    return one_line(visible(words)).strip().casefold()


def names(reason: str, words: str) -> bool:
    fired = in_one_line(words)
    quoted = [part for a, b in QUOTED.findall(reason.casefold()) for part in (a or b).split("…")]
    return fired in reason.casefold() or any(len(piece) > 2 and piece in fired for piece in quoted)


def test_what_came_from_untrusted_content_is_told_with_its_argument_and_source() -> None:
    mail = '{"tool": "send_mail", "args": {"to": "ann"}}'
    words = ("--kind", "tool_call", "--taint", "/to", "--taint-source", "a web page")
    line = f'{{"id": "1", "kind": "tool_call", "payload": {mail}, "taint": ["/to"]}}'

    assert said(*words, mail).startswith("high: deny")
    assert "by the agent's word, `/to` came from “a web page”" in said(*words, mail)
    assert "`/to` came from untrusted content" in said("--jsonl", "-", stdin=line)
    assert said("--kind", "tool_call", mail).startswith("low: deny")


@pytest.mark.parametrize(
    ("kind", "text", "is_told"),
    [
        ("shell", "ls", True),
        ("sql", "SELECT 1", True),
        ("tool_call", '{"tool": "list_files", "args": {}}', True),
        ("dialogue", "Hello.", False),
        ("http", "GET https://a.example/u/7", False),
    ],
)
def test_people_are_told_that_a_gate_knows_more(kind: str, text: str, is_told: bool) -> None:
    told = " ".join(said("--kind", kind, text).split())

    assert ("There is no dry run here" in told and "may ask for more" in told) is is_told
    assert "dry run here" not in said("--kind", kind, "--json", text)


def test_each_golden_input_is_explained_as_it_was() -> None:
    told = "python -m tests.golden.write_explanations"
    for path, explained_now in explanations():
        assert explained_now.decode() == path.read_text("utf-8"), f"Meant so? {told}"


def test_every_golden_file_has_its_input() -> None:
    assert {path for path, _ in explanations()} == set(GOLDEN)
    assert len(GOLDEN) >= 15


@pytest.mark.parametrize(
    ("kind", "texts"), [(LineKind.DIALOGUE, ASKED), (LineKind.SHELL, commands("asks", "corners"))]
)
def test_each_reason_is_one_short_sentence_that_names_what_fired(
    kind: LineKind, texts: Sequence[str]
) -> None:
    for one in (signal for text in texts for signal in explained(text, kind).signals):
        assert 0 < len(one.reason) <= MAX_REASON
        assert "\n" not in one.reason
        assert not SECOND_SENTENCE.search(QUOTED.sub("", one.reason)), one.reason
        at_length = one.reason.startswith("`") and len(one.reason) > MAX_REASON - len(
            "“eval $x…”: "
        )
        assert not one.words or at_length or names(one.reason, one.words), one


def test_a_place_is_told_only_where_the_words_stand() -> None:
    for told in map(explained, ASKED):
        placed = [one for one in told.signals if one.start is not None]

        assert all(told.text[it.start : it.end].startswith(it.words) for it in placed), told.text


def test_a_rule_of_a_pack_names_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pattern that it brought, and a threshold that it tightened."""
    shutil.copytree(CONFIG, tmp_path / "config")
    monkeypatch.setenv("HP_CONFIG_DIR", str(tmp_path / "config"))
    pack = tmp_path / "config" / "policy" / "shop.yaml"
    pack.write_text("version: '7'\nthresholds: {records: 20}\n", "utf-8")

    shown = said("--kind", "dialogue", "I will delete 30 files. Shall I go ahead?")

    packs = dict(re.findall(r"([\w.-]+), pack ([\w-]+ \S+),", shown))
    assert packs == {"seed-002.delete-counted": "seed-002 1", "magnitude.records": "shop 7"}
    assert "30 files are more than the policy's limit of 20" in shown


@pytest.mark.parametrize(
    ("database", "environment"),
    [("scratch_7", "sandbox"), ("crm", "production"), ("elsewhere", "production")],
)
def test_what_it_lands_on_is_told_with_its_environment(database: str, environment: str) -> None:
    call = f'{{"tool": "execute_sql", "args": {{"database": "{database}"}}}}'

    shown = said("--kind", "tool_call", call)
    told = msgspec.json.decode(said("--json", "--kind", "tool_call", call))

    assert f"lands on {database}, which counts as {environment}" in shown
    assert (told["target"], told["environment"]) == (database, environment)


@pytest.mark.parametrize(
    ("command", "target", "environment"),
    [
        ("kubectl --context kind-dev delete ns test", "kind-dev", "sandbox"),
        ("dropdb -h localhost test_shop", "localhost, test_shop", "sandbox"),
        ("dropdb -h localhost shop", "shop", "production"),
        ("kubectl delete ns prod", "prod", "production"),
        ("kubectl delete namespaces/prod", "namespaces/prod", "production"),
        ("rm -rf deploy", "deploy", "production"),
    ],
)
def test_a_command_lands_where_its_level_was_lowered(
    command: str, target: str, environment: str
) -> None:
    assert f"lands on {target}, which counts as {environment}" in said("--kind", "shell", command)


@pytest.mark.parametrize(
    ("kind", "text", "aside"),
    [
        ("dialogue", "I am not sure whether the sky is blue.", {"doubt.unsure": "a mere fact"}),
        ("dialogue", "I am not sure about the account.", {}),
        ("dialogue", "Shall I proceed?", {}),
        ("shell", "rm -rf /tmp/x", {
            "seed-002.recursive-removal": "no such danger", "command.high_risk": "no such danger",
        }),
        ("shell", "rm -rf files", {}),
        ("shell", "rm -rf /var", {"files.rm-many": "it was parsed"}),
        ("shell", "grep 'flushall' x", {"command.high_risk": "only reads"}),
        ("sql", "INSERT INTO notes VALUES ('then flushall')", {
            "command.high_risk": "stands only in what a statement stores",
        }),
        ("shell", "ls", {}),
        ("tool_call", '{"tool": "grep_files", "args": {"pattern": "drop table users"}}', {
            "seed-002.drop": "nobody runs", "command.high_risk": "nobody runs",
        }),
    ],
)  # fmt: skip
def test_a_rule_that_was_left_aside_is_named_with_why(
    kind: str, text: str, aside: dict[str, str]
) -> None:
    told = explanation(line_of(text, LineKind(kind)), the_policy())
    shown = said("--kind", kind, text)

    found = {one.rule: one for one in told.left_aside}
    assert found.keys() >= aside.keys(), found
    assert aside or not found
    assert not found.keys() & {one.rule for one in told.signals}
    for rule, why in aside.items():
        one = found[rule]
        assert why in one.reason, rule
        assert told.text[slice(*one.span)].startswith(one.evidence), rule
        assert f"“{one.evidence}”: {one.reason}" in shown, rule
        pack = f", pack {one.pack}" if one.pack else ""
        assert f"{rule}{pack}, characters {one.span[0]} to {one.span[1]}" in shown, rule
        assert one.pack.split(" ")[0] in {rule.partition(".")[0], ""}, rule


def test_a_rule_of_a_pack_that_was_left_aside_names_it() -> None:
    shown = said("rm -rf /tmp/x")

    assert "seed-002.recursive-removal, pack seed-002 1, characters 0 to 13" in shown


def test_what_a_call_only_stores_is_three_points_and_no_rule_is_tried_on_it() -> None:
    """As docs/policy.md says."""
    call = '{"tool": "create_issue", "args": {"title": "rm -rf / fails", "owner": "ann"}}'
    told = explanation(line_of(call, LineKind.TOOL_CALL), the_policy())

    assert told.text.split("\n") == ["...", "ann"]
    assert (told.level, told.left_aside) == (RiskLevel.LOW, ())
    for tool, text in (("encode_base64", "..."), ("search_files", "rm -rf /")):
        call = f'{{"tool": "{tool}", "args": {{"text": "rm -rf /"}}}}'
        assert explanation(line_of(call, LineKind.TOOL_CALL), the_policy()).text == text


def test_no_rule_that_fires_is_silent_without_a_word() -> None:
    """Whatever kind it is in: the author of a rule learns what became of it."""
    for rule, kind, text in (
        ("own.boom", "dialogue", "I will make it boom now."),
        ("own.boom", "shell", "boom now"),
        ("own.boom", "tool_call", '{"tool": "note", "args": {"text": "boom"}}'),
        ("own.runs", "shell", "launch --all"),
        ("own.runs", "shell", "echo launch --all"),
    ):
        rules = (
            a_pattern(id="own.boom", pattern="boom"),
            a_pattern(id="own.runs", pattern="launch --all", commands=True),
        )
        policy = msgspec.structs.replace(the_policy(), patterns=rules)
        line = line_of(text, LineKind(kind))
        told = explanation(line, policy)
        ways = [*(it.rule for it in told.signals), *(it.rule for it in told.left_aside)]
        assert ways.count(rule) == 1, (rule, kind, text, ways)


def test_where_rules_cannot_be_run_that_is_told_and_none_is_left_aside() -> None:
    rules = msgspec.structs.replace(the_policy(), patterns=(a_pattern(pattern="("),))
    told = explanation(line_of("ls", LineKind.SHELL), rules)

    assert any("RE2 refuses it" in one.reason for one in told.signals)
    assert told.left_aside == ()


WORDS = st.sampled_from(
    ["delete", "all", "500", "users", "rm -rf /", "DROP TABLE", "not sure", "İ", "ﬁ", "\u200b", "É"]
)


@given(text=st.lists(WORDS | st.text(max_size=4), max_size=12).map(" ".join))
def test_whatever_the_text_no_place_is_made_up(text: str) -> None:
    told = explained(text)

    for one in told.signals:
        assert 0 < len(one.reason) <= MAX_REASON
        assert (one.start is None) is (one.end is None)
        if one.start is not None:
            assert told.text[one.start : one.end].startswith(one.words)


def test_what_was_counted_has_no_place() -> None:
    told = explained("I will transfer $5000 to Bob.").signals
    paid = next(one for one in told if one.rule == "magnitude.amount")

    assert (paid.words, paid.start, paid.end) == ("", None, None)
    assert paid.reason.startswith("5,000 USD")


def test_a_long_reason_of_a_policy_leaves_room_for_the_words() -> None:
    rule = a_pattern(pattern="detonate everything", reason="it " + "very " * 30 + "loudly explodes")
    rules = msgspec.structs.replace(the_policy(), patterns=(rule,))
    told = explanation(
        Line(id="", kind=LineKind.DIALOGUE, text="I will detonate everything."), rules
    )

    reason = next(one.reason for one in told.signals if one.rule == rule.id)
    assert reason.startswith("“detonate everyt…”: it very")
    assert len(reason) == MAX_REASON


def test_the_gravest_signal_stands_first_and_decides() -> None:
    told = explained("I will delete all 500 user accounts in production. Should I proceed?")

    assert told.level is RiskLevel.CRITICAL
    decides = [one.decides for one in told.signals]
    assert decides[0]
    assert decides == sorted(decides, reverse=True)


def test_the_words_that_fired_are_underlined() -> None:
    told = explained("Well then, I will delete all 500 user accounts\nat noon.")
    lines = list(explanation_lines(told))
    underlined = {
        line.plain[span.start : span.end]
        for line in lines
        for span in line.spans
        if span.style == "underline"
    }

    assert "delete all 500 user accounts" in underlined
    assert not any("\n" in line.plain for line in lines)


def test_in_a_pipe_the_words_have_a_line_below_them() -> None:
    lines = said("rm -rf files").splitlines()
    at = next(at for at, line in enumerate(lines) if line.strip() == "rm -rf files")

    assert lines[at + 1] == lines[at].replace("rm -rf files", "^" * len("rm -rf files"))
    wide = said("--kind", "dialogue", "I will delete all 500 ユーザー accounts " + "and more " * 30)
    below = [line for line in wide.splitlines() if line.strip("^ ") == "" and "^" in line]
    assert below
    assert all(len(line) <= 100 for line in below)


def test_where_a_text_is_cut_before_the_words_is_seen() -> None:
    line = "a" * 200 + "; rm -rf /etc"

    assert "…aaaaaaaaaaaaaaaaaaaaaa; rm -rf /etc" in said(line)
    assert "…" not in said("rm -rf /etc")


def test_hidden_characters_are_written_out_on_a_screen() -> None:
    text = "".join(
        line.plain for line in explanation_lines(explained("I will delete all \u202e files."))
    )

    assert "\u202e" not in text
    assert "\\u{202e}" in text


def test_people_see_the_level_and_what_becomes_of_it() -> None:
    first, tool, why, beside = said("ls").splitlines()
    assert first == "low: pass"
    assert tool == "  as a call of run_command, at level 1"
    assert why == "  it was read, and nothing in it worries a rule"
    assert beside.startswith("There is no dry run here")
    shown = said("rm -rf files")
    assert shown.startswith("high: hold\n")
    assert "shell.rm-recursive, characters 0 to 12" in shown


def test_people_see_why_they_are_asked_about_what_worries_no_rule() -> None:
    why = "nothing proves that it only reads or changes little, so its tool's level asks"

    assert why in said("make deploy")
    assert why not in said("ls")
    assert why not in said("rm -rf files")


def test_build_products_that_made_the_level_lower_are_named() -> None:
    told = msgspec.json.decode(said("rm -rf node_modules dist", "--json"), type=Explanation)

    assert told.made_again == ("node_modules", "dist")
    assert "deletes what a build makes again, by build_products: build" in said("rm -rf build")
    assert explained("rm -rf build src", LineKind.SHELL).made_again == ()
    assert explained("ls build", LineKind.SHELL).made_again == ()


def test_programs_get_start_and_end() -> None:
    told = msgspec.json.decode(said("rm -rf files", "--json"), type=Explanation)

    assert isinstance(told.signals[0], Why)
    assert (told.signals[0].start, told.signals[0].end) == (0, 12)


def test_lines_come_from_a_file_or_from_standard_input() -> None:
    from_file = said("--jsonl", str(INPUTS))

    assert said("--jsonl", "-", stdin=INPUTS.read_text("utf-8")) == from_file
    assert len(from_file.splitlines()) == len(GOLDEN)


def test_a_line_that_cannot_be_read_is_told_and_ends_with_1() -> None:
    told = said("--jsonl", "-", stdin="nonsense\n", code=1)

    assert msgspec.json.decode(told)["line"] == 1


def test_calls_are_json_and_requests_may_be() -> None:
    request = '{"method": "DELETE", "url": "https://a.example/users/3"}'
    call = '{"name": "delete_user", "arguments": {"id": 3}}'

    assert said(request, "--kind", "http").startswith("high: hold")
    assert said("DELETE https://a.example/users/3", "--kind", "http").startswith("high: hold")
    assert said(call, "--kind", "tool_call").startswith("high: deny")
    for broken in ("no json", "[]", "{}", '{"args": {}}', '{"tool": "\udcff"}'):
        assert refused(broken, "--kind", "tool_call").exit_code is ExitCode.USAGE
    for broken in ("no request", "[]", '{"url": "\udcff"}'):
        assert refused(broken, "--kind", "http").exit_code is ExitCode.USAGE


def test_a_text_without_its_call_says_that_other_words_may_make_it_wait() -> None:
    """Only what is all the text of its call is proven to read by the parse alone."""
    assert "nor a call with other words" in said("select 1", "--kind", "sql")
    assert "nor a call with other words" in said("ls", "--kind", "shell")
    call = '{"tool": "query_database", "args": {"database": "crm", "sql": "select 1"}}'
    assert "nor a call with other words" not in said(call, "--kind", "tool_call")


def test_without_a_text_it_says_what_to_give() -> None:
    assert refused().exit_code is ExitCode.USAGE
    missing = RUNNER.invoke(policy, ["explain", "--jsonl", "/nowhere/at/all.jsonl"]).exception
    assert isinstance(missing, CorpusError)
    assert missing.code == "unreadable_file"


def test_a_policy_elsewhere_explains_too(tmp_path: Path) -> None:
    pack = tmp_path / "pack.yaml"
    pack.write_text(
        "patterns: [{id: own.boom, pattern: boom, heuristic: magnitude, level: critical, "
        "reason: it explodes, must_fire: [boom]}]",
        "utf-8",
    )

    assert said("make boom").startswith("low")
    assert "“boom”: it explodes" in said("make boom", "--kind", "dialogue", "--policy", str(pack))
    assert said("rm -rf files", "--policy", "deploy/config") == said("rm -rf files")
    assert said("rm -rf files", "--policy", "deploy/config/policy") == said("rm -rf files")
    for nothing in ("none", "empty"):
        (tmp_path / "empty").mkdir(exist_ok=True)
        told = refused("ls", "--policy", str(tmp_path / nothing))
        assert (told.code, "There is no policy at" in str(told)) == ("unreadable_file", True)


def test_a_screen_line_is_no_wider_than_the_screen() -> None:
    wide = "I will delete all 500 user accounts " + "and then some more " * 20

    for line in explanation_lines(explained(wide)):
        assert isinstance(line, Text)
        assert "underline" not in [span.style for span in line.spans] or line.cell_len <= 100
