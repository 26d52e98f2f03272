"""The running kernel: what lowers its settings that protect everybody, and what it loads."""

import re

from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.shell.dry_runs import asks_for_help
from holdpoint.core.risk.shell.model import HIGH, HOLE, Command, Danger
from holdpoint.messages.risk import Heuristic

_usual = re.compile(
    r"(?:nf|nft|x?t?ip6?t?|ip6?tables?|ebt|arpt?|xt|br|tcp|udp|sch|cls|act|net\w*|veth|v?x?lan|macvlan"
    r"|bond\w*|team|openvswitch|geneve|gre|sit|ipv[46]|ppp\w*|l2tp|tun\w*|tap|bridge|8021q|wireguard"
    r"|dummy|ifb|sunrpc|rpc\w*|9p\w*|overlay|fuse|cuse|ext|[a-z]?fs\w*|xfs|btrfs|v?fat|ntfs|nfsd?|cifs"
    r"|smb|ceph|rbd|n?bd|iscsi|scsi|target|drbd|bcache|loop|dm|md|raid|zfs|zram|squashfs|isofs|udf"
    r"|hfsplus|kvm|vfio|vhost|virtio|vbox\w*|vmw\w*|vmx\w*|hv|xen|usb\w*|uas|hid|u?input|evdev"
    r"|joydev|psmouse|pcspkr|atkbd|cdc|rndis|ftdi|sio|acm|snd|i2c|spi|w1|gpio|uio|pci\w*|nvidia|nvme\w*"
    r"|amd\w*|i915|nouveau|radeon|drm|v4l2\w*|uvc\w*|video\w*|dvb|gspca|media|msr|cpuid|cpufreq|coretemp"
    r"|k10temp|lm|intel|acpi|thermal|edac|rdma|ib|mlx|nct|it|v?can|slcan|mac80211|cfg80211|iwl\w*"
    r"|ath\w*|rtl\w*|rtw\w*|mt|brcm\w*|b43|e1000e?|r8|igb|ixgbe|tg|bnx\w*|bluetooth|btusb|rfcomm"
    r"|configfs|binfmt|softdog|wdt|aes\w*|sha\w*|crypto\w*|algif|af|pktgen|null|brd|s[grdt]|cdrom"
    r"|parport|lp|floppy|tpm\w*|efi\w*|kexec|ipmi|mei|i8k|battery|button)\d*[a-z]?"
)
"""Modules of the kernel that machines load every day, by the parts of their names."""

_SYSTEM = ("/lib/modules/", "/usr/lib/modules/", "/System/Library/", "/Library/Extensions/")
_NO_LOADING = words("words/shell:system.options_that_load_nothing")


def loaded(command: Command) -> list[Danger]:
    """`insmod rootkit.ko`, `modprobe x`, `kextload x`: code that may do everything."""
    args = command.args
    words = [arg for arg in args if arg[:1] != "-" and "=" not in arg]
    if not words or not _NO_LOADING.isdisjoint(args) or asks_for_help(command):
        return []
    every = not {"-a", "--all"}.isdisjoint(args)
    named = words if every or command.name != "modprobe" else words[:1]
    return [] if all(map(_is_usual, named)) else [_LOADED]


def _is_usual(module: str) -> bool:
    if "/" in module or module.endswith((".ko", ".kext")):
        return module.startswith(_SYSTEM)
    return HOLE in module or any(map(_usual.fullmatch, _parts.split(module)))


_parts = re.compile(r"[_-]")


_LOADED = Danger(
    "shell.kernel-module", HIGH, "loads code into the kernel that nobody knows", "load",
    Heuristic.CRITICALITY,
)  # fmt: skip
LOADERS = frozenset({"insmod", "modprobe", "kextload"})
