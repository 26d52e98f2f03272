"""Landlock: from here on this process sees only the paths it was given. Standard library only.

The kernel's words: https://docs.kernel.org/userspace-api/landlock.html
"""

import ctypes
import os
import stat
import struct
from collections.abc import Iterable

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
"""The same numbers on every architecture."""

VERSION_FLAG = 1
RULE_PATH_BENEATH = 1

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
REMOVE_DIR, REMOVE_FILE = 1 << 4, 1 << 5
MAKE_CHAR, MAKE_DIR, MAKE_REG, MAKE_SOCK = 1 << 6, 1 << 7, 1 << 8, 1 << 9
MAKE_FIFO, MAKE_BLOCK, MAKE_SYM = 1 << 10, 1 << 11, 1 << 12
REFER, TRUNCATE, IOCTL_DEV = 1 << 13, 1 << 14, 1 << 15

FILES_BY_ABI = {1: MAKE_SYM * 2 - 1, 2: REFER, 3: TRUNCATE, 5: IOCTL_DEV}
"""Which version of the interface brought which file rights."""

NETWORK = 0b11
"""Bind and connect of TCP: since version 4."""

SCOPES = 0b11
"""Abstract unix sockets and signals to the outside: since version 6."""

OF_A_FILE = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV
"""The rights that a rule on something other than a folder may carry."""

READ = EXECUTE | READ_FILE | READ_DIR
WRITE = (
    READ | WRITE_FILE | REMOVE_DIR | REMOVE_FILE | MAKE_DIR | MAKE_REG | MAKE_SOCK | MAKE_FIFO
    | MAKE_SYM | REFER | TRUNCATE
)  # fmt: skip
"""Everything but making device files."""

DEVICE = READ_FILE | WRITE_FILE

PR_SET_NO_NEW_PRIVS = 38

_libc = ctypes.CDLL(None, use_errno=True)


def abi() -> int:
    """The kernel's version of Landlock; 0 when there is none."""
    try:
        return max(0, _call(CREATE_RULESET, None, 0, VERSION_FLAG))
    except OSError:
        return 0


def handled(version: int) -> int:
    """Every file right that this version can take away."""
    return sum(rights for since, rights in FILES_BY_ABI.items() if version >= since)


def restrict(rules: Iterable[tuple[str, int]], *, network: bool) -> None:
    """Take away everything from this process and its children but `rules`: path and rights."""
    version = abi()
    files = handled(version)
    ruleset = _ruleset(version, files, 0 if network else NETWORK)
    for path, rights in rules:
        _allow(ruleset, path, rights & files)
    keep_privileges_low()
    _call(RESTRICT_SELF, ruleset, 0)
    os.close(ruleset)


def keep_privileges_low() -> None:
    """No program that is started from here on gains rights, set-uid or not."""
    if prctl(PR_SET_NO_NEW_PRIVS, 1) != 0:
        raise OSError(ctypes.get_errno(), "no_new_privs was refused")


def prctl(option: int, value: int) -> int:
    """The C library's prctl with one value; -1 when it was refused."""
    zero = ctypes.c_ulong(0)
    return int(_libc.prctl(option, ctypes.c_ulong(value), zero, zero, zero))


def _ruleset(version: int, files: int, network: int) -> int:
    """A kernel that knows less is told less: the structure grew by one word at 4 and at 6."""
    words = [files] + [network] * (version >= 4) + [SCOPES] * (version >= 6)  # noqa: PLR2004
    attributes = struct.pack(f"={len(words)}Q", *words)
    return _call(CREATE_RULESET, attributes, len(attributes), 0)


def _allow(ruleset: int, path: str, rights: int) -> None:
    """Let the path, if it exists, and all beneath it."""
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    try:
        if not stat.S_ISDIR(os.fstat(place).st_mode):
            rights &= OF_A_FILE
        _call(ADD_RULE, ruleset, RULE_PATH_BENEATH, struct.pack("=Qi", rights, place), 0)
    finally:
        os.close(place)


def _call(number: int, *arguments: int | bytes | None) -> int:
    result = int(_libc.syscall(ctypes.c_long(number), *(_word(one) for one in arguments)))
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error), "landlock")
    return result


def _word(value: int | bytes | None) -> ctypes.c_long | ctypes.c_char_p | None:
    if isinstance(value, int):
        return ctypes.c_long(value)
    return ctypes.c_char_p(value) if value is not None else None
