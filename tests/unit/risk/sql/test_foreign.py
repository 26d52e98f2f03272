"""Code of another language in a statement is read as that language, and as what it may do."""

from tests.unit.risk.sql.test_sql import level

from holdpoint.core.risk.extract.payload import Leaf
from holdpoint.core.risk.programs import Programs, programs
from holdpoint.core.risk.sql.door import read_sql
from holdpoint.messages.risk import RiskLevel

HIGH, CRITICAL = RiskLevel.HIGH, RiskLevel.CRITICAL

CASES = (
    ("DO LANGUAGE plpython3u $$ import shutil; shutil.rmtree('/srv') $$", HIGH),
    ("DO $$ import os; os.system('rm -rf /srv') $$ LANGUAGE plpython3u", CRITICAL),
    ("DO $$ system('rm -rf /srv') $$ LANGUAGE 'plperlu'", CRITICAL),
    ('CREATE FUNCTION f() RETURNS int AS $$ return 1 $$ LANGUAGE "plpython3u"', HIGH),
    ("CREATE FUNCTION f() RETURNS int LANGUAGE plsh AS $$ rm -rf /srv $$", CRITICAL),
    ("CREATE FUNCTION f() RETURNS int AS 'lib.so', 'f' LANGUAGE C", HIGH),
    ('DO $$ plv8.execute("DROP TABLE staff") $$ LANGUAGE plv8', CRITICAL),
    ("CREATE FUNCTION f() AS $$ return 1 $$ LANGUAGE javascript", RiskLevel.LOW),
    ("CREATE FUNCTION f() AS $$ return 1 $$ LANGUAGE java", RiskLevel.LOW),
    ("CREATE FUNCTION f() AS 'x' LANGUAGE", RiskLevel.LOW),
    ("CREATE FUNCTION f() AS 'x' LANGUAGE = 1", RiskLevel.LOW),
    ("DO LANGUAGE plpgsql $$ BEGIN PERFORM 1; END $$", RiskLevel.LOW),
    ("DO LANGUAGE plv8 $$ plv8.execute(`DELETE FROM staff`) $$", HIGH),
)


def _read(text: str) -> Programs:
    return programs("database", (Leaf("/sql", "sql", text, {}),), (), "")


def _level(text: str) -> RiskLevel:
    return max((signal.level for signal in _read(text).signals), default=RiskLevel.LOW)


def test_each_is_as_grave_as_what_it_does() -> None:
    told = {text: _level(text) for text, _ in CASES}

    assert {text: told[text] for text, least in CASES if told[text] < least} == {}
    assert {text: told[text] for text, least in CASES if told[text] >= HIGH > least} == {}


def test_what_is_handed_on_is_a_command_of_the_shell() -> None:
    found = read_sql("DO $$ rm -rf /srv $$ LANGUAGE plsh; DO $$ 1 $$ LANGUAGE plruby")

    assert [one.split()[0] for one in found.programs] == ["sh", "ruby"]
    assert level(found) is HIGH
