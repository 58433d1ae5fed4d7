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
const row = /^\| (.+) \| (\d+) \| ([\d,]+) \|$/gm

let system: System
let world: World
type Figures = { readonly name: string; readonly calls: number; readonly tokens: number }
const measured: Figures[] = []
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
  measured.push({ name, calls, tokens })
})

test('the page about MCP shows these figures, give or take a tenth', () => {
  if (process.env['AGENT_TASKS'] === 'write') writeFigures()
  const shown = [...(block.exec(readFileSync(page, 'utf8'))?.[0] ?? '').matchAll(row)]

  expect(shown.map(([, name, calls]) => [name, Number(calls)])).toEqual(
    measured.map(({ name, calls }) => [name, calls]),
  )
  // Ids differ from run to run, and some cost a token more than others.
  for (const [at, [, , , tokens = '']] of shown.entries()) {
    const { name, tokens: own } = measured[at]!
    const off = Math.abs(Number(tokens.replace(',', '')) - own)
    expect(off, `${name}: ${own} tokens`).toBeLessThanOrEqual(100 + own / 10)
  }
})

function writeFigures(): void {
  const rounded = (tokens: number) => (Math.ceil(tokens / 100) * 100).toLocaleString('en')
  const rows = measured.map(({ name, calls, tokens }) => `| ${name} | ${calls} | ${rounded(tokens)} |`)
  const table = ['', '| task | calls | tokens |', '|---|---|---|', ...rows, ''].join('\n')
  writeFileSync(page, readFileSync(page, 'utf8').replace(block, `$1${table}$2`))
}
