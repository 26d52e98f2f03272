"""The target on a card is what is destroyed or changed, no option, verb or place."""

import pytest
from tests.unit.risk.builders import the_policy

from holdpoint.core.risk.shell.analyzer import analyze_shell
from holdpoint.policy_lab.assess import judged
from holdpoint.policy_lab.cases import Line, LineKind

SHOWN = {
    "git push --force origin main": "origin",
    "git reset --hard HEAD~3": "HEAD~3",
    "chmod -R 777 /etc": "/etc",
    "chown -R bob:bob /srv": "/srv",
    "docker volume rm data": "data",
    "docker system prune -af": "",
    "terraform destroy -auto-approve": "",
    "gh repo delete acme/shop --yes": "acme/shop",
    "dd if=/dev/zero of=/dev/sda": "/dev/sda",
    "rm -rf build push": "build",
    "rsync -a --delete a b": "b",
    "rsync -a --delete /srv/a/ host:/srv/b/": "host:/srv/b/",
    "aws s3 sync . s3://b --delete": "s3://b",
    "aws ec2 terminate-instances --instance-ids i-1": "i-1",
    "etcdctl --endpoints=h del x": "x",
    "truncate -s 0 a.db": "a.db",
    "shred -n 3 -u a.txt": "a.txt",
    "useradd -u 0 -o ann": "ann",
    "usermod -aG sudo ann": "ann",
    "rm -rf build 2>/dev/null": "build",
    "rm -rf /srv/x > log/out.txt 2>&1": "/srv/x",
    "echo done > log/out.txt; rm -rf /srv/x": "/srv/x",
    "echo x > /etc/hosts": "/etc/hosts",
    "sort -o /etc/passwd x": "/etc/passwd",
    "curl -o /etc/passwd https://a.example": "/etc/passwd",
    "curl -o .env https://a.example": ".env",
    "kubectl -n shop delete deploy web": "web",
    "kind delete cluster --name dev": "kind-dev",
    "eksctl delete cluster prod": "prod",
    "mkfs -t ext4 /dev/sdb1": "/dev/sdb1",
    "dropdb -h localhost shop": "shop",
    "curl -X DELETE https://a.example/x": "https://a.example/x",
    "cp /dev/null a.db": "a.db",
    "mv /etc/passwd /root/p": "/etc/passwd",
    "ln -sf x /etc/passwd": "/etc/passwd",
    "sed -i s/a/b/ /etc/hosts": "/etc/hosts",
    "perl -pi -e s/a/b/ /etc/hosts": "/etc/hosts",
    "tar czf a.tgz --remove-files src": "src",
    "zip -m a.zip report.csv": "report.csv",
    "ip link set eth0 down": "eth0",
    "service nginx stop": "nginx",
    "virsh destroy vm1": "vm1",
    "docker compose down -v": "",
    "chmod --recursive 000 /srv": "/srv",
    "az vm stop --resource-group shop --name web": "web",
    "Stop-Service -Name WinDefend -Force": "WinDefend",
    "mv a b": "b",
    "cp a /etc/hosts": "/etc/hosts",
    "ufw disable": "",
}


@pytest.mark.parametrize("command", SHOWN)
def test_the_target_is_what_is_lost(command: str) -> None:
    line = Line(id="", kind=LineKind.SHELL, text=command, payload={}, context=None)
    assert judged(line, the_policy()).target == SHOWN[command]


@pytest.mark.parametrize("option", ["--password", "--auth-token", "--secret-key"])
def test_a_secret_is_no_target(option: str) -> None:
    targets = analyze_shell(f"aws rds delete-db-instance {option} hunter2").targets
    assert "hunter2" not in targets
