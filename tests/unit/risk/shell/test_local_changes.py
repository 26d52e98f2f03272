"""Small changes in the working folder: what is proven to lose nothing, and what only looks so."""

import pytest
from tests.unit.risk.builders import policy_with_reader

from holdpoint.core.risk.shell.local_changes import LONGEST, changes_little

PRODUCTS = policy_with_reader().build_products
"""Those of the shipped policy: `build`, `dist`, `**/node_modules`."""


@pytest.mark.parametrize(
    "command",
    [
        "mkdir -p build/output",
        "touch notes.txt",
        "cp -n config.yaml config.local.yaml",
        "cp -n .github/workflows/x.yml notes.yml",
        "git add .github/workflows/x.yml Makefile",
        "git mv notes.txt docs/notes.txt",
        "rm -rf build dist",
        "rm -rf build/",
        "rm -rf ./build",
        "rm -fr build",
        "rm -r -f build",
        "rm --recursive --force build",
        "rm -rf -- build",
        "rm -rfv 'build' \"dist\"",
        "rm -rf node_modules/",
        "rm -rf packages/app/node_modules",
        "rm -rf build; mkdir build",
        "mkdir -p build\nrm -rf dist",
        "git commit -qam 'Prüfe das'",
        "git commit --message='Add it'",
        'git commit -m "Fix a typo (again); really"',
        "git add . && git commit -m 'Add it'",
        "git checkout -b feature/login",
        "git stash push -m half",
        "git add -A && git status",
        "git add . && git commit -m 'Add it' && git log -1 --oneline",
        "mkdir -p src && ls src",
        "git add a.py && git diff --cached | head -50",
        "git add . ; git status 2>&1 | head",
    ],
)
def test_what_loses_nothing_is_a_little_change(command: str) -> None:
    assert changes_little({"command": command}, PRODUCTS)


@pytest.mark.parametrize(
    "command",
    [
        "",
        "touch $HOME/.profile",
        "touch ~/.profile",
        "touch /etc/motd",
        "touch ../outside",
        "touch a/../../outside",
        "touch .git/hooks/pre-commit",
        "touch .GIT/config",
        "touch -- -delete",
        "cp -n notes.txt .husky/pre-commit",
        "cp -n pre-commit .husky",
        "cp -nr tmpl/. .",
        "git status",
        "mkdir x && cd x && touch y",
        "mkdir x; cd ..; rm -rf build",
        "mkdir x; 'cd' ..; rm -rf build",
        "mkdir x; builtin cd ..; rm -rf build",
        "mkdir x; printf -v PATH y; git add a",
        "mkdir x; read PATH < f; git add a",
        "mkdir x; cat f | sh",
        "mkdir x; find . -delete",
        "mkdir x; git log --output=x",
        "mkdir x; git -C y status",
        "git add a.py && git diff --cached > out.txt",
        "mkdir x; npm test",
        "mkdir x && psql -c 'DROP TABLE t'",
        "cp -nr tmpl/./ .",
        "cp -n notes.txt .pre-commit-config.yaml",
        "mv -n notes.txt .claude/settings.json",
        "git mv notes.txt .github/workflows/x.yml",
        "git mv notes.txt CLAUDE.md",
        "cp -n notes.txt Makefile",
        "cp -n backup/package.json .",
        "mkdir `whoami`",
        "mkdir $(whoami)",
        "mkdir a; rm -r b",
        "mkdir a | touch b",
        "mkdir a || rm -r b",
        "mkdir a & rm -r b",
        "mkdir a\nrm -r b",
        "mkdir a > b",
        "echo a >> b",
        "cp a b",
        "cp -rf a b",
        "mv a b",
        "mv -n report.txt build/report.txt",
        "git mv report.txt dist",
        "rm report.txt",
        "rm -rf src",
        "rm -rf build src",
        "rm -rf",
        "rm -rf --",
        "rm -rf build/..",
        "rm -rf build/../src",
        "rm -rf ../build",
        "rm -rf /build",
        "rm -rf ./",
        "rm -rf .",
        "rm -rf build/x",
        "rm -rf build/link/",
        "rm -rf src/build",
        "rm -rf build*",
        "rm -rf */node_modules",
        "rm -rf {build,src}",
        "rm -rf $build",
        "rm -rf ${X}build",
        "rm -rf ~/build",
        "rm -rf '' build",
        "rm -rf build --no-preserve-root",
        "rm -rf build -- -x",
        "rm -rf current/node_modules",
        "rm -rf build\\ src",
        "rm -rf build >log",
        "rm build",
        "rm -f build",
        "cd / && rm -rf build",
        "cd ..; rm -rf build",
        "rm() { true; }; rm -rf build",
        "git commit --message=",
        "git commit -m ''",
        "git commit -F notes",
        "git commit -m *",
        "mkdir --mode=/etc a",
        "tar -tf host:a.tar",
        "tar -tf a.tar --to-command=sh",
        "./mkdir a",
        "git push",
        "git commit",
        "git commit -m",
        "git commit --amend -m x",
        "git checkout main",
        "git checkout -b x -- a",
        "git restore README.md",
        "git stash drop",
        "git stash clear",
        "git branch -D main",
        "git merge feature",
        "git -c core.pager=x add .",
        "FOO=1 mkdir a",
        "python3 --version script.py",
        "sudo mkdir a",
        "touch " + "a" * LONGEST,
    ],
)
def test_what_may_lose_something_or_run_something_is_none(command: str) -> None:
    assert not changes_little({"command": command}, PRODUCTS)


def test_only_a_command_alone_is_judged() -> None:
    assert not changes_little({"command": "touch a", "cwd": "/"}, ())
    assert not changes_little({"command": ["touch", "a"]}, ())
    assert not changes_little({}, ())


def test_a_policys_own_build_products_are_made_again() -> None:
    assert changes_little({"command": "rm -rf site"}, ("site",))
    assert not changes_little({"command": "rm -rf site"}, ())
