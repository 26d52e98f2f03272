"""Code that hands statements to databases, and requests to servers."""

import shlex

import pytest
from tests.unit.risk.shell.levels import level

from holdpoint.messages.risk import RiskLevel

SITE = "https://api.example.com"
GRAVE = (
    "cursor.execute('DELETE FROM parcels')",
    'db.query("TRUNCATE TABLE parcels")',
    "pd.read_sql_query('DROP TABLE parcels', engine)",
    f"requests.delete('{SITE}/parcels/7')",
    f"httpx.request('DELETE', '{SITE}/parcels/7')",
    f"session.post('{SITE}/accounts/7/close')",
    f"requests.patch('{SITE}/users/7', json={{'role': 'admin', 'note': None}})",
    f"fetch('{SITE}/repos/a', {{method: 'PATCH', body: JSON.stringify({{archived: true}})}})",
    f"axios('{SITE}/parcels/7', {{method: 'delete'}})",
)
MILD = (
    "cursor.execute('SELECT 1')",
    "print('DELETE FROM parcels')",
    "import base64; print(base64.b64decode('aGVsbG8='))",
    f"requests.get('{SITE}/accounts/7/close')",
    f"requests.post('{SITE}/notes', json={{'text': 'delete it'}})",
    f"requests.patch('{SITE}/users/7', json={{'name': name}})",
    f"requests.patch('{SITE}/users/7', json={{'name': ",
)


@pytest.mark.parametrize("code", GRAVE)
@pytest.mark.parametrize("program", ["python3 -c", "node -e"])
def test_what_code_hands_on_counts(program: str, code: str) -> None:
    assert level(f"{program} {shlex.quote(code)}") >= RiskLevel.HIGH


@pytest.mark.parametrize("code", MILD)
def test_what_code_asks_for_or_only_says_counts_for_nothing(code: str) -> None:
    assert level(f"python3 -c {shlex.quote(code)}") < RiskLevel.HIGH
