"""A variable that begins with HP_ and is not a setting is refused, with the nearest name."""

import re
from pathlib import Path

import pytest

from holdpoint.cli.acting_as import Who
from holdpoint.cli.session import settings_here
from holdpoint.client import Holdpoint, SetupError
from holdpoint.runtime.config.setting_names import ACTING, check_names

ROOT = Path(__file__).parents[3]
READ = re.compile(r'environ(?:\.get\(|\[)"(HP_\w+)"|\$\{?(HP_\w+)|env\["(HP_\w+)"\]')


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("HP_STATE_DRI", "HP_STATE_DIR"),
        ("HP_STATEDIR", "HP_STATE_DIR"),
        ("HP_PERSONS", "HP_PERSON"),
        ("HP_ACCEPT_LOST_STREAMS", "HP_ACCEPT_LOST_STREAM"),
    ],
)
def test_a_misspelt_name_is_refused_with_the_right_one(
    typed: str, meant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(typed, "x")

    with pytest.raises(SetupError) as refused:
        settings_here()

    told = f"{typed} is not a setting; the nearest one is {meant}. Correct its name, or unset it."
    assert str(refused.value) == told


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("HP_PASSWORD", "x", "HP_PASSWORD is not a setting, and nothing reads it. Unset it."),
        ("HP_LEASE_S", "abc", "HP_LEASE_S is 'abc': not a number. Write one, such as 0.5."),
        ("HP_DOMAINS", "{", "HP_DOMAINS is no JSON. Write an object, such as "),
        ("HP_NATS_URL", "foo", "HP_NATS_URL is 'foo': it has to be nats://HOST:PORT or "),
        ("HP_TENANT", "a.b", "HP_TENANT is 'a.b': "),
    ],
)
def test_an_agent_in_python_reads_one_sentence_about_a_wrong_setting(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, told: str
) -> None:
    monkeypatch.setenv(name, value)

    with pytest.raises(SetupError) as refused:
        Holdpoint.connect("sample-agent")

    assert str(refused.value).startswith(told)
    assert "\n" not in str(refused.value)


def test_the_names_of_the_command_line_are_known() -> None:
    assert {f"HP_{name.upper()}" for name in Who.model_fields} == set(ACTING)


def test_every_name_that_something_reads_is_known() -> None:
    folders = ("services", "tests", "bench", "examples", "deploy", "scripts", "research")
    files = [path for it in folders for path in (ROOT / it).rglob("*")]
    programs = [it for it in files if it.suffix in {".py", ".sh", ".ts", ".yaml", ".tpl"}]
    texts = [it.read_text() for it in (ROOT / "Makefile", *programs)]
    names = {name for text in texts for found in READ.findall(text) for name in found if name}

    check_names(names)

    assert {"HP_PERSON", "HP_CRASH", "HP_SEED"} & names
