"""The console's fixed words in German, and who reads which language."""

import json
import re
from pathlib import Path

import pytest
from jinja2 import Environment as Templates
from starlette.datastructures import Headers

from holdpoint.console import answering
from holdpoint.console.app import NO_PAGE
from holdpoint.console.card_view import HEURISTICS
from holdpoint.console.context import AUDITORS_ONLY
from holdpoint.console.languages import (
    language_of,
    load_catalogue,
    localized,
    parts_of,
    phrased,
    said,
    spoken,
)
from holdpoint.console.rendering import HERE, STATIC, Pages
from holdpoint.console.status_labels import ALL, Standing
from holdpoint.core.agent_graph import NOT_REACHED
from holdpoint.core.enforcement import ENFORCED
from holdpoint.core.sentences import as_sentence, text_of
from holdpoint.messages.answer import RECONCILING
from holdpoint.messages.catalog import Enforcement
from holdpoint.messages.hold import EndedBy, Outcome, Reason
from holdpoint.messages.risk import Environment, RiskLevel
from holdpoint.messages.run import RunStatus

GERMAN = load_catalogue(STATIC, "de")
TEMPLATES = tuple(sorted(it.stem for it in (HERE / "templates").glob("*.html")))
ROUTES = (HERE / "routes.py").read_text()
SAID = re.compile(r'"([^"]+)"')


@pytest.mark.parametrize(
    ("cookie", "accepted", "language"),
    [
        ("", "", "en"),
        ("", "de-AT,de;q=0.9,en;q=0.5", "de"),
        ("", "fr,en;q=0.2,de;q=0.9", "de"),
        ("", "fr;q=1", "en"),
        ("", "de;q=0", "en"),
        ("", "de;q=oops", "en"),
        ("holdpoint_language=en", "de", "en"),
        ("holdpoint_language=de", "en", "de"),
        ("holdpoint_language=tlh", "de", "de"),
    ],
)
def test_a_person_s_choice_beats_the_browser_s(cookie: str, accepted: str, language: str) -> None:
    assert language_of(Headers({"cookie": cookie, "accept-language": accepted})) == language


def test_a_page_is_drawn_in_its_language_and_escapes_as_before() -> None:
    pages = Pages(tenant="acme", environment="production")
    values = {"asked": {"name": "<b>", "next": "/", "problem": ""}, "csrf": "c", "openid": False}
    spoken.set("de")
    german = pages.piece("login", values)
    spoken.set("en")

    assert '<html lang="de">' in german
    assert "<h1>Anmelden</h1>" in german
    assert "&lt;b&gt;" in german
    assert "<h1>Log in</h1>" in pages.piece("login", values)


def test_what_the_catalogue_lacks_stays_english_with_its_blanks() -> None:
    assert said("  Inbox\n", {"Inbox": "Eingang"}) == "  Eingang\n"
    assert said(" Nobody said so ", GERMAN) == " Nobody said so "


def test_tags_stay_tags_wherever_a_template_cuts_them() -> None:
    assert list(parts_of('x="1">Inbox <b', is_in_tag=True)) == [
        ('x="1">', True),
        ("Inbox ", False),
        ("<b", True),
    ]


@pytest.mark.parametrize("name", TEMPLATES)
def test_every_sentence_of_every_page_is_translated(name: str) -> None:
    path = HERE / "templates" / f"{name}.html"
    chosen = (it for it in re.findall(r"\{\{(.*?)\}\}", path.read_text()) if "|say" in it)
    words = {it for each in chosen for it in SAID.findall(each) if it[:1].isalpha()}
    missing = {it for it in sentences(path) | words if it not in GERMAN}

    assert not missing


@pytest.mark.parametrize(
    ("text", "german"),
    [
        ("12,500 rows", "12.500 rows"),
        ("1,000,000.00 USD", "1.000.000,00 USD"),
        ("150.00 USD", "150,00 USD"),
        ("3 files", "3 files"),
        ("83%", "83\N{NO-BREAK SPACE}%"),
    ],
)
def test_numbers_stand_as_each_language_writes_them(text: str, german: str) -> None:
    assert localized(text, "en") == text
    assert localized(text, "de") == german


def test_what_a_level_asks_is_translated_phrase_by_phrase() -> None:
    assert phrased("2 of operators", GERMAN) == "2 von operators"
    assert phrased("expires after 1 h", GERMAN) == "läuft ab nach 1 h"
    assert phrased("a one-time code", GERMAN) == "einen Einmalcode"


@pytest.mark.parametrize("found", ALL, ids=lambda it: it.word)
def test_how_a_hold_stands_is_told_in_german_with_the_names_as_they_are(found: Standing) -> None:
    filled = found.text.format(approved="Approved by ann and ben", cancelled="Cancelled by ann")
    told = phrased(filled, GERMAN)
    plain = re.sub(r"\b(?:ann|ben|Worker)\b", "", told)

    assert ("ann und ben" in told) == ("{approved}" in found.text)
    assert not re.search(r"\b(?:the|it|ran|run|by|and|nothing|Approved|Cancelled)\b", plain)


@pytest.mark.parametrize(
    ("text", "german"),
    [
        ("settled: confirmed by ann, ben, after 5 s", "beendet: zugestimmt von ann, ben, nach 5 s"),
        ("settled: nobody answered in time, after 5 s", None),
        *((f"stopped it and asks people; risk {it.value}", None) for it in RiskLevel),
    ],
)
def test_how_a_hold_went_is_told_in_german(text: str, german: str | None) -> None:
    told = phrased(text, GERMAN)

    assert told == german if german else told.startswith(("beendet: ", "hat es angehalten"))


def test_facts_of_a_card_are_told_in_german() -> None:
    words = {*(it.value for it in Environment), ENFORCED[Enforcement.COOPERATIVE]}

    assert words | {"no way back is known"} <= set(GERMAN)
    assert phrased("1 of 2 said yes: ann", GERMAN) == "1 von 2 haben zugestimmt: ann"


def test_a_role_that_is_missing_is_named_in_german() -> None:
    told = [AUDITORS_ONLY, NO_PAGE, *re.findall(r'^_\w+ = "(.+)"$', ROUTES, re.MULTILINE)]

    assert len(told) > 4
    assert set(told) <= set(GERMAN)


def test_headings_levels_and_what_the_script_says_are_translated() -> None:
    words = {*HEURISTICS.values(), *(level.value for level in RiskLevel)}
    live = (STATIC / "live.js").read_text()
    words |= set(re.findall(r"^  (?:waits|live|paused|off): \"(.+)\",$", live, re.MULTILINE))

    assert len(words) > 12
    assert words <= set(GERMAN)


def test_states_of_actions_and_worries_of_rules_are_translated() -> None:
    states = {*RunStatus, *Outcome, *RECONCILING, *EndedBy}
    worries = {as_sentence(it) for it in HEURISTICS.values()}

    assert {it.value.replace("_", " ") for it in states} | worries <= set(GERMAN)


@pytest.mark.parametrize(
    ("text", "german"),
    [
        ("Layer 0", "Ebene 0"),
        ("Cycle 3", "Ablauf 3"),
        ("17 tools, user-facing", "17 Werkzeuge, spricht mit Menschen"),
        ("1 tool", "1 Werkzeug"),
        ("database, agents", "database, agents"),
        (NOT_REACHED, "Für Menschen nicht erreichbar"),
    ],
)
def test_words_in_pictures_are_translated(text: str, german: str) -> None:
    assert phrased(text, GERMAN) == german


def test_what_became_of_an_answer_is_told_in_german() -> None:
    script = (STATIC / "answer.js").read_text()
    told = {*re.findall(r"text: \"([^\"]+)\"", script), *map(text_of, Reason)}
    told |= {it for it in vars(answering).values() if isinstance(it, str) and it[-1:] == "."}
    told |= {it.text for it in vars(answering).values() if isinstance(it, answering.Told)}
    told -= {answering.__doc__}
    sentences = {it for text in told - set(GERMAN) for it in re.split(r"(?<=\.) ", text)}

    assert len(told) > 40
    assert not sentences - set(GERMAN)


def test_no_translation_is_empty_or_holds_a_tag() -> None:
    raw = (STATIC / "words.de.json").read_text()
    pairs = json.loads(raw, object_pairs_hook=list)

    assert len({english for english, _ in pairs}) == len(pairs)
    assert not [it for it in pairs if not it[1].strip() or "<" in it[1]]


def sentences(path: Path) -> set[str]:
    """What a template says in three words or more."""
    environment = Templates(trim_blocks=True, lstrip_blocks=True)  # noqa: S701  # only read
    found, is_in_tag = set(), False
    for _, kind, value in environment.lex(path.read_text()):
        parts = list(parts_of(value, is_in_tag=is_in_tag)) if kind == "data" else []
        if parts:
            is_in_tag = parts[-1][1] and not parts[-1][0].endswith(">")
        found |= {" ".join(text.split()) for text, is_tag in parts if not is_tag}
    prose = {it for it in found if not it.startswith("holdpoint ")}  # a command is none
    return {it for it in prose if len(re.findall(r"[A-Za-z]{2,}", it)) > 2}
