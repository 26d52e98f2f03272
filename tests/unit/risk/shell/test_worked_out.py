"""What a shell makes of a word before it runs it: patterns, operators, arguments."""

from tests.unit.risk.shell.levels import level

from holdpoint.core.risk.shell.expansion import MAX_CUT, edited
from holdpoint.core.risk.shell.model import Command
from holdpoint.core.risk.shell.output import MAX_FORMS, printf
from holdpoint.messages.risk import RiskLevel

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
DANGEROUS = (
    "cat <<X | sh\n\\rm -rf /srv\nX",
    "/usr/bin/dr?pdb shop",
    "/bin/??? -u /dev/sda",
    "[s]hred -u a.key",
    "/???/sbin/wipe?s -a /dev/sdb",
    "/usr/sbin/mkf?.ext4 /dev/sda",
    "/bin/* x",
    "c=shred%-u%/dev/sda; ${c//%/ }",
    "/bin/b??h -c 'dropdb shop'",
    "/usr/bin/su?o dropdb shop",
    "/usr/bin/pyth?n3 -c 'import os;os.remove(\"/srv/a\")'",
    "c=_dropdb; ${c#?} shop",
    "c=dropdb.old; ${c%.*} shop",
    "c=/a/b/dropdb; ${c##*/} shop",
    r"c='\x64ropdb'; ${c@E} shop",
    "c=DROPDB; ${c@L} shop",
    "c=xdropdb; ${c:$n} shop",
    "set rm -rf /srv; $*",
    "set -- dropdb shop; $*",
    'set -eu dropdb shop; "$@"',
    "set -o pipefail rm -rf /srv; $1 $2 $3",
    "set - dropdb shop; $1 $2",
    "bash -s rm -rf /srv <<< '\"$@\"'",
    "echo '$1 $2' | sh -s dropdb shop",
)
HARMLESS = (
    "/bin/b??h -c 'make test'",
    "/usr/bin/pyth?n3 -c 'print(1)'",
    "/usr/bin/l? -la",
    "[ -f a ] && echo yes",
    "[[ -d a ]] && ls a",
    "./bin/*.sh --check",
    "ls *.py",
    "~/.local/*/bin/tool run",
    "c=xls; ${c#?} -la",
    "c=ls%-la; ${c//%/ }",
    "for f in *.png; do convert $f ${f%.png}.jpg; done",
    "f=a/b.tar.gz; echo ${f##*/} ${f%%.*}",
    "set -eo pipefail; make",
    "set -- ls -la; $*",
    'set -- "$@" -v; echo "$@"',
    "set rm -rf /srv; echo $#",
    "bash -s a b <<< 'echo $1'",
    'exec "$@"',
    "n=2; s=abcdef; echo ${s:$n}",
)


def test_operators_work_on_values_as_a_shell_does() -> None:
    for value, sign, operand, made in MADE:
        assert edited(value, sign, operand, str) == made, (value, sign, operand)


def test_what_is_too_long_or_not_known_is_said_to_be_so() -> None:
    for value, sign, operand in (
        ("a" * (MAX_CUT + 1), "#", "?"), ("a" * (MAX_CUT + 1), "/", "?/b"), ("ab", ":", "x"),
    ):  # fmt: skip
        assert "(cut)" in edited(value, sign, operand, str), sign


def test_what_a_shell_makes_of_a_word_is_what_runs() -> None:
    for text in DANGEROUS:
        assert level(text) >= RiskLevel.HIGH, text
    for text in HARMLESS:
        assert level(text) < RiskLevel.HIGH, text


FORMS = (
    ("%.2s", "rmxx", "rm"), ("%c", "rx", "r"), ("%b", "\\162", "r"), ("%%%s", "a", "%a"),
    ("%d", "42", "42"), ("%s-%s", "a", "a-"),
)  # fmt: skip
CODED = (
    "x=$(printf '%d' 114); printf \"\\\\$(printf %o $x)m -rf /srv/data\" | sh",
    'printf "\\\\x$(printf %x 114)m -rf /srv/data" | sh', "printf '%c%c -rf /srv' rx mx | bash",
    "c=$(printf '\\\\%o' 114); printf \"${c}m -rf /srv\" | bash",
    "printf '%.6s shop' dropdbx > a; sh a",
    '$(printf "\\\\$(printf %o 114)m") -rf /srv/data', "printf '%*s shop' 6 dropdb | sh",
    'eval "$(printf "\\\\$(printf %o 114)m -rf /srv/data")"', "printf '%(x)T' 1 | sh",
    'printf "' + "%s" * (MAX_FORMS + 1) + '" dropdb " shop" | sh',
)  # fmt: skip
PRINTED = ("printf '%d items' 5", "printf 'sleep %d' 5 | sh", "printf '%5.1f %%' 3", "printf %c ab",
           "printf 'make -j%d' 4 | bash", "printf '%(%F)T'")  # fmt: skip


def test_a_form_prints_what_it_makes_of_each_word() -> None:
    for form, word, made in FORMS:
        assert printf(Command(name="printf", args=(form, word))).text == made, form


def test_a_text_that_is_worked_out_is_read_or_stays_unread() -> None:
    for text in CODED:
        assert level(text) >= RiskLevel.HIGH, text[:80]
    for text in PRINTED:
        assert level(text) < RiskLevel.HIGH, text
