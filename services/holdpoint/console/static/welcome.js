// The page's half of the key, and what forms carry: kept where only this address can read it, unlike a cookie.
const said = (name) => document.querySelector(`meta[name="${name}"]`).content;

for (const name of ["holdpoint-page", "holdpoint-csrf"]) localStorage.setItem(name, said(name));
location.replace(said("holdpoint-next"));
