"""What a caller adds to a dangerous command leaves its level where it is, or raises it."""

import re
import shlex
from collections.abc import Callable, Sequence

import pytest
from tests.unit.risk.corpus import commands
from tests.unit.risk.shell.levels import level

EVERY = commands("asks", "basics")

# {it}: the command; {name}: its program; {quoted}: the command as one word.
BEFORE = (
    "{name}() {{ :; }}; {it}", "{name}() {{ echo no; }}\n{it}", "function {name} {{ :; }}\n{it}",
    "( {name}() {{ :; }} )\n{it}", "if false; then {name}() {{ :; }}; fi\n{it}",
    "{name}() {{ :; }}; unset -f {name}\n{it}", "{name}() {{ :; }}; bash -c {quoted}",
    "{name}() {{ :; }}; ssh h {quoted}", "{name}() {{ :; }}; eval {quoted}",
    "alias {name}=echo\n{it}", "alias {name}=true; {it}",
    'C={quoted}; false && C=ls; eval "$C"', 'C={quoted}; (C=ls); eval "$C"',
    'C={quoted}\nif [ -n "$CI" ]; then C=ls; fi\nbash -c "$C"', 'C={quoted}; C=ls & bash -c "$C"',
    'C={quoted}\ncase $1 in x) C=ls;; esac\nbash -c "$C"', 'C={quoted}; echo | C=ls; bash -c "$C"',
    'C={quoted}; while read l; do C=ls; done; bash -c "$C"', 'C={quoted}; C=ls bash -c "$C"',
    'C={quoted}; f() {{ C=ls; }}; bash -c "$C"', 'C={quoted}; true || C=ls; bash -c "$C"',
)  # fmt: skip
INSIDE = (
    "echo ${{a[$({it}\n)]}}", 'echo "${{a[$({it}\n)]}}"', "a[$({it}\n)]=1", "x=${{a[$({it}\n)0]}}",
    'unset "a[$({it}\n)]"', "(( a[$({it}\n)] ))", "echo ${{x:$({it}\n)}}", "echo ${{x/$({it}\n)/}}",
)  # fmt: skip
EVALUATED = (
    'x={quoted}; echo "${{x@P}}"', "x={quoted}; echo $((x))", "x={quoted}; [[ $x -eq 1 ]]",
    "test -v {quoted}", "declare {quoted}", "printf -v {quoted} x", "let {quoted}",
    "compgen -W {quoted}", "x={quoted}; y=x; echo ${{s:y}}",
)  # fmt: skip


def _program(command: str) -> str:
    found = re.match(r"[A-Za-z][\w.-]*", command)
    return found[0] if found else "ls"


def _added(shape: str, command: str) -> str:
    return shape.format(it=command, name=_program(command), quoted=shlex.quote(command))


def _evaluated(shape: str, command: str) -> str:
    return shape.format(quoted=shlex.quote(f"a[$({command}\n)0]=1"))


def _lowered(texts: Sequence[str]) -> list[str]:
    ways: list[tuple[tuple[str, ...], Callable[[str, str], str]]] = [
        (BEFORE, _added), (INSIDE, _added), (EVALUATED, _evaluated),
    ]  # fmt: skip
    return [
        text
        for command in texts
        for shapes, added in ways
        for shape in shapes
        if level(text := added(shape, command)) < level(command)
    ]


def test_nothing_that_a_caller_adds_lowers_a_dangerous_command() -> None:
    assert _lowered(EVERY[::9]) == []


@pytest.mark.slow
def test_nothing_that_a_caller_adds_lowers_any_dangerous_command() -> None:
    assert _lowered(EVERY) == []
