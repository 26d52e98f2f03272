// Proceed does something only after its card stood still in view, live, for a second.
import { isOver } from "./times.js";

const ARMED_AFTER_MS = 1000;
const LOOK_MS = 100;

const since = new WeakMap(); // article -> {at, top}: in view, at this place, since then

/** How many seconds the card has been in view. */
export const secondsShown = (article) => {
  const it = since.get(article);
  return it ? (performance.now() - it.first) / 1000 : 0;
};

export const isArmed = (article) => article.dataset.armed === "yes";

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
  const top = button.getBoundingClientRect().top + window.scrollY;
  const known = since.get(article);
  if (!line.isLive() || isOver(article) || !isInView(article, button)) {
    since.delete(article);
    return show(article, button, "no");
  }
  if (!known || known.top !== top) {
    since.set(article, { at: performance.now(), first: known?.first ?? performance.now(), top });
    return show(article, button, "soon");
  }
  if (performance.now() - known.at >= ARMED_AFTER_MS) show(article, button, "yes");
};

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
  if (article.dataset.armed === armed) return;
  article.dataset.armed = armed;
  button.setAttribute("aria-disabled", String(armed !== "yes"));
};
