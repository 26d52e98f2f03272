// <holdpoint-card>: one card of Holdpoint on a page of your own. One file, no framework, nothing inline.
//
//   card.person = "ann"                              who answers here
//   card.send = async (answer) => ({ text, tone })   sends it with that person's own session
//   card.live = false                                while your line is broken: Proceed is off
//   card.card = message                              each message about the hold, as parsed JSON
//
// Without `send` there are no buttons. docs/embedding.md has the rest.

const ARMED_AFTER_MS = 1000;
const LOOK_MS = 100;
const CLOSE_PX = 2; // browsers round where a scroll ends
const TARGET_FROM_LEVEL = 5;
const OPEN = new Set(["halted", "rendered", "answered"]);
const RISKS = { low: "Low risk", medium: "Medium risk", high: "High risk", critical: "Critical risk" };
const ENDS = {
  running: ["Running", "It was approved, and a worker is running it.", ""],
  done: ["Done", "It was approved, and it ran.", "good"],
  failed: ["Failed", "It was approved; it ran and failed.", "bad"],
  precondition_failed: ["Not run", "The data had changed since the card was shown. Nothing was changed.", "bad"],
  in_doubt: ["In doubt", "It started, and nobody knows whether it took effect.", "bad"],
  happened: ["It happened", "It was in doubt; a person looked: it happened.", "good"],
  did_not_happen: ["It did not happen", "It was in doubt; a person looked: it did not happen.", ""],
  barred: ["Barred", "Stopped before it started; nothing ran.", "bad"],
  lapsed: ["Lapsed", "It was approved, but not started in time; nothing ran.", "bad"],
  confirmed: ["Approved", "It was approved; the agent may go on.", "good"],
  cancelled: ["Cancelled", "It was cancelled; nothing ran.", ""],
  expired: ["Expired", "Nobody answered in time; nothing ran, and the agent was told so.", ""],
  withdrawn: ["Withdrawn", "Withdrawn by the agent; nothing ran.", ""],
  superseded: ["Superseded", "Replaced by another action; nothing ran.", ""],
  witnessed: ["Ran", "It ran without asking: the policy lets it run, and has you told.", ""],
  handed_back: ["Handed back", "You answer it in nobody's place any more; others are still asked.", ""],
  denied: ["Denied", "Refused by the policy; nobody was asked.", ""],
};
const CHANGED = { text: "The card has changed since you saw it. Read it again.", tone: "busy" };
const SENDING = { text: "Sending your answer …", tone: "busy" };
const NO_REPLY = { text: "No answer came, so nobody knows whether yours arrived. Wait until the card says so.", tone: "bad" };

const STYLE = `
:host { --ink: var(--holdpoint-ink, #1c2230); --soft: var(--holdpoint-soft, #5a6270); --sheet: var(--holdpoint-sheet, #fff);
  --well: var(--holdpoint-well, #f7f7f4); --line: var(--holdpoint-line, #dddcd5); --accent: var(--holdpoint-accent, #21477e);
  --on-accent: var(--holdpoint-on-accent, #fff); --risk: #3b6a50; --bad: #a3222b; --good: #1d6a43; --voice: #7a5a00;
  --voice-well: #fbf6e6; color-scheme: light dark; display: block; container-type: inline-size; }
@media (prefers-color-scheme: dark) {
  :host { --ink: var(--holdpoint-ink, #e7e9ee); --soft: var(--holdpoint-soft, #a2abb9); --sheet: var(--holdpoint-sheet, #1a1f27);
    --well: var(--holdpoint-well, #151920); --line: var(--holdpoint-line, #2c333f); --accent: var(--holdpoint-accent, #a5c4f4);
    --on-accent: var(--holdpoint-on-accent, #10203a); --risk: #8fcaa9; --bad: #f5a0a0; --good: #85d3a7; --voice: #dcc077;
    --voice-well: #211e14; }
}
* { box-sizing: border-box; margin: 0; padding: 0; }
article { display: grid; gap: 1rem; padding: 1.25rem 1.5rem; background: var(--sheet); color: var(--ink); border: 1px solid var(--line);
  border-left: 0.25rem solid var(--risk); border-radius: 0.625rem; font: 100%/1.5 ui-sans-serif, system-ui, sans-serif; }
article > * { min-width: 0; }
[data-risk="medium"] { --risk: var(--voice); }
[data-risk="high"] { --risk: light-dark(#a64707, #f2a873); }
[data-risk="critical"] { --risk: var(--bad); }
header { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; font-size: 0.9375rem; color: var(--soft); }
header b { color: var(--ink); font-weight: 600; }
.risk { color: var(--risk); font-weight: 650; }
.danger { color: var(--risk); font-weight: 600; margin-top: -0.75rem; overflow-wrap: anywhere; unicode-bidi: isolate; }
.left { margin-left: auto; font-variant-numeric: tabular-nums; }
h2 { font-size: 1.3125rem; line-height: 1.3; font-weight: 650; letter-spacing: -0.012em; }
h2, pre, blockquote, dd, li, .result { overflow-wrap: anywhere; unicode-bidi: isolate; white-space: pre-wrap; }
blockquote { background: var(--voice-well); border-left: 3px solid var(--voice); border-radius: 0 0.5rem 0.5rem 0; padding: 0.5rem 1rem 0.75rem; }
figcaption { background: var(--voice-well); border-left: 3px solid var(--voice); border-radius: 0 0.5rem 0 0; padding: 0.5rem 1rem 0; color: var(--voice); font-size: 0.8125rem; font-weight: 600; }
figcaption + blockquote { border-radius: 0 0 0.5rem 0; }
dl { display: flex; flex-wrap: wrap; gap: 0.75rem 1.5rem; }
dt, h3 { color: var(--soft); font-size: 0.8125rem; font-weight: 400; }
ul { list-style: none; }
pre, code { font: 0.9375rem/1.5 ui-monospace, "DejaVu Sans Mono", Menlo, monospace; }
.run { background: var(--well); border: 1px solid var(--line); border-radius: 0.5rem; padding: 0.75rem 1rem; max-height: 16rem; overflow: auto; }
.run dl { display: grid; }
blockquote, .result { max-height: 12rem; overflow: auto; }
.note { color: var(--soft); font-size: 0.9375rem; }
.buttons { display: flex; flex-wrap: wrap; gap: 0.75rem; }
button { flex: 1 1 14rem; min-height: 3rem; padding: 0.5rem 1.5rem; font: inherit; font-weight: 600; line-height: 1.3; overflow-wrap: anywhere;
  color: inherit; background: var(--sheet); border: 2px solid var(--soft); border-radius: 0.5rem; cursor: pointer; }
.proceed { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
.proceed[aria-disabled="true"] { background: var(--well); border-color: var(--line); color: var(--soft); cursor: not-allowed; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 0.25rem; }
a { color: var(--accent); }
[role="status"]:empty { display: none; }
[role="status"] { padding: 0.5rem 1rem; border-left: 3px solid currentColor; background: var(--well); font-weight: 500; }
[data-tone="good"] { color: var(--good); }
[data-tone="bad"] { color: var(--bad); }
@media (forced-colors: active) { .proceed[aria-disabled="true"] { color: GrayText; } }
`;
const sheet = new CSSStyleSheet();
sheet.replaceSync(STYLE);

/** An element with text or children; nothing is ever read as HTML. */
const el = (name, set = {}, ...children) => {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(set)) {
    if (key in made && key !== "role") made[key] = value;
    else made.setAttribute(key, value);
  }
  made.append(...children.filter((it) => it !== null));
  return made;
};

const isOpen = (card) => OPEN.has(card.state) && !card.outcome;
const endOf = (card) => ENDS[card.state] ?? ENDS[card.outcome] ?? ["Ended", "It has ended.", ""];
const plain = (value) => (typeof value === "string" ? value : JSON.stringify(value, null, 2));

/** Whether a yes takes more than a button: a code, a passkey, or the target typed. */
const takesMore = ({ level, proofs = [], every_proof: all, ui }) => {
  const isStepUp = proofs.some((it) => it !== "chat") && (all || !proofs.includes("chat"));
  return isStepUp || (level >= TARGET_FROM_LEVEL && Boolean(ui.action.tool));
};

/** Thousands apart in a plain number: `1,250.00`. */
const grouped = (number) => (/^-?\d{4,}(\.\d+)?$/.test(number) ? number.replace(/\B(?=(\d{3})+(?!\d))(?<!\.\d*)/g, ",") : number);

const fired = ({ signals = [] }, rule) => signals.some((it) => it.rule === rule);

const affectedBy = (card) => {
  const { action } = card.ui;
  if (action.affected === undefined || action.affected === null) return "";
  const unit = card.metadata?.scope?.type?.replaceAll("_", " ") ?? "items";
  const counted = `${grouped(String(action.affected))} ${action.affected === 1 ? unit.replace(/s$/, "") : unit}`;
  return action.affected ? counted : `${counted}; nothing is there now`;
};

const environmentOf = (card) => {
  const { environment: place = "production" } = card.ui.action;
  const isSaid = (card.signals ?? []).some((it) => it.rule === "environment.production" && it.reason.includes("production"));
  return place === "production" && isSaid ? "" : place;
};

const targetOf = (card) => {
  const { target = "" } = card.ui.action;
  return fired(card, "plan.missing") || card.title.includes(target) ? "" : target;
};

/** Rules whose reason speaks of the way back. */
const FINAL = new Set(["plan.irreversible", "verb.destructive", "tool.irreversible"]);

const undoOf = ({ ui: { action }, signals = [] }) => {
  if (action.undo || action.reversible) return action.undo || "there is a way back, or nothing is changed";
  return signals.some((it) => FINAL.has(it.rule) || it.reason.includes("which the agent cannot take back")) ? "" : "no way back is known";
};

const voicesOf = ({ voices = [], voices_needed: needed = 1, voices_for: seats = {} }) => {
  if (needed <= 1) return "";
  const names = voices.map((name) => (seats[name] ? `${name} (for ${seats[name]})` : name)).join(", ");
  return `${voices.length} of ${needed} said yes${names ? `: ${names}` : ""}`;
};

const minute = (at) => `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;

/** The same facts as the console's card, in its order: tests hold the two together. */
const factsOf = (card) => {
  const { action } = card.ui;
  const asksLater = card.asked_from && Date.parse(card.asked_from) > Date.parse(card.halted_at);
  return [
    ["Affects", affectedBy(card)],
    ["Amount", Object.values(action.amount ?? {}).map((it) => grouped(String(it))).join(" ")],
    ["Where", environmentOf(card)],
    ["Target", targetOf(card)],
    ["Undo", undoOf(card)],
    ["Enforced", card.enforcement === "cooperative" && action.tool ? "not by Holdpoint: the agent acts itself, and only hears the answer" : ""],
    ["Called by", (card.chain ?? []).join(" → ")],
    ["Approvals", voicesOf(card)],
    ["Asked from", asksLater ? minute(card.asked_from) : ""],
    ["Asked too", card.escalated_to ? `${card.escalated_to}, as nobody had answered` : ""],
    ["Told again", card.reminded ? `${card.reminded} time${card.reminded === 1 ? "" : "s"}` : ""],
    ["More time", (card.extensions ?? []).join("\n")],
    ["You answer for", (card.delegators ?? []).join(", ")],
  ].filter(([, text]) => text);
};

const rankOf = (signal) => Object.keys(RISKS).indexOf(signal.level);

/** Rules that read an action: what they doubt is no doubt of the agent's. */
const READS = /^(?:call|file|http|shell|sql|text|tool)\./;

/** What cannot be undone says more of a danger than its size, and the place says least. */
const gravityOf = (signal) => {
  const isLost = signal.heuristic === "irreversibility" && !["command.high_risk", "intents.sounds"].includes(signal.rule);
  const isGeneral = ["environment.production", "sql.rows", "intents.sounds"].includes(signal.rule) || signal.heuristic === "agent";
  const isOwn = rankOf(signal) >= 1 && !isGeneral;
  const isKnown = isOwn && signal.rule !== "plan.missing";
  return (isLost && rankOf(signal) >= 2 ? 400 : 0) + (isKnown ? 200 : 0) + (isOwn ? 100 : 0) + 10 * rankOf(signal) + (signal.rule === "plan.irreversible" ? 1 : 0);
};

/** The danger, or null, and the other reasons; a text that fired is quoted once. */
const reasonsOf = ({ signals = [] }) => {
  const dangers = signals.filter((it) => it.heuristic !== "uncertainty" || READS.test(it.rule));
  const danger = dangers.reduce((worst, it) => (worst && gravityOf(worst) >= gravityOf(it) ? worst : it), null);
  const others = signals.filter((it) => it !== danger).sort((one, other) => rankOf(other) - rankOf(one));
  let read = "";
  const [first, ...rest] = [danger, ...others].map((it) => {
    if (!it) return null;
    read += `${it.reason}\n`;
    const evidence = it.evidence && !read.includes(it.evidence.trim()) ? it.evidence : "";
    read += `${evidence}\n`;
    return evidence ? `${it.reason.replace(/\.$/, "")}: “${evidence}”.` : it.reason;
  });
  return [first, rest];
};

class HoldpointCard extends HTMLElement {
  #root = this.attachShadow({ mode: "open", delegatesFocus: false });
  #card = null;
  #send = null;
  #timer = 0;
  #since = null; // where Proceed stands, and since when it has stood there in view
  #begun = false; // the title was in view
  #busy = false;
  #live = true;
  #told = null;
  person = "";

  get card() {
    return this.#card;
  }

  /** An older message than the one that is shown changes nothing. */
  set card(card) {
    const before = this.#card;
    if (before && before.hold_id === card.hold_id && before.revision >= card.revision) return;
    const isOther = before?.hold_id !== card.hold_id;
    const isChanged = !isOther && isOpen(before) && isOpen(card) && before.render_digest !== card.render_digest;
    if (isOther || isChanged || !isOpen(card)) this.#told = isChanged ? CHANGED : null;
    this.#card = card;
    this.#draw();
  }

  set send(send) {
    this.#send = send;
    if (this.#card) this.#draw();
  }

  set live(live) {
    this.#live = live;
    this.#look();
  }

  connectedCallback() {
    this.#root.adoptedStyleSheets = [sheet];
    this.#timer = setInterval(() => this.#look(), LOOK_MS);
  }

  disconnectedCallback() {
    clearInterval(this.#timer);
    this.#since = null;
  }

  #find(selector) {
    return this.#root.querySelector(selector);
  }

  #draw() {
    const card = this.#card;
    const focused = this.#root.activeElement?.dataset.choice;
    [this.#since, this.#begun] = [null, false];
    const article = el("article", { "data-risk": card.ui.risk_level, "aria-label": card.title });
    article.append(...[this.#top(), el("h2", { textContent: card.title }), this.#end(), ...this.#body(), ...this.#foot()].filter(Boolean));
    article.append(el("p", { role: "status" }));
    this.#root.replaceChildren(article);
    this.#say(this.#told);
    if (focused) this.#find(`[data-choice="${focused}"]`)?.focus({ preventScroll: true });
    this.#look();
  }

  #top() {
    const { agent, on_behalf_of: whom, ui } = this.#card;
    const who = el("p", {}, el("b", { textContent: agent }), ...(whom ? [" on behalf of ", el("b", { textContent: whom })] : []));
    const state = isOpen(this.#card) ? "" : endOf(this.#card)[0];
    return el("header", {}, el("p", { className: "risk", textContent: RISKS[ui.risk_level] }), who, el("p", { className: "left", textContent: state }));
  }

  #end() {
    if (isOpen(this.#card)) return null;
    const [, text, tone] = endOf(this.#card);
    const { reason, result } = this.#card;
    const end = el("div", {}, el("p", { textContent: text, "data-tone": tone }));
    if (reason) end.append(el("p", { className: "note", textContent: `Reason: ${reason}` }));
    if (result) end.append(el("pre", { className: "result", tabIndex: 0, role: "group", "aria-label": "Result", textContent: result }));
    return end;
  }

  #body() {
    const { ui, sample = [], warnings = [] } = this.#card;
    const caption = el("figcaption", { textContent: "The agent’s own words. Nobody has verified them." });
    const words = el("blockquote", { tabIndex: 0, role: "group", "aria-label": "The agent’s own words", textContent: ui.message || "It said nothing about it." });
    const facts = factsOf(this.#card).map(([name, text]) => el("div", {}, el("dt", { textContent: name }), el("dd", { textContent: text })));
    const entries = Object.entries(ui.action.arguments ?? {}).map(([name, value]) => [name, plain(value)]);
    if (sample.length) entries.push(["it would touch or run, for example", sample.join("\n")]);
    const run = entries.map(([name, text]) => el("div", {}, el("dt", { textContent: name }), el("dd", {}, el("pre", { textContent: text }))));
    const [danger, others] = reasonsOf(this.#card);
    const heading = this.#card.state === "witnessed" ? "Why you are told" : "Why it was stopped";
    return [
      danger ? el("p", { className: "danger", textContent: danger }) : null,
      ...warnings.map((text) => el("p", { className: "note", textContent: text })),
      el("figure", {}, caption, words),
      el("dl", { className: "facts" }, ...facts),
      run.length ? el("div", { className: "run", tabIndex: 0, role: "group", "aria-label": "Exactly what will run" }, el("dl", {}, ...run)) : null,
      others.length ? el("div", {}, el("h3", { textContent: heading }), el("ul", {}, ...others.map((text) => el("li", { textContent: text })))) : null,
    ];
  }

  #foot() {
    const card = this.#card;
    if (!isOpen(card)) return [];
    const follows = [card.on_yes, card.on_silence].filter(Boolean).join(" ");
    const silence = el("p", { className: "note silence", textContent: follows });
    const place = this.getAttribute("console");
    const link = place && el("p", {}, el("a", { href: `${place}/holds/${card.agent}/${card.hold_id}`, textContent: "Answer in the console" }));
    if (!this.#send) return [silence, link];
    const hasSaid = (card.voices ?? []).includes(this.person);
    const more = takesMore(card) ? "A yes to this takes step-up: it is given in the console." : hasSaid ? "You have said yes; it waits for other people." : "";
    const buttons = el("div", { className: "buttons" }, this.#button("cancel", card.labels.cancel));
    if (!more) buttons.append(this.#button("proceed", card.labels.proceed));
    return [silence, more ? el("p", { className: "note", textContent: more }) : null, buttons, more ? link : null, el("p", { className: "note hint" })];
  }

  #button(choice, label) {
    const made = el("button", { type: "button", className: choice, "data-choice": choice, textContent: label });
    if (choice === "proceed") made.setAttribute("aria-disabled", "true");
    made.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && choice === "proceed") event.preventDefault();
    });
    made.addEventListener("click", (event) => this.#press(event, choice));
    return made;
  }

  async #press(event, choice) {
    if (!event.isTrusted || this.#busy) return;
    this.#look();
    if (choice === "proceed" && !this.#isArmed(event)) return;
    const { hold_id, agent, digest, render_digest } = this.#card;
    const seconds_shown = this.#since ? (performance.now() - this.#since.first) / 1000 : 0;
    this.#busy = true;
    this.#say(SENDING);
    try {
      this.#say(await this.#send({ hold_id, agent, digest, render_digest, answer: choice, seconds_shown }));
    } catch {
      this.#say(NO_REPLY);
    } finally {
      this.#busy = false;
    }
  }

  /** Looked at afresh, and nothing lies over the button. */
  #isArmed({ detail, clientX, clientY }) {
    const proceed = this.#find(".proceed");
    const isHit = detail === 0 || this.#root.elementFromPoint(clientX, clientY) === proceed; // no detail: the space bar
    return this.dataset.armed === "yes" && isHit;
  }

  #say(note) {
    this.#told = note;
    const line = this.#find('[role="status"]');
    line.textContent = note?.text ?? "";
    line.dataset.tone = note?.tone ?? "";
  }

  /** Proceed works once the whole card was read, and has stood still in view for a second. */
  #look() {
    const card = this.#card;
    if (!card || !isOpen(card)) return this.#arm("no", "");
    const left = Date.parse(card.expires_at ?? "") - Date.now();
    put(this.#find(".left"), Number.isNaN(left) ? "" : `expires in ${remaining(left)}`);
    const proceed = this.#find(".proceed");
    if (!proceed) return this.#arm("no", "");
    if (isInView(this.#find("h2"))) this.#begun = true;
    const isSeen = this.#live && document.visibilityState === "visible" && this.#begun && isInView(proceed);
    if (!isSeen || left <= 0) {
      this.#since = null;
      return this.#arm("no", this.#live ? "Proceed works once the card has been in view for a second." : "Not live: what you see may be old, and Proceed is off.");
    }
    if (!this.#isRead()) {
      this.#since = null;
      return this.#arm("no", "Scroll through all of what will run; then Proceed works.");
    }
    const place = placeOf(proceed);
    const now = performance.now();
    if (this.#since?.place !== place) this.#since = { at: now, first: this.#since?.first ?? now, place };
    this.#arm(now - this.#since.at >= ARMED_AFTER_MS ? "yes" : "soon", "Proceed takes a click or the space bar.");
  }

  #isRead() {
    const box = this.#find(".run");
    if (!box || box.dataset.read === "yes") return true;
    const isAtEnd = box.scrollHeight - box.clientHeight - box.scrollTop <= CLOSE_PX;
    if (isAtEnd) box.dataset.read = "yes";
    return isAtEnd;
  }

  #arm(armed, hint) {
    if (this.dataset.armed !== armed) this.dataset.armed = armed;
    const proceed = this.#find(".proceed");
    if (proceed) proceed.setAttribute("aria-disabled", String(armed !== "yes"));
    put(this.#find(".hint"), hint);
  }
}

const put = (element, text) => {
  if (element && element.textContent !== text) element.textContent = text;
};

const isInView = (element) => {
  const { top, bottom, width } = element.getBoundingClientRect();
  return width > 0 && top < window.innerHeight && bottom > 0 && bottom - 8 <= window.innerHeight;
};

const placeOf = (element) => {
  const { left, top, width, height } = element.getBoundingClientRect();
  return [left + window.scrollX, top + window.scrollY, width, height].map(Math.round).join();
};

const remaining = (milliseconds) => {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const two = (number) => String(number).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
};

customElements.define("holdpoint-card", HoldpointCard);
