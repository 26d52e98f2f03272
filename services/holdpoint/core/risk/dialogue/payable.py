"""What says behind a number that it is money: who asked for it, what fund it is of, what it buys.

```
"the couple of thousand the roofer asked for"       somebody is owed it
"a hundred and fifty thousand of the reserve fund"  it is part of what somebody has
"sixty thousand into government bonds"              it is put into what is worth something
"twenty thousand down on the flat"                  it is paid ahead
```
"""

from holdpoint.core.risk.words import ARTICLES, STOPS, word_set

_NEAR = 6
"""Words behind a number among which one of these stands."""

_SCALES = word_set("hundred thousand million billion grand k mil thou")


def is_money(words: list[str], end: int) -> bool:
    """Whether a number that ends here, with no noun behind it, is a sum."""
    behind = words[end : end + 1]
    if not behind or behind[0] not in _LEADS:
        return False
    if behind[0] == "of":
        return _of_money(words, end)
    if behind[0] == "down":
        return words[end + 1 : end + 2] in (["on"], ["for"], ["as"], ["to"])
    if behind[0] == "into":
        return not _ASSETS.isdisjoint(words[end + 1 : end + _NEAR]) and not _is_exact(words, end)
    return _is_owed(words, end) and not _is_exact(words, end)


_LEADS = ARTICLES | word_set("of into down he she they i we you that which")


def _is_owed(words: list[str], end: int) -> bool:
    """`… the roofer asked for`, `… she is owed`."""
    for word in words[end + 1 : end + _NEAR]:
        if word in _OWED:
            return True
        if word in STOPS and word not in _BE:
            return False
    return False


_BE = word_set("is was has are were")
_OWED = word_set(
    "asked asks wants wanted needs needed owe owes owed charged charges quoted invoiced demanded "
    "demands billed agreed requested requires claimed claims due"
)


def _of_money(words: list[str], end: int) -> bool:
    """`half a mil of the budget`; not `two thousand of the fund managers`."""
    for at in range(end + 1, min(end + _NEAR, len(words))):
        if words[at] in _FUNDS:
            behind = words[at + 1 : at + 2]
            return not behind or behind[0] in STOPS or behind[0] in _ENDS
    return False


_FUNDS = word_set(
    "budget budgets fund funds savings money reserve reserves cash capital pot endowment treasury "
    "kitty proceeds profits equity float escrow deposits inheritance overdraft bonus grant"
)
_ENDS = _FUNDS | word_set("to towards toward out away straight tonight today now tomorrow")


def _is_exact(words: list[str], end: int) -> bool:
    """Whether it is counted rather than said roughly: `the twelve he asked for` may be pencils."""
    return words[end - 1] not in _SCALES and not words[end - 1].endswith(("k", "m"))


_ASSETS = word_set(
    "share shares stock stocks bond bonds gold silver bitcoin crypto coins etf etfs fund funds "
    "index market markets securities savings pension venture start-up startup property "
    "bills treasuries gilts annuity options futures"
)
