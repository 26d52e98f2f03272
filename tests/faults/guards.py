"""`make guards`: each guard is taken out of a copy of the package, and some run must turn red.

The replacements match exactly once, so that none rots silently. What ships has no such switch.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
RUNS = "tests/faults/test_fault_runs.py"
BANK = "tests/integration/domains/test_bank.py -k"
TOKENS = "tests/unit/api/test_tokens.py -k"
RED = 1
"""How pytest ends when a test failed; anything else proves nothing."""

LONGEST_S = 240


@dataclass(frozen=True, kw_only=True)
class Guard:
    """What protects, where it stands, and what it looks like when it is gone."""

    name: str
    file: str
    there: str
    gone: str
    run: str
    caught_by: str
    """What must stand in the run's output: the breach, not some other mishap."""


def breach(check: str) -> str:
    """A line that the checker printed: a check that crashed stands in a traceback, not there."""
    return rf"^E +{check}_\w+: "


GUARDS = (
    Guard(
        name="compare-and-set",
        file="runtime/store/journal.py",
        there='                "Nats-Expected-Last-Subject-Sequence": str(it.after),\n'
        '                "Nats-Expected-Last-Subject-Sequence-Subject": it.address.guard,\n',
        gone="",
        run="tests/integration/test_races.py -k one_of_them_wins",
        caught_by=r"^E +AssertionError: assert [2-4] == 1$",
    ),
    Guard(
        name="nothing said without TLS",
        file="runtime/broker/wire.py",
        there="        if self._needs_tls and not self._has_tls:\n",
        gone="        if False:\n",
        run="tests/unit/runtime/test_broker_nodes.py -k nothing_is_said",
        caught_by=r"^FAILED \S+::test_nothing_is_said",
    ),
    Guard(
        name="a backup that was changed",
        file="cli/commands/backup.py",
        there="    return not path.is_file() or _digest(path) != kept.sha256\n",
        gone="    return not path.is_file()\n",
        run="tests/unit/cli/test_backup.py -k damaged",
        caught_by=r"^FAILED \S+damaged_backup_restores_nothing\[changed\]",
    ),
    Guard(
        name="a way out of the backup",
        file="cli/commands/backup.py",
        there=' or inside.is_absolute() or ".." in inside.parts:\n',
        gone=":\n",
        run="tests/unit/cli/test_backup.py -k leads_out",
        caught_by=r"^FAILED \S+leads_out",
    ),
    Guard(
        name="key of an auditor",
        file="cli/commands/audit_proofs.py",
        there="    said = _keys(key) if key else None\n",
        gone="    said = None\n",
        run="tests/integration/test_audit_cli.py -k would_be_ignored",
        caught_by=r"^FAILED \S+would_be_ignored",
    ),
    Guard(
        name="one audit on duty",
        file="audit/duty.py",
        there="            return False\n        return True\n",
        gone="            return True\n        return True\n",
        run="tests/unit/audit/test_duty.py",
        caught_by=r"^E +AssertionError: assert \['first opens\.\.\.second opens'\]",
    ),
    Guard(
        name="directly behind",
        file="runtime/store/journal.py",
        there='            headers["Nats-Expected-Last-Msg-Id"] = it.behind\n',
        gone="",
        run="tests/integration/test_facts_together.py",
        caught_by=r"test_where_somebody\w+",
    ),
    Guard(
        name="one after the other in a cluster",
        file="runtime/store/journal.py",
        there="        if self._requests.is_in_cluster:\n",
        gone="        if not self._requests:\n",
        run="tests/integration/test_cluster.py -k pairs",
        caught_by=r"^E +holdpoint\.runtime\.errors\.U\w+Error",
    ),
    Guard(
        name="store of the ledger",
        file="runtime/broker/provisioning.py",
        there="    await _check_recorded(client, plan, accepted, recorded)\n",
        gone="",
        run="tests/integration/test_lost_parts.py -k recorded",
        caught_by=r"DID NOT RAISE",
    ),
    Guard(
        name="one-call-a-yes",
        file="core/objections.py",
        there='            unused = hold.used_by in {"", command.hold_id}\n',
        gone="            unused = True\n",
        run="tests/integration/test_announced_calls.py -k stands_for_one_call",
        caught_by=r"^E +AssertionError: assert \[<Status",
    ),
    Guard(
        name="signed yes to the call itself",
        file="gate/announcements.py",
        there=" or is_from(gate.passkey_from_level, hold, tool)",
        gone="",
        run="tests/integration/test_passkeys_at_workers.py -k stands_for_no_call",
        caught_by=r"^E +AssertionError: still failed: .*no_passkey",
    ),
    Guard(
        name="slow is not missing",
        file="gate/worker_lanes.py",
        there="                raise  # the broker is slow: nothing may be taken for settled\n",
        gone="                return 0\n",
        run="tests/unit/gate/test_worker_lanes.py",
        caught_by=r"^E +Failed: DID NOT RAISE",
    ),
    Guard(
        name="exact-action",
        file="gate/announcements.py",
        there="    if not is_exactly(sentence.claim, action, gate.catalog, may_call):\n"
        "        return None\n",
        gone="",
        run="tests/integration/test_announced_calls.py -k for_exactly_its_action",
        caught_by=r"^E +AssertionError: assert <Status",
    ),
    Guard(
        name="changed-is-over",
        file="gate/modifying.py",
        there="    await _supersede(gate, delivery, loaded, command)\n",
        gone="",
        run="tests/integration/test_modify.py -k n5_a_change",
        caught_by=r"test_n5_a_change",
    ),
    Guard(
        name="changer-is-no-eye",
        file="core/quorum.py",
        there="*(hold.modified.authors if hold.modified else ())",
        gone="*()",
        run="tests/unit/core/test_hold_every_road.py -k another_person_who_may",
        caught_by=r"^E +assert not \(?.*authors|test_on_every_road",
    ),
    Guard(
        name="Slack ends at level 3",
        file="core/objections.py",
        there="    if hold.level > MOST_LEVELS.get(command.channel, hold.level):\n"
        "        return Reason.PROOF_MISSING\n",
        gone="",
        run="tests/unit/core/test_objections.py -k slacks_yes",
        caught_by=r"^E +(?:AssertionError: )?assert True is False",
    ),
    Guard(
        name="a client's form only where the policy says so",
        file="core/objections.py",
        there="    if command.channel == CLIENT_FORM and not hold.requirement.client_may_answer:\n"
        "        return Reason.PROOF_MISSING\n",
        gone="",
        run="tests/unit/core/test_objections.py -k clients_form",
        caught_by=r"^E +(?:AssertionError: )?assert True is False",
    ),
    Guard(
        name="a client's key only for its agents",
        file="runtime/security/permissions.py",
        there="subjects.answer_subject(t, CLIENT_FORM, person.name, it, ANY) for it in agents",
        gone="subjects.answer_subject(t, CLIENT_FORM, person.name, ANY, ANY) for it in agents",
        run="tests/integration/mcp/test_mcp_client_answers.py -k no_other_agents_holds",
        caught_by=r"DID NOT RAISE|^E +(?:AssertionError: )?",
    ),
    Guard(
        name="Slack's yes or no",
        file="gate/answers.py",
        there="        _check_channel(channel, answer)\n",
        gone="",
        run="tests/integration/test_slack.py -k plain_yes_or_no",
        caught_by=r"^E +AssertionError: assert \(<Status",
    ),
    Guard(
        name="Slack's request once",
        file="slack/listeners.py",
        there="        app.middleware(self.once)\n",
        gone="",
        run="tests/integration/test_slack.py -k did_not_sign_now",
        caught_by=r"^E +(?:AssertionError: )?assert 200 == 401",
    ),
    Guard(
        name="Slack's card as it was shown",
        file="slack/answering.py",
        there="        if ref_of(card) != pressed.ref:\n            return CHANGED\n",
        gone="",
        run="tests/integration/test_slack.py -k who_slack_signed_for",
        caught_by=r"^E +AssertionError: ",
    ),
    Guard(
        name="outside-its-plan",
        file="core/plans.py",
        there="            not left or exactly(action) != exactly(left[0].action),\n",
        gone="            False,\n",
        run="tests/integration/test_plans.py -k n5_a_step",
        caught_by=r"test_n5_a_step",
    ),
    Guard(
        name="plan-step-4-asks",
        file="core/plans.py",
        there=" or call.level != HIGHEST_LEVEL",
        gone="",
        run="tests/unit/core/test_plans.py -k asks_for_itself",
        caught_by=r"test_what_asks_for_more\w+",
    ),
    Guard(
        name="plan-step-once",
        file="core/objections.py",
        there="    is_new = command.hold_id not in hold.taken\n",
        gone="    is_new = True\n",
        run="tests/unit/core/test_hold_every_road.py -k step_of_a_confirmed",
        caught_by=r"test_on_every_road",
    ),
    Guard(
        name="plan-in-order",
        file="gate/plan_steps.py",
        there="    if why := why or await _why_early(gate, found.hold):\n",
        gone="    if why:\n",
        run="tests/integration/test_plans.py -k not_done_asks",
        caught_by=r"test_a_step_after_one",
    ),
    Guard(
        name="hints raise",
        file="core/mcp_tools.py",
        there="    return max(level, DESTRUCTIVE_LEVEL) if destroys else level\n",
        gone="    return level\n",
        run="tests/unit/core/test_mcp_tools.py -k raises_the_level",
        caught_by=r"assert 1 == 3$",
    ),
    Guard(
        name="adopted tools",
        file="core/mcp_tools.py",
        there="    if not is_adopted:\n        return UNLEVELLED\n",
        gone="",
        run="tests/unit/core/test_mcp_tools.py -k another_version_without_a_level",
        caught_by=r"assert 1 == 5$",
    ),
    Guard(
        name="swapped server",
        file="core/mcp_tools.py",
        there='    said: Any = {"server": [*started, server.working_dir, server.url], ',
        gone='    said: Any = {"server": [], ',
        run="tests/unit/core/test_mcp_tools.py -k another_command_line",
        caught_by=r"assert 1 == 5$",
    ),
    Guard(
        name="adopted names",
        file="core/mcp_tools.py",
        there="            owners.setdefault(name, state.server.name)\n",
        gone="            pass\n",
        run="tests/unit/core/test_mcp_tools.py -k stays_its_servers",
        caught_by=r"^E +AssertionError: assert \(Tool",
    ),
    Guard(
        name="a state once",
        file="mcp/asking.py",
        there="        found = self._open.take(nonce) or none",
        gone="        found = self._open.get(nonce) or none",
        run="tests/unit/mcp/test_mcp_replies.py -k counts_once",
        caught_by=r"^E +AssertionError: assert \['abc', 'abc'\]",
    ),
    Guard(
        name="gateway token",
        file="mcp/serving.py",
        there=" or not hmac.compare_digest(said, self._wanted):\n",
        gone=":\n",
        run="tests/unit/mcp/test_mcp_replies.py -k knows_the_token",
        caught_by=r"^E +assert 200 == 401$",
    ),
    Guard(
        name="who-asks",
        file="coordinator/requests.py",
        there='    if said not in {"", user_id} if isinstance(said, str) else True:\n',
        gone="    if False:\n",
        run="tests/unit/coordinator/test_requests.py",
        caught_by=r"test_one_broken_rule_is_one_sentence",
    ),
    Guard(
        name="doubt-asks-back",
        file="coordinator/intents.py",
        there="    if any_of(sentence.words, it.negations) and not (rule and rule.denies):\n",
        gone="    if False:\n",
        run="tests/unit/coordinator/test_routing.py",
        caught_by=r"test_an_ambiguous_sentence_never_changes_anything",
    ),
    Guard(
        name="one-intent",
        file="coordinator/intents.py",
        there="    if len(found) > 1:\n",
        gone="    found = frozenset({min(found)})\n    if len(found) > 1:\n",
        run="tests/unit/coordinator/test_routing.py",
        caught_by=r"test_an_ambiguous_sentence_never_changes_anything",
    ),
    Guard(
        name="same-request-same-keys",
        file="coordinator/calls.py",
        there="UUID(self._base or self.request.request_id), str(self._number)",
        gone="UUID(self._base or self.request.request_id), str(id(object()))",
        run="tests/journeys/test_coordinator.py -k transfer_waits",
        caught_by=r"AssertionError",
    ),
    Guard(
        name="persons-key-is-no-agents",
        file="api/tokens.py",
        there="lambda config, kid: config.keys[kid].agent)",
        gone="lambda config, kid: config.person_keys[kid].person)",
        run="tests/unit/api/test_tokens.py -k proves_a_person_and_no_agent",
        caught_by=r"DID NOT RAISE",
    ),
    Guard(
        name="only-asks",
        file="gate/proposals.py",
        there="    if Flag.LEGACY_ASK in basis.flags_off and is_ask_only(",
        gone="    if not basis and is_ask_only(",
        run="tests/journeys/test_coordinator.py -k let_through",
        caught_by=r"AssertionError",
    ),
    Guard(
        name="answered-together",
        file="core/batch.py",
        there="        if _acts(card) != _acts(cards[0]):\n",
        gone="        if card.agent != cards[0].agent:\n",
        run="tests/unit/core/test_batch.py -k grave_or_differs",
        caught_by=r"^E +AssertionError: assert 'by itself' in ''$",
    ),
    Guard(
        name="little-change-inside",
        file="core/risk/shell/local_changes.py",
        there='    return bool(path) and parts[0] != "" and ".." not in parts and not hidden\n',
        gone="    return bool(path) and not hidden\n",
        run="tests/unit/risk/shell/test_local_changes.py -k may_lose_something",
        caught_by=r"^E +AssertionError: assert not True$",
    ),
    Guard(
        name="read-through-a-wrapper",
        file="core/risk/shell/walk.py",
        there="            self.state.reads_only = self.state.reads_only and passes_on(command)\n",
        gone="",
        run="tests/unit/risk/shell/test_proven_reads.py -k may_run_or_write",
        caught_by=r"^E +AssertionError: assert 1 == 3$",
    ),
    Guard(
        name="read-with-listed-options",
        file="core/risk/shell/read_only.py",
        there="            elif not self._knows(arg, rest, said):\n                return None\n",
        gone="            else:\n                self._knows(arg, rest, said)\n",
        run="tests/unit/risk/shell/test_proven_reads.py -k may_run_or_write",
        caught_by=r"^E +AssertionError: assert 1 == 3$",
    ),
    Guard(
        name="settings-file",
        file="core/risk/shell/written_files.py",
        there="    yield from map(_settings, filter(_sets_up, islice(files, MAX_FILES)))\n",
        gone="",
        run="tests/unit/risk/test_settings_files.py",
        caught_by=r"^E +AssertionError: assert .*LOW",
    ),
    Guard(
        name="sent-outside",
        file="core/risk/shell/judge.py",
        there="        found += sent_outside(command)\n",
        gone="        pass\n",
        run="tests/unit/risk/shell/test_outbound.py -k that_leaves",
        caught_by=r"^E +(?:AssertionError: )?assert <RiskLevel\.",
    ),
    Guard(
        name="permission-uses",
        file="core/permissions.py",
        there="    return permission.used < permission.uses and at < permission.expires_at\n",
        gone="    return at < permission.expires_at\n",
        run="tests/unit/core/test_permissions.py -k counted_once",
        caught_by=r"^E +AssertionError: assert Used\(",
    ),
    Guard(
        name="permission-counted",
        file="gate/permissions.py",
        there="            if found.state != state:\n",
        gone="            if not found.state:\n",
        run="tests/integration/test_remembered.py -k two_gates",
        caught_by=r"^E +AssertionError: assert (10|[4-9]) == 3$",
    ),
    Guard(
        name="permission-risk",
        file="core/permissions.py",
        there="        and _as_seen(permission, call.assessment)\n",
        gone="",
        run="tests/unit/core/test_permissions.py -k nobody_saw",
        caught_by=r"^E +AssertionError: assert not True$",
    ),
    Guard(
        name="permission-alone",
        file="core/permissions.py",
        there="    if asked is None or not _alone(asked, action, person):\n",
        gone="    if asked is None:\n",
        run="tests/unit/core/test_permissions.py -k enough_by_itself",
        caught_by=r"^E +AssertionError: assert 'enough by itself' in ",
    ),
    Guard(
        name="claim",
        file="workers/grants.py",
        there="        await _claimed_before(worker, delivery, claimed)\n        return\n",
        gone="        seq = 0\n",
        run=f"{RUNS}::test_what_is_delivered_again_while_it_is_in_hand_happens_once",
        caught_by=breach("s2"),
    ),
    Guard(
        name="once reconciled",
        file="gate/reconciling.py",
        there="        if run is None or not in_doubt(run.fact):\n",
        gone="        if run is None:\n",
        run="tests/integration/test_reconciling.py -k it_did_not_happen",
        caught_by=r"^E +AssertionError: assert \(<Status",
    ),
    Guard(
        name="who reconciles",
        file="gate/reconciling.py",
        there="    if person == hold.agent or not groups.intersection("
        "gate.people[person].groups):\n",
        gone="    if not groups:\n",
        run="tests/integration/test_reconciling.py -k only_who_was_asked",
        caught_by=r"^E +AssertionError: assert \(<Status",
    ),
    Guard(
        name="lease extended",
        file="workers/effects.py",
        there="    if not 0 < left <= worker.lease_s * 2 / 3:\n        return\n",
        gone="    return\n",
        run="tests/faults/test_long_runs.py -k four_leases",
        caught_by=r"^E +AssertionError: assert 1 >",
    ),
    Guard(
        name="passkey at the worker",
        file="workers/grants.py",
        there="            return Flaw.NO_PASSKEY\n",
        gone="            pass\n",
        run="tests/integration/test_passkeys_at_workers.py -k stolen",
        caught_by=r"^E +AssertionError: still",
    ),
    Guard(
        name="pinned passkeys",
        file="workers/passkey_proofs.py",
        there="    if proof is None or proof.public_key not in pins.get(voice.person, ()):\n",
        gone="    if proof is None:\n",
        run="tests/integration/test_passkeys_at_workers.py -k stolen",
        caught_by=r"^E +AssertionError: still",
    ),
    Guard(
        name="one spelling of a signature",
        file="runtime/security/keys.py",
        there="    is_canonical = base64.b64encode(raw).decode() == signature\n",
        gone="    is_canonical = True\n",
        run="tests/unit/runtime/test_mutated_grants.py",
        caught_by=r"^E +assert \(\d+, \d+\) == ",
    ),
    Guard(
        name="denied keys",
        file="runtime/security/keys.py",
        there="        if key_id in self._denied:\n",
        gone="        if not key_id:\n",
        run="tests/unit/runtime/test_keyset_root.py -k denied",
        caught_by=r"DID NOT RAISE",
    ),
    Guard(
        name="the root's signature",
        file="runtime/security/keyset_files.py",
        there="    if root is not None and not _is_signed(found, root):\n",
        gone="    if False:\n",
        run="tests/unit/runtime/test_keyset_root.py -k did_not_sign",
        caught_by=r"DID NOT RAISE|SignatureError",
    ),
    Guard(
        name="digest",
        file="core/grant.py",
        there="    return None if same and mine else Flaw.OTHER_DIGEST\n",
        gone="    return None\n",
        run="tests/integration/test_forged_grants.py -k other_digest",
        caught_by=r"^> +assert not \(road\.scratch / name\)\.exists\(\)",
    ),
    Guard(
        name="signature of a tree",
        file="runtime/security/keys.py",
        there="        _check_signature(line, key, message, signature)\n",
        gone="",
        run="tests/unit/runtime/test_signature_trees.py -k verifies_alone",
        caught_by=r"^E +assert False$",
    ),
    Guard(
        name="path in a tree",
        file="runtime/security/signature_trees.py",
        there="    if len(raw) != length or base64.b64encode(raw).decode() != path:\n"
        "        raise ValueError(path)\n",
        gone="",
        run="tests/unit/runtime/test_signature_trees.py -k changed_in_any_word",
        caught_by=r"^E +AssertionError: gate-",
    ),
    Guard(
        name="nonce",
        file="gate/first_fact.py",
        there="    nonce = clock.new_nonce()\n",
        gone='    nonce = "0" * 32\n',
        run=f"{RUNS}::test_what_is_delivered_again_while_it_is_in_hand_happens_once",
        caught_by=breach("s2") + "the nonce",
    ),
    Guard(
        name="lease",
        file="workers/effects.py",
        there="        if until is not None and clock.now() >= until:\n",
        gone="        if False:\n",
        run=f"{RUNS}::test_a_zombie_worker_past_its_lease_does_nothing",
        caught_by=breach("s3_nothing_begins"),
    ),
    Guard(
        name="signature",
        file="workers/grants.py",
        there="    key_id = worker.keyset.verify(delivery.data, header, GATE, clock.now())\n"
        "    worker.keyset.check_not_denied(key_id)\n",
        gone="    _ = header\n",
        run=f"{RUNS}::test_what_is_poisoned_too_large_or_forged_stops_nobody",
        caught_by=breach("s1"),
    ),
    Guard(
        name="place in the ledger",
        file="ledger/writer.py",
        there="            check_positions(connection, ends)\n",
        gone="",
        run="tests/integration/test_audit_service.py -k replaced_by_an_older",
        caught_by=r"^E +assert 20 == 30$|^E +AssertionError: assert \d+ == 30$",
    ),
    Guard(
        name="gap in a stream",
        file="audit/follower.py",
        there="            if entry.seq != last + 1 and not await self._is_settled("
        "stream, last, entry.seq):\n",
        gone="            if False:\n",
        run="tests/integration/test_audit_service.py -k gap_is_waited_for",
        caught_by=r"^E +AssertionError: assert 3 == 2$|^E +assert 3 == 2$",
    ),
    Guard(
        name="stream made anew",
        file="audit/follower.py",
        there="        if position.created and about.created != position.created:\n",
        gone="        if False:\n",
        run="tests/integration/test_audit_service.py -k was_made_anew_is_not_entered",
        caught_by=r"^E +AssertionError: assert 'HP_CALLS_acme@robot was made at' in ",
    ),
    Guard(
        name="sequence of another message",
        file="ledger/writer.py",
        there="    if entry.body_sha256 != body_sha256:\n",
        gone="    if False:\n",
        run="tests/integration/test_audit_service.py -k older_copy",
        caught_by=r"^E +AssertionError: assert 'another message 8' in ",
    ),
    Guard(
        name="checkpoint of the ledger",
        file="audit/tree_checks.py",
        there="        elif said.root == tree.root():\n",
        gone="        elif True:\n",
        run="tests/integration/test_ledger_tampering.py -k rewritten_with_its_leaf",
        caught_by=r"^E +ValueError: not enough values to unpack",
    ),
    Guard(
        name="checkpoint that was kept outside",
        file="audit/tree_checks.py",
        there="        if said.size and said.root != tree.root():\n",
        gone="        if False:\n",
        run="tests/integration/test_ledger_tampering.py -k deleted_with_every_trace",
        caught_by=r"^E +AssertionError: ",
    ),
    Guard(
        name="signature of a checkpoint",
        file="audit/checkpoint_keys.py",
        there="    if not any(_is_signed(found, key) for key in keys):\n",
        gone="    if False:\n",
        run="tests/unit/core/test_checkpoint.py -k another_key",
        caught_by=r"^E +Failed: DID NOT RAISE",
    ),
    Guard(
        name="chain before the upgrade",
        file="ledger/migrations/versions/r0004_tree.py",
        there="    _check_chain(op.get_bind())\n",
        gone="",
        run="tests/integration/test_ledger_upgrade.py -k stays_as_it_is",
        caught_by=r"^E +Failed: DID NOT RAISE",
    ),
    Guard(
        name="legal hold",
        file="ledger/erasure.py",
        there="        if found := _first(connection, wanted):\n",
        gone='        if found := "":\n',
        run="tests/integration/test_ledger_erasure.py -k legal_hold_wins",
        caught_by=r"^E +AssertionError: Regex pattern did not match",
    ),
    Guard(
        name="body that is gone",
        file="audit/verify.py",
        there="        if not is_erased(seq):\n",
        gone="        if False:\n",
        run="tests/integration/test_ledger_erasure.py -k gone_without_an_event",
        caught_by=r"^E +AssertionError: assert \('event', 'events.3'\) in ",
    ),
    Guard(
        name="history of a witness",
        file="audit/publishing.py",
        there="    if last.size > made.size or root_at(connection, last.size) != last.root:\n",
        gone="    if False:\n",
        run="tests/integration/test_witnesses.py -k another_history",
        caught_by=r"^E +AssertionError: assert 'replaced or rewritten' in ",
    ),
    Guard(
        name="groups",
        file="core/quorum.py",
        there="    return all(_seated(slot, able, taken, set()) for slot in range(len(able)))\n",
        gone="    return True\n",
        run=f"{RUNS}::test_two_of_one_group_do_not_speak_for_another",
        caught_by=breach("s5_enough"),
    ),
    Guard(
        name="silence is no no",
        file="core/responses.py",
        there="    Outcome.EXPIRED: Status.EXPIRED,\n",
        gone="    Outcome.EXPIRED: Status.CANCELLED,\n",
        run=f"{RUNS}::test_a_dozen_kills_at_any_step_break_nothing",
        caught_by=breach("l2"),
    ),
    Guard(
        name="lease of the state",
        file="runtime/store/state.py",
        there="self._is_known(now - LEASE_S)",
        gone='self._is_known(float("-inf"))',
        run="tests/integration/test_lease.py -k no_longer_than",
        caught_by=r"^E +AssertionError: assert InForce\(",
    ),
    Guard(
        name="told after the lease",
        file="gate/admin_orders.py",
        there="    await _until_leases_end(stored_at)\n    if order.on:\n",
        gone="    if order.on:\n",
        run="tests/integration/test_lease.py -k only_once_no_lease",
        caught_by=r"^E +assert 0\.\d+ >= 0\.25$",
    ),
    Guard(
        name="halted by an older lease",
        file="gate/admin_orders.py",
        there="        await stop_open_holds(gate, order.agent, delivery.id)\n"
        "        await sweep(gate)\n",
        gone="        await sweep(gate)\n",
        run="tests/integration/test_lease.py -k halted_by_a_lease",
        caught_by=r"^E +AssertionError: assert None is <EndedBy",
    ),
    Guard(
        name="lease before a pass",
        file="gate/first_fact.py",
        there="        if not isinstance(fact, Denied | Halted):\n"
        "            await check_lease(gate, draft.basis)\n",
        gone="",
        run="tests/integration/test_lease.py -k longer_than_the_lease",
        caught_by=r"^E +Failed: DID NOT RAISE",
    ),
    Guard(
        name="acknowledge after the fact",
        file="gate/batch_passing.py",
        there="        if isinstance(result, HoldpointError):\n"
        "            drawing.alone(delivery)\n",
        gone="        if isinstance(result, HoldpointError):\n            delivery.acknowledge()\n"
        "            drawing.done(delivery)\n",
        run="tests/integration/test_passing.py -k judged_again",
        caught_by=r"^E +AssertionError: still (False after|waiting:)",
    ),
    Guard(
        name="only what passes goes the quick road",
        file="gate/batch_passing.py",
        there="    return judged if passes and not is_counted(judged) else None\n",
        gone="    return judged if passes else None\n",
        run="tests/integration/test_taint.py -k after_untrusted_content",
        caught_by=r"test_what_is_changed\w+",
    ),
    Guard(
        name="tally",
        file="core/risk/heuristics.py",
        there='        ("context.tallies", running_sum),\n',
        gone="",
        run="tests/journeys/test_never_list_sums.py -k ten_calls_of_999",
        caught_by=r"test_n12_\w+",
    ),
    Guard(
        name="tally unread",
        file="core/risk/running_sums.py",
        there="        return UNREADABLE\n",
        gone='        return ""\n',
        run="tests/integration/test_tallies_break.py -k without_counters",
        caught_by=r"test_without_counters\w+",
    ),
    Guard(
        name="taint",
        file="core/risk/heuristics.py",
        there='        ("context.brought", content_came_in),\n',
        gone="",
        run="tests/integration/test_taint.py -k after_untrusted_content",
        caught_by=r"test_what_is_changed\w+",
    ),
    Guard(
        name="taint by tree",
        file="gate/proposals.py",
        there="        trees=trees_of(gate.agents[agent], call.lineage.group_id),\n",
        gone="",
        run="tests/integration/test_taint.py -k whoever_shares",
        caught_by=r"test_whoever_shares\w+",
    ),
    Guard(
        name="tally once",
        file="runtime/store/history.py",
        there=", MESSAGE_ID: once}",
        gone="}",
        run="tests/integration/test_tallies.py",
        caught_by=r"test_\w+once\w*",
    ),
    Guard(
        name="tally given back",
        file="gate/lifecycle.py",
        there="    await settle(gate, last, at)\n",
        gone="",
        run="tests/journeys/test_never_list_sums.py -k cancelled_payment",
        caught_by=r"test_a_cancelled\w+",
    ),
    Guard(
        name="safety net",
        file="gate/safety_net.py",
        there="    if is_due or isinstance(loaded.fact, Halted):\n",
        gone="    if is_due:\n",
        run="tests/integration/test_safety_net.py -k what_was_halted",
        caught_by=r"^E +AssertionError: still None after 30\.0 s$",
    ),
    Guard(
        name="kill without alarm",
        file="gate/safety_net.py",
        there="    found = [hold_place(it.subject) async for it in _not_let_go(gate, agent)]\n",
        gone="    found = ()\n",
        run="tests/integration/test_safety_net.py -k kill_switch_finds",
        caught_by=r"^E +<Status\.PENDING_CONFIRMATION",
    ),
    Guard(
        name="code once",
        file="core/step_up.py",
        there="    return bool(state.used) and step <= state.used[-1].step\n",
        gone="    return False\n",
        run="tests/integration/test_step_up.py -k replayed_fifty_times",
        caught_by=r"^E +AssertionError: assert Counter\(\{'': \d+",
    ),
    Guard(
        name="code tries",
        file="core/step_up.py",
        there="    return Reason.TRIES_OVER if on_hold >= MOST_ON_A_HOLD else None\n",
        gone="    return None if on_hold else None\n",
        run="tests/integration/test_step_up.py -k five_wrong_codes",
        caught_by=r"^E +\{'code_wrong': 10\} != \{'code_wrong': 5\}$",
    ),
    Guard(
        name="passkey's person",
        file="runtime/security/passkeys.py",
        there="            credential_current_sign_count=sign_count,\n"
        "            require_user_verification=True,\n",
        gone="            credential_current_sign_count=sign_count,\n",
        run="tests/integration/test_passkeys.py -k no_passkey_signed",
        caught_by=r"^E +AssertionError: assert \['no user verification'\] == \[\]$",
    ),
    Guard(
        name="passkey's action",
        file="core/digest.py",
        there='        "digest": answer.digest,\n',
        gone="",
        run="tests/integration/test_passkeys.py -k no_passkey_signed",
        caught_by=r"^E +AssertionError: assert \['other action'\] == \[\]$",
    ),
    Guard(
        name="question limit",
        file="runtime/broker/request_reply.py",
        there="        if self._taken >= self.most or self._open[asker] >= self.each:\n",
        gone="        if self._taken >= self.most:\n",
        run="tests/integration/test_many_questions.py",
        caught_by=r"^E +(nats\.errors\.)?TimeoutError",
    ),
    Guard(
        name="budget",
        file="gate/batch_passing.py",
        there="1 or gate.budgets.cover(_agent_of(delivery), delivery):\n",
        gone="0:\n",
        run="tests/integration/test_budgets.py -k each_call_named",
        caught_by=r"^E +AssertionError: still done",
    ),
    Guard(
        name="budget of holds",
        file="gate/first_fact.py",
        there="        if is_kept(fact) and not await _is_covered(gate, delivery, draft, size):\n"
        "            return\n",
        gone="",
        run="tests/integration/test_budgets.py -k nothing_is_kept",
        caught_by=r"^E +AssertionError: assert 7 == 4$|^E +assert 7 == 4$|^E +assert [5-8] == 4",
    ),
    Guard(
        name="fair turns",
        file="gate/budgets.py",
        there="        if self._judged or self._is_between:\n",
        gone="        if self._judged < 0:\n",
        run="tests/unit/gate/test_turns.py -k no_more_than_a_turn",
        caught_by=r"^E +AssertionError: assert 100 <= 2",
    ),
    Guard(
        name="stream per agent",
        file="messages/subjects.py",
        there='    return f"{CALLS}@{agent}"\n',
        gone='    return CALLS if agent else ""\n',
        run="tests/unit/messages/test_subjects.py -k of_their_own",
        caught_by=r"^E +AssertionError: assert 'HP_CALLS_",
    ),
    Guard(
        name="only approvers answer",
        file="gate/answers.py",
        there="    if not may_answer(known):\n",
        gone="    if False:\n",
        run="tests/console/test_console_roles.py",
        caught_by=r"^E +AssertionError: assert \(<Status\.APPR",
    ),
    Guard(
        name="typed target",
        file="console/answering.py",
        there="        why = self._not_yet(seen, now) or _untyped(now, pressed.typed)\n",
        gone="        why = self._not_yet(seen, now)\n",
        run="tests/unit/console/test_answering.py",
        caught_by=r"^E +AssertionError: assert '' == 'Type ",
    ),
    Guard(
        name="denial memory",
        file="gate/denials.py",
        there="    if denial is None:\n",
        gone="    if True:\n",
        run="tests/integration/test_denials.py",
        caught_by=r"test_n11_\w+",
    ),
    Guard(
        name="token of this login",
        file="console/openid.py",
        there='    if not hmac.compare_digest(str(claims.get("nonce", "")).encode(), '
        "nonce.encode()):\n",
        gone="    if False:\n",
        run="tests/unit/console/test_openid.py -k lie_in_the_token",
        caught_by=r"Failed: DID NOT RAISE",
    ),
    Guard(
        name="login of this browser",
        file="console/openid.py",
        there="        if not hmac.compare_digest(attempt.browser, browser):\n",
        gone="        if False:\n",
        run="tests/unit/console/test_openid.py -k in_its_browser",
        caught_by=r"Failed: DID NOT RAISE",
    ),
    Guard(
        name="age of an invitation",
        file="console/invites.py",
        there="invite.until <= clock.now() or ",
        gone="",
        run="tests/unit/console/test_invites.py",
        caught_by=r"test_after_a_day_it_is_too_old",
    ),
    Guard(
        name="invitation of who has no key",
        file="console/invites.py",
        there=" or not self.is_new(invite.person)",
        gone="",
        run="tests/unit/console/test_invites.py",
        caught_by=r"test_who_has_a_key_keeps_it",
    ),
    Guard(
        name="direct message of another",
        file="slack/answering.py",
        there="        if ref.group not in audiences(person):\n",
        gone="        if False:\n",
        run="tests/integration/test_slack.py -k direct_message",
        caught_by=r"^E +AssertionError: ",
    ),
    Guard(
        name="nobody answers for whom they please",
        file="gate/delegations.py",
        there="    if person not in delegates(seat, at, known):\n",
        gone="    if False:\n",
        run="tests/integration/test_delegations.py -k never_widens",
        caught_by=r"^E +AssertionError: assert '' == 'not_a_delegate'",
    ),
    Guard(
        name="a delegation is bounded",
        file="core/delegation.py",
        there="            if it.since <= at < it.until and it.to not in found\n",
        gone="            if it.to not in found\n",
        run="tests/unit/core/test_delegation.py -k not_at_its_end",
        caught_by=r"^E +AssertionError: assert \[frozenset",
    ),
    Guard(
        name="two places are not two people",
        file="core/objections.py",
        there="    return Reason.SECOND_VOICE if spoke or given else None\n",
        gone="    return None\n",
        run="tests/unit/core/test_delegation.py -k real_people",
        caught_by=r"test_four_eyes_are_those_of_real_people",
    ),
    Guard(
        name="more time within bounds",
        file="core/objections.py",
        there="    fits = 0 < command.seconds <= extendable_s(hold) and command.reason.strip()\n",
        gone="    fits = True\n",
        run="tests/unit/core/test_hold_every_road.py -k more_time",
        caught_by=r"test_on_every_road",
    ),
    Guard(
        name="a backup group answers from its time on",
        file="core/objections.py",
        there="            early = (due := next_escalation(hold)) is None or now < due\n",
        gone="            early = False\n",
        run="tests/unit/core/test_hold_every_road.py -k others_are_asked",
        caught_by=r"test_on_every_road",
    ),
    Guard(
        name="an extension is no answer",
        file="core/quorum.py",
        there="    return tuple(cause for cause in said if cause not in later)\n",
        gone="    return tuple(said)\n",
        run="tests/unit/core/test_times.py -k no_voice",
        caught_by=r"test_an_extension_is_no_voice",
    ),
    Guard(
        name="the same action once",
        file="gate/attention.py",
        there="        raise RefusedError(ASKED_ALREADY, text, same.hold_id)\n",
        gone="        _ = text, ASKED_ALREADY\n",
        run="tests/integration/test_attention.py -k asked_about_once",
        caught_by=r"test_the_same_action_is_asked_about_once",
    ),
    Guard(
        name="so many at a time",
        file="core/attention.py",
        there="not it.asked and all(asked[group] < most for group in it.groups)",
        gone="not it.asked",
        run="tests/unit/core/test_attention.py",
        caught_by=r"test_as_many_as_may\w+",
    ),
    Guard(
        name="agents call within the access matrix",
        file="core/verdict.py",
        there="    if facts.outside:\n        return _denied(level, facts.outside)\n",
        gone="",
        run="tests/journeys/test_agent_calls.py -k outside_of_the_matrix",
        caught_by=r"test_a_dispatch_outside_of_the_matrix_is_denied",
    ),
    Guard(
        name="a dispatch that ended is closed",
        file="gate/call_chains.py",
        there="    if loaded is None or await gate.runs.has_begun(loaded.hold):\n",
        gone="    if loaded is None:\n",
        run="tests/journeys/test_agent_calls.py -k withdrawn_dispatch",
        caught_by=r"test_a_withdrawn_dispatch_is_closed",
    ),
    Guard(
        name="agents never call in a circle",
        file="core/access_matrix.py",
        there="                raise CyclicError(self._cycle(before))\n",
        gone="                return index\n",
        run="tests/unit/core/test_access_matrix.py -k overflow",
        caught_by=r"DID NOT RAISE",
    ),
    Guard(
        name="listed for the asker",
        file="gate/tool_search.py",
        there=" if tool.name in may_call]",
        gone="]",
        run="tests/integration/test_tool_search.py -k may_call_is_listed",
        caught_by=r"^E +AssertionError: assert \[",
    ),
    Guard(
        name="one tool for a name",
        file="core/catalog.py",
        there="            if name in named or name == SENTENCE_TOOL:\n",
        gone="            if name == SENTENCE_TOOL:\n",
        run="tests/unit/core/test_tool_names.py -k never_takes",
        caught_by=r"Failed: DID NOT RAISE",
    ),
    Guard(
        name="bank key",
        file="domains/bank/effects.py",
        there="            if not await claim(books, [context.idempotency_key], context.nonce):\n"
        "                return await _first_time(connection, context.idempotency_key)\n",
        gone="",
        run=f"{BANK} pays_once",
        caught_by=r"test_the_same_key_pays_once",
    ),
    Guard(
        name="bank conditions",
        file="domains/bank/operations.py",
        there="                raise ChangedError(_difference(expected or {}, state))\n",
        gone="                pass\n",
        run=f"{BANK} compares_what_was_confirmed",
        caught_by=r"test_the_effect_compares_what_was_confirmed",
    ),
    Guard(
        name="bank funds",
        file="domains/bank/ledger.py",
        there="    if amount > account.available:\n",
        gone="    if False:\n",
        run=f"{BANK} cannot_be_paid",
        caught_by=r"test_what_cannot_be_paid",
    ),
    Guard(
        name="bank overdraft",
        file="domains/bank/tables.py",
        there='    CheckConstraint("minimum IS NULL OR balance >= minimum", '
        'name="bank_accounts_covered"),\n',
        gone="",
        run=f"{BANK} refuses_an_overdraft",
        caught_by=r"DID NOT RAISE",
    ),
    Guard(
        name="bank frozen",
        file="domains/bank/ledger.py",
        there="    if account.status != OPEN or account.customer_id is None:\n",
        gone="    if False:\n",
        run=f"{BANK} cannot_be_paid",
        caught_by=r"test_what_cannot_be_paid",
    ),
    Guard(
        name="bank balance",
        file="domains/bank/ledger.py",
        there="        if sum(posting.legs.values()):\n",
        gone="        if False:\n",
        run=f"{BANK} do_not_add_up",
        caught_by=r"test_the_ledger_takes_no_entries",
    ),
    Guard(
        name="guarded: claim of this call",
        file="client/claims.py",
        there="            and claim.digest == approved.call_digest\n",
        gone="",
        run="tests/conformance/test_guard.py -k did_not_sign",
        caught_by=r"DID NOT RAISE",
    ),
    Guard(
        name="guarded: claim signed by the gate",
        file="client/claims.py",
        there="            fact = copy.message if self.reader.counts(copy) else None\n",
        gone="            fact = copy.message\n",
        run="tests/conformance/test_guard.py -k did_not_sign",
        caught_by=r"DID NOT RAISE",
    ),
    Guard(
        name="guarded: only what was let go",
        file="client/guard.py",
        there="    if not outcome.may_run:\n",
        gone="    if False:\n",
        run="tests/conformance/test_guard.py -k a_no_is_an_error",
        caught_by=r"test_a_no_is_an_error",
    ),
    Guard(
        name="HTTP token of its own agent",
        file="api/tokens.py",
        there='            sub={"essential": True, "value": owner},\n',
        gone='            sub={"essential": True},\n',
        run=f"{TOKENS} does_not_fit",
        caught_by=r"DID NOT RAISE",
    ),
    Guard(
        name="HTTP token for this API",
        file="api/tokens.py",
        there='            aud={"essential": True, "value": config.audience},\n',
        gone="",
        run=f"{TOKENS} does_not_fit",
        caught_by=r"DID NOT RAISE",
    ),
    Guard(
        name="HTTP token for an hour",
        file="api/tokens.py",
        there='        if claims["exp"] - claims["iat"] > LONGEST_S:\n',
        gone="        if False:\n",
        run=f"{TOKENS} an_hour_at_most",
        caught_by=r"DID NOT RAISE",
    ),
    Guard(
        name="webhooks ring without content",
        file="runtime/broker/streams.py",
        there="            headers_only=True,\n",
        gone="",
        run="tests/unit/runtime/test_streams.py -k webhook",
        caught_by=r"test_what_rings_for_a_webhook",
    ),
    Guard(
        name="webhooks are sent until they are taken",
        file="api/webhooks.py",
        there="    if status not in TAKEN:\n",
        gone="    if False:\n",
        run="tests/integration/test_http_api.py -k webhook",
        caught_by=r"test_a_webhook_tells_everything",
    ),
    Guard(
        name="a host's own arguments",
        file="gate/host_runs.py",
        there="    if not _is_same(hold, trace):\n        text = ",
        gone="    if not hold:\n        text = ",
        run="tests/conformance/test_host_runs.py -k nothing_else_begins",
        caught_by=r"^E +Failed: DID NOT RAISE",
    ),
    Guard(
        name="a host's leave",
        file="gate/host_runs.py",
        there="    if not is_let_go(loaded.fact):\n        text = ",
        gone="    if not loaded:\n        text = ",
        run="tests/conformance/test_host_runs.py -k nothing_begins_before",
        caught_by=r"^E +Failed: DID NOT RAISE",
    ),
    Guard(
        name="a host's swapped tool",
        file="gate/host_runs.py",
        there="    await _check_schema(gate, hold)\n",
        gone="",
        run="tests/conformance/test_never_list.py -k n15",
        caught_by=r"^E +AssertionError: assert 1 == 0$",
    ),
    Guard(
        name="a host's kill switch",
        file="gate/host_runs.py",
        there="    await _check_still_good(gate, delivery, hold)\n",
        gone="",
        run="tests/conformance/test_host_runs.py -k kill_switch_stops",
        caught_by=r"^E +Failed: DID NOT RAISE",
    ),
    Guard(
        name="a hook's child that says nothing",
        file="adapters/hook_supervisor.py",
        there="    if ended.returncode:\n        return _no(",
        gone="    if ended.returncode > 256:\n        return _no(",
        run="tests/conformance/test_claude_code_hook.py -k whatever_the_child_does",
        caught_by=r"test_whatever_the_child_does\w+",
    ),
    Guard(
        name="a change that a host would merge",
        file="adapters/coding_hosts.py",
        there="    return given.keys() <= changed.keys()\n",
        gone="    return True\n",
        run="tests/unit/adapters/test_coding_hosts.py -k nothing_else_can_run",
        caught_by=r"test_a_host_takes_a_change_only\w+",
    ),
    Guard(
        name="an unjudged call of the gateway",
        file="mcp/gateway.py",
        there="        if not outcome.hold_id:\n",
        gone="        if outcome.hold_id is None:\n",
        run="tests/integration/mcp/test_mcp_gateway.py -k nobody_judges",
        caught_by=r"test_a_call_that_nobody_judges\w+",
    ),
    Guard(
        name="the reader's checksum",
        file="core/risk/intents/classifier.py",
        there="        if sha256(held).hexdigest() != card.sha256.get(name):\n",
        gone="        if name not in card.sha256:\n",
        run="tests/unit/risk/intents/test_reader.py -k its_card_does_not_name",
        caught_by=r"^E +Failed: DID NOT RAISE",
    ),
    Guard(
        name="one level more without a reader",
        file="core/risk/intents/judgement.py",
        there="        up = _worst(found).raised()\n",
        gone="        up = _worst(found)\n",
        run="tests/unit/risk/intents/test_reader.py -k counts_one_level_more",
        caught_by=r"^E +(?:AssertionError: )?assert <RiskLevel.LOW",
    ),
)


def taken_away(guard: Guard, folder: Path) -> None:
    """A copy of the package without this guard."""
    shutil.copytree(ROOT / "services" / "holdpoint", folder / "holdpoint")
    path = folder / "holdpoint" / guard.file
    text = path.read_text()
    if text.count(guard.there) != 1:
        found = text.count(guard.there)
        sys.exit(f"{guard.name}: {guard.file} has it {found} times; write its guard anew here.")
    path.write_text(text.replace(guard.there, guard.gone))


def caught(guard: Guard) -> str:
    """What turned red; empty when nothing did."""
    with tempfile.TemporaryDirectory(prefix="guards") as folder:
        taken_away(guard, Path(folder))
        told = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider",
             *guard.run.split()],
            cwd=ROOT,
            env=os.environ | {"PYTHONPATH": folder},
            capture_output=True,
            text=True,
            timeout=LONGEST_S,
            check=False,
        )  # fmt: skip
    found = proof(guard, told.stdout)
    if told.returncode != RED or not found:
        print(told.stdout[-3000:])
        return ""
    return found


def proof(guard: Guard, told: str) -> str:
    """The line of a run's output that shows the breach; empty when another mishap turned it red."""
    found = re.search(guard.caught_by, told, re.MULTILINE)
    return found.group().removeprefix("E").removeprefix(">").strip() if found else ""


def main(names: list[str]) -> int:
    """One guard after the other, or those named; 1 when the suite lives without one of them."""
    survived = 0
    chosen = [guard for guard in GUARDS if not names or guard.name in names]
    for guard in chosen:
        by = caught(guard)
        survived += not by
        run = guard.run.rpartition("::")[2]
        print(f"{guard.name:<18} {by or 'SURVIVED':<48} {run}", flush=True)
    print(f"{len(chosen)} guards taken away, {survived} survived")
    return 1 if survived else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
