"""The agent with a model: pydantic-ai's own test model calls what the catalog offers."""

import json
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any, cast

import pytest
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import FunctionModel
from pydantic_ai.models.test import TestModel

from holdpoint.client import Holdpoint, Outcome, Status, ToolDefinition, UnavailableError
from holdpoint.coordinator.calls import Calls
from holdpoint.coordinator.choices import UnclearError
from holdpoint.coordinator.model_agent import ModelAgent
from holdpoint.coordinator.workflows import ModelSettings
from holdpoint.messages.request import AgentRequest
from holdpoint.runtime.process import clock

SCHEMA = {
    "type": "object",
    "properties": {"customer_id": {"type": "string"}},
    "required": ["customer_id"],
    "additionalProperties": False,
}
TOOL = ToolDefinition(
    name="list_things", description="List things.", domain="d", level=1, schema=SCHEMA, version="1"
)


@dataclass
class Line:
    """An agent whose gate lets everything pass, or asks people."""

    status: Status = Status.DONE
    called: list[dict[str, Any]] = field(default_factory=list)

    async def search_tools(self, **_: Any) -> tuple[ToolDefinition, ...]:
        return (TOOL,)

    async def call(self, tool: str, arguments: dict[str, Any], **more: Any) -> Outcome:
        self.called.append({"tool": tool, "arguments": arguments, **more})
        return Outcome(status=self.status, formatted="One thing.", hold_id="h")


def calls_on(line: Line) -> Calls:
    request = AgentRequest(
        user_id="ann", message="list things", conversation_history=(), request_id=clock.new_id()
    )
    return Calls(hp=cast("Holdpoint", line), request=request)


async def test_its_tools_are_those_of_the_catalog_and_each_call_is_for_the_person() -> None:
    line = Line()
    text = await ModelAgent(TestModel()).answer(calls_on(line), "list things", {})
    (called,) = line.called
    assert called["tool"] == "list_things"
    assert called["arguments"].keys() == {"customer_id"}
    assert called["on_behalf_of"] == "ann"
    assert "One thing." in text


async def test_what_waits_is_told_whatever_the_model_says() -> None:
    line = Line(status=Status.PENDING_CONFIRMATION)
    agent = ModelAgent(TestModel(custom_output_text="All done!"))
    text = await agent.answer(calls_on(line), "list things", {})
    assert "list_things waits for a confirmation." in text


async def test_a_model_that_never_ends_asks_back_after_six_calls() -> None:
    def endless(messages: Any, _: Any) -> ModelResponse:
        return ModelResponse(
            parts=[ToolCallPart("list_things", {"customer_id": str(len(messages))})]
        )

    line = Line()
    with pytest.raises(UnclearError, match="smaller steps"):
        await ModelAgent(FunctionModel(endless)).answer(calls_on(line), "list things", {})
    assert len(line.called) <= 6


async def test_a_question_back_calls_nothing() -> None:
    def asks(_: Any, __: Any) -> ModelResponse:
        return ModelResponse(parts=[TextPart("Which things?")])

    line = Line()
    text = await ModelAgent(FunctionModel(asks)).answer(calls_on(line), "list", {})
    assert text == "Which things?"
    assert line.called == []


class Stub(BaseHTTPRequestHandler):
    """An OpenAI-compatible endpoint: it asks for one tool, then tells what that said."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        answered = [it for it in body["messages"] if it["role"] == "tool"]
        message: dict[str, Any] = {"role": "assistant", "content": "You have one thing."}
        if not answered:
            function = {"name": body["tools"][0]["function"]["name"],
                        "arguments": json.dumps({"customer_id": "CUS-1"})}  # fmt: skip
            call = {"id": "c1", "type": "function", "function": function}
            message = {"role": "assistant", "content": None, "tool_calls": [call]}
        choice = {"index": 0, "message": message,
                  "finish_reason": "stop" if answered else "tool_calls"}  # fmt: skip
        told = json.dumps(
            {"id": "1", "object": "chat.completion", "created": 1, "model": "m",
             "choices": [choice],
             "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}}
        ).encode()  # fmt: skip
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(told)))
        self.end_headers()
        self.wfile.write(told)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  # the parent's name
        """Requests are no news."""


async def test_any_openai_compatible_endpoint_may_answer() -> None:
    line = Line()
    with HTTPServer(("127.0.0.1", 0), Stub) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}/v1"
        agent = ModelAgent.on(ModelSettings(base_url=url, name="m"))
        text = await agent.answer(calls_on(line), "list things", {"customer_id": "CUS-1"})
        server.shutdown()
    assert text == "You have one thing."
    assert line.called[0]["arguments"] == {"customer_id": "CUS-1"}


async def test_an_endpoint_that_is_away_is_told_as_that() -> None:
    agent = ModelAgent.on(ModelSettings(base_url="http://127.0.0.1:9/v1", name="m"))
    with pytest.raises(UnavailableError):
        await agent.answer(calls_on(Line()), "list things", {})
