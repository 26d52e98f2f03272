"""`make-key` and `token`: what they make proves that agent or person to the HTTP API."""

import shutil
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from holdpoint.api.tokens import TokenError, Tokens
from holdpoint.cli.app import app_for
from holdpoint.cli.output import ExitCode, run

CONFIG = Path(__file__).parents[3] / "deploy" / "config"
AGENT = "sample-agent"


@pytest.fixture(autouse=True)
def config(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    folder = shutil.copytree(CONFIG, tmp_path / "config")
    monkeypatch.setenv("HP_STATE_DIR", str(tmp_path / "var"))
    monkeypatch.setenv("HP_CONFIG_DIR", str(folder))
    return folder


def ended(*words: str) -> int:
    with pytest.raises(SystemExit) as over:
        run(app_for(list(words)), words)
    sys.stdout.flush()
    return int(over.value.code or 0)


def emitted(capsys: pytest.CaptureFixture[str]) -> Any:
    return msgspec.json.decode(capsys.readouterr().out)


def test_a_key_and_its_token_prove_the_agent(
    config: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = str(tmp_path / "robot.key")
    assert ended("agents", "make-key", AGENT, "--out", out) == ExitCode.OK
    lines = capsys.readouterr().out.partition("agents:`")[2].partition("Then:")[0].strip("\n")
    (config / "api.yaml").write_text(f"agents:\n{lines}\n")

    assert ended("agents", "token", AGENT, "--key", out, "--json") == ExitCode.OK

    made = emitted(capsys)
    assert Tokens(config_dir=config).agent_of(f"Bearer {made['token']}") == AGENT
    assert Path(out).stat().st_mode & 0o077 == 0
    assert "PRIVATE" not in next((config / "api_keys").iterdir()).read_text()


def test_a_key_is_never_written_over_and_another_agents_makes_no_token(
    config: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = str(tmp_path / "robot.key")
    assert ended("agents", "make-key", AGENT, "--out", out, "--json") == ExitCode.OK
    made = emitted(capsys)
    entry = f"agents: [{{agent: {AGENT}, keys: {{k: api_keys/{made['kid']}.pem}}}}]"
    (config / "api.yaml").write_text(entry)
    before = Path(out).read_bytes()

    assert ended("agents", "make-key", AGENT, "--out", out) != ExitCode.OK
    assert ended("agents", "token", "demo-agent", "--key", out) != ExitCode.OK
    assert Path(out).read_bytes() == before


def test_a_persons_key_proves_the_person_and_never_an_agent(
    config: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = str(tmp_path / "ann.key")
    assert ended("people", "make-key", "ann", "--out", out) == ExitCode.OK
    lines = capsys.readouterr().out.partition("people:`")[2].partition("Then:")[0].strip("\n")
    (config / "api.yaml").write_text(f"people:\n{lines}\n")

    assert ended("people", "token", "ann", "--key", out, "--json") == ExitCode.OK

    made, tokens = emitted(capsys), Tokens(config_dir=config)
    assert made["person"] == "ann"
    assert tokens.person_of(f"Bearer {made['token']}") == "ann"
    with pytest.raises(TokenError):
        tokens.agent_of(f"Bearer {made['token']}")
    assert ended("people", "token", "ben", "--key", out) != ExitCode.OK
    assert ended("agents", "token", AGENT, "--key", out) != ExitCode.OK
    assert Path(out).stat().st_mode & 0o077 == 0
