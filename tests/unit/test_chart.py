"""The Helm chart: rendered as Helm does, valid for Kubernetes, as strict as the other deployments.

No cluster runs it here.
"""

import base64
import json
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml

from holdpoint.runtime.process.supervisor import names

pytestmark = pytest.mark.slow

HELM = Path(__file__).parents[2] / "deploy" / "helm"
CHART = HELM / "holdpoint"
KUBERNETES = kubernetes_validate.latest_version()
AGENTS = {"namespaceSelector": {"matchLabels": {"agents": "yes"}}}
ASKED = {"brokers": {"mend": ["HP_ANSWERS_acme"], "allowFrom": [AGENTS], "storageClass": "fast"}}


ASK_HELM = """\
import json, sys, helm_python
chart, values = helm_python.Chart.load(sys.argv[1]), json.loads(sys.argv[2])
chart.validate_schema(values)
texts = list(chart.render(values, name="holdpoint", namespace="holdpoint").values())
print(json.dumps({"texts": texts, "errors": helm_python.lint(sys.argv[1])["errors"]}))
"""
"""In a process of its own: Helm brings threads, which a test process that forks must not have."""


@cache
def asked(values: str) -> dict[str, Any]:
    """Return what Helm makes of these values, as JSON. CalledProcessError where it refuses them."""
    told = subprocess.run(
        [sys.executable, "-c", ASK_HELM, CHART, values], capture_output=True, check=True
    )
    answer: dict[str, Any] = json.loads(told.stdout)
    return answer


def rendered(**values: Any) -> list[dict[str, Any]]:
    texts = asked(json.dumps(values))["texts"]
    return [it for text in texts for it in yaml.safe_load_all(text) if it]


def workloads() -> dict[str, dict[str, Any]]:
    return {it["metadata"]["name"]: it for it in rendered() if "template" in it.get("spec", {})}


def pod(workload: dict[str, Any]) -> dict[str, Any]:
    spec: dict[str, Any] = workload["spec"]["template"]["spec"]
    return spec


@pytest.mark.parametrize("values", [{}, ASKED], ids=["as shipped", "with everything"])
def test_every_object_is_valid(values: dict[str, Any]) -> None:
    for it in rendered(**values):
        kubernetes_validate.validate(it, KUBERNETES, strict=True)


def test_helm_finds_no_fault() -> None:
    assert asked("{}")["errors"] == []


@pytest.mark.parametrize(
    "values",
    [
        {"image": {"tag": "latest"}},
        {"gates": {"replicas": 0}},
        {"gate": {"replicas": 2}},
        {"brokers": {"mend": ["; reboot"]}},
    ],
)
def test_values_that_make_no_sense_are_refused(values: dict[str, Any]) -> None:
    with pytest.raises(subprocess.CalledProcessError):
        rendered(**values)


def test_a_pod_has_no_root_no_token_and_writes_to_its_volumes_alone() -> None:
    specs = [pod(it) for it in workloads().values()]

    assert len(specs) == 5
    for spec in specs:
        assert spec["automountServiceAccountToken"] is False
        assert spec["securityContext"]["runAsNonRoot"] is True
        assert spec["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
        (served,) = spec["containers"]
        assert {"startupProbe", "livenessProbe", "readinessProbe"} <= served.keys()
        for it in (*spec["initContainers"], served):
            assert it["securityContext"]["readOnlyRootFilesystem"] is True
            assert it["securityContext"]["allowPrivilegeEscalation"] is False
            assert it["securityContext"]["capabilities"] == {"drop": ["ALL"]}
            assert {"requests", "limits"} <= it["resources"].keys()


def test_only_services_that_exist_are_served_and_whoever_writes_the_ledger_is_alone() -> None:
    served = {
        name: pod(it)["containers"][0]["args"][1]
        for name, it in workloads().items()
        if it["kind"] == "Deployment"
    }

    assert set(served.values()) <= set(names(("shell",)))
    assert workloads()["holdpoint-audit"]["spec"]["replicas"] == 1
    assert workloads()["holdpoint-audit"]["spec"]["strategy"] == {"type": "Recreate"}
    several = {name for name, it in workloads().items() if it["spec"]["replicas"] > 1}
    budgets = {it["metadata"]["name"] for it in rendered() if it["kind"] == "PodDisruptionBudget"}
    assert several == budgets


def test_nothing_comes_in_or_goes_out_but_what_is_named() -> None:
    policies = {it["metadata"]["name"]: it for it in rendered() if it["kind"] == "NetworkPolicy"}

    every = policies["holdpoint-nothing-else"]["spec"]
    assert every["policyTypes"] == ["Ingress", "Egress"]
    assert "ingress" not in every
    (clients, servers) = policies["holdpoint-nats"]["spec"]["ingress"]
    assert [len(it["from"]) for it in (clients, servers)] == [1, 1]
    agents = [it for it in rendered(**ASKED) if it["metadata"]["name"] == "holdpoint-nats"]
    allowed = next(it for it in agents if it["kind"] == "NetworkPolicy")["spec"]["ingress"][0]
    assert AGENTS in allowed["from"]


def test_each_pod_is_given_what_it_needs_and_no_more(tmp_path: Path) -> None:
    desk, config = tmp_path / "desk", tmp_path / "config"
    (config / "policy").mkdir(parents=True)
    (config / "policy" / "default.yaml").write_text("levels: {}")
    files = (
        *("keys/gate-1.key", "keys/seal.key", "keys/seal.pub", "keys/keyset.json"),
        *("keys/audit-1.key", "keys/worker-shell-1.key", "keys/worker-accounts-1.key"),
        *("credentials/gate.nk", "credentials/audit.nk", "credentials/console.nk"),
        *("credentials/worker_shell.nk", "credentials/worker_accounts.nk"),
        *("credentials/provisioner.nk", "people/ann.key", "tls/ca.crt", "tls/ca.key"),
        *("tls/nats-1.crt", "tls/nats-1.key"),
    )
    for name in files:
        (desk / name).parent.mkdir(parents=True, exist_ok=True)
        (desk / name).write_text(name)
    (desk / "nats-1.conf").write_text(f'store_dir: "{desk}/nats"')

    told = subprocess.run(
        [sys.executable, HELM / "carry.py", desk, config], capture_output=True, check=True
    )

    data = {it["metadata"]["name"]: it["data"] for it in json.loads(told.stdout)["items"]}
    known = {"keys__keyset.json", "tls__ca.crt"}
    assert data["holdpoint-gate"].keys() == known | {
        *("keys__gate-1.key", "keys__seal.key", "credentials__gate.nk"),
    }
    assert data["holdpoint-worker-bank"].keys() == known | {
        *("keys__worker-accounts-1.key", "credentials__worker_accounts.nk"),
    }
    assert data["holdpoint-config"] == {"config__policy__default.yaml": "levels: {}"}
    given = {key for name in data for key in data[name]}
    assert not {"credentials__provisioner.nk", "tls__ca.key"} & given
    conf = base64.b64decode(data["holdpoint-nats"]["nats-1.conf"]).decode()
    assert conf == 'store_dir: "/var/lib/holdpoint/state/nats"'
    mounted = {
        volume["secret"]["secretName"]
        for it in workloads().values()
        for volume in pod(it)["volumes"]
        if "secret" in volume
    }
    assert mounted <= data.keys()
