# The story of `story.ts`, for clients in Ruby: what it says is here, the calls are in each folder. A client answers with
# the status and the parsed body.
require 'securerandom'

def check(ok, what)
  abort("wrong: #{what}") unless ok
end

def tell_story(client)
  label = "tried-#{SecureRandom.hex(4)}"
  ids = %w[planned active paused].map do |status|
    code, project = client.create({ name: "Größe, #{status}", status: status, labels: [label] })
    check(code == 201 && project['name'] == "Größe, #{status}", project)
    project['id']
  end
  puts 'done: create'

  _, page = client.list({ status: %w[active paused], labels: [label] })
  check(page['data']&.map { |project| project['id'] }&.sort == ids[1..].sort, page)
  puts 'done: list with two values of a filter'

  check(client.get(ids[0])[1]['version'] == 1, 'get')
  _, updated = client.update(ids[0], { name: 'Renamed' })
  check(updated['name'] == 'Renamed', updated)
  puts 'done: get, update'

  seen = []
  query = { labels: [label], limit: 1 }
  while seen.length < 10
    _, page = client.list(query)
    seen += page['data']
    break unless page['page']['hasMore']

    query[:cursor] = page['page']['nextCursor']
  end
  check(seen.length == 3, seen)
  puts 'done: all pages'

  _, archived = client.archive(ids[0])
  check(archived['archivedAt'], archived)
  puts 'done: an action without a body'

  code, problem = client.get('01890000-0000-7000-8000-000000000000')
  check(code == 404 && problem['code'] == 'not_found', problem)
  code, problem = client.create({ nme: 'Misspelt' })
  check(code == 422 && problem['code'] == 'unknown_field', problem)
  puts 'done: problems'
end
