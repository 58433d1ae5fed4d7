import { request } from 'undici'
import { tellStory } from '../story.ts'

const api = `${process.env.BASE_URL}/api/v1`

async function call(path, { method = 'GET', query, json } = {}) {
  const { statusCode, body } = await request(api + path, {
    method,
    query,
    headers: {
      authorization: `Bearer ${process.env.API_KEY}`,
      ...(json && { 'content-type': 'application/json' }),
    },
    body: json && JSON.stringify(json),
  })
  const answer = await body.json()
  if (statusCode >= 400) throw answer
  return answer
}

await tellStory({
  list: (query) => call('/projects', { query }),
  create: (json) => call('/projects', { method: 'POST', json }),
  archive: (id) => call(`/projects/${id}/archive`, { method: 'POST' }),
  get: (id) => call(`/projects/${id}`),
  update: (id, json) => call(`/projects/${id}`, { method: 'PATCH', json }),
  problemOf: (problem) => problem,
})
