// The two buttons. Enter never proceeds; what came of an answer is said on its card.
import { isArmed, secondsShown } from "./arming.js";
import { besideOf, changesNothing, lacksCode, together, toType } from "./forms.js";
import { say } from "./live.js";
import { sign } from "./passkeys.js";
import { post } from "./post.js";

export const answerOn = (page, line) => {
  page.addEventListener("keydown", (event) => {
    const onProceed = event.target.closest?.('[data-choice="proceed"]');
    const inReason = event.target.matches?.("[data-reason], [data-code], [data-target], [data-note], [data-why], input[data-typed]");
    if (event.key === "Enter" && (onProceed || inReason)) event.preventDefault();
  });
  page.addEventListener("input", ({ target }) => {
    const slot = target.closest("article")?.closest(".slot");
    const isRefused = slot?.querySelector(".told").dataset.tone === "bad";
    if (isRefused) say(slot, MENDED); // what was missing or wrong is being typed
  });
  page.addEventListener("click", (event) => {
    const button = event.target.closest("[data-choice]");
    const article = button?.closest("article");
    if (!article || article.dataset.busy === "yes") return;
    if (button.dataset.choice === "proceed" && !isArmed(article, line, event)) return;
    if (button.dataset.choice === "proceed" && (asksSetUp(article) || asksTarget(article) || asksCode(article))) return;
    if (button.dataset.choice in FOUND && lacksNote(article)) return;
    if (button.dataset.choice === "extend" && lacksWhy(article)) return;
    if (button.dataset.choice === "modify" && changesNothing(article)) return tell(article, NO_CHANGE);
    sendAll(article, button.dataset.choice);
  });
};

/** Say where the person acted what came of it: it fits the card as it stood then, whatever that was. */
const tell = (article, note) => {
  const slot = article.closest(".slot") ?? document.getElementById(`slot-${article.dataset.hold}`);
  if (!slot) return;
  const at = note.counted ? note.at : [article.dataset.standing];
  say(slot, { ...note, at });
  slot.querySelector(".told").scrollIntoView({ block: "nearest" });
};

/** A yes whose step-up is not set up yet cannot count. */
const asksSetUp = (article) => {
  if (article.dataset.ready === "yes") return false;
  tell(article, NOT_SET_UP);
  article.querySelector('.proof a')?.focus();
  return true;
};

const asksTarget = (article) => {
  const wanted = toType(article);
  if (!wanted) return false;
  tell(article, { text: `Type ${wanted} first.`, after: "", tone: "bad" });
  article.querySelector("[data-target]").focus();
  return true;
};

const codeOf = (article) => article.querySelector("[data-code]")?.value ?? "";

/** A yes that takes a code is not sent without one; a code is good for one sending. */
const asksCode = (article) => {
  if (!lacksCode(article)) return false;
  tell(article, NO_CODE);
  article.querySelector("[data-code]").focus();
  return true;
};

/** What a person found is said with a note. */
const lacksNote = (article) => {
  const field = article.querySelector("[data-note]");
  if (field?.value.trim()) return false;
  tell(article, NO_NOTE);
  field?.focus();
  return true;
};

/** Who gives it more time says why. */
const lacksWhy = (article) => {
  const field = article.querySelector("[data-why]");
  if (field?.value.trim()) return false;
  tell(article, NO_WHY);
  field?.focus();
  return true;
};

const FOUND = { happened: true, did_not_happen: true };
const MENDED = { text: "", after: "", tone: "quiet" };
const NO_NOTE = { text: "Write what you looked at and found first.", after: "", tone: "bad" };
const NO_WHY = { text: "Write why it takes more time first.", after: "", tone: "bad" };
const NO_CHANGE = { text: "Nothing is changed yet.", after: "", tone: "bad" };
const NO_CODE = { text: "Type the six digits that your authenticator app shows first.", after: "", tone: "bad" };
const NOT_SET_UP = { text: "Set up your step-up first, then press Proceed.", after: "", tone: "bad" };
const ASKING = { text: "Your device asks who you are …", after: "", tone: "busy" };
const NO_PASSKEY = { text: "No passkey confirmed it, so nothing was sent.", after: "", tone: "bad" };
const SENDING = {
  proceed: { text: "Sending your yes …", after: "Sending your yes …" },
  cancel: { text: "Sending your no …", after: "Sending your no …" },
  extend: { text: "Moving the deadline …", after: "Moving the deadline …" },
  modify: { text: "Sending the changed call …", after: "Sending the changed call …" },
  happened: { text: "Sending what you found …", after: "Sending what you found …" },
  did_not_happen: { text: "Sending what you found …", after: "Sending what you found …" },
};
const NO_REPLY = {
  text: "The console did not answer, so nobody knows whether your answer came. Wait until this page is live again.",
  after: "",
  tone: "bad",
};

/** One answer each, and the others only once the first one counted. */
const sendAll = async (article, choice) => {
  const others = choice === "proceed" ? together(article) : [];
  const like = { like: article.dataset.hold, like_render: article.dataset.render };
  const told = await send(article, choice);
  for (const other of told?.counted ? others : []) await send(other, choice, like);
};

const send = async (article, choice, like = {}) => {
  article.dataset.busy = "yes";
  try {
    const signed = choice === "proceed" && asksPasskey(article) ? await signedOn(article) : {};
    if (signed === null) return tell(article, NO_PASSKEY);
    tell(article, { ...SENDING[choice], tone: "busy" });
    const told = await sent(article, choice, { ...signed, ...like });
    for (const field of article.closest(".slot")?.querySelectorAll("[data-code]") ?? []) field.value = "";
    tell(article, { after: told.text, tone: "bad", ...told });
    return told;
  } catch {
    tell(article, NO_REPLY);
  } finally {
    delete article.dataset.busy;
  }
};

const signedOn = (article) => {
  tell(article, ASKING);
  return sign(article.dataset);
};

/** A code is enough where a passkey is only offered in its place. */
const asksPasskey = (article) => {
  const { passkey } = article.dataset;
  return passkey === "needed" || (passkey === "offered" && !codeOf(article).trim());
};

const WORDS = { cancel: "[data-reason]", extend: "[data-why]", modify: "[data-change-why]" };

const saidWith = (article, choice) => {
  if (choice === "proceed") return "";
  return article.querySelector(WORDS[choice] ?? "[data-note]").value;
};

const sent = (article, choice, signed) => {
  const { agent, hold, digest, render } = article.dataset;
  const body = new URLSearchParams({
    choice,
    digest,
    render_digest: render,
    seconds_shown: secondsShown(article).toFixed(3),
    reason: saidWith(article, choice),
    code: choice === "proceed" ? codeOf(article) : "",
    typed: choice === "proceed" ? (article.querySelector("[data-target]")?.value ?? "") : "",
    extend_s: choice === "extend" ? article.querySelector("[data-extend]").value : "0",
    beside: besideOf(article, choice),
    ...signed,
  });
  return post(`/holds/${agent}/${hold}/answer`, body);
};
