# The story, with what a person types: -d with its content type, -X POST alone, --fail-with-body for problems.
set -euo pipefail
api=$BASE_URL/api/v1
call() { curl -sS --fail-with-body -H "Authorization: Bearer $API_KEY" "$@"; }
json() { call -H 'Content-Type: application/json' "$@"; }
field() { grep -o "\"$1\":\"[^\"]*" | head -1 | cut -d'"' -f4; }
label=tried-$RANDOM$RANDOM

first=$(json "$api/projects" -d "{\"name\":\"First\",\"status\":\"planned\",\"labels\":[\"$label\"]}" | field id)
second=$(json "$api/projects" -d "{\"name\":\"Second\",\"status\":\"active\",\"labels\":[\"$label\"]}" | field id)
json "$api/projects" -d "{\"name\":\"Third\",\"status\":\"paused\",\"labels\":[\"$label\"]}" > /dev/null
echo 'done: create'

twice=$(call "$api/projects?status=active&status=paused&labels=$label&fields=status" | grep -o '"status":"[a-z]*"' | sort | xargs)
test "$twice" = 'status:active status:paused'
encoded=$(call -G "$api/projects" --data-urlencode 'status=active,paused' -d "labels=$label" -d fields=status | grep -o '"status":"[a-z]*"' | sort | xargs)
test "$encoded" = "$twice"
echo 'done: list with two values of a filter'

call "$api/projects/$second" | grep -q '"name":"Second"'
json -X PATCH "$api/projects/$second" -d '{"name":"Renamed"}' | grep -q '"name":"Renamed"'
echo 'done: get, update'

count=0 cursor=
while :; do
  page=$(call -G "$api/projects" -d "labels=$label" -d limit=1 ${cursor:+--data-urlencode "cursor=$cursor"})
  count=$((count + 1))
  cursor=$(field nextCursor <<< "$page") || break
  test -n "$cursor" -a $count -lt 10 || break
done
test $count = 3
echo 'done: all pages'

call -X POST "$api/projects/$first/archive" | grep -q '"archivedAt":"'
echo 'done: an action without a body'

status=0
problem=$(call "$api/projects/01890000-0000-7000-8000-000000000000") || status=$?
test $status = 22 && test "$(field code <<< "$problem")" = not_found
problem=$(json "$api/projects" -d '{"nme":"Misspelt"}') || true
test "$(field code <<< "$problem")" = unknown_field
echo 'done: problems'
