// A notification of the browser for what comes while nobody looks at this page, once a person asked for it.
import { word } from "./words.js";

const KEY = "holdpoint-notify";
const ON = "Notifications are on";
const OFF = "Notify me in this browser";

const isOn = () => localStorage.getItem(KEY) === "yes" && Notification.permission === "granted";

/** Wire the button; the returned function hears how many cards wait, and when people were called last. */
export const notifyOn = (button) => {
  if (!button || !("Notification" in window)) return () => {};
  let known = null;
  let last = 0;

  const draw = () => {
    button.hidden = false;
    button.textContent = word(isOn() ? ON : OFF);
    button.setAttribute("aria-pressed", String(isOn()));
  };

  button.addEventListener("click", async () => {
    if (isOn()) localStorage.removeItem(KEY);
    else if ((await Notification.requestPermission()) === "granted") localStorage.setItem(KEY, "yes");
    draw();
  });
  draw();

  return (waiting, called) => {
    const isNew = waiting > known || called > last;
    if (known !== null && isNew && isOn() && !document.hasFocus()) tell(button, waiting);
    known = waiting;
    last = Math.max(last, called);
  };
};

/** Nothing that an agent wrote: a notification has no box that says whose words these are. */
const tell = (button, waiting) => {
  const what = waiting === 1 ? "1 action waits for you" : `${waiting} actions wait for you`;
  const shown = new Notification(`Holdpoint · ${button.dataset.notify}`, { body: what, tag: KEY });
  shown.addEventListener("click", () => window.focus());
};

export const forget = () => localStorage.removeItem(KEY);
