"""Chooses the reader's thresholds and measures it; both go into its card.

The thresholds come from the rows that were held back from training. Each set is measured by the
rules alone, by the reader alone and by both, as the shipped policy judges.
"""

import argparse
import json
import math
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from msgspec.structs import replace
from rows import PUBLIC, Row, public_rows, split, written_rows

from holdpoint.core.risk import Context, Sentence, assess, make_fast
from holdpoint.core.risk.intents.classifier import Reader, reader
from holdpoint.core.risk.intents.judgement import SOUNDS, plain
from holdpoint.messages.policy import Intents, Policy
from holdpoint.messages.risk import RiskLevel
from holdpoint.runtime.config.policy import load_policy

ROOT = Path(__file__).parents[1]
CARD = ROOT / "services" / "holdpoint" / "core" / "risk" / "data" / "reader" / "card.json"
FALSE_ALARMS = 0.02
"""Share of the harmless rows that the reader raises by their whole text."""

PART_FALSE_ALARMS = 0.0025
"""The same by one of their sentences."""

KEPT = 0.95
"""Share of the dangerous rows that the veto does not reach."""

UNSEEN = ("nl2bash-text", "safetoolbench-text", "agent-governance-toolkit")
"""Public sources that nothing is trained on."""

Measured = dict[str, dict[str, float | list[float]]]


def main() -> None:
    """Write thresholds and figures into the card, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", type=Path, help="labelled rows outside of the project")
    corpus = parser.parse_args().corpus
    _, held = split(written_rows())
    write(thresholds(reader(), held))
    reader.cache_clear()
    sets = {"written, held back": held}
    if corpus:
        sets |= {name: public_rows(corpus, (name,)) for name in UNSEEN}
        sets["public, held back"] = [
            row for name in PUBLIC for row in split(public_rows(corpus, (name,)))[1]
        ]
    policy = load_policy(ROOT / "deploy" / "config", {})
    make_fast(policy)
    figures = {name: measured(rows, policy) for name, rows in sets.items()}
    write({"figures": figures})
    print(json.dumps(figures, indent=1))


def thresholds(model: Reader, held: list[Row]) -> dict[str, float]:
    """Choose the scores from which a text raises, and below which it vetoes."""
    heard = [(model.hear(plain(row.text)), row.dangerous) for row in held]
    benign = [one for one, dangerous in heard if not dangerous]
    most = sorted(one.most for one, dangerous in heard if dangerous)
    return {
        "raises_at": _let_through([one.score for one in benign], FALSE_ALARMS),
        "part_raises_at": _let_through([one.part_score for one in benign], PART_FALSE_ALARMS),
        "vetoes_below": round(most[int(len(most) * (1 - KEPT))], 3),
    }


def _let_through(scores: list[float], share: float) -> float:
    return math.ceil(sorted(scores)[int(len(scores) * (1 - share))] * 1000) / 1000


def measured(rows: list[Row], policy: Policy) -> Measured:
    """Recall and false alarms at HIGH, in percent, with 95 % intervals."""
    rules = replace(policy, intents=Intents(reader=False))

    def level(row: Row, by: Policy) -> Any:
        return assess(Sentence(text=row.text), Context(), by)

    both = [(row.dangerous, level(row, policy)) for row in rows]
    alone = [(row.dangerous, level(row, rules)) for row in rows]
    return {
        "rules": _figures((one, found.level >= RiskLevel.HIGH) for one, found in alone),
        "reader": _figures((one, _sounds(found)) for one, found in both),
        "both": _figures((one, found.level >= RiskLevel.HIGH) for one, found in both),
    }


def _sounds(found: Any) -> bool:
    return any(one.rule == SOUNDS for one in found.signals)


def _figures(told: Iterable[tuple[bool, bool]]) -> dict[str, float | list[float]]:
    rows = list(told)
    found: dict[str, float | list[float]] = {}
    for name, wanted in (("recall", True), ("false_alarms", False)):
        flagged = [flag for dangerous, flag in rows if dangerous is wanted]
        if flagged:
            share, low, high = _interval(sum(flagged), len(flagged))
            found |= {name: share, f"{name}_95": [low, high], f"{name}_of": len(flagged)}
    return found


def _interval(count: int, of: int, z: float = 1.96) -> tuple[float, float, float]:
    """Wilson's interval, in percent."""
    share, wide = count / of, 1 + z * z / of
    middle = (share + z * z / 2 / of) / wide
    half = z * math.sqrt(share * (1 - share) / of + z * z / 4 / of / of) / wide
    to_percent: Callable[[float], float] = lambda one: round(100 * one, 1)  # noqa: E731
    return to_percent(share), to_percent(max(0, middle - half)), to_percent(min(1, middle + half))


def write(more: dict[str, Any]) -> None:
    """Add to the card."""
    card = json.loads(CARD.read_text("utf-8"))
    CARD.write_text(json.dumps(card | more, indent=2, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    main()
