"""Alert rules and dashboard name metrics that exist, with labels that these have."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from holdpoint.runtime.process import metrics

DEPLOY = Path(__file__).parents[3] / "deploy"
RULES = yaml.safe_load((DEPLOY / "prometheus" / "holdpoint.rules.yaml").read_text())
DASHBOARD = json.loads((DEPLOY / "grafana" / "holdpoint.json").read_text())

ALERTS = [rule for group in RULES["groups"] for rule in group["rules"]]
PANELS = DASHBOARD["panels"]
EXPRESSIONS = [it["expr"] for it in ALERTS] + [it["targets"][0]["expr"] for it in PANELS]
ADDED = ("_bucket", "_count", "_sum")
GIVEN_BY_PROMETHEUS = {"le"}


def _labels_of() -> dict[str, set[str]]:
    ours = (it for it in vars(metrics).values() if hasattr(it, "_labelnames"))
    return {name: set(it._labelnames) for it in ours for name in _names(it._name, it._type)}


def _names(name: str, kind: str) -> Iterator[str]:
    yield f"{name}_total" if kind == "counter" else name
    if kind == "histogram":
        yield from (name + suffix for suffix in ADDED)


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_every_metric_and_label_exists(expression: str) -> None:
    labels_of = _labels_of()
    named = re.findall(r"holdpoint_\w+", expression)
    assert set(named) <= labels_of.keys()
    by = {
        it.strip() for group in re.findall(r"by \(([^)]*)\)", expression) for it in group.split(",")
    }
    chosen = set(re.findall(r"[{,](\w+)=", expression)) - {"job"}
    known = set().union(*(labels_of[it] for it in named)) if named else set()
    assert (by | chosen) - GIVEN_BY_PROMETHEUS <= known


def test_every_alert_says_what_is_wrong_and_where_to_read_on() -> None:
    for alert in ALERTS:
        assert alert["annotations"]["summary"]
        assert alert["annotations"]["description"].endswith(".")


def test_panels_do_not_overlap() -> None:
    taken = [
        (x, y)
        for it in PANELS
        for x in range(it["gridPos"]["x"], it["gridPos"]["x"] + it["gridPos"]["w"])
        for y in range(it["gridPos"]["y"], it["gridPos"]["y"] + it["gridPos"]["h"])
    ]
    assert len(taken) == len(set(taken))
