// What an agent's work costs: twelve tasks, scripted, since a model would not do the same twice. The figures are in
// docs/mcp.md; AGENT_TASKS=write puts them there.
import { readFileSync, writeFileSync } from 'node:fs'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { beforeAll, expect, test } from 'vitest'
import { callTool } from '../../../support/mcp.ts'
import { sharedSystem } from '../../../support/system.ts'
import { tasks, type Agent } from './tasks.ts'
import { makeWorld, type World } from './world.ts'

const callsMax = 6
const tokensMax = 10_000
const page = new URL('../../../../docs/mcp.md', import.meta.url)
const block = /(<!-- agent-tasks -->\n)[^]*?(<!-- \/agent-tasks -->)/
const row = /^\| (.+) \| (\d+) \| ([\d,]+) \|$/gm

/** Ids, times and cursors differ from run to run, and so would their tokens. */
const tokensOf = (text: string): number =>
  encode(
    text
      .replaceAll(/[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/g, '0199a7c2-5f00-7b3a-8c41-9d02e6f7a8b5')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '2026-11-22T09:30:00.000Z'),
  ).length

const { system } = sharedSystem('standalone')
let world: World
const measured: { readonly name: string; readonly calls: number; readonly tokens: number }[] = []
beforeAll(async () => {
  world = await makeWorld(system)
})

test.each(tasks)('$name: done, within six calls and 10,000 tokens', async ({ name, run }) => {
  let [calls, tokens] = [0, 0]
  // An agent that knows only `tools/list`: its calls, and what they cost a model to write and to read.
  const agent: Agent = {
    call: async (tool, args = {}) => {
      const result = await callTool(world.tenant, tool, args)
      if (result.isError) throw new Error(`${tool}: ${result.text}`)
      calls += 1
      tokens += tokensOf(JSON.stringify({ name: tool, arguments: args })) + tokensOf(result.text)
      return result
    },
  }

  await run(agent, world)

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
