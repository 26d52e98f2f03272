// What will run is read once the end of its box was in view, scrolled there if it does not fit.
// A card that is drawn again is a new element, and unread again.

import { word } from "./words.js";

const CLOSE_PX = 2; // browsers round where a scroll ends
const read = new WeakSet();

/** Look at the card's boxes afresh, say what is left to read, and tell whether nothing is. */
export const isRead = (article, isInWindow) => {
  const boxes = [...article.querySelectorAll("[data-must-read]")];
  for (const box of boxes) look(box, isInWindow);
  const unread = boxes.filter((box) => !read.has(box));
  hint(article, unread);
  return unread.length === 0;
};

const look = (box, isInWindow) => {
  const left = box.scrollHeight - box.clientHeight - box.scrollTop;
  const aside = box.scrollWidth - box.clientWidth - box.scrollLeft;
  const isShown = isOpen(box) && isInWindow(box); // what is closed has a place in the window, too
  if (isShown && left <= CLOSE_PX && aside <= CLOSE_PX) read.add(box);
  box.dataset.read = read.has(box) ? "yes" : "no";
  const fits = box.scrollHeight <= box.clientHeight + CLOSE_PX;
  const rest = box.nextElementSibling;
  if (!fits) rest.hidden = false; // once there it stays: nothing below may move
  if (!rest.hidden) put(rest, left > CLOSE_PX ? `↓ ${counted(lines(box, left))} ${word("more")}` : word("This is the end."));
};

const hint = (article, unread) => {
  const line = article.querySelector(".hint");
  line.dataset.usual ??= line.textContent;
  line.classList.toggle("loud", unread.length > 0);
  put(line, unread.length ? `${advice(unread)}; ${word("then Proceed works.")}` : line.dataset.usual);
};

const advice = (unread) => {
  if (!unread.every(isOpen)) return word("Open what will run, and read all of it");
  const all = unread.reduce((sum, box) => sum + lines(box, box.scrollHeight), 0);
  return `${word("Scroll through all of what will run")} (${counted(all)})`;
};

const isOpen = (box) => box.closest("details").open;

const lines = (box, pixels) => {
  const height = Number.parseFloat(getComputedStyle(box.querySelector("pre")).lineHeight);
  return Math.max(1, Math.round(pixels / height));
};

const counted = (number) => `${number.toLocaleString("en")} ${word(number === 1 ? "line" : "lines")}`;

const put = (element, text) => {
  if (element.textContent !== text) element.textContent = text;
};
