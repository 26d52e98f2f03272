"""What is broken off, unbalanced or too much is judged by what it may be; no reader ends by it."""

from decimal import Decimal

from tests.unit.risk.builders import said, the_policy
from tests.unit.risk.shell.levels import level

from holdpoint.core.risk.dialogue.mild_verbs import is_mild
from holdpoint.core.risk.extract.numbers import number_at
from holdpoint.core.risk.http.analyzer import MAX_REQUESTS
from holdpoint.core.risk.pattern_scan import Scan, asked_once
from holdpoint.core.risk.shell.analyzer import MAX_AGAIN, MAX_CHOICES, analyze_shell
from holdpoint.core.risk.sql.analyzer import left_open
from holdpoint.messages.risk import RiskLevel
from holdpoint.policy_lab.assess import judged
from holdpoint.policy_lab.cases import Line, LineKind

COMMANDS = (
    'TF_CLI_ARGS="-destroy \'x" terraform apply',
    "printf '%d' x | sh",
    "printf '%o' 99999999999999999999999999999 | sh",
    "echo 'rm -rf /srv/data' | head -n x | sh",
    "echo 'rm -rf /srv/data' | sed -i 's/a/b/' | sh",
)
STATEMENTS = ("DELETE FROM a WHERE b LIKE ''", "DELETE FROM a WHERE b LIKE c", "DELETE FROM a (")


def test_a_command_with_a_word_that_cannot_be_read_goes_up() -> None:
    assert [text for text in COMMANDS if level(text) < RiskLevel.HIGH] == []


def test_a_statement_whose_condition_says_nothing_goes_up() -> None:
    lines = (Line(id="", kind=LineKind.SQL, text=text) for text in STATEMENTS)

    assert [one.text for one in lines if judged(one, the_policy()).level < RiskLevel.HIGH] == []


def test_more_requests_in_a_call_than_are_read_go_up() -> None:
    asks = [{"method": "GET", "url": f"https://a.example/{at}"} for at in range(MAX_REQUESTS + 1)]
    for some, asked in ((asks[:2], False), (asks, True)):
        payload = {"tool": "http_batch", "args": {"requests": some}}
        found = judged(Line(id="", kind=LineKind.TOOL_CALL, payload=payload), the_policy())
        assert (found.level >= RiskLevel.HIGH) is asked, len(some)


def test_a_point_with_nothing_behind_it_adds_nothing() -> None:
    found = number_at(["nine", "point", "dollars"], 0)

    assert found is not None
    assert (found.value, found.words) == (Decimal(9), 1)


def test_a_program_called_after_a_loss_is_no_mere_reader() -> None:
    """Whatever its first words are: what a rule says of it counts."""
    for text in ("remove all log files", "purge status", "destroy-env status --all"):
        assert not analyze_shell(text).reads_only, text
    assert not analyze_shell("acmectl get pods").reads_only
    assert analyze_shell("kubectl get pods -A").reads_only


def test_a_script_that_may_run_in_too_many_ways_goes_up() -> None:
    turns = range(MAX_CHOICES + 2)
    chosen = [f"if test -f a{at}; then P{at}=/a; else P{at}=/b; fi; ls $P{at}" for at in turns]
    lines = [f"ls {at}" for at in range(MAX_AGAIN)]

    assert level("; ".join(chosen)) < RiskLevel.HIGH
    assert level("; ".join([*chosen, *lines])) >= RiskLevel.HIGH


def test_what_only_lists_and_edits_its_input_asks_nobody() -> None:
    for text in ("tree $place/of", "comm -23 <(find a) <(find b) | sed 's/^x/y/'"):
        assert level(text) < RiskLevel.HIGH, text


def test_a_question_in_fences_or_in_peoples_words_is_never_left_open() -> None:
    """Fences are read without their marks elsewhere; people need not close a bracket."""
    assert left_open("```SELECT (```", 100) == ""
    assert left_open("select the (one", 100) == ""
    assert left_open("select (1", 100) != ""
    assert left_open(f"select ({'1' * 100}", 100) != ""


def test_a_rule_of_what_comes_before_a_loss_announces_none() -> None:
    text = "Before I delete the accounts somebody from the team must check and confirm them."

    assert said(text).level < RiskLevel.HIGH
    assert said(f"{text} I delete them now.").level >= RiskLevel.HIGH


def test_nothing_that_asks_for_leave_is_told_as_it_is() -> None:
    found = Scan()

    assert asked_once(found) is found


def test_to_write_a_draft_again_is_to_write() -> None:
    assert is_mild(["i'm", "redrafting", "the", "note"], 1)
