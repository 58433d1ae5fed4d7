// Lists within a budget: read on by its cursors, every item comes once.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { callTool } from '../../../service/mcp/tools/run-tool.ts'
import type { Execute } from '../../../service/execution/call.ts'
import { estimateTokens } from '../../../service/mcp/tools/budget.ts'
import { exchangeOf } from './exchange.ts'

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
