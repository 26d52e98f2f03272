"""Workflows as data: `coordinator.yaml`, what is done for each intent."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import Field, model_validator

from holdpoint.messages.base import ID_PATTERN
from holdpoint.runtime.config.yaml_files import Part, read

COORDINATOR_FILE = "coordinator.yaml"

Id = Annotated[str, Field(pattern=ID_PATTERN)]
Variable = Annotated[str, Field(pattern=r"^\$[a-z_]{1,64}$")]


class Pick(Part):
    """Choice of one row of an earlier step's list."""

    of: Variable
    said: Variable
    """What the sentence says about it; without that, `usual` decides."""

    field: str
    """The row's field that becomes the value."""

    into: Id
    by: list[str]
    """The row's fields in which the words stand."""

    called: str
    """As people call it, for the question back."""

    only: str = ""
    """Sentence beside the question where no row is meant: the choices that there are at all."""

    usual: dict[str, str] = {}
    named_inside: bool = False
    """True if the first of `by` may stand among other words of what is said: a shop's name."""


class InCurrency(Part):
    """Completion of an amount without a currency: with the one that every account is kept in."""

    amount: Variable
    of: Variable
    """The accounts."""

    field: str
    """The currency in one of them: `balance.currency`."""

    name: str
    """Its field for the question back, where they are kept in several."""


class AgentStep(Part):
    """A tool that an agent calls for a delegated query."""

    agent: Id
    tool: Id
    arguments: dict[str, Any] = {}


class Step(Part):
    """One step: a tool, a choice, a currency, or a delegation."""

    tool: Id | None = None
    arguments: dict[str, Any] = {}
    keep: dict[Id, str] = {}
    """Values of the result's data, by the name that later steps know them by."""

    each: Variable | None = None
    """Rows for each of which the tool is called, with the row's fields; what is kept is joined."""

    pick: Pick | None = None
    currency: InCurrency | None = None
    delegate: Id | None = None
    """The agent that answers the query."""

    query: str = ""
    then: list[AgentStep] = []
    """What it does for that; a step of another agent is delegated again."""

    @model_validator(mode="after")
    def _is_one_thing(self) -> Self:
        steps = (self.tool, self.pick, self.currency, self.delegate)
        if sum(it is not None for it in steps) != 1:
            raise ValueError("a step is one of `tool`, `pick`, `currency` and `delegate`")
        return self


class Workflow(Part):
    """What is done for one intent."""

    does: str
    """In a person's words, behind "I can"."""

    example: str
    needs: dict[Id, str] = {}
    """Parameters without which nothing is called, each with its question."""

    steps: Annotated[list[Step], Field(min_length=1)]


class ModelSettings(Part):
    """A language model behind an OpenAI-compatible endpoint, for what no workflow serves."""

    base_url: Annotated[str, Field(pattern=r"^https?://")]
    name: str
    key_file: Path | None = None
    """The file with the endpoint's key, for its owner alone; none where it takes no key."""


class CoordinatorFile(Part):
    """coordinator.yaml."""

    model: ModelSettings | None = None
    """Left out, the agent works without a model."""

    people: dict[Id, dict[Id, str]] = {}
    """What tools need to know about a person, by name."""

    workflows: dict[Id, Workflow] = {}


def load_workflows(config_dir: Path) -> CoordinatorFile:
    """Read the file; SetupError says what is wrong with it."""
    return read(config_dir / COORDINATOR_FILE, CoordinatorFile)


class MissingValueError(Exception):
    """A step needs a value that nobody gave: its name without `$`."""


def filled(template: Any, values: Mapping[str, Any]) -> Any:
    """Return the template with its `$names` replaced; MissingValueError for an unknown one."""
    match template:
        case str() if template.startswith("$"):
            name = template.removeprefix("$")
            if name not in values:
                raise MissingValueError(name)
            return values[name]
        case dict():
            return {name: filled(value, values) for name, value in template.items()}
        case list():
            return [filled(value, values) for value in template]
        case _:
            return template


def at(data: Any, path: str) -> Any:
    """Return what stands at `a.0.b`; None where nothing does."""
    for step in path.split("."):
        if isinstance(data, dict):
            data = data.get(step)
        elif isinstance(data, list) and step.isdecimal() and int(step) < len(data):
            data = data[int(step)]
        else:
            return None
    return data
