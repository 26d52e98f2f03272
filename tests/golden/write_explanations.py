"""Write what `policy explain` says of each input anew; read the difference before committing it.

`python -m tests.golden.write_explanations`
"""

from collections.abc import Iterator
from pathlib import Path

import msgspec
from tests.unit.risk.builders import the_policy

from holdpoint.policy_lab.explain import explained_line

HERE = Path(__file__).parent / "explain"
INPUTS = HERE / "inputs.jsonl"


def explanations() -> Iterator[tuple[Path, bytes]]:
    """Each golden file, and what should stand in it."""
    for line in INPUTS.read_bytes().splitlines():
        name = msgspec.json.decode(line)["id"]
        told = msgspec.json.format(explained_line(line, the_policy()))
        yield HERE / f"{name}.json", told + b"\n"


if __name__ == "__main__":
    for path, told in explanations():
        path.write_bytes(told)
