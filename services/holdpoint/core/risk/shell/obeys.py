"""Code that runs what it reads from its input: `system $_`, `os.system(sys.stdin.read())`."""

import re

import re2

_options = re2.Options()
_options.log_errors = False
_READ = (
    r"(?:\$_\b|<>|<STDIN>|\*?STDIN\b|\$<|f?gets\b|split\b|readlines?\b|sys\.stdin|stdin\b|input\s*\(|"
    r"\$stdin|ARGF|\$STDIN|open\s*\(\s*0|php://stdin"
    r"|(?:fs|require\([^)]*\))\.readFileSync\s*\(\s*(?:0|['\"]/dev/stdin))"
)
_RUN = (
    r"(?:\b(?:system|exec\w*|popen\w*|eval|Popen|getoutput|check_(?:output|call)|shell_exec|passthru"
    r"|subprocess\s*\.\s*(?:run|call)|execSync|qx|spawnSync)\b|`)"
)
_runs_read = re2.compile(rf"{_RUN}\s*[({{\[\"'`]?\s*\"?(?:\w+\s*\(\s*){{0,3}}{_READ}", _options)
_bound = re.compile(
    r"\bfor(?:each)?\s+(?:my\s+)?([$\w]+)\s+in\s+(?:sys\.stdin|open\(0)"
    r"|([$\w]+)\s*=\s*(?:sys\.stdin|input\s*\(|gets\b|<STDIN>|<>|\$stdin|STDIN|open\(0)"
    r"|(?:STDIN|\$stdin|ARGF)\.each(?:_line)?\s*(?:do|\{)\s*\|(\w+)\|"
)
_run_names = re.compile(rf"{_RUN}\s*[(\s\"]*\s*\$?(\w+)")
_named_once = re2.compile(rf"{_RUN}", _options)


def obeys(code: str) -> bool:
    """Whether a text that it reads is run as it is."""
    if not _named_once.search(code):
        return False
    if _runs_read.search(code):
        return True
    names = {name.lstrip("$") for found in _bound.findall(code) for name in found if name}
    return bool(names) and not names.isdisjoint(_run_names.findall(code))
