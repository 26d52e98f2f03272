import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.risk.corpus import commands
from tests.unit.risk.shell.levels import level

from holdpoint.core.risk.shell.analyzer import MAX_TEXT, analyze_shell
from holdpoint.core.risk.shell.inner_commands import MAX_INNER
from holdpoint.core.risk.shell.state import MAX_BODIES, MAX_COMMANDS, MAX_FOUND, MAX_TARGETS
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
    "cuts": "x=" + "a" * 240 + "; " + "${x##*a*a*a*a*a*a*a*a*b*}; " * 500,
    "patterns": "".join(f"/bin/*{n}*sh -c '/bin/?*sh -c x'; " for n in range(400)),
    "quotes of perl": "perl -e '" + "qq(" * 4000 + "'",
    "pipes of perl": "perl -e '" + 'open "' * 2000 + "|'",
    "plays": "cat > a <<'E'\n" + "- a:\n  state: absent\n" * 600 + "E\nansible-playbook a",
    "marks": "a" + "\u0301" * 16_000,
    "invisible": "\u200b" * 16_000,
    "groups": "{ " * 400 + "ls" + "; }" * 400,
    "tests": "[[" * 2500,
    "nul": "rm\0-rf\0/",
    "surrogate": "rm -rf \ud800",
    "closers": ")" * 8000,
    "closers behind words": "gcloud) " * 2000,
    "few closers in much": "a b c d " * 600 + ") kubectl exec " * 600,
    "long pipelines": "| tee | nc -l | " * 250,
    "words in a variable": "TF_CLI_ARGS='" + "a " * 7000 + "'; " + "terraform apply; " * 80,
    "settings in variables": "".join(
        f"GIT_CONFIG_KEY_{at}=core.pager GIT_CONFIG_VALUE_{at}=x " for at in range(40)
    )
    + "git log; " * 400,
    "writes of tex": 'pdflatex "' + r"\write18{" * 1600 + '"',
    "one option again and again": "ssh " + "-o ProxyCommand=ls " * 700,
    "values in backticks": "E " + "LD_PRELOAD=a ` a+=b " * 800,
    "comparisons": "== " * 5000,
    "searches": "find . -exec " * 1200,
    "searches for names": "find " + "a " * 2000 + "-name b " * 1000 + "-exec rm {} \\;",
    "texts in broken texts": "if eval " * 300,
    "lists of values": "{a,b}${a:-declare ${aAND " * 30,
    "doubled values": "x=$x$x\n" * 2000,
    "codes": "ruby -e " * 2000,
    "feeds of feeds": "xargs -I{} xargs -n 1 " * 700,
    "quotes without an end": 'é~printf "%s" ' * 1000,
    "private": "\ue000rm\ue001 -rf /",
    "deep orders": "x='" + '{"command":' * 400 + '\'\naws ssm send-command "$x$x$x"',
    "turns that hand on": "while read a; do " * 5 + "echo $b; b=a" + "; done" * 5,
    "bodies": "".join(f"[ -f {n} ] && f() {{ ls {n}; }}\n" for n in range(MAX_BODIES + 1)) + "f",
    "sums in a default": "x='a[$(date)]'; echo ${z:-" + "$[" * 6 + "x" + "]" * 6 + "}",
    "long sums": "x='a[$(date)" + "b" * 8000 + "]'\n" + "((x))\n" * 90,
    "everyday commands": "touch a\n" * (MAX_COMMANDS + 1),
    "orders of one search": 'find . -exec sh -c "echo {}" \\; ' * 490,
    "edits of one file": "echo a > f; " + 'sed -i "s/a/b/" f; ' * 800,
    "codes in quotes": 'python3 -c "import os;" ;' * 600,
    "moves": "mv a /tmp/b;" * 400 + "rm -rf" + " /tmp/a/b" * 1000,
    "sums of statements": "$((1+delete from t where (a=1 or b=2) and " * 24,
    "short quotes of perl": "perl -e '" + "q/a/;" * (MAX_INNER + 1) + "qx/ls/'",
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
    "closers",
    "closers behind words",
    "few closers in much",
    "long pipelines",
    "values in backticks",
    "comparisons",
    "texts in broken texts",
    "lists of values",
    "doubled values",
    "feeds of feeds",
    "turns that hand on",
    "bodies",
    "sums in a default",
    "long sums",
    "everyday commands",
    "orders of one search",
    "edits of one file",
    "codes in quotes",
    "moves",
    "sums of statements",
)


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_texts_end_and_stay_bounded(name: str) -> None:
    reading = analyze_shell(HOSTILE[name])
    assert len(reading.signals) <= MAX_FOUND + 2
    assert len(reading.targets) <= MAX_TARGETS


@pytest.mark.parametrize("name", UNREADABLE)
def test_what_cannot_be_read_is_riskier(name: str) -> None:
    assert analyze_shell(HOSTILE[name]).unreadable
    assert level(HOSTILE[name]) >= RiskLevel.HIGH
    assert not analyze_shell(HOSTILE[name]).reads_only


@pytest.mark.parametrize("name", ["searches", "codes", "short quotes of perl"])
def test_what_runs_more_than_is_read_is_riskier(name: str) -> None:
    assert level(HOSTILE[name]) >= RiskLevel.HIGH


def test_what_costs_more_to_read_counts_as_more_commands() -> None:
    dear = {"orders of one search": 360, "edits of one file": 190, "codes in quotes": 130,
            "sums of statements": 260, "doubled values": 0}  # fmt: skip
    for name, most in dear.items():
        assert len(analyze_shell(HOSTILE[name]).commands) <= most, name


def test_ten_times_the_text_costs_not_a_hundred_times_as_much() -> None:
    dear: list[str] = []
    for name, unit in UNITS.items():
        few, many = (unit * (size // len(unit)) for size in (MAX_TEXT // 10, MAX_TEXT - 1))
        if _spent(many) > 40 * _spent(few) + 0.05:
            dear.append(name)

    assert dear == [], "of this thread's processor time, with room for a tracer"


UNITS = {
    "closers": ")",
    "closers behind words": "..)",
    "searches": "find . -exec ",
    "broken texts": "if eval ",
    "quoted words": 'é~printf "%s" ',
    "here-strings": '<<<"I UPDATE t SET a="',
    "pipes": "a | ",
    "comparisons": "== ",
    "values": "x=$x$x\n",
    "codes": "ruby -e ",
}


def _spent(text: str) -> float:
    """The least of three times."""
    took: list[float] = []
    for _ in range(3):
        began = time.thread_time()
        analyze_shell(text)
        took.append(time.thread_time() - began)
    return min(took)


def test_a_document_is_no_tangle_whatever_stands_in_it() -> None:
    for line in ("print(f(a), g(b), [c])", "| a | b | c |", "1) see `a` and `b` :)"):
        text = f"cat > notes.md <<'END'\n{(line + chr(10)) * 100}END\nls -la"
        assert not analyze_shell(text).unreadable, line


SAMPLES = [*commands("asks", "basics"), *commands("silent", "basics")]
TOKENS = sorted({word for text in SAMPLES for word in text.split()}) + list(
    "()[]{}<>|&;$`'\"\\\n# *?~!="
)


@settings(max_examples=250, deadline=None, derandomize=True)
@given(st.text(max_size=200))
def test_no_text_raises(text: str) -> None:
    analyze_shell(text)


@settings(max_examples=250, deadline=None, derandomize=True)
@given(st.lists(st.sampled_from(TOKENS), max_size=40), st.sampled_from(["", " "]))
def test_no_mixture_of_words_and_signs_raises(words: list[str], blank: str) -> None:
    analyze_shell(blank.join(words))


@settings(max_examples=250, deadline=None, derandomize=True)
@given(st.sampled_from(SAMPLES), st.integers(0, 80), st.sampled_from(TOKENS))
def test_no_mutation_raises(text: str, place: int, token: str) -> None:
    analyze_shell(text[:place] + token + text[place:])
    analyze_shell(text[:place] + text[place + 1 :])


@pytest.mark.parametrize(
    "broken", ["{}; echo 'open", '{}; echo "open', "{}; )", "if {}", "{} $(", "{}; case x"]
)
def test_broken_syntax_hides_nothing(broken: str) -> None:
    every = commands("asks", "basics")[::5]

    assert [it for it in every if level(broken.replace("{}", it)) < RiskLevel.HIGH] == []


def test_nothing_hides_behind_more_parts_than_are_read_of_broken_syntax() -> None:
    text = f"function\necho {'a ' * 2_600}\nrm -rf /srv"

    assert level(text) >= RiskLevel.HIGH
    assert level(text.replace("rm -rf /srv", "ls")) >= RiskLevel.HIGH
    assert level("function\necho a\nls") < RiskLevel.HIGH
