"""Log lines: events with ids from the glossary, never an action's arguments."""

import logging
import sys

import structlog

from holdpoint.runtime.settings import Settings


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


def _to_standard_error(*_: object) -> structlog.PrintLogger:
    """Whatever it is at that moment: a stream that was replaced and closed must break nothing."""
    return structlog.PrintLogger(sys.stderr)
