#!/usr/bin/env bash
# Registers the address of a receiver for all changes of projects, and prints the webhook's secret as a line for .env: it
# is shown this once. Needs WORKSPACE_API_URL and WORKSPACE_API_KEY, see .env.example.
set -euo pipefail
: "${WORKSPACE_API_URL:?}" "${WORKSPACE_API_KEY:?}"
url=${1:?Say where the receiver is, such as http://127.0.0.1:9000/}

answer=$(curl --silent --show-error --fail-with-body --max-time 30 "$WORKSPACE_API_URL/api/v1/webhooks" \
  --header "Authorization: Bearer $WORKSPACE_API_KEY" \
  ${WORKSPACE_ID:+--header "x-workspace-id: $WORKSPACE_ID"} \
  --header 'Content-Type: application/json' \
  --data "{\"name\":\"Starter receiver\",\"url\":\"$url\",\"eventTypes\":[\"projects.*\"]}") || {
  echo "$answer" >&2
  exit 1
}
[[ $answer =~ \"(whsec_[^\"]+)\" ]] && echo "WEBHOOK_SECRET=${BASH_REMATCH[1]}"
