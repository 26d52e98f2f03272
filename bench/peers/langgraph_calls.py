"""LangGraph with its PostgreSQL checkpointer: a tool call that passes, and one that interrupts.

Each step is stored before the next one begins (`durability="sync"`), as ours is.
"""

import asyncio
import sys
from typing import Any, TypedDict

from bench.peers.measured import p50_s, report
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, interrupt


class State(TypedDict, total=False):
    """A call's arguments and what came of it."""

    number: int
    is_risky: bool
    result: int


def ask(state: State) -> State:
    """Wait for a person where the call is risky."""
    if state["is_risky"] and interrupt({"run": state["number"]}) != "proceed":
        raise RuntimeError("cancelled")
    return {}


def run(state: State) -> State:
    """Run the tool, which does nothing."""
    return {"result": state["number"]}


async def main(url: str) -> None:
    """Measure both kinds of call."""
    async with AsyncPostgresSaver.from_conn_string(url) as saver:
        await saver.setup()
        steps = StateGraph(State).add_node(ask).add_node(run)
        steps.add_edge(START, "ask").add_edge("ask", "run").add_edge("run", END)
        graph = steps.compile(checkpointer=saver)

        async def passing(number: int) -> None:
            told = await graph.ainvoke(
                {"number": number, "is_risky": False}, _thread("pass", number), durability="sync"
            )
            check(told, number)

        async def halted(number: int) -> None:
            thread = _thread("halt", number)
            told = await graph.ainvoke(
                {"number": number, "is_risky": True}, thread, durability="sync"
            )
            if "__interrupt__" not in told:
                raise RuntimeError("nobody was asked")
            told = await graph.ainvoke(Command(resume="proceed"), thread, durability="sync")
            check(told, number)

        report(await p50_s(passing), await p50_s(halted))


def check(told: dict[str, Any], number: int) -> None:
    """Refuse to measure a call that did not run."""
    if told.get("result") != number:
        raise RuntimeError(f"the call did not run: {told}")


def _thread(kind: str, number: int) -> dict[str, Any]:
    return {"configurable": {"thread_id": f"{kind}-{number}"}}


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
