"""What stands behind a WITH is a change like any other; what stands in it is hidden there."""

import pytest
from tests.unit.risk.sql.test_sql import asks

SCOPED = (
    "WITH x AS (SELECT 1) UPDATE orders SET paid = 1 WHERE id = (SELECT 1)",
    "WITH x AS (SELECT 1) UPDATE orders SET paid = 1 WHERE id = 5",
    "WITH x AS (SELECT max(id) m FROM news) DELETE FROM orders WHERE id = (SELECT m FROM x)",
    "WITH x AS (SELECT id FROM news) UPDATE orders SET paid = 1 WHERE id IN (SELECT id FROM x)",
)
WIDE = (
    "WITH x AS (SELECT 1) UPDATE orders SET paid = 1 WHERE 1 = (SELECT 1)",
    "WITH x AS (SELECT 1) DELETE FROM orders",
    "WITH x AS (SELECT id FROM orders) UPDATE orders SET a = 1 WHERE id IN (SELECT id FROM x)",
    "WITH x AS (SELECT id FROM orders) DELETE FROM orders USING x WHERE orders.id = x.id",
    "WITH x AS (SELECT id FROM orders) UPDATE orders SET a = 1 FROM x WHERE orders.id = x.id",
    "WITH x AS (DELETE FROM orders WHERE id = 7 RETURNING *) SELECT * FROM x",
    "UPDATE orders SET paid = 1 WHERE id = (SELECT id)",
    "DELETE FROM orders WHERE (SELECT id + 0) = id",
)


@pytest.mark.parametrize("statement", SCOPED)
def test_a_condition_is_one_also_behind_a_with(statement: str) -> None:
    assert not asks(("", statement))


@pytest.mark.parametrize("statement", WIDE)
def test_what_takes_all_or_hides_does_so_with_one(statement: str) -> None:
    assert asks(("", statement))
