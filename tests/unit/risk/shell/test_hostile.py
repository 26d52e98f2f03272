import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.risk.shell.cases import DANGEROUS, HARMLESS
from tests.unit.risk.shell.levels import level

from holdpoint.core.risk.shell.door import MAX_TEXT, read_shell
from holdpoint.core.risk.shell.state import MAX_FOUND, MAX_TARGETS
from holdpoint.messages.risk import RiskLevel

HOSTILE = {
    "ten megabytes": "a" * 10_000_000,
    "parentheses": "(" * 100_000,
    "substitutions": "$(" * 100_000,
    "parentheses below the cap": "(" * (MAX_TEXT - 1),
    "balanced": "(" * 7000 + ")" * 7000,
    "substitutions below the cap": "$(" * 7000,
    "backticks": "`" * 15_000,
    "expansions": "${a" * 5000,
    "defaults": "${a:-" * 200 + "}" * 200,
    "braces": "echo " + "{a,b}" * 400,
    "deep braces": "echo " + "{a," * 300 + "}" * 300,
    "wrappers": "sudo " * 3000 + "rm -rf /",
    "shells": 'bash -c "' * 900,
    "semicolons": ";" * 15_000,
    "commands": "rm -rf $a;" * 1600,
    "pipes": "cat a|" * 2500,
    "quotes": "'" * 15_001,
    "arithmetic": "$((" * 5000,
    "loops": "for a in b; do " * 1000,
    "turns": "for a in 1 2 3 4 5 6 7 8; do " * 40 + "rm x" + "; done" * 40,
    "idle turns": "for a in 1 2 3 4 5 6 7 8; do " * 40 + "x=1" + "; done" * 40,
    "cases": "case a in " * 1600,
    "case of loops": "case x in " + "{ for select } /" * 800,
    "values": 'echo "' + "${x:-" * 14 + "$(rm -rf /x)" + "}" * 14 + '"',
    "sums": 'echo "' + "$[1+" * 14 + "$(rm -rf /x)" + "]" * 14 + '"',
    "itself": "f(){ f; f; }; f",
    "doubling": "".join(f"f{n}(){{ f{n + 1}; f{n + 1}; }};" for n in range(30)) + "f0",
    "aliases": 'alias a="b b"; alias b="a a"; a',
    "eval": 'x=\'eval "$x"; eval "$x"\'; eval "$x"',
    "growth": "x=aaaaaaaa; " + "x=$x$x$x$x; " * 200 + "echo $x",
    "marks": "a" + "\u0301" * 16_000,
    "invisible": "\u200b" * 16_000,
    "groups": "{ " * 400 + "ls" + "; }" * 400,
    "tests": "[[" * 2500,
    "nul": "rm\0-rf\0/",
    "surrogate": "rm -rf \ud800",
    "private": "\ue000rm\ue001 -rf /",
}
UNREADABLE = (
    "ten megabytes",
    "parentheses",
    "substitutions",
    "semicolons",
    "commands",
    "turns",
    "idle turns",
    "expansions",
    "defaults",
    "case of loops",
    "values",
    "sums",
)


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_texts_end_and_stay_bounded(name: str) -> None:
    reading = read_shell(HOSTILE[name])
    assert len(reading.signals) <= MAX_FOUND + 2
    assert len(reading.targets) <= MAX_TARGETS


@pytest.mark.parametrize("name", UNREADABLE)
def test_what_cannot_be_read_is_riskier(name: str) -> None:
    assert read_shell(HOSTILE[name]).unreadable
    assert level(HOSTILE[name]) >= RiskLevel.HIGH
    assert not read_shell(HOSTILE[name]).reads_only


SAMPLES = [text for texts in DANGEROUS.values() for text in texts] + HARMLESS
TOKENS = sorted({word for text in SAMPLES for word in text.split()}) + list(
    "()[]{}<>|&;$`'\"\\\n# *?~!="
)


@settings(max_examples=250, deadline=None, derandomize=True)
@given(st.text(max_size=200))
def test_no_text_raises(text: str) -> None:
    read_shell(text)


@settings(max_examples=250, deadline=None, derandomize=True)
@given(st.lists(st.sampled_from(TOKENS), max_size=40), st.sampled_from(["", " "]))
def test_no_mixture_of_words_and_signs_raises(words: list[str], blank: str) -> None:
    read_shell(blank.join(words))


@settings(max_examples=250, deadline=None, derandomize=True)
@given(st.sampled_from(SAMPLES), st.integers(0, 80), st.sampled_from(TOKENS))
def test_no_mutation_raises(text: str, place: int, token: str) -> None:
    read_shell(text[:place] + token + text[place:])
    read_shell(text[:place] + text[place + 1 :])


@pytest.mark.parametrize(
    "broken", ["{}; echo 'open", '{}; echo "open', "{}; )", "if {}", "{} $(", "{}; case x"]
)
def test_broken_syntax_hides_nothing(broken: str) -> None:
    every = [text for texts in DANGEROUS.values() for text in texts][::5]

    assert [it for it in every if level(broken.replace("{}", it)) < RiskLevel.HIGH] == []
