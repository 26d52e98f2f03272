"""The policy that a path names: a configuration folder, a folder of policies, or one file."""

import contextlib
from pathlib import Path

from holdpoint.cli.adopted_policy import kept, remember
from holdpoint.cli.output import CommandError, ExitCode
from holdpoint.core.digest import policy_digest
from holdpoint.core.policy_faults import policy_faults
from holdpoint.messages.policy import Policy
from holdpoint.runtime.config.policy import (
    DEFAULT,
    ENVIRONMENTS,
    POLICY_FOLDER,
    located,
    merged,
    policy_files,
)
from holdpoint.runtime.config.registry import groups_of, load_registry
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.errors import SetupError


def policy_at(settings: Settings, path: Path | None) -> Policy:
    """The policy on disk; with a path the one there, for the people of this configuration.

    A file takes the place of the one with its name, or comes as one more pack.
    """
    groups = groups_of(load_registry(settings.config_dir))
    return merged(*files_at(path, settings.config_dir), groups)


def sound_policy_at(settings: Settings, path: Path) -> Policy:
    """The same, refused with `SetupError` unless it may be judged by."""
    policy = policy_at(settings, path)
    agents = load_registry(settings.config_dir).agents
    if problems := policy_faults(policy, agents, settings.passkey_from_level):
        told = located(problems, files_at(path, settings.config_dir)[0])
        raise SetupError(f"{path} cannot be judged by:\n" + "\n".join(told))
    return policy


def adopted_or_on_disk(settings: Settings) -> Policy:
    """What is in force as far as this machine knows: what was adopted here, else what lies here."""
    return kept(settings) or policy_at(settings, None)


def keep_in_force(settings: Settings, digest: str) -> None:
    """Remember what lies here where it has this digest: later drafts are compared with it."""
    with contextlib.suppress(SetupError):
        policy = policy_at(settings, None)
        if policy_digest(policy) == digest:
            remember(settings, policy)


def _nothing_at(path: Path) -> str:
    return f"There is no policy at {path}: name a folder with {DEFAULT} in it, or one file."


def files_at(path: Path | None, config_dir: Path) -> tuple[list[Path], Path]:
    """Its files, the main one first, and the list of environments that goes with them.

    Without a path those of the configuration.
    """
    if path is None:
        return policy_files(config_dir / POLICY_FOLDER), config_dir / ENVIRONMENTS
    if not path.exists():
        raise CommandError(ExitCode.USAGE, "unreadable_file", _nothing_at(path))
    if path.is_dir():
        folder = path if (path / DEFAULT).exists() else path / POLICY_FOLDER
        if not (folder / DEFAULT).exists():
            raise CommandError(ExitCode.USAGE, "unreadable_file", _nothing_at(path))
        beside = folder.resolve().parent / ENVIRONMENTS
        return policy_files(folder), beside if beside.exists() else config_dir / ENVIRONMENTS
    files = {each.name: each for each in policy_files(config_dir / POLICY_FOLDER)} | {
        path.name: path
    }
    return list(files.values()), config_dir / ENVIRONMENTS
