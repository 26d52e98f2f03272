"""Requests and copies to other machines, and code from there that is applied unread."""

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import Any

import msgspec
import re2

from holdpoint.core.prefilter import prefilter
from holdpoint.core.risk.http.analyzer import read_request
from holdpoint.core.risk.http.instructions import commanded
from holdpoint.core.risk.http.request import READING, WRITING
from holdpoint.core.risk.knowledge import by_word, pattern, words
from holdpoint.core.risk.model import Finding
from holdpoint.core.risk.shell.command_rules import asks_for_help, runs_dry
from holdpoint.core.risk.shell.command_verbs import subcommands
from holdpoint.core.risk.shell.data_transfer import DROPPED, dropped
from holdpoint.core.risk.shell.inner_commands import unseen
from holdpoint.core.risk.shell.model import CRITICAL, HIGH, HOLE, MEDIUM, Command, Origin
from holdpoint.core.risk.shell.options import Options, read_options
from holdpoint.core.risk.shell.paths import SYSTEM, Place, place_of
from holdpoint.core.risk.tools.egress import carried
from holdpoint.core.risk.words import word_set
from holdpoint.core.text import whole_characters
from holdpoint.messages.risk import Heuristic


def without_play_money(findings: list[Finding], command: Command) -> list[Finding]:
    """Leave out payments where coins are worth nothing."""
    pays = PAID.rule in {finding.rule for finding in findings}
    return [] if pays and _play.search(" ".join(command.args)) else findings


_play = re2.compile("(?i)" + pattern("patterns/shell:network_commands.play"))
"""Networks for practice, where coins are worth nothing."""

_charged = re2.compile("(?i)" + pattern("patterns/shell:network_commands.charged"))
"""Where a POST charges, pays or trades."""

_practised = re2.compile(r"(?i)\b[sr]k_test_|\bsandbox\b|\bpaper-api\b")


def moves_money(words: tuple[str, ...], text: str) -> bool:
    """Return whether what is posted there moves money; not with a key for practice."""
    return any(map(_charged.search, words)) and not _practised.search(text)


PAID = Finding("shell.payment", HIGH, "tells a payment service to move money", "pay")
_deletes_by_url = prefilter("(?i)" + pattern("patterns/shell:network_commands.deletes_by_url"))

_says_delete = prefilter("(?i)" + pattern("patterns/shell:network_commands.says_delete"))
_override = re2.compile(r"(?i)\bx-(?:http-)?method(?:-override)?\s*:\s*(\w+)")
_HTTP_VALUES = words("words/shell:http.options_with_value")
_CURL_VALUES = _HTTP_VALUES - {"-O"}

_BODIES = (
    *("-d", "--data", "--data-binary", "--data-raw"),
    *("--json", "--post-data", "--body-data", "-F"),
)
_SECRETS = re2.compile(pattern("patterns/shell:network_commands.secrets"))


def http(command: Command) -> list[Finding]:
    """curl, wget: the method, what is sent, where it is written."""
    values = _CURL_VALUES if command.name.startswith("curl") else _HTTP_VALUES
    options = read_options(command.args, values)
    text = " ".join(command.args)
    override = _override.search(text) if "method" in text.lower() else None
    method = (override[1] if override else options.value("-X", "--request", "--method")).upper()
    sends = options.value(*_BODIES)
    upload = options.value("-T", "--upload-file", "--post-file", "--body-file")
    if (
        method == "DELETE"
        or _says_delete(text)
        or ((method in _WRITES or sends) and _deletes_by_url(text))
    ):
        return [_DELETED]
    if order := _order(command, options, method, sends, upload):
        return [order]
    if leak := _given_away(options.words, sends, upload):
        return [_leak(leak)]
    target = options.value("-o", "--output", "--output-document", "-O")
    if target and place_of(target) in SYSTEM | {Place.PRIVATE} and not target.startswith("/dev/"):
        return [
            Finding("shell.fetch-over", HIGH, "overwrites a file with what it fetches", "overwrite")
        ]
    if method in _WRITES or sends:
        return (
            [Finding("shell.http-write", MEDIUM, "changes something over HTTP", "post")]
            if method in {"PUT", "PATCH"}
            else []
        )
    return []


def _given_away(words: tuple[str, ...], sends: str, upload: str) -> str:
    """Return what it hands to a machine that should not have it."""
    if any(next(carried(word, None), "") for word in words if "?" in word):
        return "sends a key to a host that did not give it out"
    leaked = (sends.startswith("@") or "=@" in sends or upload) and _SECRETS.search(sends + upload)
    held = leaked or "(secret)" in sends or "(data)" in sends
    return "sends a file or text that holds a secret to another machine" if held else ""


_WRITES = word_set("POST PUT PATCH")
_MANY = Finding(
    "shell.many-requests", HIGH, "sends request after request to another machine", "post",
    Heuristic.MAGNITUDE,
)  # fmt: skip
_DELETED = Finding("shell.http-delete", HIGH, "deletes something over HTTP", "delete")
_ORDERED = Finding("shell.http-order", HIGH, "asks a server for what is hard to undo", "post")


def _order(
    command: Command, options: Options, method: str, sends: str, upload: str
) -> Finding | None:
    """Return what it makes a server do, or puts there for strangers."""
    if _orders(method, options, sends):
        return _ORDERED
    if dropped(command, options.words, upload):
        return DROPPED
    if not (method in _WRITES or sends) or options.has("-G --get"):
        return None
    if moves_money(options.words, " ".join(command.args)):
        return PAID
    return _MANY if command.many and is_sent_off(options.words, sends) else None


def _orders(method: str, options: Options, sends: str) -> bool:
    if method in _WRITES or (sends and not options.has("-G --get")):
        return _is_grave(method or "POST", options.word(0), sends)
    reads = method in {"", "GET"} and not options.has("-I --head --spider")
    return reads and _fetches_an_order(options.words)


def _fetches_an_order(words: tuple[str, ...]) -> bool:
    """Return whether a mere GET of any of these addresses orders something."""
    return any(commanded(word if "://" in word else f"//{word}") for word in words)


def _is_grave(method: str, url: str, body: object) -> bool:
    """Return whether the request that is sent would be grave by itself."""
    signals = read_request(method, url, body).signals
    return any(signal.level >= HIGH for signal in signals)


def _leak(reason: str) -> Finding:
    return Finding("shell.secret-sent", HIGH, reason, "send", Heuristic.CRITICALITY)


def httpie(command: Command) -> list[Finding]:
    """HTTPie: the method is a word."""
    options = read_options(command.args, _HTTPIE_VALUES)
    words = options.words
    method = words[0].upper() if words else ""
    if method == "DELETE" or (method in _WRITES and _deletes_by_url(" ".join(words))):
        return [_DELETED]
    body = options.value("--raw") or _fields(words[2:])
    if method not in {"", "GET", "HEAD"} and moves_money(words, " ".join(command.args)):
        return [PAID]
    orders = method not in _WRITES and _fetches_an_order(words)
    grave = method in _WRITES and _is_grave(method, options.word(1), body)
    return [_ORDERED] if orders or grave else []


_HTTPIE_VALUES = words("words/shell:http.httpie_options_with_value")


def _fields(words: tuple[str, ...]) -> dict[str, object]:
    """`role=admin archived:=true`."""
    pairs = [word.partition("=")[::2] for word in words if "=" in word]
    return {key.rstrip(":"): _JSON.get(value, value) for key, value in pairs}


def hub_api(command: Command) -> list[Finding]:
    """`gh api -X DELETE`, `glab api --method DELETE`, `mutation { delete… }`."""
    options = read_options(
        command.args, word_set("-X --method -f -F -H --input --field --raw-field")
    )
    text = " ".join(command.args)
    if options.value("-X", "--method").upper() == "DELETE" or _deletes_by_url(text):
        return [_DELETED]
    body = _fields(command.args)
    method = options.value("-X", "--method").upper() or ("POST" if body else "GET")
    return [_ORDERED] if _is_grave(method, options.word(1), body) else []


_JSON: dict[str, object] = {"true": True, "false": False, "null": None}


def is_sent_off(words: tuple[str, ...], sends: str) -> bool:
    """Return whether something is changed at an address that leads to a machine outside."""
    outside = (word for word in words if (found := _host.match(word)) and is_foreign(found[1]))
    return any(not read_request("POST", url, sends).reads_only for url in outside)


_host = re2.compile(r"^https?://(?:[^@/]*@)?([\w.-]+)")


def is_foreign(host: str) -> bool:
    """Return whether a machine lies outside, as far as its name or number says so."""
    return "." in host and not _near.search(host)


_near = re2.compile(
    r"(?i)^(?:127\.|10\.|192\.168\.|169\.254\.|172\.(?:1[6-9]|2\d|3[01])\.)"
    r"|\.(?:local|lan|internal|intranet|home|localdomain|test|corp|svc)\.?$|\.cluster\.local"
)


def scp(command: Command) -> list[Finding]:
    """Copies over a system, and secrets that leave."""
    words = read_options(command.args, word_set("-i -o -P -F -c -l -S -J")).words
    if len(words) < len(("from", "to")):
        return []
    target, sources = words[-1], words[:-1]
    remote = ":" in target and not target.startswith("/")
    path = target.partition(":")[2] if remote else target
    if remote and any(_SECRETS.search(source) for source in sources if ":" not in source):
        return [_leak("sends a file or text that holds a secret to another machine")]
    whole = path == "/" or place_of(path) is Place.SYSTEM or path.rstrip("/") in _SYSTEM_TOPS
    if whole and not path.startswith(("/opt", "/srv", "/root", "/run", "/var/www/")):
        return [Finding("shell.copy-over", HIGH, "overwrites files of a system", "overwrite")]
    return []


_SYSTEM_TOPS = word_set("/bin /boot /dev /etc /lib /lib64 /sbin /usr /sys /var")
API = frozenset({("gh", "api"), ("glab", "api"), ("hub", "api")})

MAX_ARGS = 400
"""Words of a command that are read: whatever is longer is judged by its words alone."""

_METHODS = word_set("-X --request --method")
_HEADERS = word_set("-H --header")
_REQUEST_BODIES = words("words/shell:http.body_options")
_GETS = word_set("-G --get")
_URLS = frozenset({"--url"})
_NAMED = _METHODS | _HEADERS | _REQUEST_BODIES | _URLS
_SHORT = frozenset(name for name in _NAMED if not name.startswith("--"))


def sent_by(command: Command) -> dict[str, Any] | None:
    """The request that one of these programs sends and that may change something; else None."""
    return SENDERS[command.name](command.args[:MAX_ARGS])


def _typed(args: tuple[str, ...]) -> dict[str, Any] | None:
    """As curl and wget are told: everything by options."""
    said = list(_options(args))
    bodies = [value for name, value in said if name in _REQUEST_BODIES and value[:1] != "@"]
    method = next((value.upper() for name, value in reversed(said) if name in _METHODS), "")
    url = next((value for name, value in said if name in _URLS), "")
    url = url or next((value for name, value in said if not name and "." in value), "")
    url = url or next((value for name, value in said if not name and ":" in value), "")
    asks = not _GETS.isdisjoint(args)
    method = method or ("POST" if bodies and not asks else "GET")
    if not url or (method not in WRITING and not _ordering.search(whole_characters(url))):
        return None
    headers = dict(_pair(value, ":") for name, value in said if name in _HEADERS)
    return _request(method, url, headers) | ({"body": "&".join(bodies)} if bodies else {})


def _options(args: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Each option with its value; a word that is none stands under no name."""
    words = iter(args)
    for word in words:
        name, mark, value = word.partition("=")
        if word in _NAMED:
            yield word, next(words, "")
        elif mark and name in _NAMED and name.startswith("--"):
            yield name, value
        elif word[:2] in _SHORT:
            yield word[:2], word[2:]
        elif word[:1] != "-":
            yield "", word


def _worded(args: tuple[str, ...]) -> dict[str, Any] | None:
    """As HTTPie is told: a method, an address, and fields."""
    given = (word.partition("--raw=")[2] for word in args)
    behind = (value for at, value in pairwise(args) if at == "--raw")
    raw = next(filter(None, (*given, *behind)), "")
    words = [word for word in args if word[:1] != "-" and word != raw]
    named = bool(words) and words[0].upper() in WRITING | READING
    rest = words[1:] if named else words
    headers = dict(_pair(word, ":") for word in rest[1:] if _header.match(whole_characters(word)))
    fields = dict(_pair(word, "=") for word in rest[1:] if "=" in word and "==" not in word)
    method = words[0].upper() if named else "POST" if fields or raw else "GET"
    if not rest or (method not in WRITING and not _ordering.search(whole_characters(rest[0]))):
        return None
    return _request(method, rest[0], headers) | {"body": raw or fields}


def _of_client(name: str, args: tuple[str, ...]) -> tuple[str, ...]:
    """Return what a service's own client is told, as to curl: `stripe post /v1/transfers -d …`.

    Empty where it is told something else.
    """
    base, before, names = _CLIENTS[name]
    if args[: len(before)] != before:
        return ()
    parts = (arg.partition("=") for arg in args[len(before) :])
    rest = tuple(f"{names.get(head.lower(), head)}{sign}{end}" for head, sign, end in parts)
    method, path = (*rest[:2], "", "")[:2]
    if not base:
        return rest
    known = method.upper() in WRITING | READING and path
    return ("-X", method.upper(), base + path, *rest[2:]) if known else ()


_CLIENTS: Mapping[str, tuple[str, tuple[str, ...], Mapping[str, str]]] = {
    "stripe": ("https://api.stripe.com", (), {}),
    "heroku": ("https://api.heroku.com", ("api",), {}),
    "az": ("", ("rest",), {"-m": "-X", "-u": "--url", "--uri": "--url", "-b": "-d",
                           "--body": "-d"}),
    "oci": ("", ("raw-request",), {"--http-method": "-X", "--target-uri": "--url",
                                   "--request-body": "-d"}),
    **dict.fromkeys(("invoke-restmethod", "invoke-webrequest", "irm", "iwr"), (
        "", (), {"-method": "-X", "-uri": "--url", "-body": "-d", "-headers": "-H"},
    )),
}  # fmt: skip
"""Clients that speak HTTP: the address before a path, the words before it, and how options of
curl are called.
"""
CLIENTS = frozenset(_CLIENTS)


def asked_of_client(command: Command) -> list[Finding]:
    """Judge the request that a service's own client sends."""
    args = _of_client(command.name, command.args)
    return http(msgspec.structs.replace(command, name="curl", args=args)) if args else []


def _sent_by_client(name: str) -> Callable[[tuple[str, ...]], dict[str, Any] | None]:
    return lambda args: _typed(_of_client(name, args))


_ordering = re2.compile(r"(?i)[?&](?:_method|action|command|cmd|op|operation|delete)=")
"""What in the query of a mere GET may order something."""

_header = re2.compile(r"[A-Za-z][\w-]*:[^=]")


def _pair(text: str, mark: str) -> tuple[str, str]:
    name, _, value = text.partition(mark)
    return name.strip().removesuffix(":"), value.strip()


def _request(method: str, url: str, headers: dict[str, str]) -> dict[str, Any]:
    whole = url if "://" in url else f"http://{url}"
    return {"method": method, "url": whole} | ({"headers": headers} if headers else {})


SENDERS: dict[str, Callable[[tuple[str, ...]], dict[str, Any] | None]] = {
    **dict.fromkeys(("curl", "curlie", "wget", "wget2"), _typed),
    **dict.fromkeys(("http", "https", "xh", "xhs"), _worded),
    **{name: _sent_by_client(name) for name in _CLIENTS},
}

_QUERIES = "-c -e -q -Q --command --execute --query --eval"
_WORDS = by_word("words/shell:fetched.applying_words")
_ALWAYS = words("words/shell:fetched.input_is_an_order")
_ASKED = words("words/shell:fetched.databases")
_COPIES = word_set(f"{_QUERIES} --import-only --raw")


def applied_downloads(command: Command) -> list[Finding]:
    """Return whether it applies what the network sends."""
    name, stdin = command.name, command.stdin
    fetches = stdin is not None and stdin.origin is Origin.REMOTE
    if _FETCHED in (said := " ".join(command.args)):
        fetches = fetches or any(arg.startswith(_FETCHED) for arg in command.args)
    if name in _MANIFESTS and _remote.search(said):
        fetches = fetches or _names_network(command)
    if not fetches or asks_for_help(command) or runs_dry(command):
        return []
    words = _WORDS.get(name)
    if words is not None:
        applied = not word_set(words).isdisjoint(_told(command))
    elif name in _UNPACKS:
        applied = any(place_of(arg) in SYSTEM for arg in command.args)
    else:
        applied = name in _ALWAYS or (name in _ASKED and _COPIES.isdisjoint(command.args))
    return [unseen(Origin.REMOTE)] if applied else []


_UNPACKS = word_set("patch cpio")
"""Programs that change files where they are told to."""

INPUT_APPLIERS = frozenset((*_WORDS, *_ALWAYS, *_ASKED, *_UNPACKS))
"""Programs that this may have something to say about."""


def _names_network(command: Command) -> bool:
    """`kubectl apply -f https://…`: the manifest is fetched by the tool itself."""
    names = _MANIFESTS[command.name]
    options = read_options(command.args, word_set(names))
    named = [options.value(name) for name in names.split()]
    charts = options.words[1:4] if command.name == "helm" else ()
    return any(word.startswith(_ADDRESSES) for word in (*named, *charts))


_MANIFESTS = {
    **dict.fromkeys(["kubectl", "oc", "k", "k3s", "microk8s", "kapp"],
                    "-f --filename -k --kustomize"),
    "helm": "-f --values",
}  # fmt: skip
"""Options whose value is what a cluster is to run."""

_ADDRESSES = ("http://", "https://", "git::", "git@", "github.com/", "ssh://", "oci://http")
_remote = re.compile("|".join(map(re.escape, _ADDRESSES)))
_FETCHED = f"{HOLE}(fetched)"


def _told(command: Command) -> Iterator[str]:
    yield from subcommands(command.args)
    yield from (arg for arg in command.args if arg.startswith("-"))


def fetched_and_run(text: str) -> Finding | None:
    """`iex (iwr http://…)`: brackets that no shell but PowerShell reads so."""
    return _FETCHED_CODE if _evaluated.search(text) else None


_evaluated = re2.compile("(?i)" + pattern("patterns/shell:downloaded_code.evaluated"))
_FETCHED_CODE = Finding("shell.fetched-code", CRITICAL, "runs code fetched from the network", "run")
EVALUATES = word_set("iex invoke-expression")
_CMDLET = re.compile(r"[A-Z][A-Za-z]+-[A-Z][A-Za-z0-9]*")
_TAKES = word_set(
    "remove clear disable uninstall revoke unregister reset format initialize dismount"
)
_CHEAP = words("words/shell:windows.replaceable_things")
_GRAVE_ANYWAY = word_set("itemproperty recyclebin")


def is_cmdlet(path: str) -> bool:
    """Return whether a program's name is `Verb-Noun`."""
    return "-" in path and _CMDLET.fullmatch(path) is not None


def cmdlet(command: Command) -> list[Finding]:
    """Return what the verb of its name takes away; the words behind are values."""
    verb, _, noun = command.name.partition("-")
    if verb not in _TAKES or (noun in _CHEAP and noun not in _GRAVE_ANYWAY):
        return []
    if any(arg.lower() == "-whatif" for arg in command.args):
        return []
    return [Finding(f"shell.verb-{verb}", HIGH, f"takes something away: `{verb}`", verb)]
