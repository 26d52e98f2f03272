"""One-time codes set up on a person's terminal: the secret is made here and shown nowhere else."""

from rich.text import Text

from holdpoint.cli import passwords, terminal
from holdpoint.cli.orders import Ordered, send
from holdpoint.cli.terminal import Terminal
from holdpoint.messages.codec import encode
from holdpoint.messages.state import EnrolTotp, TotpSecret
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.security import one_time_codes
from holdpoint.runtime.security.keys import load_seal_key, seal
from holdpoint.runtime.security.permissions import TOTP

OLD_CODE_MISSING = "old_code_missing"
GROUP = 4
"""Letters of a secret that stand together, for who types it."""


def set_up(settings: Settings, person: str) -> Ordered:
    """Show a new secret, have its first code typed, and hand both to the gate, sealed."""
    seal_key, secret = load_seal_key(settings.keys_dir), one_time_codes.new_secret()
    with terminal.opened() as tty:
        who = person, passwords.unlocked(tty, settings, person)
        with tty.aside():
            _show(tty, settings, person, secret)
            code = tty.code(f"Code that the app shows for {person} now: ")
        wanted = TotpSecret(person=person, secret=secret, code=code)
        ordered = _sent(settings, who, wanted, seal_key)
        if ordered.code != OLD_CODE_MISSING:
            return ordered
        tty.show([Text(f"{person} has one-time codes already. They count until the new ones do.")])
        old_code = tty.code("Code of the app's old entry: ")
        code = tty.code("Code of its new entry: ")
    wanted = TotpSecret(person=person, secret=secret, code=code, old_code=old_code)
    return _sent(settings, who, wanted, seal_key)


def _sent(settings: Settings, who: tuple[str, str], wanted: TotpSecret, seal_key: str) -> Ordered:
    order = EnrolTotp(sealed=seal(seal_key, encode(wanted)))
    return send(settings, who, (order, TOTP), f"{wanted.person} has one-time codes now.")


def _show(tty: Terminal, settings: Settings, person: str, secret: str) -> None:
    address = one_time_codes.address_of(secret, person, settings.tenant)
    typed = " ".join(secret[at : at + GROUP] for at in range(0, len(secret), GROUP))
    tty.show(map(Text, one_time_codes.as_blocks(address).splitlines()))
    tty.show([Text(f"Scan it in an authenticator app. Key: {typed}")])  # below: 24 lines scroll
