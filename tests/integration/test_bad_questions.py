"""A question that cannot be read is refused at once, and says why; the next one is answered."""

import pytest
from tests.actors import AgentVoice
from tests.running_system import TENANT, Road

from holdpoint.messages import subjects as s
from holdpoint.messages.codec import decode
from holdpoint.messages.envelope import Envelope, Status

pytestmark = pytest.mark.nats
pytest_plugins = ("tests.system_fixtures",)

SOON_S = 5.0


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"", "bad_json"),
        (b"x", "bad_json"),
        (b"[]", "bad_data"),
        (b"null", "bad_data"),
        (b'{"seq":1e99}', "bad_data"),
        (b"[" * 99, "bad_json"),
        (b'{"seq":-1}', "bad_data"),
        (b'{"seq":"1"}', "bad_data"),
        (b'{"seq":1.5}', "bad_data"),
        (b'{"seq":9007199254740992}', "integer_too_large"),
        (b'{"seq":1,"seq":2}', "duplicate_key"),
        (b'{"wait_s":NaN}', "not_finite"),
        (b'{"known":"maybe"}', "bad_data"),
        (b'{"hold_id":"a.b"}', "bad_data"),
        (b'{"hold_id":"*"}', "bad_data"),
        (b"{}", "bad_data"),
        (b'{"wait_s":1}', "bad_data"),
        (b'{"hold_id":"nope"}', "bad_data"),
        (b'{"hold_id":"NOPENOPENOPENOPENOPENOPEAB","wait_s":9}', "bad_data"),
        (b'{"seq":999999,"wait_s":1}', "unknown_call"),
        (b'{"seq":999999,"hold_id":"aaaaaaaaaaaaaaaaaaaaaaaaaa","wait_s":9}', "unknown_call"),
        (b'{"a":' * 40 + b"1" + b"}" * 40, "too_deep"),
        (b"[" * 100_000 + b"]" * 100_000, "too_deep"),
    ],
)
async def test_a_bad_question_is_refused_with_its_code(
    robot: AgentVoice, body: bytes, code: str
) -> None:
    subject = s.ask_hold_subject(TENANT, robot.name)

    reply = await robot.client.request(subject, body, timeout=SOON_S)

    told = decode(reply.data, Envelope)
    assert (told.status, told.code) == (Status.REFUSED, code)
    assert told.reason


async def test_a_good_question_after_a_bad_one_is_answered(robot: AgentVoice, road: Road) -> None:
    before = road.supervisor.pid("gate")
    subject = s.ask_hold_subject(TENANT, robot.name)
    await robot.client.request(subject, b"nonsense", timeout=SOON_S)

    good = await robot.propose("list_directory", {"path": "."})

    assert (await robot.hears(good, Status.DONE)).status is Status.DONE
    assert road.supervisor.pid("gate") == before
