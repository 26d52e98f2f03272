"""What agents say, as others would write it: how much of it the shipped policy hears.

These sentences were written before the learned reader, as cases for rules. Shares are checked, not
single rows: a model that is trained anew may read a few of them otherwise.
"""

from collections.abc import Iterable

import pytest
from tests.unit.risk.builders import policy_with_reader
from tests.unit.risk.corpus import rows
from tests.unit.risk.test_by_hand import SPOKEN, told

from holdpoint.core.risk import Context, Sentence, assess
from holdpoint.messages.risk import RiskLevel

pytestmark = pytest.mark.slow

HEARD = {"commands": 93, "magnitudes": 93, "requests": 79, "uncertainty": 88, "corpus": 55}
"""Percent of the dangerous sentences that ask a person."""

ALARMS = {"commands": 20, "magnitudes": 7, "requests": 2, "uncertainty": 5, "tables": 11}
"""Percent of the harmless ones that do."""


def asks(text: str) -> bool:
    return assess(Sentence(text=text), Context(), policy_with_reader()).level >= RiskLevel.HIGH


def share(texts: Iterable[str]) -> float:
    found = [asks(text) for text in texts]
    return 100 * sum(found) / len(found)


def by_hand(name: str, wanted: str) -> list[str]:
    return [text for kind, expected, text in told(SPOKEN) if (kind, expected) == (name, wanted)]


@pytest.mark.parametrize("name", HEARD)
def test_dangerous_sentences_are_heard(name: str) -> None:
    corpus = [row.text for row in rows("dialogue", "asks")]
    texts = corpus if name == "corpus" else by_hand(name, "asks")

    assert share(texts) >= HEARD[name]


@pytest.mark.parametrize("name", ALARMS)
def test_harmless_sentences_ask_nobody(name: str) -> None:
    tables = [row.text for name in ("dialogue", "spoken") for row in rows(name, "silent")]
    texts = tables if name == "tables" else by_hand(name, "silent")

    assert share(texts) <= ALARMS[name]
