"""Files by which programs that only read run others: nobody writes one unasked."""

import pytest
from tests.unit.risk.builders import a_tool, an_action, the_policy

from holdpoint.core.risk import Context, assess
from holdpoint.messages.risk import RiskLevel

SETTINGS = [
    ".gitconfig",
    ".git",
    "sub/.git/config",
    "SUB/.GIT/config",
    ".config/git/config",
    ".ssh/config",
    ".kube/config",
    ".aws/config",
    ".docker/config.json",
    ".lessfilter",
    ".ExifTool_config",
    ".husky/pre-commit",
    "templates/.husky/pre-commit",
    ".npmrc",
    ".some-tool-of-tomorrow.yaml",
    ".github/workflows/release.yml",
    ".vscode/tasks.json",
    "node_modules/.bin/eslint",
    "git~1/config",
    "bare/HEAD",
    "-rf",
    "src/--output=x",
    "a[$(touch x)]",
    "a`touch x`",
    ".pnp.cjs",
    "lefthook.yml",
    "sitecustomize.py",
    "azure-pipelines.yml",
]
OTHERS = [
    "notes.txt",
    ".gitignore",
    ".github/pull_request_template.md",
    ".github/ISSUE_TEMPLATE/bug.md",
    ".env.example",
    "config",
    "docker/Dockerfile",
    "src/routes/posts.$id.tsx",
    "src/pages/[slug].tsx",
    "src/a-b.py",
    "CLAUDE.md",
    "README.md",
    "package.json",
    "deploy/config/api.yaml",
]


def of(path: str) -> RiskLevel:
    tool = a_tool(name="create_file", level=2, schema={"properties": {"path": {}, "content": {}}})
    action = an_action("create_file", path=path, content="[core]\nfsmonitor = ./x\n")
    return assess(action, Context(tool=tool), the_policy()).level


@pytest.mark.parametrize("path", SETTINGS)
def test_a_file_that_tells_programs_what_to_run_is_asked_about(path: str) -> None:
    assert of(path) is RiskLevel.HIGH


@pytest.mark.parametrize("path", OTHERS)
def test_other_files_are_not(path: str) -> None:
    assert of(path) < RiskLevel.HIGH
