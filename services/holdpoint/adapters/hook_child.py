"""A hook's child: asks the gate about one call of a host, and answers in the host's JSON.

    python -m holdpoint.adapters.hook_child HOST AGENT WAIT_S FOLDER <event >answer

Its supervisor (`hook_supervisor.py`) takes anything but one whole answer for a no.
"""

import asyncio
import os
import secrets
import sys
from pathlib import Path

import msgspec

from holdpoint.adapters.coding_hosts import (
    HOSTS,
    Answer,
    Event,
    Host,
    HostCall,
    call_of,
    failure_of,
    input_of,
    read_event,
)
from holdpoint.adapters.hook_memory import HookMemory, Remembered
from holdpoint.adapters.next_step_of_call import Next, key_of, name_of, step_of, step_of_error
from holdpoint.client import (
    Holdpoint,
    Outcome,
    RefusedError,
    SetupError,
    Status,
    UnavailableError,
)

PATIENCE_S = 10.0
"""A gate that was restarted is back by then; the host's user waits meanwhile."""

VERDICT_S = 8.0
"""For the gate to judge a call. People are waited for afterwards."""

NOTHING_TO_SAY = b"{}"
"""The answer to a host that only told what ran."""

USED_UP = frozenset({Status.DONE, Status.FAILED, Status.LAPSED, Status.BARRED, Status.IN_DOUBT})
"""Ends of a run: the same call, made once more, is a call of its own."""

UNREADABLE = (
    "a hook of {host} cannot read this tool call ({why}). Is it installed for the right host? "
    "`holdpoint hook install {host}` writes it."
)
CHANGED = "A person changed this call and approved it so. Make it with exactly this input instead:"


async def before(
    hp: Holdpoint, host: Host, call: HostCall, memory: HookMemory, wait_s: float
) -> Answer:
    """Answer whether the host may run the call; a call made again uses the yes to the first one.

    Where the host cannot run what a person changed, the changed call uses that yes.
    """
    name = name_of(call.tool, call.arguments, call.session)
    outcome = await _stands(hp, call, memory, name, wait_s)
    step = step_of(outcome, call.arguments)
    if step.next is Next.WAIT:
        url = hp.review_url(step.hold_id)
        where = f" People answer at {url}" if url else ""
        return Answer(allow=False, text=f"{step.text}{where}")
    if outcome.is_judged:
        memory.take(name)
    if step.next is not Next.RUN:
        return Answer(allow=False, text=step.text)
    ran = name_of(call.tool, step.arguments, call.session)
    changed = input_of(call, step.arguments) if step.is_changed else None
    if changed is not None and not host.takes(input_of(call, call.arguments), changed):
        memory.put(ran, Remembered(hold_id=step.hold_id))
        words = msgspec.json.encode(changed).decode()
        return Answer(allow=False, text=f"{CHANGED} {words}")
    await hp.begin(step.hold_id, step.arguments)
    memory.put(_begun(call, ran), Remembered(hold_id=step.hold_id))
    yes = f"Approved in Holdpoint (hold {step.hold_id})." if step.was_asked else ""
    return Answer(allow=True, asked=step.was_asked, text=yes, changed=changed)


async def after(hp: Holdpoint, event: Event, call: HostCall, memory: HookMemory) -> None:
    """Report what the host really ran."""
    name = name_of(call.tool, call.arguments, call.session)
    if hold_id := memory.take(_begun(call, name)).hold_id:
        error = failure_of(event)
        text = error or "The host reports that it ran."
        await hp.finish(hold_id, call.arguments, {"text": text[:1000]}, error[:1000])


def _begun(call: HostCall, name: str) -> str:
    """The name of a run in hand; a host without ids of its calls has one at a time of each."""
    return key_of("begun", call.session, call.use or name)


async def _stands(
    hp: Holdpoint, call: HostCall, memory: HookMemory, name: str, wait_s: float
) -> Outcome:
    """Return how the call stands, within the wait for people: its first try's hold counts."""
    known = memory.find(name)
    outcome = await _known(hp, known.hold_id) if known.hold_id else None
    if outcome is None or outcome.status in USED_UP:
        is_new = outcome is not None or not known.key
        outcome = await _asked(hp, call, memory, name, _key(call, known) if is_new else known.key)
    if outcome.is_pending and outcome.is_judged and not outcome.may_run and wait_s:
        waited = await hp.resume(outcome.hold_id, timeout=wait_s, on_cancel="leave")
        return waited if waited.is_judged else outcome
    return outcome


async def _known(hp: Holdpoint, hold_id: str) -> Outcome | None:
    """Return the state of the first try's hold; None where this gate has no such hold."""
    try:
        return await hp.resume(hold_id, wait=False, timeout=VERDICT_S, on_cancel="leave")
    except RefusedError:
        return None


async def _asked(hp: Holdpoint, call: HostCall, memory: HookMemory, name: str, key: str) -> Outcome:
    """Ask about the call. Its key is remembered first: when no answer comes, a retry asks again."""
    memory.put(name, Remembered(key=key))
    try:
        outcome = await hp.call(
            call.tool, call.arguments, idempotency_key=key, wait=False, on_cancel="leave",
            timeout=VERDICT_S,
        )  # fmt: skip
    except RefusedError:
        memory.take(name)
        raise
    if outcome.is_judged:
        memory.put(name, Remembered(key=key, hold_id=outcome.hold_id))
    return outcome


def _key(call: HostCall, last: Remembered) -> str:
    """The key of a call that is asked about again; a host may send the same call to two hooks."""
    if call.use:
        return key_of(call.session, call.use, last.key, last.hold_id)
    return secrets.token_hex(20)


async def answered(host: str, agent: str, wait_s: float, folder: Path, body: bytes) -> bytes:
    """Return the host's answer to what it sent. After a run there is nothing to answer."""
    dialect, memory = HOSTS[host], HookMemory(folder=folder)
    is_after = False
    try:
        event = _event(dialect, body)
        is_after = event.hook_event_name in dialect.after
        async with Holdpoint.connect(agent, patience_s=PATIENCE_S) as hp:
            if is_after:
                await after(hp, event, call_of(dialect, event), memory)
                return NOTHING_TO_SAY
            answer = await before(hp, dialect, call_of(dialect, event), memory, wait_s)
    except (RefusedError, UnavailableError) as error:
        answer = Answer(allow=False, text=step_of_error(error).text)
    except SetupError as error:
        answer = Answer(allow=False, text=f"Nothing may run until a person mends this: {error}")
    return NOTHING_TO_SAY if is_after else msgspec.json.encode(dialect.answer(answer))


def _event(host: Host, body: bytes) -> Event:
    """Read what the host sent. Raises SetupError for anything that this hook does not answer."""
    try:
        event = read_event(body)
    except ValueError as error:
        raise SetupError(UNREADABLE.format(host=host.name, why=error)) from None
    if event.hook_event_name not in {host.before, *host.after}:
        why = f"{host.name} sends {host.before}, not {event.hook_event_name}"
        raise SetupError(UNREADABLE.format(host=host.name, why=why))
    return event


def main(arguments: list[str]) -> None:
    """Answer on standard output, whole or not at all."""
    host, agent, wait_s, folder = arguments
    body = sys.stdin.buffer.read()
    answer = asyncio.run(answered(host, agent, float(wait_s), Path(folder), body))
    os.write(sys.stdout.fileno(), answer)


if __name__ == "__main__":
    main(sys.argv[1:])
