"""Code that a shell runs out of places where nobody looks for it, and what only looks alike."""

import pytest
from tests.unit.risk.builders import the_policy

from holdpoint.messages.risk import RiskLevel
from holdpoint.policy_lab.assess import judged
from holdpoint.policy_lab.cases import Line, LineKind

WIPE = "rm -rf /opt/shop/data"
SETTINGS = "".join(f"k{at} = 1\\n" for at in range(250))
CODE = 'import shutil; shutil.rmtree("/opt/shop/data")'


def level(text: str) -> RiskLevel:
    return judged(Line(id="", kind=LineKind.SHELL, text=text), the_policy()).level


@pytest.mark.parametrize(
    "text",
    [
        f"env 'BASH_FUNC_ps%%=() {{ {WIPE}; }}' bash -c ps",
        f"env 'BASH_FUNC_ps()=() {{ {WIPE}; }}' bash -c ps",
        f"getopts k: o -k '{WIPE}'; $OPTARG",
        f"set -- -k '{WIPE}'; getopts k: o; $OPTARG",
        f"getopts ak: o -a -k '{WIPE}'; $OPTARG",
        f"set -- -x one -k '{WIPE}'; while getopts x:k: o; do $OPTARG; done",
        f"printf -v 'q[0]' '{WIPE}'; $q",
        f"q[0]='{WIPE}'; $q",
        f"read 'q[0]' <<< '{WIPE}'; $q",
        f"set -- {WIPE}; ${{@:1:1}} ${{@:2}}",
        f"set -- x {WIPE}; ${{@:2}}",
        f"set -- {WIPE} x; ${{*: -4:3}}",
        f"python3 -m code <<< '{CODE}'",
        f"python3 -m asyncio <<< '{CODE}'",
        f"python3 -i /dev/null <<< '{CODE}'",
        f"python3 -m pdb -c '!{CODE}' -c q app.py",
        "awk 'BEGIN{system(sprintf(\"%c%c -rf /opt/shop\",114,109))}'",
        'awk \'BEGIN{printf "%c%c -rf /opt/shop",114,109 | "sh"}\'',
        "hub delete -y acme/shop",
        f"printf '[alias]\\nzz = \"!{WIPE}\"\\n' > gc; GIT_CONFIG_GLOBAL=$PWD/gc git zz",
        f"printf '[a]\\n{SETTINGS}[alias]\\nzz=!{WIPE}\\n' > gc; GIT_CONFIG_GLOBAL=gc git zz",
        f"printf '[core]\\npager = {WIPE}\\n' > gc; export GIT_CONFIG_SYSTEM=./gc; git log",
    ],
)
def test_it_is_read_wherever_it_stands(text: str) -> None:
    assert level(text) >= RiskLevel.HIGH


@pytest.mark.parametrize(
    "text",
    [
        "env 'BASH_FUNC_ps%%=() { echo hi; }' bash -c ps",
        "while getopts 'vb:' o; do case $o in v) x=1;; b) y=$OPTARG;; esac; done; echo $y",
        'for f in "${@:2}"; do wc -l "$f"; done',
        f"printf '[a]\\n{SETTINGS}' > gc; GIT_CONFIG_GLOBAL=$PWD/gc git log",
        "set -- a b c; echo ${@:1:2} ${*:2} ${@:x}",
        "q[0]=a; q[1]=b; echo ${q[@]} $q",
        "python3 -i load_env.py",
        "python3 -m pdb app.py",
        "awk 'BEGIN{printf \"%c\\n\", 65}'",
        'awk \'{printf "%c ", $1 | "sort"}\' a.txt',
        "hub pull-request -m hi",
        "printf '[user]\\nname = Ann\\n' > gc; GIT_CONFIG_GLOBAL=$PWD/gc git log",
    ],
)
def test_what_only_looks_alike_asks_nobody(text: str) -> None:
    assert level(text) < RiskLevel.HIGH
