"""Places in which a text is run, or believed, without anybody asking for it once more."""

import re2

from holdpoint.core.risk.glance import glance
from holdpoint.core.risk.text import whole_characters

MAX_PLACE = 300
"""Characters of a text that may name a place; nobody can say where a longer one leads."""

_trusted = glance(
    # What the system lives by, and what programs start with.
    r"^/(?:private/)?(?:etc|s?bin|boot|dev|lib\w*|proc|sys|run|library|system)(?:/|$)"
    r"|^/usr/(?:local/)?(?:etc|s?bin|lib\w*|share|include)/"
    r"|^/var/(?:spool|lib|run|log|mail|db|backups)/"
    r"|^[a-z]:/(?:windows|program)"
    r"|(?:^|/)(?:cron(?:tabs?|\.\w+)?|init\.d|rc\.d|sudoers\.d|profile\.d|systemd|autostart)/"
    r"|(?:^|/)(?:launchagents|launchdaemons|start menu|\.?githooks)/"
    r"|\.(?:service|timer|pth|reg)$"
    r"|(?:^|/)(?:crontab|sudoers|authorized_keys|(?:site|user)customize\.py)$"
    # Whatever a home holds that is not shown, and what shells and tools read at every start.
    r"|^(?:~|\$home|/root|/home/[^/]+|/users/[^/]+|[a-z]:/users/[^/]+)/\."
    r"|(?:^|/)\.(?:bash|zsh|ksh|csh|tcsh|profile|login|x(?:init|profile|session)|npmrc|yarnrc|pypirc"
    r"|netrc|envrc|vimrc|gitconfig|gitattributes|gitmodules)[^/]*$"
    r"|(?:^|/)\.(?:git|hg|svn|husky|ssh|gnupg|aws|kube|docker|vscode|idea|devcontainer|direnv)(?:/|$)"
    # What runs as soon as it is pushed.
    r"|(?:^|/)\.(?:github|gitlab|circleci|buildkite|woodpecker|gitea|forgejo)(?:/|$)"
    r"|(?:^|/)(?:\.gitlab-ci|\.travis|\.drone|\.pre-commit-config|\.appveyor|appveyor|cloudbuild"
    r"|azure-pipelines|bitbucket-pipelines|lefthook)\.ya?ml$"
    r"|(?:^|/)jenkinsfile[^/]*$"
    # What agents are told by.
    r"|(?:^|/)\.(?:claude|cursor|codex|gemini|windsurf|continue|aider)[^/]*(?:/|$)"
    r"|(?:^|/)(?:claude|agents?|gemini|skill|copilot-instructions)(?:\.local)?\.md$|\.mcp\.json$"
    # Where nobody can say where it leads.
    r"|(?:^|/)\.\.(?:/|$)|[%$`*?\x00]"
)


def is_trusted(place: str) -> bool:
    """Whether it is one of them, or may be: who cannot tell takes it for one."""
    if len(place) > MAX_PLACE:
        return True
    bare = place.strip().strip("'\"").lower().replace("\\", "/").removeprefix("file://")
    return _trusted(_plain(bare))


def _plain(path: str) -> str:
    """Without empty steps and those that stay where they are."""
    return str(_still.sub("/", whole_characters(path))).removeprefix("./")


_still = re2.compile(r"/(?:\./|/)+")
