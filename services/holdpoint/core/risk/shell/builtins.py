"""Shell builtins, and what commands leave behind for later commands."""

import re
from collections.abc import Callable
from itertools import islice

import msgspec

from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.model import Finding
from holdpoint.core.risk.shell.assignments import planted
from holdpoint.core.risk.shell.data_transfer import (
    PACKERS,
    SENT,
    gives_away,
    hands_out,
    packed_into,
    prints_secrets,
)
from holdpoint.core.risk.shell.expansion import Expander
from holdpoint.core.risk.shell.git_commands import (
    FILES,
    GIT,
    WHOLE_SENT,
    in_environment,
    pushing,
    setting_of,
    split,
    written_in,
)
from holdpoint.core.risk.shell.inner_commands import MAX_INNER, fed, unseen
from holdpoint.core.risk.shell.model import (
    CONFIDED,
    HOLE,
    NOWHERE,
    UNREAD_LINE,
    Command,
    Flow,
    Origin,
    Redirect,
)
from holdpoint.core.risk.shell.options import read_options
from holdpoint.core.risk.shell.output import output_of
from holdpoint.core.risk.shell.paths import STARTUP_FILES
from holdpoint.core.risk.shell.scope import APART
from holdpoint.core.risk.shell.state import State, forget_deferred
from holdpoint.core.risk.shell.written_files import (
    COMPILERS,
    COPIERS,
    EDITORS,
    FETCHERS,
    SHOWS,
    copied,
    fetched,
    plain,
    printed,
    queries_of,
    renamed,
    run_of,
    stored,
    written_to,
)
from holdpoint.core.risk.words import word_set

_ALWAYS = words("words/shell-flow:hook_programs")
_WITH_A_WORD = words("words/shell-flow:hook_programs_with_order")
_WORDS = words("words/shell-flow:hook_orders")
_HARD = frozenset(";|&$`<>(){}\n\\")


def is_hook(text: str) -> bool:
    """Return whether `$(…)` holds one such command and nothing else."""
    words = text.split()
    if not words or not _HARD.isdisjoint(text):
        return False
    name = words[0].rpartition("/")[2]
    if name in _ALWAYS:
        return True
    return name in _WITH_A_WORD and not _WORDS.isdisjoint(words[1:])


PLANNERS = frozenset({"terraform", "tofu", "terragrunt"})
PRESET = PLANNERS | {"git"}
"""Programs that take words from elsewhere."""

SLOW = 8
"""How often a text counts that is parted for each command again."""


def preset(command: Command, state: State) -> Command:
    """A command with the words that it gets besides those that were written."""
    args = (
        _with_settings(command, state)
        if command.name == "git"
        else _with_plan_options(command, state)
    )
    if args == command.args:
        return command
    state.dear += 1
    state.words += len(args)
    return msgspec.structs.replace(command, args=args)


def plant(state: State, expander: Expander, name: str, span: tuple[int, int]) -> None:
    """Note what an assigned variable makes other programs run, or how it sets them."""
    if name.startswith("GIT_CONFIG_"):
        state.settings |= in_environment(state.scope)
        file = state.files.get(plain(state.scope.get(name) or "")) if name in FILES else None
        state.settings |= written_in(file.text or "") if file else {}
    if name in state.waiting:
        forget_deferred(name, state)
    finding = planted(expander, name)
    if finding:
        state.note(finding, Command(name="", path=name, span=span))
        state.reads_only = False


def _with_settings(command: Command, state: State) -> tuple[str, ...]:
    """Settings as `-c KEY=VALUE`; of `--config-env` the value that its variable holds."""
    told = [*state.settings]
    for arg in command.args:
        if arg.startswith("--config-env="):
            key, _, name = arg.partition("=")[2].partition("=")
            told.append(f"{key}={state.scope.get(name) or ''}")
    return (*(word for one in told for word in ("-c", one)), *command.args)


def _with_plan_options(command: Command, state: State) -> tuple[str, ...]:
    """`TF_CLI_ARGS` for every order, `TF_CLI_ARGS_apply` for this one, behind it."""
    args = command.args
    at = next((at for at, arg in enumerate(args) if arg[:1] != "-"), None)
    if at is None:
        return args
    names = "TF_CLI_ARGS", f"TF_CLI_ARGS_{args[at]}"
    told = " ".join(filter(None, map(state.scope.get, names)))
    if not told:
        return args
    state.read += SLOW * len(told)
    added = [] if state.is_full else split(told)
    return (*args[: at + 1], *added, *args[at + 1 :])


class Effects(msgspec.Struct, frozen=True):
    """The state that is changed, and how to run a text."""

    state: State
    nested: Callable[[str, Flow | None], Flow]

    def written(self, command: Command, said: Flow | None) -> None:
        """A file that holds what this prints, fetches or copies; `said`: what it runs prints."""
        files = self.state.files
        if command.redirects:
            self.kept(command, said or printed(command, files))
        if self.state.sinks:
            self._drained(command)
        self._handed(command)
        packed = packed_into(command)
        if packed and packed != "-" and (hands_out(command) or prints_secrets(command)):
            files[plain(packed)] = Flow(Origin.SECRET)
        target = fetched(command)
        if target and target != NOWHERE and not any("file://" in arg for arg in command.args):
            files["*" if HOLE in target else plain(target)] = Flow(Origin.REMOTE)
        if command.name == "git" and command.args[:1] == ("mv",):
            copied(msgspec.structs.replace(command, name="mv", args=command.args[1:]), files)
        elif command.name in COPIERS:
            copied(command, files)
            renamed(command, self.state.aliases)
        stored(command, files)
        if files:
            self._placed(command)

    def _placed(self, command: Command) -> None:
        """Note the whole name of each file: some run for the folder in which they stand."""
        named = (*command.args, *(one.target for one in command.redirects))
        places = self.state.places
        places.update((plain(one), one) for one in named if "/" in one)
        folder = command.args[-1] if command.name in COPIERS and command.args else ""
        if folder.endswith("/"):
            places.update((name, f"{folder}{name}") for name in map(plain, command.args[:-1]))

    def kept(self, command: Command, flow: Flow) -> None:
        """Where its redirections put what it prints."""
        known = flow.text is not None or flow.origin > Origin.FILE
        known = known and command.name not in FETCHERS  # `fetched` notes what those write
        for one in command.redirects:
            if one.sign in _INTO and one.target != NOWHERE and (known or not one.in_words):
                written_to(one.target, flow, self.state.files, behind=one.sign in _BEHIND)
                self._begun(one.target, flow)

    def printed(self, redirects: tuple[Redirect, ...], flow: Flow) -> None:
        """Put what a command prints, and sends nowhere else, where the shell prints to."""
        if _INTO.isdisjoint(one.sign for one in redirects):
            files = tuple(Redirect(">>", file) for file in self.state.printing)
            self.kept(Command(name="", redirects=files), flow)

    def _begun(self, file: str, flow: Flow) -> None:
        """Read what is written to a file that a shell runs at its start."""
        if flow.text and _BEGINS.search(file):
            self.nested(flow.text, None)

    def _handed(self, command: Command) -> None:
        """Read what goes to a stream that only a variable names: a coprocess may run it."""
        if any(one.sign == ">&" and HOLE in one.target for one in command.redirects):
            flow = output_of(command)
            if flow.text:
                self.nested(flow.text, None)
            elif flow.origin in _UNREAD:
                self.state.note(unseen(flow.origin), command)

    def _drained(self, command: Command) -> None:
        """Read what is written to `>(…)`."""
        copies = command.args if command.name == "tee" else ()
        for name in (*copies, *(one.target for one in command.redirects)):
            script = self.state.sinks.get(name)
            if script is not None:
                self.nested(script, command.stdin if name in copies else output_of(command))

    def sent(self, command: Command) -> list[Finding]:
        """Sending a file into which this very text wrote a secret."""
        held = [file for file, flow in self.state.files.items() if flow.origin in CONFIDED]
        return [SENT] if held and gives_away(command, held) else []

    def unseen(self, command: Command) -> list[Finding]:
        """Running a file that this very text wrote or fetched."""
        self.state.sql.extend(queries_of(command, self.state.files))
        ran = run_of(command, self.state.files)
        if ran is None:
            return []
        flow, script = ran
        if flow.text is not None:
            self.nested(script.replace(UNREAD_LINE, ""), None)
        whole = flow.text is not None and HOLE not in flow.text
        return [unseen(flow.origin)] if flow.origin in _UNREAD and not whole else []


_BEHIND = frozenset({">>", "&>>"})
_INTO = _BEHIND | {">", ">|", "&>"}
_BEGINS = re.compile(
    rf"(?:^|/)(?:{STARTUP_FILES}|\.bash_aliases)$"
    r"|^/etc/(?:profile|bash\.bashrc|zsh|rc\.local|init\.d/)"
)
_UNREAD = frozenset({Origin.DATA, Origin.REMOTE, Origin.DECODED})
"""Where a text comes from that nobody has read."""


def _alias(effects: Effects, command: Command) -> None:
    for arg in command.args:
        name, assigned, value = arg.partition("=")
        if assigned:
            effects.state.aliases[name] = value
            effects.nested(value, None)


def _read(effects: Effects, command: Command) -> None:
    """`read x`: a line of the input."""
    options = read_options(command.args, word_set("-p -d -n -N -t -u -a -i"))
    flow = command.stdin
    stream = options.value("-u")
    if stream:
        streams = effects.state.streams
        flow = streams.get(_stream(stream), streams.get("*", flow))
    text = flow.text if flow and flow.text is not None else None
    scope = effects.state.scope
    if array := options.value("-a"):
        line = (text or fed(flow)).strip("\n").partition("\n")[0]
        scope.elements(array, _split(line, scope.get("IFS"), MAX_INNER))
        return
    names = [word for word in options.words if word.partition("[")[0].isidentifier()]
    names = names or ["REPLY"]
    for name in names:
        scope.put(name, text.strip("\n") if text is not None else fed(flow))
    if text and len(names) > 1:
        line = text.lstrip("\n").partition("\n")[0]
        for name, word in zip(names, _split(line, scope.get("IFS"), len(names)), strict=False):
            scope.put(name, word)


def _split(line: str, signs: str | None, most: int) -> list[str]:
    """A line in as many words as there are names for them; the last one takes the rest."""
    if not signs:
        return line.split(maxsplit=most - 1)
    return re.split(f"[{re.escape(signs)}]", line, maxsplit=most - 1)


def _mapfile(effects: Effects, command: Command) -> None:
    options = read_options(command.args, word_set("-C -c -d -n -O -s -u"))
    stream = options.value("-u")
    flow = effects.state.streams.get(_stream(stream)) if stream else command.stdin
    name = options.word(len(options.words) - 1) if options.words else "MAPFILE"
    scope = effects.state.scope
    if flow and flow.text is not None:
        for place, line in enumerate(flow.text.splitlines()[:MAX_INNER]):
            scope.put(f"{name}[{place}]", line)
        scope.put(f"{name}[@]", flow.text)
    else:
        scope.put(name, fed(flow))


def _stream(name: str) -> str:
    return name.strip("\ue000\ue001{}$")


MAX_PRINTING = 4
"""Files that a shell prints to which are followed."""


def _exec(effects: Effects, command: Command) -> None:
    """`exec 3<file`, `exec {fd}<<<text`: a stream for later, `exec <file`: what all others read;
    `exec >file`: what all others print.

    Which descriptor it is, nobody notes: each such file may hold it all.
    """
    into = (one.target for one in command.redirects if one.sign in _INTO)
    named = (*effects.state.printing, *into) if not command.args else effects.state.printing
    effects.state.printing = tuple(dict.fromkeys(named))[-MAX_PRINTING:]
    if command.stdin:
        for name in command.args[:1] or ("*", "0"):
            effects.state.streams[_stream(name)] = command.stdin


def _set(effects: Effects, command: Command) -> None:
    """`set -- a b`, `set a b`: the arguments from now on."""
    args, at = command.args, 0
    while at < len(args) and args[at][:1] in {"-", "+"} and args[at] not in {"-", "--"}:
        at += 2 if args[at][-1] == "o" else 1
    words = args[at + 1 :] if args[at : at + 1] in {("--",), ("-",)} else args[at:]
    if at < len(args):
        effects.state.scope.arguments((effects.state.scope.get("0") or "sh", *words))


def _printf(effects: Effects, command: Command) -> None:
    if command.args[:1] == ("-v",) and len(command.args) > 1:
        effects.state.scope.put(command.args[1], output_of(command).text or "")


def _unset(effects: Effects, command: Command) -> None:
    for word in command.args:
        effects.state.scope.put(word, "")


def _git(effects: Effects, command: Command) -> None:
    """`git config alias.x '!TEXT'`, and `git x` behind it; `git remote add x`, and a push to it."""
    words = read_options(command.args, GIT.values).words
    aliases, remotes = effects.state.aliases, effects.state.remotes
    if words[:2] in _NAMES and words[2:]:
        _named(effects, words[2], command.args)
    elif words[:1] == ("push",) and words[1:] and words[1] in remotes and _WHOLE & {*command.args}:
        effects.state.note(WHOLE_SENT, command)
    key, value = setting_of(command.args)
    if pushing(key):
        effects.state.settings[f"{key}={value}"] = None
    elif key.startswith("alias."):
        aliases[f"git {key.removeprefix('alias.')}"] = value
    elif words and aliases:
        text = aliases.get(f"git {words[0]}", "")
        if text:
            effects.nested(text[1:] if text[:1] == "!" else f"git {text}", None)


def _named(effects: Effects, name: str, args: tuple[str, ...]) -> None:
    """A repository elsewhere gets a name; `--mirror` makes every push there one of all."""
    effects.state.remotes.add(name)
    if not {"--mirror", "--mirror=push"}.isdisjoint(args):
        effects.state.settings[f"remote.{name}.mirror=true"] = None


_NAMES = (("remote", "add"), ("remote", "set-url"))
_WHOLE = word_set("--all --branches --mirror")


def _getopts(effects: Effects, command: Command) -> None:
    """`getopts a: o -a TEXT`: each text in its turn; without words, those of the script."""
    scope = effects.state.scope
    words = command.args[2:] or (scope.get("@") or "").split(APART)
    told = (word if word[:1] != "-" else word[2:] for word in words)
    for text in islice(filter(None, told), MAX_INNER):
        scope.put("OPTARG", text)


def _hash(effects: Effects, command: Command) -> None:
    """`hash -p /bin/rm name`."""
    if command.args[:1] == ("-p",) and len(command.args) > len(("-p", "file")):
        effects.state.aliases[command.args[2]] = command.args[1]


def _planned(effects: Effects, command: Command) -> None:
    """`terraform plan -destroy -out=p`, and `terraform apply p` behind it, which asks nobody."""
    words = read_options(command.args, _PLAN).words
    aliases, key = effects.state.aliases, "terraform plan"
    if words[:1] == ("plan",) and any(
        arg.lstrip("-")[:4] in {"out", "out="} for arg in command.args
    ):
        destroys = not {"-destroy", "--destroy"}.isdisjoint(command.args)
        told = "-destroy" if destroys else "-auto-approve"
        aliases[key] = max(f"terraform apply {told}", aliases.get(key, ""))
    elif words[:1] == ("apply",) and words[1:] and key in aliases:
        effects.state.dear += 1
        effects.nested(aliases[key], None)


_PLAN = word_set("-out --out -var -var-file -target -chdir -state -lock-timeout -parallelism")

BUILTINS: dict[str, Callable[[Effects, Command], None]] = {
    "alias": _alias, "read": _read, "mapfile": _mapfile, "readarray": _mapfile, "exec": _exec,
    "set": _set, "printf": _printf, "unset": _unset, "hash": _hash, "getopts": _getopts,
    "git": _git, **dict.fromkeys(sorted(PLANNERS), _planned),
}  # fmt: skip

LEAVES = (
    (frozenset(BUILTINS) - {"git"})
    | FETCHERS
    | PACKERS
    | COMPILERS
    | COPIERS
    | EDITORS
    | frozenset({"tee", "sponge"})
)
"""Commands that may leave something behind without a redirection."""


def held(command: Command, state: State) -> Flow | None:
    """Return what a program prints of a file into which a secret was written."""
    named = [state.files[name] for arg in command.args if (name := plain(arg)) in state.files]
    told = next((flow for flow in named if flow.origin in CONFIDED), None)
    return told or (printed(command, state.files) if command.name in SHOWS else None)


def has_effects(command: Command, state: State) -> bool:
    """Return whether a command may leave something behind, or run what others left."""
    if command.redirects or state.files or command.name in LEAVES:
        return True
    if command.name != "git":
        return False
    return bool(state.aliases or state.remotes) or command.args[:1] in _NAMERS


_NAMERS = (("config",), ("remote",))
"""How git's orders begin after which a name means something else."""
