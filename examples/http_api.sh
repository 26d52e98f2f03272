#!/bin/sh
# Propose a command over HTTP with curl, show where to answer, and wait for what comes of it.
#   HP_TOKEN=$(holdpoint agents token sample-agent --key var/robot.key) sh examples/http_api.sh "rm -r old-reports"
set -eu

api=${HP_API_URL:-http://localhost:8340}
auth="Authorization: Bearer $HP_TOKEN"

field() { # NAME: a text of the JSON on standard input
  sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p"
}

case $1 in *[[:cntrl:]]*) echo "The command is one line of plain text." >&2; exit 2 ;; esac
command=$(printf %s "$1" | sed 's/[\\"]/\\&/g') # as a text of JSON
body=$(printf '{"tool": "run_command", "arguments": {"command": "%s"}}' "$command")
answer=$(curl -sS "$api/v1/actions" -H "$auth" -H "Content-Type: application/json" \
  -H "Idempotency-Key: $(date +%s)-$$" --data "$body")
id=$(printf '%s\n' "$answer" | field hold_id)
status=$(printf '%s\n' "$answer" | field status)

[ "$status" != pending_confirmation ] || echo "Answer it: $(printf '%s\n' "$answer" | field review_url)"
while [ "$status" = pending_confirmation ] || [ "$status" = approved ]; do
  answer=$(curl -sS "$api/v1/actions/$id?wait=55" -H "$auth")
  status=$(printf '%s\n' "$answer" | field status)
done
echo "$status: $(printf '%s\n' "$answer" | field message_for_user)"
[ "$status" = done ] # the exit code says whether it ran
