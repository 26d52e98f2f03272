"""The hooks of Gemini CLI and Codex, with everything real but the hosts."""

from pathlib import Path

import pytest
from tests.actors import PersonVoice, StreamEyes
from tests.conformance.hooks import install_for
from tests.conformance.other_hosts import Codex, Gemini, HookedHost
from tests.running_system import Road, fresh

from holdpoint.messages.answer import Change, Choice
from holdpoint.messages.run import Finished

pytestmark = [pytest.mark.nats, pytest.mark.slow]
pytest_plugins = ("tests.conformance.shared_world",)

NOWHERE = "nats://127.0.0.1:9"
every = pytest.mark.parametrize("kind", [Gemini, Codex], ids=["gemini", "codex"])


@pytest.fixture
def host(kind: type[HookedHost], host_road: Road, tmp_path: Path) -> HookedHost:
    return installed(kind, host_road, tmp_path)


def installed(kind: type[HookedHost], road: Road, folder: Path, url: str = "") -> HookedHost:
    environment = install_for(kind.name, folder, road, url=url)
    return kind(folder=folder, environment=environment, session=fresh("session"))


def effect() -> tuple[str, str]:
    mark = fresh("mark")
    return mark, f"echo ran >> {mark}; pytest --version"


def runs(host: HookedHost, mark: str) -> int:
    path = host.folder / mark
    return len(path.read_text().splitlines()) if path.exists() else 0


def hold_in(text: str) -> str:
    return text.partition("as hold ")[2].partition(",")[0]


@every
async def test_a_call_waits_its_retry_uses_the_yes_once_and_is_reported(
    host: HookedHost, host_ann: PersonVoice, host_eyes: StreamEyes
) -> None:
    mark, command = effect()

    asked = await host.use(command)
    hold_id = hold_in(asked.text)
    await host_ann.proceed(await host_ann.card(hold_id))
    retried = await host.use(command)
    again = await host.use(command)

    assert (asked.verdict, retried.verdict, again.verdict) == ("deny", "allow", "deny")
    assert runs(host, mark) == 1
    assert hold_in(again.text) not in {"", hold_id}
    *_, last = await host_eyes.runs(hold_id)
    assert isinstance(last, Finished)
    assert last.executed == {"tool": "code_host_shell", "arguments": {"command": command}}


@every
async def test_a_no_is_told_as_a_no(host: HookedHost, host_ann: PersonVoice) -> None:
    mark, command = effect()
    hold_id = hold_in((await host.use(command)).text)
    await host_ann.cancel(await host_ann.card(hold_id), "Not today.")

    told = await host.use(command)

    assert (told.verdict, runs(host, mark)) == ("deny", 0)
    assert "cancelled" in told.text
    assert "Not today." in told.text


@every
async def test_what_passes_is_left_to_the_hosts_own_rules(host: HookedHost) -> None:
    assert (await host.use("ls -la")).verdict == "allow"


@every
async def test_only_what_a_person_changed_it_to_runs(
    host: HookedHost, host_ann: PersonVoice
) -> None:
    """Codex takes no changed input: it makes the changed call, which uses the same yes."""
    mark, command = effect()
    other, changed = effect()
    hold_id = hold_in((await host.use(command)).text)
    card = await host_ann.card(hold_id)
    change = Change(arguments={"command": changed})
    await host_ann.heard(card, await host_ann.answer(card, Choice.MODIFY, change=change))
    ended = await host_ann.card(hold_id, "resumed")
    await host_ann.proceed(await host_ann.card(ended.superseded_by))

    told = await host.use(command)
    if isinstance(host, Codex):
        assert (told.verdict, runs(host, other)) == ("deny", 0)
        assert changed in told.text
        told = await host.use(changed)

    assert told.verdict == "allow", told.text
    assert (runs(host, mark), runs(host, other)) == (0, 1)
    again = await host.use(changed)
    assert (again.verdict, runs(host, other)) == ("deny", 1)


@every
async def test_a_broker_that_is_down_is_a_no(
    kind: type[HookedHost], host_road: Road, tmp_path: Path
) -> None:
    host = installed(kind, host_road, tmp_path, url=NOWHERE)
    mark, command = effect()

    assert ((await host.use(command)).verdict, runs(host, mark)) == ("deny", 0)
