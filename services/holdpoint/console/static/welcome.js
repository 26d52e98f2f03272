// The page's half of the key: kept where only this address can read it, unlike a cookie.
const said = (name) => document.querySelector(`meta[name="${name}"]`).content;

localStorage.setItem("holdpoint-page", said("holdpoint-page"));
location.replace(said("holdpoint-next"));
