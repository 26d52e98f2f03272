"""Claude Code's hook with everything real but the host, which follows the documented rules."""

import asyncio
import json
import os
import signal
from collections.abc import Awaitable
from pathlib import Path

import pytest
from tests.actors import PersonVoice, StreamEyes
from tests.conformance.claude_code import ClaudeCode, Ran
from tests.conformance.hooks import CONSOLE, install, install_again
from tests.running_system import Road, fresh
from tests.waiting import eventually

from holdpoint.adapters.hook_supervisor import supervised
from holdpoint.messages.answer import Change, Choice
from holdpoint.messages.run import Finished, RunStatus

NEVER = "a" * 26
"""An id that no hold has."""

pytestmark = [pytest.mark.nats, pytest.mark.slow]
pytest_plugins = ("tests.conformance.shared_world",)


@pytest.fixture
def host(host_road: Road, tmp_path: Path) -> ClaudeCode:
    return install(tmp_path, host_road)


def effect() -> tuple[str, dict[str, str]]:
    """A command that people are asked about, and leaves a line each time."""
    mark = fresh("mark")
    return mark, {"command": f"echo ran >> {mark}; pytest --version", "description": "a try"}


def runs(host: ClaudeCode, mark: str) -> int:
    path = host.folder / mark
    return len(path.read_text().splitlines()) if path.exists() else 0


def hold_in(text: str) -> str:
    return text.partition("as hold ")[2].partition(",")[0]


async def test_a_call_waits_and_its_retry_uses_the_yes_once(
    host: ClaudeCode, host_ann: PersonVoice
) -> None:
    mark, command = effect()

    asked = await host.use("Bash", command)
    hold_id = hold_in(asked.text)
    before = runs(host, mark)
    await host_ann.proceed(await host_ann.card(hold_id))
    retried = await host.use("Bash", command)
    again = await host.use("Bash", command)

    assert (asked.verdict, before) == ("deny", 0)
    assert asked.text.endswith(f" People answer at {CONSOLE}/holds/coder/{hold_id}")
    assert retried.ran, retried.text
    assert "Approved in Holdpoint" in retried.text
    assert (again.verdict, runs(host, mark)) == ("deny", 1)
    assert hold_in(again.text) != hold_id


async def test_what_really_ran_is_reported(
    host: ClaudeCode, host_ann: PersonVoice, host_eyes: StreamEyes
) -> None:
    mark, command = effect()
    hold_id = hold_in((await host.use("Bash", command)).text)
    await host_ann.proceed(await host_ann.card(hold_id))

    await host.use("Bash", command)

    *_, last = await host_eyes.runs(hold_id)
    assert isinstance(last, Finished)
    assert last.status in {RunStatus.DONE, RunStatus.FAILED}
    assert last.executed == {"tool": "code_host_shell", "arguments": command}
    assert mark in str(last.executed)


async def test_what_passes_is_left_to_the_hosts_own_rules(host: ClaudeCode) -> None:
    look = await host.use("Bash", {"command": "ls -la"})
    guarded = await host.use("Bash", {"command": "git push origin main"})

    assert look.ran
    assert guarded.verdict in {"deny", "ask"}


async def test_a_no_is_told_as_a_no_and_silence_as_silence(
    host: ClaudeCode, host_ann: PersonVoice
) -> None:
    mark, command = effect()
    hold_id = hold_in((await host.use("Bash", command)).text)
    await host_ann.cancel(await host_ann.card(hold_id), "Not today.")

    told = await host.use("Bash", command)

    assert (told.verdict, runs(host, mark)) == ("deny", 0)
    assert "cancelled" in told.text
    assert "Not today." in told.text


async def test_what_a_person_changed_replaces_the_hosts_input(
    host: ClaudeCode, host_ann: PersonVoice
) -> None:
    mark, command = effect()
    other, changed = effect()
    hold_id = hold_in((await host.use("Bash", command)).text)
    card = await host_ann.card(hold_id)
    change = Change(arguments={"command": changed["command"]})
    await host_ann.heard(card, await host_ann.answer(card, Choice.MODIFY, change=change))
    ended = await host_ann.card(hold_id, "resumed")
    await host_ann.proceed(await host_ann.card(ended.superseded_by))

    told = await host.use("Bash", command)

    assert told.ran, told.text
    assert told.input == changed
    assert (runs(host, mark), runs(host, other)) == (0, 1)


async def test_the_killed_child_is_a_no(host_road: Road, tmp_path: Path) -> None:
    """SIGKILL of the child, which the supervisor started, while it waits for people."""
    host = install(tmp_path, host_road, wait_s=60)
    mark, command = effect()
    started: list[int] = []
    host.on_hook = started.append
    task = host.use("Bash", command)

    async def kill() -> None:
        async def child() -> int:
            return _descendant(started[-1], "hook_child") if started else 0

        os.kill(await eventually(child), signal.SIGKILL)

    told, _ = await _together(task, kill())

    assert (told.verdict, runs(host, mark)) == ("deny", 0)
    assert "gave no answer" in told.text


async def test_the_killed_supervisor_is_a_no(host_road: Road, tmp_path: Path) -> None:
    """The shell around it ends with 2, which the host takes for a no."""
    host = install(tmp_path, host_road, wait_s=60)
    mark, command = effect()
    started: list[int] = []
    host.on_hook = started.append

    async def kill() -> None:
        async def supervisor() -> int:
            child = _descendant(started[-1], "hook_child") if started else 0
            return _parent(child) if child else 0

        os.kill(await eventually(supervisor), signal.SIGKILL)

    told, _ = await _together(host.use("Bash", command), kill())

    assert (told.verdict, runs(host, mark)) == ("deny", 0)


async def test_a_broker_that_is_down_is_a_no(host_road: Road, tmp_path: Path) -> None:
    host = install(tmp_path, host_road, url="nats://127.0.0.1:9")
    mark, command = effect()

    told = await host.use("Bash", command)

    assert (told.verdict, runs(host, mark)) == ("deny", 0)


async def test_a_hold_is_named_only_once_there_is_one_and_a_retry_finds_it(
    host_road: Road, host_ann: PersonVoice, tmp_path: Path
) -> None:
    """A gate that stands still judges nothing; it judges the first try once it goes on."""
    host = install(tmp_path, host_road, wait_s=1)
    mark, command = effect()

    with host_road.paused("gate"):
        first = await host.use("Bash", command)
    second = await host.use("Bash", command)
    hold_id = hold_in(second.text)
    await host_ann.proceed(await host_ann.card(hold_id))
    third = await host.use("Bash", command)

    assert (first.verdict, hold_in(first.text)) == ("deny", "")
    assert "Nobody was asked yet, and nothing ran" in first.text
    assert third.ran, third.text
    assert runs(host, mark) == 1


async def test_a_hold_of_another_holdpoint_is_not_waited_for(host: ClaudeCode) -> None:
    """What the hook remembers outlives the system that it was about."""
    _, command = effect()
    first = hold_in((await host.use("Bash", command)).text)
    (known,) = (host.folder / "hooks").glob("[0-9a-f]*")
    known.write_text(known.read_text().replace(first, NEVER))

    told = await host.use("Bash", command)

    assert (told.verdict, hold_in(told.text)) == ("deny", first)


@pytest.mark.parametrize(
    "script",
    [
        "exit 1",
        "printf '{}'; exit 3",
        "kill -9 $$",
        "echo rubbish",
        "echo '[]'",
        "printf '{\"a\":'",
        "sleep 60",
    ],
)
def test_whatever_the_child_does_is_a_no(
    script: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("holdpoint.adapters.hook_supervisor.MARGIN_S", 0.5)
    event = {"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {}}

    answer = supervised(
        "claude-code", "coder", 0, tmp_path, json.dumps(event).encode(), ("sh", "-c", script, "sh")
    )

    assert json.loads(answer)["hookSpecificOutput"]["permissionDecision"] == "deny"


def test_installing_keeps_what_was_there_and_twice_is_once(host: ClaudeCode) -> None:
    """The fixture installed it already; others' hooks and rules stay."""
    settings = host.settings
    settings["hooks"]["PreToolUse"].insert(0, {"matcher": "Bash", "hooks": [{"command": "true"}]})
    settings["model"] = "opus"
    host.settings_path.write_text(json.dumps(settings))

    shown = json.loads(install_again(host, 5.0, "--dry-run"))
    before = host.settings
    install_again(host, 5.0)
    once = host.settings
    install_again(host, 5.0)

    assert before == settings
    assert shown == once == host.settings
    assert once["model"] == "opus"
    assert [len(once["hooks"][it]) for it in ("PreToolUse", "PostToolUse")] == [2, 1]
    assert once["permissions"]["allow"] == ["Bash"]
    hook = once["hooks"]["PreToolUse"][1]["hooks"][0]
    assert hook["command"].endswith("|| exit 2")
    assert (hook["timeout"] > 20, hook["onFailure"]) == (True, "block")


async def _together(use: Awaitable[Ran], kill: Awaitable[None]) -> tuple[Ran, None]:
    return await asyncio.gather(use, kill)


def _descendant(pid: int, word: str) -> int:
    """The process below this one whose command line has the word; 0 while there is none."""
    for child in _children(pid):
        line = _read(f"/proc/{child}/cmdline")
        if word in line:
            return child
        if found := _descendant(child, word):
            return found
    return 0


def _children(pid: int) -> list[int]:
    return [int(it) for it in _read(f"/proc/{pid}/task/{pid}/children").split()]


def _parent(pid: int) -> int:
    return int(_read(f"/proc/{pid}/stat").rpartition(")")[2].split()[1])


def _read(path: str) -> str:
    try:
        return Path(path).read_text()
    except OSError:
        return ""
