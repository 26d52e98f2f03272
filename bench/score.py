"""How well the risk engine tells danger: `make score CORPUS=DIR` runs it over each .jsonl in DIR.

What a row holds is written in bench/README.md; an ambiguous one counts for nothing. Recall is the
share of dangerous rows at HIGH or above, false alarms the share of benign ones. The corpora stay
outside of the project; what they must reach stands in `score.yaml`, and the exit code is 1 when
they do not, or when a row cannot be read.
"""

import os
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import yaml
from bench.benign_day import Day, of_calls, of_commands
from bench.rows import CORE, BadCorpusError, Label, rows_in

from holdpoint.messages.policy import Policy
from holdpoint.messages.risk import RiskLevel
from holdpoint.policy_lab.assess import judged
from holdpoint.runtime.config.policy import load_policy

ROOT = Path(__file__).parents[1]
FIGURES = ROOT / "bench" / "score.yaml"
RISKY = re.compile(
    r"\brm\b|rmdir|unlink|shred|\bdd\b|mkfs|wipefs|truncate|delete|drop\b|destroy|terminate|purge|"
    r"prune|--force|\s-f\b|--hard|reset|clean\b|chmod|chown|kill|shutdown|reboot|"
    r"\|\s*(?:sudo\s+)?(?:ba|z)?sh\b|remove|uninstall|push|/dev/(?:sd|nvme)|eval|base64|overwrite|"
    r"cancel|transfer|pay",
    re.IGNORECASE,
)
"""Words that make a benign row a hard one: the false alarms that matter."""


class Cell:
    """How many of each label there were, and how many of those asked a person."""

    def __init__(self) -> None:
        self.count: dict[str, int] = defaultdict(int)
        self.flagged: dict[str, int] = defaultdict(int)

    def add(self, label: str, *, flagged: bool) -> None:
        self.count[label] += 1
        self.flagged[label] += flagged

    def share(self, label: str) -> float | None:
        """In percent; None when there was none."""
        return 100 * self.flagged[label] / self.count[label] if self.count[label] else None

    def __str__(self) -> str:
        parts = [self.count["dangerous"], _percent(self.share("dangerous"))]
        parts += [self.count["benign"], _percent(self.share("benign"))]
        parts += [self.count["ambiguous"], _percent(self.share("ambiguous"))]
        return "{:>7} {:>7} {:>7} {:>7} {:>7} {:>7}".format(*parts)


def main(corpus: str) -> int:
    policy = load_policy(ROOT / "deploy" / "config", {})
    days = [of_commands(policy)]
    if not corpus:
        _print_days(days)
        print(
            "score: printed only how often an ordinary day of commands asks. Recall and false "
            "alarms need a folder of labelled *.jsonl, which is not part of the project "
            "(bench/README.md): make score CORPUS=DIR"
        )
        return 0
    try:
        kinds, sources, hard = measured(Path(corpus), policy)
        days.append(of_calls(Path(corpus), policy))
    except BadCorpusError as error:
        print(f"score: {error}", file=sys.stderr)
        return 1
    _print(kinds, sources, hard)
    _print_days(days)
    told = [*_short_of(kinds, hard), *_asked_too_often(days)]
    for line in told:
        print(f"score: {line}", file=sys.stderr)
    return 1 if told else 0


Cells = dict[str, Cell]


def measured(corpus: Path, policy: Policy) -> tuple[Cells, Cells, Cells]:
    """By kind (one row for each distinct text), by kind and source, and hard ones by kind."""
    kinds: Cells = defaultdict(Cell)
    sources: Cells = defaultdict(Cell)
    hard: Cells = defaultdict(Cell)
    for row in rows_in(corpus):
        kind, known = row.line.kind, row.known
        flagged = judged(row.line, policy).level >= RiskLevel.HIGH
        scope = "" if known.scope == CORE else " (extended)"
        sources[f"{kind}{scope}: {known.source}"].add(known.label, flagged=flagged)
        if known.primary:
            kinds[kind + scope].add(known.label, flagged=flagged)
            if not scope and known.label is Label.BENIGN and RISKY.search(row.body):
                hard[kind].add(known.label, flagged=flagged)
    return kinds, sources, hard


def _print(kinds: Cells, sources: Cells, hard: Cells) -> None:
    head = "{:44} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7}"
    print(head.format("", "danger", "recall", "benign", "alarms", "ambig.", "asked"))
    for title, cells in (
        ("by kind", kinds),
        ("benign with a risky word", hard),
        ("by source", sources),
    ):
        print(f"-- {title}")
        for name in sorted(cells):
            print(f"{name:44.44} {cells[name]}")


def _print_days(days: list[Day]) -> None:
    print("-- a benign day")
    for day in days:
        print(
            f"{day.kind:44.44} {len(day.asked)} of {day.count} ask, at most {day.most:.0f} in 100"
        )


def _asked_too_often(days: list[Day]) -> Iterator[str]:
    for day in days:
        if day.share > day.most:
            yield f"{day.kind}: {day.share:.1f} % ask, above {day.most:.0f} %"


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{share:.1f}%"


def _short_of(kinds: Cells, hard: Cells) -> Iterator[str]:
    """What falls below the committed figures."""
    for kind, wanted in yaml.safe_load(FIGURES.read_text(encoding="utf-8")).items():
        recall, alarms = kinds[kind].share("dangerous"), kinds[kind].share("benign")
        hard_alarms = hard[kind].share("benign")
        if recall is not None and recall < wanted["recall"]:
            yield f"{kind}: recall {recall:.1f} % is below {wanted['recall']} %"
        if alarms is not None and alarms > wanted["false_alarms"]:
            yield f"{kind}: false alarms {alarms:.1f} % are above {wanted['false_alarms']} %"
        if (
            hard_alarms is not None
            and hard_alarms > wanted["hard"]
            and hard[kind].count["benign"] > MANY
        ):
            yield f"{kind}: with a risky word {hard_alarms:.1f} % are above {wanted['hard']} %"


MANY = 20
"""Benign rows with a risky word, under which one more or less says nothing."""


if __name__ == "__main__":
    sys.exit(main(os.environ.get("CORPUS", "")))
