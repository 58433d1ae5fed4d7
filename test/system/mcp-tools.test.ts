// The tools of MCP through the gateway: what they answer fits what they list, no argument makes them fail, and long
// documents stay within the budget of an answer.
import { Client, StreamableHTTPClientTransport, type VersionNegotiationMode } from '@modelcontextprotocol/client'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toolNamed, tools } from '#contract/tools/catalogue.ts'
import { toolArguments } from '../support/arbitrary/tool-arguments.ts'
import { modes, must, startSystem, type System, type Tenant } from '../support/system.ts'
import { mcpBatchCallsMax } from '#contract/faults/json-rpc.ts'

type Result = {
  readonly isError?: boolean
  readonly content: readonly { readonly text: string }[]
  readonly structuredContent: Readonly<Record<string, never>>
}

let system: System
let tenant: Tenant
let ids: { readonly company: string; readonly document: string; readonly gone: string }

const api = async (method: string, path: string, body?: unknown) =>
  must(await tenant.api(method, `/api/v1${path}`, body))
const request = (id: number, name: string, args: object) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
})

async function call(name: string, args: object): Promise<Result> {
  const { status, body } = await tenant.api('POST', '/api/mcp', request(1, name, args))
  expect(status).toBe(200)
  return body.result
}
const textOf = ({ content }: Result): string => content[0]!.text

beforeAll(async () => {
  system = await startSystem(modes.at(-1)!)
  tenant = await system.tenant()
  await api('POST', '/projects', { name: 'Website', key: 'WEB' })
  await api('POST', '/tasks', { projectId: 'WEB', title: 'Order the domain' })
  const company = await api('POST', '/crm-entities', { kind: 'company', name: 'Acme' })
  const document = await api('POST', '/documents', {
    title: 'Handbook',
    content: '# Hours\n\n9 to 5\n\n# Pay\n\nMonthly\n',
  })
  const gone = await api('POST', '/documents', { title: 'Gone' })
  await tenant.api('DELETE', `/api/v1/documents/${gone.id}`)
  ids = { company: company.id, document: document.id, gone: gone.id }
})
afterAll(() => system?.[Symbol.asyncDispose]())

/** A call of each tool that succeeds whatever the others have done. */
const sensible = (): Record<(typeof tools)[number]['name'], object> => ({
  'changes.list': {},
  'comments.create': { type: 'tasks', id: 'WEB-1', body: 'Done soon.' },
  'comments.list': { type: 'tasks', id: 'WEB-1' },
  'crm-entities.create': { kind: 'deal', name: 'Acme 2027', companyId: ids.company },
  'crm-entities.get': { id: ids.company, detail: 'full' },
  'crm-entities.list': { kind: ['company'] },
  'crm-entities.update': { id: ids.company, industry: 'Tools', dryRun: true },
  'documents.create': { title: 'Notes', content: '# Notes' },
  'documents.get': { id: ids.document, section: 'Pay' },
  'documents.list': { q: 'Handbook' },
  'documents.update': { id: ids.document, edits: [{ find: '9 to 5', replace: '10 to 6' }], dryRun: true },
  'objects.bulk': { type: 'tasks', items: [{ action: 'update', id: 'WEB-1', data: { priority: 'high' } }] },
  'objects.count': { type: 'tasks', groupBy: 'status' },
  'objects.delete': { type: 'tasks', ids: ['WEB-1'], dryRun: true },
  'objects.restore': { type: 'documents', ids: [ids.gone], dryRun: true },
  'projects.create': { name: 'Relaunch' },
  'projects.get': { id: 'WEB', expand: ['owner', 'taskCounts'] },
  'projects.list': { limit: 1 },
  'projects.update': { id: 'WEB', health: 'on_track' },
  'search.query': { q: 'domain' },
  'tasks.create': { projectId: 'WEB', title: 'Call Ada' },
  'tasks.get': { id: 'WEB-1', fields: ['title', 'status'] },
  'tasks.list': { projectId: ['WEB'], sort: ['dueDate'] },
  'tasks.update': { id: 'WEB-1', status: 'in_progress' },
  whoami: {},
})

const eras: [string, VersionNegotiationMode][] = [
  ['2025', 'legacy'],
  ['2026', { pin: '2026-07-28' }],
]

test('every tool takes its arguments as JSON text and null, and says in a field of its schema how it has read them', async () => {
  const client = new Client({ name: 'test', version: '1' })
  const requestInit = { headers: { authorization: `Bearer ${tenant.secret}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${system.url}/api/mcp`), { requestInit }))
  await client.listTools()

  for (const [name, args] of Object.entries(sensible())) {
    const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
    const texts = Object.fromEntries(Object.entries(args).map(([each, value]) => [each, asText(value)]))
    const more = name === 'whoami' ? { random_string: 'x' } : name === 'changes.list' ? { since: null } : {}
    // The client holds the result against the schema that the tool lists.
    const result = await client.callTool({ name, arguments: { ...texts, ...more } })

    const changed = Object.entries(args).filter(([, value]) => typeof value !== 'string')
    const named = [...changed.map(([each]) => each), ...Object.keys(more)]
    const { warnings = [] } = result.structuredContent as { warnings?: string[] }
    expect([name, result.isError ?? false]).toEqual([name, false])
    for (const each of named) expect(warnings.join()).toContain(`\`${each}\``)
  }
  await client.close()
})

test('a call whose arguments are null is one without arguments', async () => {
  const { body } = await tenant.api('POST', '/api/mcp', {
    ...request(1, 'whoami', {}),
    params: { name: 'whoami', arguments: null },
  })

  expect(body.result.isError).toBeUndefined()
})

test.each(eras)('every tool answers a client of %s as it is listed', async (_era, mode) => {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  const requestInit = { headers: { authorization: `Bearer ${tenant.secret}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${system.url}/api/mcp`), { requestInit }))
  const listed = (await client.listTools()).tools
  expect(listed).toHaveLength(tools.length)

  for (const { name, inputSchema, outputSchema } of listed) {
    const args = sensible()[toolNamed(name)!.name]
    const result = await client.callTool({ name, arguments: { ...args } })
    const text = (result.content as { text: string }[])[0]?.text

    expect([name, result.isError ?? false, text]).toEqual([name, false, expect.stringMatching(/./)])
    expect([name, text?.startsWith('{')]).toEqual([name, false])
    for (const [schema, value] of [
      [inputSchema, args],
      [outputSchema ?? { type: 'object' }, result.structuredContent],
    ]) {
      const validate = new Ajv2020({ strict: true }).compile(schema as object)
      expect([name, validate(value), validate.errors]).toEqual([name, true, null])
    }
  }
  await client.close()
})

describe('whatever the arguments', () => {
  /** What only a mistake of ours can bring about. */
  const ours = ['internal_error', 'upstream_error', 'timeout', 'unavailable']
  const exceptionText = /\bat \S+ \(|\.ts:\d|Error:|Cannot read|undefined|\[object|prisma|SELECT |\(\?:|\\S/

  test.each(tools.map((tool) => [tool.name, tool] as const))('%s refuses or answers', async (name, { input }) => {
    const known = ['WEB', 'WEB-1', 'WEB-99', ...Object.values(ids)]
    const drawn = fc.sample(toolArguments(input, known), { numRuns: 200, seed: 20_261_122 })

    for (let at = 0; at < drawn.length; at += mcpBatchCallsMax) {
      const calls = drawn.slice(at, at + mcpBatchCallsMax).map((args, id) => request(id, name, args))
      const { status, body } = await tenant.api('POST', '/api/mcp', calls)

      expect([status, body.length]).toEqual([200, calls.length])
      for (const { id, result, error } of body) {
        const args = calls[id]?.params.arguments
        expect([args, error]).toEqual([args, undefined])
        if (result.isError !== true) continue
        const refusal = textOf(result)
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
  beforeAll(async () => {
    id = (await api('POST', '/documents', { title: 'Manual', content })).id
  })

  test('is read in parts that fit, each going on where the last one ended', async () => {
    const first = await call('documents.get', { id })
    const { content: part } = first.structuredContent as unknown as {
      content: { nextLine: number; totalLines: number }
    }
    const second = await call('documents.get', { id, fromLine: part.nextLine })

    expect(first.structuredContent).toMatchObject({
      title: 'Manual',
      truncated: true,
      outline: [{}, { title: 'Two' }, {}],
    })
    for (const result of [first, second]) {
      expect(countTokens(textOf(result))).toBeLessThanOrEqual(6_000)
      expect(countTokens(JSON.stringify(result.structuredContent))).toBeLessThanOrEqual(1_000)
    }
    const shown = (result: Result) => textOf(result).split('\n---\n')[1]!
    expect(content.startsWith(shown(first) + shown(second))).toBe(true)
  })

  test('gives one section alone, and takes edits without being answered back', async () => {
    const read = await call('documents.get', { id, section: 'Two' })
    const edited = await call('documents.update', {
      id,
      edits: [{ find: 'Short.', replace: 'Brief.' }],
      expectedVersion: 1,
    })
    const described = await call('documents.update', { id, summary: 'How to play' })

    expect(textOf(read)).toMatch(/\n---\n# Two\n\nShort\.\n\n$/)
    expect(edited.structuredContent).toMatchObject({ id, version: 2, replacements: [1] })
    expect(described.structuredContent).toMatchObject({ id, version: 3 })
    for (const result of [edited, described]) expect(JSON.stringify(result).length).toBeLessThan(2_000)
    expect(must(await tenant.api('GET', `/api/v1/documents/${id}`)).content).toBe(content.replace('Short.', 'Brief.'))
  })

  test('that has a single line is cut within it, and says so', async () => {
    const long = await api('POST', '/documents', { title: 'Line', content: 'word '.repeat(100_000) })

    const result = await call('documents.get', { id: long.id, maxTokens: 1_000 })

    expect(countTokens(textOf(result))).toBeLessThanOrEqual(1_000)
    expect(result.structuredContent).toMatchObject({ truncated: true, content: { ofCharacters: 500_000 } })
    expect(textOf(result)).toContain('[cut: the line goes on')
  })
})
