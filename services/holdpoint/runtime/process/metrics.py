"""Every metric of ours, with fixed labels: no id, no subject, no argument is ever a label."""

from prometheus_client import Counter, Gauge, Histogram

DELIVERIES = Counter(
    "holdpoint_deliveries_total",
    "Messages handled, by stream kind and what became of them (done, failed).",
    ["stream", "result"],
)
HANDLING = Histogram(
    "holdpoint_handling_seconds",
    "Time a handler took for one message, by stream kind.",
    ["stream"],
    buckets=(0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1, 5, 30),
)
FACTS = Counter(
    "holdpoint_facts_total",
    "Facts written, by their word (passed, halted, started ...).",
    ["word"],
)
REFUSALS = Counter(
    "holdpoint_refusals_total",
    "Messages that did not count, by stable code.",
    ["code"],
)
CONFLICTS = Counter(
    "holdpoint_conflicts_total",
    "Compare-and-sets that somebody else won; the loser decided again.",
)
OPEN_HOLDS = Gauge("holdpoint_open_holds", "Holds that wait for people or for their end.")
OLDEST_HOLD_S = Gauge(
    "holdpoint_oldest_hold_seconds", "Age of the oldest open hold; 0 where there is none."
)
HOLD_S = Histogram(
    "holdpoint_hold_seconds",
    "Time from a call to the end of its hold, by operation level and outcome (confirmed ...).",
    ["level", "outcome"],
    buckets=(5, 15, 60, 300, 900, 3600, 14400, 86400),
)
BUILD = Gauge("holdpoint_build_info", "Always 1; the label is the release.", ["release"])
UNRECORDED_READS = Counter(
    "holdpoint_unrecorded_reads_total",
    "Pages of the ledger that were shown though the reading could not be recorded.",
    ["surface"],
)
LEDGER_ROWS = Counter("holdpoint_ledger_rows_total", "Events entered into the ledger.")
LEDGER_LAG_S = Gauge(
    "holdpoint_ledger_lag_seconds",
    "Time from the broker's storing of the newest event entered to the ledger's commit of it.",
)
LEDGER_BEHIND = Gauge(
    "holdpoint_ledger_behind_messages",
    "Messages that the ledger does not hold yet, of the stream of each kind that is most behind.",
    ["stream"],
)
HOLDS_OPEN = Gauge(
    "holdpoint_holds_open", "Holds that wait for people, by operation level.", ["level"]
)
ANSWERED = Counter(
    "holdpoint_answers_total",
    "Answers of people, those that did not count too, by channel and choice.",
    ["channel", "choice"],
)
LOGINS = Counter(
    "holdpoint_logins_total",
    "Passwords typed into the console, by what became of them (in, wrong, too_many).",
    ["result"],
)
LOST_LINES = Counter(
    "holdpoint_log_lines_lost_total",
    "Log lines that could not be written, as on a full disk.",
)
ROOM_USED = Gauge(
    "holdpoint_room_used_ratio",
    "How full the fullest stream of each kind is, and the ledger's disk, from 0 to 1.",
    ["store"],
)
OPEN_QUESTIONS = Gauge("holdpoint_open_questions", "Questions that wait for news.")
