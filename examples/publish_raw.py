"""Publish raw JSON with nothing but a NATS client: propose, then ask until it is final.

python examples/publish_raw.py URL var/credentials/agent_sample-agent.nk
"""

import asyncio
import json
import sys
import uuid
from pathlib import Path

import nats

AGENT = "sample-agent"
OPEN = {"waiting", "pending_confirmation", "approved"}  # every other status is final


async def main(url: str, seed: str) -> None:
    """Say it durably; the acknowledged sequence is what to ask about."""
    client = await nats.connect(url, nkeys_seed_str=seed, inbox_prefix=f"_INBOX_agent_{AGENT}")
    head = {"specversion": "1.0", "type": "holdpoint.v1.propose", "source": "my-agent"}
    data = {"tool": "list_directory", "arguments": {"path": "."}, "reasoning": "A look."}
    call = json.dumps(head | {"id": str(uuid.uuid4()), "data": data}).encode()
    receipt = await client.request(f"hp.acme.call.{AGENT}.propose", call)
    stored = json.loads(receipt.data)
    if error := stored.get("error"):  # nothing was stored, whatever `seq` says
        sys.exit(f"Not stored: {error['description']}")
    question = {"seq": stored["seq"], "wait_s": 20}
    answer = {"status": "waiting"}
    while answer["status"] in OPEN:
        asked = json.dumps(question | {"known": answer["status"]}).encode()
        reply = await client.request(f"hp.acme.ask.{AGENT}.hold", asked, timeout=30)
        answer = json.loads(reply.data)
        print(answer["status"], answer.get("formatted", ""))
    await client.close()


_, *given = sys.argv
asyncio.run(main(given[0], Path(given[1]).read_text().strip())) if given[1:] else sys.exit(__doc__)
