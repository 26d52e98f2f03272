"""The words of a tool's own name, and of the server or the domain that stands before it."""

import re2

from holdpoint.core.risk.calls.leaf import words_of
from holdpoint.core.risk.calls.names import MAX_NAME
from holdpoint.core.risk.remembered import remembered
from holdpoint.core.risk.text import whole_characters

Words = tuple[str, ...]


@remembered(1024)
def named(tool: str) -> tuple[Words, Words]:
    """`fs__write_file`, `fs.write_file` -> (fs), (write, file)."""
    *servers, own = _server.split(whole_characters(tool[:MAX_NAME]))
    return words_of(" ".join(servers)), words_of(own)


_server = re2.compile(r"__+|[./:]+")
