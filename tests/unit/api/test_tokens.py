"""Tokens and api.yaml: only a fresh token of the agent's own key proves who asks."""

from pathlib import Path
from typing import Any

import pytest
from tests.api_system import HttpAgent, api_yaml, people_yaml

from holdpoint.api.tokens import LONGEST_S, TokenError, Tokens
from holdpoint.runtime.config.api_files import load_api
from holdpoint.runtime.errors import SetupError
from holdpoint.runtime.process import clock

ROBOT = HttpAgent(name="robot", kid="robot-1")
RIVAL = HttpAgent(name="rival", kid="rival-1")


@pytest.fixture
def tokens(tmp_path: Path) -> Tokens:
    api_yaml(tmp_path, (ROBOT, "https://example.org/hook"), (RIVAL, ""))
    return Tokens(config_dir=tmp_path)


def test_a_token_of_its_own_key_proves_an_agent(tokens: Tokens) -> None:
    assert tokens.agent_of(f"Bearer {ROBOT.token()}") == "robot"
    assert tokens.agent_of(f"bearer {RIVAL.token()}") == "rival"


@pytest.mark.parametrize(
    "claims",
    [
        {"sub": "rival"},
        {"sub": None},
        {"iss": "somebody"},
        {"aud": "somewhere"},
        {"aud": None},
        {"exp": None},
        {"iat": None},
    ],
)
def test_a_claim_that_does_not_fit_proves_nothing(tokens: Tokens, claims: dict[str, Any]) -> None:
    with pytest.raises(TokenError) as refused:
        tokens.agent_of(f"Bearer {ROBOT.token(**claims)}")
    assert refused.value.code == "token_refused"


def test_a_token_lives_an_hour_at_most_and_ends(tokens: Tokens) -> None:
    now = int(clock.now().timestamp())
    assert tokens.agent_of(f"Bearer {ROBOT.token(iat=now, exp=now + LONGEST_S)}") == "robot"
    for iat, exp in ((now, now + LONGEST_S + 1), (now - 900, now - 60), (now + 60, now + 90)):
        with pytest.raises(TokenError):
            tokens.agent_of(f"Bearer {ROBOT.token(iat=iat, exp=exp)}")


def test_another_key_under_a_known_name_proves_nothing(tokens: Tokens) -> None:
    stranger = HttpAgent(name="robot", kid="robot-1")
    for token in (stranger.token(), ROBOT.token({"kid": "rival-1"}), ROBOT.token({"kid": "x"})):
        with pytest.raises(TokenError):
            tokens.agent_of(f"Bearer {token}")


def test_a_file_that_cannot_be_read_proves_nobody(tokens: Tokens) -> None:
    tokens.agent_of(f"Bearer {ROBOT.token()}")
    (tokens.config_dir / "api.yaml").write_text("agents: [{agent: robot}]")

    with pytest.raises(SetupError):
        tokens.agent_of(f"Bearer {ROBOT.token()}")


@pytest.mark.parametrize(
    "text",
    [
        'agents: [{agent: robot, keys: {k: robot-1.pem}, webhook: "http://example.org"}]',
        "agents: [{agent: robot, keys: {k: robot-1.pem}}, {agent: rival, keys: {k: rival-1.pem}}]",
        "agents: [{agent: robot, keys: {k: nothing.pem}}]",
        "agents: [{agent: robot, keys: {}}]",
        "agents: [{agent: robot, keys: {k: api.yaml}}]",
        "audience: ''",
        "agnets: []",
    ],
)
def test_a_mistake_in_api_yaml_is_told(tokens: Tokens, text: str) -> None:
    path = tokens.config_dir / "api.yaml"
    path.write_text(text)

    with pytest.raises(SetupError, match=r"api\.yaml"):
        load_api(tokens.config_dir)


def test_without_the_file_nobody_is_served(tmp_path: Path) -> None:
    assert load_api(tmp_path).agents == ()


def test_a_persons_key_proves_a_person_and_no_agent(tmp_path: Path) -> None:
    ann = HttpAgent(name="ann", kid="ann-1")
    people_yaml(tmp_path, ann)
    tokens = Tokens(config_dir=tmp_path)
    assert tokens.person_of(f"Bearer {ann.token()}") == "ann"
    with pytest.raises(TokenError):
        tokens.agent_of(f"Bearer {ann.token()}")
    config = load_api(tmp_path)
    assert (config.agents, config.people) == ((), ("ann",))


def test_an_agents_key_proves_no_person(tokens: Tokens) -> None:
    with pytest.raises(TokenError):
        tokens.person_of(f"Bearer {ROBOT.token()}")
