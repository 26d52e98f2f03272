"""Log lines: events with ids from the glossary, never an action's arguments."""

import logging
import sys

import structlog

from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.process.metrics import LOST_LINES


def configure(settings: Settings, service: str) -> None:
    """Write this process's lines to standard error, as text or JSON, each with its service."""
    level = logging.getLevelNamesMapping()[settings.log_level.upper()]
    last: structlog.typing.Processor = structlog.processors.JSONRenderer()
    if settings.log_format == "text":
        last = structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            last,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=_to_standard_error,
    )
    structlog.contextvars.bind_contextvars(service=service)


def quiet_by_default() -> None:
    """In somebody else's program: only warnings, on standard error, unless it says otherwise."""
    if structlog.is_configured():
        return
    structlog.configure(
        wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING),
        logger_factory=_to_standard_error,
    )


def _to_standard_error(*_: object) -> "_StandardError":
    return _StandardError()


class _StandardError:
    """A logger whose lines go to standard error, whatever that is at the moment.

    A line that cannot be written is counted, and nothing else: a full disk stops no service.
    """

    def msg(self, line: str) -> None:
        try:
            sys.stderr.write(f"{line}\n")
            sys.stderr.flush()
        except (OSError, ValueError):
            LOST_LINES.inc()

    log = debug = info = warning = error = critical = exception = msg
