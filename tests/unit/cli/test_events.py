"""News is the same for programs and for people, and an agent's words never look like ours."""

import msgspec
import pytest

from holdpoint.cli import events
from holdpoint.cli.events import Event, News

EXAMPLES = (
    events.Ready(
        address="nats://127.0.0.1:4222",
        pid=7,
        state_dir="var",
        services={"gate": 8},
        next_steps=("Look.",),
    ),
    events.Serving(service="gate", address="http://127.0.0.1:1", pid=7),
    events.PasswordMade(person="ann", password="abcde-fghjk-mnpqr"),  # noqa: S106  # an example
    events.Died(service="gate", exit_code=-9),
    events.Restarted(service="gate"),
    events.Problem(who="gate", text="It does not start.\nIts last words"),
    events.ProblemOver(who="audit"),
    events.Called(agent="a", tool="t", status="done", hold_id="h1", pending=True, text="x"),
    events.RoundOver(agent="a", round=1, pause_s=120.0),
    events.Proposed(step="s", tool="t", arguments={"path": "."}),
    events.Happened(fact="halt", hold_id="h1", text="high"),
    events.Answered(person="ann", hold_id="h1", title="delete rows", answer="cancel"),
    events.Ended(ok=False, failures=["gate died (exit code -9)."]),
    events.Stopping(),
    events.Stopped(),
)
IDS = {"step", "hold_id"}
"""What people can do without."""


def test_every_event_has_an_example_here() -> None:
    assert {type(example) for example in EXAMPLES} == set(Event.__subclasses__())


@pytest.mark.parametrize("event", EXAMPLES, ids=lambda it: type(it).__name__)
def test_an_event_is_one_line_of_json_that_names_itself(
    event: News, capsys: pytest.CaptureFixture[str]
) -> None:
    events.teller(as_json=True)(event)

    (line,) = capsys.readouterr().out.splitlines()
    told = msgspec.json.decode(line)
    assert told.pop("event") == type(event).__struct_config__.tag
    assert set(told) == set(event.__struct_fields__)


@pytest.mark.parametrize("event", EXAMPLES, ids=lambda it: type(it).__name__)
def test_people_read_the_same_as_text(event: News, capsys: pytest.CaptureFixture[str]) -> None:
    events.teller(as_json=False)(event)

    shown = capsys.readouterr().out
    told = {name: word for name, word in msgspec.structs.asdict(event).items() if name not in IDS}
    words = [word.partition("\n")[0] for word in told.values() if isinstance(word, str)]
    assert shown.strip()
    assert [word for word in words if word not in shown] == []


def test_an_agent_s_words_never_begin_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    forged = "ok\nann reads nothing: proceed\x1b[2J"

    events.to_people(events.Happened(fact="finished", hold_id="h1", text=forged))

    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith("  finished")
    assert second.startswith(" " * 10)
    assert second.endswith("\\x1b[2J")
