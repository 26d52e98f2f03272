"""What the documents say is so: settings, metrics, links, the examples' length."""

import inspect
import re
from pathlib import Path
from typing import get_args

import pytest
from prometheus_client import REGISTRY
from tests.unit.risk.builders import the_policy

from holdpoint.core.risk import Sentence
from holdpoint.core.risk.assessment import by_rules
from holdpoint.core.risk.case import read
from holdpoint.core.tool import tool
from holdpoint.messages.call import Call
from holdpoint.messages.catalog import Repeat
from holdpoint.messages.codec import decode
from holdpoint.messages.subjects import TYPES
from holdpoint.policy_lab.assess import subject_of
from holdpoint.policy_lab.cases import LineKind, line_of
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.process import metrics

ROOT = Path(__file__).parents[2]
PAGES = (
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
)
OPERATE = (ROOT / "docs" / "operate.md").read_text("utf-8")
LONGEST_EXAMPLE = 42


@pytest.mark.parametrize("name", Settings.model_fields)
def test_every_setting_is_documented_as_it_is(name: str) -> None:
    assert f"| `HP_{name.upper()}` |" in OPERATE
    assert f"| {Settings.model_fields[name].description} |" in OPERATE


def test_every_metric_is_documented_with_its_labels() -> None:
    ours = {
        name: metric
        for name in dir(metrics)
        if (metric := getattr(metrics, name)) in list(REGISTRY._collector_to_names)
    }
    assert ours
    for metric in ours.values():
        name = f"{metric._name}_total" if metric._type == "counter" else metric._name
        assert f"| `{name}` | {', '.join(metric._labelnames)} |".replace("|  |", "| |") in OPERATE


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text("utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), target


def test_every_decision_is_short_and_linked() -> None:
    records = sorted((ROOT / "docs" / "decisions").glob("*.md"))
    architecture = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    assert len(records) > 10
    for record in records:
        lines = record.read_text("utf-8").splitlines()
        assert f"- [{lines[0].removeprefix('# ')}](decisions/{record.name})" in architecture
        assert len(lines) <= 25


def test_every_argument_of_a_tool_and_each_way_to_repeat_it_is_documented() -> None:
    section = (ROOT / "docs" / "levels.md").read_text("utf-8").partition("## Declare a tool")[2]
    rows = re.findall(r"(?m)^\| `(\w+)` \|", section)

    assert sorted(rows) == sorted(inspect.signature(tool).parameters)
    assert all(f"`Repeat.{it.name}`" in section for it in Repeat)


def test_every_make_target_of_the_documents_exists() -> None:
    targets = set(re.findall(r"(?m)^([a-z][a-z-]*):(?!=)", (ROOT / "Makefile").read_text()))
    named = {
        target
        for page in PAGES[:3]
        for target in re.findall(r"(?m)(?:^|`)make ([a-z][a-z-]+)", page.read_text("utf-8"))
    }
    assert {"setup", "check", "format", "test-unit"} <= named
    assert named - targets == set()


def test_the_readme_shows_everything_that_an_agent_may_say() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    rows = re.findall(r"(?m)^\| `(\w+)` \| .+ \| `(\{.+\})` \|$", readme)
    kinds = {TYPES[kind].rpartition(".")[2]: kind for kind in get_args(Call)}

    assert {word for word, _ in rows} == set(kinds)
    assert [type(decode(data.encode(), kinds[word])) for word, data in rows] == [*kinds.values()]
    for needed in ("credentials/agent_<agent>.nk", "_INBOX_agent_<agent>", "**waits**"):
        assert needed in readme


def test_every_example_fits_on_a_page() -> None:
    examples = sorted((ROOT / "examples").glob("*.*"))
    assert examples
    for example in examples:
        assert len(example.read_text("utf-8").splitlines()) <= LONGEST_EXAMPLE


def test_every_word_of_the_glossary_stands_once() -> None:
    rows = re.findall(
        r"^\| \*\*(.+?)\*\*", (ROOT / "docs/glossary.md").read_text("utf-8"), re.MULTILINE
    )
    assert len(rows) == len(set(rows)) > 30


def test_the_python_of_the_risk_engine_runs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    text = (ROOT / "docs/risk.md").read_text("utf-8")
    code = "".join(re.findall(r"```python\n(.+?)```", text, re.DOTALL))

    exec(code, {})  # noqa: S102  # the document's own

    told = capsys.readouterr().out
    assert told.startswith("critical ['magnitude.records'")
    assert told.endswith("\ncritical\n")


def test_the_worked_example_of_the_risk_engine_is_so() -> None:
    _, _, after = (ROOT / "docs/risk.md").read_text("utf-8").partition("\n### An example\n")
    example = after.partition("\n## ")[0]
    rows = [row.split(" | ") for row in re.findall(r"^\| (.+) \|$", example, re.MULTILINE)]
    said = {row[0].strip("`"): re.sub("`", "", row[1]) for row in rows if len(row) == 3}
    (text,) = re.findall(r"^An agent says: `(.+?)`", example, re.MULTILINE)
    line = line_of(text, LineKind.DIALOGUE)
    subject, context = subject_of(line)
    assert isinstance(subject, Sentence)
    case = read(subject, context, the_policy())
    found = by_rules(subject, context, the_policy())

    assert case.verb
    assert case.size
    assert said == {
        "of the case": "what stands there",
        "verb": case.verb.base,
        "size": f"{case.size.records} {case.size.noun}",
        "place": case.place.environment.value,
        "loss": case.loss,
        "scan": ", ".join(hit.pattern.id for hit in case.scan.hits),
    }
    assert [row for row in rows if len(row) == 4][1:] == [
        [one.level.value, one.heuristic.value, f"`{one.rule}`", one.reason] for one in found.signals
    ]
    assert f"so this is {found.level.value}:" in example
