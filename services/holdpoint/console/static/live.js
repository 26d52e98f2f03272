// The stream of changes. Everything comes again after each connection, so nothing is remembered here.
import { setServerTime, showTimes } from "./times.js";
import { word } from "./words.js";

const SILENCE_MS = 4000; // beats come every second
const AGAIN_MS = 1000;
const MOST_OPEN = 50; // cards in the upper list; with the two below at most 60, more make it slow
const FILED_MS = 20000; // how long an ended card stays where it was read

const TEXTS = {
  waits: "Connecting …",
  live: "Live",
  paused: "Paused: another tab is live. What you see may be old; use this tab, and it goes on.",
  off: "Not live: reconnecting. What you see may be old, and Proceed is off.",
};

/** Keep the page as it is on the server; `isLive()` says whether it is. */
export const follow = (page, heardOf) => {
  const banner = document.getElementById("connection");
  const [open, ended, witnessed] = ["#open", "#ended", "#witnessed"].map((it) => page.querySelector(it));
  const slots = { open, ended, witnessed };
  let source = null;
  let again = 0; // the timer of the next attempt
  let openedAt = 0;
  let heardAt = 0;
  let whole = false; // everything came since the last connection
  let brokerIsThere = false;
  let isPaused = document.visibilityState === "hidden"; // nobody looks, so it takes no connection

  /** A conversation shows the cards that it has a place for. */
  const isWanted = ({ id }) => page.dataset.page !== "chat" || slotOf(id) !== null;

  const isLive = () => whole && brokerIsThere && Date.now() - heardAt < SILENCE_MS;

  const tell = () => {
    const state = isPaused ? "paused" : isLive() ? "live" : whole || heardAt ? "off" : "waits";
    if (banner.dataset.state === state) return;
    banner.dataset.state = state;
    banner.querySelector("[data-connection]").textContent = word(TEXTS[state]);
  };

  const heard = (name, use) =>
    source.addEventListener(name, (event) => {
      heardAt = Date.now();
      use(JSON.parse(event.data));
      tell();
    });

  const disconnect = () => {
    clearTimeout(again);
    source?.close();
    [whole, brokerIsThere] = [false, false];
  };

  /** Newer tabs took the place; this one goes on when somebody uses it, never by itself. */
  const pause = () => {
    disconnect();
    isPaused = true;
    tell();
  };

  const wake = () => {
    if (!isPaused || document.visibilityState === "hidden") return;
    isPaused = false;
    connect();
    tell();
  };

  const connect = () => {
    disconnect();
    source = new EventSource(page.dataset.live);
    source.addEventListener("open", () => {
      openedAt = Date.now();
    });
    source.addEventListener("error", () => {
      if (source.readyState === EventSource.CLOSED) leaveIfLoggedOut();
      disconnect();
      tell();
      again = setTimeout(connect, AGAIN_MS);
    });
    heard("paused", pause);
    heard("everything", ({ cards }) => {
      putAll(page, slots, cards.filter(isWanted));
      whole = true;
      brokerIsThere = true;
    });
    heard("card", (card) => isWanted(card) && put(page, slots, card));
    heard("gone", ({ ids }) => leave(slots, ids));
    heard("pager", ({ html }) => {
      const pager = page.querySelector("#pager");
      if (pager) pager.innerHTML = html;
    });
    heard("story", ({ html }) => {
      page.querySelector("#story").innerHTML = html;
      showTimes(page);
    });
    heard("beat", ({ live, now, waiting, called }) => {
      setServerTime(now);
      brokerIsThere = live;
      if (!live) whole = false;
      count(waiting);
      heardOf(waiting, called);
    });
    heard("bye", () => location.assign("/login"));
  };

  let ticked = Date.now();
  const tick = () => {
    const slept = Date.now() - ticked > SILENCE_MS;
    ticked = Date.now();
    const isSilent = source?.readyState === EventSource.OPEN && ticked - Math.max(openedAt, heardAt) > SILENCE_MS;
    if (!isPaused && (slept || isSilent)) connect();
    tell();
    file(page, slots);
  };

  banner.hidden = false;
  if (!isPaused) connect();
  tell();
  setInterval(tick, 500);
  for (const use of ["visibilitychange", "focusin", "pointermove", "pointerdown", "keydown", "wheel"]) {
    document.addEventListener(use, wake, { passive: true });
  }
  window.addEventListener("focus", wake);
  document.addEventListener("visibilitychange", tick);
  document.addEventListener("resume", tick);
  window.addEventListener("pageshow", tick);
  const refresh = () => isPaused || connect();
  return { isLive, refresh };
};

/** What answers a stream with a page sends people to the login: the session is over. */
const leaveIfLoggedOut = async () => {
  const { type } = await fetch(location.href, { redirect: "manual" }).catch(() => ({}));
  if (type === "opaqueredirect") location.assign("/login");
};

const CHANGED = { text: "The card has changed since you saw it. Read it again.", after: "", tone: "busy" };

const slotOf = (id) => document.getElementById(`slot-${id}`);

const putAll = (page, slots, cards) => {
  const known = new Set(cards.map(({ id }) => `slot-${id}`));
  for (const slot of page.querySelectorAll(".slot")) {
    if (!known.has(slot.id) && page.dataset.page === "inbox") slot.remove();
  }
  for (const card of cards) {
    put(page, slots, card);
    const slot = slotOf(card.id);
    const list = listOf(slots, card);
    if (list && !card.open && slot.parentElement !== list) list.prepend(slot);
  }
  tidy(slots);
};

/** Where a card belongs: a hold's own page has one list. */
const listOf = (slots, { open, witnessed }) => {
  if (open || !slots.ended) return slots.open;
  return witnessed ? slots.witnessed : slots.ended;
};

const put = (page, slots, card) => {
  const { id, open, render, revision, html } = card;
  const slot = slotOf(id) ?? makeSlot(slots, card);
  const before = slot.querySelector("article");
  if (before && Number(before.dataset.revision) > revision) return;
  if (before && before.dataset.revision === String(revision) && before.dataset.render === render) return;
  const changed = before !== null && before.dataset.open === "yes" && before.dataset.render !== render;
  replace(slot, before, html);
  slot.dataset.endedAt = open ? "" : String(Date.now());
  if (changed && open) say(slot, CHANGED);
  else sayAgain(slot);
  showTimes(slot);
  tidy(slots);
};

const makeSlot = (slots, card) => {
  const slot = document.createElement("li");
  slot.className = "slot is-new";
  slot.id = `slot-${card.id}`;
  const told = document.createElement("p");
  told.className = "told";
  told.setAttribute("role", "status");
  slot.append(told);
  const list = listOf(slots, card);
  if (list === slots.open) list.insertBefore(slot, firstAfter(list, card.order));
  else list.prepend(slot);
  return slot;
};

/** The worst first, then what has waited longest; what is there already stays where it is. */
const firstAfter = (list, order) =>
  slotsIn(list).find((it) => it.querySelector("article").dataset.order > order) ?? null;

const slotsIn = (list) => [...list.querySelectorAll(":scope > .slot")];

/** What may have focus on a card; what its next drawing no longer has gives focus to the title. */
const TITLE = ".title a";
const HELD = [
  '[data-choice="cancel"]',
  '[data-choice="proceed"]',
  "[data-reason]",
  "[data-code]",
  "[data-target]",
  ".payload summary",
  ".payload .scrolls",
  ".words .scrolls",
  '[data-keep="why"] summary',
  '[data-keep="because"] summary',
  '[data-keep="change"] summary',
  '[data-keep="remember"] summary',
  ".result",
];

const TYPED = ["[data-reason]", "[data-code]", "[data-target]"];

/** Draw the card again; what the reader opened, typed or had in focus stays as it was. */
const replace = (slot, before, html) => {
  const kept = before ? keep(before) : null;
  before?.remove();
  slot.insertAdjacentHTML("afterbegin", html);
  if (kept) restore(slot.querySelector("article"), kept);
};

const keep = (article) => {
  const held = article.contains(document.activeElement) ? document.activeElement : null;
  return {
    opened: new Map([...article.querySelectorAll("details")].map((it) => [it.dataset.keep, it.open])),
    typed: TYPED.map((it) => article.querySelector(it)).map((field) => ({
      text: field?.value ?? "",
      caret: [field?.selectionStart ?? 0, field?.selectionEnd ?? 0],
    })),
    forms: new Map([...article.querySelectorAll("[data-typed]")].map((it) => [it.dataset.typed, valueOf(it)])),
    focus: held && (held.dataset.typed ? typedIn(held.dataset.typed) : (HELD.find((it) => held.matches(it)) ?? TITLE)),
  };
};

const typedIn = (name) => `[data-typed="${CSS.escape(name)}"]`;
const valueOf = (field) => (field.type === "checkbox" ? field.checked : field.value);

const restore = (article, { opened, typed, forms, focus }) => {
  for (const field of article.querySelectorAll("[data-typed]")) {
    if (!forms.has(field.dataset.typed)) continue;
    field[field.type === "checkbox" ? "checked" : "value"] = forms.get(field.dataset.typed);
  }
  for (const each of article.querySelectorAll("details")) {
    if (opened.has(each.dataset.keep)) each.open = opened.get(each.dataset.keep);
  }
  for (const [at, { text, caret }] of typed.entries()) {
    const field = article.querySelector(TYPED[at]);
    if (!field) continue;
    field.value = text;
    field.setSelectionRange(...caret);
  }
  if (focus) (article.querySelector(focus) ?? article.querySelector(TITLE)).focus({ preventScroll: true });
};

/** Cards that wait on another page now; the one that somebody reads stays. */
const leave = (slots, ids) => {
  for (const slot of ids.map(slotOf)) {
    const waits = slot?.querySelector("article").dataset.open === "yes";
    if (waits && slot.parentElement === slots.open && !isLookedAt(slot)) slot.remove();
  }
  tidy(slots);
};

/** Ended cards move down once nobody is reading them. */
const file = (page, slots) => {
  if (!slots.ended) return;
  for (const slot of slots.open.querySelectorAll(".slot")) {
    const at = Number(slot.dataset.endedAt || 0);
    if (at && Date.now() - at > FILED_MS && !isLookedAt(slot)) slots.ended.prepend(slot);
  }
  tidy(slots);
};

const isLookedAt = (slot) => slot.matches(":hover") || slot.querySelector(":focus-visible") !== null;

/** Put a heading before the first card of each group; nothing moves where they stand already. */
const groupUp = (open) => {
  const firsts = [];
  for (const slot of slotsIn(open)) {
    const { heading } = slot.querySelector("article").dataset;
    if (heading && heading !== firsts.at(-1)?.heading) firsts.push({ slot, heading });
  }
  const there = [...open.querySelectorAll(":scope > .group")];
  const stands = ({ slot, heading }, at) => there[at]?.nextElementSibling === slot && there[at].textContent === heading;
  if (there.length === firsts.length && firsts.every(stands)) return;
  for (const old of there) old.remove();
  for (const { slot, heading } of firsts) {
    const group = document.createElement("li");
    group.className = "group";
    group.append(Object.assign(document.createElement("h2"), { textContent: heading }));
    slot.before(group);
  }
};

const tidy = (slots) => {
  if (!slots.ended) return;
  const there = slotsIn(slots.open);
  for (const slot of there.length > MOST_OPEN ? there : []) {
    if (slot.dataset.endedAt && !isLookedAt(slot)) slots.ended.prepend(slot);
  }
  for (const list of [slots.ended, slots.witnessed]) {
    for (const slot of [...list.children].slice(Number(list.dataset.most))) slot.remove();
    list.closest("section").hidden = list.children.length === 0;
  }
  const waiting = slotsIn(slots.open);
  for (const slot of waiting.slice(MOST_OPEN)) if (!isLookedAt(slot)) slot.remove();
  document.getElementById("empty").hidden = waiting.length > 0;
  groupUp(slots.open);
};

const notes = new WeakMap(); // slot -> what is said below its card

/** Say below a card what came of an answer: `text` while it fits, `after` once the card moved on. */
export const say = (slot, note) => {
  notes.set(slot, note);
  sayAgain(slot);
};

const sayAgain = (slot) => {
  const note = notes.get(slot);
  if (!note) return;
  const { standing, open } = slot.querySelector("article").dataset;
  const { text, after, tone, who = "", counted } = note;
  const fits = open === "yes" || (note.at ?? []).includes(standing);
  const told = slot.querySelector(".told");
  const words = word(fits ? text : after).replace("{who}", () => who);
  if (told.textContent !== words) told.textContent = words;
  told.dataset.tone = counted && !fits ? "quiet" : tone; // others may have ended it since
};

const title = document.title.replace(/^\(\d+\) /, "");

const LEAD = (waiting) => {
  const wait = word(waiting === 1 ? "action waits" : waiting ? "actions wait" : "waits");
  return `${waiting || word("Nothing")} ${wait} ${word("for you.")}`;
};

const count = (waiting) => {
  const lead = document.querySelector("[data-lead]");
  if (lead && lead.textContent !== LEAD(waiting)) lead.textContent = LEAD(waiting);
  for (const each of document.querySelectorAll("[data-waiting]")) {
    if (each.textContent !== String(waiting)) each.textContent = String(waiting);
  }
  const wanted = waiting ? `(${waiting}) ${title}` : title;
  if (document.title !== wanted) document.title = wanted;
};
