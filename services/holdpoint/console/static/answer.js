// The two buttons. Enter never proceeds; what came of an answer is said on its card.
import { isArmed, secondsShown } from "./arming.js";
import { say } from "./live.js";

export const answerOn = (page, line) => {
  page.addEventListener("keydown", (event) => {
    const onProceed = event.target.closest?.('[data-choice="proceed"]');
    const inReason = event.target.matches?.("[data-reason]");
    if (event.key === "Enter" && (onProceed || inReason)) event.preventDefault();
  });
  page.addEventListener("click", (event) => {
    const button = event.target.closest("[data-choice]");
    const article = button?.closest("article");
    if (!article || article.dataset.busy === "yes") return;
    if (button.dataset.choice === "proceed" && !isArmed(article, line, event)) return;
    send(article, button.dataset.choice);
  });
};

const SENDING = {
  proceed: { text: "Sending your yes …", after: "Sending your yes …" },
  cancel: { text: "Sending your no …", after: "Sending your no …" },
};
const NO_REPLY = {
  text: "The console did not answer, so nobody knows whether your answer came. Wait until this page is live again.",
  after: "",
  tone: "bad",
};

const send = async (article, choice) => {
  const slot = article.closest(".slot");
  article.dataset.busy = "yes";
  say(slot, { ...SENDING[choice], tone: "busy" });
  try {
    const told = await post(article, choice);
    say(slot, { after: told.text, tone: "bad", ...told });
  } catch {
    say(slot, NO_REPLY);
  } finally {
    delete article.dataset.busy;
  }
};

const post = async (article, choice) => {
  const { agent, hold, digest, render } = article.dataset;
  const body = new URLSearchParams({
    choice,
    digest,
    render_digest: render,
    seconds_shown: secondsShown(article).toFixed(3),
    reason: choice === "cancel" ? article.querySelector("[data-reason]").value : "",
  });
  const response = await fetch(`/holds/${agent}/${hold}/answer`, {
    method: "POST",
    body,
    headers: {
      "X-Holdpoint-Csrf": localStorage.getItem("holdpoint-csrf") ?? "",
      "X-Holdpoint-Page": localStorage.getItem("holdpoint-page") ?? "",
    },
    signal: AbortSignal.timeout(30_000),
  });
  if (response.status === 401) location.assign("/login");
  return response.json();
};
