// What every page behind the login does: times, the live stream, the two buttons.
import { answerOn } from "./answer.js";
import { armOn } from "./arming.js";
import { chatOn } from "./chat.js";
import { codesOn } from "./codes.js";
import { delegateOn } from "./delegate.js";
import { formsOn } from "./forms.js";
import { inviteOn } from "./invite.js";
import { filtersOn, keysOn } from "./keys.js";
import { follow } from "./live.js";
import { passkeysOn } from "./passkeys.js";
import { forget, notifyOn } from "./notify.js";
import { revokeOn } from "./revoke.js";
import { soundOn } from "./sound.js";
import { stopOn } from "./stop.js";
import { showTimes } from "./times.js";

document.querySelector("[data-logout]").addEventListener("submit", ({ target }) => {
  target.elements.csrf.value = localStorage.getItem("holdpoint-csrf") ?? "";
  localStorage.removeItem("holdpoint-csrf");
  localStorage.removeItem("holdpoint-page");
  forget();
});

showTimes(document);
setInterval(() => showTimes(document), 500);

const stop = document.querySelector("[data-stop]");
if (stop) stopOn(stop);

const page = document.querySelector("[data-live]");
if (page) {
  const notify = notifyOn(page.querySelector("[data-notify]"));
  const sound = soundOn(page.querySelector("[data-sound]"));
  const line = follow(page, (waiting, called) => {
    notify(waiting, called);
    sound(waiting, called);
  });
  armOn(page, line);
  answerOn(page, line);
  formsOn(page);
  keysOn(page);
  const filters = page.querySelector("[data-filters]");
  if (filters) filtersOn(filters);
  page.querySelector('[data-open="yes"] .cancel')?.focus({ preventScroll: true });
  const chat = page.querySelector("[data-chat]");
  if (chat) chatOn(chat, line);
}

const codes = document.querySelector("[data-codes]");
if (codes) codesOn(codes);

const delegate = document.querySelector("[data-delegate]");
if (delegate) delegateOn(delegate);

const invite = document.querySelector("[data-invite]");
if (invite) inviteOn(invite);

const passkeys = document.querySelector("[data-passkeys]");
if (passkeys) passkeysOn(passkeys);

for (const form of document.querySelectorAll("[data-revoke]")) revokeOn(form);
