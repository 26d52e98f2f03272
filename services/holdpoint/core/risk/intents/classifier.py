"""The learned reader of what agents say: how dangerous a text sounds, from 0 to 1.

The model, its vocabulary and its card lie in `data/reader`; `training/` makes them. It is loaded
when the first sentence is judged, once in a process.
"""

from collections.abc import Mapping
from functools import cache, lru_cache
from hashlib import sha256
from importlib.resources import files
from itertools import accumulate
from typing import Any

import msgspec
from msgspec.structs import replace

from holdpoint.core.risk.intents.plain_text import around, sentences
from holdpoint.core.risk.intents.wordpiece import WordPiece

MAX_PIECES = 94
"""Pieces of words that the model was trained on at once, without those that begin and end them."""

MAX_READ = 800
"""Pieces that are read of a text longer than that: in windows, then sentence by sentence."""

PIECES_OF_A_PASS = 15
"""Pieces that could be read in the time in which a pass begins."""

REMEMBERED = 1024
"""Texts whose pieces and scores are kept: what one thread has scored costs another nothing."""

DOUBTED_FROM = 0.05
"""Score from which a longer text is also read without its first and without its last sentence."""

FEW_PIECES = 48
"""Pieces up to which a text is read so at any score."""

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
    """Score below which a text sounds harmless: a rule that reads words alone asks nobody."""


class Heard(msgspec.Struct, frozen=True, kw_only=True):
    """How dangerous a text sounds."""

    score: float
    """From 0 to 1: of all of it."""

    part_score: float = 0.0
    """The same of the sentence that sounds most dangerous by itself; 0 where there is only one."""

    part: str
    """The most dangerous sentence, or all of it."""

    other_score: float = 0.0
    """The same of the next most dangerous sentence by itself; 0 where there is only one."""

    whole: bool = True
    """False when not every part of it was read."""

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
        self._ids = lru_cache(maxsize=REMEMBERED)(words.ids)
        self.score = lru_cache(maxsize=REMEMBERED)(self._score)

    def hear(self, text: str) -> Heard:
        """Score a plain text, and each of its sentences by itself: none hides behind others."""
        cut = text[:MAX_CHARACTERS]
        if len(cut) < len(text) or len(self._ids(cut)) > MAX_PIECES:
            found = self._hear_long(cut)
            return found if len(cut) == len(text) else replace(found, whole=False)
        score, said = self.score(cut), sentences(cut)
        if len(said) <= 1:
            return Heard(score=score, part=cut)
        scores = [self.score(one) for one in said]
        doubts_from = 0.0 if len(self._ids(cut)) <= FEW_PIECES else DOUBTED_FROM
        doubted = doubts_from <= max(score, *scores) < self.card.raises_at
        rest = map(self.score, around(cut) if doubted else ())  # its first or last may be added
        part = said[scores.index(max(scores))]
        most, other = max(*scores, *rest), sorted(scores)[-2]
        return Heard(score=score, part_score=most, part=part, other_score=other)

    def _hear_long(self, text: str) -> Heard:
        """Score what is longer than one pass in windows, then sentence by sentence."""
        said = sentences(text)
        windows = _windows(said)
        wanted = [*windows, *said]
        parts = self._readable(wanted)
        whole = parts == wanted and all(len(self._ids(one)) <= MAX_PIECES for one in windows)
        scores = [self.score(part) for part in parts]
        most = max(scores, default=0.0)
        part = parts[scores.index(most)] if parts else text
        return Heard(score=most, part_score=most, part=part, whole=whole)

    def _readable(self, parts: list[str]) -> list[str]:
        """Return the first parts, as many as are read in due time."""
        costs = accumulate(len(self._ids(part)) + PIECES_OF_A_PASS for part in parts)
        return [part for part, cost in zip(parts, costs, strict=True) if cost <= MAX_READ]

    def _score(self, text: str) -> float:
        """Score the beginning of a text, as far as one pass goes."""
        import numpy as np  # noqa: PLC0415  # 11 MB, and most processes judge no words

        ids = self._ids(text)[:MAX_PIECES]
        given = np.array([[self._words.first, *ids, self._words.last]], dtype=np.int64)
        (logit,) = self._session.run(None, {"ids": given, "mask": np.ones_like(given)})
        return float(1.0 / (1.0 + np.exp(-float(logit[0]))))


BETWEEN = ". "


def _windows(said: list[str]) -> list[str]:
    """Join neighbouring sentences to parts of about as many words as one pass reads."""
    parts: list[str] = []
    for one in said:
        for at in range(0, max(len(one), 1), WINDOW):
            piece = one[at : at + WINDOW]
            if parts and len(parts[-1]) + len(piece) < WINDOW:
                parts[-1] = f"{parts[-1]}{BETWEEN}{piece}"
            else:
                parts.append(piece)
    return parts


WINDOW = 300
"""Characters of a window: some seventy pieces of English words."""


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
