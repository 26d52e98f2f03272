"""A prompt in front of a command hides nothing of it, whichever shell or console it is of."""

from tests.unit.risk.shell.levels import level

from holdpoint.core.risk.shell.analyzer import analyze_shell
from holdpoint.messages.risk import RiskLevel

SHELLS = (
    "$ ", "% ", "> ", "\u276f ", "$ $ ", "  $ ", "user@web1:~$ ", "root@web1:~# ",
    "[root@web1 ~]# ", "(venv) $ ", "(venv) user@web1:/srv$ ", "root@db1> ",
    "$ cd /srv\n$ ", "$ ls\na  b\n$ ",
)  # fmt: skip
WINDOWS = ("PS> ", "PS C:\\Users\\me> ", "C:\\> ", "C:\\Users\\me>", "PS C:\\>")
MILD = (
    "$ ls -la", "% git status", "> ls", "$ git status\nOn branch main\nnothing to commit",
    "mysql> SELECT 1;", "PS> Get-ChildItem", "C:\\Users\\me> dir",
    "# rm -rf /srv/data", "ls > out.txt", "redis> GET a",
    "cat a b \\\n> c.txt", "cat <<EOF > README.md\n$ dropdb shop\n> dropdb shop\nEOF",
)  # fmt: skip


def test_what_stands_behind_a_prompt_is_read_as_what_it_is() -> None:
    texts = (
        *(shape + "rm -rf /srv/data" for shape in SHELLS),
        *(shape + "Remove-Item -Recurse -Force D:\\data" for shape in WINDOWS),
    )
    for text in texts:
        assert level(text) >= RiskLevel.HIGH, text


def test_a_prompt_in_front_of_what_is_harmless_is_harmless() -> None:
    for text in MILD:
        assert level(text) < RiskLevel.HIGH, text


def test_what_only_looks_like_a_prompt_counts_as_what_it_is_besides() -> None:
    for text in ("> /etc/passwd", "cat <<'$ X'\nls\n$ X\nrm -rf /srv/data"):
        assert level(text) >= RiskLevel.HIGH, text


def test_the_place_that_is_told_is_that_of_the_text_as_it_was_given() -> None:
    for text in ("$ rm -rf /srv/data", "ls\n$ rm -rf /srv/data"):
        signals = [one for one in analyze_shell(text).signals if one.rule == "shell.rm-recursive"]
        assert any(one.evidence == "rm -rf /srv/data" for one in signals), text
