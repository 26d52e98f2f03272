"""Other ways to write the words of a command, chiefly its first."""

import re
from collections.abc import Callable

from tests.fuzz.disguise import Reworded, of_text

from holdpoint.core.risk.words import word_set
from holdpoint.policy_lab.cases import LineKind

KEYWORDS = word_set(
    "if then elif else fi for while until do done case esac function select time coproc"
)
_head = re.compile(r"\s*([A-Za-z][\w.+-]*)(?=\s|$)")
_bare = re.compile(r"[\w ./:@,+-]+")
"""Words without any sign that a shell reads."""


def _of_head(change: Callable[[str], str]) -> Reworded:
    """Rewrite the first word, where it is a plain one that names a program."""

    def reworded(text: str) -> str:
        found = _head.match(text)
        if not found or found[1] in KEYWORDS:
            return text
        return change(found[1]) + text[found.end() :]

    return reworded


def _before(change: Callable[[str], tuple[str, str]]) -> Reworded:
    """A line of its own first, then another first word."""

    def reworded(text: str) -> str:
        found = _head.match(text)
        if not found or found[1] in KEYWORDS:
            return text
        first, head = change(found[1])
        return f"{first}; {head}{text[found.end() :]}"

    return reworded


def _bared(change: Reworded) -> Reworded:
    """Rewrite a whole command, where it is nothing but plain words."""
    return lambda text: change(text) if _bare.fullmatch(text) and len(text.split()) > 1 else text


def _hexed(head: str) -> str:
    return "".join(f"\\x{ord(sign):02x}" for sign in head)


def _octal(head: str) -> str:
    return "".join(f"\\{ord(sign):03o}" for sign in head)


def _letters(head: str) -> str:
    return head.translate(str.maketrans("aceop", "асеор"))  # noqa: RUF001


def _wide(head: str) -> str:
    return "".join(chr(ord(sign) + 0xFEE0) if sign.isalpha() else sign for sign in head)


def _inner_blanks(blank: str) -> Reworded:
    """The blanks between plain words written otherwise."""
    return _bared(lambda text: blank.join(text.split()))


BEFORE: dict[str, Callable[[str], tuple[str, str]]] = {
    "variable": lambda head: (f"tool={head}", "$tool"),
    "halves": lambda head: (f"a={head[:1]}; b={head[1:]}", '"$a$b"'),
    "cut": lambda head: (f"x={head}zz", f"${{x:0:{len(head)}}}"),
    "array": lambda head: (f"a=({head})", "${a[0]}"),
    "read": lambda head: (f"read -r x <<< {head}", '"$x"'),
    "printf -v": lambda head: (f"printf -v x %s {head}", "$x"),
    "pointer": lambda head: (f"x={head}; y=x", "${!y}"),
    "alias of the head": lambda head: (f"alias zz={head}", "zz"),
    "function of the head": lambda head: (f'f() {{ {head} "$@"; }}', "f"),
    "passed on": lambda head: ('f() { "$@"; }', f"f {head}"),
}
HEADS: dict[str, Callable[[str], str]] = {
    "escaped": lambda head: "".join(f"\\{one}" if one.isalpha() else one for one in head),
    "backslash": "\\{}".format,
    "quoted": lambda head: f'{head[:1]}"{head[1:]}"',
    "wholly quoted": '"{}"'.format,
    "single quotes": "'{}'".format,
    "split": lambda head: f"{head[:1]}''{head[1:]}",
    "nothing inside": lambda head: f"{head[:1]}$@{head[1:]}",
    "hex word": lambda head: f"$'{_hexed(head)}'",
    "octal word": lambda head: f"$'{_octal(head)}'",
    "printed word": lambda head: f"$(printf '{_hexed(head)}')",
    "substituted": "$(echo {})".format,
    "backticked word": "`echo {}`".format,
    "default": "${{nothing:-{}}}".format,
    "found word": "$(command -v {})".format,
    "path": "/usr/bin/{}".format,
    "long path": "/usr/../bin/./{}".format,
    "/usr/bin/env": "/usr/bin/env {}".format,
    "unknown word behind": "{} $OPTIONS".format,
    "unknown argument behind": '{} "${{1}}"'.format,
    "look-alike": _letters,
    "full width": _wide,
    "invisible": lambda head: f"{head[:1]}\u200b{head[1:]}",
    "nul": lambda head: f"{head[:1]}\0{head[1:]}",
    "return": lambda head: f"true\r{head}",
    "joiner": lambda head: f"{head[:-1]}\u2060{head[-1:]}",
    "soft hyphen": lambda head: f"{head[:1]}\u00ad{head[1:]}",
}
WHOLE: dict[str, Reworded] = {
    "continued": _bared(lambda text: text.replace(" ", " \\\n", 1)),
    "continued inside": _of_head(lambda head: f"{head[:1]}\\\n{head[1:]}"),
    "blanks": lambda text: f"  {text}  ",
    "tabs": _inner_blanks("\t"),
    "wide blanks": _inner_blanks("   "),
    "carriage return": lambda text: text if "\n" in text else f"{text}\r\n",
    "ifs": _inner_blanks("${IFS}"),
    "short ifs": _bared(lambda text: re.sub(r"\s+(?=\W)", "$IFS", text)),
    "ifs and nothing": _inner_blanks("$IFS$9"),
    "braces": _bared(
        lambda text: text if "," in text or ".." in text else "{" + ",".join(text.split()) + "}"
    ),
    "own separator": _bared(
        lambda text: text if "_" in text else f"IFS=_; c={'_'.join(text.split())}; $c"
    ),
    "positions": _bared('set -- {}; "$@"'.format),
    "words of an array": _bared('a=({}); "${{a[@]}}"'.format),
    "comment": lambda text: text if "\n" in text else f"{text} # nothing to see",
    "comment first": "# only a test\n{}".format,
}

WORDS = of_text(
    LineKind.SHELL,
    {name: _of_head(change) for name, change in HEADS.items()}
    | {name: _before(change) for name, change in BEFORE.items()}
    | WHOLE,
)
