// The console's fixed words in the page's language; what the catalogue lacks stays English.
const { lang } = document.documentElement;
const catalogue = lang === "en" ? {} : await fetch(new URL(`words.${lang}.json`, import.meta.url)).then((it) => it.json(), () => ({}));

/** A text, or its sentences one by one. */
export const word = (text) => {
  const [, first, rest] = text in catalogue ? [] : (/^(.+?[.!?]) (.+)$/s.exec(text) ?? []);
  return first ? `${word(first)} ${word(rest)}` : (catalogue[text] ?? text);
};
