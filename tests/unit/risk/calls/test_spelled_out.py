"""Command lines, orders to git and scripts for a page that a call spells out in its arguments."""

from typing import Any

from tests.unit.risk.builders import the_policy

from holdpoint.messages.risk import RiskLevel
from holdpoint.policy_lab.assess import judged
from holdpoint.policy_lab.cases import Line, LineKind

Call = tuple[str, dict[str, Any]]

ASKED: tuple[Call, ...] = (
    ("azure_cli", {"args": "group delete -n rg -y"}),
    ("azure-cli", {"args": ["group", "delete", "-n", "rg", "-y"]}),
    ("github_cli", {"args": "repo delete acme/web --yes"}),
    ("kubernetes_cli", {"args": "delete ns prod"}),
    ("docker_cli", {"params": "system prune -af --volumes"}),
    ("terraform", {"args": "destroy -auto-approve"}),
    ("git_checkout", {"paths": ["."], "force": True}),
    ("git_checkout", {"branch": "main", "force": True}),
    ("git_reset", {"hard": True}),
    ("mcp__git__git_reset", {"repo_path": "/w", "mode": "hard"}),
    ("git_clean", {"force": True, "directories": True}),
    ("git_clean", {"force": True, "dry_run": False}),
    ("git_push", {"remote": "origin", "branch": "main", "force": True}),
    ("git_push", {"remote": "origin", "refspec": "+main"}),
    ("git_stash", {"mode": "clear"}),
    ("git_restore", {"paths": ["."]}),
    ("playwright_evaluate", {"script": "fetch('/api/users/1',{method:'DELETE'})"}),
    ("browser_evaluate", {"function": "() => axios.delete('/api/users/1')"}),
    ("evaluate_script", {"function": "() => $.ajax({url:'/api/users/1', type:'DELETE'})"}),
    ("browser_evaluate", {"function": "() => $.ajax('/api/users/1', {type: 'DELETE'})"}),
    ("page_eval", {"expression": "x=new XMLHttpRequest();x.open('DELETE','/u/1');x.send()"}),
    ("browser_run_code", {"code": "await page.request.delete('https://a.example/users/1')"}),
    ("execute_javascript", {"code": "axios({method: 'delete', url: '/api/users/1'})"}),
    ("execute_python", {"code": "session.query(User).delete()"}),
    ("execute_python", {"code": "boto3.resource('s3').Bucket('prod').objects.all().delete()"}),
    ("execute_python", {"code": "User.objects.filter(old=True).delete()"}),
    ("execute_python", {"code": "c.request('DELETE', 'users/1')"}),
    ("bash", {"command": "node -e \"require('axios').delete('https://a.example/users/1')\""}),
)
SILENT: tuple[Call, ...] = (
    ("azure_cli", {"args": "group list"}),
    ("github_cli", {"args": "pr list"}),
    ("kubernetes_cli", {"args": "get pods"}),
    ("terraform", {"args": "plan"}),
    ("git_checkout", {"repo_path": "/w", "branch_name": "feat/x"}),
    ("git_checkout", {"path": "/w", "branch": "feat/x", "force": False}),
    ("git_reset", {"repo_path": "/w"}),
    ("git_reset", {"mode": "soft", "commit": "HEAD~1"}),
    ("git_clean", {"dry_run": True}),
    ("git_push", {"remote": "origin", "branch": "feat", "force": False}),
    ("git_stash", {"action": "list"}),
    ("git_commit", {"message": "reset --hard is gone", "amend": False}),
    ("git_restore", {"paths": ["a.py"], "staged": True}),
    ("playwright_evaluate", {"script": "document.title"}),
    ("browser_evaluate", {"function": "() => fetch('/api/users/1').then(r => r.json())"}),
    ("puppeteer_evaluate", {"script": "axios.get('/api/users/1')"}),
    ("browser_evaluate", {"function": "() => new Map().delete('a')"}),
    ("evaluate_script", {"function": "() => $.ajax({url:'/api/users/1', type:'GET'})"}),
    ("execute_python", {"code": "import re\nprint(re.sub('delete', 'remove', s))"}),
    ("execute_python", {"code": "s = s.replace('put', 'place')"}),
    ("execute_python", {"code": "n = session.query(User).count()"}),
    ("execute_python", {"code": "list(User.objects.filter(old=True))"}),
)


def test_what_a_call_spells_out_is_read_as_it_runs() -> None:
    missed = [call for call in ASKED if _level(*call) < RiskLevel.HIGH]

    assert missed == []


def test_what_it_spells_out_that_only_looks_asks_nobody() -> None:
    alarmed = [call for call in SILENT if _level(*call) >= RiskLevel.HIGH]

    assert alarmed == []


def _level(tool: str, arguments: dict[str, Any]) -> RiskLevel:
    line = Line(id="", kind=LineKind.TOOL_CALL, payload={"tool": tool, "args": arguments})
    return judged(line, the_policy()).level
