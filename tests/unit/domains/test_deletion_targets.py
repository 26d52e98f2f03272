"""Which command lines are simple enough for a dry run."""

import pytest

from holdpoint.domains.shell.deletion_targets import Erasure, NotPlainError, Reach, understood


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("rm a", Erasure(paths=("a",), reach=Reach.FILES)),
        ("rm -r scratch", Erasure(paths=("scratch",), reach=Reach.TREES)),
        ("rm -rf a 'b c'", Erasure(paths=("a", "b c"), reach=Reach.TREES)),
        ("rm a -R", Erasure(paths=("a",), reach=Reach.TREES)),
        ("rm -d a", Erasure(paths=("a",), reach=Reach.EMPTY_FOLDERS)),
        ("rm --recursive -- -x", Erasure(paths=("-x",), reach=Reach.TREES)),
        ("rm -f *.log", Erasure(paths=("*.log",), reach=Reach.FILES, globs=True)),
        ("find tmp -delete", Erasure(paths=("tmp",), reach=Reach.TREES)),
        (
            "find . -type f -name '*.log' -delete",
            Erasure(paths=(".",), reach=Reach.TREES, name="*.log", only="f"),
        ),
    ],
)
def test_a_plain_deletion_is_understood(command: str, expected: Erasure) -> None:
    assert understood(command) == expected


@pytest.mark.parametrize(
    "command",
    [
        "",
        "ls",
        "rm",
        "rm -r",
        "rm -ri a",
        "rm --no-preserve-root -rf /",
        "rm a; rm b",
        "rm a && echo",
        "rm a | cat",
        "rm a > b",
        "rm $HOME",
        "rm `x`",
        "rm $(x)",
        "rm {a,b}",
        "rm ~",
        "rm ~/a",
        r"rm a\ b",
        "rm a #b",
        "rm a\nrm b",
        "rm a\rb",
        "rm [ab]",
        "rm 'a*' *",
        "rm '*'",
        'rm "*"',
        "rm ..",
        "rm a/../b",
        "rm link/",
        "rm ''",
        "rm 'a",
        "rm a\u202eb",
        "rm a\u00a0b",
        "X=1 rm a",
        "sudo rm a",
        "find . -name '*.log' -delete",
        "find . -name *.log -type f -delete",
        "find . -type f",
        "find . -type d -delete",
        "find . -delete -type f",
        "find . -type f -o -type l -delete",
        "find . -exec rm '*' -delete",
        "find -delete",
    ],
)
def test_what_bash_might_read_otherwise_has_no_dry_run(command: str) -> None:
    with pytest.raises(NotPlainError):
        understood(command)
