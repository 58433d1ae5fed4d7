// The tools of MCP through the gateway, over SQL: no argument makes them fail, long documents are read in parts.
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { mcpBatchCallsMax } from '#contract/faults/json-rpc.ts'
import { tools } from '#contract/tools/catalogue.ts'
import { toolArguments } from '../../support/arbitrary/tool-arguments.ts'
import { callTool, type ToolResult } from '../../support/mcp.ts'
import { modes, must, sharedSystem, type Tenant } from '../../support/system.ts'
import { toolCall } from '../support/messages.ts'
import { makeObjects, ownedTenant, type Made } from '../support/tool-arguments.ts'
import { foreign, lacksForeign } from '../../support/foreign.ts'

const { countTokens } = await foreign(() => import('gpt-tokenizer/encoding/o200k_base'))

const { system } = sharedSystem(modes.at(-1)!)
let tenant: Tenant
let made: Made
beforeAll(async () => {
  tenant = await ownedTenant(system)
  made = await makeObjects(tenant)
})

/** What a caller sent: names of fields may be told again. */
const textsIn = (value: unknown): string[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value)
        .flatMap(([name, each]) => [name, ...textsIn(each)])
        .filter((text) => text !== '')
    : typeof value === 'string'
      ? [value]
      : []

describe('whatever the arguments', () => {
  /** What only a mistake of ours can bring about. */
  const ours = ['internal_error', 'upstream_error', 'timeout', 'unavailable']
  const exceptionText = /\bat \S+ \(|\.ts:\d|Error:|Cannot read|undefined|\[object|prisma|SELECT |\(\?:|\\S/

  test.each(tools.map((tool) => [tool.name, tool] as const))('%s refuses or answers', async (name, { input }) => {
    const known = ['WEB', 'WEB-1', 'WEB-99', ...Object.values(made)]
    const drawn = fc.sample(toolArguments(input, known), { numRuns: 2 * mcpBatchCallsMax, seed: 20_261_122 })

    for (let at = 0; at < drawn.length; at += mcpBatchCallsMax) {
      const calls = drawn.slice(at, at + mcpBatchCallsMax).map((args, id) => toolCall(name, args, id))
      const { status, body } = await tenant.api('POST', '/api/mcp', calls)

      expect([status, body.length]).toEqual([200, calls.length])
      for (const { id, result, error } of body) {
        const args = calls[id]?.params
        expect([args, error]).toEqual([args, undefined])
        if (result.isError !== true) continue
        const refusal = result.content[0].text
        expect([args, ours.filter((code) => refusal.includes(code))]).toEqual([args, []])
        const ownWords = textsIn(args).reduce((text, sent) => text.replaceAll(sent, ''), refusal)
        expect([args, exceptionText.exec(ownWords)]).toEqual([args, null])
      }
    }
  })
})

describe('a document of a mebibyte', () => {
  const line = 'All work and no play makes Jack a dull boy, said the manual, and it went on to say so again.\n'
  const content = `# One\n\n${line.repeat(5_000)}\n# Two\n\nShort.\n\n# Three\n\n${line.repeat(5_000)}`
  let id: string
  const create = async (document: object): Promise<{ id: string }> =>
    must(await tenant.api('POST', '/api/v1/documents', document))
  beforeAll(async () => {
    ;({ id } = await create({ title: 'Manual', content }))
  })

  test.skipIf(lacksForeign)('is read in parts that fit, each going on where the last one ended', async () => {
    const first = await callTool(tenant, 'documents.get', { id })
    const second = await callTool(tenant, 'documents.get', { id, fromLine: first.structured.content.nextLine })

    expect(first.structured).toMatchObject({ title: 'Manual', truncated: true, outline: [{}, { title: 'Two' }, {}] })
    for (const { text, structured } of [first, second])
      expect([countTokens(text) > 6_000, countTokens(JSON.stringify(structured)) > 1_000]).toEqual([false, false])
    const shown = ({ text }: ToolResult) => text.split('\n---\n')[1]!
    expect(content.startsWith(shown(first) + shown(second))).toBe(true)
  })

  test('takes edits without being answered back', async () => {
    const edits = [{ find: 'Short.', replace: 'Brief.' }]

    const edited = await callTool(tenant, 'documents.update', { id, edits, expectedVersion: 1 })
    const described = await callTool(tenant, 'documents.update', { id, summary: 'How to play' })

    expect(edited.structured).toMatchObject({ id, version: 2, replacements: [1] })
    expect(described.structured).toMatchObject({ id, version: 3 })
    for (const result of [edited, described]) expect(JSON.stringify(result).length).toBeLessThan(2_000)
    expect(must(await tenant.api('GET', `/api/v1/documents/${id}`)).content).toBe(content.replace('Short.', 'Brief.'))
  })

  test.skipIf(lacksForeign)('that has a single line is cut within it, and says so', async () => {
    const long = await create({ title: 'Line', content: 'word '.repeat(100_000) })

    const { text, structured } = await callTool(tenant, 'documents.get', { id: long.id, maxTokens: 1_000 })

    expect(countTokens(text)).toBeLessThanOrEqual(1_000)
    expect(structured).toMatchObject({ truncated: true, content: { ofCharacters: 500_000 } })
    expect(text).toContain('[cut: the line goes on')
  })
})
