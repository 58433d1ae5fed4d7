// Pages of lists, against a model: whatever the order, the filter and the size of the page, every row comes once.
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { operations } from '#contract/api.ts'
import { isNullable, type SchemaNode } from '#contract/json-schema.ts'
import { describeModes, must, sharedSystem, type Answer } from '../support/system.ts'

type Body = Answer['body']

const sorts = ['createdAt', 'updatedAt', 'title', 'dueDate', 'priority', 'position'] as const
const priorities = ['none', 'low', 'medium', 'high', 'urgent']
const statuses = ['backlog', 'todo', 'done'] as const
const rowsInAll = 60

const title = fc.string({ unit: fc.constantFrom('a', 'B', 'c', 'ä', 'ß', '-'), minLength: 1, maxLength: 2 })
const dueDate = fc.option(fc.constantFrom('2026-03-01', '2026-03-02', '2026-12-31'))
const priority = fc.constantFrom(...priorities)
// Halves and neighbours that differ in the last of their digits, below zero and far beyond it.
const position = fc.constantFrom(-1e15, -1.5, 0, 0.1, 0.30000000000000004, 0.3, 7, 1024, 1e15)
const row = fc.record({ title, dueDate, priority, position, status: fc.constantFrom(...statuses) })

const direction = fc.boolean()
const order = fc
  .shuffledSubarray([...sorts], { minLength: 1, maxLength: 3 })
  .chain((fields) =>
    fc.tuple(...fields.map((field) => direction.map((descending) => (descending ? `-${field}` : field)))),
  )
const filter = fc.subarray([...statuses], { minLength: 1 })
const limit = fc.integer({ min: 4, max: rowsInAll })

const names = new Intl.Collator('und')

/**
 * The order that `sort` promises: what is empty comes after all others in both directions, priorities go by urgency,
 * names as Unicode orders them, ids settle ties.
 */
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

const placeOf = (row: Body, field: string): string | number | null =>
  field === 'priority' ? priorities.indexOf(row.priority) : row[field]

type Sorted = { readonly path: string; readonly sorts: readonly string[]; readonly nullable: readonly string[] }

/** Every list that can be sorted, with the fields that an object may have empty. */
const sortedLists = operations.flatMap(({ http, audiences, input, output }): Sorted[] => {
  const sort: SchemaNode = input.properties['sort'] ?? {}
  const items: SchemaNode = sort.items ?? {}
  const words = sort.enum ?? items.enum
  if (words === undefined || !audiences.includes('api') || http.includes('{')) return []
  const sorts = words.map(String)
  const { properties: page = {} }: SchemaNode = output
  const data: SchemaNode = page['data'] ?? {}
  const { properties: fields = {} }: SchemaNode = data.items ?? {}
  const nullable = Object.entries(fields).flatMap(([name, each]) => (isNullable(each) ? [name] : []))
  return [{ path: http.replace('GET ', ''), sorts, nullable: nullable.filter((name) => sorts.includes(name)) }]
})

describeModes('pages', (mode) => {
  const { system, tenant } = sharedSystem(mode)
  let rows: Body[]

  beforeAll(async () => {
    const project = must(await tenant.api('POST', '/api/v1/projects', { name: 'Website' }))
    const wanted = fc.sample(row, { numRuns: rowsInAll, seed: 20_260_301 })
    const made = await batch(wanted.map((data) => ({ action: 'create', data: { ...data, projectId: project.id } })))
    await batch(
      made.filter((_row, n) => n % 3 === 0).map(({ id }) => ({ action: 'update', id, data: { labels: ['changed'] } })),
    )
    rows = must(await tenant.api('GET', '/api/v1/tasks?limit=200')).data
  })

  async function batch(items: readonly object[]): Promise<Body[]> {
    const { results } = must(await tenant.api('POST', '/api/v1/tasks/batch', { items }))
    return results.map(({ data }: Body) => data)
  }

  /** Follows the links from page to page; no more of them than there can be. */
  async function pagesOf(path: string, who = tenant): Promise<Body[][]> {
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

  test('every row comes once and in order, whatever the sort, the filter and the size of the page', async () => {
    expect(rows).toHaveLength(rowsInAll)

    await fc.assert(
      fc.asyncProperty(order, filter, limit, async (sort, status, limit) => {
        const pages = await pagesOf(`/api/v1/tasks?sort=${sort.join(',')}&status=${status.join(',')}&limit=${limit}`)

        const expected = rows.filter((each) => status.includes(each.status)).toSorted(compared(sort))
        expect(pages.flat().map(({ id }) => id)).toEqual(expected.map(({ id }) => id))
        expect(pages.slice(0, -1).every((page) => page.length === limit)).toBe(true)
      }),
      { numRuns: 25 },
    )
  })

  test.each(sortedLists)(
    'the pages of $path hold every object once, in order, and last in both directions what has none of the sorted field',
    async ({ path, sorts, nullable }) => {
      const who = await system.tenant()
      const projectId = must(await who.api('POST', '/api/v1/projects', { name: 'Website' })).id
      for (const [n, name] of ['b', 'Ä', 'a', 'B', 'z', 'ß', 'A'].entries()) {
        const priority = sorts.includes('priority') ? { priority: priorities[(2 * n) % priorities.length] } : {}
        const dates = n % 2 === 0 ? {} : Object.fromEntries(nullable.map((field) => [field, `2026-03-0${1 + (n % 3)}`]))
        const create = path === '/members' ? who.settings : who.api
        const at = path === '/members' ? path : `/api/v1${path}`
        must(
          await create('POST', at, { ...creating(path, `${name} ${n % 2}`, { projectId, n }), ...priority, ...dates }),
        )
      }
      const all: Body[] = must(await who.api('GET', `/api/v1${path}?limit=200`)).data
      for (const field of nullable) expect(new Set(all.map((each) => each[field] === null)).size).toBe(2)

      for (const sort of sorts) {
        const pages = await pagesOf(`/api/v1${path}?sort=${sort}&limit=2`, who)

        const expected = all.toSorted(compared([sort])).map(({ id }) => id)
        expect(
          pages.flat().map(({ id }) => id),
          sort,
        ).toEqual(expected)
      }
    },
  )

  test('a row that is changed while pages are read comes at most once more and is never missing', async () => {
    const path = '/api/v1/tasks?sort=updatedAt&limit=20'
    const page = async (cursor = '') => must(await tenant.api('GET', path + cursor))
    const first = await page()
    const seen: Body[] = first.data
    let next: string | null = first.page.nextCursor

    for (const _change of [1, 2, 3]) {
      must(await tenant.api('PATCH', `/api/v1/tasks/${seen.at(-1).id}`, { description: `At ${seen.length}` }))
      const more = await page(`&cursor=${next}`)
      seen.push(...more.data)
      next = more.page.nextCursor
    }

    const last = new Map(seen.map((each) => [each.id, each.version]))
    const now: Body[] = must(await tenant.api('GET', '/api/v1/tasks?limit=200')).data
    expect(now.map(({ id }) => last.get(id))).toEqual(now.map(({ version }) => version))
    expect([seen.length, next]).toEqual([rowsInAll + 3, null])
  })
})

/** What an object of the list is made with. */
function creating(path: string, name: string, { projectId, n }: { projectId: string; n: number }): object {
  switch (path) {
    case '/tasks':
      return { title: name, projectId }
    case '/documents':
      return { title: name }
    case '/crm-entities':
      return { kind: 'company', name }
    case '/members':
      return { name, email: `member-${n}@example.com`, role: 'member' }
    default:
      return { name }
  }
}
