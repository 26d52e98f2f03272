"""What others keep: values that production reads, and how long a bucket holds what it holds."""

import pytest
from tests.unit.risk.shell.levels import level

from holdpoint.core.risk.shell.analyzer import analyze_shell
from holdpoint.messages.risk import RiskLevel

SOON = "aws s3api put-bucket-lifecycle-configuration --bucket shop --lifecycle-configuration"
RULE = '\'{"Rules":[{"Status":"Enabled","Filter":%s,"Expiration":{"Days":%d}}]}\''
OF_ALL, OF_SOME = "{}", '{"Prefix":"tmp/"}'
HIGH = (
    "consul kv put prod/db/host 10.0.0.9",
    "consul kv put -http-addr=x:8500 production/db/host 10.0.0.9",
    "etcdctl put /prod/db/host 10.0.0.9",
    "etcdctl --endpoints e1:2379 set /production/db/host 10.0.0.9",
    "zkCli.sh -server zk:2181 set /prod/db/host x",
    f"{SOON} {RULE % (OF_ALL, 1)}",
)
MEDIUM = (
    "consul kv put flags/checkout off",
    "etcdctl put flags/checkout false",
    f"{SOON} {RULE % (OF_ALL, 365)}",
    f"{SOON} {RULE % (OF_SOME, 1)}",
    f"{SOON} file://rules.json",
)
LOW = (
    "consul kv get prod/db/host",
    "consul kv put dev/db/host 10.0.0.9",
    "consul kv put nonprod/db/host 10.0.0.9",
    "etcdctl get --prefix /prod",
    "etcdctl put greeting hello",
    "consul kv put --help",
    "aws s3api get-bucket-lifecycle-configuration --bucket shop",
)


@pytest.mark.parametrize("command", HIGH)
def test_what_production_reads_and_what_is_gone_tomorrow(command: str) -> None:
    assert level(command) >= RiskLevel.HIGH


@pytest.mark.parametrize("command", MEDIUM)
def test_what_is_turned_off_or_kept_for_less_time(command: str) -> None:
    assert level(command) is RiskLevel.MEDIUM


@pytest.mark.parametrize("command", LOW)
def test_what_is_read_or_nobody_relies_on(command: str) -> None:
    assert level(command) is RiskLevel.LOW


def test_how_long_things_are_kept_is_not_who_may_do_what() -> None:
    for command in (f"{SOON} file://rules.json", "gsutil lifecycle set rules.json gs://shop"):
        reasons = " ".join(one.reason for one in analyze_shell(command).signals)

        assert "how long things are kept" in reasons
        assert "who may do what" not in reasons
