"""Nothing hides behind many harmless texts of its kind: what is left unread at a limit goes up."""

import json
from collections.abc import Callable
from itertools import product

import pytest
from tests.unit.risk.builders import the_policy

from holdpoint.core.risk.shell.inner_commands import MAX_INNER
from holdpoint.core.risk.shell.state import MAX_COMMANDS
from holdpoint.messages.risk import RiskLevel
from holdpoint.policy_lab.assess import judged
from holdpoint.policy_lab.cases import Line, LineKind

Shape = Callable[[list[str]], str]

SHAPES: dict[str, Shape] = {
    "runner": lambda each: f"concurrently {' '.join(map(repr, each))}",
    "obeyed": lambda each: "perl -ne 'system $_' <<X\n" + "\n".join(each) + "\nX",
    "calculator": lambda each: "dc -e '" + "\n".join(f"!{one}" for one in each) + "'",
    "remote": lambda each: f"aws ssm send-command --parameters '{json.dumps({'commands': each})}'",
    "python": lambda each: "python3 -c '" + ";".join(f'os.system("{one}")' for one in each) + "'",
    "node": lambda each: "node -e '" + ";".join(f'execSync("{one}")' for one in each) + "'",
    "later": lambda each: "at now <<X\n" + "\n".join(each) + "\nX",
    "found": lambda each: "find . " + " ".join(f"-exec {one} \\;" for one in each),
    "made": lambda each: "make -f - <<'X'\nall:\n" + "\n".join(f"\t{one}" for one in each) + "\nX",
}
"""Ways in which one command runs many texts."""

STATEMENTS: dict[str, Shape] = {
    "psql": lambda each: "\n".join(f"psql -c '{one}'" for one in each),
    "one psql": lambda each: "psql " + " ".join(f"-c '{one}'" for one in each),
}
CLIENTS: dict[str, Shape] = {
    "psql": lambda each: "\n".join(f"\\! {one}" for one in each),
    "sqlite": lambda each: "\n".join(f".shell {one}" for one in each),
}
MANY = (20, 60, 300)
FEW = 6


def level(text: str, kind: LineKind = LineKind.SHELL) -> RiskLevel:
    return judged(Line(id="", kind=kind, text=text), the_policy()).level


@pytest.mark.parametrize("name", SHAPES)
def test_no_command_hides_behind_others(name: str) -> None:
    shape = SHAPES[name]

    assert level(shape(["ls a"] * FEW)) < RiskLevel.HIGH
    assert [
        many for many in MANY if level(shape(["ls a"] * many + ["dropdb shop"])) < RiskLevel.HIGH
    ] == []


def test_no_statement_hides_behind_others() -> None:
    hidden = [
        (name, many)
        for (name, shape), many in product(STATEMENTS.items(), MANY)
        if level(shape(["select 1"] * many + ["DROP DATABASE x"])) < RiskLevel.HIGH
    ]

    assert hidden == []


def test_no_line_for_a_client_hides_behind_others() -> None:
    hidden = [
        (name, many)
        for (name, shape), many in product(CLIENTS.items(), MANY)
        if level(shape(["ls"] * many + ["dropdb shop"]), LineKind.SQL) < RiskLevel.HIGH
    ]

    assert hidden == []


def test_no_delimiter_hides_behind_others() -> None:
    others = "".join(f"delimiter x{number}\n" for number in range(40))
    text = f"{others}delimiter $$\nselect 1$$ DROP TABLE x$$"

    assert level(text, LineKind.SQL) >= RiskLevel.HIGH


def test_the_walk_is_full_before_its_texts_are_at_their_limit() -> None:
    """Two ordinary commands count as one."""
    assert MAX_INNER > 2 * MAX_COMMANDS
