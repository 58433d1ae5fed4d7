// Pages of lists, against a model: whatever the order, the filter and the size of the page, every row comes once.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { operations } from '#contract/api.ts'
import { isNullable, type SchemaNode } from '#contract/json-schema.ts'
import { describeModes, must, sharedSystem, type Answer, type Tenant } from '../support/system.ts'
import { callsOf, type Body } from './calls.ts'

const priorities = ['none', 'low', 'medium', 'high', 'urgent']
const statuses = ['backlog', 'todo', 'done'] as const
const rowsInAll = 24

const row = fc.record({
  name: fc.string({ unit: fc.constantFrom('a', 'B', 'c', 'ä', 'ß', '-'), minLength: 1, maxLength: 2 }),
  date: fc.option(fc.constantFrom('2026-03-01', '2026-03-02', '2026-12-31')),
  priority: fc.constantFrom(...priorities),
  // Halves and neighbours that differ in the last of their digits, below zero and far beyond it.
  position: fc.constantFrom(-1e15, -1.5, 0, 0.1, 0.30000000000000004, 0.3, 7, 1024, 1e15),
  status: fc.constantFrom(...statuses),
})
type Row = typeof row extends fc.Arbitrary<infer Value> ? Value : never

/** Of so many fields, each in either direction. */
const orderOf = ({ sorts, most }: Sorted) =>
  fc
    .shuffledSubarray([...sorts], { minLength: 1, maxLength: Math.min(most, sorts.length) })
    .chain((fields) => fc.tuple(...fields.map((field) => fc.constantFrom(field, `-${field}`))))

const names = new Intl.Collator('und')

/** What is empty comes last in both directions; priorities go by urgency, names by Unicode, and ids settle ties. */
function compared(sort: readonly string[]): (a: Body, b: Body) => number {
  const last = sort.at(-1) ?? ''
  const keys = [...sort, last.startsWith('-') ? '-id' : 'id']
  return (a, b) => {
    for (const key of keys) {
      const field = key.replace('-', '')
      const [one, other] = [placeOf(a, field), placeOf(b, field)]
      if (one === other) continue
      if (one === null || other === null) return one === null ? 1 : -1
      const isName = typeof one === 'string' && ['name', 'title'].includes(field)
      const order = isName ? names.compare(one, String(other)) : one < other ? -1 : 1
      if (order !== 0) return key.startsWith('-') ? -order : order
    }
    return 0
  }
}

function placeOf(row: Body, field: string): string | number | null {
  if (field === 'priority') return priorities.indexOf(row.priority)
  return field === 'amount' ? row.amount && Number(row.amount.amount) : row[field]
}

/** A value of a field that may be empty, made of a day. */
const filled = (field: string, day: string | null) =>
  field === 'amount' && day !== null
    ? { amount: String(20261115 - Number(day.replaceAll('-', ''))), currency: 'EUR' }
    : day

type Sorted = Readonly<Record<'sorts' | 'nullable', readonly string[]> & { path: string; most: number }>

/** Every list that can be sorted, with the fields that an object may have empty. */
const sortedLists = operations.flatMap(({ http, audiences, input, output }): Sorted[] => {
  const sort: SchemaNode = input.properties['sort'] ?? {}
  const items: SchemaNode = sort.items ?? {}
  const words = sort.enum ?? items.enum
  if (words === undefined || !audiences.includes('api') || http.includes('{')) return []
  const [sorts, most] = [words.map(String).filter((word) => !word.startsWith('-')), items.enum === undefined ? 1 : 3]
  const { properties: page = {} }: SchemaNode = output
  const data: SchemaNode = page['data'] ?? {}
  const { properties: fields = {} }: SchemaNode = data.items ?? {}
  const nullable = Object.entries(fields).flatMap(([name, each]) => (isNullable(each) ? [name] : []))
  return [{ path: http.replace('GET ', ''), sorts, most, nullable: nullable.filter((name) => sorts.includes(name)) }]
})

describeModes('pages', (mode) => {
  const { system } = sharedSystem(mode)

  /** Follows the links from page to page; no more of them than there can be. */
  async function pagesOf(path: string, who: Tenant): Promise<Body[][]> {
    const pages: Body[][] = []
    let next: string | undefined = path
    while (next !== undefined) {
      const answer: Answer = await who.api('GET', next)
      const { data, page } = must(answer)
      pages.push(data)
      next = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1]
      expect([page.hasMore, page.nextCursor !== null]).toEqual([next !== undefined, next !== undefined])
      if (pages.length > rowsInAll) throw new Error('The pages never end')
    }
    return pages
  }

  test.each(sortedLists)(
    'of $path every row comes once and in order, whatever the sort, the filter and the size of the page, and last what has none of the sorted field',
    async (list) => {
      const { path, sorts, nullable } = list
      const tenant = await system.tenant()
      const projectId = (await callsOf(tenant).post('/projects', { name: 'Website' })).id
      const create = path === '/members' ? tenant.settings : tenant.api
      const at = path === '/members' ? path : `/api/v1${path}`
      for (const drawn of fc.sample(row, { numRuns: rowsInAll, seed: 20_260_301 })) {
        const dates = Object.fromEntries(nullable.map((field) => [field, filled(field, drawn.date)]))
        const priority = sorts.includes('priority') && { priority: drawn.priority }
        must(await create('POST', at, { ...creating(path, drawn, projectId), ...priority, ...dates }))
      }
      const all: Body[] = must(await tenant.api('GET', `/api/v1${path}?limit=200`)).data
      expect(all.length).toBeGreaterThanOrEqual(rowsInAll)
      for (const field of nullable) expect(new Set(all.map((each) => each[field] === null)).size).toBe(2)
      const size = fc.integer({ min: 2, max: rowsInAll })
      const ofTasks = fc.subarray([...statuses], { minLength: 1 })
      const filter = path === '/tasks' ? ofTasks : fc.constant(null)

      await fc.assert(
        fc.asyncProperty(orderOf(list), filter, size, async (sort, status, limit) => {
          const filtered = status === null ? '' : `&status=${status.join(',')}`
          const pages = await pagesOf(`/api/v1${path}?sort=${sort.join(',')}&limit=${limit}${filtered}`, tenant)

          const expected = all.filter((each) => status?.includes(each.status) ?? true).toSorted(compared(sort))
          expect(pages.flat().map(({ id }) => id)).toEqual(expected.map(({ id }) => id))
          expect(pages.slice(0, -1).every((page) => page.length === limit)).toBe(true)
        }),
        { numRuns: path === '/tasks' ? 25 : 2 * sorts.length },
      )
    },
  )
})

/** What an object of the list is made with. */
function creating(path: string, { name, position, status }: Row, projectId: string): object {
  if (path === '/tasks') return { title: name, projectId, position, status }
  if (path === '/documents') return { title: name }
  if (path === '/comments') return { projectId, body: name }
  if (path === '/files') return { name: name.replaceAll(/[/\\]/g, '-'), bytes: 1 }
  if (path === '/crm-entities') return { kind: 'deal', name }
  return path === '/members' ? { name, email: `${crypto.randomUUID()}@example.com`, role: 'member' } : { name }
}
