// Makes an invitation, and shows its link where the button was.
import { post } from "./post.js";

export const inviteOn = (form) => {
  const button = form.querySelector("button");
  const told = form.querySelector(".told");
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    button.disabled = true;
    const answer = await post("/people/invite", new URLSearchParams(new FormData(form))).catch(() => null);
    const { text, link, tone } = answer ?? { text: "The console did not answer. Load the page again." };
    told.textContent = text;
    told.dataset.tone = tone ?? "bad";
    if (link) told.append(document.createElement("br"), Object.assign(document.createElement("code"), { textContent: link }));
    button.disabled = false;
  });
  button.disabled = false; // until now nobody would have sent it
};
