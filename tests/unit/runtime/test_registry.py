"""agents.yaml and people.yaml: what is wrong is told by file, entry and remedy."""

from dataclasses import replace
from pathlib import Path

import pytest

from holdpoint.messages.catalog import Agent, Budget, Person, Role
from holdpoint.runtime.broker.streams import Tenant
from holdpoint.runtime.config.registry import (
    Registry,
    groups_of,
    load_agents,
    load_people,
    load_registry,
)
from holdpoint.runtime.errors import SetupError
from holdpoint.runtime.security.permissions import grants

SHIPPED = Path(__file__).parents[3] / "deploy" / "config"


def test_the_shipped_files_are_right() -> None:
    registry = load_registry(SHIPPED)

    assert [agent.name for agent in registry.agents] == [
        "sample-agent",
        "demo-agent",
        "mcp-client",
        "coordinator",
        "db-troubleshoot-agent",
        "finops-agent",
        "security-agent",
        "infrastructure-agent",
        "log-analytics-agent",
        "coder",
    ]
    assert registry.people[0] == Person(name="ann", groups=("operators",), admin=True)


def test_an_entry_becomes_an_agent(tmp_path: Path) -> None:
    file = _file(tmp_path, "agents.yaml", "agents: [{name: a, tools: [t], acts_for: [ann]}]")

    assert load_agents(file) == (Agent(name="a", tools=("t",), acts_for=("ann",)),)


def test_whoever_was_started_stands_in_the_tree_of_the_first_starter(tmp_path: Path) -> None:
    text = (
        "agents: [{name: c, tools: [], started_by: b}, {name: a, tools: []}, "
        "{name: b, tools: [], started_by: a}]"
    )
    agents = load_agents(_file(tmp_path, "agents.yaml", text))

    assert {agent.name: agent.tree for agent in agents} == {"a": "", "b": "a", "c": "a"}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("agents: [{name: a, tools: [], started_by: b}]", "started by b, who is not in this"),
        ("agents: [{name: a, tools: [], started_by: a}]", "a start each other in a circle"),
        (
            "agents: [{name: a, tools: [], started_by: b}, {name: b, tools: [], started_by: a}]",
            "a, b start each other in a circle",
        ),
        (
            "agents: [{name: a, tools: [], may_call: []}, {name: b, tools: [], started_by: a}]",
            "b is started by a, who may not call it",
        ),
        ("agents: [{name: 'a b', tools: []}]", r"agents\.0\.name: not a valid name"),
        ("agents: [{name: a.b, tools: []}]", r"agents\.0\.name"),
        ("agents: [{name: '*', tools: []}]", r"agents\.0\.name"),
        ("agents: [{name: a}]", r"agents\.0\.tools: it is missing"),
        ("agents: [{name: a, tools: [], admin: true}]", r"agents\.0\.admin: unknown key"),
        ("agents: [{name: a, tools: [], tools: [x]}]", "`tools` stands twice"),
        ("agents: [{name: a, tools: []}, {name: a, tools: []}]", ":1: a stands more than once"),
        ("agents: [{name: a, tools: []}, {name: A, tools: []}]", ":1: a stands more than once"),
        ("agents: [{name: _, tools: []}]", "means everyone"),
        ("agents: [{name: a, tools: [], budget: {calls: 1}}]", r"budget\.calls: unknown key"),
        (
            "agents: [{name: a, tools: [], budget: {calls_per_second: 0}}]",
            r"agents\.0\.budget\.calls_per_second: it has to be more than 0\. Write",
        ),
        ("agents: [{name: a, tools: [], budget: {calls_per_second: .inf}}]", "finite number"),
        ("agents: [{name: a, tools: [], budget: {calls_at_once: 0}}]", "at least 1"),
        ("agents: [{name: a, tools: [], budget: {calls_at_once: 1.5}}]", "not a whole number"),
        ("agents: [{name: a, tools: [], budget: {bytes_per_day: 1000}}]", "at least 262144"),
        ("agents: [{name: a, tools: [], budget: {holds_at_once: 0}}]", "at least 1"),
        ("agents: [{name: a, tools: [], budget: {holds_per_day: 0}}]", "has to be more than 0"),
        ("agents: [", "is not YAML"),
        ("agents: !!python/object:os.system []", "is not YAML"),
        ("", "agents: it is missing"),
        ("agent: []", r"agents: it is missing"),
    ],
)
def test_a_mistake_in_agents_is_told(text: str, told: str, tmp_path: Path) -> None:
    with pytest.raises(SetupError, match=told) as error:
        load_agents(_file(tmp_path, "agents.yaml", text))
    assert "agents.yaml" in str(error.value)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("people: [{name: ann, groups: operators}]", r"people\.0\.groups"),
        ("people: [{name: ann, groups: ['*']}]", r"people\.0\.groups\.0"),
        ("people: [{name: ann, groups: ['>']}]", r"people\.0\.groups\.0"),
        ("people: [{name: ann, admin: 1}]", r"people\.0\.admin"),
        ("people: [{name: ann, groups: [a.b]}]", r"people\.0\.groups\.0"),
    ],
)
def test_a_mistake_in_people_is_told(text: str, told: str, tmp_path: Path) -> None:
    with pytest.raises(SetupError, match=told):
        load_people(_file(tmp_path, "people.yaml", text))


def test_what_a_budget_leaves_out_is_as_for_any_agent(tmp_path: Path) -> None:
    text = "agents: [{name: a, tools: []}, {name: b, tools: [], budget: {calls_at_once: 7}}]"

    usual, own = load_agents(_file(tmp_path, "agents.yaml", text))

    assert usual.budget == Budget()
    assert own.budget == Budget(calls_at_once=7)


def test_roles_that_are_left_out_are_as_ever(tmp_path: Path) -> None:
    text = """
    people:
      - {name: ann, groups: [g], admin: true}
      - {name: ben, groups: [g], roles: [viewer]}
      - {name: cem, groups: [g], roles: [admin, approver]}
    """
    ann, ben, cem = people = load_people(_file(tmp_path, "people.yaml", text))

    assert (ann.roles, ann.admin) == ((Role.APPROVER, Role.AUDITOR), True)
    assert (ben.roles, ben.admin) == ((Role.VIEWER,), False)
    assert (cem.roles, cem.admin) == ((Role.APPROVER,), True)
    assert groups_of(Registry(agents=(), people=people)) == {"g": ("ann", "cem")}


def test_a_viewer_may_not_even_publish_an_answer(tmp_path: Path) -> None:
    text = "people: [{name: ann, groups: [g]}, {name: ben, groups: [g], roles: [viewer]}]"
    people = load_people(_file(tmp_path, "people.yaml", text))
    tenant = Tenant(name="acme", agents=(), people=people, domains=())
    ann, ben = (it for it in grants(tenant) if it.user.startswith("person_"))

    assert any(".answer.console.ann." in it for it in ann.publish)
    assert not any(".acme.answer." in it for it in ben.publish)


def test_the_http_api_says_and_reads_nothing_itself() -> None:
    agents = (Agent(name="robot", tools=()),)
    without = Tenant(name="acme", agents=agents, people=(), domains=())
    served = replace(without, served=("robot",), subscribed=("robot",))
    (its,) = (it for it in grants(served) if it.user == "api")

    assert not any(it.user == "api" for it in grants(without))
    assert not any(subject.startswith("hp.") for subject in (*its.publish, *its.subscribe))
    assert all("webhook_robot" in subject for subject in its.publish)
    assert its.account == "ACME_API"


@pytest.mark.parametrize(
    ("delegation", "told"),
    [
        ("{to: zoe, since: 2026-01-01T00:00Z, until: 2026-02-01T00:00Z}", "answers no cards"),
        ("{to: ben, since: 2026-01-01T00:00Z, until: 2026-02-01T00:00Z}", "answers no cards"),
        ("{to: ann, since: 2026-01-01T00:00Z, until: 2026-02-01T00:00Z}", "own place"),
        ("{to: cem, since: 2026-01-01T00:00Z, until: 2027-02-01T00:00Z}", "within 92 days"),
        ("{to: cem, since: 2026-01-01T00:00, until: 2026-02-01T00:00Z}", "since"),
        ("{to: cem, since: 2026-01-01T00:00Z, until: 2026-02-01T00:00Z}", ""),
    ],
)
def test_a_delegation_in_the_file_is_bounded(delegation: str, told: str, tmp_path: Path) -> None:
    text = f"""
    people:
      - {{name: ann, groups: [g], delegations: [{delegation}]}}
      - {{name: ben, groups: [g], roles: [viewer]}}
      - {{name: cem, groups: [f]}}
    """
    path = _file(tmp_path, "people.yaml", text)
    if told:
        with pytest.raises(SetupError, match=told):
            load_people(path)
    else:
        assert load_people(path)[0].delegations[0].to == "cem"


def test_an_agent_and_a_person_never_share_a_name(tmp_path: Path) -> None:
    _file(tmp_path, "agents.yaml", "agents: [{name: Ann, tools: []}]")
    _file(tmp_path, "people.yaml", "people: [{name: ann}]")

    with pytest.raises(SetupError, match=r"ann is an agent .* rename one"):
        load_registry(tmp_path)


def test_an_agent_acts_only_for_people_who_exist(tmp_path: Path) -> None:
    _file(tmp_path, "agents.yaml", "agents: [{name: a, tools: [], acts_for: [zoe]}]")
    _file(tmp_path, "people.yaml", "people: [{name: ann}]")

    with pytest.raises(SetupError, match=r"a acts for zoe, who is not in people\.yaml"):
        load_registry(tmp_path)


def test_who_answers_at_a_client_is_somebody_whom_its_agent_acts_for(tmp_path: Path) -> None:
    _file(tmp_path, "agents.yaml", "agents: [{name: a, tools: [], acts_for: [ben]}]")
    people = "people: [{name: ann, mcp_clients: [a]}, {name: ben, mcp_clients: [a]}]"
    _file(tmp_path, "people.yaml", people)

    with pytest.raises(SetupError, match=r"people\.yaml:1: no agent a acts for ann"):
        load_registry(tmp_path)


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match=r"agents\.yaml: cannot be read .No such file"):
        load_registry(tmp_path)


def _file(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text)
    return path


BOMB = "a0: &a0 [x, x]\n" + "".join(
    f"a{it}: &a{it} [{', '.join([f'*a{it - 1}'] * 9)}]\n" for it in range(1, 9)
)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("people:\n  - {name: ann}\n  - {name: Ann}\n", r"people\.yaml:3: ann stands more than"),
        ("people:\n- name: a\n  admn:\n    - b\n", r"people\.yaml:3: people\.0\.admn: unknown key"),
        ("people:\n- name: a\n  zone: Nowhere\n", r"people\.yaml:3: a's time zone"),
        ("people:\n  - " + "[" * 120, r"people\.yaml:2: it is nested too deeply"),
        (BOMB, r"people\.yaml:\d+: its references .* multiply"),
        ("people:\n  - {name: a\0b}\n", r"people\.yaml:2: .* the character U\+0000\. Remove it"),
        ("people: {a: b}", r"people: not a list\. Write"),
    ],
)
def test_a_mistake_in_people_is_told_with_its_line(text: str, told: str, tmp_path: Path) -> None:
    with pytest.raises(SetupError, match=told):
        load_people(_file(tmp_path, "people.yaml", text))
