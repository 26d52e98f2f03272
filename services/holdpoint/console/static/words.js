// The console's fixed words in the page's language; what the catalogue lacks stays English.
const { lang } = document.documentElement;
const catalogue = lang === "en" ? {} : await fetch(`/static/words.${lang}.json`).then((it) => it.json(), () => ({}));

export const word = (text) => catalogue[text] ?? text;
