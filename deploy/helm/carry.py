"""Print what each pod of the chart may know, from the desk: secrets, and the configuration.

    python deploy/helm/carry.py DESK CONFIG [RELEASE] | kubectl apply -n NAMESPACE -f -

DESK is the state folder in which `HP_BROKER_HOSTS=… holdpoint provision` ran, and CONFIG its
configuration.
"""
# ruff: noqa: INP001  # a script, of no package

import base64
import json
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from holdpoint.domains.settings import BANK, BANK_DOMAINS

STATE_DIR = "/var/lib/holdpoint/state"
"""Where the chart's pods have their state folder: the brokers' files name it."""

SLASH = "__"
"""In a secret's flat names; the pods unpack it."""

COMMON = ("keys/keyset.json", "tls/ca.crt")


def main(desk: Path, config: Path, release: str = "holdpoint") -> None:
    """Print a list of objects for kubectl."""
    secrets = [
        _object("Secret", f"{release}-{name}", _encoded(desk, patterns))
        for name, patterns in _parts(desk).items()
    ]
    files = [it for it in sorted(config.rglob("*")) if it.is_file()]
    texts = {_flat(Path("config", it.relative_to(config))): it.read_text() for it in files}
    items = [*secrets, _object("ConfigMap", f"{release}-config", texts)]
    print(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}, indent=2))  # noqa: T201


def _parts(desk: Path) -> Mapping[str, tuple[str, ...]]:
    """Return the files of each pod, as in the table of who needs what in docs/operate.md."""
    domains = [it.stem.removeprefix("worker_") for it in desk.glob("credentials/worker_*.nk")]
    workers: dict[str, tuple[str, ...]] = {}
    for domain in sorted(domains):
        part = f"worker-{BANK if domain in BANK_DOMAINS else domain}"
        own = (f"credentials/worker_{domain}.nk", f"keys/worker-{domain}-*.key")
        workers[part] = (*workers.get(part, COMMON), *own)
    return {
        "nats": ("nats-[123].conf", "tls/nats-[123].crt", "tls/nats-[123].key", "tls/ca.crt"),
        "gate": (*COMMON, "credentials/gate.nk", "keys/gate-*.key", "keys/seal.key"),
        "audit": (*COMMON, "credentials/audit.nk", "keys/audit-*.key"),
        "console": ("tls/ca.crt", "credentials/console.nk", "people/*.key", "keys/seal.pub"),
        **workers,
    }


def _encoded(desk: Path, patterns: Iterable[str]) -> dict[str, str]:
    found = [it for pattern in patterns for it in sorted(desk.glob(pattern))]
    return {
        _flat(it.relative_to(desk)): base64.b64encode(_moved(desk, it)).decode() for it in found
    }


def _moved(desk: Path, file: Path) -> bytes:
    """The brokers' files name the folder that they were written in."""
    data = file.read_bytes()
    here = str(desk.resolve()).encode()
    return data.replace(here, STATE_DIR.encode()) if file.suffix == ".conf" else data


def _flat(path: Path) -> str:
    return str(path).replace("/", SLASH)


def _object(kind: str, name: str, data: Mapping[str, str]) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": kind, "metadata": {"name": name}, "data": dict(data)}


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), *sys.argv[3:])
