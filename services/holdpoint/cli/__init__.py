"""The command line: the only place that knows every service."""

from holdpoint.cli.main import main as main
