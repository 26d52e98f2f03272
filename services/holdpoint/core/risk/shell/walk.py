"""Simulation of a shell: each command is expanded, run in mind and judged.

text -> pipelines of raw words -> commands -> what they run in turn -> dangers
         (lexer, or grammar)      (expansion)   (followed)               (judge)
"""

import re
import shlex
from collections.abc import Iterator
from typing import Any

import msgspec

from holdpoint.core.risk.shell.assignments import leading, loads_code, other_words
from holdpoint.core.risk.shell.builtins import (
    BUILTINS,
    PRESET,
    Effects,
    has_effects,
    held,
    is_hook,
    plant,
    preset,
)
from holdpoint.core.risk.shell.control_flow import Chain, Doubt, Walker
from holdpoint.core.risk.shell.database_statements import sql_in, targets_of
from holdpoint.core.risk.shell.expansion import EVALUATORS, Expander, evaluate, groups_in
from holdpoint.core.risk.shell.fast_path import (
    ASKED,
    FastLines,
    counted,
    fast_lines,
    has_no_grave_word,
    is_harmless,
)
from holdpoint.core.risk.shell.followed import EMPTY, run_inner
from holdpoint.core.risk.shell.grammar import Grammar, parse
from holdpoint.core.risk.shell.judge import is_known, is_pattern, judge
from holdpoint.core.risk.shell.lexer import (
    ASIDE,
    KEYWORDS,
    Pipeline,
    RawCommand,
    lenient,
    plain,
)
from holdpoint.core.risk.shell.model import (
    HOOK,
    LEFT,
    Command,
    Danger,
    Flow,
    Origin,
    Redirect,
    command_of,
    hole,
)
from holdpoint.core.risk.shell.network_commands import is_cmdlet, sent_by
from holdpoint.core.risk.shell.output import joined, output_of
from holdpoint.core.risk.shell.preprocessing import (
    blank_prefixes,
    is_too_complex,
    join_continued_lines,
    mark_documents,
    readings,
)
from holdpoint.core.risk.shell.read_only import only_reads
from holdpoint.core.risk.shell.scope import Scope
from holdpoint.core.risk.shell.state import (
    DEAR,
    MAX_DEPTH,
    MOVES,
    PATTERN,
    State,
    in_its_folder,
    trap_scripts,
)
from holdpoint.core.risk.shell.unknown_programs import unknown_program
from holdpoint.core.risk.text import is_plain, unhidden
from holdpoint.messages.risk import RiskLevel

_joins = re.compile(r"[\\\r\v\f\x1c-\x1f\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]")
"""What may reach over the end of a line, or be a blank to some and none to others."""

_misplaced = re.compile(r"(?:^|&&|\|\||\|&|;|&(?!&)|\|(?![|&]))[ \t]*[;|&]|(?:&&|\|&?)[ \t]*$")
"""A sign without a command before it, or one that goes on in the next line."""

MAX_LINED = 4096
"""Characters of a text that is cut into its lines."""

MAX_PARSED = 24
"""Lines that are parsed one by one: for more of them the whole is parsed as fast."""


class Statement(msgspec.Struct, frozen=True):
    """One line: its pipelines, or its tree; or several lines of which nothing is to be said."""

    text: str
    start: int
    """Where it begins in the whole text."""

    fast_lines: FastLines | None = None
    """What runs in them, where nothing is to be said of that: then they are not cut yet."""

    pipelines: list[Pipeline] | None = None
    root: Any = None
    """The tree's root, where the line is not plain; else None."""


def by_line(text: str, *, calm: bool | None) -> list[Statement] | None:
    """The statements of a text; None when some line is no whole statement by itself.

    `calm`: whether nothing in it tells of anything grave; None: no line is passed by.
    """
    if "\n" not in text or len(text) > MAX_LINED or "<<" in text or _may_join(text):
        return None
    found: list[Statement] = []
    passed, began, at, left = FastLines(calm=calm is True), 0, 0, MAX_PARSED
    for line in text.split("\n"):
        start, at = at, at + len(line) + 1
        if not line or line.isspace() or (calm is not None and passed.takes(line)):
            continue
        one = _unparsed(line, start)
        if one is None:
            one, left = _parsed(line, start), left - 1
            if one is None or not left:
                return None
        if passed.programs:
            found.append(Statement(text[began:start], began, passed))
            passed = FastLines(calm=calm is True)
        found.append(one)
        began = at
    return [*found, Statement(text[began:], began, passed)] if passed.programs else found


def _may_join(text: str) -> bool:
    """Whether anything in it reaches over a line's end; printable ASCII is looked at at once."""
    printed = text.replace("\n", "").replace("\t", "")
    if printed.isascii() and printed.isprintable():
        return "\\" in text
    return _joins.search(text) is not None


def cut(passed: Statement) -> Iterator[Statement]:
    """Lines that were passed by and must be read after all, one by one."""
    at = passed.start
    for line in passed.text.split("\n"):
        if line and not line.isspace():
            yield _unparsed(line, at) or _parsed(line, at) or Statement(line, at)
        at += len(line) + 1


def _unparsed(line: str, at: int) -> Statement | None:
    pipelines = None if _is_hard(line) else plain(line, at, ASIDE)
    return None if pipelines is None else Statement(line, at, pipelines=pipelines)


def _parsed(line: str, at: int) -> Statement | None:
    said = blank_prefixes(line)
    root = parse(said)
    return None if root is None or root.has_error else Statement(said, at, root=root)


def _is_hard(line: str) -> bool:
    """Whether a line holds a redirection, or a sign where none can stand."""
    if "<" in line or ">" in line:
        return True
    signs = "|" in line or "&" in line or ";" in line
    return signs and _misplaced.search(line) is not None


def bodies_of(command: Command, state: State) -> tuple[str, ...]:
    """The texts for which its name may stand."""
    bodies = state.functions.get(command.path, ())
    alias = state.aliases.get(command.path)
    if not alias:
        return bodies
    return (*bodies, " ".join((alias, *map(shlex.quote, command.args))))


def is_replaced(command: Command, state: State) -> bool:
    """Whether a function surely stands for it, and no program of that name is known."""
    if command.path not in state.functions or command.path in state.unsure:
        return False
    name = command.name
    known = name in ASKED or is_known(name) or name.startswith("mkfs.") or is_cmdlet(command.path)
    return not known


def call(walk: Walker, bodies: tuple[str, ...], command: Command) -> Flow:
    """Read what its name stands for."""
    flow = _body(walk, bodies[0], command)
    for body in bodies[1:]:
        flow = riskier(flow, _body(walk, body, command))
    if command.redirects:
        walk.judged(msgspec.structs.replace(command, name="", args=(), stdin=flow))
        Effects(walk.state, walk.nested).kept(command, flow)
    return flow


def _body(walk: Walker, body: str, command: Command) -> Flow:
    """One of these texts: its arguments die with it, and so does what is local there."""
    scope, state = walk.state.scope, walk.state
    here = state.here
    walk.doubt.begin()
    scope.arguments((command.path, *command.args))
    flow = walk.within(body, command.stdin)
    moved = state.here
    left = {name: values for name, values in walk.doubt.undo().items() if name not in _ARGUMENTS}
    state.here = here
    named = body in state.functions.get(command.path, ()) and command.path not in state.unsure
    if named and _leaves.search(body) is None:
        state.here = moved
        scope.redo(left)
    else:
        state.here = here or moved
        walk.doubt.settle((body, -2), [left, {}])
    return flow


_ARGUMENTS = frozenset("0123456789@*")
_leaves = re.compile(r"\b(?:local|declare|typeset|return)\b")
"""What makes it doubtful whether a function's assignments are seen outside."""


def riskier(one: Flow, other: Flow) -> Flow:
    """Of what is printed, that of which less is known, with all that is known of both."""
    worst = max(one, other, key=lambda flow: flow.origin)
    if one.text is None or other.text is None:
        return worst
    return msgspec.structs.replace(worst, text=f"{one.text}\n{other.text}")


class Walk:
    """One reading of one text."""

    def __init__(self) -> None:
        self.state = State(scope=Scope({name: ["sh"] for name in ("SHELL", "BASH")}))
        self.doubt = Doubt(self.state)
        self.expander = Expander(self.state.scope, self.substitute, self.stream)
        self.depth = self.many = 0
        self.wrapped = False  # whether a program runs what is read now, and no shell
        self.span: tuple[int, int] | None = None
        self.minds_last = False  # whether `$_` occurs: the last word of the command before

    def script(self, text: str) -> Flow:
        """Read a text: its commands one after the other."""
        if self.depth >= MAX_DEPTH or self.state.is_full:
            self.state.stuck = self.state.stuck or "it is nested too deep or too long"
            return EMPTY
        self.state.read += len(text)
        self.minds_last |= "$_" in text or "${_}" in text
        text = join_continued_lines(text) if "\\\n" in text else text
        if is_too_complex(text):
            self.state.stuck = self.state.stuck or "it has too many brackets or parts"
            return self._leniently(text)
        for group in groups_in(text, self.state):
            self.nested(group)
        calm = None if self.depth or self.minds_last else has_no_grave_word(text)
        if calm is not None and self._passes(fast_lines(text, calm=calm)):
            return EMPTY
        if (statements := by_line(text, calm=calm)) is not None:
            return joined([flow for one in statements for flow in self._read(one)])
        if (pipelines := plain(text, 0, KEYWORDS)) is not None:
            return self.pipelines(pipelines)
        return joined([self._visited(one) for one in readings(text)])

    def finish(self) -> None:
        """Read what waits for the end of the shell, with what the variables hold then."""
        for text in trap_scripts(self.state):
            self.nested(text)

    def _passes(self, known: FastLines | None) -> bool:
        """Nothing is passed by whose output, or last word, somebody asks for."""
        return known is not None and known.passes(self.state)

    def _read(self, one: Statement) -> Iterator[Flow]:
        if one.fast_lines is None:
            yield self._stated(one)
        elif not self._passes(one.fast_lines):
            yield from map(self._stated, cut(one))

    def _stated(self, one: Statement) -> Flow:
        if one.root is not None:
            return Grammar(self, one.text, one.start).visit(one.root, None)
        return self._visited(one.text) if one.pipelines is None else self.pipelines(one.pipelines)

    def _visited(self, text: str) -> Flow:
        root = parse(mark_documents(text))
        if root is None:
            self.state.stuck = self.state.stuck or "it is too tangled to be parsed"
            return self._leniently(text)
        flow = Grammar(self, text, 0).visit(root, None)
        if root.has_error:
            self.state.broken_at(self.depth, len(text))
            self._leniently(text)
        return flow

    def _leniently(self, text: str) -> Flow:
        """Read what no grammar takes; what is left over at the limit may be anything."""
        pipelines, whole = lenient(text, self.state.pieces)
        self.state.stuck = self.state.stuck or ("" if whole else "it has too many parts")
        return self.pipelines(pipelines)

    def nested(self, text: str, stdin: Flow | None = None) -> Flow:
        """A text that another shell runs, perhaps: what it sets may be set in vain."""
        self.doubt.begin()
        flow = self.within(text, stdin)
        self.doubt.end((text, -1))
        return flow

    def within(self, text: str, stdin: Flow | None = None) -> Flow:
        """A text inside another: its dangers stand where the outer command stands."""
        self.depth += 1
        wrapped, self.wrapped = self.wrapped, False
        seen = text if is_plain(text) else unhidden(text)
        flow = self.script(seen) if stdin is None else self._with_input(seen, stdin)
        self.wrapped = wrapped
        self.depth -= 1
        return flow

    def _with_input(self, text: str, stdin: Flow) -> Flow:
        before = self.state.streams.get("0")
        self.state.streams["0"] = stdin
        flow = self.script(text)
        if before is None:
            del self.state.streams["0"]
        else:
            self.state.streams["0"] = before
        return flow

    def substitute(self, text: str) -> str:
        """What `$(…)` leaves in a word: its text, or a hole that says where it came from."""
        if not text.strip():
            return ""
        here = self.state.here
        flow = self.nested(text)
        self.state.here = here
        if flow.text is not None:
            return flow.text.strip("\n")
        if flow.origin is Origin.UNKNOWN and is_hook(text):
            return HOOK
        return hole(LEFT.get(flow.origin, "(…)"))

    def stream(self, text: str) -> str:
        """A file that is named for what `<(…)` prints."""
        if text.startswith(">"):
            return self.state.sink(text[1:])
        flow = self.nested(text)
        if flow.origin in {Origin.REMOTE, Origin.DECODED}:
            return hole(LEFT[flow.origin])
        name = f"/dev/fd/s{len(self.state.files)}"
        self.state.files[name.rpartition("/")[2]] = flow
        return name

    def pipelines(self, pipelines: list[Pipeline]) -> Flow:
        """Commands that a lexer found; what they print stands one behind the other."""
        if len(pipelines) == 1 and len(pipelines[0]) == 1:
            return self.simple(pipelines[0][0], None)
        chain = Chain(self.doubt)
        flows = [self._pipeline(one, chain) for one in pipelines if one and not self.state.ended]
        chain.end()
        return joined(flows)

    def _pipeline(self, pipeline: Pipeline, chain: Chain) -> Flow:
        """Commands each of which reads what the one before prints, in a shell of its own."""
        first = pipeline[0]
        if first.joined or chain.opened:
            chain.behind(first.joined, (" ".join(first.words), first.start))
        if len(pipeline) == 1:
            return self.simple(first, None)
        flow: Flow | None = None
        for raw in pipeline:
            self.doubt.begin()
            flow = self.simple(raw, flow)
            self.doubt.end((" ".join(raw.words), raw.start))
        return flow or EMPTY

    def simple(self, raw: RawCommand, stdin: Flow | None, here: Flow | None = None) -> Flow:
        """One command as written: expand its words, then run it in mind."""
        self.stand(raw.start, raw.end)
        words = self.expander.every(raw.words)
        redirects = self._redirects(raw) if raw.redirects else ()
        flow = here or stdin
        if redirects or self.state.streams:
            flow = self.state.input_of(flow, redirects, words)
        if self.minds_last and words:
            self.state.scope.put("_", words[-1])
        if raw.words and "$" in raw.words[0]:
            for other in other_words(self.expander, raw.words, words):
                self.run(other, redirects, flow)
        return self.run(tuple(words), redirects, flow)

    def stand(self, start: int, end: int) -> None:
        """Note where the command stands that is read now, with all that is run inside it."""
        if not self.depth:
            self.span = (start, end)

    def _redirects(self, raw: RawCommand) -> tuple[Redirect, ...]:
        return tuple(Redirect(sign, self.expander.text(target)) for sign, target in raw.redirects)

    def run(
        self,
        words: tuple[str, ...],
        redirects: tuple[Redirect, ...] = (),
        stdin: Flow | None = None,
    ) -> Flow:
        """Judge a command, and everything that it runs."""
        if not words and not redirects:
            return EMPTY
        if start := leading(words, self.expander, self.plant):
            return self.run(words[start:], redirects, stdin)
        state = self.state
        state.commands += 1
        state.words += len(words)
        if state.is_full or self.depth > MAX_DEPTH:
            state.ended = state.is_full
            state.stuck = state.stuck or "it is nested too deep or too long"
            return EMPTY
        command = command_of(
            words, redirects, stdin,
            many=self.many > 0, span=self.span or (0, 0), depth=self.depth,
        )  # fmt: skip
        state.run.append(" ".join(words))
        if state.here or state.moved or command.name in MOVES:
            command = in_its_folder(command, state)
        bodies = bodies_of(command, state)
        if not bodies or self.depth >= MAX_DEPTH // 2:
            return self._itself(command)
        called = call(self, bodies, command)
        if is_replaced(command, state) and not self.wrapped:
            return called
        return riskier(called, self._itself(command))

    def _itself(self, command: Command) -> Flow:
        """The program, whatever else its name stands for."""
        if command.name in EVALUATORS:
            evaluate(command.name, command.args, self.expander)
        command = preset(command, self.state) if command.name in PRESET else command
        if is_harmless(command, self.state):
            counted(command, self.state)
            return self._printed(command)
        return run_inner(self, command) or self.judged(command)

    def plant(self, name: str) -> None:
        """Note what an assigned variable makes other programs run."""
        if loads_code(name):
            self.state.reads_only = False
        plant(self.state, self.expander, name, self.span or (0, 0))

    def judged(self, command: Command) -> Flow:
        """Ask every family about it; what it prints."""
        state = self.state
        state.programs.add(command.name)
        state.dear += PATTERN if is_pattern(command.name) else DEAR.get(command.name, 0)
        dangers = judge(command)
        if has_effects(command, state):
            dangers += self._left(command)
        for danger in dangers:
            state.note(danger, command)
        if not dangers and (unknown := unknown_program(command, state)):
            state.note(unknown, command)
        if dangers or (state.reads_only and not only_reads(command)):
            state.reads_only = False
        state.tell(sql_in(command), command)
        if (sent := sent_by(command)) and not any(one.level >= RiskLevel.HIGH for one in dangers):
            state.send(sent)
        if dangers or command.redirects:
            severe = any(danger.level >= RiskLevel.MEDIUM for danger in dangers)
            for target in targets_of(command, severe=severe):
                state.touch(target)
        return self._printed(command)

    def _printed(self, command: Command) -> Flow:
        files = self.state.files
        return (held(command, self.state) if files else None) or output_of(command)

    def _left(self, command: Command) -> list[Danger]:
        """What it leaves behind, and what it runs of what others left."""
        effects = Effects(self.state, self.nested)
        builtin = BUILTINS.get(command.name)
        if builtin:
            builtin(effects, command)
        effects.written(command)
        return effects.unseen(command) + effects.sent(command)
