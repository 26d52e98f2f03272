"""A deep agent whose commands wait for a person, on LangChain's own fake model.

python examples/deep_agent.py COMMAND   (the agent `coder` of agents.yaml)
"""

import subprocess
import sys
from typing import Any

from deepagents import create_deep_agent
from langchain_core.language_models.fake_chat_models import FakeMessagesListChatModel
from langchain_core.messages import AIMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from holdpoint.adapters.langchain import HoldpointMiddleware
from holdpoint.client import SyncHoldpoint


def shell(command: str) -> str:
    """Run a command."""
    return subprocess.getoutput(command)  # noqa: S605


call = {"name": "shell", "args": {"command": sys.argv[1]}, "id": "call-1"}
FakeMessagesListChatModel.bind_tools = lambda self, *_, **__: self  # type: ignore[method-assign]
model = FakeMessagesListChatModel(responses=[AIMessage("", tool_calls=[call]), AIMessage("Done.")])
with SyncHoldpoint.connect("coder") as hp:
    # The plan that a deep agent keeps is its own; every other tool is proposed.
    held = HoldpointMiddleware(
        hp, tools={"shell": "code_host_shell"}, interrupt_on={"write_todos": False}
    )
    agent: Any = create_deep_agent(model, [shell], middleware=[held], checkpointer=InMemorySaver())
    thread: Any = {"configurable": {"thread_id": sys.argv[1]}}
    told = agent.invoke({"messages": [("user", "Go on.")]}, thread)
    while paused := told.get("__interrupt__"):
        print("waits:", paused[0].value["holdpoint_request_id"], flush=True)
        hp.resume(paused[0].value["holdpoint_request_id"])
        told = agent.invoke(Command(resume={"type": "approve"}), thread)
    print(told["messages"][-2].content)
