"""Files that say what there shall be, plays and manifests, as the commands that do the same."""

import re
import shlex
from itertools import islice

from holdpoint.core.risk.shell.inner import MAX_INNER
from holdpoint.core.risk.shell.paths import Place, place_of

_key = re.compile(r"(?:- )?[\"']?([A-Za-z_][\w.]*)[\"']?:\s*(.*)")
_gone = re.compile(r"\bstate\s*[=:]\s*[\"']?absent\b")
_CHEAP = frozenset({Place.SCRATCH, Place.BUILD})


def plays(text: str) -> list[str]:
    """`file: {path: /srv, state: absent}` as `ansible all -m file -a 'path=/srv state=absent'`."""
    lines = [line for line in text.splitlines() if line.strip() and line.lstrip()[0] != "#"]
    found: list[str] = []
    gone = (at for at, line in enumerate(lines) if _gone.search(line))
    for at in islice(gone, MAX_INNER):
        module, said = _task(lines, at)
        paths = [one.partition("=")[2] for one in said if one.startswith(("path=", "dest="))]
        if paths and all(place_of(path) in _CHEAP for path in paths):
            continue
        found.append(f"ansible all -m {shlex.quote(module)} -a {shlex.quote(' '.join(said))}")
    return found


def _task(lines: list[str], at: int) -> tuple[str, list[str]]:
    """The module whose words stand around a line, and those words."""
    match = _key.match(lines[at].lstrip())
    if match and match[1] != "state":
        return match[1], re.findall(r"[\w.]+=\S+", match[2].replace(": ", "="))
    depth = _depth(lines[at])
    start = at
    while start and (_depth(lines[start]) >= depth):
        start -= 1
    end = at
    while end + 1 < len(lines) and _depth(lines[end + 1]) >= depth:
        end += 1
    opened = _key.match(lines[start].lstrip())
    words = (_key.match(line.lstrip()) for line in lines[start + 1 : end + 1])
    said = [f"{one[1]}={one[2].strip()}" for one in words if one]
    return (opened[1] if opened else "task"), said


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip(" -"))


_bindings = re.compile(r"[\"']?kind[\"']?:\s*[\"']?(?:Cluster)?RoleBinding\b")
_role = re.compile(
    r"[\"']?roleRef[\"']?:(?:(?!subjects).)*?[\"']?\bname[\"']?:\s*[\"']?([\w:.-]+)", re.DOTALL
)
_anybody = re.compile(r"\bsystem:(?:unauthenticated|anonymous)\b")


def manifests(text: str) -> list[str]:
    """A binding of a role as the order that makes it."""
    found = []
    for one in text.split("\n---")[:MAX_INNER]:
        if _bindings.search(one):
            role, anybody = _role.search(one), _anybody.search(one)
            group = f" --group={anybody[0]}" if anybody else ""
            named = f" --clusterrole={role[1]}" if role else ""
            found.append(f"kubectl create clusterrolebinding described{named}{group}")
    return found
