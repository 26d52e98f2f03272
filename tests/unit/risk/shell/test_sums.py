"""What looks like a sum and is a group of commands runs; a sum with brackets alarms nobody."""

import pytest
from tests.unit.risk.builders import the_policy

from holdpoint.cli.assess import judged
from holdpoint.cli.lines import Line, LineKind
from holdpoint.messages.risk import RiskLevel

GROUP = "$((echo a; echo b) | wc -l) "


def level(text: str) -> RiskLevel:
    return judged(Line(id="", kind=LineKind.SHELL, text=text), the_policy()).level


@pytest.mark.parametrize(
    "text",
    [
        "echo $((echo hi; echo '0 4 * * * rm -rf /opt') | crontab -)",
        "echo $((echo hi; echo 'rm -rf /opt') | at now)",
        "echo $((echo hi) | (cat; rm -rf /opt))",
        'x="$((echo a; rm -rf /opt) | wc -l)"',
        "echo $((rm -rf /opt))",
        "n=$(( ($(rm -rf /opt)) * 2 ))",
        "echo $((1 + 2)) '$((' $((echo hi; echo 'rm -rf /opt') | at now)",
        f"echo {GROUP * 9} $((echo hi; echo 'rm -rf /opt') | at now)",
        'bash -c "bash -c \'bash -c \\"echo \\$((echo hi; echo rm -rf /opt) | at now)\\"\'"',
        "a='x[$(rm -rf /opt)]'; echo $(( (a) + 1 ))",
    ],
)
def test_a_group_in_a_substitution_runs(text: str) -> None:
    assert level(text) >= RiskLevel.HIGH


@pytest.mark.parametrize(
    "text",
    [
        "echo $((1+(2*3)))",
        "n=$(((4+5)*6)); echo $n",
        "n=$(( (a+b) * (c-d) )); ls -l",
        "echo $(( (n > 3 ? 1 : 0) + (m << 2) ))",
        "grep -n '$((' *.sh; ls",
        "echo 'a sum begins with $(( here'",
        "for i in 1 2 3; do echo $((i*i)) $((i+1)) $(( (i) )) $((i%2)) "
        + "$((2*i)) " * 20
        + "; done",
        'echo "$((echo a; ls) | wc -l)"',
        "for ((i=0; i<(3+1); i++)); do echo $((i*(i+1))); done",
    ],
)
def test_a_sum_with_brackets_is_only_worked_out(text: str) -> None:
    assert level(text) < RiskLevel.HIGH


@pytest.mark.parametrize("text", ["$((a;b)|" * 200 + "x", "$((a; " * 40 + "b" + ") | c)" * 40])
def test_groups_without_end_ask_a_person(text: str) -> None:
    assert level(text) >= RiskLevel.HIGH
