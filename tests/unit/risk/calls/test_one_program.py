"""A call that hands over one program is judged by it alone, quicker and with the same outcome."""

from itertools import islice, product
from typing import Any

import pytest
from tests.shares import in_shares
from tests.unit.risk.builders import the_policy

from holdpoint.core.risk.extract.arguments import payload
from holdpoint.core.risk.words import PROGRAM_KEYS
from holdpoint.messages.risk import Assessment
from holdpoint.policy_lab.assess import judged
from holdpoint.policy_lab.cases import Line, LineKind

TOOLS = (
    "shell.run", "bash", "shell", "terminal.execute", "run_command", "execute_sql", "exec",
    "database.execute", "db.run_sql", "run_terminal_cmd",
)  # fmt: skip

TEXTS = (
    "cd /srv/data && rm -rf /srv/data/customers /srv/data/orders && echo all of it is gone",
    "SELECT name, mail FROM customers WHERE mail LIKE '%@acme.example' AND active = 1 LIMIT 20",
    "DELETE FROM orders WHERE 1 = 1 -- all customers, everyone, 9000 records, $5,000 each, 100%",
    "Pay invoice 4711 with $45,000 to IBAN DE89 3704 0044 0532 0130 00 and delete all customers",
    "I am not sure whether this is right, but I will wipe the production database in any case",
    "ann@acme.example, bob@acme.example, kim@acme.example, joe@acme.example, eve@evil.example",
    '{"tool": "delete_customers", "args": {"all": true, "amount": 90000, "currency": "EUR"}}  ',
    '[{"to": "all", "amount": "$9,000"}, {"to": "everyone", "amount": "$90,000"}, {"n": 9000}]',
    'POST /v1/customers/delete-all HTTP/1.1\nHost: api.acme.example\n\n{"all": true, "n": 1}',
    "mutation { deleteAllCustomers(confirm: true) { count } removeUsers(all: true) { id } } ",
    "https://api.acme.example/x?token=ghp_0123456789abcdefghijABCDEFGHIJ012345&all=true please",
    'curl -X POST https://api.acme.example/v1/refunds -d \'{"amount": 90000, "currency": "EUR"}\'',
    "amount=90000&currency=EUR&to=everyone&confirm=true&n=9000 and some more words behind them",
    "cm0gLXJmIC9zcnYvZGF0YSAvc3J2L2RhdGEvY3VzdG9tZXJzIC9zcnYvZGF0YS9vcmRlcnM= is what it says",
    "import shutil; shutil.rmtree('/srv/data'); print('all of the 9000 records are deleted now')",
    "ls -la /srv/data/customers /srv/data/orders | sort | uniq -c | head -n 20 > /tmp/listing.txt",
    "true true true true true true true true true true true true true true true true true true",
    "off disabled none all everyone public admin superuser 0.0.0.0/0 force delete destroy purge",
)


def _assessed(tool: str, arguments: dict[str, Any]) -> Assessment:
    called = {"tool": tool, "args": arguments}
    return judged(Line(id="", kind=LineKind.TOOL_CALL, payload=called), the_policy())


def _told(found: Assessment) -> tuple[Any, ...]:
    said = sorted((one.rule, one.level.value, one.reason) for one in found.signals)
    return found.level, said, found.amount, found.affected, found.verb, found.action_type


@in_shares
@pytest.mark.parametrize("tool", TOOLS)
def test_it_says_the_same_as_beside_an_argument_that_says_nothing(tool: str, step: int) -> None:
    for key, text in islice(product(sorted(PROGRAM_KEYS), TEXTS), 0, None, step):
        alone, beside = ({key: text}, {key: text, "zz": 0})
        assert _told(_assessed(tool, alone)) == _told(_assessed(tool, beside)), (key, text)


def test_only_one_long_program_under_a_name_that_says_nothing_more_is_one() -> None:
    long = TEXTS[0]
    table: tuple[tuple[str, dict[str, Any], bool], ...] = (
        ("shell.run", {"command": long}, True),
        ("shell.run", {"command": long, "force": True}, False),
        ("shell.run", {"command": long, "where": {}}, False),
        ("shell.run", {"command": long, "ids": []}, False),
        ("shell.run", {"command": "$90,000"}, False),
        ("shell.run", {"note": long}, False),
        ("shell.run", {"options": {"command": long}}, False),
        ("shell.run_everywhere", {"command": long}, False),
        ("pay_by_command", {"command": long}, False),
        ("", {"command": long}, False),
    )
    for tool, arguments, alone in table:
        assert payload(arguments, tool).program is alone, (tool, arguments)
