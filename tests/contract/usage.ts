// Compiles only while the types say what they should; see test_typescript.py.
import type {
  ActionDetail,
  Answer,
  Card,
  CloudEvent,
  ConfirmationUI,
  Halted,
  HoldpointEvent,
  IntentMetadata,
  Outcome,
  Propose,
  Resumed,
  RiskLevel,
} from "./holdpoint";

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <A, B>(_: Same<A, B>): void => undefined;

same<ConfirmationUI["buttons"], ["Proceed", "Cancel"]>(true);
same<ConfirmationUI["action"], ActionDetail>(true);
same<keyof ConfirmationUI, "message" | "action" | "risk_level" | "show_details" | "buttons">(true);
same<RiskLevel, "low" | "medium" | "high" | "critical">(true);
same<Outcome, "confirmed" | "cancelled" | "expired" | "withdrawn" | "superseded">(true);
same<Resumed["confirmed"], boolean>(true);
same<Card["ui"], ConfirmationUI>(true);

const buttons: ConfirmationUI["buttons"] = ["Proceed", "Cancel"];
// @ts-expect-error: the choice is binary and in this order.
const others: ConfirmationUI["buttons"] = ["Cancel", "Proceed"];
// @ts-expect-error: there is no third button.
const three: ConfirmationUI["buttons"] = ["Proceed", "Cancel", "Later"];
// @ts-expect-error: risk is one of four words.
const risk: RiskLevel = "extreme";
// @ts-expect-error: an answer is proceed or cancel.
const answer: Answer["answer"] = "maybe";
// @ts-expect-error: a proposal names its tool.
const nameless: Propose = { arguments: {} };
// @ts-expect-error: a document says of what type it is.
const untyped: CloudEvent<"holdpoint.v1.halt", Halted> = { specversion: "1.0", id: "1" };

const asked: Propose = { tool: "execute_sql", arguments: { statement: "DELETE FROM users" } };
const unknownScope: IntentMetadata = {
  confirmation_required: true,
  risk_level: "critical",
  action_type: "batch_delete",
};

export const told = (event: HoldpointEvent): string => {
  switch (event.type) {
    case "holdpoint.v1.halt":
      return event.data.metadata.risk_level;
    case "holdpoint.v1.resume":
      return String(event.data.confirmed);
    default:
      return event.id;
  }
};

export const used = { buttons, others, three, risk, answer, nameless, untyped, asked, unknownScope };
