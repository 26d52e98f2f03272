"""Hook of the documents' site: what a page links outside of docs/ is named by its path there.

The site holds only docs/; in a checkout the links work as they stand.
"""

import posixpath
import re
from typing import Any

_link = re.compile(r"\[([^\]]+)\]\((\.\./[^)#\s]+)[^)]*\)")


def on_page_markdown(markdown: str, *, page: Any, **_: object) -> str:
    """Return a page of which every link leads to another page, or to a file beside it."""
    folder = posixpath.dirname(f"docs/{page.file.src_uri}")

    def named(link: re.Match[str]) -> str:
        path = posixpath.normpath(posixpath.join(folder, link[2]))
        if path.startswith("docs/"):
            return link[0]
        return link[1] if path in link[1] else f"{link[1]} (`{path}`)"

    return _link.sub(named, markdown)
