// Lists within a budget: read on by its cursors, every item comes once.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { callTool } from '../../../../service/mcp/tools/run-tool.ts'
import type { Execute } from '../../../../service/execution/call.ts'
import { estimateTokens, cutToFit, fits, fitsAsJson } from '../../../../service/mcp/tools/budget.ts'
import { exchangeOf } from './exchange.ts'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'

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

const itemsDrawn = fc
  .array(
    fc.record({
      title: fc.lorem({ maxCount: 40 }),
      labels: fc.array(fc.oneof(fc.lorem({ maxCount: 200 }), fc.string({ unit: 'grapheme', maxLength: 60 })), {
        maxLength: 30,
      }),
    }),
    { maxLength: 60 },
  )
  .map((items) => items.map((item, at) => ({ id: `i${at}`, ...item })))

test('nothing is lost and nothing comes twice, and no answer passes its budget', async () => {
  await fc.assert(
    fc.asyncProperty(
      itemsDrawn,
      fc.integer({ min: 1, max: 60 }),
      fc.integer({ min: 500, max: 3_000 }),
      async (items, limit, maxTokens) => {
        const answers = await readAll(items, { limit, maxTokens })

        expect(answers.flatMap(({ answer }) => answer.data.map(({ id }) => id))).toEqual(items.map(({ id }) => id))
        for (const { answer, text } of answers) {
          expect(estimateTokens(text)).toBeLessThanOrEqual(maxTokens)
          expect(estimateTokens(JSON.stringify(answer))).toBeLessThanOrEqual(maxTokens)
          if (answer.page.hasMore && answer.data.length < limit) expect(answer.truncated).toBe(true)
        }
      },
    ),
    { numRuns: 150 },
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

test('what fits stays as it is', () => {
  const object = { id: '1', description: 'short' }

  expect(cutToFit(object, 100)).toEqual({ object, cut: {} })
})

test('the longest text is cut, with a mark in it and its lengths beside it', () => {
  const { object, cut } = cutToFit({ id: '1', status: 'active', description: 'word '.repeat(2_000) }, 500)

  expect(object).toMatchObject({ id: '1', status: 'active' })
  expect(object['description']).toMatch(/^(word )+w?o?r?d?… \[cut: (\d+) of 10000 characters\]$/)
  expect(cut['description']).toMatch(/^\d+ of 10000 characters$/)
})

test('a list that is too long is left out by name', () => {
  const { object, cut } = cutToFit({ id: '1', memberIds: Array.from({ length: 500 }, (_, at) => `member-${at}`) }, 300)

  expect([object, cut]).toEqual([{ id: '1' }, { memberIds: 'left out' }])
})

test('whatever is cut fits, and whatever is missing is named', () => {
  const value = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 3_000 }),
    fc.lorem({ maxCount: 800 }),
    fc.array(fc.uuid(), { maxLength: 80 }),
  )
  fc.assert(
    fc.property(
      fc.dictionary(fc.stringMatching(/^[a-z]{3,8}$/), value),
      fc.integer({ min: 200, max: 2_000 }),
      (fields, tokensMax) => {
        const { object, cut } = cutToFit({ id: '1', ...fields }, tokensMax)

        const changed = Object.keys(fields).filter((name) => object[name] !== fields[name])
        expect(Object.keys(cut).toSorted()).toEqual(changed.toSorted())
        if (!['name', 'title', 'key', 'kind'].some((name) => name in fields))
          expect(estimateTokens(JSON.stringify(object))).toBeLessThanOrEqual(tokensMax)
      },
    ),
  )
})

// The estimate of tokens beside a tokenizer.

const root = join(import.meta.dirname, '../../../..')
const row = () => ({
  id: randomUUID(),
  identifier: 'WEB-42',
  title: 'Angebot für Müller',
  dueDate: '2026-12-01',
  version: 3,
})

test.each([
  ['English with code', readFileSync(join(root, 'docs/api.md'), 'utf8').slice(0, 20_000)],
  ['rows as JSON', JSON.stringify(Array.from({ length: 30 }, row))],
  ['rows as text', Array.from({ length: 30 }, () => Object.values(row()).join(' | ')).join('\n')],
  [
    'German',
    'Die Besprechung über die Gehälter der Mitarbeiterinnen findet am Donnerstag um fünfzehn Uhr statt. '.repeat(20),
  ],
  ['Polish', 'Proszę przesłać sprawozdanie do końca tygodnia wszystkim współpracownikom. '.repeat(20)],
  ['Russian', 'Пожалуйста, отправьте отчёт о проделанной работе до конца недели. '.repeat(20)],
  ['Japanese', '本日の会議の議事録を共有いたします。次回の打ち合わせは来週の月曜日です。'.repeat(20)],
  ['emoji', '🎉🚀👩‍💻🔥✅'.repeat(50)],
])('%s is never taken for less than it is, nor for much more than twice of it', (_name, text) => {
  const factor = estimateTokens(text) / countTokens(text)

  expect(factor).toBeGreaterThanOrEqual(1)
  expect(factor).toBeLessThan(2.2)
})

test('a text fits that has no more characters than tokens may be, and otherwise by its estimate', () => {
  expect([fits('', 0), fits('aaaaaaaaaa', 10), fits('aaaaaaaaaa', 2), fits('aaaaaaaaaa', 1)]).toEqual([
    true,
    true,
    true,
    false,
  ])
  expect(estimateTokens('')).toBe(0)
})

test('a value that fits without being written as JSON fits when it is written, too', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'é', '"', '\\', '\n', '\t', ' ', '日') })
  const plain = fc.oneof(text, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), fc.constant(null))
  const { value: values } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      plain,
      fc.array(tie('value')),
      fc.dictionary(fc.stringMatching(/^[a-z]*$/), tie('value')),
    ),
  }))
  fc.assert(
    fc.property(values, (value) => {
      const { length } = JSON.stringify(value)
      // One that has no room left is looked at closely, and its estimate then counts.
      expect(fitsAsJson(value, length - 1)).toBe(fits(JSON.stringify(value), length - 1))
    }),
  )
})

test('a value that does not fit as JSON is found out', () => {
  expect(fitsAsJson({ text: 'a'.repeat(40) }, 40)).toBe(true)
  expect(fitsAsJson({ text: '日'.repeat(40) }, 40)).toBe(false)
})
