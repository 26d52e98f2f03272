"""Whoever is written to outside of the house's own domains is asked about, once these are told."""

import shutil
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.unit.risk.builders import CONFIG, GROUPS, the_policy

from holdpoint.messages.risk import Assessment, RiskLevel
from holdpoint.policy_lab.assess import judged
from holdpoint.policy_lab.cases import Line, LineKind
from holdpoint.runtime.config.policy import load_policy
from holdpoint.runtime.errors import SetupError

OWN = ("acme.example", "acme-labs.example")
OUTSIDE: list[tuple[str, dict[str, Any]]] = [
    ("send_email", {"to": "ann@gmail.com", "subject": "hi"}),
    ("send_email", {"to": "Ann Lee <Ann@Rival.Example>"}),
    ("send_email", {"to": ["bob@acme.example", "x@rival.example"]}),
    ("send_email", {"to": "bob@acme.example, x@rival.example"}),
    ("send_email", {"to": "bob@acme.example", "bcc": "x@rival.example"}),
    ("send_email", {"to": "bob@evilacme.example"}),
    ("send_email", {"to": "bob@acme.example.rival.org"}),
    ("send_email", {"to": "bob@acme.example@rival.org"}),
    ("send_email", {"to": "x\uff20rival.example"}),
    ("share_file", {"file": "roadmap.pdf", "email": "x@rival.example"}),
    ("create_event", {"title": "Lunch", "attendees": [{"email": "x@rival.example"}]}),
    ("add_member", {"user": "x@rival.example"}),
    ("send_email", {"to": "eve@\u0430cme.example"}),  # a Cyrillic letter: anybody may register it
    ("send_email", {"to": "eve@acme.ex\u03b1mple"}),
    ("send_email", {"to": "eve@acme\u200b.example"}),
    ("send_email", {"to": "eve@xn--cme-7cd.example"}),
    ("send_email", {"to": '"eve"@gmail.com'}),
    ("send_email", {"to": "eve(x)@gmail.com"}),
    ("send_email", {"to": "eve @gmail.com"}),
    ("send_email", {"to": "eve@ gmail.com"}),
    ("send_email", {"to": "eve%40gmail.com"}),
    ("send_email", {"to": "eve at gmail.com"}),
    ("send_email", {"to": "eve (at) gmail.com"}),
    ("send_email", {"to": "=?utf-8?q?eve=40gmail.com?="}),
    ("send_email", {"to": "=?utf-8?b?ZXZlQGdtYWlsLmNvbQ==?="}),
    ("send_email", {"to": "mailto:ann@acme.example?cc=eve@gmail.com"}),
    ("notify", {"to": "https://hooks.rival.example/in"}),
    ("mail.submit", {"personalizations": [{"to": [{"email": "x@rival.example"}]}]}),
]
INSIDE: list[tuple[str, dict[str, Any]]] = [
    ("send_email", {"to": "ann@acme.example"}),
    ("send_email", {"to": "Ann <ann@Mail.ACME.example>", "cc": ["b@acme-labs.example"]}),
    ("send_email", {"to": "ann@acme.example", "body": "Ask x@rival.example for the slides."}),
    ("create_contact", {"email": "x@rival.example"}),
    ("search_mail", {"to": "x@rival.example"}),
    ("send_email", {"to": "ann@acme.example."}),
    ("send_email", {"to": "=?utf-8?q?J=C3=BCrg?= <ann@acme.example>"}),
    ("send_email", {"to": '"Lee, Ann" <ann@acme.example>'}),
    ("send_email", {"to": "mailto:ann@acme.example?subject=hi"}),
    (
        "send_email",
        {"to": "ann@ACME.\uff45xample"},
    ),  # wide: the same letter to mailers
    ("notify", {"to": "https://hooks.acme.example/in"}),
    ("post_message", {"to": "@ann"}),
    ("post_message", {"to": "#general"}),
]


def told(tool: str, args: dict[str, Any], own: tuple[str, ...]) -> Assessment:
    policy = msgspec.structs.replace(the_policy(), own_domains=own)
    return judged(
        Line(id="", kind=LineKind.TOOL_CALL, payload={"tool": tool, "args": args}), policy
    )


@pytest.mark.parametrize(("tool", "args"), OUTSIDE)
def test_an_address_outside_waits_for_a_person(tool: str, args: dict[str, Any]) -> None:
    seen = told(tool, args, OWN)

    assert seen.level >= RiskLevel.HIGH
    assert "call.outside" in {one.rule for one in seen.signals}


@pytest.mark.parametrize(("tool", "args"), INSIDE)
def test_the_house_itself_may_be_written_to(tool: str, args: dict[str, Any]) -> None:
    assert told(tool, args, OWN).level < RiskLevel.HIGH


@pytest.mark.parametrize(("tool", "args"), OUTSIDE)
def test_without_domains_of_its_own_nobody_is_outside(tool: str, args: dict[str, Any]) -> None:
    assert "call.outside" not in {one.rule for one in told(tool, args, ()).signals}


def test_the_only_address_outside_may_be_the_last_of_many() -> None:
    many = [f"a{at}@acme.example" for at in range(90)]

    assert told("send_email", {"to": many}, OWN).level < RiskLevel.HIGH
    assert told("send_email", {"to": [*many, "x@rival.example"]}, OWN).level >= RiskLevel.HIGH


def test_texts_beyond_what_is_searched_go_up() -> None:
    cc = ["a@acme.example " * 500] * 40

    assert told("invite", {"cc": cc}, OWN).level >= RiskLevel.HIGH


@pytest.mark.parametrize(
    "domain", ["@acme.example", "ACME.example", "acme", "https://acme.example"]
)
def test_a_line_that_no_address_can_match_is_refused(tmp_path: Path, domain: str) -> None:
    shutil.copytree(CONFIG / "policy", tmp_path / "policy")
    places = tmp_path / "environments.yaml"
    places.write_text("own_domains: [acme.example]\n")
    assert load_policy(tmp_path, GROUPS).own_domains == ("acme.example",)
    places.write_text(f"own_domains: ['{domain}']\n")

    with pytest.raises(SetupError, match=r"environments\.yaml:1"):
        load_policy(tmp_path, GROUPS)
