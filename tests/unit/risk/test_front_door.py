"""The one module of the risk engine that others import gives what its stub says."""

import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from holdpoint.core import risk

STUB = Path(risk.__file__).with_suffix(".pyi")


def test_the_stub_names_what_there_is() -> None:
    imports = ast.parse(STUB.read_text("utf-8")).body
    stubbed = [
        (statement.module, alias.name)
        for statement in imports
        if isinstance(statement, ast.ImportFrom)
        for alias in statement.names
    ]

    assert sorted(name for _, name in stubbed) == sorted(vars(risk)["__all__"])
    for module, name in stubbed:
        assert getattr(risk, name) is getattr(import_module(str(module)), name)


def test_who_looks_in_sees_what_there_is() -> None:
    assert dir(risk) == sorted(vars(risk)["__all__"])
    assert {"assess", "explain", "Context"} <= set(dir(risk))


def test_no_name_is_hidden_by_a_module() -> None:
    modules = {path.stem for path in STUB.parent.iterdir()}

    assert modules.isdisjoint(vars(risk)["__all__"])


def test_an_unknown_name_is_said_to_be_missing() -> None:
    with pytest.raises(AttributeError, match="has no guess"):
        _ = risk.guess  # type: ignore[attr-defined]


def test_judging_actions_loads_no_model() -> None:
    """What only scores sentences takes 40 MB, and waits for the first one."""
    program = (
        "import sys; from holdpoint.core.risk import assess, explain; "
        "sys.exit(not {'numpy', 'onnxruntime'}.isdisjoint(sys.modules))"
    )

    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_the_client_loads_no_reader() -> None:
    """A tool's process that only waits for an answer is not to hold the engine as well."""
    program = "import sys, holdpoint.client; sys.exit('sqlglot' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
