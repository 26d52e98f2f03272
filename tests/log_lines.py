"""Log lines of this process, whatever level the SDK or another test set before."""

from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager
from typing import Any

import structlog
from structlog.testing import capture_logs


@contextmanager
def captured_lines() -> Iterator[list[MutableMapping[str, Any]]]:
    """Yield every line that is logged inside the block, at any level."""
    before = structlog.get_config()["wrapper_class"]
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(0))
    try:
        with capture_logs() as lines:
            yield lines
    finally:
        structlog.configure(wrapper_class=before)
