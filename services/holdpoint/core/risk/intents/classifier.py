"""The learned reader of what agents say: how dangerous a text sounds, from 0 to 1.

The model, its vocabulary and its card lie in `data/reader`; `training/` makes them. It is loaded
when the first sentence is judged, once in a process.
"""

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from hashlib import sha256
from importlib.resources import files
from typing import Any

import msgspec
import numpy as np

from holdpoint.core.risk.intents.wordpiece import WordPiece

MAX_PIECES = 94
"""Pieces of words that the model was trained on at once, without those that begin and end them."""

MAX_PASSES = 8
"""Passes through the model for one text; what they do not reach is not read."""

REMEMBERED = 1024
"""Texts whose scores are kept, so that what one thread has scored costs another nothing."""

MAX_CHARACTERS = 4_000
"""Of a text that is read at all."""

MODEL, VOCABULARY, CARD = "reader.onnx", "vocabulary.txt", "card.json"
_FOLDER = files("holdpoint.core.risk") / "data" / "reader"


class ReaderError(Exception):
    """The learned reader cannot be used; the text says why."""


class Card(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of the model; `card.json` says more to people."""

    sha256: Mapping[str, str]
    raises_at: float
    """Score from which a text is a danger, or one of its sentences, whatever stands around it."""

    vetoes_below: float
    """Score below which a rule that reads words alone does not ask a person."""


class Heard(msgspec.Struct, frozen=True, kw_only=True):
    """How dangerous a text sounds."""

    score: float
    """From 0 to 1: of all of it."""

    part_score: float = 0.0
    """The same of the sentence that sounds most dangerous by itself; 0 where there is only one."""

    part: str
    """The most dangerous sentence, or all of it."""

    whole: bool = True
    """False when it is longer than one pass, or has more sentences than are read."""

    @property
    def most(self) -> float:
        """Return the higher of both scores."""
        return max(self.score, self.part_score)


class Reader:
    """A loaded model."""

    def __init__(self, session: Any, words: WordPiece, card: Card) -> None:
        self.card = card
        self._session = session
        self._words = words
        self.score = lru_cache(maxsize=REMEMBERED)(self._score)

    def hear(self, text: str) -> Heard:
        """Score a text, and each of its sentences by itself: none hides behind the others."""
        cut = text[:MAX_CHARACTERS]
        said = [one for one in _ends.split(cut) if one.strip()]
        fits = len(self._words.ids(cut)) <= MAX_PIECES
        if not fits:
            said = _windows(said)
        parts = said if len(said) > 1 or not fits else []
        scores = [self.score(part) for part in parts[:MAX_PASSES]]
        most = max(scores, default=0.0)
        score = self.score(cut) if fits else most
        around = _around(said) if fits and score < self.card.raises_at else ()
        return Heard(
            score=score,
            part_score=max([most, *map(self.score, around)]),
            part=parts[scores.index(most)] if scores else cut,
            whole=fits and len(parts) <= MAX_PASSES and len(cut) == len(text),
        )

    def _score(self, text: str) -> float:
        """Score the beginning of a text, as far as one pass goes."""
        ids = self._words.ids(text)[:MAX_PIECES]
        given = np.array([[self._words.first, *ids, self._words.last]], dtype=np.int64)
        (logit,) = self._session.run(None, {"ids": given, "mask": np.ones_like(given)})
        return float(1.0 / (1.0 + np.exp(-float(logit[0]))))


def _around(said: list[str]) -> tuple[str, ...]:
    """Join all without the first and without the last sentence: it may have been added."""
    return (" ".join(said[1:]), " ".join(said[:-1])) if len(said) >= LEAST_AROUND else ()


LEAST_AROUND = 3
"""Sentences of a text without one of which more than one is left."""


def _windows(said: list[str]) -> list[str]:
    """Join neighbouring sentences to parts of about as many words as one pass reads."""
    parts: list[str] = []
    for one in said:
        for at in range(0, max(len(one), 1), WINDOW):
            piece = one[at : at + WINDOW]
            if parts and len(parts[-1]) + len(piece) < WINDOW:
                parts[-1] = f"{parts[-1]} {piece}"
            else:
                parts.append(piece)
    return parts


WINDOW = 300
"""Characters of a window: some seventy pieces of English words."""

_ends = re.compile(r"(?<=[.!?;])\s+|(?<=。)|\n+")


@cache
def reader() -> Reader:
    """Return the reader, loaded now if it is not yet; ReaderError if that cannot be."""
    card, content = _files()
    try:
        session = _session(content[MODEL])
    except Exception as error:  # whatever the runtime raises, sentences are judged without it
        raise ReaderError(f"it cannot be loaded: {error}") from error
    return Reader(session, WordPiece(content[VOCABULARY].decode()), card)


def check_files() -> None:
    """Check that the model is there and is the one that its card names; ReaderError if not."""
    _files()


def _files() -> tuple[Card, Mapping[str, bytes]]:
    card = _card()
    content = {name: _read(name) for name in (MODEL, VOCABULARY)}
    for name, held in content.items():
        if sha256(held).hexdigest() != card.sha256.get(name):
            raise ReaderError(f"{name} is not the file that its card names")
    return card, content


def _card() -> Card:
    try:
        return msgspec.json.decode(_read(CARD), type=Card)
    except msgspec.MsgspecError as error:
        raise ReaderError(f"{CARD} cannot be read: {error}") from error


def _read(name: str) -> bytes:
    try:
        return (_FOLDER / name).read_bytes()
    except OSError as error:
        raise ReaderError(f"{name} cannot be read: {error}") from error


def _session(model: bytes) -> Any:
    """One thread and no memory of its own kept: a gate has its cores to share."""
    import onnxruntime  # noqa: PLC0415  # takes 0.1 s and 30 MB, and most processes judge no words

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    options.enable_cpu_mem_arena = False
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
