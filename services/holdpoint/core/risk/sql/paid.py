"""Money that rows move: `INSERT INTO payouts (amount, currency) VALUES (900, 'EUR')`."""

from collections.abc import Iterator

import msgspec

from holdpoint.core.risk.extract.amounts import summed
from holdpoint.core.risk.extract.currencies import paid_by
from holdpoint.core.risk.extract.money import CURRENCIES, decimal_of
from holdpoint.core.risk.extract.payload import walk, words_of
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.sql import rows
from holdpoint.core.risk.sql.act import SIZE, Act, Found
from holdpoint.core.risk.sql.condition import condition_of, reached
from holdpoint.core.risk.sql.truth import Reach
from holdpoint.messages.risk import RiskLevel

_MOVES = word_set(
    "payment payments payout payouts transfer transfers refund refunds withdrawal withdrawals "
    "disbursement disbursements remittance remittances reimbursement reimbursements wire wires "
    "transaction transactions payroll payrolls bonus bonuses deposit deposits"
)
"""Words of a table whose rows move money."""

_HOLDS = word_set("account accounts wallet wallets balance balances")
"""Words of one whose rows say how much there is."""

_ABOUT = word_set(
    "log logs history archive audit report reports stat stats setting settings method methods type "
    "types status statuses test tests template templates limit limits plan plans tmp temp staging"
)
"""Words behind which a table only says something of them."""

_OTHER = word_set("file files data heat")
"""What else is transferred."""

_MEASURES = word_set(
    "bytes count counts size quantity qty items records rows seconds attempts id ids number"
)
"""Words of columns that measure no money."""

_BALANCES = word_set("balance funds money cash")


def paid(act: Act) -> Iterator[Found]:
    """Each sum that an INSERT writes into a table of payments; the policy says what is large."""
    if _table_of(act) & _MOVES:
        yield from _told(act, list(map(_named, rows.inserted(act))))


def paid_to_all(act: Act) -> Iterator[Found]:
    """`INSERT INTO payouts SELECT … FROM staff`: as many are paid as there are rows.

    Those of another table of the same payments are moved, and rows that are named are few.
    """
    pays = _table_of(act) & _MOVES
    source = _source(act) if pays else ""
    if not source or not pays.isdisjoint(words_of(source)) or act.follows("LIMIT", "1"):
        return
    if reached(act, condition_of(act)) is not Reach.NAMED:
        yield msgspec.structs.replace(
            act.found("sql.pays-all", RiskLevel.HIGH, "“{}” pays for every row of a table", 4),
            heuristic=SIZE,
        )


def _source(act: Act) -> str:
    """What a SELECT takes its rows from; empty where it makes one up."""
    texts = [token.text for token in act.tokens]
    start = texts.index("SELECT") if "SELECT" in texts else len(texts)
    at = texts.index("FROM", start) + 1 if "FROM" in texts[start:] else len(texts)
    while act.word(at + 1) == ".":
        at += 2
    name = act.word(at).strip('"`[]').lower()
    return "" if name == "dual" or (name == "(" and act.word(at + 1) == "VALUES") else name


def _named(row: rows.Row) -> rows.Row:
    """Where no column has a name, the number beside a currency is the amount, the first an id."""
    if "0" not in row:
        return row
    values = list(row.values())
    places = (at for at, value in enumerate(values) if str(value).lower() in CURRENCIES)
    at = next(places, 0)
    beside = (at + 1, 0) if at == 1 else (at - 1, at + 1)
    numbers = (values[one] for one in beside if at and one < len(values))
    amount = next((one for one in numbers if decimal_of(one) is not None), None)
    return {"amount": amount, "currency": values[at]}


def credited(act: Act) -> Iterator[Found]:
    """Each sum that an UPDATE adds to a balance, or writes into a payment."""
    named = _table_of(act)
    if named & (_MOVES | _HOLDS):
        row = rows.assigned(act)
        listed = [row] if named & _MOVES else []
        held = (value for name, value in row.items() if not _BALANCES.isdisjoint(words_of(name)))
        listed.extend({"amount": value} for value in held)
        yield from _told(act, listed)


def _table_of(act: Act) -> frozenset[str]:
    """The words in its name; none when it only says something about money."""
    words = words_of(rows.table(act).rpartition(".")[2])
    about = not words or words[-1] in _ABOUT or not _OTHER.isdisjoint(words)
    return frozenset() if about else frozenset(words)


def _is_money(name: str) -> bool:
    return _MEASURES.isdisjoint(words_of(name))


def _told(act: Act, listed: list[rows.Row]) -> Iterator[Found]:
    known = [{name: one for name, one in row.items() if _is_money(name)} for row in listed]
    arguments = {"payments": known}
    amounts, _ = summed(walk(arguments).leaves, paid_by("payments", arguments))
    for money in amounts:
        one = act.found("sql.sum", RiskLevel.LOW, "“{}” moves money", 3)
        yield msgspec.structs.replace(one, money=money, heuristic=SIZE)
