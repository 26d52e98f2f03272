// Names who answers in this person's place, and says what came of it.
import { post } from "./post.js";
import { word } from "./words.js";

export const delegateOn = (form) => {
  const told = form.querySelector(".told");
  const buttons = form.querySelectorAll("button");
  const say = ({ text, tone }) => {
    told.textContent = word(text);
    told.dataset.tone = tone ?? "bad";
  };
  const send = async (end) => {
    if (end === "no" && !form.reportValidity()) return;
    for (const button of buttons) button.disabled = true;
    say({ text: "Sending it …", tone: "busy" });
    const order = new URLSearchParams(new FormData(form));
    order.set("end", end);
    try {
      say(await post("/you/delegate", order));
    } catch {
      say({ text: "The console did not answer, so nobody knows whether it counts. Load the page again." });
    }
    for (const button of buttons) button.disabled = false;
  };
  for (const button of buttons) {
    button.addEventListener("click", () => send(button.value));
    button.disabled = false; // until now nobody would have sent it
  }
  form.addEventListener("submit", (event) => event.preventDefault());
};
