"""Keys, passwords, credentials: who reads them, and who sends them away."""

import re

import re2

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.effects import HIGH, MEDIUM
from holdpoint.core.risk.shell.model import Command, Danger, Origin
from holdpoint.messages.risk import Heuristic

_KEYS = re2.compile(
    r"(?:^|/)\.ssh(?:/(?:id_|[^/]*key|\*|$)|$)|\bid_(?:rsa|dsa|ecdsa|ed25519)$|/etc/g?shadow"
    r"|\.aws(?:/|$)|\.gnupg(?:/|$)|\.kube/config|\.netrc$|\.pgpass$|\.git-credentials$|\.config/(?:gcloud|gh|glab)"
    r"|\.docker/config\.json|\.pypirc$|\.npmrc$|/etc/kubernetes/admin\.conf|\.(?:key|pem|p12|pfx|jks)$"
    r"|(?:^|/)certs?(?:/|$)|\.password-store|Login Data$|keychain|auth\.toml$|\.vault-token"
    r"|/etc/sudoers|security-credentials"
)
_MILD = re2.compile(r"(?:^|[:/])\.env(?:\.[\w-]+)?$|(?:^|/)certs?(?:/|$)|\.npmrc$|\.(?:pem|key)$")
_HARMLESS = re2.compile(r"known_hosts|\.pub$|\.example$|\.sample$|\.template$|config$")
_HINT = re.compile(
    r"\.(?:ssh|aws|gnupg|kube|netrc|pgpass|git-cred|config/g|docker/|pypirc|npmrc|key|pem|p12|pfx|jks"
    r"|env|password-store|vault-token)|id_[rde]|shadow|admin\.conf|certs?|Login Data|keychain"
    r"|auth\.toml|sudoers|security-cred"
)
READERS = word_set(
    "cat less more head tail tac nl bat batcat base64 base32 xxd od hexdump strings cp tar zip "
    "gzip git "
    "rsync 7z openssl gpg awk sed grep dd link ln mv"
)
_PRINTERS = word_set("cat less more head tail tac nl bat base64 base32 xxd od hexdump strings git")
_SENDERS = word_set(
    "curl wget nc ncat netcat socat http https xh mail mutt mailx sendmail telnet ftp"
)
TOUCHES = _PRINTERS | _SENDERS | {"scp", "rsync"}
"""Programs whose arguments may be secrets that they give away."""


def hands_out(command: Command) -> bool:
    """Whether what it prints or packs holds a secret."""
    if command.name not in READERS or not _HINT.search(" ".join(command.args)):
        return False
    return any(is_secret(arg) for arg in command.args)


def is_secret(word: str) -> bool:
    """Whether a path names a secret."""
    bare = word.rpartition(":")[2] if word.startswith("HEAD") else word
    if bare.startswith("-") or " " in bare:
        return False
    return bool(_KEYS.search(bare) or _MILD.search(bare)) and not _excused(bare)


def _excused(word: str) -> bool:
    return bool(_HARMLESS.search(word)) and ".kube/config" not in word


def secrets(command: Command) -> list[Danger]:
    """Reading a secret aloud; sending one away."""
    name = command.name
    if name in _SENDERS and _sends(command):
        return [_sent()]
    if name in {"scp", "rsync"} and command.args and ":" in command.args[-1]:
        return [_sent()] if any(is_secret(arg) for arg in command.args[:-1]) else []
    if name in _PRINTERS and hands_out(command):
        mild = all(not is_secret(arg) or _MILD.search(arg) for arg in command.args)
        level = MEDIUM if mild else HIGH
        return [
            Danger(
                "shell.secret-read", level, "reads a secret aloud", "read", Heuristic.CRITICALITY
            )
        ]
    return []


def _sends(command: Command) -> bool:
    if any(one.sign == "<" and is_secret(one.target) for one in command.redirects):
        return True
    if command.stdin and command.stdin.origin is Origin.SECRET:
        return True
    hinted = _HINT.search(" ".join(command.args)) is not None
    return hinted and any(is_secret(_file(arg)) for arg in command.args)


def _file(arg: str) -> str:
    return arg.rpartition("@")[2].removeprefix("file://") if "@" in arg or "://" in arg else ""


def _sent() -> Danger:
    return Danger(
        "shell.secret-sent",
        HIGH,
        "sends a secret to another machine",
        "send",
        Heuristic.CRITICALITY,
    )
