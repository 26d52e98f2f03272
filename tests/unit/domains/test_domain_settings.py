"""`domains.yaml` is read strictly, and cannot expose keys and ledger."""

from pathlib import Path

import pytest
from sqlalchemy.engine import make_url

from holdpoint.domains.settings import DomainsSettings, load, offered, resolved
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.errors import SetupError

SAMPLE = Path(__file__).parents[3] / "deploy/config/domains.yaml"


def shell(**values: object) -> DomainsSettings:
    return DomainsSettings.model_validate({"shell": {"root": "sample/work", **values}})


def test_the_sample_lies_in_the_state_directory(tmp_path: Path) -> None:
    settings = load(SAMPLE, tmp_path)
    assert settings.shell is not None
    assert settings.shell.root == tmp_path / "sample/scratch-space"
    assert not settings.shell.unsafe
    assert settings.database is not None
    url = make_url(settings.database.databases["crm"].url)
    assert url.database == f"file:{tmp_path}/sample/crm.db"
    assert url.query == {"mode": "rw", "uri": "true"}


@pytest.mark.parametrize(
    "text", ["shell: {root: a, colour: red}", "other: {}", "shell: [", "shell: {}"]
)
def test_what_is_not_understood_is_an_error(tmp_path: Path, text: str) -> None:
    file = tmp_path / "domains.yaml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(SetupError, match=r"domains\.yaml:1: "):
        load(file, tmp_path)


def test_an_empty_file_offers_nothing(tmp_path: Path) -> None:
    file = tmp_path / "domains.yaml"
    file.write_text("", encoding="utf-8")
    assert load(file, tmp_path) == DomainsSettings()


@pytest.mark.parametrize(
    "values",
    [
        {"root": "."},
        {"root": "keys"},
        {"root": "sample/../keys"},
        {"root": "/"},
        {"read_paths": ["."]},
        {"write_paths": ["keys"]},
        {"system_paths": ["/"]},
    ],
)
def test_the_shell_never_sees_the_state_directory(
    tmp_path: Path, values: dict[str, object]
) -> None:
    with pytest.raises(SetupError, match="the shell may not see"):
        resolved(shell(**values), tmp_path)


def test_a_link_to_the_state_directory_is_seen_through(tmp_path: Path) -> None:
    (tmp_path / "sample").mkdir()
    (tmp_path / "sample/work").symlink_to(tmp_path)
    with pytest.raises(SetupError, match="the shell may not see"):
        resolved(shell(), tmp_path)


@pytest.mark.parametrize("url", ["mysql://x/y", "not a url"])
def test_only_known_databases_are_taken(tmp_path: Path, url: str) -> None:
    settings = DomainsSettings.model_validate({"database": {"databases": {"x": {"url": url}}}})
    with pytest.raises(SetupError):
        resolved(settings, tmp_path)


def test_a_password_in_a_url_survives(tmp_path: Path) -> None:
    url = "postgresql://me:p%40ss@host/name"
    settings = DomainsSettings.model_validate({"database": {"databases": {"x": {"url": url}}}})
    found = resolved(settings, tmp_path).database
    assert found is not None
    assert make_url(found.databases["x"].url).password == "p@ss"  # noqa: S105  # an example


@pytest.mark.parametrize(
    "text",
    [
        "shell: {root: sample/work, timeout_s: 30}",
        "database: {databases: {crm: {url: 'sqlite:///crm.db', timeout_s: 30}}}",
    ],
)
def test_no_action_may_run_for_longer_than_any_may(tmp_path: Path, text: str) -> None:
    (tmp_path / "domains.yaml").write_text(text, encoding="utf-8")
    settings = Settings(config_dir=tmp_path, state_dir=tmp_path / "var", longest_run_s=30.5)

    assert offered(settings).longest_s == 30
    with pytest.raises(SetupError, match="HP_LONGEST_RUN_S"):
        offered(settings.model_copy(update={"longest_run_s": 30}))
