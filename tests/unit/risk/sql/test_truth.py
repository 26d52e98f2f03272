"""Conditions that hold for every row, however they are dressed, and those that only look so."""

from holdpoint.core.risk.sql.constants import number
from holdpoint.core.risk.sql.truth import Reach, reach

ALL, RANGE, NAMED = Reach.ALL, Reach.RANGE, Reach.NAMED

CASES = (
    ("id = ANY (SELECT id FROM staff)", ALL),
    ("id = SOME (SELECT id FROM hr.staff s)", ALL),
    ("id IN (SELECT DISTINCT id FROM staff WHERE 2 = 2)", ALL),
    ("id IN ((SELECT * FROM staff))", ALL),
    ("id = ANY (ARRAY(SELECT id FROM staff))", ALL),
    ("id = ANY (ARRAY[]) OR id IN (SELECT id FROM staff)", ALL),
    ("id IN (SELECT id FROM staff WHERE team = 4)", NAMED),
    ("id IN (SELECT id FROM staff LIMIT 5)", RANGE),
    ("id IN (SELECT id FROM leavers)", RANGE),
    ("id = ANY (SELECT id FROM leavers)", RANGE),
    ("id IN (SELECT boss FROM staff)", RANGE),
    ("boss = 4 AND id IN (SELECT id FROM staff)", NAMED),
    ("age * 0 = 0", ALL),
    ("0 = age & 0", ALL),
    ("age - age = 0", ALL),
    ("age / age = 1", ALL),
    ("age % 1 = 0", ALL),
    ("age % 2 = 0", NAMED),
    ("age * 0 = 1", NAMED),
    ("age = (age + 0) * 1", ALL),
    ("age = age + 1", NAMED),
    ("7 % 4 + 1 = 4", ALL),
    ("1 / 0 = 1", ALL),
    ("9e14 * 9 = 1", ALL),
    ("-(-1) = 1", ALL),
    ("-age = 1", NAMED),
    ("'a' || 'b' = 'ab'", ALL),
    ("'a' || name = 'ab'", NAMED),
    ("name LIKE CONCAT('%', '%')", ALL),
    ("name NOT LIKE '%'", RANGE),
    ("email LIKE '%@%'", ALL),
    ("name LIKE '_%'", ALL),
    ("name LIKE '@'", RANGE),
    ("name LIKE '%a' OR name NOT LIKE '%a'", ALL),
    ("iif(2 > 1, 1, 0) = 1", ALL),
    ("iif(age > 1, 1, 0) = 1", NAMED),
    ("if(1, 1, 0)", ALL),
    ("CASE WHEN 1 THEN 1 ELSE 0 END = 1", ALL),
    ("CASE WHEN 1 = 2 THEN 0 ELSE 4 END = 4", ALL),
    ("CASE WHEN 1 = 2 THEN 0 END = 4", ALL),
    ("CASE age WHEN age THEN 4 END = 4", ALL),
    ("CASE WHEN age = 4 THEN 1 ELSE 1 END = 1", NAMED),
    ("COALESCE(4, age) = 4", ALL),
    ("4 = (SELECT 4)", ALL),
    ("length('x') = 1", ALL),
    ("coalesce(NULL, 1) = 1", ALL),
    ("1 = any(array[1])", ALL),
    ("greatest(1, 2) = 2", ALL),
    ("current_user = 'app'", ALL),
    (":switch", ALL),
    ("now() > '2020-01-01'", ALL),
    ("length(name) = 1", NAMED),
    ("3 IN (1, 2)", NAMED),
    ("4 = (SELECT 4 FROM staff)", ALL),
    ("4 = (SELECT 4 UNION SELECT 5)", ALL),
    ("retired IN (FALSE, TRUE)", ALL),
    ("retired IN (TRUE)", NAMED),
    ("retired = TRUE OR retired = FALSE", ALL),
    ("age = 4 OR age <> 4 OR age IS NULL", ALL),
    ("age < 4 OR age >= 4", ALL),
    ("age = 4 OR (NOT age = 4)", ALL),
    ("NOT age = 4 OR age = 4", ALL),
    ("age = 4 OR age = 5", NAMED),
    (" OR ".join(f"age = {one}" for one in range(20)), NAMED),
    ("(age = age) IS TRUE", ALL),
    ("(age = age) IS NOT FALSE", ALL),
    ("retired IS TRUE", RANGE),
    ("length(name) >= 0", ALL),
    ("-1 < abs(age)", ALL),
    ("age * age >= 0", ALL),
    ("count(*) <> -1", ALL),
    ("length(name) > 4", RANGE),
    ("length(name) > 'x'", RANGE),
    ("EXISTS (SELECT 1 FROM staff WHERE 1 = 1)", ALL),
    ("EXISTS (SELECT 1 FROM staff HAVING 1 = 1)", ALL),
    ("CAST(1 AS boolean)", ALL),
    ("age + 1", RANGE),
)


def test_each_condition_lets_through_what_it_does() -> None:
    told = {asked: reach(asked, "", "staff") for asked, _ in CASES}

    assert {asked: told[asked] for asked, known in CASES if told[asked] is not known} == {}


def test_what_is_no_number_has_no_size() -> None:
    assert number("0x1F") is None
