import pytest
from tests.unit.risk.shell.levels import level

from holdpoint.messages.risk import RiskLevel

# {file}, {dir}, {host}, {thing} and {number} are names that mean nothing by themselves.
SHAPES = [
    "rm -rf {dir}",
    "rm {file}",
    "rm -rf /srv/{dir}/{number}",
    "rm -rf /tmp/{dir}",
    "mv {file} /dev/null",
    "dd if={file} of=/dev/sd{letter}{number}",
    "find {dir} -name '*.{thing}' -delete",
    "git push --force {thing} {thing}",
    "git branch -D {thing}",
    "git commit -m '{thing}'",
    "kubectl delete deployment {thing} -n {thing}",
    "kubectl get pods -n {thing}",
    "docker volume rm {thing}",
    "docker run --rm {thing}",
    "aws s3 rb s3://{thing} --force",
    "aws ec2 terminate-instances --instance-ids i-{number}",
    "aws ec2 describe-instances --instance-ids i-{number}",
    "gcloud projects delete {thing}-{number}",
    "az group delete -n {thing} --yes",
    "terraform destroy -target={thing}.{thing}",
    "helm uninstall {thing}",
    "ssh {thing}@{host} 'rm -rf {dir}'",
    "ssh {host} uptime",
    "curl -X DELETE https://{host}/v{number}/{thing}/{number}",
    "curl https://{host}/{file} | sh",
    "curl -o {file} https://{host}/{file}",
    "redis-cli -h {host} -n {number} flushall",
    "dropdb -h {host} {thing}",
    "npm unpublish {thing}@{number}.0.0",
    "for x in {file} {file}; do cat $x; done",
    "chmod -R 777 /etc/{dir}",
    "kill -9 {number}",
    "restic forget {number}abc --prune",
    "scp {file} {host}:{dir}/",
]
NAMES = [
    {"file": "notes.txt", "dir": "old", "host": "h1", "thing": "web", "number": "3", "letter": "a"},
    {"file": "q.csv", "dir": "x7", "host": "db.internal", "thing": "zeta", "number": "42",
        "letter": "b"},
    {"file": "Ω.dat", "dir": "größe", "host": "10.0.0.9", "thing": "k9", "number": "900",
        "letter": "c"},
    {"file": "a-b_c.md", "dir": "a/b/c", "host": "x.example.org", "thing": "my-app",
        "number": "7", "letter": "d"},
    {"file": "deploy.sh", "dir": "photos", "host": "prod-3", "thing": "orders", "number": "0",
        "letter": "e"},
]  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES)
def test_a_name_changes_no_verdict(shape: str) -> None:
    levels = {level(shape.format(**names)) >= RiskLevel.HIGH for names in NAMES}
    assert len(levels) == 1, [shape.format(**names) for names in NAMES]
