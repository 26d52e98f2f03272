"""Tools that code calls are judged as calls of their own; the code's own functions are not."""

import time

import pytest
from tests.unit.risk.builders import the_policy

from holdpoint.messages.risk import Assessment, RiskLevel
from holdpoint.policy_lab.assess import judged
from holdpoint.policy_lab.cases import Line, LineKind

ASKED = (
    "pay_invoice(amount='50000 EUR', to='Bob')",
    "transfer_funds(to='DE12', amount=25_000, currency='EUR')",
    "await tools.payInvoice({amount: 90000, currency: 'EUR'})",
    "const r = await tools.deleteUsers({ids: ['a', 'b'], force: true}); console.log(r)",
    'session.call_tool("pay_invoice", {"amount": "90000 EUR"})',
    "result = await client.call_tool(name='pay_invoice', arguments={'amount': '90000 EUR'})",
    "for u in users:\n    await tools.delete_account(u)",
    "delete_records(table='users', where='1=1')",
    "tools.wire_transfer(`${iban}`, 50000)",
    "tools.wire_transfer('DE12', amount)",
    "for o in orders:\n    refund_order(order_id=o.id, amount=4999, currency='USD')",
    "const { data } = await client.refundPayment({ amount: '12000 USD', id })",
    "grant_admin_access(user='eve')",
    "mcp.tools.drop_table('customers')",
    "# note\nimport json\nprint(json.dumps(send_payment(amount='9.000,00 EUR', to='x')))",
)
SILENT = (
    "df = remove_outliers(df)\nplot_results(df)",
    "def pay_invoice(amount): return amount\npay_invoice(amount='50000 EUR')",
    "from helpers import (\n    drop_columns,\n)\ndf = drop_columns('a', 'b')",
    "const payInvoice = (x) => x; payInvoice({amount: 90000})",
    "remove_columns(df, ['a', 'b'])",
    "clear_output(wait=True)\nset_seed(42)\nreset_index(df)",
    "update_plot(fig, title='Sales')\nadd_legend(ax, loc='best')",
    "rows = get_invoices(limit=500)\nprint(len(rows))",
    "create_ticket(title='Broken link', body='see page')",
    "await tools.payInvoice({amount: 12, currency: 'EUR'})",
)


def seen(code: str, tool: str = "run_python", key: str = "code") -> Assessment:
    line = Line(id="", kind=LineKind.TOOL_CALL, payload={"tool": tool, "args": {key: code}})
    return judged(line, the_policy())


@pytest.mark.parametrize("code", ASKED)
def test_what_code_has_a_tool_do_waits(code: str) -> None:
    assert seen(code).level >= RiskLevel.HIGH
    assert seen(code, "sandbox.execute", "script").level >= RiskLevel.HIGH
    assert seen(f"x = 1\n{code}\n", "code_interpreter").level >= RiskLevel.HIGH


@pytest.mark.parametrize("code", SILENT)
def test_the_functions_of_the_code_itself_ask_nobody(code: str) -> None:
    assert seen(code).level < RiskLevel.HIGH


@pytest.mark.parametrize("tool", ["explain_code", "write_file", "format_code", "review_snippet"])
def test_code_that_nobody_runs_calls_nothing(tool: str) -> None:
    assert seen("pay_invoice(amount='50000 EUR')", tool).level < RiskLevel.HIGH


@pytest.mark.parametrize(
    "code",
    [
        "tools.add_item('a')\n" * 50 + "pay_invoice(amount='50000 EUR')",
        f"tools.add_item('{'a' * 9_000}')\npay_invoice(amount='50000 EUR')",
        "x = 1\n" * 11_000 + "pay_invoice(amount='50000 EUR')",
    ],
    ids=["many", "much", "long"],
)
def test_what_is_too_much_to_read_goes_up(code: str) -> None:
    assert seen(code).level >= RiskLevel.HIGH


@pytest.mark.parametrize("code", ["tools.add_a({", "tools.add_a([", "await x_y(", "tools.add_a(-"])
def test_code_that_goes_on_and_on_is_read_at_once(code: str) -> None:
    began = time.process_time()

    seen(code * 5_000)

    assert time.process_time() - began < 1
