// The story, and a GET of everything that takes no id, through Prism's proxy: it names what an answer has against the
// description in a header.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tellStory } from '../story.ts'

const description = await fetch(`${process.env.BASE_URL}/api/v1/openapi.json`).then((response) => response.json())
writeFileSync('openapi.json', JSON.stringify(description))
const free = createServer().listen(0, '127.0.0.1')
await once(free, 'listening')
const { port } = free.address()
free.close()
const prism = spawn('node_modules/.bin/prism', ['proxy', 'openapi.json', process.env.BASE_URL, '-p', port])
prism.stderr.resume()
await new Promise((resolve) => prism.stdout.on('data', (chunk) => String(chunk).includes('listening') && resolve()))

const violations = []
let answers = 0

async function call(path, { method = 'GET', json } = {}) {
  const headers = { authorization: `Bearer ${process.env.API_KEY}` }
  if (json) headers['content-type'] = 'application/json'
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers,
    body: json && JSON.stringify(json),
  })
  const found = JSON.parse(response.headers.get('sl-violations') ?? '[]')
  for (const { location, message } of found) {
    // What the story does wrong on purpose stands there as well.
    if (location[0] === 'response')
      violations.push(`${method} ${path} ${response.status}: ${location.join('/')} ${message}`)
  }
  answers++
  const answer = await response.json()
  if (!response.ok) throw answer
  return answer
}

await tellStory({
  list: ({ status = [], labels = [], ...rest }) => {
    const query = new URLSearchParams(rest)
    if (status.length > 0) query.set('status', status)
    query.set('labels', labels)
    return call(`/api/v1/projects?${query}`)
  },
  create: (json) => call('/api/v1/projects', { method: 'POST', json }),
  archive: (id) => call(`/api/v1/projects/${id}/archive`, { method: 'POST' }),
  get: (id) => call(`/api/v1/projects/${id}`),
  update: (id, json) => call(`/api/v1/projects/${id}`, { method: 'PATCH', json }),
  problemOf: (problem) => problem,
})
for (const [path, { get }] of Object.entries(description.paths)) {
  const required = get?.parameters?.some(({ in: place, required }) => required && place !== 'header')
  const isJson = get?.responses['200']?.content?.['application/json'] !== undefined
  if (isJson && !required && !path.includes('{')) await call(path).catch(() => {})
}
prism.kill()
assert.deepEqual(violations, [])
console.log(`done: ${answers} answers as described`)
