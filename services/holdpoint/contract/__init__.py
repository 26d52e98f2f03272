"""The contract for any language, written from the code: `schemas/` says what `messages` does."""

import json
from pathlib import Path
from typing import Any

from holdpoint.api.openapi import openapi
from holdpoint.contract.asyncapi import asyncapi
from holdpoint.contract.schemas import confirmation_ui, message_schemas, parts, settings_schemas
from holdpoint.contract.typescript import typescript


def files() -> dict[str, bytes]:
    """Every generated file, by its path under `schemas/`."""
    schemas = message_schemas()
    documents = {
        **{f"v1/{name}.json": schema for name, schema in schemas.items()},
        **{f"config/{name}.json": schema for name, schema in settings_schemas().items()},
        "confirmation_ui.json": confirmation_ui(),
        "asyncapi.json": asyncapi(schemas),
        "openapi.json": openapi(),
    }
    written = {path: _text(document).encode() for path, document in documents.items()}
    return {**written, "holdpoint.d.ts": typescript(parts(), schemas).encode()}


def write(directory: Path) -> list[Path]:
    """Write the files and give their paths; what stands there under another name stays."""
    paths = []
    for name, content in files().items():
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        paths.append(path)
    return paths


def _text(document: dict[str, Any]) -> str:
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"
