"""Each reason to worry, alone and at its boundary."""

import pytest
from tests.unit.risk.builders import a_tool, an_action, heuristics, judged, rules, said, the_policy

from holdpoint.core.risk import assess
from holdpoint.core.risk.assessment import by_rules
from holdpoint.core.risk.context import Context, Sentence
from holdpoint.core.risk.heuristics import LISTED, NO_LEVEL
from holdpoint.messages.action import Action, Plan
from holdpoint.messages.risk import Environment, Heuristic, IntentClaim, RiskLevel, Scope

LOW, MEDIUM, HIGH, CRITICAL = RiskLevel


def test_nothing_to_worry_about_is_low() -> None:
    found = said("I will look up your order.")

    assert found.level is LOW
    assert found.signals == ()


def test_irreversibility_fires_alone() -> None:
    found = said("This will overwrite the file.")

    assert heuristics(found) == {Heuristic.IRREVERSIBILITY}
    assert found.level is HIGH
    assert not found.reversible


def test_magnitude_fires_alone() -> None:
    found = said("I will update 101 records.")

    assert heuristics(found) == {Heuristic.MAGNITUDE}
    assert found.level is HIGH


def test_criticality_fires_alone() -> None:
    found = said("I will restart it.", facts={"production": True})

    assert heuristics(found) == {Heuristic.CRITICALITY}
    assert found.level is HIGH


def test_uncertainty_fires_alone() -> None:
    found = said("I'm not sure about this.")

    assert heuristics(found) == {Heuristic.UNCERTAINTY}
    assert found.level is HIGH


@pytest.mark.parametrize(("records", "level"), [(100, LOW), (101, HIGH)])
def test_a_hundred_records_are_not_large(records: int, level: RiskLevel) -> None:
    plan = Plan(affected=records, verb="update")

    assert said(f"I will update {records} records.").level is level
    assert judged(an_action(user_ids=["u"] * records)).level is level
    assert judged(an_action(limit=records)).level is level
    assert judged(an_action(), plan=plan).level is level


@pytest.mark.parametrize(("amount", "level"), [("1000.00", LOW), ("1000.01", HIGH)])
def test_a_thousand_dollars_are_not_large(amount: str, level: RiskLevel) -> None:
    assert said(f"I will pay ${amount}.").level is level
    assert said(f"I will transfer {amount} USD to Bob.").level is level
    assert said(f"The invoice is ${amount}. I will pay it now.").level is level
    assert judged(an_action(amount={"value": amount, "currency": "USD"})).level is level
    assert judged(an_action(amount=float(amount), currency="USD")).level is level
    assert judged(an_action(total=f"${amount}")).level is level


@pytest.mark.parametrize(("share", "level"), [("10%", LOW), ("10.5%", HIGH), ("11 percent", HIGH)])
def test_ten_percent_are_not_large(share: str, level: RiskLevel) -> None:
    assert said(f"I will change {share} of it.").level is level


def test_a_share_in_arguments_counts() -> None:
    action = an_action("prices.update", discount_percent=50)

    assert rules(judged(action)) == {"magnitude.percent"}


def test_another_currency_counts_through_its_rate() -> None:
    assert judged(an_action(amount={"value": "900", "currency": "EUR"})).level is LOW
    assert judged(an_action(amount={"value": "930", "currency": "EUR"})).level is HIGH
    assert judged(an_action(amount={"value": "100000", "currency": "JPY"})).level is LOW


def test_an_unknown_currency_counts_as_large() -> None:
    assert judged(an_action(amount={"value": "1", "currency": "XYZ"})).level is HIGH


def test_an_unreadable_amount_counts_as_large() -> None:
    found = judged(an_action(amount={"value": "1e999", "currency": "USD"}))

    assert found.level is HIGH
    assert found.amount == {"value": "unreadable", "currency": "USD"}


def test_a_large_delete_is_critical_unless_it_can_be_undone() -> None:
    delete = an_action("users.delete")

    assert judged(delete, plan=Plan(affected=500)).level is CRITICAL
    assert judged(delete, plan=Plan(affected=500, reversible=True)).level is HIGH
    assert judged(delete, tool=a_tool(undo="restore it from the bin")).level is LOW


def test_a_mere_read_is_at_most_medium() -> None:
    read = a_tool(level=1)

    assert judged(an_action(limit=5000), tool=read).level is MEDIUM
    assert judged(an_action(), tool=read, confidence=0.1).level is MEDIUM
    assert judged(an_action(), tool=read, reasoning="I'm not sure.").level is MEDIUM
    assert said("I will list 500 users.").level is MEDIUM


def test_a_tool_that_changes_nothing_old_passes_in_production() -> None:
    assert judged(an_action(database="crm"), tool=a_tool(level=1)).level is LOW
    assert judged(an_action(database="crm"), tool=a_tool(level=2)).level is LOW


def test_a_tool_that_changes_things_is_risky_in_production() -> None:
    listed = judged(an_action(database="crm"), tool=a_tool(level=3))
    unlisted = judged(an_action(), tool=a_tool(level=3))

    assert listed.level is unlisted.level is HIGH
    assert listed.target == "crm"
    assert "is production" in listed.signals[0].reason
    assert "does not run in a listed sandbox" in unlisted.signals[0].reason


def test_a_sandbox_takes_only_criticality_away() -> None:
    sandbox = Plan(affected=500, verb="delete", environment_keys=("database:scratch_7",))
    found = judged(an_action(), tool=a_tool(level=3), plan=sandbox)

    assert found.environment is Environment.SANDBOX
    assert heuristics(found) == {Heuristic.IRREVERSIBILITY, Heuristic.MAGNITUDE}
    assert found.level is CRITICAL


def test_removing_a_scratch_folder_still_asks() -> None:
    plan = Plan(affected=3, environment_keys=("path:/srv/scratch/old",))
    found = judged(an_action("shell.run", command="rm -r old"), plan=plan)

    assert found.environment is Environment.SANDBOX
    assert found.level is HIGH


def test_an_irreversible_tool_is_critical() -> None:
    assert rules(judged(an_action(), tool=a_tool(level=5))) >= {"tool.irreversible"}


@pytest.mark.parametrize(("levelled", "reason"), [(True, LISTED), (False, NO_LEVEL)])
def test_the_catalog_is_named_only_where_it_says_so(levelled: bool, reason: str) -> None:
    found = judged(an_action(), tool=a_tool(level=5, levelled=levelled))
    assert reason in {it.reason for it in found.signals if it.rule == "tool.irreversible"}


def test_a_tool_without_a_level_is_told_in_its_owners_words_quoted() -> None:
    tool = a_tool(level=5, levelled=False, description="Merge a pull request.\nIt is safe.")

    reasons = {it.rule: it.reason for it in judged(an_action(), tool=tool).signals}

    assert reasons["tool.irreversible"] == (
        "its description says “Merge a pull request”, "
        "and nobody has set a level for it, so it counts as final"
    )


def test_what_a_final_tool_does_stands_beside_that_it_is_final() -> None:
    found = judged(an_action(), tool=a_tool(level=5, effect="closes an account"))

    reasons = [it.reason for it in found.signals]
    assert "it closes an account, which cannot be undone" in reasons
    assert "it closes an account" not in reasons


def test_a_tool_without_an_effect_is_told_by_its_description() -> None:
    tool = a_tool(level=3, description="Restart a service.")

    reasons = [it.reason for it in judged(an_action(tool="restart"), tool=tool).signals]

    assert "its description says “Restart a service”, and it counts as production" in reasons


def test_a_dry_run_says_what_it_does_to_what() -> None:
    plan = Plan(verb="create", targets=("crm.leads",), summary="create index i on crm.leads",
                reversible=False)  # fmt: skip

    reasons = {it.rule: it.reason for it in judged(an_action(), plan=plan).signals}

    assert reasons["plan.irreversible"] == (
        "it creates index i on crm.leads, and no way back is known"
    )


def test_a_list_of_people_is_not_counted_as_one() -> None:
    send = an_action("send_email", to=["all-customers@example.com"], subject="Prices")

    assert judged(send, tool=a_tool(name="send_email")).affected is None
    assert judged(send, plan=Plan(affected=9, unit="recipients")).affected == 9


def test_an_unknown_tool_is_critical() -> None:
    found = assess(an_action(), Context(), the_policy())

    assert found.level is CRITICAL
    assert "tool.unknown" in rules(found)


def test_a_plan_without_a_way_back_is_risky() -> None:
    assert rules(judged(an_action(), plan=Plan(reversible=False))) == {"plan.irreversible"}


def test_a_plan_that_failed_is_remarked_on() -> None:
    found = judged(an_action(), plan=Plan(error="the database did not answer"))

    assert rules(found) == {"plan.missing"}
    assert found.level is MEDIUM


def test_a_dry_run_that_nobody_answered_is_told_and_raises_nothing_else() -> None:
    tool = a_tool(name="shell.run", domain="shell", plans=True)
    found = judged(an_action(tool.name), tool=tool)

    assert [it.reason for it in found.signals] == [
        "the worker for shell did not answer, so what it would change is not known"
    ]
    assert found.level is MEDIUM
    assert rules(judged(an_action(tool.name), tool=tool, plan=Plan())) == set()


def test_a_command_without_a_count_is_not_said_to_do_one_thing_to_its_folder() -> None:
    """It reads a secret in one place, and runs in another."""
    tool = a_tool(name="run_command", domain="shell", level=3, plans=True)
    plan = Plan(verb="run", error="no dry run for this command", targets=("/srv/scratch-space",))
    command = "touch a; cat /etc/shadow"

    found = judged(an_action("run_command", command=command), tool=tool, plan=plan)

    assert (found.verb, found.target) == ("run", "/srv/scratch-space")


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({"a.sh": "5c"}, "runs a script: read its text on this card"),
        ({"a.sh": ""}, "runs a script whose content was not read and is not shown"),
        ({}, "runs a script whose content was not read and is not shown"),
    ],
)
def test_a_script_is_said_to_be_shown_only_where_it_is(files: dict[str, str], reason: str) -> None:
    tool = a_tool(name="run_command", domain="shell", level=3, plans=True)
    plan = Plan(verb="run", error="only running it shows that", files=files)

    found = judged(an_action("run_command", command="bash a.sh"), tool=tool, plan=plan)

    assert f"`bash a.sh` {reason}" in {it.reason for it in found.signals}


@pytest.mark.parametrize(
    ("plan", "reason"),
    [
        (Plan(verb="delete", affected=40, unit="rows", reversible=False), "it deletes 40 rows"),
        (Plan(verb="delete", affected=1, unit="files", reversible=False), "it deletes 1 file"),
        (
            Plan(verb="delete", affected=0, unit="rows", reversible=False),
            "it deletes rows, none of which are there now",
        ),
        (Plan(verb="drop", targets=("crm.leads",), reversible=False), "it drops crm.leads"),
        (Plan(reversible=False), "it changes something"),
    ],
)
def test_what_has_no_way_back_is_named(plan: Plan, reason: str) -> None:
    tool = a_tool(name="run_command", domain="shell", level=3, plans=True)
    found = judged(an_action("run_command"), tool=tool, plan=plan)

    told = {it.rule: it.reason for it in found.signals}
    assert told["plan.irreversible"] == f"{reason}, and no way back is known"


@pytest.mark.parametrize(("confidence", "level"), [(0.5, LOW), (0.49, HIGH), (None, LOW)])
def test_low_confidence_counts_as_uncertainty(confidence: float | None, level: RiskLevel) -> None:
    sentence = Sentence(text="I will send it.", confidence=confidence)

    assert judged(an_action(), confidence=confidence).level is level
    assert by_rules(sentence, Context(), the_policy()).level is level


def test_the_lower_of_two_confidences_counts() -> None:
    sentence = Sentence(text="I will send it.", confidence=0.9)

    assert by_rules(sentence, Context(confidence=0.1), the_policy()).level is HIGH


def test_doubt_in_the_reasoning_beside_a_call_counts() -> None:
    found = judged(an_action(), reasoning="I am not sure. rm -rf / would be worse.")

    assert rules(found) == {"doubt.unsure"}
    assert found.signals[0].span is None


def test_the_agents_claim_raises() -> None:
    claim = IntentClaim(risk_level=CRITICAL, confirmation_required=True, action_type="launch")
    found = said("Here we go.", claim=claim)

    assert heuristics(found) == {Heuristic.AGENT}
    assert found.level is CRITICAL
    assert found.action_type == "launch"


def test_the_agents_claim_never_lowers() -> None:
    claim = IntentClaim(risk_level=LOW, scope=Scope(records=2, type="things"))
    found = said("I will delete 500 user accounts.", claim=claim)

    assert found.level is CRITICAL
    assert (found.affected, found.resource) == (500, "user_accounts")


def test_the_agents_claim_of_more_counts() -> None:
    found = said("I will tidy up.", claim=IntentClaim(scope=Scope(records=900, type="users")))

    assert found.level is HIGH
    assert (found.affected, found.resource) == (900, "users")


def test_a_claimed_sandbox_does_not_lower_and_a_claimed_production_raises() -> None:
    sandbox = said("I will restart it.", detail={"database": "scratch"}, facts={"database": "crm"})
    production = said("I will restart it.", detail={"env": "production"})

    assert sandbox.environment is Environment.PRODUCTION
    assert sandbox.level is HIGH
    assert production.level is HIGH
    assert production.target == "production"


def test_a_claimed_detail_is_read_like_arguments() -> None:
    assert said("Tidying up.", detail={"command": "git reset --hard"}).level is HIGH


def test_a_high_risk_command_is_critical_and_says_where() -> None:
    found = said("Next: DROP  nothing, then DROP TABLE users")
    signal = next(one for one in found.signals if one.rule == "command.high_risk")

    assert signal.level is CRITICAL
    assert signal.evidence == "DROP TABLE"
    assert signal.span == (26, 36)


@pytest.mark.parametrize(
    ("action", "word"),
    [
        (an_action("users.delete", user_ids=["a", "b"]), "batch_delete"),
        (an_action("users.delete"), "delete"),
        (an_action("orders.update"), "update"),
        (an_action("users.get"), "read"),
        (an_action("money.send", amount=5), "payment"),
        (an_action("bank.transfer"), "payment"),
        (an_action("shell.run", command="DROP TABLE t"), "drop"),
        (an_action("shell.run", command="ls"), "shell"),
    ],
)
def test_the_action_type_is_a_word_for_what_happens(action: Action, word: str) -> None:
    assert judged(action).action_type == word


def test_the_target_may_come_from_the_plan() -> None:
    plan = Plan(targets=("users", "orders"))
    found = judged(an_action(), plan=plan)

    assert found.target == "users"
    assert found.affected == 2
