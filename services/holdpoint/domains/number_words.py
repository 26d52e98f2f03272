"""Numbers and counted things in words, for voices that would stumble over symbols."""

ONES = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
TENS = (
    "", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
)  # fmt: skip
SCALES = ((10**12, "trillion"), (10**9, "billion"), (10**6, "million"), (1000, "thousand"))
LIMIT = 10**15
"""From here on digits are as good as words."""


def number(value: int) -> str:
    """214 -> `two hundred fourteen`."""
    if value < 0:
        return f"minus {number(-value)}"
    if value >= LIMIT:
        return str(value)
    for scale, name in (*SCALES, (100, "hundred")):
        if value >= scale:
            rest = value % scale
            return f"{number(value // scale)} {name}" + (f" {number(rest)}" if rest else "")
    return _below_hundred(value)


def counted(value: int, one: str, many: str) -> str:
    """1 -> `one row`, 3 -> `three rows`."""
    return f"{number(value)} {one if value == 1 else many}"


def _below_hundred(value: int) -> str:
    if value < len(ONES):
        return ONES[value]
    tens, ones = divmod(value, 10)
    return f"{TENS[tens]}-{ONES[ones]}" if ones else TENS[tens]
