"""Whatever an agent writes stays inside its lines, and every error has its exit code."""

import errno
import unicodedata

import msgspec
import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st
from rich.text import Text

from holdpoint.cli import output
from holdpoint.cli.events import Problem
from holdpoint.cli.output import LABEL, CommandError, ExitCode, field, folded
from holdpoint.cli.session import JsonOption
from holdpoint.cli.terminal import pages
from holdpoint.client.outcome import RefusedError
from holdpoint.client.outcome import UnavailableError as NobodyError
from holdpoint.console.text_segments import numbered
from holdpoint.core.redaction.display import visible
from holdpoint.policy_lab.corpus import CorpusError
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.errors import (
    ConflictError,
    SetupError,
    SignatureError,
    UnavailableError,
    UnknownOutcomeError,
)

WORDS = st.text(max_size=300)


def cost(line: str) -> int:
    """The most columns that a terminal could take for it."""
    return sum(1 if char.isascii() else 2 for char in line)


@given(WORDS, st.integers(20, 120))
def test_no_line_is_wider_than_asked(text: str, columns: int) -> None:
    assert all(cost(line) <= columns for line in folded(text, columns))


@given(WORDS, st.integers(20, 120))
def test_nothing_is_left_out(text: str, columns: int) -> None:
    whole = visible(numbered(text)).expandtabs(4)
    assert "".join(folded(text, columns)) == whole.replace("\n", "")


@given(WORDS, st.integers(20, 120))
def test_nothing_that_drives_a_terminal_is_printed(text: str, columns: int) -> None:
    assert not any(
        unicodedata.category(char) == "Cc" for line in folded(text, columns) for char in line
    )


def test_a_file_on_a_full_disk_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    full = OSError(errno.ENOSPC, "No space left on device", "/state/ann.key")

    assert output._cut_off(full, as_json=False) is ExitCode.FAILED
    assert capsys.readouterr().err.startswith("/state/ann.key cannot be written: No space left")


@given(WORDS)
def test_only_the_label_stands_at_the_start_of_a_line(text: str) -> None:
    first, *others = (line.plain for line in field("Risk", text, 60))

    assert first.startswith("Risk".ljust(LABEL))
    assert all(line.startswith(" " * LABEL) for line in others)


def test_lines_break_at_spaces_where_they_can() -> None:
    assert folded("one two three four five", 20) == ["one two three four ", "five"]
    assert folded("x" * 25, 20) == ["x" * 20, "x" * 5]
    assert folded("日本語" * 5, 20) == ["日本語日本語日本語日", "本語日本語"]


@pytest.mark.parametrize(
    ("error", "code", "word"),
    [
        (CommandError(ExitCode.PASSWORD, "wrong_password", "No."), ExitCode.PASSWORD,
         "wrong_password"),
        (SetupError("Mend it."), ExitCode.SETUP, "setup"),
        (UnavailableError("Away."), ExitCode.UNREACHABLE, "unreachable"),
        (NobodyError("Away."), ExitCode.UNREACHABLE, "unreachable"),
        (UnknownOutcomeError("Perhaps."), ExitCode.UNDECIDED, "unknown_outcome"),
        (ConflictError("Late."), ExitCode.FAILED, "failed"),
        (SignatureError("Forged."), ExitCode.FAILED, "failed"),
        (RefusedError("unknown_tool", "No such tool."), ExitCode.FAILED, "unknown_tool"),
        (CorpusError("bad_line", "Line 1."), ExitCode.FAILED, "bad_line"),
        (CorpusError("no_corpus", "None."), ExitCode.USAGE, "no_corpus"),
        (typer.BadParameter("Typed wrongly."), ExitCode.USAGE, "usage"),
        (typer.Abort(), ExitCode.FAILED, "aborted"),
    ],
)  # fmt: skip
def test_every_error_has_its_exit_code(
    error: Exception, code: ExitCode, word: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ended(error, "--json") is code
    told = msgspec.json.decode(capsys.readouterr().err)
    assert told["error"]["code"] == word


def test_people_get_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert ended(SetupError("Mend \x1b[31mit.")) is ExitCode.SETUP
    assert capsys.readouterr().err == "Mend \\x1b[31mit.\n"


def test_a_bug_is_not_dressed_up() -> None:
    with pytest.raises(ZeroDivisionError):
        ended(ZeroDivisionError())


def test_a_wrong_setting_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HP_NATS_PORT", "many")
    with pytest.raises(SetupError) as wrong:
        Settings()

    assert ended(wrong.value) is ExitCode.SETUP
    assert capsys.readouterr().err.startswith("HP_NATS_PORT is ")


def ended(error: Exception, *words: str) -> ExitCode:
    app = typer.Typer(pretty_exceptions_enable=False)

    @app.command()
    def fails(*, as_json: JsonOption = False) -> None:
        assert as_json is ("--json" in words)
        raise error

    with pytest.raises(SystemExit) as end:
        output.run(app, words)
    return ExitCode(int(end.value.code or 0))


def test_a_wrong_setting_is_told_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """The default of another setting that could not be made is no second mistake."""
    monkeypatch.setenv("HP_LEASE_S", "abc")
    with pytest.raises(SetupError) as refused:
        Settings()

    _, _, told = output._described(refused.value)

    assert told.startswith("HP_LEASE_S is ")
    assert "HP_LEDGER_URL" not in told


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("LEASE_S", "abc", "HP_LEASE_S is 'abc': not a number. Write one, such as 0.5."),
        ("LEASE_S", "-1", "HP_LEASE_S is '-1': it has to be more than 0. Write a larger number."),
        ("NATS_PORT", "99999", "it may be 65535 at most. Write a smaller number."),
        ("REPLICAS", "2", "HP_REPLICAS is '2': it is none of 1 or 3. Write one of those."),
        ("DOMAINS", "abc", "HP_DOMAINS is no JSON. Write an object, such as "),
        ("OIDC_ISSUER", "nonsense", "HP_OIDC_ISSUER is 'nonsense': it has to begin with https"),
        ("OIDC_ISSUER", "http://a.example", "it has to begin with https://, or http:// on this "),
        ("CONSOLE_ORIGIN", "x", "HP_CONSOLE_ORIGIN is 'x': it has to be an address without a"),
        ("CONSOLE_ORIGIN", "https://a.example/path", "without a path, such as https://"),
        ("CONSOLE_ORIGIN", "https://a.example:port", "without a path, such as https://"),
        ("NATS_URL", "http://x", "HP_NATS_URL is 'http://x': it has to be nats://HOST:PORT or"),
        ("NATS_URL", "nats://a:4222,b:x", "several with commas between"),
        ("NATS_URL", "http://u:hush@x", "HP_NATS_URL is an address with a password: it has to be"),
        (
            "STATE_DIR",
            "",
            "HP_STATE_DIR is '': it has to be a path; leave the variable out",
        ),
        ("NATS_CA", "", "HP_NATS_CA is '': it has to be a path"),
        ("NATS_CA", "/nowhere/ca.crt", "HP_NATS_CA is '/nowhere/ca.crt': there is no such file"),
        ("LEDGER_URL", "mysql://host/db", "HP_LEDGER_URL is 'mysql://host/db': it has to be "),
        ("LEDGER_URL", "mysql://u:hush@h/db", "HP_LEDGER_URL is an address with a password: it "),
        ("LEDGER_URL", "sqlite://", "HP_LEDGER_URL is 'sqlite://': it has to be sqlite:///PATH or"),
        ("LEDGER_URL", "postgresql://host", "postgresql://USER@HOST/DATABASE"),
    ],
)
def test_a_wrong_setting_is_told_by_its_variable(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, told: str
) -> None:
    monkeypatch.setenv(f"HP_{name}", value)
    with pytest.raises(SetupError) as caught:
        Settings()

    code, _, text = output._described(caught.value)

    assert code is ExitCode.SETUP
    assert told in text


def test_a_file_gets_its_lines_whole(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    path = "/".join(["a-long-folder"] * 30)

    output.say(f"It lies in {path}/file.")
    output.show(Problem(who="audit", text=path).lines())

    assert capsys.readouterr().out.splitlines() == [f"It lies in {path}/file.", f"audit: {path}"]


def test_no_page_is_longer_than_the_screen() -> None:
    lines = [Text(str(number)) for number in range(25)]

    assert [len(page) for page in pages(lines[:22], 22)] == [22]
    assert [len(page) for page in pages(lines[:11], 10)] == [10, 1]
    assert [len(page) for page in pages(lines, 10)] == [10, 10, 5]
    assert pages([], 10) == [[]]
