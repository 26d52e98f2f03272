"""The encoder that reads sentences: MiniLM's six layers and one score, in plain torch."""

import math
from pathlib import Path

import torch
from safetensors.torch import load_file
from torch import Tensor, nn

WIDTH = 384
INNER = 1536
HEADS = 12
LAYERS = 6
POSITIONS = 512
WORDS = 30522
EPSILON = 1e-12


class Layer(nn.Module):
    """One layer of a BERT encoder."""

    def __init__(self) -> None:
        super().__init__()
        self.query, self.key, self.value = (nn.Linear(WIDTH, WIDTH) for _ in range(3))
        self.out = nn.Linear(WIDTH, WIDTH)
        self.out_norm = nn.LayerNorm(WIDTH, eps=EPSILON)
        self.up, self.down = nn.Linear(WIDTH, INNER), nn.Linear(INNER, WIDTH)
        self.down_norm = nn.LayerNorm(WIDTH, eps=EPSILON)
        self.dropout = nn.Dropout(0.1)

    def forward(self, given: Tensor, mask: Tensor) -> Tensor:
        """Return the hidden states after this layer; `mask` is added to attention's scores."""
        query, key, value = (
            self._by_head(part(given)) for part in (self.query, self.key, self.value)
        )
        scores = query @ key.transpose(-1, -2) / math.sqrt(WIDTH / HEADS) + mask
        seen = self.dropout(scores.softmax(-1)) @ value
        mixed = self.out(seen.transpose(1, 2).flatten(2))
        given = self.out_norm(given + self.dropout(mixed))
        more = self.down(nn.functional.gelu(self.up(given)))
        normed: Tensor = self.down_norm(given + self.dropout(more))
        return normed

    def _by_head(self, states: Tensor) -> Tensor:
        return states.unflatten(-1, (HEADS, WIDTH // HEADS)).transpose(1, 2)


class Reader(nn.Module):
    """The score of a sentence, as a logit: above zero is dangerous."""

    def __init__(self) -> None:
        super().__init__()
        self.words = nn.Embedding(WORDS, WIDTH)
        self.places = nn.Embedding(POSITIONS, WIDTH)
        self.kinds = nn.Embedding(2, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, eps=EPSILON)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.dropout = nn.Dropout(0.1)
        self.head = nn.Linear(2 * WIDTH, 1)

    def forward(self, ids: Tensor, mask: Tensor) -> Tensor:
        """Read token ids (batch, length) with a mask of ones where a token stands."""
        kinds = self.kinds.weight[0]
        states = self.words(ids) + self.places.weight[: ids.shape[1]] + kinds
        states = self.dropout(self.norm(states))
        hidden = (1.0 - mask[:, None, None, :].float()) * -1e4
        for layer in self.layers:
            states = layer(states, hidden)
        weight = mask[:, :, None].float()
        mean = (states * weight).sum(1) / weight.sum(1)
        pooled = torch.cat([states[:, 0], mean], dim=1)
        logit: Tensor = self.head(self.dropout(pooled)).squeeze(1)
        return logit


_PLACES = {
    "attention.self.query": "query",
    "attention.self.key": "key",
    "attention.self.value": "value",
    "attention.output.dense": "out",
    "attention.output.LayerNorm": "out_norm",
    "intermediate.dense": "up",
    "output.dense": "down",
    "output.LayerNorm": "down_norm",
}
_EMBEDDINGS = {
    "word_embeddings": "words",
    "position_embeddings": "places",
    "token_type_embeddings": "kinds",
    "LayerNorm": "norm",
}


def pretrained(weights: Path) -> Reader:
    """Return the encoder with the weights of a BERT safetensors file, and a new head."""
    reader, given = Reader(), load_file(weights)
    names = {f"embeddings.{theirs}": ours for theirs, ours in _EMBEDDINGS.items()}
    for layer in range(LAYERS):
        for theirs, ours in _PLACES.items():
            names[f"encoder.layer.{layer}.{theirs}"] = f"layers.{layer}.{ours}"
    state = {
        f"{ours}.{part}": given[f"{theirs}.{part}"]
        for theirs, ours in names.items()
        for part in ("weight", "bias")
        if f"{theirs}.{part}" in given
    }
    missing = reader.load_state_dict(state, strict=False).missing_keys
    if set(missing) != {"head.weight", "head.bias"}:
        raise ValueError(f"{weights} lacks {missing}")
    return reader
