// Propose a command over HTTP with fetch, show where to answer, and wait for what comes of it.
//   npx tsc examples/http_api.ts --target es2022 --module es2022 --outDir build
//   HP_TOKEN=$(holdpoint agents token sample-agent --key robot.key) node build/http_api.js "rm -r old-reports"
declare const process: { env: Record<string, string | undefined>; argv: string[] };

interface Answer {
  status: string;
  hold_id?: string;
  code?: string;
  review_url?: string;
  message_for_user: string;
}

const api = process.env["HP_API_URL"] ?? "http://localhost:8340";
const auth = { Authorization: `Bearer ${process.env["HP_TOKEN"] ?? ""}` };
const WAITS = new Set(["waiting", "pending_confirmation", "approved"]);

async function propose(tool: string, args: object, key: string): Promise<Answer> {
  const reply = await fetch(`${api}/v1/actions`, {
    method: "POST",
    headers: { ...auth, "Content-Type": "application/json", "Idempotency-Key": key },
    body: JSON.stringify({ tool, arguments: args }),
  });
  return (await reply.json()) as Answer;
}

async function ended(answer: Answer): Promise<Answer> {
  while (answer.hold_id && WAITS.has(answer.status)) {
    const reply = await fetch(`${api}/v1/actions/${answer.hold_id}?wait=55`, { headers: auth });
    answer = (await reply.json()) as Answer;
  }
  return answer;
}

const first = await propose("run_command", { command: process.argv[2] ?? "ls" }, crypto.randomUUID());
if (first.review_url) console.log(`Answer it: ${first.review_url}`);
const last = await ended(first);
console.log(`${last.status}: ${last.message_for_user}`);
export {};
