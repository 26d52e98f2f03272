"""The command line: the only place that knows every service."""

import sys
from contextlib import suppress
from importlib import import_module
from importlib.metadata import version

VERSION = ["--version"]


def main() -> None:
    """Run the command line; its version is told without loading any of it."""
    if sys.argv[1:] == VERSION and sys.stdout is not None:
        with suppress(OSError):  # told below, in a sentence
            sys.stdout.write(f"holdpoint {version('holdpoint')}\n")
            sys.stdout.flush()
            return
    import_module("holdpoint.cli.app").main()
