"""Tools of hardware: disk arrays, management controllers, security chips, storage targets."""

from collections.abc import Callable

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.effects import CRITICAL, HIGH, Tool, asks_for_help, each, on, tool
from holdpoint.core.risk.shell.model import Command, Danger
from holdpoint.messages.risk import RiskLevel

_CHIP = "takes keys or data out of the security chip"
_POWER = "cuts a machine's power, or resets it"
_PLANT = "sets what a machine of a plant or a network does"
_GONE = tool(on("", "", CRITICAL, "key-delete", _CHIP))
_KEY = tool(on("", "", HIGH, "key-delete", _CHIP))
_DRIVE = tool(on("", "", CRITICAL, "wipe-disk", "erases blocks of a disk"), dry="--dry-run")

HARDWARE: dict[str, Tool] = {
    "tpm2_clear": _GONE, "tpm_clear": _GONE, "tpm2_nvundefine": _KEY, "tpm2_evictcontrol": _KEY,
    "tpm2_changeauth": _KEY, "tpm2_dictionarylockout": tool(), "tpm2_hierarchycontrol": _KEY,
    "tpm2": tool(*each("clear,nvundefine,evictcontrol,changeauth", "", HIGH, "key-delete", _CHIP)),
    "ykman": tool(*each("piv reset,oath reset,fido reset,openpgp reset,otp delete,config reset", "",
                        HIGH, "key-delete", _CHIP), verbs=True),
    "multipath": tool(on("", "-F -f", HIGH, "disk-detach", "takes the paths to disks away")),
    "fwupdmgr": tool(on("install", "--allow-older --allow-reinstall --force", HIGH,
                        "firmware-write", "writes firmware against its own checks"), verbs=True),
    "snmpset": tool(on("*", "", HIGH, "plant-write", _PLANT), verbs=True),
    "cansend": tool(on("*", "", HIGH, "plant-write", _PLANT), verbs=True),
    "modbus": tool(on("write", "", HIGH, "plant-write", _PLANT), verbs=True),
    "sg_unmap": _DRIVE, "sg_write_same": _DRIVE, "sg_write_buffer": _DRIVE,
    "ipmipower": tool(on("", "--off --cycle --reset --soft -f -c -r", HIGH, "machine-stop",
                         _POWER)),
    "ipmi-power": tool(on("", "--off --cycle --reset --soft -f -c -r", HIGH, "machine-stop",
                          _POWER)),
    "bmc-device": tool(on("", "--cold-reset --warm-reset", HIGH, "machine-stop", _POWER)),
    "ipmi-sel": tool(on("", "--clear --delete --delete-range", HIGH, "log-erase",
                        "deletes the machine's own log")),
    "nvmecontrol": tool(*each("format,sanitize,ns delete", "", CRITICAL, "wipe-disk",
                              "erases a disk")),
    "camcontrol": tool(*each("format,sanitize,security", "-e -h -y", CRITICAL, "wipe-disk",
                             "erases a disk")),
}  # fmt: skip
"""By name."""


def _said(
    words: str, level: RiskLevel, rule: str, reason: str
) -> Callable[[Command], list[Danger]]:
    """A tool with a grammar of its own: one of these words among its arguments decides."""
    wanted = word_set(words)

    def found(command: Command) -> list[Danger]:
        said = {arg.lower().lstrip("-") for arg in command.args} & wanted
        if not said or asks_for_help(command):
            return []
        return [Danger(f"shell.{rule}", level, reason, min(said))]

    return found


_ARRAYS = _said(
    "delete del deletevd erase clear clearconfig init initialize initialization format sanitize "
    "destroy wipe secureerase cryptographicerase resetconfig remove offline cfgclr cfglddel "
    "cfgsetdel ldinit pdoffline pdclear pdmarkmissing pdprprmv cfgforeign adpfacdefset uninit",
    CRITICAL, "raid", "takes a disk array apart, or erases it",
)  # fmt: skip
_CONTROLLERS = _said(
    "off cycle reset soft diag clear disable powerdown powercycle hardreset graceshutdown "
    "racresetcfg racreset systemerase clrsel deletevd erase resetconfig secureerase poweroff",
    HIGH, "machine-stop", _POWER,
)  # fmt: skip
_TARGETS = _said("clearconfig delete restoreconfig", HIGH, "storage-delete",
                 "takes storage away under its users")  # fmt: skip
_HOSTS = _said("kill remove unmap delete uninstall format poweroff reboot", HIGH,
               "machine-destroy", "takes machines or storage away")  # fmt: skip

BY_WORD: dict[str, Callable[[Command], list[Danger]]] = {
    **dict.fromkeys(
        ["storcli", "storcli64", "perccli", "perccli64", "megacli", "megacli64", "ssacli",
         "hpssacli", "hpacucli", "arcconf", "tw_cli", "mvcli", "sas2ircu", "sas3ircu", "omconfig",
         "mfiutil", "mptutil"],
        _ARRAYS,
    ),
    **dict.fromkeys(["ipmitool", "racadm", "ilorest", "redfishtool"], _CONTROLLERS),
    "targetcli": _TARGETS, "esxcli": _HOSTS,
}  # fmt: skip
"""By name, of those whose words stand in any order."""
