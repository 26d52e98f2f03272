"""A prompt in front of a command hides nothing of it, whichever shell or console it is of."""

from holdpoint.core.risk.shell.analyzer import analyze_shell


def test_the_place_that_is_told_is_that_of_the_text_as_it_was_given() -> None:
    for text in ("$ rm -rf /srv/data", "ls\n$ rm -rf /srv/data"):
        signals = [one for one in analyze_shell(text).signals if one.rule == "shell.rm-recursive"]
        assert any(one.evidence == "rm -rf /srv/data" for one in signals), text
