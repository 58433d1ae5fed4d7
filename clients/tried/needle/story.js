import needle from 'needle'
import { tellStory } from '../story.ts'

const api = `${process.env.BASE_URL}/api/v1`
const headers = { authorization: `Bearer ${process.env.API_KEY}` }

async function call(method, path, data, options = { json: true }) {
  const { statusCode, body } = await needle(method, api + path, data, { headers, ...options })
  if (statusCode >= 400) throw body
  return body
}

await tellStory({
  list: (query) => call('get', '/projects', query, {}),
  create: (project) => call('post', '/projects', project),
  archive: (id) => call('post', `/projects/${id}/archive`, null, {}),
  get: (id) => call('get', `/projects/${id}`, null, {}),
  update: (id, change) => call('patch', `/projects/${id}`, change),
  problemOf: (problem) => JSON.parse(problem),
})
