"""Requests to receivers outside: no redirect is followed, and whatever they answer is no crash."""

import http.client
import urllib.error
import urllib.request
from collections.abc import Mapping
from typing import Any

from holdpoint.runtime.errors import UnavailableError

TAKEN = range(200, 300)
ODD = (OSError, http.client.HTTPException)
"""A receiver that is away, and one whose answer is no HTTP."""


def post(url: str, body: bytes, headers: Mapping[str, str], *, whose: str, within_s: float) -> None:
    """Send a body to a receiver; UnavailableError, which names no address, where it is not taken.

    `url` was checked where it was configured.
    """
    said = {"User-Agent": "Holdpoint", **headers}
    request = urllib.request.Request(url, body, said)  # noqa: S310  # checked, see above
    try:
        with opener().open(request, timeout=within_s) as reply:
            status = reply.status
    except urllib.error.HTTPError as error:
        status = error.code
    except ODD as error:
        raise UnavailableError(f"{whose} is away: {type(error).__name__}") from None
    if status not in TAKEN:
        raise UnavailableError(f"{whose} answered {status}")


def opener() -> urllib.request.OpenerDirector:
    """Return what opens an address that was configured, and no other: what is sent is for it."""
    return urllib.request.build_opener(_NoRedirect)


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        """Follow nothing."""
