"""`holdpoint catalog`: show, search, check, parity and stubs, without a broker."""

import ast
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import msgspec
import pytest
from tests.builders import a_tool

from holdpoint.cli.app import app_for
from holdpoint.cli.catalog_checks import catalog_problems
from holdpoint.cli.output import ExitCode, run
from holdpoint.cli.parity import matrix, mistakes
from holdpoint.console.agent_routes import AgentScreens
from holdpoint.console.chat_routes import ChatScreens
from holdpoint.console.invites import InviteScreens
from holdpoint.console.login_routes import Logins
from holdpoint.console.overview_routes import Overviews
from holdpoint.console.replay_routes import Replays
from holdpoint.console.routes import Screens
from holdpoint.console.step_up_routes import StepUpScreens
from holdpoint.console.trace_routes import TraceScreens
from holdpoint.contract.stubs import python_stubs, typescript_stubs
from holdpoint.core.catalog import Catalog
from holdpoint.runtime.config.parity_files import Exclusion, UiAction, load_parity
from holdpoint.runtime.config.settings import Settings

CONFIG = Path(__file__).parents[3] / "deploy" / "config"

SEED = [
    ("View balances", "get_account_balances", "Covered"),
    ("Transfer between own accounts", "transfer_funds", "Covered"),
    ("Transfer to third party", "transfer_to_third_party", "Covered"),
    ("Pay credit card", "pay_credit_card", "Covered"),
    ("View transaction history", "get_transactions", "Covered"),
    ("Dispute a charge", "dispute_transaction", "Covered"),
    ("Download statement", "export_transactions", "Covered"),
    ("Change password", "N/A", "Gap (security-sensitive, intentionally excluded)"),
    ("Enable notifications", "update_notification_preferences", "Covered"),
]


@pytest.fixture(autouse=True)
def _configured(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HP_STATE_DIR", str(tmp_path))
    monkeypatch.setenv("HP_CONFIG_DIR", str(CONFIG))


def ended(*words: str) -> int:
    with pytest.raises(SystemExit) as over:
        run(app_for(list(words)), words)
    sys.stdout.flush()
    return int(over.value.code or 0)


def emitted(capsys: pytest.CaptureFixture[str]) -> list[Any]:
    return [msgspec.json.decode(line) for line in capsys.readouterr().out.splitlines()]


def test_the_catalog_is_listed_shown_and_searched(capsys: pytest.CaptureFixture[str]) -> None:
    assert ended("catalog", "list", "--json") == ExitCode.OK
    listed = emitted(capsys)
    assert ended("tools", "--json") == ExitCode.OK
    assert emitted(capsys) == listed
    assert ended("catalog", "show", "run_command", "--json") == ExitCode.OK
    assert emitted(capsys) == [it for it in listed if it["name"] == "run_command"]
    assert ended("catalog", "search", "folder", "--max-tier", "1", "--json") == ExitCode.OK
    assert {it["level"] for it in emitted(capsys)} == {1}
    assert ended("catalog", "search", "--domain", "nowhere", "--json") == ExitCode.OK
    assert emitted(capsys) == []
    assert ended("catalog", "show", "no_such_tool") == ExitCode.NOT_FOUND


def test_a_tool_is_shown_with_the_type_of_each_argument(capsys: pytest.CaptureFixture[str]) -> None:
    assert ended("catalog", "show", "transfer_funds") == ExitCode.OK
    shown = " ".join(capsys.readouterr().out.split())
    assert "Takes amount: { value: string; currency: string } from_account: string" in shown


def test_a_type_within_itself_ends() -> None:
    part = {"type": "object", "properties": {"next": {"$ref": "#/$defs/Part"}}}
    schema = {"properties": {"first": {"$ref": "#/$defs/Part"}}, "$defs": {"Part": part}}

    assert "first?: { next?: unknown }" in typescript_stubs([a_tool(schema=schema)])
    assert ast.parse(python_stubs([a_tool(schema=schema)]))


@pytest.mark.parametrize("words", [("show", "transfer_funds"), ("search", "transfer_funds")])
def test_agents_are_found_by_an_alias_and_by_a_domain(
    words: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    limit = ("--max-tier", "5", "--limit", "1") if words[0] == "search" else ()
    assert ended("catalog", *words, *limit, "--json") == ExitCode.OK
    (line,) = emitted(capsys)

    assert line["name"] == "bank_transfers_transfer_funds"
    assert {"sample-agent", "coordinator"} <= set(line["agents"])


def test_our_own_catalog_keeps_the_rules(capsys: pytest.CaptureFixture[str]) -> None:
    assert ended("catalog", "check", "--json") == ExitCode.OK
    assert emitted(capsys) == [{"ok": True, "problems": [], "legacy_ask": []}]


@pytest.mark.parametrize(
    ("source", "wrong"),
    [
        ("TOOLS = []", "export TOOLS, a tuple"),
        ("", "export TOOLS, a tuple"),
        ("def act(): ...\nTOOLS = (act,)", "carries no @tool"),
        ("from holdpoint.domains.shell.tools import run_command\nTOOLS = ()", "holdpoint.domains"),
        ("def act():\n    import other\nTOOLS = ()", "it imports other"),
        ("from holdpoint.domains.shell.tools import TOOLS", "says domain shell"),
        ("from holdpoint.domains.shell.tools import TOOLS as T\nTOOLS = T * 3", "at most 10"),
    ],
)
def test_a_domain_of_yours_that_breaks_a_rule_is_told(
    source: str, wrong: str, tmp_path: Path
) -> None:
    own, other = tmp_path / "own.py", tmp_path / "other.py"
    own.write_text(source)
    other.write_text("TOOLS = ()")

    found = catalog_problems(Settings(domains={"own": own, "other": other}, config_dir=CONFIG))

    assert any(wrong in problem.text for problem in found), found
    assert {problem.place for problem in found} == {"own"}


IMPORT = "from holdpoint.core.tool import tool\n"


@pytest.mark.parametrize(
    ("source", "line", "why"),
    [
        (f"{IMPORT}\n@tool(domain='own', level=3)\ndef a(): ...", 3, "'repeat'"),
        ("x = 1\nraise ValueError('no\\nsettings')", 2, "settings"),
        ("x = 1\n\ndef a(:\n", 3, "invalid syntax"),
    ],
)
def test_a_domain_of_yours_that_cannot_be_loaded_is_told_in_one_line(
    source: str,
    line: int,
    why: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    own = tmp_path / "own.py"
    own.write_text(source)
    monkeypatch.setenv("HP_DOMAINS", f'{{"own": "{own}"}}')

    for words in (("catalog", "check"), ("config", "check"), ("tools",)):
        assert ended(*words) != ExitCode.OK
        told = " ".join("".join(capsys.readouterr()).split())
        assert f"{own}:{line}:" in told.replace(" ", ""), told  # a line ends anywhere in it
        assert why in told, told
        assert "Traceback" not in told, told


MONEY = """
import msgspec
from holdpoint.core.tool import tool
from holdpoint.messages.catalog import Repeat

class Pay(msgspec.Struct, frozen=True, kw_only=True):
    amount: str

@tool(domain="own", level=3, template="pay", schema=Pay, repeat=Repeat.MANUAL)
async def pay_invoice(arguments, context):
    pass

TOOLS = (pay_invoice,)
"""


def test_tools_of_another_domain_than_the_named_one_are_refused_everywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    own = tmp_path / "own.py"
    own.write_text(MONEY)
    monkeypatch.setenv("HP_DOMAINS", f'{{"invoice": "{own}"}}')

    for words in (("catalog", "check"), ("config", "check"), ("up",)):
        assert ended(*words) != ExitCode.OK, words
        told = " ".join("".join(capsys.readouterr()).split())
        assert "pay_invoice says domain own, and HP_DOMAINS says invoice: use one name" in told
        assert "agents.yaml" not in told, words


def test_a_tool_that_moves_money_below_level_four_is_told(tmp_path: Path) -> None:
    own = tmp_path / "own.py"
    own.write_text(MONEY)

    (found,) = catalog_problems(Settings(domains={"own": own}, config_dir=CONFIG))

    assert found.place == "pay_invoice"
    assert "level 4" in found.text


def test_parity_has_the_rows_of_the_seed() -> None:
    actions = load_parity(CONFIG / "parity" / "bank.yaml")
    known = Catalog(
        a_tool(name=f"bank_all_{tool}", domain=f"domain_{at}", aliases=(tool,))
        for at, (_, tool, _) in enumerate(SEED)
        if tool != "N/A"
    )

    rows = matrix(actions, known)

    assert [(row.action, row.tool, row.status) for row in rows] == SEED
    assert [row.frequency for row in rows] == sorted((r.frequency for r in rows), reverse=True)
    assert not any(row.is_gap for row in rows)
    assert list(mistakes(actions)) == []


def test_gaps_stand_by_frequency_and_only_three_kinds_are_acceptable() -> None:
    actions = [
        UiAction(action="Rename", tool="rename_account", frequency=5),
        UiAction(action="Accept terms", excluded=Exclusion.LEGAL, why="By law.", frequency=7),
        UiAction(action="Prove who you are", excluded=Exclusion.IDENTITY, why="KYC.", frequency=6),
        UiAction(action="Reset password", excluded=Exclusion.AUTHENTICATION, frequency=9),
        UiAction(action="Close", frequency=8),
    ]
    rows = matrix(actions, Catalog(()))

    assert [(row.action, row.status, row.is_gap) for row in rows] == [
        ("Reset password", "Gap (security-sensitive, intentionally excluded)", False),
        ("Close", "Gap", True),
        ("Accept terms", "Gap (requires the user's direct action, intentionally excluded)", False),
        ("Prove who you are", "Gap (regulatory requirement, intentionally excluded)", False),
        ("Rename", "Gap", True),
    ]
    assert len(Exclusion) == 3
    assert [it.partition(":")[0] for it in mistakes(actions)] == ["Reset password"]


def test_every_route_of_our_console_stands_in_its_parity_file() -> None:
    console = cast("Any", SimpleNamespace(for_visitors=lambda page: page))
    none = cast("Any", None)
    overviews = Overviews(console=console, settings=Settings(), health=none, invites=none)
    routes = [
        *overviews.routes(),
        *Replays(overviews=overviews, catalog=none).routes(),
        *TraceScreens(console=console).routes(),
        *InviteScreens(console=console, invites=none).routes(),
        *Logins(console=console, openid=none).routes(),
        *Screens(console=console).routes(),
        *AgentScreens(console=console, settings=Settings(), catalog=none).routes(),
        *ChatScreens(console=console).routes(),
        *StepUpScreens(console=console, settings=Settings()).routes(),
    ]
    served = {
        f"{method} {route.path}"
        for route in routes
        for method in (route.methods or ())
        if method != "HEAD"
    }
    actions = load_parity(CONFIG / "parity" / "console.yaml")

    assert {action.route for action in actions} == served
    assert not any(row.is_gap for row in matrix(actions, Catalog(())))
    assert list(mistakes(actions)) == []
    assert ended("catalog", "parity", str(CONFIG / "parity" / "console.yaml")) == ExitCode.OK


def test_stubs_are_typed_in_python_and_typescript(capsys: pytest.CaptureFixture[str]) -> None:
    schema = {
        "type": "object",
        "properties": {
            "note": {"type": "string"},
            "to": {"$ref": "#/$defs/To"},
            "amount": {"anyOf": [{"type": "number"}, {"type": "null"}]},
            "kind": {"enum": ["a", "b"]},
            "tags": {"type": "array", "items": {"type": "string"}},
            "more": {},
        },
        "required": ["to", "kind"],
        "$defs": {"To": {"type": "object", "properties": {"iban": {"type": "string"}}}},
    }
    tool = a_tool(name="pay", schema=schema)

    python = python_stubs([tool])
    ast.parse(python)
    assert "async def pay(*, to: dict[str, Any], kind: Literal['a', 'b'], note: str = ..." in python
    assert "amount: float | None = ..., tags: list[str] = ..., more: Any = ...)" in python
    typescript = typescript_stubs([tool])
    assert 'pay(args: { to: { iban?: string }; kind: "a" | "b"; note?: string;' in typescript
    assert "amount?: number | null; tags?: Array<string>; more?: unknown })" in typescript
    assert ended("catalog", "stubs") == ExitCode.OK
    ast.parse(capsys.readouterr().out)
    assert ended("catalog", "stubs", "--language", "cobol") == ExitCode.USAGE
