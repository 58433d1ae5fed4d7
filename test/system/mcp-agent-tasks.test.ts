// What an agent's work costs: twelve tasks, scripted, since a model would not do the same twice. The figures are in
// docs/mcp.md; AGENT_TASKS=write puts them there.
import { readFileSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSystem, type System } from '../support/system.ts'
import { agentOf } from './agent-tasks/agent.ts'
import { tasks } from './agent-tasks/tasks.ts'
import { makeWorld, type World } from './agent-tasks/world.ts'

const callsMax = 6
const tokensMax = 10_000
const page = new URL('../../docs/mcp.md', import.meta.url)
const block = /(<!-- agent-tasks -->\n)[^]*?(<!-- \/agent-tasks -->)/

let system: System
let world: World
const rows: string[] = []
beforeAll(async () => {
  system = await startSystem('standalone')
  world = await makeWorld(system)
})
afterAll(() => system?.[Symbol.asyncDispose]())

test.each(tasks)('$name: done, within six calls and 10,000 tokens', async ({ name, run }) => {
  const agent = agentOf(world.tenant)

  await run(agent, world)

  const { calls, tokens } = agent.costs()
  expect(calls).toBeLessThanOrEqual(callsMax)
  expect(tokens).toBeLessThanOrEqual(tokensMax)
  rows.push(`| ${name} | ${calls} | ${(Math.ceil(tokens / 100) * 100).toLocaleString('en')} |`)
})

test('the page about MCP shows these figures', () => {
  const table = ['', '| task | calls | tokens |', '|---|---|---|', ...rows, ''].join('\n')
  const text = readFileSync(page, 'utf8')
  const current = text.replace(block, `$1${table}$2`)
  if (process.env['AGENT_TASKS'] === 'write') writeFileSync(page, current)

  expect(readFileSync(page, 'utf8')).toBe(current)
})
