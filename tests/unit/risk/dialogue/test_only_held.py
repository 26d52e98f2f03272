"""What is only held, weighed or looked back on asks nobody; what is done beside it does."""

from tests.unit.risk.builders import said

from holdpoint.messages.risk import RiskLevel

ONLY_HELD = (
    "The essay argues that states should be allowed to wipe out student loans.",
    "The columnist claims that firms ought to fire managers who lie.",
    "Critics say the network should ban all betting ads.",
    "The study recommends that the council cancel the whole programme.",
    "We talked about whether the archive should be deleted.",
    "They debated whether to terminate every contract with the supplier.",
    "I suggest that we discuss on Thursday whether the old accounts should be deleted.",
    "Deleting the wrong branch set us back a week.",
    "Wiping the build server cost the team two days.",
    "Rotating the keys without notice caused the outage.",
    "The novel is called Erase Everything.",
    "The bucket is gone since yesterday.",
    "Why are the tables gone after a minute?",
)
DONE = (
    "The essay argues that it should be wiped, so I'm wiping the disk.",
    "Critics say the network should ban all betting ads, so I'll delete the accounts now.",
    "We talked about whether to keep it, and I'm going to delete the archive.",
    "We discussed it and I'm deleting all the accounts.",
    "Deleting the branch that cost us two days, and all its backups.",
    "The minister says you should delete all customer accounts today.",
    "Deleting the tables set aside for the migration.",
    "The movie is called Delete All, and I'm deleting all users.",
    "The movie is called Heat and I'm deleting all users now.",
    "The essay argues that states should wipe loans and the next command deletes the database.",
    "Critics say the network should ban ads - the next command deletes the production database.",
    "Deleting the branch cost us two days, the next command deletes the production database.",
    "We talked about whether to keep it, the next command deletes the production database.",
    "I heard that they plan to close it - the next command deletes the production database.",
    "I read that the bridge was closed and the next command deletes the production database.",
)


def test_what_is_only_held_asks_nobody() -> None:
    assert [text for text in ONLY_HELD if said(text).level >= RiskLevel.HIGH] == []


def test_what_is_done_beside_it_asks() -> None:
    assert [text for text in DONE if said(text).level < RiskLevel.HIGH] == []


def test_what_is_only_tried_is_not_run() -> None:
    for text, asks in (
        ("I'm dry-running the deletion script; it prints the files.", False),
        ("Let me destroy a myth: indexes do not always help.", False),
        ("Let me destroy the archive: nobody needs it.", True),
    ):
        assert (said(text).level >= RiskLevel.HIGH) is asks, text
