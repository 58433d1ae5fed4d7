// A call of a tool, before and after the operation.

import { ProtocolError } from '@modelcontextprotocol/server'
import { expect, test } from 'vitest'
import { Fault } from '#contract/faults/fault.ts'
import type { OperationRequest } from '../../../service/execution/call.ts'
import { startOf } from '../../../service/mcp/tools/changes.ts'
import { callTool } from '../../../service/mcp/tools/run-tool.ts'
import { exchangeOf } from '../support/stage.ts'

const project = { id: 'p1', object: 'project', key: 'WEB', name: 'Website', status: 'active', health: null, labels: [] }
const pageOf = (data: readonly object[]) => ({ data, page: { limit: 20, nextCursor: null, hasMore: false } })

/** An exchange whose operations answer with this body, and the requests that they were sent. */
function answering(body: unknown, change: Parameters<typeof exchangeOf>[0] = {}) {
  const requests: OperationRequest[] = []
  const execute = async (request: OperationRequest) => {
    requests.push(request)
    if (body instanceof Error) throw body
    return { body, replayed: false }
  }
  return { requests, exchange: exchangeOf({ ...change, execute }) }
}

const textOf = ({ content }: Awaited<ReturnType<typeof callTool>>): string => (content[0] as { text: string }).text

test('an unknown tool is a protocol error that names the nearest, as the client has them listed', async () => {
  const asked = (name: string, naming: 'dots' | 'underscores') => callTool(name, {}, exchangeOf({ naming }))

  const message = 'Unknown tool: project.list. Did you mean `projects.list`?'
  await expect(asked('project.list', 'dots')).rejects.toMatchObject({ code: -32_602, message })
  await expect(asked('project_list', 'underscores')).rejects.toThrow('`projects_list`')
})

test('arguments that can mean one thing alone are read so, which the result says in both of its forms', async () => {
  const { exchange, requests } = answering(pageOf([]))
  const warnings = ['`status`: one value was read as a list of one.', '`limit`: text was read as a number.']

  const result = await callTool('projects.list', { status: 'active', limit: '5' }, exchange)

  expect(requests[0]?.input).toMatchObject({ status: ['active'], limit: 5 })
  expect(result.structuredContent).toMatchObject({ page: { shown: 0 }, warnings })
  expect(textOf(result)).toContain(warnings.map((warning) => `\nwarning: ${warning}`).join(''))
})

test('a missing scope is a protocol error, whatever the arguments', async () => {
  const call = callTool('projects.create', { nonsense: 1 }, exchangeOf({ scopes: ['projects:read'] }))

  await expect(call).rejects.toBeInstanceOf(ProtocolError)
  await expect(call).rejects.toMatchObject({
    code: -31_003,
    data: { code: 'insufficient_scope', requiredScopes: ['projects:write'], requestId: 'request-1' },
  })
})

test.each([
  [{ isReadonly: true }, 'projects.create', 'x-mcp-readonly'],
  [{ toolsets: new Set(['tasks'] as const) }, 'projects.list', 'x-mcp-toolsets'],
])('a tool that the headers leave out is refused with the header to change', async (narrowed, name, header) => {
  const result = await callTool(name, {}, exchangeOf(narrowed))

  expect(result).toMatchObject({ isError: true, structuredContent: { code: 'tool_disabled', header } })
  expect(textOf(result)).toContain(`\`${header}\``)
})

test.each([
  ['projects.list', { stats: ['active'] }, '`stats`: Unknown field. Did you mean `status`?'],
  ['projects.list', { limit: 'five' }, '`limit`: Must be a whole number.'],
  ['projects.list', { limit: 201 }, '`limit`: Must be 200 or less.'],
  // JSON text that could only be read by guessing is the text that it is.
  ['projects.list', { filter: '{"ids":["a"],"ids":["b"]}' }, '`filter`: Must be an object.'],
  ['projects.get', { id: 'WEB', detail: 'short' }, '`detail`: This value is not allowed. Allowed: concise, full.'],
  ['projects.create', { name: 'x', idempotencyKey: 5 }, '`idempotencyKey`: Must be text.'],
  ['documents.update', { id: 'd', edits: [], title: 'x' }, '`title`: Is not taken together with `edits`'],
  [
    'objects.bulk',
    { type: 'projects', items: Array.from({ length: 51 }, () => ({})) },
    '`items`: Must have at most 50',
  ],
  ['objects.delete', { type: 'tasks', ids: ['a', 'b'], expectedVersion: 2 }, 'validation_failed'],
  ['search.query', { types: ['tasks', 'members'] }, 'validation_failed'],
  ['search.query', {}, 'validation_failed'],
  ['comments.list', { type: 'documents', id: 'd' }, 'validation_failed'],
])('%s refuses %j in a sentence, and nothing is called', async (name, args, sentence) => {
  const result = await callTool(name, args, exchangeOf())

  expect(result.isError).toBe(true)
  expect(textOf(result)).toContain(sentence)
  expect(textOf(result)).toContain('requestId: request-1')
})

test('a refusal of the operation has code, advice, seconds to wait and request id, in text and structure', async () => {
  const { exchange } = answering(new Fault('unavailable', 'Too busy.', { retryAfterSeconds: 7 }))

  const result = await callTool('projects.list', {}, exchange)

  expect(result).toMatchObject({
    isError: true,
    structuredContent: { code: 'unavailable', detail: 'Too busy.', retryAfterSeconds: 7, requestId: 'request-1' },
  })
  expect(textOf(result)).toMatch(/^unavailable: Too busy\.\n.+\nretryAfterSeconds: 7\nrequestId: request-1$/)
})

test('what is no refusal is thrown on, for the server to log and hide', async () => {
  await expect(callTool('projects.list', {}, answering(new TypeError('secret')).exchange)).rejects.toThrow(TypeError)
})

test('a list asks for concise fields, and answers without what is empty', async () => {
  const { exchange, requests } = answering(pageOf([project]))

  const result = await callTool('projects.list', { status: ['active'], filter: { labels: ['x'] } }, exchange)

  expect(requests[0]?.input).toMatchObject({ status: ['active'], labels: ['x'], limit: 20 })
  expect(result.structuredContent).toEqual({
    data: [{ id: 'p1', key: 'WEB', name: 'Website', status: 'active' }],
    page: { shown: 1, matching: 1, hasMore: false },
  })
  expect(textOf(result)).toBe('1 of 1 projects.\nid | key | name | status\np1 | WEB | Website | active')
})

test('`fields` gives these alone, `detail: full` all as over HTTP', async () => {
  const { exchange, requests } = answering(pageOf([project]))

  const some = await callTool('projects.list', { fields: ['name', 'health'] }, exchange)
  const full = await callTool('projects.list', { detail: 'full' }, exchange)

  expect(requests.map(({ input }) => (input as { fields?: unknown }).fields)).toEqual([['name', 'health'], undefined])
  expect(some.structuredContent).toMatchObject({ data: [{ id: 'p1', name: 'Website', health: null }] })
  expect(full.structuredContent).toMatchObject({ data: [project] })
})

test('a change passes key, version and dry run on, and says that nothing was changed', async () => {
  const { exchange, requests } = answering({ ...project, version: 5, description: 'Long' })
  const args = { id: 'WEB', description: 'Long', labels: null, expectedVersion: 4, dryRun: true, idempotencyKey: 'k' }

  const result = await callTool('projects.update', args, exchange)

  expect(requests[0]).toMatchObject({
    dryRun: true,
    idempotencyKey: 'k',
    input: { id: 'WEB', description: 'Long', labels: null, expectedVersion: 4 },
  })
  expect(result.structuredContent).toMatchObject({ dryRun: true, id: 'p1', version: 5 })
  expect(result.structuredContent).not.toHaveProperty('description')
  expect(textOf(result)).toMatch(/^Dry run: nothing was changed/)
})

test('a client whose version has no structured content is sent the text alone', async () => {
  const { exchange } = answering(pageOf([project]), { hasStructuredContent: false })

  const listed = await callTool('projects.list', {}, exchange)
  const refused = await callTool('projects.list', { limit: 0 }, exchange)

  expect([listed.structuredContent, refused.structuredContent]).toEqual([undefined, undefined])
  expect(textOf(listed)).toContain('Website')
})

test.each([
  [undefined, { occurredAfter: '2026-11-21T09:30:00.000Z' }],
  ['42', { after: 42 }],
  ['2026-11-20', { occurredAfter: '2026-11-19T23:59:59.999Z' }],
  ['2026-11-20T08:00:00+01:00', { occurredAfter: '2026-11-20T08:00:00+01:00' }],
  ['2026-13-45', { occurredAfter: '2026-13-45' }],
])('changes since %s begin at %j', (since, start) => {
  expect(startOf(since, Date.parse('2026-11-22T09:30:00Z'))).toEqual(start)
})
