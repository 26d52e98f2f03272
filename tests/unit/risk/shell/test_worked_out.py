"""What a shell makes of a word before it runs it: patterns, operators, arguments."""

from holdpoint.core.risk.shell.expansion import MAX_CUT, edited
from holdpoint.core.risk.shell.model import Command
from holdpoint.core.risk.shell.output import printf

MADE = (
    ("a.tar.gz", "%", ".*", "a.tar"),
    ("a.tar.gz", "%", "%.*", "a"),
    ("/a/b/c", "#", "#*/", "c"),
    ("/a/b/c", "#", "*/", "a/b/c"),
    ("xrm", "#", "?", "rm"),
    ("rmx", "%", "[w-z]", "rm"),
    ("rm%-rf%d", "/", "/%/ ", "rm -rf d"),
    ("a-b-c", "/", "-/_", "a_b-c"),
    ("ab", "#", "x", "ab"),
    ("ab", "/", "/", "ab"),
    (r"\x72m", "@", "E", "rm"),
    ("Rm", "@", "L", "rm"),
    ("rm", "@", "U", "RM"),
    ("rm", "@", "u", "Rm"),
    ("rm", "@", "Q", "rm"),
    ("rm", "^", "", "Rm"),
    ("RM", ",", ",", "rm"),
    ("arm", ":", "1", "rm"),
    ("arms", ":", "1:2", "rm"),
    ("\ue000x\ue001y", "#", "?", "\ue000x\ue001y"),
    ("/a", "#", "*", "/a"),
)


def test_operators_work_on_values_as_a_shell_does() -> None:
    for value, sign, operand, made in MADE:
        assert edited(value, sign, operand, str) == made, (value, sign, operand)


def test_what_is_too_long_or_not_known_is_said_to_be_so() -> None:
    for value, sign, operand in (
        ("a" * (MAX_CUT + 1), "#", "?"), ("a" * (MAX_CUT + 1), "/", "?/b"), ("ab", ":", "x"),
    ):  # fmt: skip
        assert "(cut)" in edited(value, sign, operand, str), sign


FORMS = (
    ("%.2s", "rmxx", "rm"), ("%c", "rx", "r"), ("%b", "\\162", "r"), ("%%%s", "a", "%a"),
    ("%d", "42", "42"), ("%s-%s", "a", "a-"),
)  # fmt: skip


def test_a_form_prints_what_it_makes_of_each_word() -> None:
    for form, word, made in FORMS:
        assert printf(Command(name="printf", args=(form, word))).text == made, form
