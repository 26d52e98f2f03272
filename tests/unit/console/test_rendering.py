"""Every page says whose console it is: two of them must not look alike."""

import pytest
from tests.builders import TOOL, a_hold

from holdpoint.console.card_view import face_of
from holdpoint.console.inbox_view import EVERYTHING
from holdpoint.console.languages import spoken
from holdpoint.console.rendering import Pages
from holdpoint.core.card import Shown, card_of
from holdpoint.messages.catalog import Person

FORM = {
    "csrf": "",
    "shortest": 8,
    "asked": {"name": "", "next": "/", "problem": ""},
    "openid": True,
}
INSIDE = {
    "person": {"name": "ann", "admin": False, "roles": ()},
    "waiting": 0,
    "text": "There is no such page.",
}


@pytest.mark.parametrize(
    ("page", "values"), [("login", FORM), ("password", FORM), ("problem", INSIDE)]
)
def test_a_page_names_tenant_and_environment(page: str, values: dict[str, object]) -> None:
    acme = Pages(tenant="acme", environment="production").piece(page, values)
    beta = Pages(tenant="beta", environment="").piece(page, values)

    assert "acme production · Holdpoint</title>" in acme
    assert '<b>acme</b> <span class="environment production">production</span>' in acme
    assert "beta · Holdpoint</title>" in beta
    assert "<b>beta</b>" in beta
    assert "environment" not in beta
    assert "acme" not in beta


@pytest.mark.parametrize(
    ("numbers", "english", "german"),
    [
        ((5,), "Level 5 cannot", "Stufe 5 kann"),
        ((4, 5), "Levels 4 and 5 cannot", "Den Stufen 4 und 5 kann"),
        ((3, 4, 5), "Levels 3, 4 and 5 cannot", "Den Stufen 3, 4 und 5 kann"),
    ],
)
def test_levels_that_nobody_can_approve_are_one_sentence(
    numbers: tuple[int, ...], english: str, german: str
) -> None:
    pages = Pages(tenant="acme", environment="")
    asked = {"is_enough": False, "name": "", "asks": "", "takes": "", "able": (), "not_yet": ()}
    levels = [asked | {"number": it} for it in numbers]
    values = INSIDE | {"levels": levels, "people": (), "new": ()}
    spoken.set("de")
    told = pages.piece("people", values)
    spoken.set("en")

    assert f">{english} be approved right now<" in pages.piece("people", values)
    assert f">{german} gerade nicht zugestimmt werden<" in told


def test_a_letter_that_passes_for_another_one_is_marked_in_title_and_button() -> None:
    hold = a_hold(ui=None, title="Run rm -r \u043eld")
    shown = Shown(group="finance", state="rendered", seal_key="", revision=2)
    card = card_of(hold, TOOL, shown)
    values = {"card": card, "face": face_of(card, Person(name="ann")), "view": EVERYTHING}

    page = Pages(tenant="acme", environment="").piece("_card", values)

    marked = '<mark class="alike" title="This letter looks like another one">\u043e<small>U+043E'
    assert f"Run rm -r {marked}</small></mark>ld</a></h2>" in page
    assert f"Proceed: Run rm -r {marked}</small></mark>ld</span>" in page
