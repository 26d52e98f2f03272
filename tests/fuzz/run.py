"""`make fuzz CORPUS=DIR`: does any disguise hide what the risk engine finds dangerous plainly?

Every row of each .jsonl in DIR (as `make score` reads it) that is labelled dangerous and asks a
person today is disguised in each way that fits, and in some that lie two and three deep over each
other. Every row, whatever its label, is broken and mixed with others too: there nothing may raise.
It ends with 1 when less than 99 % of a kind still ask. `--seed` repeats a run, `--show` prints
what fell.
"""

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random  # noqa: TID251  # seeded: a run can be repeated

from bench.rows import BadCorpusError, Label, rows_in
from tests.fuzz.layers import DEPTH, layered, once
from tests.fuzz.mutations import mutated

from holdpoint.messages.policy import Policy
from holdpoint.messages.risk import RiskLevel
from holdpoint.policy_lab.assess import judged
from holdpoint.policy_lab.cases import Line
from holdpoint.runtime.config.policy import load_policy

CONFIG = Path(__file__).parents[2] / "deploy" / "config"
KEPT_PERCENT = 99
ROUNDS = 2
"""Times that each row is disguised two deep, and three deep."""

SEED = 1


class Tried:
    """How often something was tried, how often it fell, and what fell."""

    def __init__(self) -> None:
        self.all: Counter[str] = Counter()
        self.fallen: Counter[str] = Counter()
        self.texts: list[str] = []

    def add(self, name: str, line: Line, *, asks: bool) -> None:
        self.all[name] += 1
        if not asks:
            self.fallen[name] += 1
            self.texts.append(f"{name}: {line.text or json.dumps(line.payload)}")

    def kept(self, name: str) -> float:
        """In percent."""
        return 100 - 100 * self.fallen[name] / self.all[name]


def main() -> int:
    given = _arguments()
    corpus = os.environ.get("CORPUS", "")
    if not corpus:
        print("fuzz: no corpus. Name a folder of labelled *.jsonl: make fuzz CORPUS=DIR")
        return 0
    try:
        return scored(Path(corpus), given)
    except BadCorpusError as error:
        print(f"fuzz: {error}", file=sys.stderr)
        return 1


def scored(corpus: Path, given: argparse.Namespace) -> int:
    """What fell of a corpus is printed; 1 when that is too much."""
    policy = load_policy(CONFIG, {})
    lines = [line for line in dangerous(corpus) if _asks(line, policy)]
    if not lines:
        print(f"fuzz: {corpus} holds no dangerous row that asks", file=sys.stderr)
        return 1
    print(f"fuzz: {len(lines)} rows, seed {given.seed}")
    count = broken([line for _, line in rows(corpus)], policy, Random(given.seed))  # noqa: S311
    print(f"fuzz: {count} broken rows, and nothing raised")
    kinds, disguises = tried(lines, policy, Random(given.seed), given.rounds)  # noqa: S311
    _print(kinds, disguises, show=given.show)
    low = [name for name in kinds.all if kinds.kept(name) < KEPT_PERCENT]
    for name in low:
        print(f"fuzz: {name} keeps less than {KEPT_PERCENT} %", file=sys.stderr)
    return 1 if low else 0


def tried(lines: list[Line], policy: Policy, dice: Random, rounds: int) -> tuple[Tried, Tried]:
    """By kind, singly and composed; and by disguise, singly."""
    kinds, disguises = Tried(), Tried()
    for line in lines:
        for name, changed in once(line):
            asks = _asks(changed, policy)
            kinds.add(f"{line.kind}, singly", changed, asks=asks)
            disguises.add(f"{line.kind}: {name}", changed, asks=asks)
        for names, changed in _composed(line, dice, rounds):
            asks = _asks(changed, policy)
            kinds.add(f"{line.kind}, composed", changed, asks=asks)
            if not asks:
                disguises.texts.append(f"{' + '.join(names)}: {changed.text or changed.payload}")
    return kinds, disguises


def broken(lines: list[Line], policy: Policy, dice: Random) -> int:
    """How many were tried; what raises is named."""
    for line in lines:
        found = mutated(line, dice.choice(lines), dice)
        try:
            judged(found, policy)
        except Exception as error:
            error.add_note(f"fuzz: this raised: {found}")
            raise
    return len(lines)


def _composed(line: Line, dice: Random, rounds: int) -> Iterator[tuple[tuple[str, ...], Line]]:
    for _ in range(rounds):
        for depth in range(2, DEPTH + 1):
            yield layered(line, depth, dice)


def dangerous(corpus: Path) -> Iterator[Line]:
    """The dangerous rows."""
    return (line for label, line in rows(corpus) if label is Label.DANGEROUS)


def rows(corpus: Path) -> Iterator[tuple[Label, Line]]:
    """Each text once, with its label."""
    return ((row.known.label, row.line) for row in rows_in(corpus) if row.known.primary)


def _asks(line: Line, policy: Policy) -> bool:
    return judged(line, policy).level >= RiskLevel.HIGH


def _print(kinds: Tried, disguises: Tried, *, show: bool) -> None:
    print("{:60} {:>8} {:>8} {:>8}".format("", "tried", "fell", "kept"))
    _table(sorted(kinds.all), kinds)
    print("-- by disguise, the worst first")
    _table(sorted(disguises.all, key=disguises.kept), disguises)
    for text in disguises.texts if show else ():
        print(f"fell: {text}")


def _table(names: Iterable[str], tries: Tried) -> None:
    for name in names:
        shown = name.replace("\n", " ")
        kept = f"{tries.kept(name):.2f}%"
        print(f"{shown:60.60} {tries.all[name]:>8} {tries.fallen[name]:>8} {kept:>8}")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, prog="tests.fuzz.run")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--show", action="store_true", help="print what fell")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
