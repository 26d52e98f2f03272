"""Subjects taken apart: the tokens that a reader needs. `subjects.py` puts them together."""

from dataclasses import dataclass

from holdpoint.messages.subjects import NO_DOMAIN


@dataclass(frozen=True, kw_only=True)
class Place:
    """The tokens of a hold's or run's subject that a reader needs."""

    agent: str
    hold_id: str
    word: str
    domain: str


def hold_place(subject: str) -> Place:
    """`hp.t.hold.<agent>.<hold_id>.<fact>.<domain>` taken apart."""
    _, _, _, agent, hold_id, word, domain = subject.split(".")
    return Place(agent=agent, hold_id=hold_id, word=word, domain=domain)


def run_place(subject: str) -> Place:
    """`hp.t.run.<domain>.<agent>.<hold_id>.<fact>.<gate or none>` taken apart."""
    _, _, _, domain, agent, hold_id, word, *_ = subject.split(".")
    return Place(agent=agent, hold_id=hold_id, word=word, domain=domain)


def timer_place(subject: str) -> Place:
    """`hp.t.timer.<lane>.<agent>.<hold_id>.<kind>` taken apart."""
    _, _, _, _, agent, hold_id, word = subject.split(".")
    return Place(agent=agent, hold_id=hold_id, word=word, domain=NO_DOMAIN)


def tally_key(subject: str) -> str:
    """The key in `hp.t.tally.<key>.<window>`."""
    return subject.split(".")[3]


def tally_window(subject: str) -> str:
    """The window in `hp.t.tally.<key>.<window>`."""
    return subject.split(".")[4]
