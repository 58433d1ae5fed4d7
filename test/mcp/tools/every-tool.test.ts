// The tools of MCP through the gateway, over SQL: no argument makes them fail, and long documents stay within the
// budget of an answer. That each tool answers as it is listed is told by test/mcp/clients/official-clients.test.ts.
import fc from 'fast-check'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { beforeAll, describe, expect, test } from 'vitest'
import { mcpBatchCallsMax } from '#contract/faults/json-rpc.ts'
import { tools } from '#contract/tools/catalogue.ts'
import { toolArguments as arbitraryArguments } from '../../support/arbitrary/tool-arguments.ts'
import { callTool, type ToolResult } from '../../support/mcp.ts'
import { modes, must, sharedSystem, type Tenant } from '../../support/system.ts'
import { connect } from '../support/clients.ts'
import { toolCall } from '../support/messages.ts'
import { makeObjects, ownedTenant, toolArguments, type Made } from '../support/tool-arguments.ts'

const { system } = sharedSystem(modes.at(-1)!)
let tenant: Tenant
let made: Made
beforeAll(async () => {
  tenant = await ownedTenant(system)
  made = await makeObjects(tenant)
})

test('every tool takes its arguments as JSON text and null, and says in a field of its schema how it has read them', async () => {
  await using client = await connect(system, tenant)
  await client.listTools()

  for (const [name, args] of Object.entries(toolArguments(made))) {
    const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
    const texts = Object.fromEntries(Object.entries(args).map(([each, value]) => [each, asText(value)]))
    const more = name === 'whoami' ? { random_string: 'x' } : name === 'changes.list' ? { since: null } : {}
    // The client holds the result against the schema that the tool lists.
    const result = await client.callTool({ name, arguments: { ...texts, ...more } })

    const changed = Object.entries(args).filter(([, value]) => typeof value !== 'string')
    const { warnings = [] } = result.structuredContent as { warnings?: string[] }
    expect([name, result.isError ?? false]).toEqual([name, false])
    for (const each of [...changed.map(([member]) => member), ...Object.keys(more)])
      expect(warnings.join()).toContain(`\`${each}\``)
  }
})

describe('whatever the arguments', () => {
  /** What only a mistake of ours can bring about. */
  const ours = ['internal_error', 'upstream_error', 'timeout', 'unavailable']
  const exceptionText = /\bat \S+ \(|\.ts:\d|Error:|Cannot read|undefined|\[object|prisma|SELECT |\(\?:|\\S/

  test.each(tools.map((tool) => [tool.name, tool] as const))('%s refuses or answers', async (name, { input }) => {
    const known = ['WEB', 'WEB-1', 'WEB-99', ...Object.values(made)]
    const drawn = fc.sample(arbitraryArguments(input, known), { numRuns: 2 * mcpBatchCallsMax, seed: 20_261_122 })

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
        expect([args, exceptionText.exec(refusal)]).toEqual([args, null])
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

  test('is read in parts that fit, each going on where the last one ended', async () => {
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

  test('that has a single line is cut within it, and says so', async () => {
    const long = await create({ title: 'Line', content: 'word '.repeat(100_000) })

    const { text, structured } = await callTool(tenant, 'documents.get', { id: long.id, maxTokens: 1_000 })

    expect(countTokens(text)).toBeLessThanOrEqual(1_000)
    expect(structured).toMatchObject({ truncated: true, content: { ofCharacters: 500_000 } })
    expect(text).toContain('[cut: the line goes on')
  })
})
