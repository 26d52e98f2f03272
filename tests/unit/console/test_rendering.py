"""Every page says whose console it is: two of them must not look alike."""

import pytest

from holdpoint.console.languages import spoken
from holdpoint.console.rendering import Pages

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
