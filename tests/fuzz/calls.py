"""Other ways to make the same tool call."""

import base64
import json
import re

from tests.fuzz.disguise import Disguise, Reworded, Reworked, of_payload

from holdpoint.messages.base import JsonObject
from holdpoint.policy_lab.cases import LineKind


def _named(change: Reworded) -> Reworked:
    """Another name, where nothing invisible stands in it yet."""

    def reworked(payload: JsonObject) -> JsonObject:
        name = str(payload.get("tool", ""))
        return payload | {"tool": change(name)} if name.isascii() else payload

    return reworked


def _held(change: Reworked) -> Reworked:
    """Another dress of the arguments, where there are any."""

    def reworked(payload: JsonObject) -> JsonObject:
        held = payload.get("args")
        return payload | {"args": change(held)} if isinstance(held, dict) else payload

    return reworked


def _words(name: str) -> list[str]:
    parted = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name)
    return re.findall(r"[A-Za-z0-9]+", parted)


def _snake(name: str) -> str:
    return "_".join(_words(name)).lower()


def _camel(name: str) -> str:
    return "".join(word.capitalize() for word in _words(name))


def _keys(change: Reworded, held: object) -> object:
    if isinstance(held, dict):
        return {change(key): _keys(change, value) for key, value in held.items()}
    return [_keys(change, one) for one in held] if isinstance(held, list) else held


def _rekeyed(change: Reworded) -> Reworked:
    return _held(lambda held: {change(key): _keys(change, value) for key, value in held.items()})


def _values(change: Reworded, held: object) -> object:
    """Numbers in another dress; yes and no are none."""
    if isinstance(held, dict):
        return {key: _values(change, value) for key, value in held.items()}
    if isinstance(held, list):
        return [_values(change, one) for one in held]
    return change(str(held)) if isinstance(held, int | float) and held is not True else held


def _numbers(change: Reworded) -> Reworked:
    return _held(lambda held: {key: _values(change, value) for key, value in held.items()})


def _full_width(text: str) -> str:
    return "".join(chr(ord(sign) + 0xFEE0) if sign.isdigit() else sign for sign in text)


def _passed_on(payload: JsonObject) -> JsonObject:
    beside = {key: value for key, value in payload.items() if key not in {"tool", "args"}}
    inside = {"name": payload.get("tool"), "arguments": payload.get("args", beside)}
    return {"tool": "call_tool", "args": inside}


def _passed_as_text(payload: JsonObject) -> JsonObject:
    return {"tool": "invoke", "args": {"input": json.dumps(payload)}}


def _batched(payload: JsonObject) -> JsonObject:
    harmless = {"tool": "get_time", "args": {}}
    return {"tool": "batch", "args": {"calls": [harmless, payload]}}


def _stepped(payload: JsonObject) -> JsonObject:
    return {"tool": "workflow.run", "args": {"steps": [{"id": 1, "call": payload}]}}


def _rpc(payload: JsonObject) -> JsonObject:
    order = {"jsonrpc": "2.0", "method": "tools/call"}
    return {"tool": "mcp", "args": order | {"params": _passed_on(payload)["args"]}}


def _coded(held: JsonObject) -> JsonObject:
    return {"data": base64.b64encode(json.dumps(held).encode()).decode()}


PAYLOADS: dict[str, Reworked] = {
    "arguments as text": _held(lambda held: {"payload": json.dumps(held)}),
    "text in text": _held(lambda held: {"body": json.dumps({"payload": json.dumps(held)})}),
    "spaced text": _held(lambda held: {"input": f"\n {json.dumps(held, indent=2)} \n"}),
    "coded text": _held(_coded),
    "list of one": _held(lambda held: {"items": [held]}),
    "deeper": _held(lambda held: {"request": {"body": {"params": held}}}),
    "graver beside harmless": _held(lambda held: {"note": "routine", "urgent": False} | held),
    "harmless last": _held(lambda held: held | {"requested_by": "the team", "dry_run": False}),
    "twice": _held(lambda held: {"first": {}, "second": held}),
    "camel keys": _rekeyed(lambda key: re.sub(r"_([a-z])", lambda found: found[1].upper(), key)),
    "snake keys": _rekeyed(_snake),
    "upper keys": _rekeyed(str.upper),
    "dashed keys": _rekeyed(lambda key: _snake(key).replace("_", "-")),
    "numbers as text": _numbers(str),
    "blanks round numbers": _numbers(" {} ".format),
    "full width": _numbers(_full_width),
    "snake name": _named(_snake),
    "camel name": _named(_camel),
    "dashed name": _named(lambda name: _snake(name).replace("_", "-")),
    "dotted name": _named(lambda name: _snake(name).replace("_", ".")),
    "upper name": _named(lambda name: _snake(name).upper()),
    "prefixed name": _named("mcp__server__{}".format),
    "space of names": _named("functions.{}".format),
    "suffixed name": _named(lambda name: f"{_camel(name)}Tool"),
    "version": _named("{}_v2".format),
    "invisible": _named(lambda name: f"{name[:3]}\u200b{name[3:]}"),
    "look-alike": _named(lambda name: name.replace("e", "\u0435").replace("a", "\u0430")),
    "blanks": _named(" {} ".format),
    "passed on": _passed_on,
    "passed as text": _passed_as_text,
    "batch": _batched,
    "workflow": _stepped,
    "rpc": _rpc,
}

CALLS: tuple[Disguise, ...] = of_payload(LineKind.TOOL_CALL, PAYLOADS)
