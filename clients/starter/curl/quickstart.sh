#!/usr/bin/env bash
# The life of one project. Needs WORKSPACE_API_URL and WORKSPACE_API_KEY, see .env.example.
set -euo pipefail
: "${WORKSPACE_API_URL:?}" "${WORKSPACE_API_KEY:?}"
api="$WORKSPACE_API_URL/api/v1"
headers=$(mktemp)
trap 'rm -f "$headers"' EXIT

call() { # method path [curl options]: prints the body, keeps the headers, fails on a refusal
  local method=$1 path=$2
  shift 2
  curl --silent --show-error --fail-with-body --max-time 30 --request "$method" "$api$path" \
    --dump-header "$headers" \
    --header "Authorization: Bearer $WORKSPACE_API_KEY" \
    ${WORKSPACE_ID:+--header "x-workspace-id: $WORKSPACE_ID"} "$@"
}
header() { grep -i "^$1:" "$headers" | cut -d' ' -f2- | tr -d '\r'; }
json=(--header 'Content-Type: application/json')

echo 'Who am I?'
call GET /me
echo

echo 'Make a project. Sent again with the same Idempotency-Key, it would make no second one.'
call POST /projects "${json[@]}" --header "Idempotency-Key: quickstart-$$-$RANDOM" --data '{"name":"Quickstart","labels":["sample"]}'
echo
project=$(header location)
project=${project#/api/v1}

echo "Read it: $project"
call GET "$project"
echo
etag=$(header etag)

echo "Change it, if it is still version $etag."
call PATCH "$project" "${json[@]}" --header "If-Match: $etag" --data '{"status":"active"}'
echo

echo 'The three newest projects.'
call GET '/projects?limit=3&fields=name,status'
echo

echo 'What has happened, as events.'
call GET '/events?eventTypes=projects.*&limit=3'
echo

echo 'Delete it. It can be restored for 30 days.'
call DELETE "$project"
echo 'Done.'
