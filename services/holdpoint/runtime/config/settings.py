"""Settings of an operator: environment variables that begin with HP_."""

from itertools import count, islice
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BeforeValidator, Field, ValidationError, field_validator
from pydantic_settings import (
    BaseSettings,
    NoDecode,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    SettingsError,
)

from holdpoint.messages.base import ID_PATTERN
from holdpoint.runtime.config import files, remembered
from holdpoint.runtime.config.setting_values import (
    BrokerUrl,
    Issuer,
    LedgerUrl,
    Origin,
    SomeFile,
    SomePath,
    shown,
)
from holdpoint.runtime.config.yaml_files import explained
from holdpoint.runtime.errors import SetupError

MEBIBYTE = 1024 * 1024
CLUSTER_SIZE: Literal[3] = 3
"""Servers of a broker that goes on when one of them dies."""

PREFIX = "HP_"
"""Beginning of each setting's variable."""

OWN_CONFIG = Path("deploy/config")
"""Where a folder has a configuration of its own: `holdpoint init` writes it there."""

LOOPBACK = "127.0.0.1"

SHIPPED_CONFIG = Path(__file__).parents[2] / "default_config"
"""The configuration that comes with the package."""


def _number(given: object) -> object:
    """A variable of the environment is text."""
    return int(given) if isinstance(given, str) and given.isdecimal() else given


OneOrThree: TypeAlias = Annotated[Literal[1, 3], BeforeValidator(_number)]


def _config_here() -> Path:
    return OWN_CONFIG if OWN_CONFIG.is_dir() else SHIPPED_CONFIG


def _replicas(data: dict[str, Any]) -> Literal[1, 3]:
    return 1 if data.get("broker_nodes") == 1 and not data.get("broker_hosts") else CLUSTER_SIZE


class Settings(BaseSettings):
    """The settings of every process; each one has a default that works on a laptop."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, frozen=True)

    def __init__(self, **chosen: Any) -> None:
        """Read them. Raises SetupError, a sentence for each that cannot be."""
        try:
            super().__init__(**chosen)
        except (ValidationError, SettingsError) as error:
            raise SetupError(_wrong(error)) from None

    tenant: str = Field(
        default="acme",
        pattern=ID_PATTERN,
        description="Whose agents, people and streams these are; a part of every subject.",
    )
    state_dir: SomePath = Field(
        default=Path("var"),
        description="Where keys, credentials, the broker's store and the ledger lie.",
    )
    config_dir: SomePath = Field(
        default_factory=_config_here,
        description="Where agents.yaml, people.yaml and the policy are read from; without that "
        "folder, from the package.",
    )
    domains: dict[str, Path] = Field(
        default={},
        description="Domains of your own, as JSON: the domain's name and the Python file that "
        "exports its TOOLS.",
    )
    environment: str = Field(
        default="local",
        pattern=r"^[A-Za-z0-9_-]{0,24}$",
        description="What the console shows beside the tenant, so that nobody answers in the wrong "
        "place; `production` is shown in red.",
    )
    nats_url: BrokerUrl = Field(
        default="",
        description="The broker's address, or its servers' with commas between; empty means the "
        "one `holdpoint up` started here.",
    )
    nats_ca: SomeFile | None = Field(
        default=None,
        description="The certificate of the authority that the broker's servers have to show a "
        "certificate of (TLS); left out, `tls/ca.crt` of the state folder where there is one.",
    )
    broker_nodes: OneOrThree = Field(
        default=1,
        description="Servers of the broker that `holdpoint up` starts here: three keep copies of "
        "each stream, talk TLS, and go on when one of them dies.",
    )
    broker_hosts: Annotated[tuple[str, ...], NoDecode] = Field(
        default=(),
        description="Names of the three hosts that the broker's servers run on, with commas "
        "between: `holdpoint provision` writes a configuration and certificates for each.",
    )
    copies: int = Field(
        default=1,
        ge=1,
        le=16,
        description="Gates, workers of each domain and audits that `holdpoint up` starts here; of "
        "the audits one writes, and the others stand by.",
    )
    nats_port: int = Field(
        default=4222,
        ge=-1,
        le=65535,
        description="The port `holdpoint up` wants on loopback; taken ones are passed over, and 0 "
        "takes any.",
    )
    monitor_port_base: int = Field(
        default=8322,
        ge=0,
        le=65000,
        description="Metrics and health of the services count up from this port, on loopback; a "
        "taken port gives way to the next free one ten further on, and 0 takes any.",
    )
    console_port: int = Field(
        default=8330,
        ge=0,
        le=65535,
        description="Where people answer in a browser, on loopback; a taken port gives way to the "
        "next free one, and 0 takes any.",
    )
    api_port: int = Field(
        default=8340,
        ge=0,
        le=65535,
        description="Where agents reach the HTTP API, on loopback, once api.yaml names some; a "
        "taken port gives way to the next free one, and 0 takes any.",
    )
    slack_port: int = Field(
        default=8350,
        ge=0,
        le=65535,
        description="Where Slack's requests arrive, on loopback, in slack.yaml's mode `http`; a "
        "taken port gives way to the next free one, and 0 takes any.",
    )
    console_origin: Origin = Field(
        default="",
        description="The address that people open the console at (`http://localhost:8330`), for a "
        "gate that does not share its state folder: passkeys sign it.",
    )
    oidc_issuer: Issuer = Field(
        default="",
        description="The identity provider that people may log in through (OpenID Connect), as it "
        "names itself, such as `https://login.example.org`; empty is passwords only.",
    )
    oidc_client_id: str = Field(
        default="", description="Name of the console at that identity provider."
    )
    oidc_secret_file: SomePath | None = Field(
        default=None,
        description="The file with the console's secret there, for its owner alone; none for a "
        "public client.",
    )
    nats_monitor_port: int = Field(
        default=0,
        ge=-1,
        le=65535,
        description="The broker's own monitoring over HTTP, on loopback; 0 is off.",
    )
    sync_interval: Literal["always", "100ms"] = Field(
        default="always",
        description="When the broker syncs its files: before each acknowledgement, or every "
        "100 ms, which is faster and can lose that much of what was acknowledged when the "
        "power fails.",
    )
    replicas: OneOrThree = Field(
        default_factory=_replicas,
        description="Copies of each stream: 1 on one server, 3 in a cluster.",
    )
    stream_max_bytes: int = Field(
        default=1024 * MEBIBYTE,
        ge=8 * MEBIBYTE,
        description="How large each stream may grow before it refuses what is new, in bytes; "
        "at least 8388608 (8 MiB).",
    )
    accept_lost_stream: str = Field(
        default="",
        description="Streams whose loss you accept, by name, with commas between: each is created "
        "again, empty, although others or the ledger still hold data. For one start only; as long "
        "as the ledger knows the lost one, for each.",
    )
    lease_s: float = Field(
        default=90.0,
        gt=0,
        description="Seconds after which an action is in doubt whose worker gave no sign of life; "
        "a worker that is at work makes it longer each third of that time.",
    )
    passkey_from_level: int = Field(
        default=5,
        ge=3,
        le=6,
        description="The operation level from which on workers verify themselves that passkeys "
        "signed the yes; 6 is none. A stolen gate key runs nothing there.",
    )
    longest_run_s: float = Field(
        default=3700.0,
        gt=0,
        description="Seconds that an action may take at most; longer than each `timeout_s` in "
        "domains.yaml.",
    )
    ledger_url: LedgerUrl = Field(
        default_factory=lambda data: (
            f"sqlite+aiosqlite:///{data['state_dir']}/{remembered.OWN_LEDGER}"
        ),
        description="The ledger's database: `sqlite:///<path>` or `postgresql://<user>@<host>/<database>`.",
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        default="info",
        description="The least important log lines that are written.",
    )
    log_format: Literal["text", "json"] = Field(
        default="text",
        description="Log lines for people, or for programs.",
    )

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Return where settings come from: the environment, then what the folder remembers."""
        del dotenv_settings, file_secret_settings
        return init_settings, env_settings, remembered.Remembered(settings_cls)

    @field_validator("broker_hosts", mode="before")
    @classmethod
    def _split(cls, given: object) -> object:
        return (
            tuple(filter(None, given.replace(" ", "").split(",")))
            if isinstance(given, str)
            else given
        )

    @field_validator("broker_hosts")
    @classmethod
    def _three(cls, hosts: tuple[str, ...]) -> tuple[str, ...]:
        if hosts and len(set(hosts)) != CLUSTER_SIZE:
            raise ValueError("a broker on hosts of its own has three different ones")
        return hosts

    def check_tenant(self) -> None:
        """Raise SetupError when the state folder belongs to another tenant or broker."""
        if self.state_dir.exists() and not self.state_dir.is_dir():
            raise SetupError(f"{self.state_dir} is no folder. Name another with HP_STATE_DIR.")
        owner = _read(self.tenant_file) or self.tenant
        if owner != self.tenant:
            raise SetupError(
                f"{self.state_dir} belongs to the tenant {owner}, and HP_TENANT is {self.tenant}. "
                f"Set HP_TENANT={owner}, or name another folder with HP_STATE_DIR."
            )
        nodes = remembered.read(self.state_dir).get(remembered.NODES, self.broker_nodes)
        if nodes != self.broker_nodes:
            raise SetupError(
                f"{self.state_dir} belongs to a broker of {nodes} server{'s' if nodes > 1 else ''},"
                f" and HP_BROKER_NODES is {self.broker_nodes}. Set HP_BROKER_NODES={nodes}, or "
                "name another folder with HP_STATE_DIR."
            )

    def remember(self, *always: str) -> None:
        """Let the state folder remember what was chosen, and these even where nobody chose."""
        names = {*always, *self.model_fields_set}
        remembered.write(self.state_dir, self.model_dump(mode="json", include=names))

    def check_folders(self) -> None:
        """Raise SetupError when other users can write the state folder or its keys."""
        own = (self.keys_dir, self.credentials_dir, self.people_dir, self.console_dir)
        for folder in (self.state_dir, *own, self.run_dir):
            files.check_folder(folder)

    @property
    def tenant_file(self) -> Path:
        """Return the file that names the tenant of this state folder."""
        return self.state_dir / "tenant"

    @property
    def keys_dir(self) -> Path:
        """Signing keys and the public keyset."""
        return self.state_dir / "keys"

    @property
    def credentials_dir(self) -> Path:
        """Return what services and agents prove themselves to the broker with."""
        return self.state_dir / "credentials"

    @property
    def people_dir(self) -> Path:
        """People's keys, each sealed with a password."""
        return self.state_dir / "people"

    @property
    def compiled_dir(self) -> Path:
        """Patterns as gates have compiled them; it may be removed at any time."""
        return self.state_dir / "compiled"

    @property
    def run_dir(self) -> Path:
        """Return what is true only while the broker runs: its address, process id and lock."""
        return self.state_dir / "run"

    @property
    def nats_conf(self) -> Path:
        """The broker's generated configuration."""
        return self.state_dir / "nats.conf"

    @property
    def is_cluster(self) -> bool:
        """Return whether the broker is three servers, which talk TLS."""
        return self.servers > 1

    @property
    def servers(self) -> int:
        """Return how many servers the broker has."""
        return len(self.broker_hosts) or self.broker_nodes

    @property
    def tls_dir(self) -> Path:
        """Certificates of the broker's servers; who connects needs `ca.crt` alone."""
        return self.state_dir / "tls"

    @property
    def broker_ca(self) -> Path | None:
        """Return the authority that the broker's servers prove themselves by; None without TLS."""
        if self.nats_ca is not None:
            return self.nats_ca
        ours = self.tls_dir / "ca.crt"
        return ours if ours.exists() else None

    @property
    def broker_url(self) -> str:
        """Return the broker's address: as set, as `holdpoint up` wrote it down, or the default.

        Where any port will do and none was written down, nobody listens: port 1 says so, and 0
        would be taken for the usual one.
        """
        return self.nats_url or self._written_url() or f"nats://{LOOPBACK}:{self.nats_port or 1}"

    @property
    def console_dir(self) -> Path:
        """Return the folder of the console's sessions; each opens only with its browser's half."""
        return self.state_dir / "console"

    @property
    def console_url(self) -> str:
        """Return the console's address, as the console wrote it down; empty when it did not."""
        return _read(self.console_file)

    def health_port(self, number: int) -> int:
        """Return the port for a service's health, by its number; console and API keep theirs."""
        if not self.monitor_port_base:
            return 0
        ports = (it for it in count(self.monitor_port_base)
                 if it not in {self.console_port, self.api_port})  # fmt: skip
        return next(islice(ports, number, None))

    def review_url(self, agent: str, hold_id: str) -> str:
        """Return where people find the card of a hold; empty where there is no console."""
        origin = (self.console_origin or self.console_url).rstrip("/")
        return f"{origin}/holds/{agent}/{hold_id}" if origin and hold_id else ""

    @property
    def console_file(self) -> Path:
        """Return where the console writes its address."""
        return self.run_dir / "console.url"

    @property
    def api_url(self) -> str:
        """Return the HTTP API's address, as that wrote it down; empty when it did not."""
        return _read(self.api_file)

    @property
    def api_file(self) -> Path:
        """Return where the HTTP API writes its address."""
        return self.run_dir / "api.url"

    @property
    def api_dir(self) -> Path:
        """Secrets that the HTTP API signs webhooks with, one for each subscribed agent."""
        return self.state_dir / "api"

    @property
    def slack_file(self) -> Path:
        """Return where the Slack service writes its address."""
        return self.run_dir / "slack.url"

    @property
    def slack_dir(self) -> Path:
        """Slack's tokens, and which message shows which card."""
        return self.state_dir / "slack"

    @property
    def notices_dir(self) -> Path:
        """Secrets that notices are sent with, and what was told already."""
        return self.state_dir / "notices"

    @property
    def url_file(self) -> Path:
        """Return where `holdpoint up` writes the broker's address."""
        return self.run_dir / "nats.url"

    def _written_url(self) -> str:
        return _read(self.url_file)


def _wrong(error: ValidationError | SettingsError) -> str:
    if isinstance(error, SettingsError):
        name = str(error).partition('"')[2].partition('"')[0]
        return f'{PREFIX}{name.upper()} is no JSON. Write an object, such as {{"NAME": "FILE.py"}}.'
    return "\n".join(
        f"{PREFIX}{'_'.join(map(str, each['loc'])).upper()} is {shown(each['input'])}: "
        f"{'. '.join(explained(each))}"
        for each in error.errors(include_url=False)
        if each["type"] != _FOLLOWS_FROM_ANOTHER
    )


_FOLLOWS_FROM_ANOTHER = "default_factory_not_called"
"""A default that could not be made, because a setting that it is made from is wrong."""


def _read(path: Path) -> str:
    try:
        return path.read_text().strip()
    except (FileNotFoundError, NotADirectoryError):
        return ""
