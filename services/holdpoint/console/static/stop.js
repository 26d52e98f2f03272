// The kill switch: an order with this page's half of the session, and what came of it.
export const stopOn = (form) => {
  const told = form.querySelector("[data-told]");
  const buttons = form.querySelectorAll("button");
  const order = async (on) => {
    if (!form.reportValidity()) return;
    for (const button of buttons) button.disabled = true;
    told.textContent = "Sending the order…";
    told.textContent = await post(form, on).catch(() => "The console did not answer. Give the order again.");
    for (const button of buttons) button.disabled = false;
  };
  for (const button of buttons) button.addEventListener("click", () => order(button.value));
  form.addEventListener("submit", (event) => event.preventDefault());
};

const post = async (form, on) => {
  const { agent, reason } = form.elements;
  const response = await fetch("/stop", {
    method: "POST",
    body: new URLSearchParams({ on, agent: agent.value, reason: reason.value }),
    headers: {
      "X-Holdpoint-Csrf": localStorage.getItem("holdpoint-csrf") ?? "",
      "X-Holdpoint-Page": localStorage.getItem("holdpoint-page") ?? "",
    },
    signal: AbortSignal.timeout(30_000),
  });
  if (response.status === 401) location.assign("/login");
  return (await response.json()).text;
};
