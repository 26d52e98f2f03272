// What only a page of this session can send: it carries the session's two values.

export const post = async (path, body, withinMs = 30_000) => {
  const response = await fetch(path, {
    method: "POST",
    body,
    headers: {
      "X-Holdpoint-Csrf": localStorage.getItem("holdpoint-csrf") ?? "",
      "X-Holdpoint-Page": localStorage.getItem("holdpoint-page") ?? "",
    },
    signal: AbortSignal.timeout(withinMs),
  });
  if (response.status === 401) location.assign("/login");
  return response.json();
};
