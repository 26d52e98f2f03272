"""A LangChain agent whose commands wait for a person: examples/langchain_agent.py COMMAND.

With --deep it is one of deepagents. The model is LangChain's fake one, the agent `coder`.
"""

import subprocess
import sys
from typing import Any

from langchain.agents import create_agent
from langchain_core.language_models.fake_chat_models import FakeMessagesListChatModel
from langchain_core.messages import AIMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from holdpoint.adapters.langchain import HoldpointMiddleware
from holdpoint.client import SyncHoldpoint

if "--deep" in sys.argv:
    from deepagents import create_deep_agent as create_agent


def shell(command: str) -> str:
    """Run a command."""
    return subprocess.getoutput(command)  # noqa: S605


call = {"name": "shell", "args": {"command": sys.argv[1]}, "id": "call-1"}
FakeMessagesListChatModel.bind_tools = lambda self, *_, **__: self  # type: ignore[method-assign]
model = FakeMessagesListChatModel(responses=[AIMessage("", tool_calls=[call]), AIMessage("Done.")])
with SyncHoldpoint.connect("coder") as hp:
    held = HoldpointMiddleware(hp, tools={"shell": "code_host_shell"})
    agent: Any = create_agent(model, [shell], middleware=[held], checkpointer=InMemorySaver())
    thread: Any = {"configurable": {"thread_id": sys.argv[1]}}
    told = agent.invoke({"messages": [("user", "Go on.")]}, thread)
    while paused := told.get("__interrupt__"):
        print("waits:", hold_id := paused[0].value["holdpoint_request_id"], flush=True)
        hp.resume(hold_id)
        told = agent.invoke(Command(resume={"type": "approve"}), thread)
    print(told["messages"][-2].content)
