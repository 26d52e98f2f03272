// Follows one person's cards and sends their answers; the session came in the address, and leaves it at once.
const SILENCE_MS = 4000; // beats come every second
const session = location.hash.slice(1) || sessionStorage.getItem("session");
sessionStorage.setItem("session", session);
history.replaceState(null, "", location.pathname);
const headers = { Authorization: `Bearer ${session}` };
const cards = new Map();
let heardAt = 0;

const send = async (answer) => {
  const response = await fetch("/answer", { method: "POST", headers, body: JSON.stringify(answer) });
  return response.json();
};

const show = (message) => {
  if (!cards.has(message.hold_id) && message.outcome) return; // it ended before we looked
  if (!cards.has(message.hold_id)) {
    const card = document.createElement("holdpoint-card");
    card.send = send;
    cards.set(message.hold_id, card);
    document.getElementById("cards").append(card);
  }
  cards.get(message.hold_id).card = message;
};

const follow = async () => {
  const { body } = await fetch("/cards", { headers });
  let text = "";
  for await (const part of body.pipeThrough(new TextDecoderStream())) {
    heardAt = Date.now();
    text += part;
    const lines = text.split("\n");
    text = lines.pop();
    for (const line of lines) if (line) show(JSON.parse(line));
  }
};

const look = () => {
  const isLive = Date.now() - heardAt < SILENCE_MS;
  document.getElementById("state").textContent = isLive ? "Live" : "Not live";
  for (const card of cards.values()) card.live = isLive;
};

const again = () => follow().catch(() => {}).then(() => setTimeout(again, 1000));
setInterval(look, 500);
again();
