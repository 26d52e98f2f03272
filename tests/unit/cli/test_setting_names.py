"""A variable that begins with HP_ and is not a setting is refused, with the nearest name."""

import re
from pathlib import Path

import pytest

from holdpoint.cli.session import settings_here
from holdpoint.cli.setting_names import check_names
from holdpoint.runtime.errors import SetupError

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


def test_every_name_that_something_reads_is_known() -> None:
    folders = ("services", "tests", "bench", "examples", "deploy", "scripts", "research")
    files = [path for it in folders for path in (ROOT / it).rglob("*")]
    programs = [it for it in files if it.suffix in {".py", ".sh", ".ts", ".yaml", ".tpl"}]
    texts = [it.read_text() for it in (ROOT / "Makefile", *programs)]
    names = {name for text in texts for found in READ.findall(text) for name in found if name}

    check_names(names)

    assert {"HP_PERSON", "HP_CRASH", "HP_SEED"} & names
