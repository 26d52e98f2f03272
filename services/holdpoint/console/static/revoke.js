// Takes a remembered permission back, and says what came of it.
import { post } from "./post.js";

export const revokeOn = (form) => {
  const told = form.querySelector(".told");
  const button = form.querySelector("button");
  if (!button) return;
  const say = ({ text, tone }) => {
    told.textContent = text;
    told.dataset.tone = tone ?? "bad";
  };
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    button.disabled = true;
    say({ text: "Sending it …", tone: "busy" });
    try {
      const answer = await post("/you/permissions", new URLSearchParams(new FormData(form)));
      say(answer);
      button.disabled = answer.counted === true;
    } catch {
      say({ text: "The console did not answer, so nobody knows whether it counts. Load the page again." });
      button.disabled = false;
    }
  });
  button.disabled = false; // until now nobody would have sent it
};
