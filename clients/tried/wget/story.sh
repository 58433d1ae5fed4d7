# The story, with what a person types: --post-data, --method, and --content-on-error for problems.
set -euo pipefail
api=$BASE_URL/api/v1
call() { wget -qO- --content-on-error --header="Authorization: Bearer $API_KEY" "$@"; }
json() { call --header='Content-Type: application/json' "$@"; }
field() { grep -o "\"$1\":\"[^\"]*" | head -1 | cut -d'"' -f4; }
label=tried-$RANDOM$RANDOM

first=$(json "$api/projects" --post-data="{\"name\":\"First\",\"status\":\"planned\",\"labels\":[\"$label\"]}" | field id)
second=$(json "$api/projects" --post-data="{\"name\":\"Second\",\"status\":\"active\",\"labels\":[\"$label\"]}" | field id)
json "$api/projects" --post-data="{\"name\":\"Third\",\"status\":\"paused\",\"labels\":[\"$label\"]}" > /dev/null
echo 'done: create'

found=$(call "$api/projects?status=active&status=paused&labels=$label&fields=status" | grep -o '"status":"[a-z]*"' | sort | xargs)
test "$found" = 'status:active status:paused'
echo 'done: list with two values of a filter'

call "$api/projects/$second" | grep -q '"name":"Second"'
json "$api/projects/$second" --method=PATCH --body-data='{"name":"Renamed"}' | grep -q '"name":"Renamed"'
echo 'done: get, update'

count=0 cursor=
while :; do
  page=$(call "$api/projects?labels=$label&limit=1${cursor:+&cursor=$cursor}")
  count=$((count + 1))
  cursor=$(field nextCursor <<< "$page") || break
  test -n "$cursor" -a $count -lt 10 || break
done
test $count = 3
echo 'done: all pages'

call --method=POST "$api/projects/$first/archive" | grep -q '"archivedAt":"'
echo 'done: an action without a body'

status=0
problem=$(call "$api/projects/01890000-0000-7000-8000-000000000000") || status=$?
test $status = 8 && test "$(field code <<< "$problem")" = not_found
problem=$(json "$api/projects" --post-data='{"nme":"Misspelt"}') || true
test "$(field code <<< "$problem")" = unknown_field
echo 'done: problems'
