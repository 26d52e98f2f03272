// The chat: what is said goes to the coordinator, and each hold that waits has its card below the answer.
import { post } from "./post.js";

const ANSWERS_MS = 70_000; // a request may take several calls
const MOST_REMEMBERED = 20; // messages that go along
const LONGEST_HISTORY = 12_000; // characters of them
const LOOK_MS = 500;
const GOES_ON = ["", "Waiting", "Cooling off", "Approved", "Running"];
const NO_REPLY = "The console did not answer. Send the same again: nothing is done twice.";

export const chatOn = (form, line) => {
  const talk = document.getElementById("talk");
  const told = form.querySelector(".told");
  const [field, button] = [form.elements.message, form.querySelector("button")];
  const said = []; // the conversation, as it goes along
  const open = []; // requests with a card that has not ended
  let unanswered = null;

  const historyOf = (messages) => {
    const kept = messages.slice(-MOST_REMEMBERED);
    while (JSON.stringify(kept).length > LONGEST_HISTORY) kept.shift();
    return JSON.stringify(kept);
  };

  const send = ({ id, message, history }) =>
    post("/chat", new URLSearchParams({ message, request_id: id, history }), ANSWERS_MS);

  const show = (who, text, holds = []) => {
    const item = document.createElement("li");
    item.className = who === "You" ? "mine" : "theirs";
    const says = document.createElement("div");
    const name = document.createElement("b");
    name.textContent = who;
    says.className = "says";
    says.append(name, text);
    item.append(says);
    if (holds.length) item.append(cardsOf(holds));
    talk.append(item);
    item.scrollIntoView({ block: "nearest" });
  };

  /** Places for cards, which the live stream fills. */
  const cardsOf = (holds) => {
    const list = document.createElement("ol");
    list.className = "cards";
    for (const hold of holds.filter((it) => !document.getElementById(`slot-${it}`))) {
      const slot = document.createElement("li");
      slot.className = "slot";
      slot.id = `slot-${hold}`;
      const note = document.createElement("p");
      note.className = "told";
      note.setAttribute("role", "status");
      slot.append(note);
      list.append(slot);
    }
    return list;
  };

  /** What is said again because nobody answered is the same request. Returns what went wrong. */
  const ask = async (message) => {
    if (unanswered?.message !== message) {
      unanswered = { id: crypto.randomUUID(), message, history: historyOf(said) };
      show("You", message);
    }
    const request = unanswered;
    const { text, holds, again } = await send(request);
    if (again) return text;
    unanswered = null;
    show("Holdpoint", text, holds);
    said.push({ role: "user", content: message }, { role: "assistant", content: text });
    if (holds.length) {
      open.push({ request, holds });
      line.refresh();
    }
    return "";
  };

  const hasEnded = (hold) => {
    const article = document.querySelector(`#slot-${CSS.escape(hold)} article`);
    return article !== null && !GOES_ON.includes(article.dataset.standing) && article.dataset.open === "no";
  };

  /** What became of a card is told under the request that it came of. */
  const look = async () => {
    for (const one of [...open]) {
      if (one.busy || !one.holds.every(hasEnded)) continue;
      one.busy = true;
      try {
        const { text, again } = await send(one.request);
        if (again) throw new Error(text);
        show("Holdpoint", text);
        said.push({ role: "assistant", content: text });
        open.splice(open.indexOf(one), 1);
      } catch {
        one.busy = false; // asked again with the next look
      }
    }
  };

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const message = field.value.trim();
    if (!message || button.disabled) return;
    button.disabled = true;
    field.value = "";
    told.textContent = "Working on it …";
    told.dataset.tone = "busy";
    const problem = await ask(message).catch(() => NO_REPLY);
    told.textContent = problem;
    if (problem) {
      field.value = message;
      told.dataset.tone = "bad";
    }
    button.disabled = false;
  });
  button.disabled = false; // until now nobody would have sent it
  field.focus();
  setInterval(look, LOOK_MS);
};
