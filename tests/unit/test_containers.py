"""The container file and compose.yaml: no root, read-only, pinned, and only services that exist."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from holdpoint.ledger.engines import local_file
from holdpoint.runtime.process.supervisor import COPY, names

DEPLOY = Path(__file__).parents[2] / "deploy"
COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "container" / "compose.yaml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
PINNED = re.compile(r"^\S+:v?\d+(\.\d+){1,2}(-[a-z-]+)?$")
SERVED = {
    name: it["command"][1] for name, it in SERVICES.items() if it.get("command", [""])[0] == "serve"
}


@pytest.mark.parametrize("name", SERVICES)
def test_a_container_is_not_root_and_writes_to_its_volumes_alone(name: str) -> None:
    it = SERVICES[name]

    assert it["user"] not in {"", "0", "root"}
    assert it["read_only"] is True
    assert it["cap_drop"] == ["ALL"]
    assert "no-new-privileges:true" in it["security_opt"]
    assert not it.get("privileged")
    assert PINNED.match(it["image"]), it["image"]


def test_every_mounted_file_and_volume_exists() -> None:
    for name, it in SERVICES.items():
        for mount in it["volumes"]:
            source = mount.partition(":")[0]
            is_there = (DEPLOY / "container" / source).exists() if "/" in source else None
            assert is_there or source in COMPOSE["volumes"], (name, mount)


def test_only_services_that_exist_are_served_and_each_is_scraped() -> None:
    known = names(("shell", "database", "bank", "tasks"))
    assert {it.partition(COPY)[0] for it in SERVED.values()} <= set(known)
    assert {"gate", "gate@4", "worker-shell@4", "audit@2", "console"} <= set(SERVED.values())
    text = (DEPLOY / "prometheus" / "prometheus.yaml").read_text()
    targets = yaml.safe_load(text)["scrape_configs"][0]["static_configs"][0]["targets"]
    ports = [SERVICES[name]["environment"]["HP_HEALTH_PORT"] for name in SERVED]
    assert sorted(targets) == sorted(f"127.0.0.1:{port}" for port in ports)


def test_the_ledger_is_in_postgresql_and_on_no_network() -> None:
    server = SERVICES["postgresql"]
    assert server["network_mode"] == "none"
    assert "listen_addresses=" in server["command"]
    for name in SERVED:
        it = SERVICES[name]
        assert local_file(it["environment"]["HP_LEDGER_URL"]) is None
        assert it["depends_on"]["postgresql"] == {"condition": "service_healthy"}
    text = (DEPLOY / "container" / "Containerfile").read_text()
    assert "[coordinator,postgres]" in text


def test_the_image_is_pinned_and_runs_as_nobody_special() -> None:
    text = (DEPLOY / "container" / "Containerfile").read_text()

    images = re.findall(r"^FROM (\S+)", text, re.MULTILINE)
    assert len(images) == 2
    assert all(PINNED.match(it) for it in images)
    assert re.search(r"^USER 1\d+$", text, re.MULTILINE)
    assert text.rindex("USER ") > text.rindex("RUN ")
