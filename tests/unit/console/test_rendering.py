"""Every page says whose console it is: two of them must not look alike."""

import pytest

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
