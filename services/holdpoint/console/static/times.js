// Times in the reader's own zone, and how long is left by the server's clock.
import { word } from "./words.js";

let ahead = 0;

/** The server says what time it is; this machine's clock may be wrong, or asleep. */
export const setServerTime = (milliseconds) => {
  ahead = milliseconds - Date.now();
};

export const now = () => Date.now() + ahead;

// In the page's language, as the browser's own country writes it: 22:46 in German, whatever the browser speaks.
const { lang } = document.documentElement;
const locale = navigator.languages.find((it) => it.split("-")[0] === lang) ?? lang;
const clock = new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit", second: "2-digit" });
const day = new Intl.DateTimeFormat(locale, { dateStyle: "medium" });

const spoken = (at) => {
  const isToday = day.format(at) === day.format(now());
  return isToday ? clock.format(at) : `${day.format(at)}, ${clock.format(at)}`;
};

const inUtc = (stamp) => `${new Date(stamp).toISOString().slice(0, 19).replace("T", " ")} UTC`;

const two = (number) => String(number).padStart(2, "0");

const remaining = (milliseconds) => {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  if (hours >= 48) return `${Math.floor(hours / 24)} ${word("days")}`;
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
};

export const isOver = (article) => {
  const until = article.querySelector(".countdown");
  return until !== null && Date.parse(until.dateTime) <= now();
};

const put = (element, text) => {
  if (element.textContent !== text) element.textContent = text;
};

const zone = clock.resolvedOptions().timeZone;

export const showTimes = (root) => {
  for (const each of root.querySelectorAll("[data-zone]")) put(each, zone);
  for (const each of root.querySelectorAll("time.clock")) put(each, spoken(Date.parse(each.dateTime)));
  for (const each of root.querySelectorAll("time:not([title])")) each.title = inUtc(each.dateTime);
  for (const each of root.querySelectorAll("time.countdown")) {
    const left = Date.parse(each.dateTime) - now();
    put(each, remaining(left));
    each.classList.toggle("soon", left < 60_000);
  }
};
