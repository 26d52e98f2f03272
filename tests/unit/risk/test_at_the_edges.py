"""What is broken off, unbalanced or too much is judged by what it may be; no reader ends by it."""

from decimal import Decimal

from tests.unit.risk.builders import said, the_policy
from tests.unit.risk.shell.levels import level

from holdpoint.cli.assess import judged
from holdpoint.cli.lines import Line, LineKind
from holdpoint.core.risk.http.named import MAX_REQUESTS
from holdpoint.core.risk.numbers import number_at
from holdpoint.core.risk.shell.door import read_shell
from holdpoint.messages.risk import RiskLevel

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


def test_an_exception_that_names_nothing_does_nothing() -> None:
    assert said("Nothing will be deleted except for.").level < RiskLevel.HIGH
    assert said("Nothing will be deleted except for all the accounts.").level >= RiskLevel.HIGH


def test_a_program_called_after_a_loss_is_no_mere_reader() -> None:
    """Whatever its first words are: what a rule says of it counts."""
    for text in ("remove all log files", "purge status", "destroy-env status --all"):
        assert not read_shell(text).reads_only, text
    for text in ("acmectl get pods", "kubectl get pods -A"):
        assert read_shell(text).reads_only, text
