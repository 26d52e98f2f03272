"""One-liners of other interpreters: what they delete, what they hand to a shell, what they hide."""

import re

import re2

from holdpoint.core.risk.shell.escapes import from_base64, from_hex, unescape
from holdpoint.core.risk.shell.model import Danger
from holdpoint.core.risk.shell.sent import handed_on
from holdpoint.core.risk.shell.unwrap import Found, Inner
from holdpoint.messages.risk import RiskLevel

MAX_CODE = 16_384
"""Characters of code that are looked at."""

MAX_STRINGS = 40

_options = re2.Options()
_options.log_errors = False
_deletes = re2.compile(
    r"\b(?:rmtree|removedirs|rmdirSync|rmSync|unlinkSync|truncateSync|rimraf|rm_rf|rm_r|rmtree_s"
    r"|remove_dir_all|remove_file|deltree|emptyDirSync|remove_tree|delete_tree|send2trash)\b"
    r"|\bos\s*\.\s*(?:remove|unlink|rmdir|truncate)\b"
    r"|\bfs(?:\s*\.\s*promises)?\s*\.\s*(?:rm|rmdir|unlink|truncate)\b"
    r"|\b(?:system|popen|exec|shell_exec)\s*\(\s*['\"]\s*(?:sudo\s+)?(?:rm|shred|mkfs\S*|unlink)\s"
    r"|\bDeno\s*\.\s*remove|array_(?:map|walk)\(\s*['\"]unlink|\brm\([^)]*recursive\s*="
    r"|\bFileUtils\s*\.\s*(?:rm\w*|remove\w*)"
    r"|\b(?:File|Dir|IO)\s*\.\s*(?:delete|unlink|rmdir|truncate)\b"
    r"|\.\s*(?:unlink|rmdir|rmtree|destroy_all|delete_all|dropDatabase|drop_database|drop_all)\s*\("
    r"|\.\s*(?:drop|destroy|truncate)\s*\(\s*\)"
    r"|\.\s*(?:delete|drop|destroy|clear|purge|wipe|truncate|erase)(?:_\w+|[A-Z]\w*)\s*\("
    r"|\.\s*destroy_all\b|\.\s*delete_all\b"
    r"|(?:^|[\s;{(!&])(?:unlink|rmdir|rmtree|truncate)\b\s*[\s(\"'$<@]",
    _options,
)
_overwrites = re2.compile(
    r"\bopen\s*\(\s*f?['\"](?:/etc|/boot|/usr|/bin|/sbin|/lib|/var|/dev|/proc|/sys|/root|~)[^'\"]*"
    r"['\"]\s*,\s*(?:mode\s*=\s*)?['\"](?:w|wb|r\+|w\+|wb\+)['\"]"
    r"|\b(?:writeFileSync|writeFile|file_put_contents|File\.write|Path)\s*\(\s*['\"]"
    r"(?:/etc|/boot|/usr|/bin|/sbin|/dev|/proc|/sys)/[^'\"]*['\"](?:\)\s*\.\s*write|\s*,)",
    _options,
)
_runs = re2.compile(
    r"\b(?:os\s*\.\s*(?:system|popen|exec\w*|spawn\w*)|subprocess|check_call|check_output|Popen"
    r"|getoutput|execSync|spawnSync|execFile\w*|child_process|shell_exec|passthru|proc_open|popen"
    r"|pcntl_exec|system|exec|spawn|qx|Open3|IO\.popen|pty\s*\.\s*spawn|os\.execute|Kernel"
    r"|do shell script|ProcessBuilder|getRuntime|commands|backtick|__import__)\b|%x[({\[]|`",
    _options,
)
_hidden = re2.compile(
    r"\b(?:b64decode|decodebytes|base64|atob|unhexlify|fromhex|unpack|decode64|codecs|rot13|zlib"
    r"|marshal|fromCharCode)\b|\bchr\s*\(\s*\d+\s*\)\s*[+.]",
    _options,
)
_evaluates = re2.compile(
    r"\b(?:exec|eval|compile|Function|instance_eval|assert|subprocess|system|execSync|popen)\s*[(.]"
    r"|\beval\b",
    _options,
)
_fetches = re2.compile(
    r"\b(?:urlopen|urllib|requests\.get|httpx|http\.get|https\.get|fetch\(|LWP|Net::HTTP"
    r"|open-uri|file_get_contents\(\s*['\"]http)",
    _options,
)
_shells_out = re2.compile(
    r"socket.*(?:dup2|/bin/(?:ba)?sh|pty\.spawn)|fsockopen|TCPSocket.*exec|/inet/tcp/"
    r"|/dev/tcp/|/bin/(?:ba|z)?sh['\"]\s*,\s*['\"]-i|net\.Socket.*(?:/bin/|spawn)|IO::Socket.*(?:exec|/bin)",
    _options,
)
_bomb = re2.compile(r"while\s*\(?\s*(?:True|1|true)\s*\)?.{0,8}(?:os\.)?fork|fork while", _options)
_string = re.compile(
    r"""'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`([^`]*)`|%x[({]([^)}]*)[)}]"""
)


def read_code(code: str, language: str) -> Found:
    """What this code does to the world, as far as its calls tell."""
    text = code[:MAX_CODE]
    found: Found = [
        Danger(
            rule,
            level,
            reason,
            verb,
        )
        for pattern, rule, level, reason, verb in _CALLS
        if pattern.search(text)
    ]
    strings = _strings(text)
    found += handed_on(text, strings)
    if text.split(maxsplit=1)[:1] in _COMMANDS:
        found.append(Inner(script=text))
    if _runs.search(text) or language in {"awk", "applescript"}:
        found += [Inner(script=one) for one in _scripts(strings)]
    if _hidden.search(text):
        found += _revealed(text, strings, language)
    if _fetches.search(text) and _evaluates.search(text):
        found.append(_FETCHED)
    return found


_CALLS = (
    (_deletes, "shell.code-deletes", RiskLevel.HIGH, "deletes through an interpreter", "delete"),
    (_overwrites, "shell.code-overwrites", RiskLevel.HIGH, "overwrites a system file", "overwrite"),
    (_shells_out, "shell.reverse-shell", RiskLevel.CRITICAL,
     "gives another machine a shell on this one", "open"),
    (_bomb, "shell.fork-bomb", RiskLevel.CRITICAL, "starts processes without end", "start"),
)  # fmt: skip
_COMMANDS = (["rm"], ["shred"], ["dd"], ["git"], ["mkfs"], ["sudo"])
"""Commands that are handed to the wrong interpreter by mistake; it may be a shell after all."""

_FETCHED = Danger(
    "shell.fetched-code", RiskLevel.HIGH, "runs code fetched from the network, unseen", "run"
)
_OPAQUE = Danger(
    "shell.hidden-code", RiskLevel.HIGH, "runs code that is hidden behind an encoding", "run"
)


def _strings(code: str) -> list[str]:
    found = [
        unescape(next((part for part in match.groups() if part is not None), ""))
        for match in _string.finditer(code)
    ]
    return [one for one in found if one][:MAX_STRINGS]


def _scripts(strings: list[str]) -> list[str]:
    """Each string may be a command; together they may be one, as a list or glued."""
    said = [one for one in strings if one not in _MODULES]
    together = " ".join(said)
    glued = "".join(said)
    return list(dict.fromkeys((*strings, together, glued)))


_MODULES = frozenset({"subprocess", "child_process", "node:child_process", "os"})
"""Strings that only name what runs the others."""


def _revealed(code: str, strings: list[str], language: str) -> Found:
    """Read what the strings decode to; what cannot be decoded and is run is a danger itself."""
    decoded = [text for one in strings for text in (from_base64(one), from_hex(one)) if text]
    found: Found = []
    for text in decoded:
        found.append(Inner(script=text))
        found += read_code(text, language) if not _hidden.search(text) else [_OPAQUE]
    if _evaluates.search(code):
        found.append(_OPAQUE)
    return found
