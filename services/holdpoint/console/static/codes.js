// Sets up one-time codes: sends the app's first code, and says what came of it.
import { post } from "./post.js";

export const codesOn = (form) => {
  const told = form.querySelector(".told");
  const say = ({ text, tone }) => {
    told.textContent = text;
    told.dataset.tone = tone ?? "bad";
  };
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = form.querySelector("button");
    button.disabled = true;
    say({ text: "Setting it up …", tone: "busy" });
    try {
      const reply = await post("/you/codes", new URLSearchParams(new FormData(form)));
      say(reply);
      if (reply.code === "old_code_missing") form.querySelector("[data-old]").hidden = false;
      form.elements.code.value = form.elements.old_code.value = "";
      if (reply.counted) form.elements.code.disabled = true;
      button.disabled = Boolean(reply.counted);
    } catch {
      say({ text: "The console did not answer, so nobody knows whether it was set up. Load the page again." });
      button.disabled = false;
    }
  });
  form.querySelector("button").disabled = false; // until now nobody would have sent it
};
