"""`make bench-risk`: how long one assessment takes, in processor time of its thread.

Every text is new to the engine: its names and numbers are drawn anew from a printed seed, because
an automaton that builds itself as it reads is quick on what it has read before. Of several rounds,
each over new texts, the best counts: what shares the machine only ever adds. What is hostile is
measured once each. Budgets stand beside the figures; the exit code is 1 when one is missed.
"""

import gc
import os
import platform
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from holdpoint.core.risk import make_fast
from holdpoint.core.risk.patterns import matcher
from holdpoint.core.text import fold
from holdpoint.messages.policy import Intents, Pattern, Policy
from holdpoint.messages.risk import Heuristic, RiskLevel
from holdpoint.policy_lab.assess import judged
from holdpoint.policy_lab.cases import Line, LineKind
from holdpoint.runtime.config.policy import load_policy

SHIPPED = Path(__file__).parents[1] / "deploy" / "config"
SEED = 20261121
WARM_UP = 200
ROUNDS = 3
TEXTS = 1000
LENGTH = 300
LONG = 2000
MANY = 5000
RULES = 500
SENTENCE = 100
"""Characters at least of what counts as one sentence: two or three short ones."""

READ_US, READ_TEXT_US = 15_000, 30_000
READ_LONG_MS = 50
"""What the learned reader may take for the longest text it reads, in a thread of its own."""

LOOPS = 1_000_000
TANGLED = 10 * 1024 * 1024
NESTED = 100_000

COMMANDS = (
    "ls -la /srv/{a}/{b}", "grep -rn {a} src/{b} | sort | uniq -c", "cp {a}-{n}.txt /tmp/{b}.txt",
    "python3 tools/{a}.py --limit {n} --out {b}.json", "git log --oneline -n {n} -- {a}/{b}",
    "curl -s https://{a}.example.org/{b}?page={n} | jq .{a}", "tar czf {a}.tgz {b} && du -sh {b}",
    "find {a} -name '*.{b}' -mtime +{n} -print", "docker ps --all --filter name={a} --last {n}",
    'for f in {a}/*.csv; do wc -l "$f"; done', "kubectl get pods -n {a} -l app={b} -o wide",
)  # fmt: skip
SENTENCES = (
    "I looked at {a} and found {n} entries about {b}.", "Next I will compare {a} with {b}.",
    "The report on {a} mentions {b} {n} times.", "Could you tell me where {a} keeps its {b}?",
    "I have read {n} pages of {a}; {b} is on page {n}.", "There was nothing about {b} in {a}.",
)  # fmt: skip
STATEMENTS = (
    "SELECT {a}, count(*) AS n FROM {b} WHERE {a} > {n} GROUP BY {a} ORDER BY n DESC",
    "DELETE FROM {a} WHERE {b} < {n} AND {a}.id NOT IN (SELECT id FROM {b})",
    "WITH x AS (SELECT * FROM {a} JOIN {b} USING (id) WHERE {b}.k = {n}) SELECT * FROM x",
)

Draw = Callable[[random.Random], Line]


class Figure(msgspec.Struct, frozen=True, kw_only=True):
    """What was measured, and what it may cost at most, in its unit."""

    name: str
    value: float
    budget: float
    unit: str = "us"

    @property
    def is_met(self) -> bool:
        """Whether it costs no more than it may."""
        return self.value <= self.budget

    def __str__(self) -> str:
        verdict = "" if self.is_met else "   MISSED"
        return f"{self.name:46} {self.value:9.1f} {self.unit:3} of {self.budget:g}{verdict}"


def main() -> int:
    """Print every figure; how many budgets were missed, as an exit code."""
    policy = load_policy(SHIPPED, {})
    make_fast(policy)
    gc.freeze()  # as a gate does when it has begun
    print(f"a loop of {LOOPS:,} takes {_loop():.1f} ms here, in {_python()}")
    figures = []
    for figure in _figures(policy):
        print(figure, flush=True)
        figures.append(figure)
    return 0 if all(figure.is_met for figure in figures) else 1


def _python() -> str:
    """Which Python runs, and by whom it was compiled: what that was done with costs a sixth."""
    return f"Python {platform.python_version()} of {' '.join(platform.python_build())}"


def _loop() -> float:
    """Milliseconds that tell how quick this machine is just now."""
    began = time.thread_time()
    sum(range(LOOPS))
    return (time.thread_time() - began) * 1e3


def _figures(policy: Policy) -> Iterator[Figure]:
    rules = msgspec.structs.replace(policy, intents=Intents(reader=False))
    for name, length, draw, by, most_p50, most_p99 in (
        ("shell", LENGTH, _shell, policy, 150, 400),
        ("tool_call", LENGTH, _tool_call, policy, 150, 400),
        ("sql", LENGTH, _sql, policy, 1_000, 3_000),
        ("text, by rules", LENGTH, _dialogue, rules, 150, 400),
        ("text, with the reader", LENGTH, _dialogue, policy, READ_TEXT_US, READ_TEXT_US),
        ("sentence, with the reader", SENTENCE, _sentence, policy, READ_US, READ_US),
    ):
        p50, p99 = _times(draw, by)
        yield Figure(name=f"{name}, {length} characters, p50", value=p50, budget=most_p50)
        yield Figure(name=f"{name}, {length} characters, p99", value=p99, budget=most_p99)
    more = msgspec.structs.replace(rules, patterns=(*rules.patterns, *_patterns(MANY)))
    ratio = _times(_dialogue, more)[0] / _times(_dialogue, rules)[0]
    yield Figure(name=f"with {MANY} more patterns", value=ratio, budget=1.3, unit="x")
    yield _patterns_alone()
    yield from _import()
    for name, line in _hostile():
        spent, level = _spent(line, policy)
        most = 20 + READ_LONG_MS if line.kind is LineKind.DIALOGUE else 20
        yield Figure(name=f"hostile: {name}", value=spent / 1000, budget=most, unit="ms")
        if level.rank < RiskLevel.HIGH.rank:
            yield Figure(name=f"  its level is {level.value}, not up", value=1, budget=0, unit="")


def _times(draw: Draw, policy: Policy) -> tuple[float, float]:
    """The best p50 and the best p99 of all rounds, in microseconds."""
    dice = random.Random(SEED)  # repeatable, not secret
    for _ in range(WARM_UP):
        judged(draw(dice), policy)
    rounds = [_round([draw(dice) for _ in range(TEXTS)], policy) for _ in range(ROUNDS)]
    return min(_at(took, 0.5) for took in rounds), min(_at(took, 0.99) for took in rounds)


def _round(lines: list[Line], policy: Policy) -> list[float]:
    """What each cost, in ascending order; garbage of before is no part of it."""
    gc.collect()
    return sorted(_spent(line, policy)[0] for line in lines)


def _spent(line: Line, policy: Policy) -> tuple[float, RiskLevel]:
    """Microseconds of this thread's processor time, and the level."""
    began = time.thread_time()
    found = judged(line, policy)
    return (time.thread_time() - began) * 1e6, found.level


def _at(took: list[float], share: float) -> float:
    return took[int(len(took) * share)]


def _patterns_alone() -> Figure:
    dice = random.Random(SEED)  # repeatable, not secret
    scan = matcher(_patterns(RULES))
    took = []
    for _ in range(WARM_UP + TEXTS):
        text = fold(_text(dice, SENTENCES, " ", LONG))
        began = time.thread_time()
        scan.hits(text)
        took.append((time.thread_time() - began) * 1e6)
    p99 = _at(sorted(took[WARM_UP:]), 0.99)
    return Figure(name=f"{RULES} patterns, {LONG} characters, p99", value=p99, budget=50)


def _patterns(count: int) -> tuple[Pattern, ...]:
    return tuple(
        Pattern(
            id=f"bench.{number}",
            pattern=rf"\b(?:zap|wipe)\w* the {_word(random.Random(number))}\w*\b",
            heuristic=Heuristic.IRREVERSIBILITY,
            level=RiskLevel.HIGH,
            reason="it zaps",
        )
        for number in range(count)
    )


def _shell(dice: random.Random) -> Line:
    return Line(id="", kind=LineKind.SHELL, text=_text(dice, COMMANDS, "\n", LENGTH))


def _dialogue(dice: random.Random) -> Line:
    return Line(id="", kind=LineKind.DIALOGUE, text=_text(dice, SENTENCES, " ", LENGTH))


def _sentence(dice: random.Random) -> Line:
    return Line(id="", kind=LineKind.DIALOGUE, text=_text(dice, SENTENCES, " ", SENTENCE))


def _sql(dice: random.Random) -> Line:
    return Line(id="", kind=LineKind.SQL, text=_text(dice, STATEMENTS, ";\n", LENGTH))


def _tool_call(dice: random.Random) -> Line:
    args = {_word(dice): dice.choice((_word(dice), dice.randrange(90))) for _ in range(14)}
    payload = {"tool": f"get_{_word(dice)}", "args": args | {"note": _word(dice) * 5}}
    return Line(id="", kind=LineKind.TOOL_CALL, payload=payload)


def _text(dice: random.Random, parts: tuple[str, ...], between: str, length: int) -> str:
    text = ""
    while len(text) < length:
        drawn = dice.choice(parts).format(a=_word(dice), b=_word(dice), n=dice.randrange(2, 90))
        text += (between if text else "") + drawn
    return text


def _word(dice: random.Random) -> str:
    return "".join(dice.choice("bdfgklmnprst") + dice.choice("aeiou") for _ in range(3))


_TANGLE = 'delete from t where (a=1 or b=2) and $((1+<<< "a" {{a,{{{{a, {} '
_STATED = 'psql -c "delete from b{} where k in (select 2)"'
_MAKEFILE = (
    "cat > Makefile <<'E'\n"
    + "".join(f"V{at}=$(V{at + 1})\n" for at in range(900))
    + "all:\n\trm $(V0)\nE\nmake"
)
_HALF = 'delete from t where (a=1 or b=2) and <<< "a" '


_IMPORT = """
import time
from pathlib import Path
def memory():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 1e6
before = memory()
from holdpoint.core.risk import assess
print(time.process_time() * 1000, memory() - before)
"""


def _import() -> Iterator[Figure]:
    """What a process pays that assesses anything: with its modules compiled, the second time."""
    compiled = os.environ | {"PYTHONDONTWRITEBYTECODE": ""}
    for _ in range(2):
        ran = subprocess.run(
            [sys.executable, "-c", _IMPORT], capture_output=True, check=True, env=compiled
        )
    spent, grown = map(float, ran.stdout.split())
    yield Figure(name="import, in processor time", value=spent, budget=400, unit="ms")
    yield Figure(name="import, in memory", value=grown, budget=45, unit="MB")


def _hostile() -> Iterator[tuple[str, Line]]:
    texts = {
        "10 MB of one letter": "a" * TANGLED,
        "100,000 parentheses": "(" * NESTED,
        "10 MB of zero width": "a\u200b" * (TANGLED // 4),
        "bait for a backtracker": "a" * 30_000 + "!",
        "30,000 pipes": "echo a | " * 30_000,
        "1,000 searches in each other": "find . -exec " * 1_000,
        "8,000 brackets that close nothing": ")" * 8_000,
        "600 pipes without commands": "| tee | nc -l | " * 300,
        "texts in broken texts": "if eval " * 300,
        "300 patterns for programs": "; ".join(f"/*/c?{at}* y" for at in range(300)),
        "lists in braces": "ls " + "{p,q}{r,s}{t,u}{v,w} " * 600,
        "7,000 escapes": "\x1b[" * 7_000,
        "300 statements for a database": "; ".join(map(_STATED.format, range(300))),
        "500 orders of one search": 'find . -exec sh -c "echo {}" \\; ' * 500,
        "2,000 values that double": "a=$a$a;" * 2_000,
        "800 edits of one file": "echo a > f; " + 'sed -i "s/a/b/" f; ' * 800,
        "900 variables of a makefile": _MAKEFILE,
        "codes without an end": 'python3 -c "import os;' * 680,
        "150 things moved away": "".join(f"mv a{at} /tmp/b{at};" for at in range(150))
        + "rm -rf"
        + " /tmp/a/b" * 1_000,
        "forms that are printed": 'printf "%d%d%d%d%d%d%d%d";' * 600,
        "prompts": "user@host:~$ ls -la\n" * 800,
    }
    for name, text in texts.items():
        yield name, Line(id="", kind=LineKind.SHELL, text=text)
    yield "sentences of signs", Line(id="", kind=LineKind.DIALOGUE, text="f(){ f;};f;" * 5_000)
    tangle = "".join(map(_TANGLE.format, range(40)))
    yield "statements in a sentence", Line(id="", kind=LineKind.DIALOGUE, text=tangle)
    yield "1,000 quotations", Line(id="", kind=LineKind.DIALOGUE, text=_HALF * 1_000)
    yield "15,000 quotations", Line(id="", kind=LineKind.DIALOGUE, text='"a" ' * 15_000)
    yield "statements in each other", Line(id="", kind=LineKind.SQL, text=tangle)
    sums = {f"amount_{number}": number for number in range(1_500)}
    calls = {
        "1,500 sums beside a long list": sums | {"to": "a@b.example," * 5_000},
        "300,000 keys": {f"field_{number}": number for number in range(300_000)},
        "a key of 8 MB": {"field" * 1_600_000: 1},
        "2,000 elements": {"body": "<p>we drop them</p>" * 2_000},
        "900 sums beside a list each": {"x": [{"amount": "$5", "to": "a," * 500}] * 900},
    }
    for name, args in calls.items():
        yield name, Line(id="", kind=LineKind.TOOL_CALL, payload={"tool": "pay", "args": args})
    edits = {"path": "a", "edits": [{"old_string": "x", "new_string": "rm -rf /"}] * 5_000}
    yield (
        "5,000 edits",
        Line(id="", kind=LineKind.TOOL_CALL, payload={"tool": "edit_file", "args": edits}),
    )
    statements = {
        "sql in 100,000 parentheses": "SELECT " + "(" * NESTED + ")" * NESTED,
        "sql that opens 100,000": "DELETE FROM a WHERE " + "(" * NESTED,  # noqa: S608  # never run
        "sql of 17,000 strokes": "\\" * 17_000,
        "sql that drops 500,000 tables": "DROP TABLE " + "a, " * 500_000,
        "sql of 100,000 comments": "/*" * NESTED + "DROP TABLE a",
        "sql of 60,000 quotes": "$a$" + "$b$" * 60_000 + "DROP TABLE a",
        "sql in calls of calls": "EXEC('" * 5_000 + "DROP TABLE a",
        "sql of 50,000 updates": "UPDATE " * 50_000,
        "sql of orders without an end": "UPDATE a SET b = 1 " * 5_000,
        "sql of conditions without an end": _HALF * 300,
        "sql of cases without an end": "CASE WHEN a THEN " * 500,
        "sql of 95,000 faces": "😀" * 95_000,
        "sql of 95,000 turns": "\u202e" * 95_000,
    }
    for name, text in statements.items():
        yield name, Line(id="", kind=LineKind.SQL, text=text)


if __name__ == "__main__":
    sys.exit(main())
