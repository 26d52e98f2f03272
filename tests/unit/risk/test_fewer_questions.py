"""What a configured sandbox, a build product or a draft makes milder; and its twins, which ask."""

from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.unit.risk.builders import a_tool, an_action

from holdpoint.core.risk import assess
from holdpoint.core.risk.context import Context
from holdpoint.core.risk.environment import is_build_product
from holdpoint.messages.action import Plan
from holdpoint.messages.policy import EnvironmentRule, Policy
from holdpoint.messages.risk import Environment, RiskLevel
from holdpoint.policy_lab.assess import judged as assessed
from holdpoint.policy_lab.cases import Line, LineKind
from holdpoint.runtime.config.policy import load_policy

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
    ("drop_database", {"database": "app_test", "host": "localhost:5432"}),
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
    ("execute_sql", {"sql": "DELETE FROM events", "container": "redis-1"}),
    ("truncate_table", {"table": "events", "container": "redis-1"}),
    ("drop_database", {"database": "app_latest", "host": "localhost"}),
    ("delete_directory", {"path": "/project/scratch/../src", "recursive": True}),
    ("execute_sql", {"sql": "DELETE FROM crm.events", "database": "scratch_1"}),
    ("delete_users", {"ids": list(range(1000)), "host": "localhost"}),
    ("execute_sql", {"sql": "USE crm; DELETE FROM events", "database": "scratch_1"}),
    ("execute_sql", {"sql": "/**/use crm; DELETE FROM events", "database": "scratch_1"}),
    ("execute_sql", {"sql": "CONNECT crm; DELETE FROM events", "database": "scratch_1"}),
    ("execute_sql", {"sql": "\\c crm\nDELETE FROM events", "database": "scratch_1"}),
    ("execute_sql", {"sql": "SET search_path TO crm; DELETE FROM a", "database": "scratch_1"}),
    ("execute_sql", {"sql": "SELECT dblink_exec('x','DELETE FROM a')", "database": "scratch_1"}),
    ("execute_sql", {"sql": "ATTACH 'a' AS b; DELETE FROM events", "database": "scratch_1"}),
    ("execute_sql", {"sql": "DROP DATABASE crm", "database": "scratch_1"}),
    ("execute_sql", {"sql": "DELETE c FROM crm.events c", "database": "scratch_1"}),
    ("execute_sql", {"sql": "TRUNCATE a, crm.events", "database": "scratch_1"}),
    ("execute_sql", {"sql": "DELETE FROM `crm.events`", "database": "scratch_1"}),
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
        ("http://localhost:8001/api/v1/namespaces/prod", {}),
        ("http://localhost:2375/volumes/prod-data", {}),
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


PRODUCTS = ("build", "dist", "target", "**/node_modules", "**/.venv", "**/*.egg-info")


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
        "app.egg-info",
        "lib/*.egg-info",
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
        "*/*.egg-info",
        "a*.egg-info",
        "*.egg",
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


def ran(shipped: Policy, command: str, **facts: Any) -> RiskLevel:
    return assessed(Line(id="", kind=LineKind.SHELL, text=command, context=facts), shipped).level


@pytest.mark.parametrize(
    "command",
    [
        "rm -rf node_modules",
        "rm -rf build/",
        "rm -rf build/*",
        "rm -rf build dist",
        "rm -rf {build,dist}",
        "rm -r target",
        "rm -rf ./node_modules && npm ci",
        "rm -rf __pycache__ .pytest_cache",
        "rm -rf .venv",
        "rm -rf build dist *.egg-info",
        "[ -d build ] && rm -rf build",
        "cd web && rm -rf node_modules",
        "NODE_ENV=test rm -rf node_modules",
        "git clean -fdx node_modules",
        "find . -name node_modules -type d -prune -exec rm -rf {} +",
        "Remove-Item -Recurse -Force node_modules",
    ],
)
def test_a_command_that_deletes_build_products_loses_nothing(shipped: Policy, command: str) -> None:
    unlisted = msgspec.structs.replace(shipped, build_products=())

    assert ran(shipped, command) is RiskLevel.LOW
    assert ran(unlisted, command) >= RiskLevel.HIGH


@pytest.mark.parametrize("command", ["find . -name '*.pyc' -delete", "npx rimraf dist"])
def test_other_ways_to_delete_build_products_are_remarked_on(shipped: Policy, command: str) -> None:
    assert ran(shipped, command) is RiskLevel.MEDIUM


@pytest.mark.parametrize(
    "command",
    [
        "rm -rf /node_modules",
        "rm -rf ~bob/node_modules",
        "rm -rf /home/bob/node_modules",
        "rm -rf ~/node_modules",
        "rm -rf node_modules/../..",
        "rm -rf node_modules/../../src",
        "rm -rf ../node_modules",
        "rm -rf $DIR/node_modules",
        "D=node_modules; rm -rf $D",
        "rm -rf ${D:-build}",
        "rm -rf */node_modules",
        "rm -rf build*",
        "rm -rf node_modules ~/data",
        "rm -rf dist/app",
        "rm -rf node_modules src",
        "rm -rf node_modules; rm -rf src",
        "rm -rf build $(rm -rf ~/data)",
        "cd /etc && rm -rf build",
        "cd / ; rm -rf build",
        "cd $HOME && rm -rf target",
        "cd .. && rm -rf build",
        "cd web && rm -rf build",
        "c\\d /etc && rm -rf build",
        "pushd /srv/app && rm -rf node_modules",
        "ln -s ~/data node_modules && rm -rf node_modules/",
        "mv ~/data build && rm -rf build",
        "sudo mount --bind /srv build && rm -rf build",
        "alias rm='rm -rf /srv'; rm -rf build",
        "ssh web1.example rm -rf build",
        "docker compose exec app rm -rf node_modules",
        "xargs rm -rf < build",
        "git clean -fdx",
        "git clean -fdx node_modules src",
        "git -C /srv/app clean -fdx node_modules",
        "find / -name node_modules -exec rm -rf {} +",
        "find .. -name node_modules -exec rm -rf {} +",
        "find . -name src -exec rm -rf {} +",
        "find . -name node_modules -o -name src -exec rm -rf {} +",
        "find . -name node_modules -prune -o -exec rm -rf {} +",
        "find . ! -name node_modules -exec rm -rf {} +",
        "find . -path '*node_modules*' -exec rm -rf {}/.. +",
        "find . -name node_modules -execdir rm -rf .. +",
        "find . -name node_modules -exec rm -rf {} ~/data +",
        "find . -name node_modules | xargs rm -rf",
        "find -L . -name node_modules -exec rm -rf {} +",
    ],
)
def test_a_command_that_may_delete_more_asks(shipped: Policy, command: str) -> None:
    assert ran(shipped, command) >= RiskLevel.HIGH


def test_build_products_ask_in_production_and_beside_another_folder(shipped: Policy) -> None:
    command = "rm -rf node_modules"
    beside: list[Arguments] = [{"cwd": "/etc"}, {"host": "web1.example"}, {"args": ["~/data"]}]

    assert ran(shipped, command, production=True) >= RiskLevel.HIGH
    assert called(shipped, "run_command", {"command": command}) < RiskLevel.HIGH
    for more in beside:
        assert called(shipped, "run_command", {"command": command} | more) >= RiskLevel.HIGH


@pytest.mark.parametrize(
    "command",
    [
        "psql -h localhost -c 'truncate t'",
        "psql --host=127.0.0.1 -U dev app_dev -c 'DELETE FROM sessions'",
        "PGPASSWORD=x psql -h localhost -c 'truncate t'",
        "echo 'truncate t;' | psql -h localhost",
        "mysql -h 127.0.0.1 app_test -e 'DELETE FROM sessions'",
        "kubectl --context kind-dev delete ns test",
        "kubectl delete ns test --context=minikube",
        "helm --kube-context kind-dev uninstall web",
        "minikube delete",
    ],
)
def test_a_command_in_a_configured_sandbox_is_remarked_on(shipped: Policy, command: str) -> None:
    unlisted = msgspec.structs.replace(shipped, environments=())

    assert ran(shipped, command) is RiskLevel.MEDIUM
    assert ran(unlisted, command) >= RiskLevel.HIGH


@pytest.mark.parametrize(
    "command",
    [
        "psql -c 'truncate t'",
        "psql -h db1.example -c 'truncate t'",
        "psql -h localhost -h db1.example -c 'truncate t'",
        "psql -h localhost --hos=db1.example -c 'truncate t'",
        "psql -h localhost app -c 'truncate t'",
        "psql -h localhost -d 'host=db1.example dbname=app_test' -c 'truncate t'",
        "psql 'postgresql://db1.example/app_test' -h localhost -c 'truncate t'",
        "psql -h localhost app_prod_test -c 'truncate t'",
        "psql -h localhost -f wipe.sql -c 'truncate t'",
        "PGHOST=db1.example psql -d app_test -c 'truncate t'",
        "export PGSERVICE=live; psql -h localhost -c 'truncate t'",
        "env PGHOSTADDR=10.0.0.1 psql -h localhost -c 'truncate t'",
        "ssh web1.example \"psql -h localhost -c 'truncate t'\"",
        "ssh -fNL 5432:db1.example:5432 web1 && psql -h localhost -c 'truncate t'",
        "kubectl port-forward svc/db 5432 & psql -h localhost -c 'truncate t'",
        "kubectl exec db-0 -- psql -h localhost -c 'truncate t'",
        "psql -h localhost -c 'truncate t'; psql -h db1.example -c 'truncate t'",
        "psql -h localhost -c 'drop database app'",
        "mysql -h localhost -e 'DELETE FROM crm.users'",
        "mysql -h localhost -e 'USE crm; DELETE FROM users'",
        "psql -h localhost -c '\\c app db1.example' -c 'truncate t'",
        "kubectl --context kind-dev --context live delete ns test",
        "kubectl --context kind-dev delete ns test -- --context live",
        "kubectl delete ns test",
        "kubectl --context prod-eu delete ns test",
        "kubectl --context kind-dev --server https://k8s.example delete ns test",
        "kubectl --context kind-dev --kubeconfig /srv/live delete ns test",
        "kubectl config rename-context live kind-dev; kubectl --context kind-dev delete ns test",
        "KUBECONFIG=/srv/live kubectl --context kind-dev delete ns test",
        "kubectl --context kind-dev delete ns shop-prod",
        "minikube -p live delete",
        "curl -L -X DELETE http://localhost:9200/logs-1",
        "curl -X DELETE http://localhost:9200/_all",
        "docker compose down -v",
        "docker compose -f docker-compose.test.yml down -v",
        "redis-cli -h 127.0.0.1 flushall",
    ],
)
def test_a_command_that_may_reach_further_asks(shipped: Policy, command: str) -> None:
    assert ran(shipped, command) >= RiskLevel.HIGH


def test_a_compose_file_is_a_sandbox_only_where_configuration_lists_it(shipped: Policy) -> None:
    rule = EnvironmentRule(match="path:docker-compose.test.yml", environment=Environment.SANDBOX)
    listed = msgspec.structs.replace(shipped, environments=(*shipped.environments, rule))
    command = "docker compose -f docker-compose.test.yml down -v"
    project = "docker compose -f docker-compose.test.yml -p shop down -v"
    written = f"cp live.yml docker-compose.test.yml && {command}"
    printed = f"cat live.yml > docker-compose.test.yml && {command}"

    assert ran(listed, command) is RiskLevel.MEDIUM
    assert ran(listed, f"cd /srv/shop && {command}") >= RiskLevel.HIGH
    assert ran(listed, project) >= RiskLevel.HIGH
    assert ran(listed, written) >= RiskLevel.HIGH
    assert ran(listed, printed) >= RiskLevel.HIGH
    assert ran(listed, f"DOCKER_HOST=ssh://web1 {command}") >= RiskLevel.HIGH


@pytest.mark.parametrize(
    "command",
    [
        "git branch -D feature/login",
        "git branch -D fix/a fix/b",
        "docker system prune -f",
        "docker builder prune -f",
        "docker image prune -f",
        "cargo clean",
    ],
)
def test_what_is_made_again_or_a_branch_of_ones_own_asks_nobody(
    shipped: Policy, command: str
) -> None:
    assert ran(shipped, command) < RiskLevel.HIGH


@pytest.mark.parametrize(
    "command",
    [
        "git branch -D main",
        "git branch -D release/2.1",
        "git branch -D feature/a main",
        "git branch -D -r origin/feature/a",
        "git branch -D $BRANCH",
        "git push origin --delete feature/login",
        "docker system prune -f --volumes",
        "docker system prune -af",
        "docker image prune -af",
        "docker volume prune -f",
        "docker network prune -f",
    ],
)
def test_what_others_use_asks(shipped: Policy, command: str) -> None:
    assert ran(shipped, command) >= RiskLevel.HIGH


def test_mail_that_is_only_drafted_reaches_nobody(shipped: Policy) -> None:
    mail = {"to": "all-customers@example.com", "body": "Dear customers"}

    assert called(shipped, "create_draft_email", mail) < RiskLevel.HIGH
    assert called(shipped, "save_email_draft", mail) < RiskLevel.HIGH
    assert called(shipped, "send_draft_email", mail) >= RiskLevel.HIGH
    assert called(shipped, "create_and_send_draft", mail) >= RiskLevel.HIGH
