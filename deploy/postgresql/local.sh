#!/usr/bin/env bash
# Run a command beside a PostgreSQL server of its own, which keeps the ledger: deploy/postgresql/local.sh FOLDER COMMAND...
# The server listens on a socket in the folder alone. Root starts it as the user postgres, who needs a way into the folder.
set -euo pipefail
folder=$(realpath -m "$1")
shift

programs=$(find /usr/lib/postgresql -name initdb -printf '%h\n' 2>/dev/null | sort -V | tail -n 1)
if [ -z "$programs" ]; then
  echo "PostgreSQL is not installed: apt install postgresql" >&2
  exit 4
fi
as=()
if [ "$(id -u)" = 0 ]; then
  as=(runuser -u postgres --)
fi

mkdir -p "$folder" && chmod 0711 "$folder"
server=("${as[@]}" "$programs/pg_ctl" -D "$folder/data" -w -s)
if [ ! -s "$folder/data/PG_VERSION" ]; then
  mkdir -p "$folder/data"
  [ "$(id -u)" != 0 ] || chown postgres: "$folder" "$folder/data"
  (cd / && "${as[@]}" "$programs/initdb" -D "$folder/data" -U holdpoint -A trust -E UTF8 --locale=C.UTF-8 >/dev/null)
fi
(cd / && "${server[@]}" -o "-c listen_addresses= -c unix_socket_directories=$folder -c unix_socket_permissions=0700" -l "$folder/data/server.log" start)
trap '(cd / && "${server[@]}" -m fast stop)' EXIT
trap ':' INT TERM # the command ends by it, and then the server

export HP_LEDGER_URL="postgresql://holdpoint@/postgres?host=$folder"
"$@"
