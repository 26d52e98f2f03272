// The kill switch: an order with this page's half of the session, and what came of it.
import { post } from "./post.js";

export const stopOn = (form) => {
  const told = form.querySelector("[data-told]");
  const buttons = form.querySelectorAll("button");
  const order = async (on) => {
    if (!form.reportValidity()) return;
    for (const button of buttons) button.disabled = true;
    told.textContent = "Sending the order…";
    try {
      const { agent, reason } = form.elements;
      const order = new URLSearchParams({ on, agent: agent.value, reason: reason.value });
      told.textContent = (await post("/stop", order)).text;
    } catch {
      told.textContent = "The console did not answer. Give the order again.";
    }
    for (const button of buttons) button.disabled = false;
  };
  for (const button of buttons) {
    button.addEventListener("click", () => order(button.value));
    button.disabled = false; // until now nobody would have heard it
  }
  form.addEventListener("submit", (event) => event.preventDefault());
};
