"""The rules of data/sql.toml: each has examples, fires on those and is silent on the others."""

import pytest

from holdpoint.core.risk.sql.analyzer import analyze_sql
from holdpoint.core.risk.sql.rules import rules
from holdpoint.messages.risk import RiskLevel
from holdpoint.messages.sql_rules import SqlRule


@pytest.mark.parametrize("rule", rules().rule, ids=lambda rule: f"{rule.verbs} {rule.danger.id}")
def test_a_rule_fires_on_its_examples_and_on_no_other(rule: SqlRule) -> None:
    assert rule.fires
    assert rule.silent
    missed = [text for text in rule.fires if not _fires(rule, text)]
    loud = [text for text in rule.silent if analyze_sql(text, rule.dialect).level >= RiskLevel.HIGH]

    assert missed == loud == []


def _fires(rule: SqlRule, text: str) -> bool:
    found = analyze_sql(text, rule.dialect).findings
    return any(one.rule == rule.danger.id and one.level is rule.danger.level for one in found)
