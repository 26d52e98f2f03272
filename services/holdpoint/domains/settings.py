"""Settings in `domains.yaml`: where the built-in domains may act, and how far."""

from pathlib import Path
from typing import Annotated, Any
from urllib.parse import quote

from pydantic import Field
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.config.yaml_files import Part, read
from holdpoint.runtime.errors import SetupError

DOMAINS_FILE = "domains.yaml"
BANK = "bank"
TASKS = "tasks"
BANK_DOMAINS = (
    "accounts", "transactions", "transfers", "investments", "support", "customers",
)  # fmt: skip
MIB = 1024 * 1024
SAMPLE = "sample"
"""The only folder of the state directory in which a working folder may lie."""

DRIVERS = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg"}

SECRET_COLUMNS = (
    "password", "passwd", "passphrase", "secret", "token", "apikey", "api_key", "private_key",
    "credential", "otp", "ssn", "iban", "card_number", "cvv",
)  # fmt: skip
"""Parts of column names whose values no card, sample or result of a change may show."""

SYSTEM_PATHS = tuple(
    Path(path)
    for path in (
        "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc/ld.so.cache", "/etc/passwd",
        "/etc/group", "/etc/nsswitch.conf", "/etc/localtime", "/etc/alternatives",
    )
)  # fmt: skip
"""What programs need to start; all of it is readable by everybody anyway."""


class ShellSettings(Part):
    """The shell domain: one working folder, and limits."""

    root: Path
    """The working folder: relative to the state directory."""

    read_paths: tuple[Path, ...] = ()
    write_paths: tuple[Path, ...] = ()
    system_paths: tuple[Path, ...] = SYSTEM_PATHS
    """Read and executed by commands, never listed or read by the file tools."""

    network: bool = False
    unsafe: bool = False
    """Run commands although this machine cannot confine them. Every card then says so."""

    timeout_s: Annotated[float, Field(gt=0, le=3600)] = 60.0
    output_bytes: Annotated[int, Field(ge=256, le=48 * 1024)] = 24 * 1024
    """Of standard output and of errors, each, as they are told; a message holds 256 KiB."""

    flood_bytes: Annotated[int, Field(ge=256)] = 16 * MIB
    """A command that says more than this is ended."""

    memory_bytes: Annotated[int, Field(ge=16 * MIB)] = 2048 * MIB
    file_bytes: Annotated[int, Field(ge=0)] = 256 * MIB
    processes: Annotated[int, Field(ge=1)] = 128
    read_bytes: Annotated[int, Field(ge=256, le=48 * 1024)] = 48 * 1024
    list_entries: Annotated[int, Field(ge=1, le=1000)] = 500
    walk_entries: Annotated[int, Field(ge=1)] = 100_000
    """A dry run that meets more than this gives up: no dry run."""

    walk_s: Annotated[float, Field(gt=0)] = 1.5


class DatabaseSettings(Part):
    """One database of the database domain."""

    url: str
    """`sqlite:///crm.db` (relative to the state directory) or `postgresql://user@host/name`."""

    read_url: str = ""
    """A role that may only read, for queries and dry runs; empty means `url`."""

    functions: tuple[str, ...] = ()
    """Functions of yours that statements may call; each must be without side effects."""

    timeout_s: Annotated[float, Field(gt=0, le=600)] = 10.0
    plan_timeout_s: Annotated[float, Field(gt=0, le=60)] = 1.5
    """The gate waits 2 s for a dry run."""

    lock_timeout_s: Annotated[float, Field(gt=0, le=60)] = 1.0
    max_rows: Annotated[int, Field(ge=1, le=1000)] = 100
    sample_rows: Annotated[int, Field(ge=0, le=10)] = 3
    secret_columns: tuple[str, ...] = SECRET_COLUMNS


class DatabasesSettings(Part):
    """The database domain: databases by name."""

    databases: dict[Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,64}$")], DatabaseSettings]


class BankSettings(Part):
    """The bank: one ledger for its six domains."""

    url: str
    """`sqlite:///bank.db` (relative to the state directory, made where it is missing) or
    `postgresql://user@host/name`."""

    sample: bool = False
    """Enter sample customers and accounts where the ledger has none."""

    third_party_fee: Annotated[str, Field(pattern=r"^[0-9]{1,6}(\.[0-9]{1,2})?$")] = "0.00"
    """For each transfer to a third party, in the currency of the transfer."""

    timeout_s: Annotated[float, Field(gt=0, le=600)] = 10.0
    plan_timeout_s: Annotated[float, Field(gt=0, le=60)] = 1.5
    """The gate waits 2 s for a dry run."""

    lock_timeout_s: Annotated[float, Field(gt=0, le=60)] = 5.0
    """How long a change waits for another one on the same account."""


class TasksSettings(Part):
    """The tasks: seed 003's to-do list."""

    url: str
    """`sqlite:///tasks.db` (relative to the state directory, made where it is missing) or
    `postgresql://user@host/name`."""

    timeout_s: Annotated[float, Field(gt=0, le=600)] = 10.0


class DomainsSettings(Part):
    """All of `domains.yaml`; a domain that is left out is not offered."""

    shell: ShellSettings | None = None
    database: DatabasesSettings | None = None
    bank: BankSettings | None = None
    tasks: TasksSettings | None = None

    @property
    def longest_s(self) -> float:
        """Return how long an action may run at most, in seconds."""
        databases = self.database.databases.values() if self.database else ()
        others = (it for it in (self.shell, self.bank, self.tasks) if it)
        return max((it.timeout_s for it in (*others, *databases)), default=0.0)


def offered(settings: Settings) -> DomainsSettings:
    """Return what `domains.yaml` offers; SetupError too for what may run for too long."""
    path = settings.config_dir / DOMAINS_FILE
    found = load(path, settings.state_dir)
    if found.longest_s >= settings.longest_run_s:
        raise SetupError(
            f"{path} lets an action run for {found.longest_s:g} s, and a worker lets go of one "
            f"after {settings.longest_run_s:g} s: set HP_LONGEST_RUN_S to more."
        )
    return found


def load(path: Path, state_dir: Path) -> DomainsSettings:
    """The file's settings, with every path absolute."""
    return resolved(read(path, DomainsSettings), state_dir)


def resolved(settings: DomainsSettings, state_dir: Path) -> DomainsSettings:
    """Relative paths lie in the state directory; what would expose it is refused."""
    state = state_dir.resolve()
    shell = settings.shell and shell_resolved(settings.shell, state)
    database = settings.database and databases_resolved(settings.database, state)
    bank = settings.bank and bank_resolved(settings.bank, state)
    tasks = settings.tasks and tasks_resolved(settings.tasks, state)
    return settings.model_copy(
        update={"shell": shell, "database": database, "bank": bank, "tasks": tasks}
    )


def shell_resolved(shell: ShellSettings, state: Path) -> ShellSettings:
    """Absolute paths, none of which shows the state directory to a command."""
    names = ("read_paths", "write_paths", "system_paths")
    paths: dict[str, Any] = {
        name: tuple((state / path).resolve() for path in getattr(shell, name)) for name in names
    }
    paths["root"] = (state / shell.root).resolve()
    for path in (paths["root"], *(path for name in names for path in paths[name])):
        _hides(path, state)
    return shell.model_copy(update=paths)


def databases_resolved(settings: DatabasesSettings, state: Path) -> DatabasesSettings:
    """URLs with their asynchronous driver and an absolute file."""
    return settings.model_copy(
        update={
            "databases": {
                name: database.model_copy(
                    update={
                        "url": url_resolved(database.url, state),
                        "read_url": url_resolved(database.read_url or database.url, state),
                    }
                )
                for name, database in settings.databases.items()
            }
        }
    )


def bank_resolved(bank: BankSettings, state: Path) -> BankSettings:
    """The ledger's URL with its asynchronous driver and an absolute file, which may be new."""
    return bank.model_copy(update={"url": url_resolved(bank.url, state, mode="rwc")})


def tasks_resolved(tasks: TasksSettings, state: Path) -> TasksSettings:
    """Return the settings of tasks with resolved paths."""
    return tasks.model_copy(update={"url": url_resolved(tasks.url, state, mode="rwc")})


def url_resolved(text: str, state: Path, *, mode: str = "rw") -> str:
    """`sqlite:///crm.db` -> the absolute file; opened only when it is there, unless `rwc`."""
    try:
        url = make_url(text)
    except ArgumentError:
        raise SetupError("domains.yaml: a database's `url` is not a URL.") from None
    kind = url.get_backend_name()
    if kind not in DRIVERS:
        raise SetupError(f"domains.yaml: `{kind}` is no database that Holdpoint can use.")
    url = url.set(drivername=DRIVERS[kind])
    if kind == "sqlite":
        file = quote(str((state / (url.database or "")).resolve()))
        url = url.set(database=f"file:{file}", query={"mode": mode, "uri": "true"})
    return url.render_as_string(hide_password=False)


def _hides(path: Path, state: Path) -> Path:
    """The path, if no command that sees it sees keys, ledger or streams."""
    inside = path.is_relative_to(state) and not path.is_relative_to(state / SAMPLE)
    if inside or state.is_relative_to(path):
        raise SetupError(
            f"domains.yaml: the shell may not see {path}, because keys and ledger lie in {state}. "
            f"Use a folder under {state / SAMPLE} or outside of it."
        )
    return path
