"""Programs that hand a part of what they are told to a shell: notebooks, make, editors, clients."""

from tests.unit.risk.shell.levels import level

from holdpoint.messages.risk import RiskLevel

CARRY = (
    "make --eval='$(shell {})'", "make -E 'x:;{}' x", "make 'X=$(shell {})'", "make 'X!={}'",
    "make CC='{} #' prog", "make CLEAN='{}'", "make 'X := $(shell {})' all",
    "cat > Makefile <<'E'\nX := $(shell {})\nall:\n\techo $(X)\nE\nmake",
    "cat > Makefile <<'E'\nX != {}\nall:\n\techo $(X)\nE\nmake",
    "m4 <<< 'syscmd({})'", "m4 <<< 'esyscmd(`{}`)'",
    "ipython -c '!{}'", "ipython -c 'x = !{}'", "ipython -c '%sx {}'", "ipython -c '%system {}'",
    "ipython -c '%%bash\n{}'", "ipython <<< '!{}'", "jupyter console <<< '!{}'",
    "ipython -c 'get_ipython().run_cell_magic(\"bash\", \"\", \"{}\")'",
    "echo '!{}' > x.ipy; ipython x.ipy", "ipython -c 'get_ipython().system(\"{}\")'",
    "vim -c 'silent !{}'", "vim -c 'terminal {}'", "vim -c 'py3 import os; os.system(\"{}\")'",
    "emacsclient -e '(shell-command \"{}\")'", "gdb -ex 'call system(\"{}\")' -p 1",
    "gdb -ex 'python import os; os.system(\"{}\")'",
    "lldb -o 'script import os; os.system(\"{}\")'",
    "git clone -u '{}' host:repo", "git fetch --upload-pack='{}' host",
    "mysql --pager='{}' -e 'select 1'", "PSQL_PAGER='{}' psql -c 'select 1'",
    "SUDO_EDITOR='{}' sudoedit x", "KUBE_EDITOR='{}' kubectl edit deploy x",
    "bind -x '\"\\C-x\": {}'",
    "Rscript -e 'system2(\"{}\")'", "mix run -e 'System.shell(\"{}\")'",
    "IFS=, read -ra a <<< '{}'; ${{a[0]}}",
)  # fmt: skip
GRAVE = ("rm -rf /srv/shop", "dropdb shop")
MILD = ("ls -la", "git status")


def test_what_a_shell_gets_of_it_counts() -> None:
    for form in CARRY:
        for one in GRAVE:
            assert level(form.format(one)) >= RiskLevel.HIGH, form.format(one)
        for one in MILD:
            assert level(form.format(one)) < RiskLevel.HIGH, form.format(one)


def test_other_words_of_these_programs_ask_nobody() -> None:
    for text in (
        "make test ARGS='-k foo -x'", "make CFLAGS='-O2 -g -Wall'", "make SHELL=/bin/bash all",
        "make commit MSG='remove old files'", "make release m='drop support for 3.8'",
        "make -n CLEAN='rm -rf /srv'", "MAKEFLAGS=-j8 make", "m4 <<< 'define(x, y)x'",
        "ipython -c '%timeit 1'", "ipython -c 'print(1 % 2 != 3)'",
        "ipython <<< '%matplotlib inline'",
        "jupyter nbconvert --to html a.ipynb", "vim -c 'silent! %s/a/b/' -c wq x",
        "nvim --headless '+Lazy! sync' +qa", "gdb -batch -ex 'python print(1)' -ex bt",
        "git fetch --upload-pack /usr/bin/git-upload-pack host",
        "PSQL_PAGER='less -S' psql -c 'select 1'",
        "bind '\"\\e[A\": history-search-backward'", "ruby -run -e httpd . -p 8080",
        "node -e 'console.log({recursive: true})'",
    ):  # fmt: skip
        assert level(text) < RiskLevel.HIGH, text


def test_a_tool_that_nobody_knows_may_pass_over_the_word_for_a_dry_run() -> None:
    for tool in ("frobnicate", "acme-cli", "./bin/shopctl"):
        for word in ("--dry-run", "--noop", "--simulate", "--what-if", "--preview"):
            text = f"{tool} delete database --all {word}"
            assert level(text) >= RiskLevel.HIGH, text
    for text in (
        "frobnicate sync --dry-run", "./scripts/delete_old_logs.sh --dry-run",
        "kubectl delete ns shop --dry-run=client", "helm uninstall shop --dry-run",
        "acme-cli users list --dry-run", "frobnicate delete a --dry-run",
        "./bin/shopctl delete tag v1 --dry-run",
    ):  # fmt: skip
        assert level(text) < RiskLevel.HIGH, text


def test_settings_that_make_others_run_something_count_by_themselves() -> None:
    for text in (
        "MAKEFLAGS='--eval=$(shell ls)' make", "GNUMAKEFLAGS=-f/tmp/x make",
        "export MAKEFLAGS='-E x:;ls'; make",
    ):  # fmt: skip
        assert level(text) >= RiskLevel.HIGH, text


def test_more_code_than_is_read_counts_as_unread() -> None:
    for text in (
        "vim " + "-c 'py3 print(1)' " * 40,
        "gdb " + "-ex 'python print(1)' " * 40,
    ):
        assert level(text) >= RiskLevel.HIGH, text
    assert level("vim " + "-c 'py3 print(1)' " * 4) < RiskLevel.HIGH


def test_what_launches_programs_of_python_reads_code_from_its_input() -> None:
    assert level("uv run - <<< 'import shutil; shutil.rmtree(\"/srv/shop\")'") >= RiskLevel.HIGH
    assert level("uv run - <<< 'print(1)'") < RiskLevel.HIGH
