import fetch from 'node-fetch'
import { tellStory } from '../story.ts'

const api = `${process.env.BASE_URL}/api/v1`

async function call(path, { method = 'GET', json } = {}) {
  const headers = { authorization: `Bearer ${process.env.API_KEY}` }
  if (json) headers['content-type'] = 'application/json'
  const response = await fetch(api + path, { method, headers, body: json && JSON.stringify(json) })
  if (!response.ok) throw await response.json()
  return response.json()
}

function queryOf({ status = [], labels = [], ...rest }) {
  const query = new URLSearchParams(rest)
  for (const value of status) query.append('status', value)
  for (const value of labels) query.append('labels', value)
  return query
}

await tellStory({
  list: (query) => call(`/projects?${queryOf(query)}`),
  create: (json) => call('/projects', { method: 'POST', json }),
  archive: (id) => call(`/projects/${id}/archive`, { method: 'POST' }),
  get: (id) => call(`/projects/${id}`),
  update: (id, json) => call(`/projects/${id}`, { method: 'PATCH', json }),
  problemOf: (problem) => problem,
})
