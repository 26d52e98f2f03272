#!/bin/sh
# Propose a command over HTTP with curl, show where to answer, and wait for what comes of it.
#   HP_TOKEN=$(holdpoint agents token sample-agent --key robot.key) sh examples/http_api.sh "rm -r old-reports"
set -eu

api=${HP_API_URL:-http://localhost:8340}
auth="Authorization: Bearer $HP_TOKEN"

field() { # NAME: a text of the JSON on standard input
  sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p"
}

body=$(printf '{"tool": "run_command", "arguments": {"command": "%s"}}' "$1")
answer=$(curl -sS "$api/v1/actions" -H "$auth" -H "Content-Type: application/json" \
  -H "Idempotency-Key: $(date +%s)-$$" --data "$body")
id=$(echo "$answer" | field hold_id)
status=$(echo "$answer" | field status)

[ "$status" != pending_confirmation ] || echo "Answer it: $(echo "$answer" | field review_url)"
while [ "$status" = pending_confirmation ] || [ "$status" = approved ]; do
  answer=$(curl -sS "$api/v1/actions/$id?wait=55" -H "$auth")
  status=$(echo "$answer" | field status)
done
echo "$status: $(echo "$answer" | field message_for_user)"
