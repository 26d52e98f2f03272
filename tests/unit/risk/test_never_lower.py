"""What a caller says may raise and never lower; renaming changes nothing; company hides nothing."""

from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.risk.builders import a_tool, an_action, judged, said, the_policy
from tests.unit.risk.corpus import calls, commands, rows, spoken

from holdpoint.core.risk.assessment import by_rules
from holdpoint.core.risk.context import Brought, Context, Sentence
from holdpoint.core.risk.sql.analyzer import analyze_sql
from holdpoint.core.risk.tools.names import tool_name
from holdpoint.messages.risk import IntentClaim, RiskLevel, Scope

STATEMENTS = tuple((row.dialect, row.text) for row in rows("sql", "asks"))[::2]
CALLS = calls("asks", "basics")
SENTENCES = spoken("asks", "doubt", "size", "money", "loss", "told to")
REASONINGS = (
    "",
    "This is only a simulation in a sandbox.",
    "I am sure, it was approved.",
    "I'm not sure.",
)
CONFIDENCES = (None, 0.0, 1.0)
BESIDE: tuple[dict[str, Any], ...] = (
    {},
    {"environment": "sandbox", "dry_run": True},
    {"production": False, "database": "scratch", "host": "localhost"},
    {"readOnlyHint": True, "destructiveHint": False, "note": "safe, nothing is deleted"},
)
CLAIMS = (
    IntentClaim(),
    IntentClaim(risk_level=RiskLevel.LOW, action_type="read", scope=Scope(records=0, type="")),
    IntentClaim(risk_level=RiskLevel.CRITICAL, confirmation_required=True),
)
TAINTS: tuple[dict[str, Any], ...] = (
    {},
    {"taint": ("/command",)},
    {"taint": ("",), "taint_source": "a trusted page"},
    {"taint": ("/no/such",)},
    {"taint_source": "nothing untrusted"},
)
BROUGHT = (
    (),
    (Brought(source="mail", within_s=60, times=0),),
    (Brought(source="mail", within_s=60, times=2), Brought(source="x", within_s=60, times=None)),
)


@pytest.mark.slow
@pytest.mark.parametrize("case", CALLS, ids=lambda case: case[0])
def test_no_combination_of_what_a_caller_says_lowers_a_call(
    case: tuple[str, dict[str, Any]],
) -> None:
    name, arguments = case
    tool = a_tool(name=name, level=1 if tool_name(name).reads else 2)
    alone = judged(an_action(name, **arguments), tool=tool).level
    for reasoning, confidence, beside in product(REASONINGS, CONFIDENCES, BESIDE):
        action = an_action(name, **(beside | arguments))
        found = judged(action, tool=tool, reasoning=reasoning, confidence=confidence)

        assert found.level >= alone, (reasoning, confidence, beside)


@pytest.mark.parametrize("text", SENTENCES)
def test_no_combination_of_what_an_agent_says_lowers_a_sentence(text: str) -> None:
    alone = said(text).level
    for claim, confidence, detail, reasoning in product(
        CLAIMS, CONFIDENCES, BESIDE, REASONINGS[:2]
    ):
        sentence = Sentence(text=text, claim=claim, action_detail=detail, confidence=confidence)
        found = by_rules(sentence, Context(reasoning=reasoning), the_policy())

        assert found.level >= alone, (claim, confidence, detail)


@pytest.mark.parametrize(("dialect", "text"), STATEMENTS, ids=lambda part: part[:50])
def test_no_combination_of_what_a_caller_says_lowers_a_statement(dialect: str, text: str) -> None:
    facts = {"dialect": dialect} if dialect else {}
    alone = judged(an_action("database.execute", sql=text), facts=facts).level
    for confidence, beside in product(CONFIDENCES, BESIDE):
        action = an_action("database.execute", **(beside | {"sql": text}))
        assert judged(action, facts=facts, confidence=confidence).level >= alone


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        *CALLS,
        *(("database.execute", {"sql": text}) for _, text in STATEMENTS),
        *(("shell.run", {"command": it}) for it in commands("asks", "basics")),
    ],
    ids=lambda part: str(part)[:50],
)
def test_taint_with_anything_else_a_caller_says_lowers_no_dangerous_call(
    name: str, arguments: dict[str, Any]
) -> None:
    action = an_action(name, **arguments)
    for level in (1, 2):
        tool = a_tool(name=name, level=level)
        alone = judged(action, tool=tool).level
        for taint, brought, confidence in product(TAINTS, BROUGHT, CONFIDENCES):
            found = judged(action, tool=tool, brought=brought, confidence=confidence, **taint)

            assert found.level >= alone, (taint, brought, confidence)
            tainted = any(taint.values()) or any(it.times for it in brought)
            assert level == 1 or not tainted or found.level >= RiskLevel.HIGH


def test_configuration_alone_lowers() -> None:
    change = an_action("database.execute", database="scratch_7")
    tool = a_tool(level=3)

    assert judged(change, tool=tool).level is RiskLevel.LOW, "environments.yaml lists scratch*"
    assert judged(an_action("x.y", database="crm"), tool=tool).level is RiskLevel.HIGH


names = st.text(alphabet="bcdfghjkmnpqrtvwxz", min_size=4, max_size=12).map("zq{}".format)
"""One word each, without vowels, so that it means nothing: else `backup` may be drawn."""


@settings(deadline=None, derandomize=True, max_examples=40)
@given(st.sampled_from([case for case in STATEMENTS if "invoices" in case[1]]), names)
def test_renaming_a_table_changes_no_verdict(case: tuple[str, str], name: str) -> None:
    dialect, text = case
    before = [(one.rule, one.level) for one in analyze_sql(text, dialect).signals]
    after = [
        (one.rule, one.level)
        for one in analyze_sql(text.replace("invoices", name), dialect).signals
    ]

    assert before == after


TEMPLATES = (
    ("I will delete {number} files from {file}.", RiskLevel.CRITICAL),
    ("Deleting everything on {host} now.", RiskLevel.HIGH),
    ("Shall I remove {file} from {host}?", RiskLevel.HIGH),
    ("I'll transfer ${number}000 to {person}.", RiskLevel.HIGH),
    ("I will drop the table {table}.", RiskLevel.HIGH),
    ("Should I proceed with {file}?", RiskLevel.HIGH),
    ("I will read {file} on {host} and list {number} rows of {table}.", RiskLevel.MEDIUM),
    ("I looked {number} rows up in {table} for {person}.", RiskLevel.LOW),
    ("{person} deleted {file} on {host}.", RiskLevel.LOW),
    ("Your order {number} from {host} has arrived.", RiskLevel.LOW),
)


@settings(deadline=None, derandomize=True, max_examples=80)
@given(
    st.sampled_from(TEMPLATES),
    names,
    names,
    st.sampled_from(["Ana", "Mr. Brown", "O'Neil", "Søren"]),
    st.integers(101, 999),
    st.sampled_from([".txt", ".csv", ".tar.gz", "/"]),
)
def test_renaming_files_hosts_people_and_numbers_changes_no_verdict(
    template: tuple[str, RiskLevel], file: str, host: str, person: str, number: int, end: str
) -> None:
    text, level = template
    filled = text.format(
        file=f"/srv/{file}{end}",
        host=f"{host}.example.com",
        table=file,
        person=person,
        number=number,
    )

    assert said(filled).level is level, filled


@pytest.mark.parametrize(
    "wrapped",
    [
        "Hello. {}",
        "{} Thanks!",
        "\n{}\n",
        "First, I look it up. {}",
        "I did not delete anything yesterday. {}",
        "{} Do not worry, it is the sandbox.",
        'It says "nothing is lost". {} I have not done anything else.',
    ],
)
def test_company_does_not_hide_a_sentence(wrapped: str) -> None:
    every = [wrapped.format(text) for text in SENTENCES]

    assert [text for text in every if said(text).level < RiskLevel.HIGH] == []


@pytest.mark.parametrize("gap", ["\n", "\n\n", "\n- ", "\t", "  ", "\r\n"])
def test_broken_lines_do_not_hide_a_sentence(gap: str) -> None:
    every = [gap.join(text.split(" ")) for text in SENTENCES]

    assert [text for text in every if said(text).level < RiskLevel.HIGH] == []
