"""slack.yaml and notices.yaml: where people are asked besides the console and the terminal."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from holdpoint.messages.base import ID_PATTERN
from holdpoint.runtime.config.api_files import LOOPBACK_NAMES
from holdpoint.runtime.config.yaml_files import Part, read

SLACK_FILE = "slack.yaml"
NOTICES_FILE = "notices.yaml"

Id = Annotated[str, Field(pattern=ID_PATTERN)]


def _safe(address: str) -> str:
    """Refuse an address to which tokens and notices would travel in the clear."""
    parts = urlsplit(address)
    here = parts.scheme == "http" and parts.hostname in LOOPBACK_NAMES
    if address and not (here or (parts.scheme == "https" and parts.hostname)):
        raise PydanticCustomError("bad_address", "it does not begin with https://")
    return address


Address = Annotated[str, AfterValidator(_safe)]


class SlackFile(Part):
    """slack.yaml."""

    model_config = ConfigDict(strict=True)

    team: Annotated[str, Field(pattern=r"^[TE][A-Z0-9]{2,20}$")] = "T00"
    """The workspace whose people count."""

    mode: Literal["socket", "http"] = "socket"
    """How Slack reaches this service: `socket` needs no address of your own."""

    channels: dict[Id, Annotated[str, Field(pattern=r"^[CGD][A-Z0-9]{2,20}$")]] = {}
    """The Slack channel that each group is asked in."""

    api_url: Address = "https://slack.com/api/"
    """The address of Slack's Web API."""


class MailEntry(Part):
    """E-mail: which server takes it, and who is told."""

    model_config = ConfigDict(strict=True)

    host: Annotated[str, Field(min_length=1)]
    port: Annotated[int, Field(ge=1, le=65535)] = 587
    security: Literal["starttls", "tls", "none"] = "starttls"
    """`none` is for this machine alone."""

    user: str = ""
    """The name to log in with; its password lies in `notices/smtp-password` of the state folder."""

    sender: Annotated[str, Field(pattern=r"^[^@\s]+@[^@\s]+$")]
    groups: dict[Id, list[Annotated[str, Field(pattern=r"^[^@\s,]+@[^@\s,]+$")]]] = {}
    """The addresses of each group."""

    @model_validator(mode="after")
    def _is_private(self) -> "MailEntry":
        if self.security == "none" and self.host not in LOOPBACK_NAMES:
            raise PydanticCustomError("unsafe", "`security: none` is for this machine alone")
        return self


class NoticesFile(Part):
    """notices.yaml."""

    model_config = ConfigDict(strict=True)

    email: MailEntry | None = None
    webhooks: dict[Id, Address] = {}
    """The address that is told when somebody of a group is waited for."""

    @property
    def groups(self) -> tuple[str, ...]:
        """Return the groups that anybody is told of."""
        mailed = self.email.groups if self.email else {}
        return tuple(sorted({*mailed, *self.webhooks}))


def load_slack(config_dir: Path) -> SlackFile:
    """Read slack.yaml; without that file nobody is asked in Slack. Raises SetupError."""
    path = config_dir / SLACK_FILE
    return read(path, SlackFile) if path.exists() else SlackFile()


def load_notices(config_dir: Path) -> NoticesFile:
    """Read notices.yaml; without that file nobody is told. Raises SetupError."""
    path = config_dir / NOTICES_FILE
    return read(path, NoticesFile) if path.exists() else NoticesFile()


def group_of(channels: Mapping[str, str], channel: str) -> str:
    """Return the group that is asked in a channel; empty where none is."""
    return next((group for group, it in channels.items() if it == channel), "")
