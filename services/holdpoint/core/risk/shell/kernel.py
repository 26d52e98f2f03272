"""Settings of the running kernel that protect everybody on the machine: what lowers them."""

import re

from holdpoint.core.risk.shell.effects import HIGH
from holdpoint.core.risk.shell.model import Command, Danger
from holdpoint.messages.risk import Heuristic

_lowered = re.compile(
    r"(?:kernel\.(?:randomize_va_space|kptr_restrict|dmesg_restrict|yama\.ptrace_scope"
    r"|unprivileged_bpf_disabled|perf_event_paranoid|kexec_load_disabled)|fs\.protected_\w+"
    r"|net\.ipv[46]\.(?:tcp_syncookies|conf\.[\w*-]+\.rp_filter))=(?:0|-1)"
)


def weakened(command: Command) -> list[Danger]:
    """`sysctl kernel.randomize_va_space=0`."""
    said = (arg.replace("/", ".") for arg in command.args)
    return [_LOWERED] if any(map(_lowered.fullmatch, said)) else []


_LOWERED = Danger(
    "shell.kernel-protection", HIGH, "lowers a protection of the kernel", "set",
    Heuristic.CRITICALITY,
)  # fmt: skip
