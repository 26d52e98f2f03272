-- An auditor's three questions to the ledger: sqlite3 -readonly var/ledger.db < examples/auditor.sql
-- In PostgreSQL: psql postgresql://holdpoint_reader@HOST/DATABASE -f examples/auditor.sql

-- 1. Who let what run, when, and what really ran?
SELECT timestamp, approvers, risk_assessment, proposed_action, final_action
FROM confirmation_events
WHERE user_response
ORDER BY timestamp;

-- 2. What did people stop, and what did nobody answer?
SELECT timestamp, outcome, answered, agent, reason
FROM confirmation_events
WHERE NOT user_response
ORDER BY timestamp;

-- 3. Is anything missing? Each source sequence from 1 to the last must be here exactly once.
SELECT src_stream, max(src_seq) AS last, max(src_seq) - count(*) AS missing
FROM events
GROUP BY src_stream;
