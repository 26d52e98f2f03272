// A short tone for what comes, once a person asked for it in this browser.
import { word } from "./words.js";

const KEY = "holdpoint-sound";
const ON = "Sound is on";
const OFF = "Play a sound";

const isOn = () => localStorage.getItem(KEY) === "yes";

/** Wire the button; the returned function hears how many cards wait, and when people were called last. */
export const soundOn = (button) => {
  if (!button || !("AudioContext" in window)) return () => {};
  let known = null;
  let last = 0;

  const draw = () => {
    button.hidden = false;
    button.textContent = word(isOn() ? ON : OFF);
    button.setAttribute("aria-pressed", String(isOn()));
  };

  button.addEventListener("click", () => {
    if (isOn()) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, "yes");
    if (isOn()) play();
    draw();
  });
  draw();

  return (waiting, called) => {
    if (known !== null && (waiting > known || called > last) && isOn()) play();
    known = waiting;
    last = Math.max(last, called);
  };
};

/** A browser that nobody has clicked into since it was opened stays silent. */
const play = () => {
  const context = new AudioContext();
  const [tone, loudness] = [context.createOscillator(), context.createGain()];
  tone.frequency.value = 660;
  loudness.gain.setValueAtTime(0.08, context.currentTime);
  loudness.gain.exponentialRampToValueAtTime(0.0001, context.currentTime + 0.4);
  tone.connect(loudness).connect(context.destination);
  tone.start();
  tone.stop(context.currentTime + 0.4);
  tone.addEventListener("ended", () => context.close());
};
