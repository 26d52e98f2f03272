"""Devices that are written as a whole: discs, cards, phones, firmware, images of machines."""

import re2

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.effects import (
    CRITICAL,
    HIGH,
    MEDIUM,
    Tool,
    asks_for_help,
    each,
    on,
    runs_dry,
    tool,
)
from holdpoint.core.risk.shell.model import Command, Danger
from holdpoint.core.risk.shell.options import read_options
from holdpoint.core.risk.shell.paths import Place, place_of

_WIPES = "overwrites or erases a device"
_ALWAYS = tool(
    on("*", "", CRITICAL, "wipe-disk", _WIPES), on("", "-f", CRITICAL, "wipe-disk", _WIPES)
)

DEVICES: dict[str, Tool] = {
    "fastboot": tool(
        on("", "-w", CRITICAL, "device-flash", "erases a phone"),
        *each("erase,format,flash,flashall,update", "", CRITICAL, "device-flash", "erases a phone"),
        *each("oem unlock,flashing unlock,oem lock,flashing lock", "", CRITICAL, "device-flash",
              "erases a phone"),
        values="-s",
    ),
    "adb": tool(
        *each("shell pm clear,uninstall,shell pm uninstall,shell wipe,sideload", "", HIGH,
              "device-app", "takes an application and its data away"),
        on("reboot", "", MEDIUM, "machine-stop", "restarts a phone"),
        values="-s -t -H -P", verbs=True,
    ),
    "flashrom": tool(on("", "-w --write -E --erase", CRITICAL, "firmware-write",
                        "overwrites firmware"), values="-p -c -l -i --programmer"),
    "avrdude": tool(on("", "-e", HIGH, "firmware-write", "erases a chip"),
                    values="-p -c -P -b -B -C", dry="-n"),
    "xorriso": tool(on("", "-blank -format", HIGH, "wipe-disk", _WIPES)),
    "growisofs": tool(on("", "-Z", HIGH, "wipe-disk", _WIPES), dry="-dry-run"),
    "dvd+rw-format": _ALWAYS, "fdformat": _ALWAYS, "zerofree": _ALWAYS, "delpart": _ALWAYS,
    "sfill": _ALWAYS, "sswap": _ALWAYS, "sdmem": tool(on("", "", HIGH, "wipe-disk", _WIPES)),
    "partx": tool(on("", "-d --delete", HIGH, "partition", "takes partitions away")),
    "kpartx": tool(on("", "-d", MEDIUM, "partition", "takes partitions away")),
    "sg_format": tool(on("", "--format -F", CRITICAL, "format-disk", "formats a disk")),
    "sg_sanitize": tool(on("", "--overwrite --crypto --block -O -C -B", CRITICAL, "wipe-disk",
                           _WIPES)),
    "sedutil-cli": tool(on("", "--PSIDrevert --revertTPer --revertNoErase --PSIDrevertAdminSP "
                           "--yesIreallywanttoERASEALLmydatausingthePSID", CRITICAL, "wipe-disk",
                           _WIPES)),
    "virt-format": tool(on("", "-a --add", CRITICAL, "wipe-disk", _WIPES)),
    "bioctl": tool(on("", "-d", CRITICAL, "raid", "takes a disk array apart")),
    "etcher": tool(on("*", "-d --drive", CRITICAL, "wipe-disk", _WIPES)),
    "balena": tool(on("local flash", "", CRITICAL, "wipe-disk", _WIPES), verbs=True),
    "balena-etcher-cli": tool(on("*", "-d --drive", CRITICAL, "wipe-disk", _WIPES)),
    "f3probe": tool(on("", "--destructive", CRITICAL, "wipe-disk", _WIPES)),
    "ventoy2disk.sh": tool(on("", "-i -I", CRITICAL, "wipe-disk", _WIPES)),
    "ventoy": tool(on("", "-i -I", CRITICAL, "wipe-disk", _WIPES)),
    "woeusb": tool(on("", "--device -d", CRITICAL, "wipe-disk", _WIPES)),
    "fsarchiver": tool(*each("restfs,restdir", "", CRITICAL, "restore-over",
                             "overwrites a file system")),
    "e2fsck": tool(on("", "-y -p -f", MEDIUM, "disk-repair", "repairs a disk unasked"), dry="-n"),
    "mdel": tool(on("*", "", HIGH, "delete", "deletes files of a disk")),
    "mdeltree": tool(on("*", "", HIGH, "delete", "deletes files of a disk")),
    "mformat": tool(on("*", "", HIGH, "format-disk", "formats a disk")),
    "qemu-img": tool(
        on("resize", "--shrink", HIGH, "image-shrink", "cuts a disk image's end off"),
        on("snapshot", "-d -a", HIGH, "image-snapshot", "takes a snapshot or what came after it"),
        on("commit", "", MEDIUM, "image-commit", "writes changes into an image"), values="-f -o",
    ),
    **dict.fromkeys(["openocd", "pyocd", "probe-rs", "nrfutil", "nrfjprog", "jlinkexe", "bossac"],
                    tool(*each("erase,device erase", "", HIGH, "device-flash", "erases a chip"),
                         on("", "--eraseall --recover --chip-erase --erase --erase-all -e", HIGH,
                            "device-flash", "erases a chip"))),
    "heimdall": tool(on("flash", "", CRITICAL, "device-flash", "overwrites a phone's system")),
    "odin4": tool(on("", "-a -b -c -s -u -e", CRITICAL, "device-flash",
                     "overwrites a phone's system")),
    **dict.fromkeys(["mtk", "mtkclient", "edl"],
                    tool(*each("e,es,w,wf,wl,wo,da seccfg unlock,erase,write,reset", "", CRITICAL,
                               "device-flash", "erases or overwrites a phone"))),
    "rkdeveloptool": tool(*each("ef,wl,wlx,gpt,prm,ul", "", CRITICAL, "device-flash",
                                "erases or overwrites a board's memory")),
    "bcachefs": tool(on("format", "", CRITICAL, "format-disk", "formats a disk"),
                     on("device remove", "", HIGH, "wipe-disk", "takes a disk away")),
    "make-bcache": _ALWAYS, "systemd-repart": tool(
        on("", "--empty --factory-reset", CRITICAL, "partition", "writes a new partition table"),
        dry="--dry-run"),
    "efibootmgr": tool(on("", "-B --delete-bootnum -O", HIGH, "boot-entry",
                          "takes an entry of the boot menu away"), values="-b -L -l -d -p"),
    "grub-install": tool(on("*", "", MEDIUM, "boot-write", "writes how the machine starts")),
    "bleachbit": tool(on("", "--clean -c --shred -s", HIGH, "clean", "deletes what it finds")),
    "microk8s": tool(on("reset", "", CRITICAL, "machine-reset", "wipes a cluster"), verbs=True),
    "k0s": tool(on("reset", "", CRITICAL, "machine-reset", "wipes a cluster"), verbs=True),
    "cloud-init": tool(on("clean", "", HIGH, "machine-reset", "makes the machine start anew")),
    "vboxmanage": tool(*each("snapshot * restore,snapshot * delete,controlvm * poweroff", "", HIGH,
                             "machine-destroy", "loses a machine's state"), verbs=True),
    "gio": tool(on("trash", "--empty", HIGH, "trash-empty", "empties the bin"),
                on("trash", "", MEDIUM, "trash", "moves files to the bin"),
                on("remove", "", MEDIUM, "delete", "deletes files")),
    "trash-empty": tool(on("", "", HIGH, "trash-empty", "empties the bin"), dry="--dry-run"),
    "trash-rm": tool(on("*", "", HIGH, "trash-empty", "empties the bin")),
    "fdupes": tool(on("", "-d --delete", HIGH, "duplicates-delete", "deletes files that are alike"),
                   values="-G -f"),
    "rustup": tool(on("self uninstall", "", HIGH, "package-uninstall", "removes a toolchain"),
                   *each("toolchain uninstall,toolchain remove,target remove", "", MEDIUM,
                         "package-remove", "removes a toolchain")),
    "rvm": tool(on("implode", "", HIGH, "package-uninstall", "removes every Ruby"), verbs=True),
    "nix-collect-garbage": tool(on("", "-d --delete-old --delete-older-than", HIGH,
                                   "package-purge", "deletes every older generation"),
                                dry="--dry-run"),
    "nix": tool(*each("profile wipe-history,store delete", "", HIGH, "package-purge",
                      "deletes every older generation"), dry="--dry-run"),
    "pkg": tool(on("delete", "-a --all -f", HIGH, "package-remove", "removes packages"),
                *each("delete,remove,autoremove", "", MEDIUM, "package-remove",
                      "removes packages"), dry="-n"),
}  # fmt: skip
"""By name."""


_GUARDS = word_set("^has_journal ^metadata_csum ^quota ^project ^encrypt ^verity")


def unfeatured(command: Command) -> list[Danger]:
    """`tune2fs -O ^has_journal`: what keeps a file system whole is taken out of it."""
    said = read_options(command.args, word_set("-O -o -L -c -i -m -r -u -U -E -M -T -C -e -g -J"))
    if _GUARDS.isdisjoint(said.value("-O").split(",")):
        return []
    return [Danger("shell.disk-guard", HIGH, "takes what keeps a file system whole", "disable")]


IMAGERS = word_set(
    "qemu-img rpi-imager e2image "
    "xfs_mdrestore ddrescue dd_rescue bmaptool caligula usbimager fio ntfsclone wodim cdrecord "
    "cdrskin lvresize partclone.restore partclone.ext4 partclone.ntfs partclone.fat "
    "partclone.xfs partclone.btrfs"
)
_TARGETS = word_set("-o --output --of -O --overwrite --filename --size -L -l")


def images(command: Command) -> list[Danger]:
    """What copies an image to a device, or makes a volume smaller: the target is told last."""
    options = read_options(command.args, _TARGETS)
    named = options.value("-o", "--output", "-O", "--overwrite", "--filename")
    paths = [word for word in options.words if "/" in word or "." in word]
    reads = any("rw=read" in arg or "rw=randread" in arg for arg in command.args)
    targets = [word for word in (named, *paths[1:]) if word]
    if not reads and any(place_of(word) is Place.DEVICE for word in targets):
        return [Danger("shell.write-disk", CRITICAL, "overwrites a disk", "overwrite")]
    shrinks = options.value("-L", "--size", "-l").startswith("-")
    if shrinks or any(arg.startswith("blank=") or arg == "-format" for arg in command.args):
        return [Danger("shell.wipe-disk", CRITICAL, _WIPES, "erase")]
    return []


_wipes_by_name = re2.compile(
    r"(?:^|[-_.])(?:erase|wipe|format|flash|zero|nuke|shred|scrub|destroy|restore)\w*$"
    r"|(?:^|[-_.])(?:erase|wipe|format|flash|zero|nuke)\w*[-_.]|(?:write|format|erase|wipe)$"
)
_wipes_by_word = re2.compile(
    r"-{0,2}(?:erase|wipe|zero|destroy|sanitize|reformat|overwrite|nuke)[\w-]*(?:=.*)?"
    r"|format|flash|write|restore|(?:of|wipe|vf|target|output)=/dev/.*"
)


def on_device(command: Command) -> list[Danger]:
    """A tool that nobody listed, told to write to a disk: by its name, or by one of its words."""
    targets = (arg.rpartition("=")[2] for arg in command.args if "/dev/" in arg)
    if not any(place_of(target) is Place.DEVICE for target in targets):
        return []
    writes = _wipes_by_name.search(command.name) or any(map(_wipes_by_word.fullmatch, command.args))
    if not writes or asks_for_help(command) or runs_dry(command):
        return []
    return [Danger("shell.wipe-disk", CRITICAL, _WIPES, "erase")]
