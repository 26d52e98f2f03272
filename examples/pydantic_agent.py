"""A pydantic-ai agent whose commands wait for a person: examples/pydantic_agent.py COMMAND."""

import asyncio
import subprocess
import sys
from typing import Any

from pydantic_ai import Agent, DeferredToolRequests, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import FunctionModel
from pydantic_ai.toolsets import FunctionToolset

from holdpoint.adapters.pydantic_ai import HOLD, HeldToolset, settle
from holdpoint.client import Holdpoint

DONE = ModelResponse(parts=[TextPart("Done.")])
CALL = ModelResponse(parts=[ToolCallPart("code_host_shell", {"command": sys.argv[1]})])
MODEL = FunctionModel(lambda said, _: DONE if len(said) > 1 else CALL)


def code_host_shell(command: str) -> str:
    """Run a command."""
    return subprocess.getoutput(command)  # noqa: S605


async def main() -> None:
    """Run the agent; people's answers settle each pause."""
    async with Holdpoint.connect("coder") as hp:
        tools: Any = HeldToolset(FunctionToolset([code_host_shell]), hp=hp)
        agent: Any = Agent(MODEL, toolsets=[tools], output_type=[str, DeferredToolRequests])
        result = await agent.run("Go on.")
        while isinstance(asked := result.output, DeferredToolRequests):
            print("waits:", *(it[HOLD] for it in asked.metadata.values()), flush=True)
            told = await settle(asked, hp, wait_s=900)
            result = await agent.run(
                message_history=result.all_messages(), deferred_tool_results=told
            )
        print(result.all_messages()[-2].parts[0].content)


asyncio.run(main())
