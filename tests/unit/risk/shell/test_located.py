"""A file that is named from where the shell stands is the file that it is."""

from holdpoint.core.risk.shell.analyzer import analyze_shell


def test_the_reason_names_the_file_that_it_is() -> None:
    (told,) = analyze_shell("cd /etc && rm passwd").signals
    assert told.reason == "`rm /etc/passwd` deletes a part of the system"
    assert told.evidence == "rm passwd"
