// Proceed does something only after its card was read, and stood still in view, live, for a second.
import { isReady } from "./forms.js";
import { isRead } from "./reading.js";
import { isOver } from "./times.js";

const ARMED_AFTER_MS = 1000;
const LOOK_MS = 100;

const since = new WeakMap(); // article -> where its button stands, and since when in view there

/** How many seconds the card has been in view. */
export const secondsShown = (article) => {
  const it = since.get(article);
  return it ? (performance.now() - it.first) / 1000 : 0;
};

/** Whether a click now is meant: looked at afresh, for a card moves faster than the next look. */
export const isArmed = (article, line, { detail, clientX, clientY }) => {
  const button = article.querySelector(".proceed");
  arm(article, line);
  const isHit = detail === 0 || button.contains(document.elementFromPoint(clientX, clientY));
  return article.dataset.armed === "yes" && isHit; // no detail: it was the space bar
};

export const armOn = (page, line) => {
  const look = () => {
    for (const article of page.querySelectorAll('article[data-open="yes"]')) arm(article, line);
  };
  setInterval(look, LOOK_MS);
  document.addEventListener("visibilitychange", look);
};

const arm = (article, line) => {
  if (article.dataset.spent === "yes") return;
  const button = article.querySelector(".proceed");
  const place = placeOf(button);
  const known = since.get(article);
  const isUnread = document.visibilityState !== "visible" || !isRead(article, inWindow);
  if (!line.isLive() || isOver(article) || !isInView(article, button)) {
    since.delete(article);
    return show(article, button, "no");
  }
  if (!known || isUnread || hasMoved(known.place, place)) {
    since.set(article, { at: performance.now(), first: known?.first ?? performance.now(), place });
    return show(article, button, isUnread ? "no" : "soon");
  }
  known.place = place;
  if (performance.now() - known.at >= ARMED_AFTER_MS) show(article, button, "yes");
};

const placeOf = (button) => {
  const { left, top, width, height } = button.getBoundingClientRect();
  const inPage = [left + window.scrollX, top + window.scrollY, width, height].map(Math.round);
  return { inPage: inPage.join(), top, page: document.documentElement.scrollHeight };
};

/** Who scrolls moves it knowingly; a page that shrinks scrolls by itself. */
const hasMoved = (before, now) =>
  before.inPage !== now.inPage || (before.top !== now.top && before.page !== now.page);

/** The buttons are in view, the title was, and the person may be looking at all. */
const isInView = (article, button) => {
  if (document.visibilityState !== "visible") return false;
  if (inWindow(article.querySelector(".title"))) article.dataset.begun = "yes";
  return article.dataset.begun === "yes" && inWindow(button);
};

const inWindow = (element) => {
  const { top, bottom, width } = element.getBoundingClientRect();
  return width > 0 && top < window.innerHeight && bottom > 0 && bottom - 8 <= window.innerHeight;
};

const show = (article, button, armed) => {
  const isOff = String(armed !== "yes" || !isReady(article));
  if (button.getAttribute("aria-disabled") !== isOff) button.setAttribute("aria-disabled", isOff);
  if (article.dataset.armed !== armed) article.dataset.armed = armed;
};
