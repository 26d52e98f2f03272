"""Branches, loops and declarations: commands that may run, or run again."""

import re
from collections.abc import Iterator
from typing import Any

from holdpoint.core.risk.model import Finding
from holdpoint.core.risk.shell.assignments import EVALUATES, HISTORY_OFF, are_many, declare, turns
from holdpoint.core.risk.shell.grammar import Grammar, Kinds, parse
from holdpoint.core.risk.shell.machine_commands import UNVERIFIED, exports
from holdpoint.core.risk.shell.model import FILL, HOLE, Flow, Origin, joined
from holdpoint.core.risk.shell.preprocessing import mark_documents
from holdpoint.core.risk.shell.scope import Left, is_unread, leads, substitutes
from holdpoint.core.risk.shell.state import Chain
from holdpoint.core.risk.shell.walk import Walk
from holdpoint.messages.risk import RiskLevel

_falls = re.compile(r";;?&")
"""In `case`: the next branch is run as well."""

_ends = re.compile(r"\b(?:break|continue|return|exit)\b")
"""What leaves a loop before its end."""

MAX_LOOPS = 4
"""Loops inside each other of which a second turn is read."""


def branch(reader: Grammar, node: Any, stdin: Flow | None) -> Flow:
    """`if` and `case`: each branch begins with what was known before, and one of them counts."""
    doubt, part = reader.walk.doubt, reader.part(node)
    if _falls.search(part[0]):
        return reader.maybe_run(node, stdin, reader.children)
    files = dict(reader.walk.state.files)
    flows: list[Flow] = []
    branches: list[Left] = []
    every = False
    for sure, group in _groups(node):
        if sure:
            flows += [reader.visit(child, stdin) for child in group]
            continue
        doubt.begin()
        flows += [reader.visit(child, stdin) for child in group]
        branches.append(doubt.undo())
        every |= _is_default(reader, group[0])
    doubt.written(files, part)
    doubt.settle(part, branches if every else [*branches, {}])
    return joined(flows)


def _groups(node: Any) -> Iterator[tuple[bool, list[Any]]]:
    """Yield what is always read of it; then each branch."""
    sure = True
    group: list[Any] = []
    for child in node.children:
        if child.type in _BRANCHES or child.type == "then":
            if group:
                yield sure, group
            sure, group = False, []
            if child.type in _BRANCHES:
                yield False, [child]
        elif child.is_named:
            group.append(child)
    if group:
        yield sure, group


_BRANCHES = frozenset({"elif_clause", "else_clause", "case_item"})


def _is_default(reader: Grammar, node: Any) -> bool:
    """Return whether it runs where no other branch does."""
    if node.type == "else_clause":
        return True
    pattern = reader.text(node).lstrip(" (")
    return node.type == "case_item" and pattern.startswith("*)")


def and_or_list(reader: Grammar, node: Any, stdin: Flow | None) -> Flow:
    """`a && b || c`."""
    chain = Chain(reader.walk.doubt)
    flows: list[Flow] = []
    sign = ""
    for child in _flat(node):
        if child.is_named:
            chain.behind(sign, (reader.source[node.start_byte : child.end_byte], child.start_byte))
            flows.append(reader.visit(child, stdin))
        else:
            sign = child.type if child.type in {"&&", "||"} else "||"
    chain.end()
    return joined(flows)


def _flat(node: Any) -> list[Any]:
    """The parts of a list, and the signs between them; a list begins with another list."""
    behind: list[Any] = []
    while node.type == "list" and node.children:
        behind += reversed(node.children[1:])
        node = node.children[0]
    return [node, *reversed(behind)]


def loop_body(reader: Grammar, node: Any, stdin: Flow | None) -> Flow:
    """A loop that may have no turn, or some: what one leaves, the next begins with."""
    state = reader.walk.state
    text, start = reader.part(node)
    reader.walk.doubt.begin()
    flow = reader.children(node, stdin)
    carried = any(_is_carried(name, text) for name in state.scope.set_now())
    if carried and reader.walk.many > MAX_LOOPS:
        state.stuck = state.stuck or "its loops are nested too deep"
    elif carried and list(state.tried([text])):
        flow = reader.children(node, stdin)
    reader.walk.doubt.end((text, start))
    return flow


def _is_carried(name: str, text: str) -> bool:
    """Whether a turn may read what the one before set: not where each sets it anew, at once."""
    read = min((at for sign in ("$", "${") if (at := text.find(sign + name)) >= 0), default=-1)
    if read < 0:
        return False
    return not 0 <= text.find(f"{name}=") < read or _branches.search(text) is not None


_branches = re.compile(r"\b(?:if|case|while|until|for|eval)\b|&&|\|\||\(\)")
"""What makes it doubtful whether something in a loop's body is set in each turn."""


def may_break(text: str) -> bool:
    """Return whether a loop with this text may end within a turn."""
    return _ends.search(text) is not None


_NOTHING = Flow(Origin.UNKNOWN)
_ends_at_once = re.compile(r"&\s*(?:exit|break|wait)\b")
BOMB = Finding("shell.fork-bomb", RiskLevel.CRITICAL, "starts processes without end", "start")


def loop(reader: Grammar, node: Any, stdin: Flow | None) -> Flow:
    """`for x in …`: the variable has each value, the body runs again and again."""
    name, values, bodies, flow = "", [], [], _NOTHING
    for child in node.children:
        if child.type == "variable_name":
            name = reader.text(child)
        elif child.type == "do_group":
            bodies.append(child)
        elif child.is_named:
            values += reader.walk.expander.words(reader.text(child))
    listed = turns(values)
    if len(listed) < len(values):
        reader.walk.state.scope.guessed.add(name)
    runs = node.children[0].type == "for" and not any(HOLE in value for value in listed)
    for value in reader.walk.state.tried(listed):
        reader.walk.state.scope.put(name, value)
        many = value.endswith(FILL) or are_many(values)
        reader.walk.many += many
        for body in bodies:
            flow = _turn(reader, body, stdin, runs=runs and bool(values))
        reader.walk.many -= many
    return flow


def _turn(reader: Grammar, body: Any, stdin: Flow | None, *, runs: bool) -> Flow:
    """One turn of a loop; unless its values are written out, there may be none."""
    if not runs:
        return loop_body(reader, body, stdin)
    if may_break(reader.text(body)):
        return reader.maybe_run(body, stdin, reader.visit)
    return reader.visit(body, stdin)


def while_loop(reader: Grammar, node: Any, stdin: Flow | None) -> Flow:
    """`while`, `until` and `for ((;;))`; one that starts jobs for ever is a bomb."""
    text = reader.text(node)
    head, _, body = text.partition("do")
    if "((" in head:
        reader.walk.expander.evaluated(head)
    words = head.replace(";", " ").replace("(", " ").replace(")", " ").split()
    idle = not words[1:] or words[1] in {"true", ":", "1", "/usr/bin/true", "/bin/true"} or (
        words[0] == "until" and words[1].rpartition("/")[2] == "false"
    )  # fmt: skip
    ends = _ends_at_once.search(body)
    if idle and not ends and "&" in body.replace("&&", "").replace(">&", "").replace("&>", ""):
        reader.note(node, BOMB, "a fork bomb")
    reader.walk.many += 1
    flow = loop_body(reader, node, stdin)
    reader.walk.many -= 1
    return flow


_fixes = re.compile(r"readonly\b|\w+\s.*-\w*r")
"""What makes a variable read-only: to give it a value fails."""


_exports = re.compile(r"export\b|\w+\s.*-\w*x")
"""What makes a variable one that programs are given."""


def assignment(reader: Grammar, node: Any, _stdin: Flow | None) -> Flow:
    """`x=…`."""
    name = reader.text(node).partition("=")[0].rstrip("+")
    doubtful = name in reader.walk.state.scope.fixed
    if doubtful:
        reader.walk.doubt.begin()
    reader.assigned(node)
    if doubtful:
        reader.walk.doubt.end(reader.part(node))
    return _NOTHING


def declaration(reader: Grammar, node: Any, _stdin: Flow | None) -> Flow:
    """`declare -l x=RM`, `export`, `local`."""
    text = reader.text(node)
    head = _head(reader, node)
    for child in node.children:
        name = ""
        if child.type == "variable_assignment":
            name = reader.assigned(child)
            declare(reader.walk.expander, name, head)
        elif child.is_named:
            name = _named(reader, child, head)
        if name and _fixes.match(head):
            reader.walk.state.scope.fixed.add(name)
        if name and _exports.match(head):
            reader.walk.state.scope.hands_on(name)
    if exports(text):
        reader.note(node, UNVERIFIED, *text.split()[:4])
    return _NOTHING


def _head(reader: Grammar, node: Any) -> str:
    """`declare -l`: what stands before the first name that is given a value."""
    first = next((one for one in node.children if one.type == "variable_assignment"), None)
    return reader.source[node.start_byte : first.start_byte if first else node.end_byte]


def unset(reader: Grammar, node: Any, _stdin: Flow | None) -> Flow:
    """`unset HISTFILE`; a value may be unset on a way that is not taken, and so it stays."""
    names = [_named(reader, child, "") for child in node.children[1:]]
    reader.walk.state.unsure.update(names)
    if "HISTFILE" in names:
        reader.note(node, HISTORY_OFF, "unset", *names)
    return _NOTHING


def _named(reader: Grammar, node: Any, options: str) -> str:
    """A name without a value, however it is quoted; its subscript is evaluated."""
    expander = reader.walk.expander
    name = expander.text(reader.text(node))
    if substitutes(name):
        expander.evaluated(name)
    expander.scope.loads_code |= is_unread(name) or leads(name)
    expander.scope.loads_code |= EVALUATES.search(options) is not None
    if " -i" in options:
        expander.scope.counted.add(name)
    return name


def function(reader: Grammar, node: Any, _stdin: Flow | None) -> Flow:
    """Remember its body; one that starts itself twice, or behind itself, is a bomb."""
    name = body = ""
    for child in node.children:
        if child.type == "word" and not name:
            name = reader.text(child)
        elif child.type == "compound_statement":
            body = reader.text(child)[1:-1]
        elif child.is_named and name:
            body = reader.text(child)
    chained = body.replace("&&", ";").replace("||", ";")
    calls = chained.replace("|", " | ").replace("&", " & ").replace(";", " ; ").split()
    if name in calls and ("|" in calls or "&" in calls):
        reader.note(node, BOMB, "a fork bomb")
        return _NOTHING
    reader.walk.state.define(name, body, sure=not reader.walk.doubt.is_open)
    here = reader.walk.state.here
    reader.walk.doubt.begin()
    reader.walk.within(body)
    reader.walk.doubt.undo()
    reader.walk.state.here = here
    return _NOTHING


_KINDS: Kinds = {
    "test_command": Grammar.test,
    "list": and_or_list,
    "if_statement": branch,
    "case_statement": branch,
    "pipeline": Grammar.pipeline,
    "subshell": Grammar.subshell,
    "compound_statement": Grammar.group,
    "redirected_statement": Grammar.redirected,
    "variable_assignment": assignment,
    "declaration_command": declaration,
    "unset_command": unset,
    "for_statement": loop,
    "while_statement": while_loop,
    "c_style_for_statement": while_loop,
    "function_definition": function,
    "command_substitution": Grammar.substitution,
    "process_substitution": Grammar.substitution,
    "string": Grammar.words,
    "concatenation": Grammar.words,
    "expansion": Grammar.words,
}


def read_tree(walk: Walk, text: str) -> Flow:
    """Read a text by its tree; leniently as well, where the grammar refused a part."""
    root = parse(mark_documents(text))
    if root is None:
        walk.state.stuck = walk.state.stuck or "it is too tangled to be parsed"
        return walk.leniently(text)
    flow = Grammar(walk, text, _KINDS).visit(root, None)
    if root.has_error:
        walk.state.broken_at(walk.depth, len(text))
        walk.leniently(text)
    return flow
