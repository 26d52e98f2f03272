"""What a shell runs when it ends is read with what its variable is given right behind it."""

from tests.unit.risk.shell.levels import level

from holdpoint.messages.risk import RiskLevel

CALM = (
    "trap 'rm -rf \"$t\"' EXIT; t=$(mktemp -d); tar xf a.tar -C \"$t\"",
    "trap 'rm -rf \"${t}\"' 0\nt=$(mktemp -d)\ncp a \"$t\"/b",
    "trap 'rm -f $t' EXIT; t=$(mktemp); ls",
    "t=$(mktemp -d); trap 'rm -rf \"$t\"' EXIT; ls",
    "set -eu\ntrap 'rm -rf \"$t\"' EXIT\nt=$(mktemp -d)\nmake",
)  # fmt: skip
GRAVE = (
    "trap 'rm -rf \"$t\"' EXIT; t=/srv/data", "trap 'rm -rf \"$t\"' EXIT; t=$(mktemp -d); t=/srv",
    "trap 'rm -rf \"$t\"' EXIT; t=$1", "trap 'rm -rf \"$t\"' EXIT; make; t=$(mktemp -d)",
    "trap 'rm -rf \"$t\"' EXIT; make || exit 1; t=$(mktemp -d)",
    "trap 'rm -rf \"$t\"' EXIT; exit; t=$(mktemp -d)",
    "t=/srv/data; trap 'rm -rf \"$t\"' EXIT; exit; t=$(mktemp -d)", "trap 'rm -rf \"$t\"' EXIT",
    "t=/srv/data; trap 'rm -rf \"$t\"' EXIT; t=$(mktemp -d)",
    "trap 'rm -rf \"$t\"' EXIT; (t=$(mktemp -d))",
    "trap 'rm -rf \"$t\"' INT EXIT; t=$(mktemp -d)", "trap 'rm -rf \"$t\"' ERR; t=$(mktemp -d)",
    "trap 'rm -rf \"$t\" $u' EXIT; t=$(mktemp -d)", "trap 'rm -rf \"$t\" $1' EXIT; t=$(mktemp -d)",
    "trap 'rm -rf \"$t\"' EXIT; t=$(mktemp -d); read t",
    "trap 'rm -rf \"$t\" /srv' EXIT; t=$(mktemp -d)",
    "trap 'rm -rf \"$t\"' EXIT; t=$(mktemp -d); for t in /srv /opt; do ls; done",
    "trap 'rm -rf \"$t\"' EXIT; t=$(mktemp -d); if x; then t=/srv; fi",
    "trap 'rm -rf \"$t\"' EXIT; false && t=$(mktemp -d)",
    "trap 'rm -rf \"$t\"' EXIT; t=$(mktemp -d); declare -n t=u",
    "f() { trap 'rm -rf \"$t\"' EXIT; }; f; t=$(mktemp -d)",
    "trap 'rm -rf \"${t:-/srv}\"' EXIT; t=$(mktemp -d)",
    "trap 'rm -rf \"$t\"' EXIT; t=$(ls; exit; mktemp -d)",
)  # fmt: skip


def test_what_is_made_right_behind_a_trap_is_what_it_takes_away() -> None:
    for text in CALM:
        assert level(text) < RiskLevel.HIGH, text


def test_a_trap_whose_variable_may_hold_anything_else_is_not_excused() -> None:
    for text in GRAVE:
        assert level(text) >= RiskLevel.HIGH, text
