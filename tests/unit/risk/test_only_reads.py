"""What a shell tool runs without asking: commands that are proven to only read, and no other."""

import pytest
from tests.unit.risk.builders import the_policy

from holdpoint.core.risk import Context, assess
from holdpoint.core.tool import spec_of
from holdpoint.core.verdict import level_of
from holdpoint.domains.shell.tools import run_command
from holdpoint.messages.action import Action

TOOL = spec_of(run_command).tool

READS = """
ls -l
pwd
cat README.md
git status
git log --oneline | head
grep -rn TODO src
find . -name '*.py'
wc -l *.py
sed -n 1,3p notes.txt
awk '{print $1}' notes.txt
sort names.txt | uniq -c
ls && git status && cat notes.txt
for f in *; do cat $f; done
test -f x && cat x
ls > /dev/null
/bin/ls -l
/usr/bin/sort names.txt
ps aux
"""

OTHERS = """
rm report.txt
./deploy.sh
mystery list
bq query < x.sql
cat x.sql | bq query
cat x | kubectl get -f -
cat a > b
echo x >> notes.txt
sort -o a b
find . -delete
find . -exec rm {} +
find . -fprint out
awk 'BEGIN { system("rm x") }'
sed -n '1e rm x' notes.txt
sed 's/a/b/w out' notes.txt
git -c core.fsmonitor=./x status
git log --output=x
PAGER=./x git log
GIT_EXTERNAL_DIFF=./x git diff
LD_PRELOAD=./x.so ls
PATH=.:$PATH ls
export PATH=.:$PATH; ls
alias ls='rm x'; ls
ls() { rm x; }; ls
ls $(rm x)
cat `touch y`
ls; ./a
ls || rm x
ls | sh
cat x | tee y
xargs rm < list
rg --pre ./x foo
man -P ./x ls
cargo check
make
pytest
python3 script.py
npm run build
source x
cat /etc/shadow
$cmd
./ls
/tmp/cat x
cd /tmp && ./ls
bin/grep x y
ls | ./sort
/usr/../tmp/ls
/opt/mine/ls
for PATH in /tmp/e; do ls; done
for PATH in /tmp/e /tmp/f; do ls; break; done
read PATH < f; ls
printf -v PATH /tmp/e; ls
mapfile PATH < f; ls
declare -n a=PATH; a=/tmp/e; ls
echo ${PATH:=/tmp/e}; ls
echo $((PATH=5)); ls
let PATH=5; ls
getopts a: PATH; ls
"""


def level(command: str) -> int:
    action = Action(
        tenant="acme",
        agent="robot",
        on_behalf_of="ann",
        domain="shell",
        tool=TOOL.name,
        tool_schema_sha256=TOOL.schema_sha256,
        arguments={"command": command},
    )
    return level_of(TOOL, assess(action, Context(tool=TOOL), the_policy()))


@pytest.mark.parametrize("command", READS.strip().splitlines())
def test_a_command_that_only_reads_is_level_1(command: str) -> None:
    assert level(command) == 1


@pytest.mark.parametrize("command", OTHERS.strip().splitlines())
def test_a_command_that_may_change_something_is_level_3(command: str) -> None:
    assert level(command) == 3


@pytest.mark.parametrize(
    "command", ["git branch new", "mkdir a", "touch a.txt", "git add . && git commit -m x"]
)
def test_a_small_change_that_the_parse_proves_is_level_2(command: str) -> None:
    assert level(command) == 2
