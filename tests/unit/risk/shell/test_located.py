"""A file that is named from where the shell stands is the file that it is."""

import pytest
from tests.unit.risk.shell.levels import level

from holdpoint.core.risk.shell.analyzer import analyze_shell
from holdpoint.messages.risk import RiskLevel

GRAVE = (
    "cd /etc && rm passwd", "cd /etc; mv shadow /tmp/x", "cd /etc && chmod 777 passwd",
    "cd / && rm -r data", "cd /etc && chown -R $USER .", "cd /etc; echo x > passwd",
    "cd /etc\n: > hosts", "pushd /boot && rm vmlinuz", "cd /dev; dd if=/dev/zero of=sda",
    "cd /etc && cd ssh && cat /tmp/x > sshd_config", "cd ~/.ssh && rm id_rsa",
    "(cd /etc && rm passwd)", "cd /usr && rm bin/python3", "cd /etc && rm -- passwd",
    "mv /etc/shadow /tmp/x", "mv /usr/bin/python3 /tmp", "mv /boot/vmlinuz /tmp",
)  # fmt: skip
MILD = (
    "cd /etc && ls", "cd /etc && cp hosts /tmp/", "cd /srv/app && rm old.log", "cd build && rm x.o",
    "cd /tmp/w && chmod +x run.sh", "cd /etc && cd /tmp/x && rm a", "(cd /etc && ls); rm a.o",
    "x=$(cd /etc && pwd); rm a.o", "cd /etc; ls; cd -; rm a.o",
    "cd /etc && tar czf /tmp/a.tgz hosts",
    "mv /srv/app/a /srv/app/b", "mv /etc/nginx/a.conf /etc/nginx/a.conf.old",
)  # fmt: skip


@pytest.mark.parametrize("text", GRAVE)
def test_a_place_counts_also_where_it_was_gone_to_before(text: str) -> None:
    assert level(text) >= RiskLevel.HIGH


@pytest.mark.parametrize("text", MILD)
def test_other_places_ask_nobody(text: str) -> None:
    assert level(text) < RiskLevel.HIGH


def test_the_reason_names_the_file_that_it_is() -> None:
    (told,) = analyze_shell("cd /etc && rm passwd").signals
    assert told.reason == "`rm /etc/passwd` deletes a part of the system"
    assert told.evidence == "rm passwd"
