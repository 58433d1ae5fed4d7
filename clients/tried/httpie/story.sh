# The story, with what a person types: name=value for JSON, name==value for the query.
set -euo pipefail
api=$BASE_URL/api/v1
call() { http --ignore-stdin --check-status --body -A bearer -a "$API_KEY" "$@" 2> /dev/null; }
field() { grep -o "\"$1\":\"[^\"]*" | head -1 | cut -d'"' -f4; }
label=tried-$RANDOM$RANDOM

first=$(call "$api/projects" name=First status=planned "labels[]=$label" | field id)
second=$(call "$api/projects" name=Second status=active "labels[]=$label" | field id)
call "$api/projects" name=Third status=paused "labels[]=$label" > /dev/null
echo 'done: create'

found=$(call "$api/projects" status==active status==paused "labels==$label" fields==status | grep -o '"status":"[a-z]*"' | sort | xargs)
test "$found" = 'status:active status:paused'
echo 'done: list with two values of a filter'

call "$api/projects/$second" | grep -q '"name":"Second"'
call PATCH "$api/projects/$second" name=Renamed | grep -q '"name":"Renamed"'
echo 'done: get, update'

count=0 cursor=
while :; do
  page=$(call "$api/projects" "labels==$label" limit==1 ${cursor:+"cursor==$cursor"})
  count=$((count + 1))
  cursor=$(field nextCursor <<< "$page") || break
  test -n "$cursor" -a $count -lt 10 || break
done
test $count = 3
echo 'done: all pages'

call POST "$api/projects/$first/archive" | grep -q '"archivedAt":"'
echo 'done: an action without a body'

status=0
problem=$(call "$api/projects/01890000-0000-7000-8000-000000000000") || status=$?
test $status = 4 && test "$(field code <<< "$problem")" = not_found
problem=$(call "$api/projects" nme=Misspelt) || true
test "$(field code <<< "$problem")" = unknown_field
echo 'done: problems'
