"""What operators are told: problems with their place, keys, and what a new policy changes."""

import shutil
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

import msgspec
import pytest
from joserfc.jwk import OKPKey
from msgspec.structs import replace
from typer.testing import CliRunner

from holdpoint.cli import output
from holdpoint.cli.adopted_policy import kept, remember
from holdpoint.cli.app import app_for, overview
from holdpoint.cli.commands.keys import keys
from holdpoint.cli.commands.keys import problems as key_problems
from holdpoint.cli.commands.propose import _arguments
from holdpoint.cli.config_checks import problems
from holdpoint.cli.machine_checks import Health, machine_checks
from holdpoint.cli.session import person_of
from holdpoint.core.mcp_tools import versions_of
from holdpoint.domains.settings import BANK_DOMAINS, TASKS
from holdpoint.messages.mcp import MCP_DOMAIN, McpListing, McpServer, Transport
from holdpoint.policy_lab.diff import changes
from holdpoint.runtime.broker import provisioning
from holdpoint.runtime.config.mcp_servers import McpFiles
from holdpoint.runtime.config.policy import load_policy
from holdpoint.runtime.config.registry import groups_of, load_registry
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.process import clock
from holdpoint.runtime.security import credentials
from holdpoint.runtime.security.keyset_files import read_keyset

app = app_for([])

CONFIG = Path(__file__).parents[3] / "deploy" / "config"
DOMAINS = ("shell", "database", *BANK_DOMAINS, TASKS, MCP_DOMAIN)
RUNNER = CliRunner()


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """A state directory with every key, and a configuration that a test may spoil."""
    shutil.copytree(CONFIG, tmp_path / "config")
    monkeypatch.setenv("HP_STATE_DIR", str(tmp_path / "var"))
    monkeypatch.setenv("HP_CONFIG_DIR", str(tmp_path / "config"))
    (tmp_path / "var").mkdir(mode=0o700)
    made = Settings()
    provisioning.prepare(made, DOMAINS, 4222, clock.now())
    return made


@pytest.mark.parametrize(
    ("given", "asked"),
    [
        ([], "Say what you found: --happened or --did-not-happen."),
        (["--note", "I looked."], "Say what you found: --happened or --did-not-happen."),
        (["--happened"], "Say what you looked at: --note TEXT; the agent is told."),
    ],
)
def test_a_run_in_doubt_is_settled_by_an_answer_and_a_note(given: list[str], asked: str) -> None:
    told = RUNNER.invoke(app, ["reconcile", "abc", *given])

    assert told.exit_code == output.ExitCode.USAGE
    assert asked in " ".join(told.stderr.replace("│", " ").split())


def spoil(settings: Settings, name: str, old: str, new: str) -> None:
    path = settings.config_dir / name
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def test_the_shipped_configuration_has_no_problem() -> None:
    assert problems(Settings(config_dir=CONFIG)) == []


def test_a_level_without_the_passkey_that_workers_ask_for_has_its_line(settings: Settings) -> None:
    spoil(settings, "policy/default.yaml", "    every_proof: true # both\n", "")
    policy = settings.config_dir / "policy" / "default.yaml"
    line = policy.read_text().splitlines().index("  5:") + 1

    (problem,) = problems(settings)

    assert (problem.file, problem.place) == (str(policy), str(line))
    assert "HP_PASSKEY_FROM_LEVEL" in problem.text


def test_a_tool_that_moves_money_below_level_4_is_told() -> None:
    till = Path(__file__).parents[2] / "payment_domain.py"
    (problem,) = problems(Settings(config_dir=CONFIG, domains={"till": till}))

    assert (problem.file, problem.place) == (str(till), "pay")
    assert "pay is level 2" in problem.text
    assert "level 4 at any amount" in problem.text


@pytest.mark.parametrize(
    ("name", "old", "new", "place", "text"),
    [
        ("agents.yaml", "acts_for: [ann]", "acts_for: [zoe]", "15", "zoe"),
        ("agents.yaml", "read_file,", "read_fiel,", "11", "read_fiel"),
        ("agents.yaml", "agents:", "agents: [", "10", "not YAML"),
        (
            "policy/default.yaml",
            "tools: {}",
            "tools: {read_fiel: a web page}",
            "132",
            "no domain has a tool read_fiel",
        ),
        ("people.yaml", "groups:", "group:", "6", "group"),
        ("policy/default.yaml", "verdict: pass", "verdict: maybe", "10", "verdict"),
        ("policy/default.yaml", "voices: 1", "voices: 7", "14", "levels.3.all_of: 7 of"),
        ("environments.yaml", "match:", "mach:", "14", "match"),
        ("catalog/bank.yaml", "namespace:", "namespaces:", "4", "it is missing"),
        (
            "catalog/bank.yaml",
            "domain_prefixes:",
            "tool_aliases: {a: a}\ndomain_prefixes:",
            "",
            "a",
        ),
        ("parity/bank.yaml", "actions:", "action:", "6", "actions: it is missing"),
        ("api.yaml", "agents: []", "agent: []", "14", "unknown key"),
        (
            "people.yaml",
            "ben\n    groups: [operators]",
            "ben\n    groups: [operatros]",
            "9",
            "is it operators?",
        ),
        ("mcp_servers.yaml", "servers:", "server:", "23", "unknown key"),
        ("domains.yaml", "timeout_s: 60", "timeout_s: -1", "11", "timeout_s"),
    ],
)
def test_a_mistake_is_told_with_its_file_and_place(
    settings: Settings, name: str, old: str, new: str, place: str, text: str
) -> None:
    spoil(settings, name, old, new)

    found = problems(settings)

    assert found[0].file == str(settings.config_dir / name)
    assert found[0].place == place
    assert text in found[0].text


def test_an_agent_of_the_api_that_nobody_is_has_its_line(settings: Settings) -> None:
    key = OKPKey.generate_key("Ed25519").as_pem(private=False)
    (settings.config_dir / "one.pem").write_bytes(key)
    spoil(settings, "api.yaml", "agents: []", "agents:\n  - agent: zoe\n    keys: {one: one.pem}")

    (problem,) = problems(settings)

    assert (problem.file, problem.place) == (str(settings.config_dir / "api.yaml"), "15")
    assert problem.text.startswith("zoe is not in agents.yaml")


def test_an_mcp_tool_that_moves_money_is_told_where_its_level_stands(
    settings: Settings, tmp_path: Path
) -> None:
    schema = {"type": "object"}
    offered = [{"name": name, "inputSchema": schema} for name in ("checkout", "git_checkout")]
    server = McpServer(name="shop", transport=Transport.STDIO, command="x", prefix="", level=3)
    settings = settings.model_copy(update={"state_dir": tmp_path})
    files = McpFiles.of(settings)
    files.register(server)
    files.list_tools("shop", McpListing(up=True, tools=tuple(offered)))
    files.adopt("shop", versions_of(files.state_of(server)))

    (problem,) = problems(settings)

    assert (Path(problem.file).name, problem.place) == ("mcp_servers.yaml", "checkout")
    assert "--level TOOL=4" in problem.text
    assert "@tool" not in problem.text


def test_a_part_that_is_left_out_is_told_at_the_domains(settings: Settings) -> None:
    (settings.config_dir / "domains.yaml").write_text("")

    found = problems(settings)

    assert {Path(it.file).name for it in found} == {"domains.yaml"}
    assert "use tools of `bank`, which is not offered here" in found[0].text


def test_mistakes_in_two_files_are_told_at_once(settings: Settings) -> None:
    spoil(settings, "agents.yaml", "acts_for:", "act_for:")
    spoil(settings, "people.yaml", "admin:", "admn:")

    assert {Path(found.file).name for found in problems(settings)} >= {"agents.yaml", "people.yaml"}


def test_an_inline_line_of_a_pattern_is_told_with_its_line(settings: Settings) -> None:
    pack = settings.config_dir / "policy" / "seed-002.yaml"
    document = pack.read_text()
    first = document.index("must_fire")
    pack.write_text(document[:first] + "must_not: [x]\n    " + document[first:])

    found = problems(settings)

    assert found
    assert found[0].file == str(pack)


def test_what_changes_is_named_value_by_value(settings: Settings) -> None:
    old = load_policy(settings.config_dir, groups_of(load_registry(settings.config_dir)))
    pattern = old.patterns[0]
    new = replace(
        old,
        version="2",
        thresholds=replace(old.thresholds, records=7),
        patterns=(*old.patterns[1:], replace(pattern, reason="Because.")),
    )

    before = msgspec.json.encode(pattern.reason).decode()
    assert changes(old, new) == [
        f'patterns.{pattern.id}.reason: {before} -> "Because."',
        "thresholds.records: 100 -> 7",
        'version: "1" -> "2"',
    ]
    assert changes(old, old) == []


def test_the_adopted_policy_is_kept(settings: Settings) -> None:
    policy = load_policy(settings.config_dir, groups_of(load_registry(settings.config_dir)))
    assert kept(settings) is None

    remember(settings, policy)

    assert kept(settings) == policy


def test_keys_are_listed_rotated_revoked_and_checked(settings: Settings) -> None:
    first = listed()
    assert {line["role"] for line in first} == {
        "gate",
        "audit",
        *(f"worker:{it}" for it in DOMAINS),
    }
    assert all(line["counts"] and line["secret_here"] for line in first)
    assert list(key_problems(settings, clock.now())) == []

    made = msgspec.json.decode(said("rotate", "gate", "--json"))
    assert made["key_id"] in {line["key_id"] for line in listed()}

    (shell,) = (key.key_id for key in read_keyset(settings.keys_dir) if key.role == "worker:shell")
    assert "cannot sign" in RUNNER.invoke(keys, ["revoke", shell]).output
    assert "worker:shell: no key counts" in RUNNER.invoke(keys, ["check"]).output


def test_no_secret_half_is_ever_printed(settings: Settings) -> None:
    printed = said("list", "--json") + said("list") + said("rotate", "gate", "--json")

    for path in settings.keys_dir.glob("*.key"):
        assert path.read_text() not in printed


@pytest.mark.parametrize("words", [("rotate", "nobody"), ("revoke", "nothing")])
def test_a_key_or_role_that_is_not_there_is_told(
    words: tuple[str, str], settings: Settings
) -> None:
    assert settings.keys_dir.exists()
    result = RUNNER.invoke(keys, [*words])

    assert isinstance(result.exception, output.CommandError)
    assert result.exception.exit_code is output.ExitCode.NOT_FOUND


def test_the_doctor_sees_what_others_can_read(settings: Settings) -> None:
    assert health(settings)["permissions"] is Health.OK
    (settings.credentials_dir / "gate.nk").chmod(0o644)

    assert health(settings)["permissions"] is Health.FAIL


def test_the_doctor_warns_of_a_state_directory_that_others_can_look_into(
    settings: Settings,
) -> None:
    settings.state_dir.chmod(0o755)

    assert health(settings)["permissions"] is Health.WARN


def test_a_state_directory_that_others_can_write_into_fails_the_check(settings: Settings) -> None:
    settings.state_dir.chmod(0o777)

    assert health(settings)["permissions"] is Health.FAIL


def test_the_doctor_sees_a_damaged_key(settings: Settings) -> None:
    (key,) = (key.key_id for key in read_keyset(settings.keys_dir) if key.role == "gate")
    (settings.keys_dir / f"{key}.key").unlink()

    assert health(settings)["keys"] is Health.FAIL


def test_the_doctor_warns_of_a_key_that_waits_for_the_root(
    settings: Settings, tmp_path: Path
) -> None:
    secret = str(tmp_path / "root.key")
    said("root", "new", secret)
    said("rotate", "gate")
    assert health(settings)["keys"] is Health.WARN
    said("root", "sign", secret)

    assert health(settings)["keys"] is Health.OK


def test_settings_are_shown_without_passwords(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HP_LEDGER_URL", "postgresql+asyncpg://holdpoint:hush@db/ledger")
    monkeypatch.setenv("HP_NATS_URL", "nats://user:hush@one:4222,nats://user:hush@two:4222")

    shown = RUNNER.invoke(app, ["config", "show"]).output

    assert "hush" not in shown
    assert str(settings.state_dir) in shown
    for name in ("HP_TENANT", "HP_PERSON", "HP_AGENT"):
        assert name in shown


@pytest.mark.parametrize(
    ("whole", "single", "arguments"),
    [
        ("{}", [], {}),
        ('{"a": 1}', ["b=2"], {"a": 1, "b": "2"}),
        ("{}", ["a=x=y"], {"a": "x=y"}),
        ("{}", ["n:=5", "list:=[1]", "t="], {"n": 5, "list": [1], "t": ""}),
    ],
)
def test_arguments_are_text_unless_they_say_json(
    whole: str, single: list[str], arguments: dict[str, Any]
) -> None:
    assert _arguments(whole, single) == arguments


def test_the_only_person_with_a_password_is_who_acts(settings: Settings) -> None:
    with pytest.raises(output.CommandError) as nobody:
        person_of(settings, "")
    assert nobody.value.exit_code is output.ExitCode.SETUP

    cheap = credentials.WorkFactor(passes=1, memory_bytes=64 * 1024)
    credentials.create_person_key(
        settings.people_dir, "ben", "correct horse", cheap, must_change=False
    )
    assert person_of(settings, "").name == "ben"
    assert person_of(settings, "ann").name == "ann"


def health(settings: Settings) -> dict[str, Health]:
    return {check.name: check.health for check in machine_checks(settings, runs=True)}


def listed() -> list[dict[str, Any]]:
    return [msgspec.json.decode(line) for line in said("list", "--json").splitlines()]


def said(*words: str) -> str:
    result = RUNNER.invoke(keys, [*words])
    assert result.exit_code == 0, result.output
    return result.output


def test_a_program_reads_which_files_make_the_contract(tmp_path: Path) -> None:
    ended = RUNNER.invoke(app, ["schemas", str(tmp_path), "--json"])

    written = msgspec.json.decode(ended.stdout)["written"]
    assert sorted(written) == sorted(str(path) for path in tmp_path.rglob("*") if path.is_file())


def test_its_version_is_told_without_loading_the_rest() -> None:
    said = (
        "import sys; sys.argv = ['holdpoint', '--version']; from holdpoint.cli import main; main()"
    )
    told = subprocess.run(
        [
            sys.executable,
            "-c",
            f"{said}; print({{'typer', 'msgspec', 'pydantic'}} & {{*sys.modules}})",
        ],
        capture_output=True,
        text=True,
        check=True,
    )

    assert told.stdout == f"holdpoint {version('holdpoint')}\nset()\n"


def test_its_help_is_told_without_loading_a_command() -> None:
    helped = (
        "import atexit, sys; from holdpoint.cli import main; sys.argv = ['holdpoint', '--help']; "
        "atexit.register(lambda: print({'nats', 'msgspec', 'pydantic'} & {*sys.modules})); main()"
    )
    told = subprocess.run(
        [sys.executable, "-c", helped], capture_output=True, text=True, check=True
    ).stdout

    assert "doctor" in told
    assert told.endswith("\nset()\n")


def test_the_doctor_loads_nothing_that_writes_a_ledger() -> None:
    loads = "import sys, holdpoint.cli.commands.doctor; print({'alembic'} & {*sys.modules})"
    told = subprocess.run([sys.executable, "-c", loads], capture_output=True, text=True, check=True)

    assert told.stdout == "set()\n"


def test_the_help_is_the_one_of_every_command() -> None:
    assert RUNNER.invoke(overview(), ["--help"]).output == RUNNER.invoke(app, ["--help"]).output


def test_it_says_which_version_it_is() -> None:
    ended = CliRunner().invoke(app, ["--version"])

    assert (ended.exit_code, ended.output) == (0, f"holdpoint {version('holdpoint')}\n")
