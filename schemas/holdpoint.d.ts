/**
 * The messages of Holdpoint, version 1. Written by `make schemas` from the code: do not edit.
 */

/** Any JSON object. */
export type JsonObject = { [key: string]: unknown };

/** Exactly what will run. Its digest (RFC 8785, SHA-256) is what people say yes to. */
export interface Action {
  tenant: string;
  agent: string;
  on_behalf_of: string;
  domain: string;
  tool: string;
  tool_schema_sha256: string;
  arguments: JsonObject;
  /** What must still be true in the transaction of the effect: `{"affected": 214}`. */
  preconditions: JsonObject;
}

/** The action, rendered by the gate from what will really run, masked and sanitised. */
export interface ActionDetail {
  type: string;
  tool?: string;
  verb?: string;
  target?: string;
  arguments?: JsonObject;
  affected?: number | null;
  amount?: JsonObject | null;
  environment?: Environment;
  reversible?: boolean;
  undo?: string;
}

/** A person names the policy that is to be judged by. */
export interface AdoptPolicy {
  version: string;
  digest: string;
  reason?: string;
  diff?: string;
  /** The policy itself, so that every gate can follow; an order without it is refused. */
  policy?: Policy | null;
}

/** A person's request. On the bus `user_id` comes from the subject and is left out. */
export interface AgentRequest {
  /** Who asks, as the subject or a token says it; a body that names somebody else is refused. */
  user_id?: string;
  message: string;
  /** Empty for a first message. */
  conversation_history: Array<ConversationMessage>;
  /** A UUID. The same one again is the same request: nothing is done twice. */
  request_id: string;
}

/** The coordinator's answer to a request. */
export interface AgentResponse {
  /** For the person, in plain words. */
  message: string;
  tool_calls?: Array<ToolCall> | null;
  /** Whether the request was handled; a question back and a refusal are not. */
  success: boolean;
  request_id: string;
}

/** A timer rings: a hint; `decide` checks the time. */
export interface Alarm {
  agent: string;
  hold_id: string;
  kind: TimerKind;
  at: string;
}

/** The sentence that announced a call; with voices where its yes stands for this call too. */
export interface Announced {
  hold_id: string;
  says: string;
  digest: string;
  voices?: Array<Voice>;
  /** `<stream>:<seq>` of each answer, in the order of the voices. */
  answers?: Array<string>;
  /** The broker's timestamp of its yes, from which on that is good. */
  resolved_at?: string | null;
}

/** One person's answer to exactly what was on the screen. Who it is stands in the subject. */
export interface Answer {
  hold_id: string;
  digest: string;
  render_digest: string;
  answer: Choice;
  reason?: string;
  seconds_shown?: number;
  /** The approver in whose place the person answers; empty for themselves. */
  on_behalf_of?: string;
  /** With `extend`: by how much the deadline moves; `reason` then says why. */
  extend_s?: number;
  /** With a yes at level 3: allow later calls like this one. */
  remember?: Remember | null;
  /** With `modify`: what the changed call has instead. */
  change?: Change | null;
  /** A `Proof` sealed to the gate's public key, in base64; empty means chat. */
  proof?: string;
}

/** One more yes; others are still needed. */
export interface Answered {
  hold: Hold;
  /** `<stream>:<seq>` of the command or fact that led here. */
  cause: string;
  by: string;
}

/** Did a person's answer count? */
export interface AskAnswer {
  agent: string;
  hold_id: string;
  /** The ANSWERS sequence that was acknowledged. */
  seq: number;
  wait_s?: number;
}

/** A worker read a grant that is too old: is there a fresh one? */
export interface AskGrant {
  agent: string;
  hold_id: string;
}

/** Question about the state of a hold. The gate answers when it ends or the wait does. */
export interface AskHold {
  hold_id?: string;
  /** The CALLS sequence that was acknowledged: finds a refusal. */
  seq?: number;
  /**
   * At most 55 seconds; 0 answers at once.
   * Only a question that waits for JUDGED_BY_S is told that there is no such hold, and then at
   * once where nothing is underway.
   */
  wait_s?: number;
  /** What the asker knows already: anything else is answered at once. */
  known?: Status | null;
}

/** Was a person's order carried out? */
export interface AskOrder {
  /** The ADMIN sequence that was acknowledged. */
  seq: number;
  wait_s?: number;
}

/** Request for a dry run. Provably without effect. */
export interface AskPlan {
  action: Action;
}

/** Search of the catalog, among the tools that the asking agent may call. */
export interface AskTools {
  /** Only tools of this domain; an unknown one has none. Empty: of every domain. */
  domain?: string;
  /** Words that name, alias or description hold, all of them. */
  text?: string;
  /** The highest operation level. */
  max_tier?: number;
  limit?: number;
}

/** The risk level, the signals it came from, and what the risk engine read off the action. */
export interface Assessment {
  level: RiskLevel;
  signals?: Array<Signal>;
  /** A word for what happens: `batch_delete`, `payment`, `shell` … */
  action_type?: string;
  /** Number of records, files or rows; None when unknown. */
  affected?: number | null;
  /** What kind of thing: `user_accounts`, `rows` … */
  resource?: string;
  /** Money as `{value, currency}`, the value a decimal string. */
  amount?: JsonObject | null;
  environment?: Environment;
  /** The thing acted on: a table, a path, a host, an account. */
  target?: string;
  verb?: string;
  reversible?: boolean;
  /** Proven of what a tool runs: all of it was parsed, and none of it changes anything. */
  reads_only?: boolean;
  /**
   * Proven of what a tool runs: it changes only what the working folder can make again, what git
   * keeps, or adds to it.
   */
  changes_little?: boolean;
}

/** The holds of one agent that take people's attention, oldest first. */
export interface AttentionState {
  holds?: Array<OpenHold>;
  by: string;
  cause: string;
  /** As of `KillState`. */
  after?: number;
}

/**
 * A tool that makes sense as the next step, valid now and callable as it stands.
 * Its four fields always stand in it.
 */
export interface AvailableAction {
  tool: string;
  params?: JsonObject;
  label: string;
  description?: string;
}

/** The gate took the claim first: nothing runs. */
export interface Barred {
  hold_id: string;
  digest: string;
  cause: string;
  /** True if people were asked, so that a card shows it. */
  held?: boolean;
  reason: string;
}

/** The card as one group may see it; the last one on its subject is what the screen shows. */
export interface Card {
  hold_id: string;
  group: string;
  tenant: string;
  agent: string;
  on_behalf_of: string;
  ui: ConfirmationUI;
  /** One line: `Delete 412 rows in prod.users`. */
  title: string;
  /** The two buttons' texts, beginning with the seed's words; none where nobody is asked. */
  labels: { [key: string]: string };
  /**
   * The hold's stage, or `running`, `finished` … once it was resumed; `handed_back` to a delegate
   * who may answer it no more.
   */
  state: string;
  digest: string;
  render_digest: string;
  metadata: IntentMetadata;
  level: number;
  signals?: Array<Signal>;
  /** A few of the things a dry run found. */
  sample?: Array<string>;
  /** `user`, the agents that called each other, the tool; empty where nobody dispatched. */
  chain?: Array<string>;
  voices_needed?: number;
  /** People who said yes so far. */
  voices?: Array<string>;
  /** Of those who said it in another's place: that approver. */
  voices_for?: { [key: string]: string };
  /** On a delegate's card: the approvers in whose place they may answer. */
  delegators?: Array<string>;
  /** How a person may prove who they are: one of these is enough. */
  proofs?: Array<Method>;
  /** Whether a yes takes all of `proofs` instead. */
  every_proof?: boolean;
  /** Whether the form of an MCP client may be a yes. */
  client_may_answer?: boolean;
  /** People who were asked and lack proofs that a yes may take, each with which. */
  missing?: { [key: string]: Array<Method> };
  halted_at: string;
  expires_at?: string | null;
  /** From when on people are asked, where that is later than the proposal. */
  asked_from?: string | null;
  /** The backup group, once it may answer too. */
  escalated_to?: string;
  /** When people were called to it last: a screen that nobody looks at says so again. */
  called_at?: string | null;
  /** How often people were told again. */
  reminded?: number;
  /** By how much the deadline can still be moved. */
  extendable_s?: number;
  /** Who moved the deadline, until when, and why: a line each. */
  extensions?: Array<string>;
  /** While a yes cools off: when it goes on, unless somebody stops it. */
  cools_off_until?: string | null;
  /** What a person who answers it may change instead, while it is open. */
  form?: Array<FormField>;
  /** The hold of the call that a person changed into this one. */
  modified_from?: string;
  modified_by?: string;
  /** Of a changed call: the arguments that were changed or left out, as they were. */
  before?: JsonObject;
  /** Of a changed call: the arguments that were not given before. */
  added?: Array<string>;
  /** The hold that took its place. */
  superseded_by?: string;
  /** In words: what follows a yes that does not let it run at once; empty where it does. */
  on_yes?: string;
  /** In words: what happens if nobody answers, or if nobody stops what cools off. */
  on_silence?: string;
  outcome?: string;
  /** `person`, `kill_switch`, `timeout` or `agent`, once it has ended. */
  ended_by?: string;
  /** The one who ended it: a person, an agent, or nobody. */
  closed_by?: string;
  /** The approver in whose place that person ended it. */
  closed_for?: string;
  reason?: string;
  /** Result in words, once it ran. */
  result?: string;
  /** What a careful person should know: hidden characters were made visible, no plan … */
  warnings?: Array<string>;
  /** What keeps it from running without a yes. */
  enforcement?: Enforcement | null;
  /** The gate's public key (base64, X25519): proofs are sealed to it. */
  seal_key?: string;
  /** The HOLDS or RUNS sequence it was drawn from; a lower one never replaces a higher one. */
  revision?: number;
}

/** Changes to the arguments of a call; all other arguments stay as they are. */
export interface Change {
  /** By name, each with its whole new value. */
  arguments?: JsonObject;
  /** Arguments that the changed call leaves out. */
  removed?: Array<string>;
}

/** A person's change of the agent's call into this one. */
export interface Changed {
  /** Of the call as the agent made it. */
  hold_id: string;
  /** The changed arguments, with their new values; secrets are covered. */
  arguments?: JsonObject;
  /** The arguments that it no longer has. */
  removed?: Array<string>;
}

/** The two buttons; a changed call; more time; and the two of a run in doubt, after a look. */
export type Choice = "proceed" | "cancel" | "modify" | "extend" | "happened" | "did_not_happen";

/** One outcome of a tool, and the command lines that lead to it. */
export interface CommandRule {
  /** Words that must come first, any of these; `*` stands for any one word. */
  subcommands?: Array<string>;
  /** Words that must stand somewhere, all of any of these; in any case, a dash before or not. */
  words?: Array<string>;
  /** Regular expressions (RE2) over its arguments and over what it reads; any of these. */
  patterns?: Array<string>;
  /** Options of which one must be given. */
  options?: string;
  /** Options that make it harmless. */
  unless?: string;
  /** Regular expressions over its arguments that make it harmless. */
  unless_patterns?: Array<string>;
  /** Kinds of place; one of its words must name one: `system`, `root`, `private`, `device` … */
  places?: string;
  /** Kinds of place; one of its words before the last must name one. */
  sources?: string;
  /** Kinds of place; the last of its words must name one, or what `-t` does. */
  target?: string;
  /** What must stand on its input, any of these: `anything`, `unread`, `remote`, `file` … */
  reads?: string;
  /** True if it must run again and again, over things that nobody listed. */
  looped?: boolean;
  /** A regular expression (RE2); no rule where each word behind the subcommand matches it. */
  spares?: string;
  danger?: RuleDanger | null;
  /** Examples that carry the danger. */
  fires?: Array<string>;
  /** Examples that do not, beside those of the tool. */
  silent?: Array<string>;
}

/** A pending confirmation, as the agent may present it. */
export interface Confirmation {
  operation: string;
  summary: string;
  details: JsonObject;
  confirmation_method: MethodCall;
  cancel_method: MethodCall;
  expires_at?: string | null;
}

/** Seed 002's UI: the agent's words, the action, and a binary choice. */
export interface ConfirmationUI {
  /** The agent's words: plain text, visibly sanitised, never cut. */
  message: string;
  action: ActionDetail;
  risk_level: RiskLevel;
  /** True if the viewer may open the masked payload. */
  show_details: boolean;
  buttons: ["Proceed", "Cancel"];
}

/** One message of a conversation so far. It explains words like `it`, and proves nothing. */
export interface ConversationMessage {
  role: Speaker;
  content: string;
  timestamp?: string | null;
}

/** A person has somebody answer in their place for a time. */
export interface Delegate {
  /** Empty ends every delegation that the person made. */
  to?: string;
  /** The broker's time of the order, if none is given. */
  since?: string | null;
  until?: string | null;
  /** True for out of office. */
  away?: boolean;
  reason?: string;
}

/** A time in which somebody may answer in a person's place, and never more than that person. */
export interface Delegation {
  to: string;
  since: string;
  until: string;
  /** True if the person is out of office, and not only helped. */
  away?: boolean;
  reason?: string;
}

/** The delegations that one person made; ended ones stay for as long as holds may be open. */
export interface DelegationState {
  delegations?: Array<Delegation>;
  by: string;
  cause: string;
  /** As of `KillState`. */
  after?: number;
}

/** A cancelled action, described well enough to be recognized in other words. */
export interface Denial {
  hold_id: string;
  /** The agent at the root of the tree whose agent asked. */
  tree: string;
  by: string;
  /** The approver in whose place. */
  seat?: string;
  at: string;
  call_digest: string;
  /** A digest, as `things`. */
  target?: string;
  /** Digests of the files, tables and numbers that it named. */
  things?: Array<string>;
  /** Digests of what it takes away: moves, deletes or renames. */
  taken?: Array<string>;
}

/** Recent cancellations of every agent's actions. */
export interface DenialState {
  denials?: Array<Denial>;
  by: string;
  cause: string;
  /** As of `KillState`. */
  after?: number;
}

/** It never runs; `hold.reason` says why. */
export interface Denied {
  hold: Hold;
  /** `<stream>:<seq>` of the command or fact that led here. */
  cause: string;
}

/** Cause of a hold's end. */
export type EndedBy = "person" | "kill_switch" | "timeout" | "agent";

/** How an action is kept from running without its yes; fixed by the tool's owner. */
export type Enforcement = "structural" | "network" | "cooperative";

/** A person adds a passkey to their one-time codes. */
export interface EnrolPasskey {
  /** A `NewPasskey` sealed to the gate's public key, in base64. */
  sealed: string;
}

/** A person sets up one-time codes for themselves, or sets them up again. */
export interface EnrolTotp {
  /** A `TotpSecret` sealed to the gate's public key, in base64. */
  sealed: string;
}

/**
 * Response to an agent about its call. It learns no answers and no proofs.
 * The five fields of seed 000 always stand in it: a default made by a factory is never left out.
 */
export interface Envelope {
  status: Status;
  hold_id?: string;
  /** The result for programs. */
  data?: JsonObject;
  /** The result as text. */
  formatted?: string;
  /** The result for voices: letters, spaces and `.,'-` only. */
  formatted_spoken?: string;
  /** The words that the agent may use. */
  message_for_user?: string;
  /** Next steps that are valid now. */
  available_actions?: Array<AvailableAction>;
  idempotency_key?: string;
  confirmation?: Confirmation | null;
  /** The stable code of a refusal or failure. */
  code?: string;
  /** Seconds after which the same may be tried again; 0 where that would not help. */
  retry_after_s?: number;
  reason?: string;
  /** Of an ending: whether the same may be proposed again, with a new key. Never a yes. */
  retry_allowed?: boolean | null;
  /** Whether nobody answered in time and people still may; the agent need not wait for it. */
  parked?: boolean;
  /** Whether people are or were asked about it. */
  asked?: boolean;
  /** The hold of the call that took its place: what the sentence announced, or a changed call. */
  superseded_by?: string;
  /** Of a call that took the place of the agent's own: what a person changed. */
  changed?: Changed | null;
  call_digest?: string;
  /** `<stream>:<seq>` of the first proposal; any other one repeats it. */
  cause?: string;
  /** Whose workers run it; empty for a sentence. */
  domain?: string;
}

/** Environment that an action lands in. What configuration does not list is production. */
export type Environment = "production" | "sandbox";

/** A target (glob over host, database, account, cluster or path) and where it lies. */
export interface EnvironmentRule {
  match: string;
  environment: Environment;
}

/** Bodies that are gone. */
export interface Erased {
  by: string;
  why: string;
  /** The law or contract that asks for it. */
  basis: string;
  /** First and last of each row of neighbouring events, as the ledger numbered them that day. */
  spans?: Array<[number, number]>;
  /** The same messages where they came from: stream, first and last sequence. */
  sources?: Array<[string, number, number]>;
}

/** A command of a person who may not give it; nothing was changed. */
export interface ErasureRefused {
  by: string;
  /** The command, in words for people. */
  command: string;
  /** Why it was refused. */
  reason: string;
}

/** Escalation to a backup group, whose people then count for every group that is asked. */
export interface Escalate {
  group: string;
  /** From when people are asked on. */
  after_s: number;
}

/** The backup group may answer too. */
export interface Escalated {
  hold: Hold;
  /** `<stream>:<seq>` of the command or fact that led here. */
  cause: string;
}

/** A person moved the deadline; the last of `hold.extensions` says who, until when and why. */
export interface Extended {
  hold: Hold;
  /** `<stream>:<seq>` of the command or fact that led here. */
  cause: string;
  by: string;
}

/** A later deadline, and who gave the hold more time. */
export interface Extension {
  by: string;
  /** The approver in whose place they did. */
  on_behalf_of?: string;
  at: string;
  until: string;
  reason: string;
  /** `<stream>:<seq>` of what asked for it. */
  answer: string;
}

/** The result, or that nobody knows. */
export interface Finished {
  hold_id: string;
  digest: string;
  cause: string;
  /** True if people were asked, so that a card shows it. */
  held?: boolean;
  nonce: string;
  status: RunStatus;
  data?: JsonObject;
  formatted?: string;
  formatted_spoken?: string;
  message_for_user?: string;
  available_actions?: Array<AvailableAction>;
  error?: string;
  /** The call that really ran (tool and masked arguments); None when nothing did. */
  executed?: JsonObject | null;
  /** `<stream>:<seq>` of the call that opened the hold: its agent knows the result by it. */
  call?: string;
  /** Of that call, before any plan was frozen in. */
  call_digest?: string;
}

/** Switch of a way of working; each but `legacy_ask` is on until an admin switches it off. */
export type Flag = "delegation" | "keyword_routing" | "legacy_aliases" | "legacy_ask" | "workflow_first";

/** Flags that do not stand as they did at first. */
export interface FlagState {
  off?: Array<Flag>;
  /** Those that are on, of the ones that are off at first. */
  on?: Array<Flag>;
  by: string;
  cause: string;
  /** As of `KillState`. */
  after?: number;
}

/** One argument that a person may change, from the tool's schema. */
export interface FormField {
  name: string;
  kind: "boolean" | "choice" | "json" | "number" | "text";
  choices?: Array<string>;
  required?: boolean;
  description?: string;
  /** Of an object: a field for each of its members. */
  parts?: Array<FormField>;
}

/** Permission to run a hold's action: signed with it, single-use, expiring. */
export interface Grant {
  /** `domain:<d>`: the only workers it is for. */
  aud: string;
  iat: string;
  nbf: string;
  exp: string;
  nonce: string;
}

/** The gate's answer to `AskGrant`. */
export interface GrantAnswer {
  reply: GrantReply;
}

/** Answer to a request for a fresh grant. */
export type GrantReply = "minted" | "settled" | "lapsed";

/** HALT: the agent waits for people. */
export interface Halted {
  hold: Hold;
  /** `<stream>:<seq>` of the command or fact that led here. */
  cause: string;
  metadata: IntentMetadata;
}

/** Why something is risky: the four of seed 002 and two more. */
export type Heuristic = "irreversibility" | "magnitude" | "criticality" | "uncertainty" | "tally" | "taint" | "agent";

/** One action, or one sentence, and how it stands. */
export interface Hold {
  hold_id: string;
  tenant: string;
  agent: string;
  on_behalf_of: string;
  stage: Stage;
  level: number;
  /** Of the action; of the sentence when there is no action. */
  digest: string;
  /** The digest before any plan was frozen in: what a repeat is compared with. */
  call_digest: string;
  /** The key of the call that opened it; the call's id where its agent gave none. */
  idempotency_key?: string;
  policy: PolicyRef;
  assessment: Assessment;
  metadata: IntentMetadata;
  /** The broker's timestamp of the proposal. */
  proposed_at: string;
  action?: Action | null;
  /** The agent's own words: the sentence, or the reasoning of its call. */
  says?: string;
  /** The agent's own account of its sentence; nothing of it is executed. */
  claim?: JsonObject;
  /** Of a plan: its calls, in the order in which they may run. */
  steps?: Array<PlanStep>;
  /** Of a confirmed plan: the holds of the calls that were its steps so far. */
  taken?: Array<string>;
  /** The sentence that announced this action, if the agent named one of its own. */
  announced?: Announced | null;
  /** The remembered permission that it passed by, where people would be asked otherwise. */
  permitted?: Permitted | null;
  /** The call that a person changed into this one. */
  modified?: Modified | null;
  /** Of a confirmed sentence: the hold of the one call that its yes stands for. */
  used_by?: string;
  /** The hold of the call that people are asked about instead. */
  superseded_by?: string;
  requirement?: Requirement | null;
  /** The groups that are told of what runs without asking. */
  witnesses?: Array<string>;
  /** When it ends unanswered: its deadline, or the end of its parking. */
  expires_at?: string | null;
  /** Whether it waits for its turn: its agent has as many open holds as it may. Nobody sees it. */
  queued?: boolean;
  /**
   * From when on its deadline, its reminders and its escalation count, where that is later than
   * its proposal: people are asked in their hours, and what was queued is asked in its turn.
   */
  asked_from?: string | null;
  escalates_at?: string | null;
  /** When the backup group came to be asked too. */
  escalated_at?: string | null;
  /** The number of reminders and notices that people got. */
  reminded?: number;
  reminded_at?: string | null;
  extensions?: Array<Extension>;
  /** When its deadline passed and it was parked; it can be answered until `expires_at`. */
  parked_at?: string | null;
  valid_for_s?: number;
  grant_s?: number;
  ui?: ConfirmationUI | null;
  /** The card's one line, frozen with the UI and under the same digest. */
  title?: string;
  render_digest?: string;
  voices?: Array<Voice>;
  outcome?: Outcome | null;
  /** The cause of its end; None while it is open, and on holds stored before the field existed. */
  ended_by?: EndedBy | null;
  /** The person or the agent that ended it; empty where time did. */
  closed_by?: string;
  /** The approver in whose place that person ended it. */
  closed_for?: string;
  /** In a person's words: why it was denied, cancelled, expired … */
  reason?: string;
  /** The broker's timestamp of what resolved it. */
  resolved_at?: string | null;
  /** The amounts that it adds to the policy's tallies. */
  reserved?: Array<Reserved>;
  /** The agents from the one that a user faces down to this one; empty where that is itself. */
  chain?: Array<string>;
  /** The hold of the dispatch under which the agent acts. */
  dispatched_by?: string;
  /** The call's place in its agent's call tree, as the agent said it. */
  lineage?: Lineage;
  /** None on holds stored before the field existed. */
  enforcement?: Enforcement | null;
  /** `<stream>:<seq>` of each command counted: a repeat finds its own id here. */
  causes?: Array<string>;
}

/** An agent's sentence about what it is about to do (seed 002). */
export interface Intent {
  text: string;
  metadata?: IntentClaim;
  /** The action in the agent's own terms; shown as its claim, never executed. */
  action_detail?: JsonObject;
  /** A plan: the calls that the agent then makes, in this order. People are always asked. */
  steps?: Array<PlannedStep>;
  /** Of a plan: how long after the yes its steps may begin. */
  lasts_s?: number;
  idempotency_key?: string;
  on_behalf_of?: string;
  reasoning?: string;
  confidence?: number | null;
  deadline?: string | null;
  lineage?: Lineage;
}

/** An agent's own statement about its intent: it may raise the risk, and never lowers it. */
export interface IntentClaim {
  confirmation_required?: boolean;
  risk_level?: RiskLevel;
  action_type?: string;
  scope?: Scope | null;
}

/** The seed's intent metadata, exactly its fields; `scope` is left out when unknown. */
export interface IntentMetadata {
  confirmation_required: boolean;
  risk_level: RiskLevel;
  action_type: string;
  scope?: Scope;
}

/** Judging of what agents say, beyond the rules. */
export interface Intents {
  /** Whether the learned reader judges sentences too; a policy of before there was one says no. */
  reader?: boolean;
}

/** A person throws the kill switch, or takes it back. */
export interface Kill {
  on: boolean;
  agent?: string;
  reason?: string;
}

/** State of the kill switch. */
export interface KillState {
  /** Why, by agent; `_` stops everyone. */
  stopped: { [key: string]: string };
  by: string;
  cause: string;
  /** The sequence of what stood there before: a copy further on counts for nothing. */
  after?: number;
}

/** Approved, and never started in time. */
export interface Lapsed {
  hold_id: string;
  digest: string;
  cause: string;
  /** True if people were asked, so that a card shows it. */
  held?: boolean;
  reason: string;
}

/** One reading of the ledger; who read, and where, stands in its subject. */
export interface LedgerRead {
  /** The page or command: `ledger`, `hold`, `query`, `export` … */
  what: string;
  /** Filters, or the hold, as they were given. */
  asked?: { [key: string]: string };
}

/** Bodies that stay until it is lifted: of one hold, or of a range of time. */
export interface LegalHold {
  name: string;
  by: string;
  why: string;
  hold_id?: string;
  since?: string | null;
  /** Exclusive. */
  until?: string | null;
}

/** Requirements of an operation level. */
export interface LevelRule {
  verdict: VerdictKind;
  all_of?: Array<Voices>;
  /** How a person may prove who they are: one of these is enough. */
  proofs?: Array<Method>;
  /** Whether a yes takes all of `proofs` instead. */
  every_proof?: boolean;
  four_eyes?: boolean;
  /** Whether the person at an MCP client may say yes in its form; never above level 3. */
  client_may_answer?: boolean;
  deadline_s?: number;
  cooling_off_s?: number;
  on_silence?: OnSilence;
  /** When people who were asked and have not answered are told again. */
  remind_after_s?: Array<number>;
  escalate?: Escalate | null;
  /** Time by which people may move the deadline, all in all; 0 is not at all. */
  extend_up_to_s?: number;
  /** How long before the end of a cooling-off people are told again what is about to run. */
  notice_before_s?: Array<number>;
  /** For a deny: what the agent is told. */
  why?: string;
}

/** The end of a legal hold. */
export interface Lifted {
  name: string;
  by: string;
  why: string;
}

/** Allowed values of one argument of later calls; without a limit, exactly the value shown. */
export interface Limit {
  /** A text that begins so and goes on as one plain word, without spaces or `..`. */
  prefix?: string;
  /** A number from 0 to this decimal. */
  at_most?: string;
}

/** Node of the agent's call tree (seed 001). */
export interface Lineage {
  trace_id?: string;
  parent?: string;
  group_id?: string;
  prompt_versions?: { [key: string]: string };
  app_version?: string;
}

/** Quantity that a tally sums. */
export type Measure = "amount" | "records";

/** Proof of who a person is, weakest first. */
export type Method = "chat" | "totp" | "passkey";

/** Next step about a pending confirmation. */
export interface MethodCall {
  tool: string;
  params?: JsonObject;
}

/** The call that a person changed into this one. */
export interface Modified {
  /** Its hold, which this one took the place of. */
  hold_id: string;
  by: string;
  /** `<stream>:<seq>` of the answer that changed it. */
  answer: string;
  reason?: string;
  /** The arguments that were changed or left out, as they were. */
  before?: JsonObject;
  /** The arguments that were not given before. */
  added?: Array<string>;
  /** Everybody who changed it so far, and those in whose place they did. */
  authors?: Array<string>;
}

/** A passkey as a browser made it, and a one-time code that says whose it is. */
export interface NewPasskey {
  person: string;
  registration: JsonObject;
  /** What the registration's challenge was made with: see `enrolment_challenge`. */
  nonce: string;
  code: string;
}

/** End of a hold that nobody answers in time. Never a yes, never reported as a no. */
export type OnSilence = "expire" | "park";

/** One open hold of an agent: people are asked about it, or it waits for its turn. */
export interface OpenHold {
  hold_id: string;
  call_digest: string;
  groups: Array<string>;
  at: string;
  asked?: boolean;
}

/** Outcome of a hold. The five are never confused with each other. */
export type Outcome = "confirmed" | "cancelled" | "expired" | "withdrawn" | "superseded";

/** A file of rules that came beside the main one. */
export interface Pack {
  name: string;
  version?: string;
  /** The rules that signals name and this pack decides: its patterns, and what it tightened. */
  rules?: Array<string>;
}

/** No answer came in time; it can still be answered, until its new `expires_at`. */
export interface Parked {
  hold: Hold;
  /** `<stream>:<seq>` of the command or fact that led here. */
  cause: string;
}

/** Harmless enough: it runs. A sentence passes without a grant. */
export interface Passed {
  hold: Hold;
  /** `<stream>:<seq>` of the command or fact that led here. */
  cause: string;
  grant?: Grant | null;
}

/** A passkey that counts. */
export interface Passkey {
  /** As a browser names it, base64url. */
  credential_id: string;
  /** COSE, base64url. */
  public_key: string;
  sign_count: number;
  at: string;
  /** The cause that it was used by last. */
  used?: string;
}

/** Evidence, verifiable offline, that this person's passkey signed exactly this answer. */
export interface PasskeyEvidence {
  assertion: JsonObject;
  nonce: string;
  /** COSE, base64url. */
  public_key: string;
  /** The address of the console that it was signed in. */
  origin: string;
}

/** A regular expression (RE2 syntax) over the case-folded NFKC text, with its reason. */
export interface Pattern {
  id: string;
  pattern: string;
  heuristic: Heuristic;
  level: RiskLevel;
  reason: string;
  action_type?: string;
  /** True if it is about commands: where one was parsed, the parse decides in its place. */
  commands?: boolean;
  must_fire?: Array<string>;
  must_not?: Array<string>;
}

/** A confirmation in its tool's own words, from the arguments and what the dry run found. */
export interface Pending {
  operation: string;
  /** The card's one line. */
  summary: string;
  details: JsonObject;
  message_for_user: string;
  /** Asks how it stands: its name begins with `confirm_`. */
  confirmation_tool: string;
  /** The name under which that tool takes the hold's id: `transfer_id`. */
  id_name: string;
  available_actions?: Array<AvailableAction>;
}

/** Actions of level 3 that one agent may take without asking again, and how many are left. */
export interface Permission {
  permission_id: string;
  tool: string;
  on_behalf_of: string;
  tool_schema_sha256: string;
  /**
   * The digest of the only action that it allows, without what a dry run tells of its moment;
   * empty where arguments have limits.
   */
  exact?: string;
  /**
   * SHA-256 of what stays as it was: the arguments without a limit, and what a dry run found of
   * files.
   */
  rest?: string;
  limits?: { [key: string]: Limit };
  /** The most that a dry run may count, where arguments have limits. */
  affected?: number | null;
  /** The risk that the person saw; a higher one asks again. */
  risk_level: RiskLevel;
  /** The rules of HIGH risk that the person saw; any other one asks again. */
  rules?: Array<string>;
  uses: number;
  used?: number;
  /** The most that all uses add up to, in hundredths of `currency`; None: no limit. */
  amount?: number | null;
  spent?: number;
  currency?: string;
  expires_at: string;
  by: string;
  hold_id: string;
  /** `<stream>:<seq>` of the answer that it was given with. */
  cause: string;
  /** The line of the card that was answered, masked. */
  title?: string;
}

/** The remembered permissions of one agent. */
export interface PermissionState {
  permissions?: Array<Permission>;
  /** The last uses, the newest at the end. */
  recent?: Array<UsedPermission>;
  /** The last answers and orders that were carried out, the newest at the end. */
  settled?: Array<string>;
  by: string;
  cause: string;
  /** As of `KillState`. */
  after?: number;
}

/** The remembered permission that a call passed by, and which use of it this was. */
export interface Permitted {
  permission_id: string;
  /** The person who gave it. */
  by: string;
  /** `<stream>:<seq>` of the answer that it was given with. */
  answer: string;
  /** The hold that was answered. */
  hold_id: string;
  /** 1 for the first. */
  use: number;
  uses: number;
  expires_at: string;
}

/** A node of the call tree opens once and closes once. */
export type Phase = "opened" | "closed";

/** Result of a dry run; it is without effect, and frozen into the action. */
export interface Plan {
  affected?: number | null;
  /** Noun for what `affected` counts, in the plural: `rows`, `files`. */
  unit?: string;
  targets?: Array<string>;
  sample?: Array<string>;
  /** Files whose text would run, each with the digest of what it holds now. */
  files?: { [key: string]: string };
  /** What else must still be true in the transaction of the effect, in the domain's own terms. */
  conditions?: JsonObject;
  /** The confirmation, where the tool has one of its own. */
  pending?: Pending | null;
  /** The card's one line, where it says more than the tool's template: `create index i on a`. */
  summary?: string;
  verb?: string;
  /** What `environments.yaml` may know the target by: `database:crm`, `path:/srv/x` … */
  environment_keys?: Array<string>;
  reversible?: boolean | null;
  undo?: string;
  at?: string | null;
  /** Why no plan could be made; then the action counts as one level riskier. */
  error?: string;
  /** Why it cannot run at all: then nobody is asked. */
  impossible?: string;
}

/** A domain's answer to `AskPlan`. */
export interface PlanAnswer {
  plan: Plan;
}

/** One call of a plan, as it was judged when people saw it. */
export interface PlanStep {
  action: Action;
  level: number;
  risk_level: RiskLevel;
  /** The rules of HIGH risk that people saw; any other one asks again. */
  rules?: Array<string>;
  /** Its title as on a card of its own, secrets covered; empty in older holds. */
  title?: string;
  /** JSON pointers of arguments that no card shows. */
  secret?: Array<string>;
}

/** One call of a plan, exactly as it will be made. */
export interface PlannedStep {
  tool: string;
  arguments?: JsonObject;
}

/** Everything the gate judges by; its digest stands in each grant. */
export interface Policy {
  version: string;
  /** By operation level 1 to 5; a level that is missing is denied. */
  levels: { [key: string]: LevelRule };
  /** The least operation level that a risk asks for. */
  risk_levels: { [key: string]: number };
  thresholds?: Thresholds;
  tallies?: Array<TallyRule>;
  untrusted?: Untrusted;
  patterns?: Array<Pattern>;
  environments?: Array<EnvironmentRule>;
  /** The house's own: who is written to elsewhere is outside. Without them nobody knows. */
  own_domains?: Array<string>;
  /** Folders under the working folder that a build makes again: deleting them loses nothing. */
  build_products?: Array<string>;
  /** Members of each group of people. */
  groups?: { [key: string]: Array<string> };
  /** Fragments that make `assess_risk` say CRITICAL (seed 002). */
  high_risk_commands?: Array<string>;
  /** Command rules of one's own, by the tool's program; they only add to the engine's. */
  commands?: { [key: string]: ToolRules };
  /** SQL rules of one's own; they only add to the engine's. */
  sql?: Array<SqlRule>;
  /** Where rules come from that do not come from the main file. */
  packs?: Array<Pack>;
  /** Time for which what a person cancelled halts again in other words; 0 is not at all. */
  denials_s?: number;
  /**
   * Holds of one agent that wait for one group at a time; more wait for their turn. 0: no limit,
   * and the same action is not collapsed into the hold that is open on it.
   */
  most_open?: number;
  /** Number of denials remembered from which on an agent waits before it asks again; 0: never. */
  back_off_after?: number;
  /** Time that a grant lives: at most 300 s. */
  grant_s?: number;
  /** Time that a yes stays good for minting a fresh grant. */
  valid_for_s?: number;
  /** An agent's own confidence under this counts as uncertainty. */
  confidence_below?: number;
  intents?: Intents;
}

/** A policy itself, under its digest: which one is in force, `PolicyState` says. */
export interface PolicyBody {
  policy: Policy;
  cause: string;
  /** As of `KillState`. */
  after?: number;
}

/** Policy that a verdict was given by. */
export interface PolicyRef {
  version: string;
  digest: string;
}

/** Policy that gates judge by. */
export interface PolicyState {
  version: string;
  digest: string;
  by: string;
  cause: string;
  /** As of `KillState`. */
  after?: number;
}

/** Proof of the person: travels sealed, so that no code stands in a stream. */
export interface Proof {
  /** The strongest of them. */
  method: Method;
  /** The only hold that a code in it counts for. */
  hold_id?: string;
  /** A one-time code. */
  code?: string;
  /** Of a passkey, as a browser makes it, over this very answer: see `passkey_challenge`. */
  assertion?: JsonObject;
  /** What the assertion's challenge was made with. */
  nonce?: string;
}

/** An agent asks to act. On the raw bus the event's `id` is the key when none is given. */
export interface Propose {
  tool: string;
  arguments: JsonObject;
  idempotency_key?: string;
  /** Counts only within the agent's configured `acts_for`; empty means its first. */
  on_behalf_of?: string;
  reasoning?: string;
  /** The hold of the sentence that announced this call. */
  intent?: string;
  /** The hold of the confirmed plan whose next step this is. */
  plan?: string;
  /** 0 to 1; low confidence counts as uncertainty. */
  confidence?: number | null;
  /** JSON pointers of arguments that came from untrusted content; the empty one is all of them. */
  taint?: Array<string>;
  /** What that content was, in a person's words: `a web page`. Alone it means every argument. */
  taint_source?: string;
  deadline?: string | null;
  /** The hold of the open dispatch to this agent; empty where a user called it. */
  dispatched_by?: string;
  lineage?: Lineage;
}

/** A person looked what became of a run in doubt. */
export interface Reconciled {
  hold_id: string;
  digest: string;
  cause: string;
  /** True if people were asked, so that a card shows it. */
  held?: boolean;
  happened: boolean;
  by: string;
  note: string;
}

/** Something that did not count, told to its sender and kept for the auditor. */
export interface Refused {
  principal: string;
  cause: string;
  /** Stable: `unknown_tool`, `bad_json`, `already_closed` … */
  code: string;
  /** The event and the next step, in a person's words. */
  text: string;
  hold_id?: string;
  /** Of the refused bytes, which stand in the ledger under their own sequence. */
  body_sha256?: string;
  /** Seconds after which the same may be sent again; 0 where that would not help. */
  retry_after_s?: number;
  /** Of several calls that are refused together: `cause` is then the thousand that they are of. */
  sequences?: Array<number>;
}

/** With a yes: later calls of this agent that need not ask again. It always ends. */
export interface Remember {
  /** By argument. Without any, only this exact action is allowed. */
  limits?: { [key: string]: Limit };
  uses?: number;
  /** The most that all uses add up to, as a decimal of the policy's currency; empty: no limit. */
  amount?: string;
  lasts_s?: number;
}

/** People are told again: it still waits for them, or what cools off is about to run. */
export interface Reminded {
  hold: Hold;
  /** `<stream>:<seq>` of the command or fact that led here. */
  cause: string;
}

/** An admin takes away a person's step-up, so that they can set it up again. */
export interface RemoveStepUp {
  person: string;
  reason?: string;
}

/** RENDER: the card stands; `hold.ui` is what people see. */
export interface Rendered {
  hold: Hold;
  /** `<stream>:<seq>` of the command or fact that led here. */
  cause: string;
}

/** Requirement of a hold: frozen when it is halted. */
export interface Requirement {
  level: number;
  all_of?: Array<Voices>;
  proofs?: Array<Method>;
  /** Whether a yes takes all of `proofs` instead of one. */
  every_proof?: boolean;
  four_eyes?: boolean;
  client_may_answer?: boolean;
  cooling_off_s?: number;
  on_silence?: OnSilence;
  /**
   * The people of each group in `all_of`, as they were when it was halted; after an escalation
   * with the `backup` in each of them.
   */
  approvers?: { [key: string]: Array<string> };
  deadline_s?: number;
  remind_after_s?: Array<number>;
  escalate?: Escalate | null;
  /** The people of the group that it escalates to, as they were when it was halted. */
  backup?: Array<string>;
  extend_up_to_s?: number;
  notice_before_s?: Array<number>;
  most_open?: number;
}

/** Amount that a hold adds to one counter, so that exactly this can be moved or taken back. */
export interface Reserved {
  subject: string;
  /** A number of records, or hundredths of the policy's currency. */
  amount: number;
  /** How much time one counter of the tally covers. */
  bucket_s: number;
  /** False when nobody knows whether the counter took it: then it is never taken back. */
  counted?: boolean;
}

/** RESOLVE: one binary answer, and how it came about. */
export interface Resolved {
  hold: Hold;
  /** `<stream>:<seq>` of the command or fact that led here. */
  cause: string;
  outcome: Outcome;
  by?: string;
}

/** RESUME: the deterministic boolean. True on an action carries the grant. */
export interface Resumed {
  hold: Hold;
  /** `<stream>:<seq>` of the command or fact that led here. */
  cause: string;
  confirmed: boolean;
  grant?: Grant | null;
}

/** Age from which bodies are erased; the newest one counts, and the daily run goes by it. */
export interface Retention {
  /** 0: they are kept for ever. */
  days: number;
  by: string;
  why: string;
  basis?: string;
}

/** Order to take a remembered permission back, by its giver or an admin. */
export interface RevokePermission {
  agent: string;
  permission_id: string;
  reason?: string;
}

/** LOW < MEDIUM < HIGH < CRITICAL: ordered inside, a lower-case word on the wire (seed 002). */
export type RiskLevel = "low" | "medium" | "high" | "critical";

/** Effect of a rule that fits. */
export interface RuleDanger {
  /** The rule's id in signals: `shell.node-remove`. */
  id: string;
  level: RiskLevel;
  /**
   * What the command does, as the end of a sentence that begins with the command; `{place}` stands
   * for what the rule's kind of place is called.
   */
  reason: string;
  /** What it does, in a word; without it, its subcommand. */
  verb?: string;
  heuristic?: Heuristic;
}

/** Status of a run. */
export type RunStatus = "done" | "failed" | "precondition_failed" | "in_doubt";

/** Extent of an intent, in the seed's two fields. */
export interface Scope {
  records: number;
  type: string;
}

/** An admin switches a flag. */
export interface SetFlag {
  flag: Flag;
  on: boolean;
  reason?: string;
}

/** One reason to worry, in words that a person understands, with its evidence. */
export interface Signal {
  rule: string;
  heuristic: Heuristic;
  level: RiskLevel;
  reason: string;
  /** Where in the assessed (NFKC) text it fired: start and end in characters. */
  span?: [number, number] | null;
  /** The text that fired, at most 200 characters. */
  evidence?: string;
}

/** Role of who said something in a conversation. */
export type Speaker = "user" | "assistant";

/** Effect of a rule that fits. */
export interface SqlDanger {
  /** The rule's id in signals: `sql.drop`. */
  id: string;
  level: RiskLevel;
  /** One sentence for a person; `{}` stands for the statement's words. */
  reason: string;
}

/** One outcome of a statement, and the statements that lead to it. */
export interface SqlRule {
  /** First words of the statements that it is for: `KILL STOP`. */
  verbs: string;
  danger: SqlDanger;
  /** Patterns of which one must fit; without any, every statement of these verbs does. */
  match?: Array<string>;
  /** Patterns of which none may fit. */
  unless?: Array<string>;
  /** What one of its texts must be: address, machine-file, nowhere, runnable-file. */
  text?: string;
  /** The only dialect that it is for. */
  dialect?: string;
  "dropped-part"?: boolean;
  "overwritten-column"?: boolean;
  /** How many of the statement's words are its evidence; 0 for all. */
  quote?: number;
  /** True if later rules of the same verb are asked as well. */
  also?: boolean;
  /** Statements that it must fire on; they run as tests. */
  fires?: Array<string>;
  /** Statements that must ask nobody; they run as tests. */
  silent?: Array<string>;
}

/** Stage of a hold: the fact that happened last. */
export type Stage = "passed" | "witnessed" | "denied" | "halted" | "rendered" | "answered" | "resolved" | "resumed";

/** The claim: this worker runs it, and nobody else. */
export interface Started {
  hold_id: string;
  digest: string;
  cause: string;
  /** True if people were asked, so that a card shows it. */
  held?: boolean;
  nonce: string;
  owner: string;
  lease_until: string;
  /** True where its worker, still at work, makes the lease of its own claim longer. */
  extended?: boolean;
}

/** State of a call, in one stable word. */
export type Status = "waiting" | "pending_confirmation" | "approved" | "done" | "confirmed" | "already_processed" | "denied" | "cancelled" | "expired" | "withdrawn" | "superseded" | "failed" | "precondition_failed" | "barred" | "lapsed" | "in_doubt" | "refused";

/** A person's proofs beyond their password, and the attempts with them. */
export interface StepUpState {
  /** Their `TotpSecret`, sealed to the gate's public key; empty where there is none. */
  sealed?: string;
  passkeys?: Array<Passkey>;
  /** The last codes that counted, the newest at the end. */
  used?: Array<UsedCode>;
  /** Wrong codes that still count, the newest at the end. */
  wrong?: Array<WrongCode>;
  /** The person who set it up or took it away last. */
  by: string;
  cause: string;
  /** As of `KillState`. */
  after?: number;
}

/** Owner of a sum; several of them together make one key. */
export type TallyBy = "agent" | "tree" | "person" | "tool" | "resource";

/** A rolling sum, strictly above whose limit people are asked. */
export interface TallyRule {
  id: string;
  of: Measure;
  by: Array<TallyBy>;
  window_s: number;
  /** A decimal string: of `thresholds.currency` for amounts, a count for records. */
  limit: string;
}

/** Strictly above is large (seed 002). */
export interface Thresholds {
  records?: number;
  amount?: string;
  currency?: string;
  /** Units of `currency` for one unit of another, as decimal strings; unlisted counts as large. */
  rates?: { [key: string]: string };
  /** Share of a whole, in percent, strictly above which a change is large. */
  percent?: number;
}

/** Purpose of an alarm. */
export type TimerKind = "expire" | "resume" | "remind" | "escalate";

/** One tool call that was made for a request. */
export interface ToolCall {
  tool_name: string;
  parameters: JsonObject;
  /** The response envelope, as far as it is known. */
  result: JsonObject;
  success: boolean;
}

/** A tool as an agent finds it in the catalog. */
export interface ToolDefinition {
  /** Canonical: `{namespace}_{domain}_{action}`; without a namespace the tool's own name. */
  name: string;
  description: string;
  domain: string;
  /** Operation level, which is also the tier of a search. */
  level: number;
  by_risk?: boolean;
  aliases?: Array<string>;
  /** JSON Schema of the arguments. */
  schema: JsonObject;
  /** SHA-256 of the schema: another schema is another version. */
  version: string;
}

/** A tool, by its program's name. */
export interface ToolRules {
  /** Other programs with the same command line. */
  also?: Array<string>;
  /** Options that take the next word. */
  values?: string;
  /** Options that make it only print what it would do. */
  dry_run?: string;
  /** Options that take that back. */
  no_dry_run?: string;
  /** True if a subcommand that no rule names is judged by its verb. */
  by_verb?: boolean;
  /** Examples that carry no danger of any rule. */
  silent?: Array<string>;
  rules?: Array<CommandRule>;
}

/** The gate's answer to `AskTools`. */
export interface ToolsAnswer {
  tools: Array<ToolDefinition>;
  /** Of the whole catalog: it changes with any tool's name, level or schema. */
  version: string;
}

/** Secret shared by a person's authenticator app and the gate; always sealed. */
export interface TotpSecret {
  /** The only person whose secret it is. */
  person: string;
  /** At least 160 bits, in base32. */
  secret: string;
  /** Of this secret: the app has it. Not kept. */
  code?: string;
  /** Of the secret in whose place it comes, where there is one. Not kept. */
  old_code?: string;
}

/** One node of an agent's call tree (seed 001). Audited, never judged. */
export interface Trace {
  trace_id: string;
  group_id: string;
  fn: string;
  phase: Phase;
  parent?: string;
  input?: JsonObject;
  output?: JsonObject;
  exception?: string;
  prompt_versions?: { [key: string]: string };
  app_version?: string;
  /** The hold of the dispatch that this node answers: closing it ends the dispatch. */
  dispatched_by?: string;
  /**
   * The hold of the call that this node is the run of, in the agent's own process: opening it
   * takes the claim, closing it reports the end. `input.arguments` says what really runs.
   */
  runs?: string;
}

/** Tools that bring content that nobody vouches for; what an agent does next may follow it. */
export interface Untrusted {
  /** By the tool's name or alias, what its result is, in a person's words: `a web page`. */
  tools?: { [key: string]: string };
  /** For how long it may steer what its tree of agents changes. */
  window_s?: number;
}

/** A one-time code that counted, once. */
export interface UsedCode {
  /** Half minutes since 1970. */
  step: number;
  /** `<stream>:<seq>` of the message that it came in. */
  cause: string;
}

/** A call that was counted; who handles it again finds it here. */
export interface UsedPermission {
  cause: string;
  permission_id: string;
  use: number;
}

/** First decision of the gate. */
export type VerdictKind = "pass" | "witness" | "hold" | "deny";

/** One answer that counted. */
export interface Voice {
  /** The person who gave it, whose proofs these are. */
  person: string;
  /** The approver in whose place they gave it; empty for themselves. */
  on_behalf_of?: string;
  /** The strongest proof. */
  method: Method;
  /** Every proof, where there were several. */
  methods?: Array<Method>;
  at: string;
  /** True if the proof is bound to this very action. */
  linked?: boolean;
  evidence_digest?: string;
  passkey?: PasskeyEvidence | null;
}

/** So many distinct people of this group must say yes. */
export interface Voices {
  group: string;
  voices?: number;
}

/** The proposer takes it back. */
export interface Withdraw {
  hold_id: string;
  reason?: string;
}

/** It runs, and people are told. A sentence goes on without a grant. */
export interface Witnessed {
  hold: Hold;
  /** `<stream>:<seq>` of the command or fact that led here. */
  cause: string;
  grant?: Grant | null;
}

/** A one-time code that was wrong. */
export interface WrongCode {
  cause: string;
  /** The hold it was for; empty where codes were to be set up again. */
  hold_id: string;
  at: string;
  /** Until when it counts: the hold can be answered until then. */
  until: string;
}

/** CloudEvents 1.0 in structured mode: one document, self-contained and signable. */
export interface CloudEvent<Type extends string, Data> {
  specversion: "1.0";
  id: string;
  type: Type;
  source: string;
  data: Data;
  subject?: string;
  time?: string;
  datacontenttype?: "application/json";
  traceparent?: string;
  /** 128 random bits, so that the body's hash in the ledger cannot be guessed. */
  salt?: string;
}

/** Every document that stands in a stream. */
export type HoldpointEvent =
  | CloudEvent<"holdpoint.v1.propose", Propose>
  | CloudEvent<"holdpoint.v1.intent", Intent>
  | CloudEvent<"holdpoint.v1.withdraw", Withdraw>
  | CloudEvent<"holdpoint.v1.trace", Trace>
  | CloudEvent<"holdpoint.v1.passed", Passed>
  | CloudEvent<"holdpoint.v1.witnessed", Witnessed>
  | CloudEvent<"holdpoint.v1.denied", Denied>
  | CloudEvent<"holdpoint.v1.halt", Halted>
  | CloudEvent<"holdpoint.v1.render", Rendered>
  | CloudEvent<"holdpoint.v1.answered", Answered>
  | CloudEvent<"holdpoint.v1.parked", Parked>
  | CloudEvent<"holdpoint.v1.reminded", Reminded>
  | CloudEvent<"holdpoint.v1.escalated", Escalated>
  | CloudEvent<"holdpoint.v1.extended", Extended>
  | CloudEvent<"holdpoint.v1.resolve", Resolved>
  | CloudEvent<"holdpoint.v1.resume", Resumed>
  | CloudEvent<"holdpoint.v1.refused", Refused>
  | CloudEvent<"holdpoint.v1.card", Card>
  | CloudEvent<"holdpoint.v1.answer", Answer>
  | CloudEvent<"holdpoint.v1.started", Started>
  | CloudEvent<"holdpoint.v1.finished", Finished>
  | CloudEvent<"holdpoint.v1.barred", Barred>
  | CloudEvent<"holdpoint.v1.lapsed", Lapsed>
  | CloudEvent<"holdpoint.v1.reconciled", Reconciled>
  | CloudEvent<"holdpoint.v1.kill", Kill>
  | CloudEvent<"holdpoint.v1.adopt_policy", AdoptPolicy>
  | CloudEvent<"holdpoint.v1.enrol_totp", EnrolTotp>
  | CloudEvent<"holdpoint.v1.enrol_passkey", EnrolPasskey>
  | CloudEvent<"holdpoint.v1.remove_step_up", RemoveStepUp>
  | CloudEvent<"holdpoint.v1.delegate", Delegate>
  | CloudEvent<"holdpoint.v1.delegation_state", DelegationState>
  | CloudEvent<"holdpoint.v1.denial_state", DenialState>
  | CloudEvent<"holdpoint.v1.revoke_permission", RevokePermission>
  | CloudEvent<"holdpoint.v1.set_flag", SetFlag>
  | CloudEvent<"holdpoint.v1.flag_state", FlagState>
  | CloudEvent<"holdpoint.v1.kill_state", KillState>
  | CloudEvent<"holdpoint.v1.policy_state", PolicyState>
  | CloudEvent<"holdpoint.v1.policy_body", PolicyBody>
  | CloudEvent<"holdpoint.v1.step_up_state", StepUpState>
  | CloudEvent<"holdpoint.v1.permission_state", PermissionState>
  | CloudEvent<"holdpoint.v1.attention_state", AttentionState>
  | CloudEvent<"holdpoint.v1.alarm", Alarm>
  | CloudEvent<"holdpoint.v1.ledger_read", LedgerRead>
  | CloudEvent<"holdpoint.v1.ledger_erased", Erased>
  | CloudEvent<"holdpoint.v1.ledger_legal_hold", LegalHold>
  | CloudEvent<"holdpoint.v1.ledger_lifted", Lifted>
  | CloudEvent<"holdpoint.v1.ledger_retention", Retention>
  | CloudEvent<"holdpoint.v1.ledger_refused", ErasureRefused>;
