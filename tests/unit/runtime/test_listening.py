"""The addresses of the console and the HTTP API: nobody else is found at the name they go by."""

import socket
from contextlib import closing
from pathlib import Path

import pytest

from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.process.listening import listen
from holdpoint.runtime.security.credentials import API, CONSOLE


def has_ipv6() -> bool:
    try:
        with socket.create_server(("::1", 0), family=socket.AF_INET6):
            return True
    except OSError:
        return False


@pytest.mark.skipif(not has_ipv6(), reason="`localhost` is one address on this machine")
@pytest.mark.parametrize("name", [CONSOLE, API])
@pytest.mark.parametrize("host", ["::1", "::"])
def test_no_other_program_is_localhost_at_our_port(tmp_path: Path, name: str, host: str) -> None:
    """Browsers try ::1 first: whoever listens there gets passwords, and what pages of ours keep."""
    settings = Settings(state_dir=tmp_path, console_port=0, api_port=0)
    with closing(listen(settings, name)) as ours:
        with pytest.raises(OSError, match="in use"):
            socket.create_server((host, ours.port), family=socket.AF_INET6)
        with socket.create_connection(("localhost", ours.port)) as browser:
            assert browser.getpeername()[0] == "127.0.0.1"


@pytest.mark.skipif(not has_ipv6(), reason="`localhost` is one address on this machine")
def test_a_port_whose_other_address_is_taken_is_not_taken(tmp_path: Path) -> None:
    with socket.create_server(("::1", 0), family=socket.AF_INET6) as theirs:
        taken = theirs.getsockname()[1]
        with closing(listen(Settings(state_dir=tmp_path, console_port=taken), CONSOLE)) as ours:
            assert ours.port != taken
