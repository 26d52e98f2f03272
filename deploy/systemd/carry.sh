#!/usr/bin/env bash
# Carry keys and credentials from the desk to the services of this machine: each gets what it needs and no more.
# Run as root after `holdpoint provision` on the desk, and again after each change: carry.sh DESK
set -euo pipefail

desk=${1:?usage: carry.sh DESK}
services=${SERVICES:-"gate audit console coordinator worker-shell worker-database worker-bank worker-tasks"}
http_agents=${HTTP_AGENTS:-} # those that api.yaml names; only with them is there an HTTP API
http_people=${HTTP_PEOPLE:-} # the people that it names
[ -z "$http_agents$http_people" ] || services="$services api"
slack_people=${SLACK_PEOPLE:-} # those with a Slack id in people.yaml
[ -z "$slack_people" ] || services="$services slack"
[ -z "${NOTICES:-}" ] || services="$services notices" # NOTICES=1 where notices.yaml names somebody
state=/var/lib/holdpoint

put() { # SERVICE FOLDER FILE...
  local service=$1 folder=$2
  shift 2
  install -d -m 0700 -o "holdpoint-$service" -g "holdpoint-$service" "$state/$service" "$state/$service/run" "$state/$service/$folder"
  install -m 0600 -o "holdpoint-$service" -g "holdpoint-$service" "$@" "$state/$service/$folder/"
}

domains() { # SERVICE: the domains of a worker; each has credentials and a key of its own
  case $1 in
    worker-bank) echo accounts transactions transfers investments support customers ;;
    *) echo "${1#worker-}" ;;
  esac
}

# The broker's file names the folder in which it was written; on this machine the store lies elsewhere.
install -d -m 0700 -o holdpoint-nats -g holdpoint-nats /etc/holdpoint/nats /var/lib/holdpoint-nats /var/lib/holdpoint-nats/run
sed "s#$(realpath "$desk")#/var/lib/holdpoint-nats#g" "$desk/nats.conf" |
  install -m 0600 -o holdpoint-nats -g holdpoint-nats /dev/stdin /etc/holdpoint/nats/server.conf

for service in $services; do
  case $service in
    worker-*) for domain in $(domains "$service"); do put "$service" credentials "$desk/credentials/worker_$domain.nk"; done ;;
    *) put "$service" credentials "$desk/credentials/$service.nk" ;;
  esac
  case $service in
    gate) put gate keys "$desk"/keys/gate-*.key "$desk/keys/seal.key" "$desk/keys/keyset.json" ;;
    audit) put audit keys "$desk"/keys/audit-*.key "$desk/keys/keyset.json" ;;
    console)
      put console people "$desk"/people/*.key
      put console keys "$desk/keys/seal.pub"
      ;;
    api)
      for agent in $http_agents; do put api credentials "$desk/credentials/agent_$agent.nk"; done
      for person in $http_people; do put api credentials "$desk/credentials/http_$person.nk"; done
      put api keys "$desk/keys/keyset.json"
      ;;
    slack)
      for person in $slack_people; do put slack credentials "$desk/credentials/slack_$person.nk"; done
      for secret in bot-token app-token signing-secret; do
        [ ! -e "$desk/slack/$secret" ] || put slack slack "$desk/slack/$secret"
      done
      ;;
    notices) [ ! -e "$desk/notices/smtp-password" ] || put notices notices "$desk/notices/smtp-password" ;;
    coordinator) # also the agents that it may call, as they act under its dispatches
      for agent in ${COORDINATED:-coordinator}; do put coordinator credentials "$desk/credentials/agent_$agent.nk"; done
      put coordinator keys "$desk/keys/keyset.json"
      ;;
    worker-*)
      for domain in $(domains "$service"); do put "$service" keys "$desk/keys/worker-$domain"-*.key; done
      put "$service" keys "$desk/keys/keyset.json"
      ;;
  esac
done
