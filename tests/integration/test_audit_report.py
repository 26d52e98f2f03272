"""A month in figures: counted exactly, and a page that shows what was counted."""

from datetime import timedelta
from io import BytesIO
from pathlib import Path
from xml.etree import ElementTree as ET

import msgspec
import pytest
from pypdf import PdfReader
from tests.integration.ledger_bus import EPOCH
from tests.integration.ledger_files import asked, entered, new_ledger
from tests.integration.ledger_stories import every_story
from typer.testing import CliRunner

from holdpoint.audit.report_page import charts_of, report_page, summary_of
from holdpoint.audit.report_pdf import REPLACED, report_pdf
from holdpoint.cli.commands.audit import audit
from holdpoint.ledger.report_figures import Figures, figures_of


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> str:
    ledger = new_ledger(tmp_path_factory.mktemp("report"))
    entered(ledger, every_story(times=2))
    return ledger


@pytest.fixture(scope="module")
def figures(url: str) -> Figures:
    return asked(url, lambda c: figures_of(c, EPOCH, EPOCH + timedelta(days=1)))


def test_everything_is_counted_once(figures: Figures) -> None:
    assert figures.actions == 14
    assert figures.verdicts == {"halted": 10, "denied": 2, "passed": 2}
    assert figures.days == {"2026-03-01": 14}
    assert figures.outcomes == {
        "confirmed": 4, "cancelled": 2, "denied": 2, "expired": 2, "withdrawn": 2,
    }  # fmt: skip
    assert {it.person: it.answers for it in figures.reviewers} == {"bob": 4, "carol": 2}
    assert figures.runs == {"done": 2}


def test_another_month_is_empty(url: str) -> None:
    late = EPOCH + timedelta(days=40)
    empty = asked(url, lambda c: figures_of(c, late, late + timedelta(days=1)))

    assert (empty.actions, empty.events, empty.reviewers, empty.exceptions) == (0, 0, (), {})
    assert "None." in report_page(empty)


def test_the_page_has_charts_and_nothing_that_runs(figures: Figures) -> None:
    odd = msgspec.structs.replace(figures, tools={"<script>alert(1)</script>": 3})
    page = report_page(odd)
    drawn = [f"<svg{it.partition('</svg>')[0]}</svg>" for it in page.split("<svg")[1:]]
    charts = [ET.fromstring(it) for it in drawn]  # noqa: S314  # our own page

    assert len(charts) == 9
    assert "<script" not in page
    assert "http" not in page


def test_a_month_is_written_and_a_wrong_one_refused(url: str, tmp_path: Path) -> None:
    path = tmp_path / "march.html"
    said = ["report", "--ledger", url, "--month"]
    done = CliRunner().invoke(audit, [*said, "2026-03", "--out", str(path)])

    assert done.exit_code == 0, done.output
    assert "14 actions, 10 stopped for people, 2 denied." in done.output
    assert "Holdpoint: 2026-03-01 to 2026-04-01" in path.read_text()
    assert CliRunner().invoke(audit, [*said, "March"]).exit_code == 2
    december = CliRunner().invoke(audit, [*said, "2026-12", "--json"])
    assert msgspec.json.decode(december.output)["until"] == "2027-01-01T00:00:00Z"


def _lines(pdf: bytes) -> list[str]:
    pages = PdfReader(BytesIO(pdf)).pages
    return [line.strip() for page in pages for line in page.extract_text().splitlines()]


def test_the_pdf_has_the_figures_of_the_page_in_its_order(figures: Figures) -> None:
    lines = _lines(report_pdf(figures))
    heads = [*charts_of(figures), "People"]
    text = " ".join(lines)

    assert [it for it in lines if it in heads] == heads
    assert summary_of(figures) in text
    for counts in charts_of(figures).values():
        for name, count in counts.items():
            assert f"{name} {count:,}" in text
    for person in figures.reviewers:
        assert f"{person.person} {person.answers:,}" in text
    assert REPLACED not in text


HOSTILE = {
    "{nb}": 9,
    "\u202e<script>": 8,
    "\u4f60\u597d": 7,
    "**b** (\\) Tj": 6,
    "W" * 500: 5,
    "\ud800": 4,
    "": 3,
}


def test_odd_names_break_no_pdf(figures: Figures) -> None:
    person = msgspec.structs.replace(figures.reviewers[0], person="\u0416" * 500)
    odd = msgspec.structs.replace(figures, tools=HOSTILE, reviewers=(person,) * 80)
    text = " ".join(_lines(report_pdf(odd)))

    assert "{nb} 9" in text
    assert "?? 7" in text
    assert "**b** (\\) Tj 6" in text
    assert REPLACED in text


def test_a_pdf_is_written_for_its_owner_alone(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "march.pdf"
    said = ["report", "--ledger", url, "--month", "2026-03", "--pdf", "--out", str(path)]
    done = CliRunner().invoke(audit, said)

    assert done.exit_code == 0, done.output
    assert path.stat().st_mode & 0o777 == 0o600
    assert "Holdpoint: 2026-03-01 to 2026-04-01" in _lines(path.read_bytes())
    assert CliRunner().invoke(audit, [*said, "--json"]).exit_code == 2
    monkeypatch.setattr("holdpoint.cli.commands.audit_report.find_spec", lambda _: None)
    lacking = CliRunner().invoke(audit, said)
    assert "pip install 'holdpoint[pdf]'" in str(lacking.exception)
