"""Lines that are passed by: the long way says the same of them, whatever words they hold."""

import os

import pytest
from tests.unit.risk.shell.drawn import Drawn

from holdpoint.core.risk.shell import walk
from holdpoint.core.risk.shell.control_flow import read_tree
from holdpoint.core.risk.shell.fast_path import fast_lines
from holdpoint.core.risk.shell.judge import KNOWN
from holdpoint.core.risk.shell.walk import Walk

DRAWN = int(os.environ.get("DRAWN", "4000"))
SEED = 20261122

PASSED = (
    "git status", "git log --oneline -n 5 -- src/a.py", 'git commit -m "Mend the parser"',
    "git diff --stat main", "ls -la | sort -k2 | head -5", "docker ps --all", "cd src && ls",
    "find src -name '*.py' -mtime -7 -print", "kubectl get pods -n web -o wide",
    "curl -s https://api.example.org/v1/items?page=2 | jq .name", "cargo build --release",
    "tar czf out.tgz src && du -sh src", "cp a.txt /tmp/b.txt", "mkdir -p build/x",
    "python3 tools/run.py --limit 5", "pytest -q tests", "npm run build", "make -j4 test",
    "cat README.md | grep -n x; wc -l a.csv", "sed -n '1,80p' x.py", "go test ./...",
)  # fmt: skip
READ = (
    "", " ", "rm -rf x", "git push", "git log; rm x", "cat ~/.ssh/id_rsa", "cat .env", "cp rm x",
    "git log -- rm -rf x", "find . -delete", "find . -exec ls", "curl -X POST https://x.org",
    "curl https://x.org/users/5/delete", "docker ps | sh", "ls $(rm x)", "ls `rm x`", "ls > a",
    "cat a | python3 b.py", "cd /etc", "cd ..", "git -c alias.x=y status", "mv a /etc",
    "tar xzf a.tgz -C /", "python3 -c 'x'", "ls \\", "ls &", "ls |", "| ls", "ls ||| cat x",
    "x=1 ls", "ls {a,b}", "(ls)", "ls # x", "npm run clean", "git commit -m $(x)", "make SHELL=x",
    "kubectl apply -f x.yml",
)  # fmt: skip


def test_everyday_lines_are_passed_by() -> None:
    assert [line for line in PASSED if fast_lines(line) is None] == []


def test_what_may_be_more_is_read() -> None:
    assert [line for line in READ if fast_lines(line) is not None] == []


def test_a_program_under_another_name_is_no_everyday_file() -> None:
    moved = [
        f"{verb} {place}{name} /tmp/x.sh"
        for verb in ("cp", "mv")
        for place in ("", "./", "/bin/")
        for name in KNOWN
    ]

    assert [line for line in moved if fast_lines(line) is not None] == []


def test_what_is_named_like_a_program_is_still_a_file() -> None:
    assert fast_lines("cp -r manage.pyx my-manage.py ./nc.traditional.md /tmp/x.sh") is not None


def _walked(text: str) -> dict[str, object]:
    one = Walk(read_tree)
    one.script(text)
    state = one.state
    return {
        "found": state.found, "targets": [*state.targets], "sql": state.sql, "files": state.files,
        "aliases": state.aliases, "here": state.here, "commands": state.commands,
        "ordinary": state.ordinary, "reads": state.reads_only, "stuck": state.stuck,
        "programs": state.programs, "streams": state.streams, "remotes": state.remotes,
        "values": state.scope.values,
    }  # fmt: skip


def test_the_long_way_says_the_same_of_whatever_is_passed_by(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drawn = Drawn(SEED)
    texts = [drawn.line() for _ in range(DRAWN)]
    taken = [text for text in texts if fast_lines(text)]
    assert len(taken) > DRAWN / 10
    seen = [_walked(text) for text in taken]
    monkeypatch.setattr(walk, "fast_lines", lambda _text: None)
    for text, one in zip(taken, seen, strict=True):
        assert one == _walked(text), text
