-- Roles of a ledger in PostgreSQL. Run it in the ledger's database, as its owner and after
-- `holdpoint audit migrate`; again after each release that changes the tables.
-- The audit adds events, and fills what is derived from them. Nobody but the owner changes, deletes
-- or truncates anything; people and reports read.
CREATE ROLE holdpoint_audit LOGIN;
CREATE ROLE holdpoint_reader LOGIN;
REVOKE CREATE ON SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO holdpoint_audit, holdpoint_reader;
GRANT SELECT ON ALL TABLES IN SCHEMA public TO holdpoint_audit, holdpoint_reader;
GRANT INSERT ON events, bodies, tree_nodes, checkpoints, origins, verifications TO holdpoint_audit;
GRANT INSERT, UPDATE ON confirmation_events, decisions, action_values, answers, runs, traces TO holdpoint_audit;
