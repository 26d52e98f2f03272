"""What a configured sandbox, a build product or a draft makes milder; and its twins, which ask."""

from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.unit.risk.builders import a_tool, an_action

from holdpoint.cli.assess import judged as assessed
from holdpoint.cli.lines import Line, LineKind
from holdpoint.core.risk import assess
from holdpoint.core.risk.context import Context
from holdpoint.core.risk.environment import is_build_product
from holdpoint.messages.action import Plan
from holdpoint.messages.policy import Policy
from holdpoint.messages.risk import RiskLevel
from holdpoint.runtime.policy import load_policy

CONFIG = Path(__file__).parents[3] / "deploy" / "config"
Arguments = dict[str, Any]


@pytest.fixture(scope="module")
def shipped() -> Policy:
    return load_policy(CONFIG, {})


def called(shipped: Policy, tool: str, arguments: Arguments, **facts: Any) -> RiskLevel:
    payload = {"tool": tool, "arguments": arguments}
    line = Line(id="", kind=LineKind.TOOL_CALL, payload=payload, context=facts)
    return assessed(line, shipped).level


def sent(shipped: Policy, method: str, url: str, **more: Any) -> RiskLevel:
    payload = {"method": method, "url": url, **more}
    return assessed(Line(id="", kind=LineKind.HTTP, payload=payload), shipped).level


IN_SANDBOX: list[tuple[str, Arguments]] = [
    ("drop_database", {"database": "scratch_ci", "host": "localhost"}),
    ("delete_user", {"id": "42", "url": "http://localhost:8080/api"}),
    ("delete_user", {"id": "42", "host": "127.0.0.1"}),
    ("delete_user", {"id": "42", "host": "::1"}),
    ("delete_pod", {"name": "web-1", "cluster": "minikube"}),
    ("terminate_instance", {"instance_id": "i-1", "account": "sandbox-7"}),
    ("close_account", {"account": "test-account-1"}),
    ("remove_container", {"container": "redis-1"}),
    ("delete_directory", {"path": "/project/scratch/run-1", "recursive": True}),
    ("execute_sql", {"sql": "DELETE FROM events", "database": "scratch_1"}),
]
ELSEWHERE: list[tuple[str, Arguments]] = [
    ("drop_database", {"database": "scratch_prod", "host": "localhost"}),
    ("drop_database", {"database": "scratch_ci", "host": "db1.example"}),
    ("delete_user", {"id": "42", "url": "http://localhost.example/api"}),
    ("delete_user", {"id": "42", "url": "http://localhost@api.example/users"}),
    ("delete_user", {"id": "42", "host": "10.0.0.7"}),
    ("delete_pod", {"name": "web-1", "cluster": "minikube", "url": "https://k8s.example"}),
    ("close_account", {"account": "latest-account"}),
    ("remove_container", {"container": "redis-prod-1"}),
    ("delete_directory", {"path": "/project/scratch/../src", "recursive": True}),
    ("execute_sql", {"sql": "DELETE FROM crm.events", "database": "scratch_1"}),
    ("delete_users", {"ids": list(range(1000)), "host": "localhost"}),
]


@pytest.mark.parametrize(("tool", "arguments"), IN_SANDBOX)
def test_what_cannot_be_undone_counts_one_level_less_in_a_configured_sandbox(
    shipped: Policy, tool: str, arguments: Arguments
) -> None:
    assert called(shipped, tool, arguments) is RiskLevel.MEDIUM


@pytest.mark.parametrize(("tool", "arguments"), ELSEWHERE)
def test_it_asks_wherever_one_target_is_no_sandbox(
    shipped: Policy, tool: str, arguments: Arguments
) -> None:
    assert called(shipped, tool, arguments) >= RiskLevel.HIGH


@pytest.mark.parametrize(("tool", "arguments"), IN_SANDBOX)
def test_a_place_that_the_tool_does_not_know_lowers_nothing(
    shipped: Policy, tool: str, arguments: Arguments
) -> None:
    action = an_action(tool, **arguments)

    found = assess(action, Context(tool=a_tool(name=tool, schema={})), shipped)

    assert found.level >= RiskLevel.HIGH


def test_facts_and_the_dry_run_say_where_as_well(shipped: Policy) -> None:
    tool = a_tool(name="delete_user", schema={})
    action = an_action("delete_user", id=7)
    planned = Plan(environment_keys=("database:scratch_1",))

    by_facts = assess(action, Context(tool=tool, facts={"database": "scratch_1"}), shipped)
    by_plan = assess(action, Context(tool=tool, plan=planned), shipped)
    beside = assess(action, Context(tool=tool, plan=planned, facts={"production": True}), shipped)

    assert by_facts.level is by_plan.level is RiskLevel.MEDIUM
    assert beside.level >= RiskLevel.HIGH


def test_the_list_of_seed_002_stays_critical_in_a_sandbox(shipped: Policy) -> None:
    arguments = {"sql": "DROP TABLE events", "database": "scratch_1"}

    assert called(shipped, "execute_sql", arguments) is RiskLevel.CRITICAL


@pytest.mark.parametrize(
    "url",
    [
        "http://localhost:3000/users/1",
        "http://127.0.0.1:9200/index",
        "http://[::1]:8080/items/3",
        "http://app.localhost/items/3",
        "http://0.0.0.0:8000/items/3",
        "http://host.docker.internal:5000/items/3",
    ],
)
def test_a_delete_on_this_machine_only_is_remarked_on(shipped: Policy, url: str) -> None:
    assert sent(shipped, "DELETE", url) is RiskLevel.MEDIUM


@pytest.mark.parametrize(
    ("url", "more"),
    [
        ("http://localhost.example/users/1", {}),
        ("http://localhost@api.example/users/1", {}),
        ("http://127.0.0.1.example/users/1", {}),
        ("https://api.example/users/1?host=localhost", {}),
        ("https://api.example/localhost/users/1", {}),
        ("http://localhost:3000/users/1", {"headers": {"Host": "api.example"}}),
    ],
)
def test_a_delete_that_may_leave_this_machine_asks(
    shipped: Policy, url: str, more: Arguments
) -> None:
    assert sent(shipped, "DELETE", url, **more) >= RiskLevel.HIGH


PRODUCTS = ("build", "dist", "target", "**/node_modules", "**/.venv")


@pytest.mark.parametrize(
    "path",
    [
        "build",
        "build/",
        "./build",
        "build/lib/x.o",
        "dist/*.js",
        "node_modules",
        "web/node_modules",
        "web/node_modules/left-pad",
        "services/api/.venv/",
    ],
)
def test_a_build_product_under_the_working_folder(path: str) -> None:
    assert is_build_product(path, PRODUCTS)


@pytest.mark.parametrize(
    "path",
    [
        "",
        ".",
        "/build",
        "~/build",
        "$BUILD",
        "$HOME/build",
        "${X}/node_modules",
        "build/../src",
        "../build",
        "build prod",
        "build;src",
        "build,src",
        "src/build",
        "builds",
        "build.bak",
        "Build",
        "*/node_modules",
        "*",
        "buil?",
        "{build,src}",
        "C:\\app\\build",
        "build\\..\\src",
        "web//node_modules",
        "build/current",
        "build/link/",
        "node_modules/@acme/shared/",
        "bu\u200bild",
        "\uff42uild",
        "build\n/etc",
        "https://host.example/build",
        "build" + "/x" * 200,
    ],
)
def test_what_may_lead_elsewhere_is_no_build_product(path: str) -> None:
    assert not is_build_product(path, PRODUCTS)


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("delete_directory", {"path": "node_modules", "recursive": True}),
        ("delete_files", {"paths": ["dist/app.js", "dist/app.css"]}),
        ("file_delete", {"file_path": "target/debug"}),
        ("remove_dir", {"directory": "./build"}),
    ],
)
def test_deleting_a_build_product_loses_nothing(
    shipped: Policy, tool: str, arguments: Arguments
) -> None:
    assert called(shipped, tool, arguments) is RiskLevel.LOW


@pytest.mark.parametrize(
    ("tool", "arguments", "facts"),
    [
        ("delete_directory", {"path": "/node_modules"}, {}),
        ("delete_directory", {"path": "build/../src"}, {}),
        ("delete_directory", {"path": "~/build"}, {}),
        ("delete_directory", {"path": "$BUILD"}, {}),
        ("delete_directory", {"path": "build prod"}, {}),
        ("delete_directory", {"path": "build/link/"}, {}),
        ("delete_directory", {"path": "build", "root": "/srv"}, {}),
        ("delete_directory", {"path": "build", "host": "web1.example"}, {}),
        ("delete_directory", {"path": "build"}, {"production": True}),
        ("delete_files", {"paths": ["dist/app.js", "src/app.js"]}, {}),
        ("delete_project", {"name": "build"}, {}),
        ("delete_branch", {"branch": "build"}, {}),
    ],
)
def test_its_twins_ask(shipped: Policy, tool: str, arguments: Arguments, facts: Arguments) -> None:
    assert called(shipped, tool, arguments, **facts) >= RiskLevel.HIGH


def test_a_build_product_counts_only_where_policy_and_schema_know_it(shipped: Policy) -> None:
    action = an_action("delete_directory", path="build")
    known = a_tool(schema={"properties": {"path": {}}})
    unlisted = msgspec.structs.replace(shipped, build_products=())

    assert assess(action, Context(tool=known), shipped).level is RiskLevel.LOW
    assert assess(action, Context(tool=a_tool(schema={})), shipped).level >= RiskLevel.HIGH
    assert assess(action, Context(tool=known), unlisted).level >= RiskLevel.HIGH


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("create_invoice", {"customer": "x", "amount": 8000, "draft": True}),
        ("create_purchase_order", {"amount": 18_000, "status": "draft"}),
        ("create_invoice", {"amount": 8000, "send": False}),
        ("make_offer", {"amount": 8000, "as_draft": "yes"}),
    ],
)
def test_a_draft_moves_no_money(shipped: Policy, tool: str, arguments: Arguments) -> None:
    assert called(shipped, tool, arguments) < RiskLevel.HIGH


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("create_invoice", {"amount": 8000, "draft": False}),
        ("create_invoice", {"amount": 8000, "draft": True, "send_now": True}),
        ("create_invoice", {"amount": 8000, "draft": True, "options": {"send": True}}),
        ("create_invoice", {"amount": 8000, "status": "final"}),
        ("create_invoice", {"amount": 8000, "send": True}),
        ("create_invoice", {"amount": 8000, "note": "only a draft"}),
        ("delete_account", {"id": 7, "draft": True}),
        ("transfer_money", {"amount": 8000, "draft": True}),
    ],
)
def test_what_is_no_draft_asks(shipped: Policy, tool: str, arguments: Arguments) -> None:
    assert called(shipped, tool, arguments) >= RiskLevel.HIGH


def test_a_draft_by_an_argument_that_the_tool_does_not_know_asks(shipped: Policy) -> None:
    action = an_action("create_invoice", amount=8000, draft=True)

    assert assess(action, Context(tool=a_tool(schema={})), shipped).level >= RiskLevel.HIGH


@pytest.mark.parametrize("option", ["--purge", "--purge-all", "--delete", "--wipe-data=yes"])
def test_a_destructive_option_of_an_unknown_program_asks(shipped: Policy, option: str) -> None:
    assert called(shipped, "frobnicate", {"args": [option]}) >= RiskLevel.HIGH


@pytest.mark.parametrize("option", ["--verbose", "--no-delete", "--delete-branch", "--purgeable"])
def test_another_option_does_not(shipped: Policy, option: str) -> None:
    assert called(shipped, "frobnicate", {"args": [option]}) < RiskLevel.HIGH
