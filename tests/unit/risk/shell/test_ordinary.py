"""What is passed over as ordinary: whoever is asked about it has nothing to say."""

import pytest

from holdpoint.core.risk.shell.database_statements import sql_in
from holdpoint.core.risk.shell.fast_path import ORDINARY
from holdpoint.core.risk.shell.interpreters import interpret
from holdpoint.core.risk.shell.judge import judge
from holdpoint.core.risk.shell.model import Command, Flow, Origin
from holdpoint.core.risk.shell.read_only import only_reads
from holdpoint.core.risk.shell.unwrapping import unwrap

WORDS = (
    "",
    "x",
    "-rf /",
    "--delete x",
    "-c 'rm -rf /'",
    "-exec rm -rf / ;",
    "drop table x",
    "-i ~/.ssh/id_rsa",
    "system('rm -rf /')",
    "--force --all",
    "delete everything",
    "root@host:/etc /etc",
    "+s /bin/sh",
)


@pytest.mark.parametrize("name", sorted(ORDINARY))
def test_no_family_has_more_to_say_of_it(name: str) -> None:
    stdin = Flow(Origin.SECRET)
    for words in WORDS:
        args = tuple(words.split())
        for command in (
            Command(name=name, path=name, args=args),
            Command(name=name, path=name, args=args, stdin=stdin, many=True),
        ):
            assert judge(command) == []
            assert only_reads(command)
            assert unwrap(command) is None
            assert not interpret(command)
            assert sql_in(command) == ()
