import pytest
from tests.unit.risk.corpus import commands
from tests.unit.risk.shell.levels import level

from holdpoint.core.risk.shell.analyzer import MAX_REASON, analyze_shell
from holdpoint.messages.risk import RiskLevel

ALL = commands("asks")


def test_what_asks_is_found_by_the_reader_alone() -> None:
    """Without the policy's patterns, which may fire on the same words."""
    assert [text for text in ALL if level(text) < RiskLevel.HIGH] == []


@pytest.mark.parametrize("text", ["Clear-Host", "rm -rf ./a.b/node_modules", "x.delete.y"])
def test_what_only_patterns_fire_on_is_harmless_to_the_reader(text: str) -> None:
    assert level(text) < RiskLevel.HIGH


def test_every_reason_is_one_short_sentence_with_the_words_that_fired() -> None:
    every = ((one, signal) for one in ALL for signal in analyze_shell(one).signals)
    for text, signal in every:
        assert 0 < len(signal.reason) <= MAX_REASON
        assert "\n" not in signal.reason
        assert "\ue000" not in signal.reason
        assert signal.rule.startswith(("shell.", "sql.", "file."))
        if signal.span:
            start, end = signal.span
            assert 0 <= start <= end <= len(text)
            assert text[start:end].startswith(signal.evidence)


@pytest.mark.parametrize(
    "text",
    [
        "rm -rf /",
        "rm -rf ~/",
        "rm -rf /etc",
        "dd if=x of=/dev/sda",
        "terraform destroy",
        "rm -rf /x/{y}/../../{etc,usr}",
    ],
)
def test_what_ends_a_system_is_critical(text: str) -> None:
    assert level(text) is RiskLevel.CRITICAL


@pytest.mark.parametrize("text", ["ls -la | head", "git log", "kubectl get pods", "cat a | sort"])
def test_what_only_reads_says_so(text: str) -> None:
    assert analyze_shell(text).reads_only


MAY_WRITE = [
    "touch x", "echo a > b", "rm x", "make", "kubectl apply -f x", "", "unknown-thing",
    "date -s 1970-01-01", "timedatectl set-time 1970-01-01", "hostname other", "sort -o a b",
    "uniq a b", "xxd -r a b", "yq -i .a b.yaml", "iconv -o b a", "tree -o a", "less -o b a",
    "git log --output=a", "sed -n 'w b' a", "sed 's/a/b/w c' d", "awk '{print > \"b\"}' a",
    "npm test", "npm run test", "cargo test", "npm audit fix", "terraform fmt", "tool add list",
    "docker run list", "aws s3 cp list x", "vault write read x",
    "mv list /srv/prod", "cp show x", "python3 show", "sh get x", "./tool list", "/srv/x get",
    "chmod get x", "scp get host:/x", "ansible-playbook get", "sudo mv list /srv", "patch get",
    "curl -X GET -o x https://a.example", "sqlcmd query 'DELETE FROM a'", "node list",
    "terraform plan", "acme-cli get users", "curl -X GET https://a.example/x",
]  # fmt: skip
ONLY_READ = [
    "date +%s", "timedatectl status", "hostname -f", "sort a | uniq -c", "xxd a", "tree src",
    "sed -n '1,5p' a", "sed 's/wide/w/' a", "awk '$3 > 5 {print $1}' a", "git log --oneline",
    "npm outdated", "aws s3 ls", "kubectl config view", "yq .a b.yaml",
    "/usr/bin/git status", "brew list",
]  # fmt: skip


def test_what_may_write_does_not_claim_to_only_read() -> None:
    assert [text for text in MAY_WRITE if analyze_shell(text).reads_only] == []
    assert [text for text in ONLY_READ if not analyze_shell(text).reads_only] == []


def test_the_reading_names_verb_and_targets() -> None:
    reading = analyze_shell("kubectl --context prod-eu delete ns shop && rm -rf /srv/data")
    assert reading.verb == "delete"
    assert {"prod-eu", "shop", "/srv/data"} <= set(reading.targets)


@pytest.mark.parametrize(
    ("text", "sql"),
    [
        ("psql -h db -c 'drop table t'", "drop table t"),
        ("mysql -e 'delete from t' shop", "delete from t"),
        ("sqlite3 a.db 'drop table t'", "drop table t"),
        ("psql <<E\ndrop table t;\nE", "drop table t;\n"),
        ("echo 'drop table t' | psql", "drop table t\n"),
        ("docker exec db psql -c 'drop table t'", "drop table t"),
        ("psql --command='drop table t'", "drop table t"),
    ],
)
def test_sql_is_handed_on(text: str, sql: str) -> None:
    assert sql in analyze_shell(text).statements
