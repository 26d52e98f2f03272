"""Other ways to have a command run: prefixes, shells in shells, machines, programs, pipes."""

import base64
import codecs
import re
import shlex

from tests.fuzz.disguise import Reworded, of_text
from tests.fuzz.words import KEYWORDS

from holdpoint.core.risk.words import word_set
from holdpoint.policy_lab.cases import LineKind

_one = re.compile(r"\s*(?P<head>[\w./+-]+)(?:[ \t][^|;&\n<>()`$#{}]*)?")
"""One command with its words: anything may stand before it."""

_NOT_ALONE = KEYWORDS | word_set(
    "alias bg bind break builtin caller cd command compgen complete continue declare dirs disown "
    "echo enable eval exec exit export fc fg getopts hash history jobs let local logout mapfile "
    "popd pushd read readarray readonly return set shift shopt source suspend test times trap "
    "type typeset ulimit umask unalias unset wait . :"
)

PREFIXES = (
    "sudo -u root {}",
    "sudo -nE -- {}",
    "doas {}",
    "env {}",
    "env -i A=1 {}",
    "env -u HOME {}",
    "A=1 B=2 {}",
    "nice -n 5 {}",
    "ionice -c3 {}",
    "nohup {}",
    "timeout 5 {}",
    "timeout -k 5 10s {}",
    "stdbuf -o0 {}",
    "command {}",
    "exec {}",
    "time {}",
    "busybox {}",
    "setsid {}",
    "chrt -i 0 {}",
    "taskset -c 1 {}",
    "flock /tmp/l {}",
    "strace -f -o /tmp/t {}",
    "unshare -r {}",
    "nsenter -t 1 -m {}",
    "chroot /mnt {}",
    "systemd-run --scope {}",
    "xargs -r {}",
    "docker exec -it web {}",
    "docker run --rm -v /:/host alpine {}",
    "kubectl exec -n x web-0 -- {}",
    "find . -maxdepth 0 -exec {} \\;",
)
"""They stand before one command; before anything else a shell must come between."""

QUOTING = (
    "bash -c {}",
    "sh -euc {}",
    "/bin/bash --norc -c {}",
    "su root -c {}",
    "su -c {}",
    "eval {}",
    "exec sh -c {}",
    "ssh -p 22 root@h {}",
    "docker exec -it web sh -c {}",
    "kubectl exec -n x web-0 -- sh -c {}",
    "watch -n 1 {}",
    "script -qc {} /dev/null",
    "trap {} EXIT",
    "find . -maxdepth 0 -exec sh -c {} \\;",
    "echo x | xargs -I% sh -c {}",
    "parallel ::: {}",
    "tmux new-session -d {}",
    "screen -dm bash -c {}",
    "at now <<< {}",
    "bash <<< {}",
    "source /dev/stdin <<< {}",
    "bash <(echo {})",
    "source <(echo {})",
    ". /dev/stdin <<< {}",
    "echo {} | sh",
    "printf '%s' {} | bash -s",
    "printf %s {} | tee /dev/null | bash",
    "echo {} > /tmp/r.sh; sh /tmp/r.sh",
    "echo {} > /tmp/r.sh && chmod +x /tmp/r.sh && /tmp/r.sh",
    'c={}; eval "$c"',
    'c={}; bash -c "$c"',
    "C={} bash -c 'eval \"$C\"'",
    "alias q={}; q",
    "bash -c 'eval \"$1\"' _ {}",
)
"""They take the command as one quoted word."""

FRONTING = ("! {}", "true && {}", "false || {}", ": ; {}", "cd /x && {}", "set -x\n{}")
"""They stand before anything."""

ENCLOSING = (
    "({})",
    "{{ {}; }}",
    "echo a\n{}\necho b",
    "{} &",
    "{} && echo done",
    "if true; then {}; fi",
    "if false; then :; else {}; fi",
    "case x in x) {};; esac",
    "for i in 1 2; do {}; done",
    "while true; do {}; break; done",
    "until false; do {}; done",
    "f() {{ {}; }}; f",
    "function f {{ {}; }}; f",
    "coproc {{ {}; }}",
    "echo $({})",
    'echo "x $({})"',
    "x=$({})",
    "cat <({})",
    "echo 1 | while read -r x; do {}; done",
    "set -e; {}; exit 0",
)
"""They stand around it on its lines."""

PROGRAMS = (
    ("python3 -c {}", "import os; os.system({})"),
    ("python -c {}", "__import__('subprocess').run({}, shell=True)"),
    ("perl -e {}", "system({})"),
    ("ruby -e {}", "system({})"),
    ("node -e {}", "require('child_process').execSync({})"),
    ("php -r {}", "shell_exec({});"),
)
"""Programs in another language that run it."""


def _alone(text: str) -> bool:
    found = _one.fullmatch(text)
    return found is not None and found["head"] not in _NOT_ALONE


def _prefixed(form: str) -> Reworded:
    def reworded(text: str) -> str:
        inner = text.strip() if _alone(text) else f"bash -c {shlex.quote(text)}"
        return form.replace("{}", inner)

    return reworded


def _fronted(form: str) -> Reworded:
    return lambda text: form.replace("{}", text.lstrip())


def _enclosed(form: str) -> Reworded:
    """Not where the command would swallow what comes after it."""

    def reworded(text: str) -> str:
        if re.search(r"#|<<|\\\Z|&\s*\Z", text) or not _closed(text):
            return text
        return form.format(text.strip().rstrip(";"))

    return reworded


def _closed(text: str) -> bool:
    try:
        shlex.split(text)
    except ValueError:
        return False
    return True


def _quoting(form: str) -> Reworded:
    return lambda text: form.replace("{}", shlex.quote(text))


def _programmed(shell: str, program: str) -> Reworded:
    return lambda text: shell.replace("{}", shlex.quote(program.replace("{}", repr(text))))


def _b64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def _rot13(text: str) -> str:
    return shlex.quote(codecs.encode(text, "rot13"))


CODED: dict[str, Reworded] = {
    "broken after": _enclosed("{}; echo 'open"),
    "bracket after": _enclosed("{}; )"),
    "open substitution after": _enclosed("{}\necho $("),
    "backticks": lambda text: text if "`" in text or "\\" in text else _enclosed("echo `{}`")(text),
    "heredoc": lambda text: f"bash <<'END'\n{text}\nEND",
    "grouped heredoc": lambda text: f"{{ bash; }} <<'END'\n{text}\nEND",
    "open heredoc": lambda text: (
        text if re.search(r"[$`\\]", text) else f"sh -s <<END\n{text}\nEND"
    ),
    "ssh heredoc": lambda text: f"ssh root@h <<'END'\n{text}\nEND",
    "cat heredoc": lambda text: f"cat <<'END' | bash\n{text}\nEND",
    "base64": lambda text: f"echo {_b64(text)} | base64 -d | bash",
    "base64 eval": lambda text: f'eval "$(echo {_b64(text)} | base64 --decode)"',
    "base64 herestring": lambda text: f"base64 -d <<< {_b64(text)} | sh",
    "base64 source": lambda text: f"source <(base64 -d <<< {_b64(text)})",
    "openssl": lambda text: f"echo {_b64(text)} | openssl base64 -d -A | sh",
    "python base64": lambda text: (
        f"python3 -c \"import os,base64;os.system(base64.b64decode('{_b64(text)}'))\""
    ),
    "hex": lambda text: f"echo {text.encode().hex()} | xxd -r -p | sh",
    "printed hex": lambda text: f"printf '{_escaped(text)}' | sh",
    "evaluated hex": lambda text: f"eval $'{_escaped(text)}'",
    "reversed": lambda text: text if "\n" in text else f"echo {shlex.quote(text[::-1])} | rev | sh",
    "rot13": lambda text: f"echo {_rot13(text)} | tr A-Za-z N-ZA-Mn-za-m | sh",
    "awk": lambda text: (
        text if re.search(r"[\"'\\\n]", text) else f"awk 'BEGIN {{ system(\"{text}\") }}'"
    ),
    "make": lambda text: (
        text if re.search(r"[$\n#]", text) else f"make -f - <<< {shlex.quote(f'all:; {text}')}"
    ),
    "cron": lambda text: (
        text
        if re.search(r"[%\n]", text)
        else f"echo {shlex.quote(f'* * * * * {text}')} | crontab -"
    ),
}


def _escaped(text: str) -> str:
    return "".join(f"\\x{byte:02x}" for byte in text.encode())


WRAPPERS = of_text(
    LineKind.SHELL,
    {form: _prefixed(form) for form in PREFIXES}
    | {form: _quoting(form) for form in QUOTING}
    | {form: _fronted(form) for form in FRONTING}
    | {form: _enclosed(form) for form in ENCLOSING}
    | {shell + program: _programmed(shell, program) for shell, program in PROGRAMS}
    | CODED,
)
