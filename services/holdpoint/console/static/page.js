// What every page behind the login does: times, the live stream, the two buttons.
import { answerOn } from "./answer.js";
import { armOn } from "./arming.js";
import { follow } from "./live.js";
import { showTimes } from "./times.js";

document.querySelector("[data-logout]").addEventListener("submit", ({ target }) => {
  target.elements.csrf.value = localStorage.getItem("holdpoint-csrf") ?? "";
  localStorage.removeItem("holdpoint-csrf");
  localStorage.removeItem("holdpoint-page");
});

showTimes(document);
setInterval(() => showTimes(document), 500);

const page = document.querySelector("[data-live]");
if (page) {
  const line = follow(page);
  armOn(page, line);
  answerOn(page, line);
  page.querySelector('[data-open="yes"] .cancel')?.focus({ preventScroll: true });
}
