"""An agent of the OpenAI Agents SDK whose commands wait for a person, on its scripted model.

python examples/openai_agent.py COMMAND   (the agent `coder` of agents.yaml)
"""

import asyncio
import subprocess
import sys
import uuid

from agents import Agent, RunConfig, Runner, function_tool
from agents.testing import ScriptedModel, assistant_message, function_call

from holdpoint.adapters.openai_agents import guarded, hold_of, settle
from holdpoint.client import Holdpoint


@function_tool
def code_host_shell(command: str) -> str:
    """Run a command."""
    return subprocess.getoutput(command)  # noqa: S605


async def main(command: str) -> None:
    """Run the agent; each pause is settled by the people's answer."""
    call = function_call("code_host_shell", {"command": command}, call_id=uuid.uuid4().hex)
    model = ScriptedModel([[call], [assistant_message("Done.")]])
    quiet = RunConfig(tracing_disabled=True)
    async with Holdpoint.connect("coder") as hp:
        agent = Agent(name="coder", model=model, tools=[guarded(code_host_shell, hp)])
        result = await Runner.run(agent, "Go on.", run_config=quiet)
        while result.interruptions:
            print("waits:", await hold_of(result.interruptions[0], hp), flush=True)
            state = result.to_state()
            await settle(state, hp, wait_s=900)
            result = await Runner.run(agent, state, run_config=quiet)
        print(result.to_input_list()[-2]["output"])


asyncio.run(main(sys.argv[1]))
