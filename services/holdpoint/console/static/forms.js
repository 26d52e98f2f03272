// The forms of a card: a changed call, a yes that is remembered, holds that are answered together.
import { word } from "./words.js";

const isChanged = (field) => {
  if (field.type === "checkbox") return field.checked !== field.defaultChecked;
  if (field.tagName === "SELECT") return [...field.options].some((it) => it.selected !== it.defaultSelected);
  return field.value !== field.defaultValue || field.validity.badInput;
};

const textOf = (field) => (field.type === "checkbox" ? String(field.checked) : field.value);

/** Of each object the members that differ, as text. */
const partsOf = (article) => {
  const objects = {};
  for (const field of [...article.querySelectorAll("[data-part]")].filter(isChanged)) {
    const { object } = field.closest("[data-object]").dataset;
    objects[object] = { ...objects[object], [field.dataset.part]: textOf(field) };
  }
  return objects;
};

const wantedIn = (field) => field?.closest("label").querySelector("code").textContent ?? "";

/** What is hardest to undo is named by hand before a yes: empty, or what is still to be typed. */
export const toType = (article) => {
  const field = article.querySelector("[data-target]");
  return field?.value.trim() === wantedIn(field) ? "" : wantedIn(field);
};

/** Why Proceed stays off for what was typed; what is still being typed is no mistake. */
const mistakeIn = (field, isDone) => {
  const [typed, wanted] = [field.value.trim(), wantedIn(field)];
  if (!wanted.startsWith(typed)) return "Not the same: type it exactly as it stands here.";
  return isDone && typed && typed !== wanted ? "Some of it is still missing." : "";
};

/** A yes that takes a code is not sent without one, nor with what can be none. */
export const lacksCode = (article) => {
  const field = article.querySelector("[data-code]");
  const typed = field?.value.replace(/\s/g, "");
  return field !== null && (typed ? !/^\d{6}$/.test(typed) : article.dataset.passkey !== "offered");
};

/** Whether a yes has all that it takes: the step-up is set up, and what is to be typed is typed. */
export const isReady = (article) => article.dataset.ready === "yes" && !toType(article) && !lacksCode(article);

/** The arguments that differ, as text; one that was emptied and need not be there is left out. */
const changeOf = (article) => {
  const change = { texts: {}, parts: partsOf(article), removed: [] };
  for (const field of article.querySelectorAll("[data-argument]")) {
    const { argument, required } = field.dataset;
    if (!isChanged(field)) continue;
    if (textOf(field) === "" && required === "no" && !field.validity.badInput) change.removed.push(argument);
    else change.texts[argument] = textOf(field);
  }
  return change;
};

const rememberOf = (article) => {
  if (!article.querySelector("[data-remember]")?.checked) return null;
  const limits = {};
  for (const field of article.querySelectorAll("[data-limit]")) limits[field.dataset.limit] = field.value.trim();
  const number = (name) => Number(article.querySelector(`[data-${name}]`).value);
  const amount = article.querySelector("[data-amount]").value.trim();
  return { uses: number("uses"), hours: number("hours"), amount, limits };
};

/** What goes with an answer, as the server reads it; empty where nothing does. */
export const besideOf = (article, choice) => {
  if (choice === "modify") return JSON.stringify({ change: changeOf(article) });
  const remember = choice === "proceed" ? rememberOf(article) : null;
  return remember ? JSON.stringify({ remember }) : "";
};

export const changesNothing = (article) => {
  const { texts, parts, removed } = changeOf(article);
  return Object.keys({ ...texts, ...parts }).length + removed.length === 0;
};

/** Open cards on the same action, but for this one. */
const likes = (article) => {
  const { alike } = article.dataset;
  if (!alike) return [];
  const open = document.querySelectorAll('article[data-open="yes"][data-spent="no"]');
  return [...open].filter((it) => it !== article && it.dataset.alike === alike);
};

/** The cards that are to be answered together with this one. */
export const together = (article) =>
  article.querySelector('[data-typed="together"]')?.checked ? likes(article) : [];

export const formsOn = (page) => {
  const check = ({ target, type }) => {
    if (!target.matches("[data-target]")) return;
    const mistake = mistakeIn(target, type === "change");
    target.setAttribute("aria-invalid", String(mistake !== ""));
    target.closest(".proof").querySelector(".mistyped").textContent = word(mistake);
  };
  for (const event of ["input", "change"]) page.addEventListener(event, check);
  page.addEventListener("input", ({ target }) => {
    const was = target.matches("[data-argument], [data-part]") && target.closest("label").querySelector(".was");
    if (was) was.hidden = !isChanged(target);
  });
  const count = () => {
    for (const line of page.querySelectorAll("[data-together]")) {
      const others = likes(line.closest("article")).length;
      line.hidden = others === 0;
      const number = line.querySelector("[data-count]");
      if (number.textContent !== String(others)) number.textContent = String(others);
    }
  };
  setInterval(count, 500);
  count();
};
