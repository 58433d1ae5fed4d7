// The sample for OpenAI Agents in docs/guides/mcp.md, as it is printed there: every tool is offered to the model under
// a name that it takes, and the one that it chooses is called.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { sentence, startModelApis } from './model-apis.ts'
import { runSample, sampleOf } from './samples.ts'

const { BASE_URL: url = '', API_KEY: key = '' } = process.env
const name = `Tried ${randomUUID().slice(0, 8)}`
const made = await fetch(`${url}/api/v1/projects`, {
  method: 'POST',
  headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  body: JSON.stringify({ name }),
})
assert.equal(made.status, 201)

await using models = await startModelApis({ name: 'projects_list', args: { limit: 5 } })
const packages = join(import.meta.dirname, 'node_modules')
const { code, output } = await runSample(sampleOf('OpenAI Agents'), { url, key, models, packages })

assert.deepEqual({ code, output }, { code: 0, output: `${sentence}\n` })
const [first = [], second = []] = models.offered
assert.ok(first.includes('projects_list') && first.length > 20, `offered: ${first.join(' ')}`)
assert.deepEqual(second, first)
assert.equal(models.results.length, 1)
assert.ok(models.results[0]?.includes(name), models.results[0])
console.log(`OpenAI Agents: ${first.length} tools offered, one called`)
