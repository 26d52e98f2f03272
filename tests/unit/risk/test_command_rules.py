"""Command rules: every example says what its rule says, and no tool is listed twice."""

import tomllib
from collections import Counter

import msgspec
import pytest

from holdpoint.core.risk.knowledge import (
    data_file,
    entry,
    read_tools,
    texts_in,
    tool_names,
    tool_rules,
)
from holdpoint.core.risk.shell.analyzer import analyze_shell
from holdpoint.messages.command_rules import CommandRule, ToolRules
from holdpoint.messages.risk import RiskLevel

FILES = texts_in("commands")
TOOLS = {
    name: tool for file, text in FILES.items() for name, tool in read_tools(text, file).items()
}


def rules_in(text: str) -> dict[str, RiskLevel]:
    """What a command carries, by the ids of its rules."""
    return {signal.rule: signal.level for signal in analyze_shell(text).signals}


def raised_by(rule: CommandRule, text: str) -> bool:
    """Whether a command carries a rule's danger; of a harmless one, any grave danger."""
    found = rules_in(text)
    if rule.danger:
        return rule.danger.id in found
    return any(level >= RiskLevel.HIGH for level in found.values())


@pytest.mark.parametrize("text", FILES.values(), ids=FILES)
def test_each_rule_has_examples(text: str) -> None:
    """One that carries its danger; what does not is in `silent`, or one of the plain lines."""
    for name, tool in read_tools(text).items():
        for rule in tool.rules:
            assert rule.fires or not rule.danger, (name, rule)
            assert rule.silent or rule.danger, (name, rule)


def plain_lines(tool: ToolRules) -> list[str]:
    """What carries no danger whatever the tool: how it asks for help, or for a list."""
    firsts = [word for rule in tool.rules for word in rule.subcommands or ("*",)]
    return ["--help"] if any(word[0] == "*" for word in firsts) else ["--help", "list"]


def test_no_tool_is_dangerous_that_only_tells() -> None:
    """Lines that every tool has: `silent` names only what is not said by these."""
    wrong, needless = [], []
    for tool, rules in TOOLS.items():
        own = {rule.danger.id for rule in rules.rules if rule.danger}
        lines = [f"{name} {line}" for name in (tool, *rules.also) for line in plain_lines(rules)]
        wrong += [line for line in lines if own & rules_in(line).keys()]
        needless += [line for line in rules.silent if line in lines]
    assert wrong == []
    assert needless == [], "take these out of `silent`: every program is asked for them"


@pytest.mark.parametrize("text", FILES.values(), ids=FILES)
def test_examples_fire_and_stay_silent(text: str) -> None:
    """Each example says what it is there for."""
    wrong = [
        (name, example, rule.danger)
        for name, tool in read_tools(text).items()
        for rule in tool.rules
        for examples, fires in ((rule.fires, True), ((*rule.silent, *tool.silent), False))
        for example in examples
        if raised_by(rule, example) != fires
    ]
    assert wrong == []


def test_examples_of_groups_fire_and_stay_silent() -> None:
    """Each rule of a group of programs has one example that fires, and one that does not."""
    wrong = [
        (name, example)
        for name, group in data_file("rules/groups").items()
        for rule in msgspec.convert(group["rules"], list[CommandRule])
        for examples, fires in ((rule.fires, True), (rule.silent, False))
        for example in examples or ("",)
        if raised_by(rule, example) != fires
    ]
    assert wrong == []


def test_no_tool_is_listed_twice() -> None:
    """A tool has one table, under its name or among the others of one that is alike."""
    counted = Counter(name for text in FILES.values() for name in tomllib.loads(text))
    counted.update(other for tool in TOOLS.values() for other in tool.also)
    assert [name for name, times in counted.items() if times > 1] == []
    assert counted.keys() == tool_names()


def test_no_rule_of_a_tool_is_listed_twice() -> None:
    """Subcommands with the same outcome stand in one rule."""
    for name, tool in TOOLS.items():
        outcomes = Counter(
            (rule.options, rule.unless, rule.patterns, rule.danger) for rule in tool.rules
        )
        assert [one for one, times in outcomes.items() if times > 1] == [], name


def test_a_part_of_a_file_reads_like_the_whole() -> None:
    """A tool's rules are parsed alone when they are asked for: the same as with their file."""
    assert {name: tool_rules(name) for name in TOOLS} == TOOLS
    also = {other: tool for tool in TOOLS.values() for other in tool.also}
    assert {name: tool_rules(name) for name in also} == also


def test_an_unknown_field_is_refused() -> None:
    """A word that is misspelled decides nothing in silence."""
    with pytest.raises(ValueError, match="unknown field"):
        read_tools("[tool]\noption = '-x'\n")
    assert tool_rules("no-such-tool") is None
    assert read_tools("[tool]\n") == {"tool": ToolRules()}


def test_no_wrapper_is_listed_twice() -> None:
    """A program that runs another one has one entry."""
    named = [entry("wrappers:plain"), *entry("wrappers:wrappers")]
    counted = Counter(" ".join(named).split())
    assert [name for name, times in counted.items() if times > 1] == []


def test_a_mistake_in_a_file_is_told_with_its_name() -> None:
    with pytest.raises(tomllib.TOMLDecodeError, match=r"^data/commands/a[.]toml: .*twice"):
        read_tools("[tool]\n[tool]\n", "commands/a.toml")
    with pytest.raises(ValueError, match=r"^data/commands/a[.]toml: .*unknown field"):
        read_tools("[tool]\noption = '-x'\n", "commands/a.toml")
