"""Accounts, powers, protections and traces: who may do what, and what is told of it."""

import re

from holdpoint.core.risk.shell.assignments import HISTORY_OFF
from holdpoint.core.risk.shell.effects import CRITICAL, HIGH, MEDIUM, Tool, each, on, tool
from holdpoint.core.risk.shell.model import Command, Danger
from holdpoint.core.risk.shell.options import read_options
from holdpoint.core.risk.shell.paths import SYSTEM, place_of
from holdpoint.core.risk.shell.unverified import UNVERIFIED, blinded
from holdpoint.messages.risk import Heuristic

_MIGHTY = re.compile(
    r"(?:^|[,\s])(?:sudo|wheel|root|admin|docker|lxd|disk|shadow|adm|libvirt)(?:$|[,\s])"
)
_DIRECTORY = "takes an account or a group away"

ACCOUNTS: dict[str, Tool] = {
    "chpasswd": tool(on("", "", HIGH, "password-set", "sets passwords of others")),
    "setcap": tool(on("*", "", HIGH, "power-given", "gives a program powers of root"),
                   dry="-v -r"),
    "vipw": tool(on("", "", HIGH, "user-change", "edits accounts by hand")),
    "smbpasswd": tool(on("", "-x", HIGH, "user-delete", _DIRECTORY)),
    "semanage": tool(*each("fcontext,port,login,user,boolean", "-D --deleteall", HIGH,
                           "protection-off", "throws local rules away"),
                     on("permissive", "-a --add", HIGH, "protection-off",
                        "switches protection off for a service")),
    "fdesetup": tool(on("disable", "", HIGH, "protection-off", "switches encryption off")),
    "exportfs": tool(on("", "-u", HIGH, "share-off", "takes shares away")),
    "ipvsadm": tool(on("", "-C --clear", HIGH, "firewall-flush", "takes every service away")),
    "ssh-add": tool(on("", "-D", MEDIUM, "keys-forget", "forgets all keys")),
    "aa-teardown": tool(on("", "", HIGH, "protection-off", "switches protection off")),
    "aa-disable": tool(on("*", "", HIGH, "protection-off", "switches protection off")),
    "zmprov": tool(*each("da,deleteAccount,dd,deleteDomain,ddl,deleteDistributionList,dc,deleteCos,"
                         "drs,deleteDataSource", "", HIGH, "user-delete", _DIRECTORY),
                   values="-s -a -p -y -f -z", verbs=True),
    "certutil": tool(on("", "-delstore -delkey", HIGH, "key-delete", "deletes a certificate"),
                     verbs=True),
    "pw": tool(*each("userdel,groupdel,user del,group del", "", HIGH, "user-delete", _DIRECTORY),
               values="-V"),
    "samba-tool": tool(on("domain demote", "", HIGH, "directory-leave", "ends a directory server"),
                       verbs=True),
    "ldapdelete": tool(on("*", "", HIGH, "directory-delete", "deletes entries of a directory"),
                       on("", "-f -r", HIGH, "directory-delete", "deletes entries of a directory"),
                       values="-D -w -H -h -p -y -f", dry="-n"),
    "dsrm": tool(on("*", "", HIGH, "directory-delete", "deletes entries of a directory")),
    "keytool": tool(on("", "-delete", HIGH, "key-delete", "deletes a key")),
    "keyctl": tool(*each("clear,purge,revoke,invalidate,unlink", "", HIGH, "key-delete",
                         "takes keys away")),
    "secret-tool": tool(on("clear", "", HIGH, "key-delete", "deletes secrets")),
    "gpg": tool(on("", "--delete-secret-keys --delete-secret-and-public-key", CRITICAL,
                   "key-delete", "deletes secret keys")),
    "security": tool(
        *each("delete-keychain,delete-generic-password,delete-internet-password,delete-certificate,"
              "delete-identity", "", HIGH, "key-delete", "deletes secrets"),
        on("dump-keychain", "-d", HIGH, "secret-read", "reads secrets aloud"),
    ),
    "salt-key": tool(on("", "-d -D -r -R --delete --delete-all", HIGH, "key-delete",
                        "takes machines out of control")),
    "puppet": tool(*each("node clean,node deactivate,node purge,cert clean,cert revoke,"
                         "ca revoke,ca clean", "", HIGH, "node-remove",
                         "takes a machine out of control")),
    "puppetserver": tool(*each("ca clean,ca revoke", "", HIGH, "node-remove",
                               "takes a machine out of control")),
    "systemsetup": tool(on("-setremotelogin off", "", HIGH, "access-off", "shuts others out")),
    "kextunload": tool(on("*", "", MEDIUM, "kernel-module", "unloads a kernel module")),
    "insmod": tool(on("*", "", MEDIUM, "kernel-module", "loads a kernel module")),
}  # fmt: skip
"""By name."""


def joins(command: Command) -> list[Danger]:
    """`usermod -aG sudo`, `adduser x wheel`, `useradd -o -u 0`: somebody becomes mighty."""
    words = list(command.args[1:] if command.name == "adduser" else command.args)
    text = " ".join(words)
    options = read_options(command.args)
    group = command.name in {"gpasswd", "adduser"} or options.has("-G --groups -g --gid")
    zero = re.search(r"(?:^|\s)(?:-o?u|--uid)[ =]0\b", text)
    if zero or (group and _MIGHTY.search(text)) or "-t user admin" in text:
        return [Danger("shell.power-given", HIGH, "gives an account the powers of an administrator",
                       "add", Heuristic.CRITICALITY)]  # fmt: skip
    return []


_TRACELESS = re.compile(r"^(?:HISTFILE(?:=(?:/dev/null)?)?|HIST(?:FILE)?SIZE=0)$")


def hides(command: Command) -> list[Danger]:
    """`unset HISTFILE`, `set +o history`, `export NODE_TLS_REJECT_UNAUTHORIZED=0`."""
    off = command.name == "set" and command.args[:2] == ("+o", "history")
    bare = command.name == "unset"
    named = (arg for arg in command.args if _TRACELESS.match(arg) and (bare or "=" in arg))
    if off or next(named, ""):
        return [HISTORY_OFF]
    return [UNVERIFIED] if command.name == "export" and blinded(command.args) else []


def attributes(command: Command) -> list[Danger]:
    """chattr: what was locked against changes is opened."""
    recursive = "-R" in command.args
    locks = recursive and any(arg[:1] == "+" and {"i", "a"} & {*arg} for arg in command.args)
    if locks and any(place_of(arg) in SYSTEM for arg in command.args):
        return [Danger("shell.chattr", HIGH, "lets nobody change the system any more", "change")]
    opens = any(arg.startswith("-") and "i" in arg[1:] for arg in command.args)
    if opens and any(arg.startswith("/") for arg in command.args):
        return [Danger("shell.chattr", HIGH, "takes a file's protection away", "change")]
    return [Danger("shell.chattr", MEDIUM, "changes attributes", "change")] if recursive else []
