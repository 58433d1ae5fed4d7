#!/usr/bin/env bash
# Signs an event as the installation does, and sends it to your receiver: to try a receiver where nothing else runs. Twice
# with the same DELIVERY_ID is a duplicate. Needs WEBHOOK_SECRET, the one that the receiver knows (the first of several).
set -euo pipefail
: "${WEBHOOK_SECRET:?}"
url=${1:?Say where the receiver is, such as http://127.0.0.1:9000/, and after it a file with an event if you have one}
sample='{"type":"projects.updated","sequence":1,"resource":{"type":"projects","id":"sample","kind":null,"version":2}}'
body=$(if [ $# -gt 1 ]; then cat "$2"; else echo "$sample"; fi)
id=${DELIVERY_ID:-$(date +%s%N)}
timestamp=$(date +%s)

secret=${WEBHOOK_SECRET%%,*}
key=$(printf %s "${secret#whsec_}" | base64 -d | od -An -v -tx1 | tr -d ' \n')
signature=$(printf %s "$id.$timestamp.$body" | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | base64)

curl --silent --show-error --max-time 30 "$url" --write-out '%{http_code}\n' \
  --header 'Content-Type: application/json' \
  --header "webhook-id: $id" \
  --header "webhook-timestamp: $timestamp" \
  --header "webhook-signature: v1,$signature" \
  --data-binary "$body"
