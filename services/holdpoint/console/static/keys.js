// From card to card with Alt and the arrows, so that no letter typed anywhere is taken for a key.
const STEP = { ArrowDown: 1, ArrowUp: -1 };

export const keysOn = (page) => {
  document.addEventListener("keydown", (event) => {
    const step = STEP[event.key];
    if (!step || !event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.target.matches?.("input, select, textarea")) return;
    const cards = [...page.querySelectorAll("article")];
    const here = cards.indexOf(document.activeElement?.closest("article"));
    const next = cards[here < 0 ? 0 : here + step];
    if (!next) return;
    event.preventDefault();
    next.scrollIntoView({ block: "start" });
    next.querySelector(".title a").focus({ preventScroll: true });
  });
};

/** The address of a filtered page names only what was chosen. */
export const filtersOn = (form) => {
  form.addEventListener("formdata", ({ formData }) => {
    for (const [name, value] of [...formData]) if (value === "") formData.delete(name);
  });
};
