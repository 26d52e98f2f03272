"""A seccomp filter: system calls that a command has no business with. Standard library only.

Landlock (up to version 7) knows TCP only. Without this filter a command could send UDP, or talk to
a daemon through its unix socket; io_uring would be a way around the filter itself.
"""

import ctypes
import errno
import os
import struct

SOCKETS = "socket"
DENIED = (
    "io_uring_setup", "io_uring_enter", "io_uring_register", "ptrace", "process_vm_readv",
    "process_vm_writev", "pidfd_getfd", "add_key", "request_key", "keyctl", "bpf",
    "perf_event_open", "userfaultfd", "unshare", "setns",
    "shmget", "shmat", "shmctl", "semget", "semop", "semctl", "semtimedop",
    "msgget", "msgsnd", "msgrcv", "msgctl",
)  # fmt: skip
"""Ways to other processes, to the kernel's keys and around this filter, and memory and queues of
System V, which outlive the command and its limits."""

COMMON = {
    "io_uring_setup": 425, "io_uring_enter": 426, "io_uring_register": 427, "pidfd_getfd": 438,
}  # fmt: skip
NUMBERS: dict[str, tuple[int, dict[str, int]]] = {
    "x86_64": (
        0xC000003E,
        COMMON
        | {
            "socket": 41, "ptrace": 101, "process_vm_readv": 310, "process_vm_writev": 311,
            "add_key": 248, "request_key": 249, "keyctl": 250, "bpf": 321, "perf_event_open": 298,
            "userfaultfd": 323, "unshare": 272, "setns": 308, "shmget": 29, "shmat": 30,
            "shmctl": 31, "semget": 64, "semop": 65, "semctl": 66, "semtimedop": 220, "msgget": 68,
            "msgsnd": 69, "msgrcv": 70, "msgctl": 71,
        },
    ),
    "aarch64": (
        0xC00000B7,
        COMMON
        | {
            "socket": 198, "ptrace": 117, "process_vm_readv": 270, "process_vm_writev": 271,
            "add_key": 217, "request_key": 218, "keyctl": 219, "bpf": 280, "perf_event_open": 241,
            "userfaultfd": 282, "unshare": 97, "setns": 268, "shmget": 194, "shmat": 196,
            "shmctl": 195, "semget": 190, "semop": 193, "semctl": 191, "semtimedop": 192,
            "msgget": 186, "msgsnd": 189, "msgrcv": 188, "msgctl": 187,
        },
    ),
}  # fmt: skip
"""By machine: the architecture's number for audit, and the calls' numbers."""

X32_BIT = 0x40000000
"""On x86_64 calls from here on are a second door to the same functions."""

LOAD, JUMP_EQUAL, JUMP_AT_LEAST, RETURN = 0x20, 0x15, 0x35, 0x06
OFFSET_NUMBER, OFFSET_ARCHITECTURE = 0, 4
ALLOW, REFUSE = 0x7FFF0000, 0x00050000 | errno.EPERM

PR_SET_SECCOMP, MODE_FILTER = 22, 2

_libc = ctypes.CDLL(None, use_errno=True)


def possible() -> bool:
    """Return whether the numbers of this machine's calls are known."""
    return os.uname().machine in NUMBERS


def refuse_calls(*, network: bool) -> None:
    """From here on the calls answer EPERM, in this process and its children; needs no_new_privs."""
    architecture, numbers = NUMBERS[os.uname().machine]
    names = DENIED if network else (SOCKETS, *DENIED)
    install(compiled(architecture, [numbers[name] for name in names]))


def install(program: bytes) -> None:
    """Hand the filter to the kernel, which copies it."""
    text = ctypes.create_string_buffer(program, len(program))
    head = struct.pack("HxxxxxxQ", len(program) // 8, ctypes.addressof(text))
    if _libc.prctl(PR_SET_SECCOMP, MODE_FILTER, ctypes.c_char_p(head), 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "the seccomp filter was refused")


def compiled(architecture: int, denied: list[int]) -> bytes:
    """BPF: another architecture, the x32 door or a denied number is refused, the rest allowed."""
    count = len(denied)
    steps = [
        (LOAD, 0, 0, OFFSET_ARCHITECTURE),
        (JUMP_EQUAL, 0, count + 3, architecture),
        (LOAD, 0, 0, OFFSET_NUMBER),
        (JUMP_AT_LEAST, count + 1, 0, X32_BIT),
        *((JUMP_EQUAL, count - place, 0, number) for place, number in enumerate(denied)),
        (RETURN, 0, 0, ALLOW),
        (RETURN, 0, 0, REFUSE),
    ]
    return b"".join(struct.pack("HBBI", *step) for step in steps)
