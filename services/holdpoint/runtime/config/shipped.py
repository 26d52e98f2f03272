"""Copies of the built-in configuration: for editing, and for another tenant.

In a checkout the built-in configuration is the one that is edited there, so neither a copy nor a
wheel takes its api.yaml over: anyone who has a key there would have it elsewhere too.
"""

import shutil
from pathlib import Path

from holdpoint.runtime.config.api_files import API_FILE, KEYS_FOLDER
from holdpoint.runtime.config.settings import SHIPPED_CONFIG

EXAMPLE = Path(__file__).with_name("api_example.yaml")
"""An api.yaml that serves nobody."""


def copy_shipped(folder: Path, source: Path = SHIPPED_CONFIG) -> None:
    """Copy the built-in configuration without keys of the HTTP API. Raises OSError."""
    shutil.copytree(source, folder, ignore=shutil.ignore_patterns(API_FILE, KEYS_FOLDER))
    shutil.copyfile(EXAMPLE, folder / API_FILE)
