"""Walk a text as a shell would run it, and hand every command to the families.

text -> pipelines of raw words -> commands -> what they run in turn -> dangers
         (lexer, or tree)         (expand)     (unwrap, interpret)     (judge)
"""

import shlex

import msgspec

from holdpoint.core.risk.shell.assignments import leading, other_words, planted
from holdpoint.core.risk.shell.builtins import BUILTINS, Effects, held, leaves
from holdpoint.core.risk.shell.disguise import is_plain, unhidden
from holdpoint.core.risk.shell.everyday import lines_of
from holdpoint.core.risk.shell.expand import Expander, Scope
from holdpoint.core.risk.shell.flow import joined, output_of
from holdpoint.core.risk.shell.grammar import Grammar
from holdpoint.core.risk.shell.hooks import is_hook
from holdpoint.core.risk.shell.inner import Found
from holdpoint.core.risk.shell.interpret import interpret
from holdpoint.core.risk.shell.judge import judge
from holdpoint.core.risk.shell.lexer import KEYWORDS, Pipeline, RawCommand, lenient, plain
from holdpoint.core.risk.shell.lines import Statement, by_line, cut
from holdpoint.core.risk.shell.located import MOVES, located, stepped
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
from holdpoint.core.risk.shell.ordinary import counted, is_quiet
from holdpoint.core.risk.shell.reads import only_reads
from holdpoint.core.risk.shell.received import delimited, readings, rejoined
from holdpoint.core.risk.shell.resources import sql_in, targets_of
from holdpoint.core.risk.shell.state import MAX_DEPTH, State
from holdpoint.core.risk.shell.strangers import may_run
from holdpoint.core.risk.shell.tree import parse, tangled
from holdpoint.core.risk.shell.unwrap import unwrap
from holdpoint.messages.risk import RiskLevel

EMPTY = Flow(Origin.UNKNOWN)


def _nothing(_line: str) -> None:
    """Nothing is passed by whose output, or last word, somebody asks for."""


class Walk:
    """One reading of one text."""

    def __init__(self) -> None:
        self.state = State(scope=Scope({name: ["sh"] for name in ("SHELL", "BASH")}))
        self.expander = Expander(self.state.scope, self.substitute, self.stream)
        self.depth = 0
        self.many = 0
        self.span: tuple[int, int] | None = None
        self.minds_last = False  # whether `$_` occurs: the last word of the command before

    def script(self, text: str) -> Flow:
        """Read a text: its commands one after the other."""
        if self.depth >= MAX_DEPTH or self.state.is_full:
            self.state.stuck = self.state.stuck or "it is nested too deep or too long"
            return EMPTY
        self.minds_last |= "$_" in text or "${_}" in text
        if "\\\n" in text:
            text = rejoined(text)
        if tangled(text):
            self.state.stuck = self.state.stuck or "it has too many brackets or parts"
            return self.pipelines(lenient(text))
        known = _nothing if self.depth or self.minds_last else lines_of(text)
        if (line := known(text)) and line.passes(self.state):
            return EMPTY
        statements = by_line(text, known)
        if statements is not None:
            read = (one for one in statements if not self._passes(one))
            return joined([self._stated(one) for one in read])
        pipelines = plain(text, 0, KEYWORDS)
        if pipelines is not None:
            return self.pipelines(pipelines)
        return joined([self._visited(one) for one in readings(text)])

    def _passes(self, one: Statement) -> bool:
        return one.everyday is not None and one.everyday.passes(self.state)

    def _stated(self, one: Statement) -> Flow:
        whole = cut(one)
        if whole is None:
            return self._visited(one.text)
        tree = Grammar(self, whole.text, whole.start) if whole.root else None
        return tree.visit(whole.root, None) if tree else self.pipelines(whole.pipelines or [])

    def _visited(self, text: str) -> Flow:
        root = parse(delimited(text))
        if root is None:
            self.state.stuck = self.state.stuck or "it is too tangled to be parsed"
            return self.pipelines(lenient(text))
        flow = Grammar(self, text, 0).visit(root, None)
        if root.has_error:
            self.state.broken = True
            self.pipelines(lenient(text))
        return flow

    def nested(self, text: str, stdin: Flow | None = None) -> Flow:
        """A text inside another: its dangers stand where the outer command stands."""
        self.depth += 1
        seen = text if is_plain(text) else unhidden(text)
        flow = self.script(seen) if stdin is None else self._with_input(seen, stdin)
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
        flows: list[Flow] = []
        for pipeline in filter(None, pipelines):
            flow: Flow | None = None
            for raw in pipeline:
                flow = self.simple(raw, flow)
            flows.append(flow or EMPTY)
        return joined(flows)

    def simple(self, raw: RawCommand, stdin: Flow | None, here: Flow | None = None) -> Flow:
        """One command as written: expand its words, then run it in mind."""
        self.stand(raw.start, raw.end)
        words = raw.words if raw.bare else self.expander.every(raw.words)
        redirects = self._redirects(raw) if raw.redirects else ()
        flow = here or stdin or (self.state.read_by(redirects) if redirects else None)
        flow = flow or self.state.streams.get("0")
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
        text = self.expander.text
        return tuple(Redirect(sign, text(target)) for sign, target in raw.redirects)

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
        self.state.commands += 1
        if self.state.is_full or self.depth > MAX_DEPTH:
            self.state.stuck = self.state.stuck or "it is nested too deep or too long"
            return EMPTY
        state = self.state
        command = command_of(
            words, redirects, stdin,
            many=self.many > 0, span=self.span or (0, 0), depth=self.depth,
        )  # fmt: skip
        if state.here or command.name in MOVES:
            state.here, command = stepped(command, state.here), located(command, state.here)
        body = state.functions.get(command.path) or state.aliases.get(command.path)
        if body is not None and self.depth < MAX_DEPTH // 2:
            return self._called(body, command)
        if is_quiet(command, state):
            counted(command, state)
            return self._printed(command)
        return self._opened(command) or self._judged(command)

    def plant(self, name: str) -> None:
        """Note what an assigned variable makes other programs run."""
        danger = planted(self.expander, name)
        if danger:
            self.state.note(danger, Command(name="", path=name, span=self.span or (0, 0)))
            self.state.reads_only = False

    def _called(self, body: str, command: Command) -> Flow:
        """A function or an alias."""
        self.state.scope.arguments((command.path, *command.args))
        alias = command.path in self.state.aliases
        text = f"{body} {' '.join(map(shlex.quote, command.args))}" if alias else body
        flow = self.nested(text, command.stdin)
        if command.redirects:
            self._judged(msgspec.structs.replace(command, name="", args=(), stdin=flow))
            Effects(self.state, self.nested).kept(command, flow)
        return flow

    def _opened(self, command: Command) -> Flow | None:
        """Go on with what it runs; None when it runs nothing else."""
        inner = unwrap(command)
        if inner:
            flow = self._follow(inner, command)
            if command.redirects or command.name in _ALSO_JUDGED:
                self._judged(command)
            return flow
        texts = interpret(command) or may_run(command)
        ran = self._follow(texts, command) if texts else None
        return ran if command.name in _RUN_ONLY else None

    def _follow(self, found: Found, command: Command) -> Flow:
        flow = EMPTY
        self.depth += 1
        for one in found:
            if isinstance(one, Danger):
                self.state.note(one, command)
                self.state.reads_only = False
                continue
            self.many += one.many
            if one.script:
                self.state.scope.arguments(one.args)
                flow = self.nested(one.script, one.stdin)
            else:
                flow = self.run(one.words, (), one.stdin)
            self.many -= one.many
        self.depth -= 1
        return flow

    def _judged(self, command: Command) -> Flow:
        """Ask every family about it; what it prints."""
        state = self.state
        state.programs.add(command.name)
        dangers = judge(command)
        if leaves(command, state):
            dangers += self._left(command)
        for danger in dangers:
            state.note(danger, command)
        if dangers or (state.reads_only and not only_reads(command)):
            state.reads_only = False
        state.sql.extend(sql_in(command))
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


_ALSO_JUDGED = frozenset({"find", "gfind", "docker", "podman", "ssh", "tar", "salt"})
_RUN_ONLY = frozenset({"eval", "sh", "bash", "zsh", "dash", "ksh", "trap"})
