// Passkeys: one is added on the page behind a name, and signs a yes to just the card that was pressed.
import { post } from "./post.js";

const WAIT_MS = 120_000;
const PARTY = { id: location.hostname, name: "Holdpoint" };
const KINDS = [-8, -7, -257].map((alg) => ({ type: "public-key", alg }));

const bytes = (hex) => Uint8Array.from(hex.match(/../g), (it) => parseInt(it, 16));
const hexOf = (raw) => [...raw].map((it) => it.toString(16).padStart(2, "0")).join("");

/** What the gate expects to be signed: this hold, action, card and button, under a fresh number. */
const challengeOf = ({ hold, digest, render }, nonce) => {
  const said = { answer: "proceed", digest, hold_id: hold, nonce, render_digest: render };
  const text = `holdpoint/passkey/v1\n${JSON.stringify(said)}`;
  return crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
};

/** A yes signed by a passkey, as fields of the answer; null when the person or the device declined. */
export const sign = async (card) => {
  const nonce = hexOf(crypto.getRandomValues(new Uint8Array(16)));
  try {
    const challenge = await challengeOf(card, nonce);
    const publicKey = { challenge, rpId: PARTY.id, userVerification: "required", timeout: WAIT_MS };
    const signal = AbortSignal.timeout(WAIT_MS); // some devices ask for ever
    const signed = await navigator.credentials.get({ publicKey, signal });
    return { assertion: JSON.stringify(signed.toJSON()), nonce };
  } catch {
    return null;
  }
};

const made = ({ person, user, challenge }) =>
  navigator.credentials.create({
    publicKey: {
      rp: PARTY,
      user: { id: bytes(user), name: person, displayName: person },
      challenge: bytes(challenge),
      pubKeyCredParams: KINDS,
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
      attestation: "none",
      timeout: WAIT_MS,
    },
  });

const NOT_MADE = "No passkey was made: your device or browser was not asked, said no, or took too long. Try again.";
const NOT_HERE = "No passkey was made. Passkeys need this console's address to begin with https:// or http://localhost.";

export const passkeysOn = (form) => {
  const told = form.querySelector(".told");
  const say = ({ text, tone }) => {
    told.textContent = text;
    told.dataset.tone = tone ?? "bad";
  };
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      say({ text: "Your device asks who you are …", tone: "busy" });
      const registration = JSON.stringify((await made(form.dataset)).toJSON());
      const body = new URLSearchParams(new FormData(form));
      body.set("registration", registration);
      body.set("nonce", form.dataset.nonce);
      say(await post("/you/passkeys", body));
    } catch {
      say({ text: window.isSecureContext ? NOT_MADE : NOT_HERE });
    }
    form.elements.code.value = "";
  });
  form.querySelector("button").disabled = false;
};
