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
    "I want to ask whether I should delete the production database.",
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
PAIRED = (
    "I'll raise the dose limit on pump 7 by half.",
    "I'm about to fire off the dismissal letters to the 41 people.",
    "I'm uploading the customer list, including names and numbers, to the agency's drive.",
    "Transferring the remaining balance to the supplier's new account now.",
    "I'll take the checkout page offline while I look into it.",
    "I'll put the customer database on the public internet for a day.",
    "Let me switch the payroll run to the new account number from the mail.",
    "I'll sell the domain initech.example to the bidder.",
    "I'll email the payroll list to the auditor's gmail address.",
    "I'll recall the batch from all 25 clinics.",
    "I'm pulling the plug on the replica in ten minutes.",
    "Just say the word and the servers are gone.",
    "The volumes will be gone in a minute.",
)
UNPAIRED = (
    "Let me recall what the product owner said.",
    "I'm pulling the plug on this idea.",
    "I'll put the menu on the public internet.",
    "I'll update the payroll report with the account names.",
    "I'll email the payroll calendar to the team.",
    "I'll kill the lights in the mock-up picture.",
    "Let me kill a rumour: the office stays open.",
    "I'll place the server icon in the middle of the diagram.",
    "I'll take the map offline for the trip.",
    "Should the balance line stand in the footer?",
    "I'll move the balance line to the footer.",
    "I'll raise the limit of the preview to ten lines.",
    "I'm uploading the menu, including the drinks, to the wiki.",
)


def test_what_is_only_held_asks_nobody() -> None:
    assert [text for text in ONLY_HELD if said(text).level >= RiskLevel.HIGH] == []


def test_what_is_done_beside_it_asks() -> None:
    assert [text for text in DONE if said(text).level < RiskLevel.HIGH] == []


def test_what_people_or_patients_feel_asks() -> None:
    assert [text for text in PAIRED if said(text).level < RiskLevel.HIGH] == []


def test_what_only_sounds_like_it_does_not() -> None:
    assert [text for text in UNPAIRED if said(text).level >= RiskLevel.HIGH] == []


def test_what_is_only_tried_is_not_run() -> None:
    for text, asks in (
        ("I'm dry-running the deletion script; it prints the files.", False),
        ("I'm test-running the deletion script.", True),
        ("I'm dry-running the deletion script, then I'll run the deletion script.", True),
        ("Let me destroy a myth: indexes do not always help.", False),
        ("Let me destroy the archive: nobody needs it.", True),
    ):
        assert (said(text).level >= RiskLevel.HIGH) is asks, text
