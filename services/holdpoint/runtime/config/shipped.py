"""Copies of the built-in configuration: for editing, and for another tenant.

In a checkout the built-in configuration is the one that is edited there, so a copy leaves out who
may use the HTTP API: whoever has such a key would have it in the other tenant too.
"""

import shutil
from itertools import takewhile
from pathlib import Path

import yaml

from holdpoint.runtime.config.api_files import API_FILE, KEYS_FOLDER
from holdpoint.runtime.config.settings import SHIPPED_CONFIG


def copy_shipped(folder: Path, source: Path = SHIPPED_CONFIG) -> None:
    """Copy the built-in configuration without keys of the HTTP API. Raises OSError."""
    shutil.copytree(source, folder, ignore=shutil.ignore_patterns(KEYS_FOLDER))
    api = folder / API_FILE
    text = api.read_text()
    said = yaml.safe_load(text)
    if said.get("agents") or said.get("people"):
        notes = takewhile(lambda line: line.startswith("#"), text.splitlines(keepends=True))
        nobody = said | {"agents": [], "people": []}
        api.write_text("".join(notes) + yaml.safe_dump(nobody, sort_keys=False))
