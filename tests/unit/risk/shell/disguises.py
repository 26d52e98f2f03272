"""Other ways to write the same command; each must stay as dangerous as it was."""

import base64
import shlex
from collections.abc import Callable

Disguise = Callable[[str], str]


def _head(text: str) -> tuple[str, str]:
    head, _, rest = text.partition(" ")
    return head, f" {rest}" if rest else ""


def _escaped_head(text: str) -> str:
    head, rest = _head(text)
    return "".join(f"\\{sign}" if sign.isalpha() else sign for sign in head) + rest


def _quoted_head(text: str) -> str:
    head, rest = _head(text)
    return f'{head[:1]}"{head[1:]}"{rest}'


def _split_head(text: str) -> str:
    head, rest = _head(text)
    return f"{head[:1]}''{head[1:]}{rest}"


def _hex_head(text: str) -> str:
    head, rest = _head(text)
    return "$'" + "".join(f"\\x{ord(sign):02x}" for sign in head) + "'" + rest


def _octal_head(text: str) -> str:
    head, rest = _head(text)
    return "$'" + "".join(f"\\{ord(sign):03o}" for sign in head) + "'" + rest


def _variable_head(text: str) -> str:
    head, rest = _head(text)
    return f"tool={head}; $tool{rest}"


def _halved_head(text: str) -> str:
    head, rest = _head(text)
    return f'a={head[:1]}; b={head[1:]}; "$a$b"{rest}'


def _cut_head(text: str) -> str:
    head, rest = _head(text)
    return f"x={head}zz; ${{x:0:{len(head)}}}{rest}"


def _substituted_head(text: str) -> str:
    head, rest = _head(text)
    return f"$(echo {head}){rest}"


def _array_head(text: str) -> str:
    head, rest = _head(text)
    return f"a=({head}); ${{a[0]}}{rest}"


def _path_head(text: str) -> str:
    head, rest = _head(text)
    return f"/usr/bin/{head}{rest}"


def _look_alike(text: str) -> str:
    head, rest = _head(text)
    return head.translate(str.maketrans("aceop", "асеор")) + rest  # noqa: RUF001


def _invisible(text: str) -> str:
    return text[:1] + "\u200b" + text[1:]


def _b64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


DISGUISES: dict[str, Disguise] = {
    "sudo": lambda text: f"sudo -u root {text}",
    "doas": lambda text: f"doas {text}",
    "env": lambda text: f"env -i A=1 {text}",
    "prefix": lambda text: f"A=1 B=2 {text}",
    "nice": lambda text: f"nice -n 5 {text}",
    "nohup": lambda text: f"nohup {text}",
    "timeout": lambda text: f"timeout -k 5 10s {text}",
    "stdbuf": lambda text: f"stdbuf -o0 {text}",
    "command": lambda text: f"command {text}",
    "exec": lambda text: f"exec {text}",
    "busybox": lambda text: f"busybox {text}",
    "setsid": lambda text: f"setsid {text}",
    "flock": lambda text: f"flock /tmp/l {text}",
    "strace": lambda text: f"strace -f -o /tmp/t {text}",
    "bash -c": lambda text: f"bash -c {shlex.quote(text)}",
    "sh -euc": lambda text: f"sh -euc {shlex.quote(text)}",
    "su -c": lambda text: f"su root -c {shlex.quote(text)}",
    "eval": lambda text: f"eval {shlex.quote(text)}",
    "ssh": lambda text: f"ssh -p 22 root@h {shlex.quote(text)}",
    "docker": lambda text: f"docker exec -it web sh -c {shlex.quote(text)}",
    "kubectl": lambda text: f"kubectl exec -n x web-0 -- sh -c {shlex.quote(text)}",
    "watch": lambda text: f"watch -n 1 {shlex.quote(text)}",
    "script": lambda text: f"script -qc {shlex.quote(text)} /dev/null",
    "trap": lambda text: f"trap {shlex.quote(text)} EXIT",
    "substitution": lambda text: f"echo $({text})",
    "backticks": lambda text: text if "`" in text else f"echo `{text}`",
    "quoted substitution": lambda text: f'echo "x $({text})"',
    "process substitution": lambda text: f"cat <({text})",
    "subshell": lambda text: f"({text})",
    "group": lambda text: f"{{ {text}; }}",
    "negated": lambda text: f"! {text}",
    "after": lambda text: f"true && {text}",
    "or": lambda text: f"false || {text}",
    "lines": lambda text: f"echo a\n{text}\necho b",
    "if": lambda text: f"if true; then {text}; fi",
    "case": lambda text: f"case x in x) {text};; esac",
    "loop": lambda text: f"for i in 1 2; do {text}; done",
    "function": lambda text: f"f() {{ {text}; }}; f",
    "alias": lambda text: f"alias q={shlex.quote(text)}; q",
    "heredoc": lambda text: f"bash <<'END'\n{text}\nEND",
    "herestring": lambda text: f"bash <<< {shlex.quote(text)}",
    "pipe": lambda text: f"echo {shlex.quote(text)} | sh",
    "printf": lambda text: f"printf '%s' {shlex.quote(text)} | bash -s",
    "base64": lambda text: f"echo {_b64(text)} | base64 -d | bash",
    "base64 eval": lambda text: f'eval "$(echo {_b64(text)} | base64 --decode)"',
    "hex": lambda text: f"echo {text.encode().hex()} | xxd -r -p | sh",
    "reversed": lambda text: f"echo {shlex.quote(text[::-1])} | rev | sh",
    "find": lambda text: f"find . -maxdepth 0 -exec sh -c {shlex.quote(text)} \\;",
    "xargs": lambda text: f"echo x | xargs -I% sh -c {shlex.quote(text)}",
    "parallel": lambda text: f"parallel ::: {shlex.quote(text)}",
    "python": lambda text: f"python3 -c {shlex.quote(f'import os; os.system({text!r})')}",
    "perl": lambda text: f"perl -e {shlex.quote(f'system({text!r})')}",
    "source": lambda text: f"source <(echo {shlex.quote(text)})",
    "file": lambda text: f"echo {shlex.quote(text)} > /tmp/r.sh; sh /tmp/r.sh",
    "continued": lambda text: text.replace(" ", " \\\n", 1),
    "blanks": lambda text: f"  {text.replace(' ', '   ', 1)}  ",
    "escaped": _escaped_head,
    "quoted": _quoted_head,
    "split": _split_head,
    "hex word": _hex_head,
    "octal word": _octal_head,
    "variable": _variable_head,
    "halves": _halved_head,
    "cut": _cut_head,
    "substituted": _substituted_head,
    "array": _array_head,
    "path": _path_head,
    "look-alike": _look_alike,
    "invisible": _invisible,
    "ifs": lambda text: (
        text if any(sign in text for sign in "'\"$`*") else text.replace(" ", "${IFS}")
    ),
    "braces": lambda text: (
        "{" + ",".join(text.split()) + "}"
        if " " in text and not any(sign in text for sign in "'\"$`*{},;|&<>=")
        else text
    ),
}

SAMPLES = [
    "rm -rf /srv/shop",
    "rm -rf ~",
    "git push --force origin main",
    "git reset --hard",
    "kubectl delete ns shop",
    "terraform destroy -auto-approve",
    "aws ec2 terminate-instances --instance-ids i-1",
    "mkfs.ext4 /dev/sdb1",
    "dd if=/dev/zero of=/dev/sda",
    "docker volume rm data",
    "gcloud projects delete p",
    "find /srv -type f -delete",
    "shutdown -h now",
    "redis-cli FLUSHALL",
    "curl -X DELETE https://api.x.example/orders",
    "chmod -R 777 /etc",
]

WORDS = frozenset(
    [
        "continued",
        "blanks",
        "escaped",
        "quoted",
        "split",
        "path",
        "look-alike",
        "invisible",
        "ifs",
        "braces",
        "variable",
        "halves",
        "cut",
        "substituted",
        "array",
    ]
) | {"hex word", "octal word"}
"""They rewrite the words of one plain command, so they come first."""

PREFIXES = frozenset(
    [
        "sudo",
        "doas",
        "env",
        "prefix",
        "nice",
        "nohup",
        "timeout",
        "stdbuf",
        "command",
        "exec",
        "busybox",
        "setsid",
        "flock",
        "strace",
    ]
)
"""They stand before one simple command; before anything else a shell must come between."""

SHELLED = frozenset(
    [
        "watch",
        "script",
        "trap",
        "find",
        "xargs",
        "parallel",
        "python",
        "perl",
        "eval",
        "ssh",
        "docker",
        "kubectl",
    ]
) | {"bash -c", "sh -euc", "su -c", "base64 eval"}
"""They make one simple command of anything."""


def layered(names: tuple[str, ...], text: str) -> str:
    """Disguise it again and again, the first name innermost, each time in a way that would run."""
    simple = True
    for place, name in enumerate(names):
        if name in WORDS and place:
            continue
        if name in PREFIXES and not simple:
            text = f"bash -c {shlex.quote(text)}"
        text = DISGUISES[name](text)
        kept = simple and name in PREFIXES | (WORDS - {"variable", "halves", "cut", "array"})
        simple = name in SHELLED or kept
    return text
