"""Which rows a condition takes, however it is dressed."""

import pytest

from holdpoint.core.risk.sql.changes import rows_taken
from holdpoint.core.risk.sql.orders import Budget, Reach, Source
from holdpoint.core.risk.sql.tokens import cuts
from holdpoint.core.risk.sql.where import MAX_TREE, number

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
    ("CASE WHEN 1 = 2 THEN 0 END = 4", NAMED),
    ("CASE age WHEN age THEN 4 END = 4", ALL),
    ("CASE WHEN age = 4 THEN 1 ELSE 1 END = 1", ALL),
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
    ("delta + 1", RANGE),
    ("age >= 0", Reach.MOST),
    ("unit_price > -1", Reach.MOST),
    ("age > 0", RANGE),
    ("age = 5 OR rand() >= 0", ALL),
    ("lower(name) = lower(name)", ALL),
    ("age < 3 OR age > 5", RANGE),
    ("age < 5 OR age > 3", ALL),
    ("name >= ''", ALL),
    ("id > 0 OR age = 4", Reach.MOST),
)
OF_TABLE_T = (
    ("1 = 2", Reach.NAMED),
    ("FALSE", Reach.RANGE),
    ("a IS NULL", Reach.RANGE),
    ("NULL IS NULL", Reach.ALL),
    ("NOT (1 = 2)", Reach.ALL),
    ("1 < 2 AND 3 >= 3 AND 'a' <> 'b'", Reach.ALL),
    ("2 <= 1 OR 5 > 4", Reach.ALL),
    ("-1 < 0", Reach.ALL),
    ("a <> a", Reach.RANGE),
    ("a >= a", Reach.ALL),
    ("1 XOR 0", Reach.ALL),
    ("a IN (a)", Reach.ALL),
    ("a IN (SELECT b FROM c)", Reach.RANGE),
    ("a = 1 OR b = 2", Reach.NAMED),
    ("'x' > 3", Reach.ALL),
    ("CAST('1' AS int) = CAST('1' AS int)", Reach.ALL),
    ("EXISTS (SELECT 1 FROM b WHERE b.id = a.id)", Reach.NAMED),
    ("name LIKE 'a%'", Reach.RANGE),
    ("CASE WHEN a = 1 THEN 1 END", Reach.NAMED),
    ("lower(a) = 'x'", Reach.NAMED),
    ("'abc'", Reach.RANGE),
    ("-a", Reach.RANGE),
    ("(1) = (1.0)", Reach.ALL),
    ("TRUE = 1", Reach.ALL),
    ("5", Reach.ALL),
    ("1 OR a", Reach.ALL),
    ("0 AND a", Reach.RANGE),
    ("a BETWEEN 1 AND 2", Reach.RANGE),
    ("1 IS NULL", Reach.RANGE),
    ("3 IN (1)", Reach.NAMED),
    ("EXISTS ((SELECT 1))", Reach.ALL),
    ("1 + 1 = 2", Reach.ALL),
    ("'1' >= '2'", Reach.RANGE),
)


def taken(condition: str, dialect: str = "", table: str = "staff") -> Reach:
    """The rows of a DELETE with this condition."""
    text = f"DELETE FROM {table} WHERE {condition}"
    source = Source(text, dialect, Budget())
    return rows_taken(source.order(cuts(text, dialect)[0].statements[0]))


@pytest.mark.parametrize(("condition", "expected"), CASES)
def test_each_condition_takes_the_rows_that_it_does(condition: str, expected: Reach) -> None:
    assert taken(condition) is expected


@pytest.mark.parametrize(("condition", "expected"), OF_TABLE_T)
def test_a_condition_is_read_in_its_dialect(condition: str, expected: Reach) -> None:
    assert taken(condition, "mysql", "t") is expected


@pytest.mark.parametrize(
    "condition", ["(" * 61 + "1" + ")" * 61, "x" * (MAX_TREE + 1), "= = =", "1 UNION SELECT 2", ""]
)
def test_a_condition_that_cannot_be_read_is_unreadable(condition: str) -> None:
    assert taken(condition) is Reach.UNREADABLE


def test_what_is_no_number_has_no_size() -> None:
    assert number("0x1F") is None
