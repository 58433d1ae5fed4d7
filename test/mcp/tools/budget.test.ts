// The answer of a tool stays within its budget, says that there is more, and is read on without a loss.
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { maxTokensDefault, type Arguments, type ToolName } from '#contract/tools/tool.ts'
import type { Execute } from '../../../service/execution/call.ts'
import { cutToFit, estimateTokens, fits, fitsAsJson } from '../../../service/mcp/tools/budget.ts'
import { callTool, runners } from '../../../service/mcp/tools/run-tool.ts'
import type { ToolAnswer } from '../../../service/mcp/tools/runner.ts'
import { exchangeOf } from '../support/stage.ts'
import { foreign, lacksForeign } from '../../support/foreign.ts'

const { countTokens } = await foreign(() => import('gpt-tokenizer/encoding/o200k_base'))

type Item = { readonly id: string; readonly title: string; readonly labels: readonly string[] }
type Input = { readonly limit: number; readonly cursor?: string; readonly includeTotal?: boolean }

/** Items in their order, a page after the position that the cursor names. */
const listing =
  (items: readonly Item[]): Execute =>
  async ({ input }) => {
    const { limit, cursor = '0', includeTotal } = input as Input
    const start = Number(cursor)
    const hasMore = start + limit < items.length
    const page = { limit, hasMore, nextCursor: hasMore ? String(start + limit) : null }
    const total = includeTotal === true ? { total: items.length } : {}
    return { body: { data: items.slice(start, start + limit), page: { ...page, ...total } }, replayed: false }
  }

type Answer = {
  readonly data: readonly Item[]
  readonly page: { readonly nextCursor?: string; readonly hasMore: boolean; readonly matching?: number }
  readonly truncated?: true
}

async function readAll(items: readonly Item[], args: object) {
  const exchange = exchangeOf({ execute: listing(items) })
  const answers: { readonly answer: Answer; readonly text: string }[] = []
  for (let cursor: string | undefined; answers.length <= items.length;) {
    const given = { ...args, fields: ['title', 'labels'], ...(cursor !== undefined && { cursor }) }
    const { structuredContent, content } = await callTool('tasks.list', given, exchange)
    const answer = structuredContent as Answer
    answers.push({ answer, text: (content[0] as { text: string }).text })
    cursor = answer.page.nextCursor
    if (cursor === undefined) break
  }
  return answers
}

const label = fc.oneof(fc.lorem({ maxCount: 200 }), fc.string({ unit: 'grapheme', maxLength: 60 }))
const item = fc.record({ title: fc.lorem({ maxCount: 40 }), labels: fc.array(label, { maxLength: 30 }) })
const itemsDrawn = fc
  .array(item, { maxLength: 60 })
  .map((items) => items.map((each, at) => ({ id: `i${at}`, ...each })))

test('nothing is lost and nothing comes twice, and no answer passes its budget', async () => {
  const [limits, budgets] = [fc.integer({ min: 1, max: 60 }), fc.integer({ min: 500, max: 3_000 })]
  await fc.assert(
    fc.asyncProperty(itemsDrawn, limits, budgets, async (items, limit, maxTokens) => {
      const answers = await readAll(items, { limit, maxTokens })

      expect(answers.flatMap(({ answer }) => answer.data.map(({ id }) => id))).toEqual(items.map(({ id }) => id))
      for (const { answer, text } of answers) {
        expect(estimateTokens(text)).toBeLessThanOrEqual(maxTokens)
        expect(estimateTokens(JSON.stringify(answer))).toBeLessThanOrEqual(maxTokens)
        if (answer.page.hasMore && answer.data.length < limit) expect(answer.truncated).toBe(true)
      }
    }),
    { numRuns: 100 },
  )
})

test('a page that was cut says so, how many match, and where to go on', async () => {
  const items = Array.from({ length: 30 }, (_, at) => ({ id: `i${at}`, title: 'word '.repeat(90), labels: [] }))

  const [first] = await readAll(items, { limit: 30, maxTokens: 1_000 })

  expect(first?.answer).toMatchObject({ truncated: true, page: { matching: 30, hasMore: true } })
  expect(first?.text).toMatch(/^\d+ of 30 tasks\. Truncated/)
  expect(first?.text).toContain(`cursor to go on: ${first?.answer.page.nextCursor}`)
})

test('a long text in a list is cut with a mark that says how long it is', async () => {
  const [first] = await readAll([{ id: 'i', title: 'x'.repeat(2_000), labels: [] }], {})

  expect(first?.answer.data[0]?.title).toBe(`${'x'.repeat(500)}… [cut: 500 of 2000 characters]`)
})

// Objects that are too long for an answer.

test('the longest text is cut, with a mark in it and its lengths beside it; a list that is too long is left out', () => {
  const { object, cut } = cutToFit({ id: '1', status: 'active', description: 'word '.repeat(2_000) }, 500)
  const memberIds = Array.from({ length: 500 }, (_, at) => `member-${at}`)

  expect(object).toMatchObject({ id: '1', status: 'active' })
  expect(object['description']).toMatch(/^(word )+w?o?r?d?… \[cut: (\d+) of 10000 characters\]$/)
  expect(cut['description']).toMatch(/^\d+ of 10000 characters$/)
  expect(cutToFit({ id: '1', memberIds }, 300)).toEqual({ object: { id: '1' }, cut: { memberIds: 'left out' } })
})

test('whatever is cut fits, what fits stays as it is, and whatever is missing is named', () => {
  const long = fc.string({ unit: 'binary', maxLength: 3_000 })
  const value = fc.oneof(long, fc.lorem({ maxCount: 800 }), fc.array(fc.uuid(), { maxLength: 80 }))
  const drawn = fc.dictionary(fc.stringMatching(/^[a-z]{3,8}$/), value)
  fc.assert(
    fc.property(drawn, fc.integer({ min: 200, max: 2_000 }), (fields, tokensMax) => {
      const { object, cut } = cutToFit({ id: '1', ...fields }, tokensMax)

      const changed = Object.keys(fields).filter((name) => object[name] !== fields[name])
      expect(Object.keys(cut).toSorted()).toEqual(changed.toSorted())
      if (estimateTokens(JSON.stringify({ id: '1', ...fields })) <= tokensMax) expect(cut).toEqual({})
      if (!['name', 'title', 'key', 'kind'].some((name) => name in fields))
        expect(estimateTokens(JSON.stringify(object))).toBeLessThanOrEqual(tokensMax)
    }),
  )
})

// The estimate of tokens beside a tokenizer.

const root = join(import.meta.dirname, '../../..')
const named = { identifier: 'WEB-42', title: 'Angebot für Müller', dueDate: '2026-12-01', version: 3 }
const row = () => ({ id: randomUUID(), ...named })

test.skipIf(lacksForeign).each([
  ['English with code', readFileSync(join(root, 'docs/guides/webhooks.md'), 'utf8').slice(0, 20_000)],
  ['rows as JSON', JSON.stringify(Array.from({ length: 30 }, row))],
  ['German', 'Die Besprechung über die Gehälter der Mitarbeiterinnen findet am Donnerstag statt. '.repeat(20)],
  ['Russian', 'Пожалуйста, отправьте отчёт о проделанной работе до конца недели. '.repeat(20)],
  ['Japanese', '本日の会議の議事録を共有いたします。次回の打ち合わせは来週の月曜日です。'.repeat(20)],
  ['emoji', '🎉🚀👩‍💻🔥✅'.repeat(50)],
])('%s is never taken for less than it is, nor for much more than twice of it', (_name, text) => {
  const factor = estimateTokens(text) / countTokens(text)

  expect(factor).toBeGreaterThanOrEqual(1)
  expect(factor).toBeLessThan(2.2)
})

test('a text fits that has no more characters than tokens may be, and otherwise by its estimate', () => {
  const text = 'a'.repeat(10)

  expect([fits('', 0), fits(text, 10), fits(text, 2), fits(text, 1)]).toEqual([true, true, true, false])
  expect(estimateTokens('')).toBe(0)
})

test('a value that fits without being written as JSON fits when it is written, too', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'é', '"', '\\', '\n', '\t', ' ', '日') })
  const plain = fc.oneof(text, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), fc.constant(null))
  const name = fc.stringMatching(/^[a-z]*$/)
  const { value: values } = fc.letrec((tie) => ({
    value: fc.oneof({ maxDepth: 3 }, plain, fc.array(tie('value')), fc.dictionary(name, tie('value'))),
  }))
  fc.assert(
    fc.property(values, (value) => {
      const { length } = JSON.stringify(value)
      // One that has no room left is looked at closely, and its estimate then counts.
      expect(fitsAsJson(value, length - 1)).toBe(fits(JSON.stringify(value), length - 1))
    }),
  )
})

// The answers of tools over many objects.

const id = (at: number) => `0199a7c2-5f00-7b3a-8c41-${String(at).padStart(12, '0')}`
const many = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at))
const occurredAt = '2026-11-22T09:30:00.000Z'

type Crowded = {
  readonly what: string
  readonly tool: ToolName
  readonly args: Arguments
  /** The one that the tool calls, and what there is. */
  readonly operation: string
  readonly body: { readonly data?: readonly object[]; readonly [member: string]: unknown }
  /** How the answer says that there is more. */
  readonly told: object
}

/** The operation answers with no more than the limit that it is asked for. */
function run({ tool, args, operation, body }: Crowded): Promise<ToolAnswer> {
  const execute: Execute = async ({ operation: { name }, input }) => {
    if (name !== operation) throw new Error(`Calls ${name}`)
    const { limit = 200 } = input as { readonly limit?: number }
    return { body: body.data === undefined ? body : { ...body, data: body.data.slice(0, limit) }, replayed: false }
  }
  return runners[tool](args, exchangeOf({ scopes: ['workspaces:read', 'tasks:read', 'events:read'], execute }))
}

const page = { limit: 200, nextCursor: null, hasMore: false }
const options = many(100, (n) => `An option with a long name, number ${n}`)
const field = { target: 'task', type: 'select', required: false, archivedAt: null, options }
const data = { identifier: 'WEB-1', title: 'A task with a title' }
const event = { type: 'tasks.updated', occurredAt, actor: { name: 'Agent' }, resource: { id: id(1) }, data }
const change = { from: 'Some text that stood here before. '.repeat(9), to: 'Some text that is now. '.repeat(9) }
const comment = { createdAt: occurredAt, createdBy: { name: 'Ada' }, body: 'A long story. '.repeat(300) }
const flaw = { detail: 'This value is not allowed.', allowed: many(30, id) }
const errors = many(20, (n) => ({ pointer: `/items/0/data/field${n}`, ...flaw }))
const problem = { code: 'validation_failed', detail: 'Unacceptable values.', errors }

const changes: Crowded = {
  what: 'many long changes',
  tool: 'changes.list',
  args: { limit: 200 },
  operation: 'events.list',
  body: {
    data: many(200, (n) => ({ ...event, id: id(n), sequence: n + 1, changes: { title: change, description: change } })),
    lastSequence: 200,
    hasMore: false,
  },
  told: { hasMore: true },
}
const groups: Crowded = {
  what: 'a thousand groups',
  tool: 'objects.count',
  args: { type: 'crm-entities', groupBy: 'industry' },
  operation: 'crm-entities.count',
  body: { total: 1_007, groups: many(1_000, (n) => ({ value: `Industry number ${n}`, count: 1 })), moreGroups: 7 },
  told: { truncated: true },
}

test.skipIf(lacksForeign).each<Crowded>([
  changes,
  groups,
  {
    what: 'fields with a hundred options',
    tool: 'search.query',
    args: { types: ['custom-fields'], limit: 50 },
    operation: 'custom-fields.list',
    body: { data: many(200, (n) => ({ ...field, key: `field_${n}`, label: `Field ${n}` })), page },
    told: { hasMore: true },
  },
  {
    what: 'comments of many pages',
    tool: 'comments.list',
    args: { type: 'tasks', id: 'WEB-1', detail: 'full', limit: 100 },
    operation: 'tasks.list-comments',
    body: { data: many(100, (n) => ({ id: id(n), ...comment })), page },
    told: { truncated: true },
  },
  {
    what: 'fifty refusals of twenty values each',
    tool: 'objects.bulk',
    args: { type: 'tasks', items: many(50, () => ({ action: 'create' })) },
    operation: 'tasks.batch',
    body: { results: many(50, (n) => ({ index: n, status: 422, problem })) },
    told: { outcomes: many(50, () => ({})) },
  },
])('$tool fits with $what', async (each) => {
  const { structured, text } = await run(each)

  expect(countTokens(text)).toBeLessThanOrEqual(maxTokensDefault)
  expect(countTokens(JSON.stringify(structured))).toBeLessThanOrEqual(maxTokensDefault)
  expect(countTokens(text)).toBeGreaterThan(1_000)
  expect(structured).toMatchObject(each.told)
})

test('groups that did not fit are counted; changes are read on from the last one that did', async () => {
  const { groups: shown, moreGroups } = (await run(groups)).structured as { groups: object[]; moreGroups: number }
  const { structured, text } = await run(changes)

  const { data: told, next } = structured as { data: readonly { eventId: string }[]; next: string }
  expect(shown.length + moreGroups).toBe(1_007)
  expect(told.at(-1)?.eventId).toBe(id(Number(next) - 1))
  expect(text).toContain(`There is more: since "${next}".`)
})
