"""Tells dangerous rows by their function words alone, to see whether their form betrays them."""

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np
from rows import Row

_TEXT = """
a about above after again against all am an and any are aren't as at be because been
before being below between both but by can can't cannot could couldn't did didn't do
does doesn't doing don't down during each either else ever every everyone few for from
further had has hasn't have haven't having he her here hers him his how i i'd i'll i'm
i've if in into is isn't it it'll it's its itself just let let's like may me might mine
more most must my myself neither never no nobody none nor not nothing object of off on
once one only onto or other otherwise our ours out over own per same shall she should
shouldn't since so some somebody someone still such than that that's the their theirs
them then there there's these they they'll they're this those though through till to too
under unless until up upon us very via was wasn't we we'd we'll we're we've were what
when where whether which while who whoever whom whose why will with within without won't
would wouldn't yet you you'd you'll you're your yours
"""
WORDS = tuple(_TEXT.split())
"""Closed classes of English."""

STEPS, RATE, RIDGE = 400, 0.5, 1e-3
_words = re.compile(r"[a-z]+(?:'[a-z]+)?")


def area(trained: Sequence[Row], tested: Sequence[Row]) -> float:
    """Return the area under the curve (AUC) that a logistic regression on counts reaches."""
    given, wanted = _counts(trained), np.array([row.dangerous for row in trained], float)
    mean, wide = given.mean(0), given.std(0) + 1e-6
    given = (given - mean) / wide
    weights, bias = np.zeros(len(WORDS)), 0.0
    for _ in range(STEPS):
        error = 1 / (1 + np.exp(-(given @ weights + bias))) - wanted
        weights -= RATE * (given.T @ error / len(wanted) + RIDGE * weights)
        bias -= RATE * error.mean()
    return _auc((_counts(tested) - mean) / wide @ weights, [row.dangerous for row in tested])


def _counts(rows: Sequence[Row]) -> np.ndarray:
    found = (Counter(_words.findall(row.text.lower().replace("\u2019", "'"))) for row in rows)
    return np.array([[counted[word] for word in WORDS] for counted in found], float)


def _auc(scores: np.ndarray, wanted: Sequence[bool]) -> float:
    """Return the share of pairs in which the dangerous row scores higher; a tie counts half."""
    high = scores[np.array(wanted)][:, None]
    low = scores[~np.array(wanted)][None, :]
    return float((high > low).mean() + 0.5 * (high == low).mean())
