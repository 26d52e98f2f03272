"""Simulation of a shell: each command is expanded, run in mind and judged.

text -> pipelines of raw words -> commands -> what they run in turn -> findings
         (lexer, or grammar)      (expansion)   (possible_commands)      (judge)
"""

import re
import shlex
from collections.abc import Callable, Iterator

import msgspec

from holdpoint.core.risk.model import Finding
from holdpoint.core.risk.shell.acted_on import acted_on
from holdpoint.core.risk.shell.assignments import (
    EVALUATORS,
    evaluate,
    is_bare,
    is_loose,
    leading,
    other_words,
    without_unknown,
)
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
from holdpoint.core.risk.shell.carriers import CARRIERS
from holdpoint.core.risk.shell.command_rules import CLUSTER_TOOLS
from holdpoint.core.risk.shell.database_statements import sql_in
from holdpoint.core.risk.shell.expansion import Expander, groups_in
from holdpoint.core.risk.shell.fast_path import QUIET, counted, fast_lines, is_harmless
from holdpoint.core.risk.shell.inner_commands import Found, Inner, Sends
from holdpoint.core.risk.shell.interpreters import WITH_MODULES, harmless_module, interpret
from holdpoint.core.risk.shell.judge import is_pattern, judge, with_long_kinds
from holdpoint.core.risk.shell.lexer import KEYWORDS, Pipeline, RawCommand, lenient, plain
from holdpoint.core.risk.shell.locations import MOVES, in_its_folder
from holdpoint.core.risk.shell.model import (
    FILL,
    HOLE,
    HOLE_END,
    HOOK,
    LEFT,
    Command,
    Flow,
    Origin,
    Redirect,
    command_of,
    hole,
    joined,
)
from holdpoint.core.risk.shell.network_commands import SENDERS, sent_by
from holdpoint.core.risk.shell.output import output_of
from holdpoint.core.risk.shell.output_files import with_outputs
from holdpoint.core.risk.shell.possible_commands import RUNS_NOTHING, commands_of_unknown
from holdpoint.core.risk.shell.preprocessing import (
    MAX_SMALL,
    is_too_complex,
    join_continued_lines,
    other_readings,
    readings,
)
from holdpoint.core.risk.shell.read_only import only_reads, passes_on
from holdpoint.core.risk.shell.scope import Scope
from holdpoint.core.risk.shell.state import (
    DEAR,
    MAX_DEPTH,
    PATTERN,
    Chain,
    Doubt,
    State,
    is_deferred,
    trap_scripts,
)
from holdpoint.core.risk.shell.task_names import task_finding
from holdpoint.core.risk.shell.unknown_programs import is_known, unknown_program
from holdpoint.core.risk.shell.unwrapping import RUNNERS, unwrap
from holdpoint.core.risk.words import word_set
from holdpoint.core.text import bare, is_plain, unhidden
from holdpoint.messages.risk import RiskLevel


def bodies_of(command: Command, state: State) -> tuple[str, ...]:
    """The texts for which its name may stand."""
    bodies = state.functions.get(command.path, ())
    alias = state.aliases.get(command.path)
    if not alias:
        return bodies
    return (*bodies, " ".join((alias, *map(shlex.quote, command.args))))


def is_as_bad_as_a_file(flow: Flow | None) -> bool:
    """Return whether to run this text is no worse than to run a script: nobody knows it."""
    return flow is not None and flow.text is None and flow.origin <= Origin.SECRET


_ARGUMENTS = frozenset("0123456789@*")
_leaves = re.compile(r"\b(?:local|declare|typeset|return)\b")
"""What makes it doubtful whether a function's assignments are seen outside."""


def riskier(one: Flow, other: Flow) -> Flow:
    """Of what is printed, that of which less is known, with all that is known of both."""
    worst = max(one, other, key=lambda flow: flow.origin)
    if one.text is None or other.text is None:
        return worst
    return msgspec.structs.replace(worst, text=f"{one.text}\n{other.text}")


_STAYS = frozenset({"eval", "command", "builtin", "time"})
"""Commands that run something in this very shell."""

_ALSO_JUDGED = frozenset({"find", "gfind", "docker", "podman", "ssh", "tar", "salt"})
_BESIDE = frozenset({"ssh", "autossh", "gdb", "at", "az"})
"""Wrappers whose options run texts here, whatever is run there."""

_ELSEWHERE = word_set("ssh autossh mosh dbclient rsh")
"""Those that run it on another machine: a file that they fill comes from there."""

_RUN_ONLY = frozenset({"eval", "sh", "bash", "zsh", "dash", "ksh", "trap"})
EMPTY = Flow(Origin.UNKNOWN)


class Walk:
    """One reading of one text."""

    def __init__(self, read_tree: Callable[["Walk", str], Flow]) -> None:
        self.read_tree = read_tree
        self.state = State(scope=Scope({"SHELL": ["sh"], "BASH": ["sh"]}))
        self.doubt = Doubt(self.state)
        self.expander = Expander(self.state.scope, self.substitute, self.stream)
        self.depth = self.many = 0
        self.wrapped = False  # whether a program runs what is read now, and no shell
        self.span: tuple[int, int] | None = None
        self.printed = EMPTY  # by the last command
        self.heard = True  # whether anything may read what a command prints
        self.minds_last = False  # whether `$_` occurs: the last word of the command before

    def script(self, text: str) -> Flow:
        """Read a text: its commands one after the other."""
        if self.depth >= MAX_DEPTH or self.state.is_full:
            self.state.stuck = self.state.stuck or "it is nested too deep or too long"
            return EMPTY
        self.state.read += len(text)
        self.heard = True
        self.minds_last |= "$_" in text or "${_}" in text
        text = join_continued_lines(text) if "\\\n" in text else text
        if len(text) >= MAX_SMALL and is_too_complex(text):
            self.state.stuck = self.state.stuck or "it has too many brackets or parts"
            return self.leniently(text)
        if "$((" in text:
            for group in groups_in(text, self.state):
                self.nested(group)
        begins = not (self.depth or self.state.commands or self.minds_last)
        if begins and (everyday := fast_lines(text)):
            everyday.count(self.state)
            for script in everyday.runs(text):
                self._remark(script)
            return EMPTY
        if (pipelines := plain(text, KEYWORDS)) is not None:
            self.heard = not (begins and [len(one) for one in pipelines] == [1])
            return self.pipelines(pipelines)
        return joined([self.read_tree(self, one) for one in readings(text)])

    def finish(self) -> None:
        """Read what waits for the end of the shell, with what the variables hold then."""
        for text in trap_scripts(self.state):
            self.nested(text)

    def leniently(self, text: str) -> Flow:
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
        """A text inside another: its findings stand where the outer command stands."""
        self.depth += 1
        wrapped, self.wrapped = self.wrapped, False
        seen = text if is_plain(text) else self._unmasked(text)
        others = other_readings(seen)
        flow = self.script(seen) if stdin is None else self._with_input(seen, stdin)
        for other in others:
            self.doubt.begin()
            self.script(other)
            self.doubt.undo()
        self.wrapped = wrapped
        self.depth -= 1
        return flow

    def _unmasked(self, text: str) -> str:
        """A text without disguise, which counts where it was hidden until the text was decoded."""
        known = text.replace(HOLE, "").replace(HOLE_END, "")
        self.state.masked = self.state.masked or bare(known).hidden
        return unhidden(text)

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
        """Return what `$(…)` leaves in a word: its text, or a hole that says where it came from."""
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
        if not self.depth:
            self.span = (raw.start, raw.end)
        words = self.expander.every(raw.words)
        self.state.scope.loads_code |= is_loose(raw.words, words)
        redirects: tuple[Redirect, ...] = ()
        if raw.redirects:
            text = self.expander.text
            redirects = tuple(Redirect(sign, text(file)) for sign, file in raw.redirects)
        flow = here or stdin
        if redirects or self.state.streams:
            flow = self.state.input_of(flow, redirects, words)
        if self.minds_last and words:
            self.state.scope.put("_", words[-1])
        self.printed = joined([*self._ways(raw, words, redirects, flow)])
        if self.state.printing:
            Effects(self.state, self.nested).printed(redirects, self.printed)
        return self.printed

    def _ways(
        self, raw: RawCommand, words: list[str], redirects: tuple[Redirect, ...], flow: Flow | None
    ) -> Iterator[Flow]:
        """Run it as it stands, and in each other way in which its unknown words may be read."""
        if raw.words and "$" in raw.words[0]:
            for way in other_words(self.expander, raw.words, words):
                yield self.run(way, redirects, flow)
        yield self.run(tuple(words), redirects, flow)
        if HOLE not in " ".join(words) or words[0] in QUIET:
            return
        given = None if FILL in words else flow  # a line of a loop's input is never empty
        all_vanish = any(map(is_bare, raw.words)) and not is_as_bad_as_a_file(given)
        for way in without_unknown(words, all_vanish=all_vanish):
            self.doubt.begin()
            yield self.run(way, redirects, given)
            self.doubt.undo()

    def stand(self, start: int, end: int) -> None:
        """Note where the command stands that is read now, with all that is run inside it."""
        if not self.depth:
            self.span = (start, end)

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
        command = with_outputs(command)
        state.run.append(" ".join(words))
        if command.name in CLUSTER_TOOLS and "delete" in command.args:
            state.in_full.append(" ".join(("kubectl", *with_long_kinds(command.args))))
        if state.here or state.moved or command.name in MOVES:
            command = in_its_folder(command, state)
        replaced = command.path in state.functions or command.path in state.aliases
        bodies = bodies_of(command, state) if replaced else ()
        if not bodies or self.depth >= MAX_DEPTH // 2:
            return self._itself(command)
        called = self._call(bodies, command)
        defined = command.path in state.functions and command.path not in state.unsure
        if defined and not self.wrapped and not is_known(command):
            return called
        return riskier(called, self._itself(command))

    def _call(self, bodies: tuple[str, ...], command: Command) -> Flow:
        """Read what its name stands for."""
        flow = self._body(bodies[0], command)
        for body in bodies[1:]:
            flow = riskier(flow, self._body(body, command))
        if command.redirects:
            self.judged(msgspec.structs.replace(command, name="", args=(), stdin=flow))
            Effects(self.state, self.nested).kept(command, flow)
        return flow

    def _body(self, body: str, command: Command) -> Flow:
        """One of these texts: its arguments die with it, and so does what is local there."""
        scope, state = self.state.scope, self.state
        here = state.here
        self.doubt.begin()
        scope.arguments((command.path, *command.args))
        flow = self.within(body, command.stdin)
        moved = state.here
        left = {
            name: values for name, values in self.doubt.undo().items() if name not in _ARGUMENTS
        }
        state.here = here
        named = body in state.functions.get(command.path, ()) and command.path not in state.unsure
        if named and _leaves.search(body) is None:
            state.here = moved
            scope.redo(left)
        else:
            state.here = here or moved
            self.doubt.settle((body, -2), [left, {}])
        return flow

    def _itself(self, command: Command) -> Flow:
        """The program, whatever else its name stands for."""
        if command.name in EVALUATORS:
            evaluate(command.name, command.args, self.expander)
        command = preset(command, self.state) if command.name in PRESET else command
        if is_harmless(command):
            counted(command, self.state)
            return self._printed(command)
        if task := task_finding(command):
            self.state.note(task, command)
            self.state.reads_only = False
        ran = None if command.name in RUNS_NOTHING else self._runs(command)
        return ran or self.judged(command)

    def _runs(self, command: Command) -> Flow | None:
        """Go on with what it runs; None when it runs nothing else."""
        inner = unwrap(command)
        if inner and command.name in _BESIDE:
            inner = [*CARRIERS[command.name](command), *inner]
        if inner:
            self.state.reads_only = self.state.reads_only and passes_on(command)
            flow = self._follow(inner, command)
            alone = command.name in RUNNERS and command.name not in _ALSO_JUDGED
            if command.redirects or not alone:
                far = (
                    command.name in _ELSEWHERE and flow.text is None and flow.origin <= Origin.FILE
                )
                self.judged(command, Flow(Origin.REMOTE) if far else flow)
            return flow
        if command.name in WITH_MODULES and (module := harmless_module(command)):
            self.depth += 1
            flow = self._wrapped(module, command.redirects, command.stdin)
            self.depth -= 1
            return flow
        texts = interpret(command) or commands_of_unknown(command)
        ran = self._follow(texts, command) if texts else None
        if ran and command.redirects:
            return self.judged(command, ran)
        return ran if command.name in _RUN_ONLY else None

    def _wrapped(
        self, words: tuple[str, ...], redirects: tuple[Redirect, ...], stdin: Flow | None
    ) -> Flow:
        """A command that a program runs, and no shell."""
        wrapped, self.wrapped = self.wrapped, True
        flow = self.run(words, redirects, stdin)
        self.wrapped = wrapped
        return flow

    def _follow(self, found: Found, command: Command) -> Flow:
        flow = EMPTY
        self.depth += 1
        stays = command.name in _STAYS
        said = "" if stays else " ".join((command.path, *command.args))
        for at, one in enumerate(found):
            if isinstance(one, Finding):
                self.state.note(one, command)
                self.state.reads_only = False
                continue
            if isinstance(one, Sends):
                self.state.send(one.request)
                continue
            if command.name == "trap" and "$" in one.script:
                self.state.later[one.script] = None
                if is_deferred(one.script, command, self.state):
                    continue
            if not stays:
                self.doubt.begin()
            flow = self._run_one(one)
            if not stays:
                self.doubt.end((said, at))
        self.depth -= 1
        return flow

    def _run_one(self, one: Inner) -> Flow:
        """Something that a command runs."""
        self.many += one.many
        if one.script:
            self.state.dear += 1
            self.state.scope.arguments(one.args)
            flow = self.within(one.script, one.stdin)
        else:
            flow = self._wrapped(one.words, (), one.stdin)
        self.many -= one.many
        return flow

    def plant(self, name: str) -> None:
        """Note what an assigned variable makes other programs run."""
        plant(self.state, self.expander, name, self.span or (0, 0))

    def judged(self, command: Command, printed: Flow = EMPTY) -> Flow:
        """Ask every family about it; what it prints, as far as what it runs has not told."""
        state = self.state
        state.programs.add(command.name)
        state.dear += PATTERN if is_pattern(command.name) else DEAR.get(command.name, 0)
        findings = judge(command)
        if has_effects(command, state):
            findings += self._left(command, printed)
        for finding in findings:
            state.note(finding, command)
        if not findings:
            self._remark(command)
        if findings or (state.reads_only and not only_reads(command)):
            state.reads_only = False
        state.tell(sql_in(command), command)
        if command.name in SENDERS and not any(one.level >= RiskLevel.HIGH for one in findings):
            state.send(sent_by(command))
        if findings or command.redirects:
            rank = max((finding.level.rank for finding in findings), default=0)
            for target in acted_on(command, findings):
                state.touch(target, rank)
        return self._printed(command) if printed == EMPTY else printed

    def _remark(self, command: Command) -> None:
        """Note that nobody knows the program, or has read the script."""
        if unknown := unknown_program(command, self.state):
            self.state.note(unknown, command)

    def _printed(self, command: Command) -> Flow:
        if not self.heard:
            return EMPTY
        files = self.state.files
        return (held(command, self.state) if files else None) or output_of(command)

    def _left(self, command: Command, printed: Flow) -> list[Finding]:
        """Return what it leaves behind, and what it runs of what others left."""
        effects = Effects(self.state, self.nested)
        builtin = BUILTINS.get(command.name)
        if builtin:
            builtin(effects, command)
        effects.written(command, None if printed == EMPTY else printed)
        return effects.unseen(command) + effects.sent(command)
