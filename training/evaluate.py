"""Chooses the reader's thresholds and measures it; both go into its card.

The thresholds come from rows that were held back from training: some of each writer's, and all of
one whose rows are crossed. Each set is measured by the rules alone, by the reader alone and by
both, as the shipped policy judges.
"""

import argparse
import json
import math
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from function_words import area
from rows import (
    CHOSEN_BY,
    FIFTH,
    LATEST,
    OWN,
    PUBLIC,
    UNSEEN_WRITER,
    Row,
    crossed_rows,
    english,
    own_rows,
    public_rows,
    rows_of,
    split,
    written_rows,
)

from holdpoint.core.risk import Context, Sentence, assess, make_fast
from holdpoint.core.risk.assessment import by_rules
from holdpoint.core.risk.intents.classifier import reader
from holdpoint.core.risk.intents.judgement import SOUNDS, heard
from holdpoint.messages.policy import Policy
from holdpoint.messages.risk import RiskLevel
from holdpoint.runtime.config.policy import load_policy

ROOT = Path(__file__).parents[1]
CARD = ROOT / "services" / "holdpoint" / "core" / "risk" / "data" / "reader" / "card.json"
FALSE_ALARMS, CROSSED_FALSE_ALARMS = 0.05, 0.055
"""Shares of the harmless rows that the reader raises: of those that were held back, and of the
writer whose rows are crossed."""

VETOES_BELOW = 0.5
"""Score below which a text sounds harmless."""

UNSEEN = ("nl2bash-text", "safetoolbench-text", "agent-governance-toolkit")
"""Public sources that nothing is trained on."""

Measured = dict[str, dict[str, float | list[float]]]


def main() -> None:
    """Write thresholds and figures into the card, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", type=Path, help="labelled rows outside of the project")
    corpus = parser.parse_args().corpus
    _, held = split(written_rows())
    chosen, unseen = rows_of(CHOSEN_BY), rows_of(UNSEEN_WRITER)
    write({"vetoes_below": VETOES_BELOW})
    reader.cache_clear()
    write({"raises_at": raises_at(held, chosen)})
    reader.cache_clear()
    write({"function_words_auc": _by_form(chosen, unseen)})
    sets = {"written, held back": held, f"{CHOSEN_BY}, chosen by": chosen}
    sets[f"{UNSEEN_WRITER}, unseen"] = unseen
    sets |= {f"{one}, a fifth held back": split(rows_of(one), FIFTH)[1] for one in LATEST}
    sets |= {f"{one}.jsonl, a fifth held back": own_rows(one)[1] for one in OWN}
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


def _by_form(*held_out: list[Row]) -> dict[str, float]:
    """Tell how well function words alone tell the rows of writers that were held out."""
    trained = english(crossed_rows())
    return {rows[0].source: round(area(trained, english(rows)), 3) for rows in held_out}


def raises_at(held: list[Row], crossed: list[Row]) -> float:
    """Choose the score from which a text raises."""
    harmless, by_writer = (
        [found for row in rows if not row.dangerous and (found := heard(row.text))]
        for rows in (held, crossed)
    )
    return max(
        _let_through([one.most for one in harmless], FALSE_ALARMS),
        _let_through([one.most for one in by_writer], CROSSED_FALSE_ALARMS),
    )


def _let_through(scores: list[float], share: float) -> float:
    at = min(int(len(scores) * (1 - share)), len(scores) - 1)
    return math.ceil(sorted(scores)[at] * 1000) / 1000


def measured(rows: list[Row], policy: Policy) -> Measured:
    """Recall and false alarms at HIGH, in percent, with 95 % intervals."""
    said = [(row.dangerous, Sentence(text=row.text)) for row in rows]
    both = [(dangerous, assess(one, Context(), policy)) for dangerous, one in said]
    alone = [(dangerous, by_rules(one, Context(), policy)) for dangerous, one in said]
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
