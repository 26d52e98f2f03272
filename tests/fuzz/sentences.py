"""Other ways to say the same sentence."""

import re

from tests.fuzz.disguise import Disguise, Reworded, of_text

from holdpoint.policy_lab.cases import LineKind

_SMALL = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen
fifteen sixteen seventeen eighteen nineteen"""
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
SMALL, TENS = _SMALL.split(), _TENS.split()
SHORT = {"I'll": "I will", "I'm": "I am", "I've": "I have", "don't": "do not", "can't": "cannot"}
_number = re.compile(r"(?<![\w.,$€£:/#-])(\d{1,6})(?![\w.,%:/-])")


def spelled(number: int) -> str:
    """A whole number below a million in words."""
    if number < 20:
        return SMALL[number]
    if number < 100:
        return TENS[number // 10 - 2] + (f"-{SMALL[number % 10]}" if number % 10 else "")
    unit, word = (1000, "thousand") if number >= 1000 else (100, "hundred")
    rest = f" {spelled(number % unit)}" if number % unit else ""
    return f"{spelled(number // unit)} {word}{rest}"


def _in_words(text: str) -> str:
    return _number.sub(lambda found: spelled(int(found[1])), text)


def _grouped(text: str) -> str:
    return _number.sub(lambda found: f"{int(found[1]):,}", text)


def _digits(first: int) -> Reworded:
    """The digits of another script."""
    table = {ord("0") + digit: first + digit for digit in range(10)}
    return lambda text: text.translate(table)


def _wide(text: str) -> str:
    return "".join(
        chr(ord(one) + 0xFEE0) if one.isascii() and one.isalnum() else one for one in text
    )


def _bold(text: str) -> str:
    """Mathematical letters, as people paste them for show."""
    return "".join(
        chr(ord(one) + (0x1D400 - 65 if one.isupper() else 0x1D41A - 97))
        if one.isascii() and one.isalpha()
        else one
        for one in text
    )


def _each_word(change: Reworded) -> Reworded:
    return lambda text: re.sub(r"[A-Za-z]{4,}", lambda found: change(found[0]), text)


def _long(text: str) -> str:
    for short, words in SHORT.items():
        text = text.replace(short, words)
    return text


def _short(text: str) -> str:
    return re.sub(r"\bI will\b", "I'll", re.sub(r"\bI am\b", "I'm", text))


TEXTS: dict[str, Reworded] = {
    "greeting": "Hello! {}".format,
    "sure": "Sure, no problem. {}".format,
    "polite": "Of course, thank you for your patience. {}".format,
    "thanks": "{} Thanks!".format,
    "sentence before": "I have looked at the list. {}".format,
    "sentence after": "{} I will report back afterwards.".format,
    "between": "The logs are fine. {} Everything else stays as it is.".format,
    "long before": lambda text: "The report is ready and was read by the team. " * 12 + text,
    "long after": lambda text: text + " The weather is nice in the mountains." * 12,
    "reassured": "{} This is perfectly safe.".format,
    "lines before": "Plan:\n\n{}".format,
    "lines around": "\n\n{}\n\n".format,
    "newlines for blanks": lambda text: text.replace(" ", "\n"),
    "two blanks": lambda text: text.replace(" ", "  "),
    "no-break spaces": lambda text: text.replace(" ", "\u00a0"),
    "tabs": lambda text: text.replace(" ", "\t"),
    "bold": "**{}**".format,
    "italic": "_{}_".format,
    "bullet": "- {}".format,
    "numbered": "1. {}".format,
    "heading": "## {}".format,
    "quotation": "> {}".format,
    "code fence": "```\n{}\n```".format,
    "html": "<p>{}</p>".format,
    "emoji first": "\U0001f680 {}".format,
    "emoji last": "{} \U0001f44d\u2705".format,
    "upper case": str.upper,
    "lower case": str.lower,
    "invisible": _each_word(lambda word: f"{word[:2]}\u200b{word[2:]}"),
    "soft hyphens": _each_word(lambda word: f"{word[:2]}\u00ad{word[2:]}"),
    "look-alike": _each_word(lambda word: word.replace("e", "\u0435").replace("o", "\u043e")),
    "full width": _wide,
    "mathematical": _bold,
    "full width digits": _digits(0xFF10),
    "Arabic digits": _digits(0x0660),
    "grouped digits": _grouped,
    "numbers in words": _in_words,
    "curly apostrophes": lambda text: text.replace("'", "\u2019"),
    "no short forms": _long,
    "short forms": _short,
    "exclaimed": lambda text: f"{text[:-1]}!" if text.endswith(".") else text,
    "without a full stop": lambda text: text.removesuffix("."),
    "then": "Then: {}".format,
    "role": "Assistant: {}".format,
}

SAYINGS: tuple[Disguise, ...] = of_text(LineKind.DIALOGUE, TEXTS)
