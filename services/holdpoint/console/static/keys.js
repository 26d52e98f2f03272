// From card to card with Alt and the arrows; on a card J and K do it too, and Escape closes what is open there.
const STEP = { ArrowDown: 1, ArrowUp: -1 };
const LETTER = { j: 1, k: -1 };
const TYPED = "input, select, textarea";

/** How far a key goes: a letter counts on a card only, so that none typed elsewhere is taken for a key. */
const stepOf = ({ key, altKey, ctrlKey, metaKey, shiftKey, target }) => {
  if (ctrlKey || metaKey || shiftKey || target.matches?.(TYPED)) return 0;
  if (altKey) return STEP[key] ?? 0;
  return (target.closest?.("article") && LETTER[key]) ?? 0;
};

const go = (page, step) => {
  const cards = [...page.querySelectorAll("article")];
  const here = cards.indexOf(document.activeElement?.closest("article"));
  const next = cards[here < 0 ? 0 : here + step];
  next?.scrollIntoView({ block: "start" });
  next?.querySelector(".title a").focus({ preventScroll: true });
  return next !== undefined;
};

/** What will run stays open: nobody says yes to a closed box. */
const close = (target) => {
  const opened = target.closest?.(".below details[open]");
  if (opened) opened.open = false;
  opened?.querySelector("summary").focus();
};

export const keysOn = (page) => {
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") close(event.target);
    const step = stepOf(event);
    if (step && go(page, step)) event.preventDefault();
  });
};

/** The address of a filtered page names only what was chosen. */
export const filtersOn = (form) => {
  form.addEventListener("formdata", ({ formData }) => {
    for (const [name, value] of [...formData]) if (value === "") formData.delete(name);
  });
};
