// However much there is, the answer of a tool stays within its budget, and says that there is more. Counted with a real
// tokenizer, which the service does without.

import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { expect, test } from 'vitest'
import { type Arguments, type ToolName, maxTokensDefault } from '#contract/tools/tool.ts'
import type { Exchange, ToolAnswer } from '../../../../service/mcp/tools/runner.ts'
import { runners } from '../../../../service/mcp/tools/run-tool.ts'

const id = (at: number) => `0199a7c2-5f00-7b3a-8c41-${String(at).padStart(12, '0')}`
const many = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at))
const at = '2026-11-22T09:30:00.000Z'
const principal: Exchange['caller']['principal'] = {
  kind: 'api_key',
  id: 'key',
  name: 'Agent',
  workspaceId: 'w',
  surface: 'mcp',
  requestId: 'r',
  clientAddress: '',
  quota: null,
  scopes: ['workspaces:read', 'tasks:read', 'events:read'],
}
const page = { limit: 200, nextCursor: null, hasMore: false }

/** Answers every operation with the body of its name, cut to the limit that was asked for. */
const run = (name: ToolName, args: Arguments, bodies: Readonly<Record<string, object>>): Promise<ToolAnswer> => {
  const execute: Exchange['execute'] = async ({ operation, input }) => {
    const body = bodies[operation.name] as { readonly data?: readonly unknown[] }
    const { limit = 200 } = input as { readonly limit?: number }
    return { body: body.data === undefined ? body : { ...body, data: body.data.slice(0, limit) }, replayed: false }
  }
  const caller = { principal, isReadonly: false, toolsets: null, naming: 'dots', hasStructuredContent: true } as const
  return runners[name](args, { caller, execute, signal: new AbortController().signal })
}

const problem = {
  code: 'validation_failed',
  detail: 'Unacceptable values.',
  errors: many(20, (n) => ({
    pointer: `/items/0/data/field${n}`,
    detail: 'Is not an allowed value.',
    allowed: many(30, id),
  })),
}
const field = {
  target: 'task',
  type: 'select',
  required: false,
  archivedAt: null,
  options: many(100, (n) => `An option with a long name, number ${n}`),
}
const event = {
  type: 'tasks.updated',
  occurredAt: at,
  actor: { name: 'Agent' },
  resource: { id: id(1) },
  data: { identifier: 'WEB-1', title: 'A task with a title' },
}
const change = {
  from: 'Some text that stood here before. '.repeat(9),
  to: 'Some text that stands here now. '.repeat(9),
}

const crowded: readonly [
  ToolName,
  string,
  Arguments,
  Readonly<Record<string, object>>,
  (structured: never) => unknown,
][] = [
  [
    'objects.count',
    'a thousand groups',
    { type: 'crm-entities', groupBy: 'industry' },
    {
      'crm-entities.count': {
        total: 1_007,
        groups: many(1_000, (n) => ({ value: `Industry number ${n}`, count: 1 })),
        moreGroups: 7,
      },
    },
    ({ truncated, groups, moreGroups }: { truncated: boolean; groups: unknown[]; moreGroups: number }) =>
      truncated && groups.length + moreGroups === 1_007,
  ],
  [
    'search.query',
    'fields with a hundred options',
    { types: ['custom-fields'], limit: 50 },
    { 'custom-fields.list': { data: many(200, (n) => ({ ...field, key: `field_${n}`, label: `Field ${n}` })), page } },
    ({ hasMore }: { hasMore: boolean }) => hasMore,
  ],
  [
    'changes.list',
    'many long changes',
    { limit: 200 },
    {
      'events.list': {
        data: many(200, (n) => ({
          ...event,
          id: id(n),
          sequence: n + 1,
          changes: { title: change, description: change },
        })),
        lastSequence: 200,
        hasMore: false,
      },
    },
    ({ hasMore }: { hasMore: boolean }) => hasMore,
  ],
  [
    'comments.list',
    'comments of many pages',
    { type: 'tasks', id: 'WEB-1', detail: 'full', limit: 100 },
    {
      'tasks.list-comments': {
        data: many(100, (n) => ({
          id: id(n),
          createdAt: at,
          createdBy: { name: 'Ada' },
          body: 'A long story. '.repeat(300),
        })),
        page,
      },
    },
    ({ truncated }: { truncated: boolean }) => truncated,
  ],
  [
    'objects.bulk',
    'fifty refusals of twenty values each',
    { type: 'tasks', items: many(50, () => ({ action: 'create' })) },
    { 'tasks.batch': { results: many(50, (n) => ({ index: n, status: 422, problem })) } },
    ({ outcomes }: { outcomes: unknown[] }) => outcomes.length === 50,
  ],
]

test.each(crowded)('%s fits with %s', async (name, _what, args, bodies, saysSo) => {
  const { structured, text } = await run(name, args, bodies)

  expect(encode(text).length).toBeLessThanOrEqual(maxTokensDefault)
  expect(encode(JSON.stringify(structured)).length).toBeLessThanOrEqual(maxTokensDefault)
  expect(encode(text).length).toBeGreaterThan(1_000)
  expect(saysSo(structured as never)).toBe(true)
})

test('changes that did not fit are read on from the last one that did', async () => {
  const [name, , args, bodies] = crowded[2]!
  const { structured, text } = await run(name, args, bodies)

  const { data, next } = structured as { data: readonly { eventId: string }[]; next: string }
  expect(data.at(-1)?.eventId).toBe(id(Number(next) - 1))
  expect(text).toContain(`There is more: since "${next}".`)
})
