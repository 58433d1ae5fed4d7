// Lists and counts against a plain model in memory: random objects, and queries of up to three filters, each with
// values that some objects have, in a random order, by a random group.
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { operationNamed } from '#contract/api.ts'
import type { SchemaNode } from '#contract/json-schema.ts'
import { collectionSegments, type CollectionSegment } from '#contract/scopes.ts'
import { keyId } from '../../support/principal-headers.ts'
import { onEachEngine } from '../../support/database-engines.ts'
import { sharedService, type WorkspaceInService } from '../quiet-service.ts'

// A test states by its assertions what it expects of an object.
// oxlint-disable-next-line typescript/no-explicit-any
type Shown = Readonly<Record<string, any>>
type Query = Readonly<Record<string, string>>

/** The field that a filter is about, where it has another name. */
const fields: Readonly<Record<string, string>> = {
  ids: 'id',
  assigneeId: 'assigneeIds',
  memberId: 'memberIds',
  blockedById: 'blockedByIds',
  contactId: 'contactIds',
  domain: 'domains',
  email: 'emails',
  labelsAll: 'labels',
  tagsAll: 'tags',
  amountAbove: 'amount',
  amountBelow: 'amount',
  amountCurrency: 'amount',
}
const spans: Readonly<Record<string, string>> = {
  created: 'createdAt',
  updated: 'updatedAt',
  completed: 'completedAt',
  archived: 'archivedAt',
  closed: 'closedAt',
  due: 'dueDate',
  start: 'startDate',
  expectedClose: 'expectedCloseDate',
}

/** The values of an object that a filter compares, as text. */
function valuesOf(object: Shown, name: string): string[] {
  const of = (value: unknown): string[] => (value === null || value === undefined ? [] : [value].flat().map(String))
  if (name === 'createdBy' || name === 'updatedBy') return of(object[name].id)
  if (name === 'importedEmail') return of(object['imported']?.createdBy?.email)
  if (name === 'amountCurrency') return of(object['amount']?.currency)
  if (name.startsWith('customFields.')) return of(object['customFields'][name.slice('customFields.'.length)])
  if (name === 'externalSource') return object['externalIds'].map(({ source }: Shown) => source)
  const many = `${name}s`
  return of(object[fields[name] ?? (many in object ? many : name)])
}

function matches(object: Shown, name: string, given: string): boolean {
  const [, stem, side] = /^(.+)(After|Before)$/.exec(name) ?? []
  if (stem !== undefined) {
    const own: string | null | undefined = object[spans[stem]!]
    return own !== null && own !== undefined && (side === 'After' ? own > given : own < given)
  }
  const [, amountSide] = /^amount(Above|Below)$/.exec(name) ?? []
  if (amountSide !== undefined) {
    const own = Number(object['amount']?.amount ?? Number.NaN)
    return amountSide === 'Above' ? own > Number(given) : own < Number(given)
  }
  const own = valuesOf(object, name)
  const asked = given.split(',')
  if (name.endsWith('All')) return asked.every((value) => own.includes(value))
  if (asked.includes('any')) return own.length > 0
  const negated = asked[0]!.startsWith('!')
  const wanted = asked.map((value) => value.replace('!', ''))
  const plain = name === 'priority' || name === 'status' || name === 'kind'
  const found = wanted.some((value) => (value === 'none' && !plain ? own.length === 0 : own.includes(value)))
  return negated ? !found : found
}

/** Archived ones are left out unless they are asked for. */
function isListed(object: Shown, query: Query): boolean {
  if (query['includeArchived'] === 'true') return true
  if (object['object'] === 'document') return object['status'] !== 'archived' || /archived/.test(query['status'] ?? '')
  const asksWhen = Object.keys(query).some((name) => name.startsWith('archived'))
  return asksWhen || object['archivedAt'] === undefined || object['archivedAt'] === null
}

const expectedIn = (all: readonly Shown[], { includeArchived, ...query }: Query): Shown[] =>
  all.filter(
    (object) =>
      isListed(object, { ...query, ...(includeArchived && { includeArchived }) }) &&
      Object.entries(query).every(([name, given]) => matches(object, name, given)),
  )

const ranks = ['none', 'low', 'medium', 'high', 'urgent']

/** In the order of one sort, and by id where that says nothing. */
function inOrder(rows: readonly Shown[], sort: string): Shown[] {
  const [field, sign] = [sort.replace('-', ''), sort.startsWith('-') ? -1 : 1]
  const key = (row: Shown): unknown => {
    if (field === 'priority') return ranks.indexOf(row[field])
    return field === 'amount' ? row[field] && Number(row[field].amount) : row[field]
  }
  const byKey = (a: Shown, b: Shown): number => {
    const [one, other] = [key(a) ?? null, key(b) ?? null]
    if (one === other) return sign * (a['id'] < b['id'] ? -1 : 1)
    // What has no value comes last in both directions.
    if (one === null || other === null) return one === null ? 1 : -1
    return sign * (one < other ? -1 : 1)
  }
  return rows.toSorted(byKey)
}

const alternativesOf = ({ anyOf = [] }: SchemaNode): readonly SchemaNode[] => anyOf

/** The groups that an object is in, by one field. */
function groupsOf(object: Shown, by: string): (string | null)[] {
  const [name = '', part] = by.split(':')
  const values = valuesOf(object, name).map((value) => (part === 'month' ? value.slice(0, 7) : value))
  return values.length > 0 ? values : [null]
}

type Group = { values: (string | null)[]; count: number; sums: object[] }

function tally(rows: readonly Shown[], by: readonly string[], sum: string | undefined): Group[] {
  const pairs = rows.flatMap((row) =>
    groupsOf(row, by[0]!).flatMap((one) =>
      (by[1] === undefined ? [undefined] : groupsOf(row, by[1])).map((other) => ({ row, key: [one, other] })),
    ),
  )
  return [...Map.groupBy(pairs, ({ key }) => JSON.stringify(key))].map(([, of]) => ({
    values: of[0]!.key.filter((value) => value !== undefined),
    count: of.length,
    sums: sumsOf(
      of.map(({ row }) => row),
      sum,
    ),
  }))
}

type Sums = readonly { readonly currency: string | null; readonly sum: string }[]

/** By currency, in alphabetical order. */
function sumsOf(rows: readonly Shown[], sum: string | undefined): object[] {
  const numbers = rows.flatMap((row): { currency: string | null; number: number }[] => {
    const value = row[sum ?? ''] ?? null
    if (value === null) return []
    return [
      sum === 'amount' ? { currency: value.currency, number: Number(value.amount) } : { currency: null, number: value },
    ]
  })
  return [...Map.groupBy(numbers, ({ currency }) => currency)]
    .toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1))
    .map(([currency, of]) => ({ currency, sum: of.reduce((total, { number }) => total + number, 0) }))
}

/** An answer has 300.00 where amounts have decimals. */
const asNumbers = (sums: Sums = []): object[] => sums.map(({ currency, sum }) => ({ currency, sum: Number(sum) }))

const shape = ['limit', 'cursor', 'fields', 'expand', 'includeTotal', 'includeDeleted', 'sort']
const notCompared = new Set([...shape, 'q', 'externalId'])
const choices = (segment: CollectionSegment, action: 'list' | 'count', name: string): string[] => {
  const schema: SchemaNode | undefined = operationNamed(`${segment}.${action}`).input.properties[name]
  const { enum: values = [] }: SchemaNode = schema?.items ?? schema ?? {}
  return values.map(String)
}

/** Queries of up to three filters that the contract has, with values that some objects have, or none. */
function arbitraryQuery(segment: CollectionSegment, all: readonly Shown[]): fc.Arbitrary<Query> {
  const { properties } = operationNamed(`${segment}.list`).input
  const names = Object.keys(properties).filter((name) => !notCompared.has(name) && name !== 'customFields')
  const named = segment === 'documents' ? names : [...names, 'customFields.size', 'customFields.colours']
  const one = fc
    .constantFrom(...named)
    .chain((name) => arbitraryValue(segment, name, all).map((value) => ({ [name]: value })))
  return fc.array(one, { minLength: 1, maxLength: 3 }).map((several): Query => {
    const query: Record<string, string> = Object.assign({}, ...several)
    // A bound needs its currency, and a span must not be empty.
    if ('amountAbove' in query || 'amountBelow' in query) query['amountCurrency'] = 'EUR'
    for (const name of Object.keys(query)) {
      const opposite = name.replace(/After$/, 'Before').replace(/Above$/, 'Below')
      if (opposite !== name) delete query[opposite]
    }
    return query
  })
}

function arbitraryValue(segment: CollectionSegment, name: string, all: readonly Shown[]): fc.Arbitrary<string> {
  if (name === 'includeArchived') return fc.constantFrom('true', 'false')
  const single = /(?:After|Before|Above|Below)$/.exec(name)
  if (single) {
    const stem = name.slice(0, -single[0].length)
    const bounds = all.flatMap((object) => (stem === 'amount' ? object['amount']?.amount : object[spans[stem]!]) ?? [])
    return fc.constantFrom(
      ...(bounds.length > 0 ? bounds : [stem.endsWith('Close') ? '2026-01-01' : '2026-01-01T00:00:00Z']),
    )
  }
  const listed = choices(segment, 'list', name)
  if (listed.length === 2) return fc.constantFrom('none', 'any')
  const own = [...new Set(all.flatMap((object) => valuesOf(object, name)))].filter((value) => !/[,!\\]/.test(value))
  const mayBeEmpty =
    !['status', 'kind', 'priority', 'ids', 'createdBy', 'updatedBy', 'importedEmail'].includes(name) &&
    !name.endsWith('All')
  const isProject = segment === 'tasks' && name === 'projectId'
  const marks = mayBeEmpty && !isProject ? ['none'] : []
  const several = fc.uniqueArray(fc.constantFrom(...own, ...marks), { minLength: 1, maxLength: 3 })
  const plain = several.map((values) => values.join(','))
  // Of no kind at all there are no custom fields.
  if (name === 'ids' || name === 'kind' || name === 'importedEmail' || name.endsWith('All')) return plain
  const without = several.map((values) => values.map((value) => `!${value}`).join(','))
  return marks.length > 0 ? fc.oneof(plain, without, fc.constant('any')) : fc.oneof(plain, without)
}

onEachEngine((kind) => {
  const newWorkspace = sharedService(kind)
  let workspace: WorkspaceInService
  const all = new Map<CollectionSegment, readonly Shown[]>()

  beforeAll(async () => {
    workspace = await newWorkspace()
    await fill(workspace)
    for (const segment of collectionSegments) {
      const archived = 'includeArchived' in operationNamed(`${segment}.list`).input.properties
      const { body } = await workspace.call('GET', `/${segment}?limit=200${archived ? '&includeArchived=true' : ''}`)
      all.set(segment, body.data)
    }
  }, 60_000)

  test.each(collectionSegments)(
    'a list and a count of %s are what a plain model says, whatever is asked',
    async (segment) => {
      const rows = all.get(segment)!
      const sorts = choices(segment, 'list', 'sort')
      const { groupBy, sum } = operationNamed(`${segment}.count`).input.properties as Record<string, SchemaNode>
      const names = alternativesOf(groupBy!.items!)[0]!.enum!.map(String)
      const own = segment === 'documents' ? [] : ['customFields.size', 'customFields.colours']
      const asked = fc.record({
        query: arbitraryQuery(segment, rows),
        sort: fc.constantFrom(...sorts),
        by: fc.uniqueArray(fc.constantFrom(...names, ...own), { minLength: 1, maxLength: 2 }),
        added: fc.constantFrom(undefined, ...(sum?.enum ?? []).map(String)),
      })

      await fc.assert(
        fc.asyncProperty(asked, async ({ query, sort, by, added }) => {
          const text = new URLSearchParams(query).toString()
          const expected = expectedIn(rows, query)

          const listed = await workspace.call('GET', `/${segment}?limit=200&includeTotal=true&sort=${sort}&${text}`)
          const summed = added === undefined ? '' : `&sum=${added}`
          const counted = await workspace.call('GET', `/${segment}/count?groupBy=${by.join()}${summed}&${text}`)

          expect([listed.status, counted.status], JSON.stringify(listed.body.errors)).toEqual([200, 200])
          expect(listed.body.page.total).toBe(expected.length)
          expect(listed.body.data.map(({ id }: Shown) => id)).toEqual(inOrder(expected, sort).map(({ id }) => id))
          const { total, sums, groups, moreGroups } = counted.body
          expect([total, moreGroups, asNumbers(sums)]).toEqual([expected.length, 0, sumsOf(expected, added)])
          const shown = groups.map(({ value, values = [value], count, sums: of }: Shown) => ({
            values,
            count,
            sums: asNumbers(of as Sums),
          }))
          expect(new Set(shown)).toEqual(new Set(tally(expected, by, added)))
        }),
        { numRuns: 100 },
      )
    },
  )

  test.each([
    ['tasks?assigneeId=any,none', 'assigneeId wrong_format'],
    ['tasks?dueDate=2026-01-01', 'dueDate not_in_list'],
    ['projects?status=none', 'status not_in_list'],
    ['projects?companyId=!any', 'companyId wrong_format'],
    ['tasks?externalId=co-1', 'externalSource required'],
    ['crm-entities?amountAbove=1', 'amountCurrency required'],
    ['crm-entities?amountBelow=1&amountCurrency=EUR,USD', 'amountCurrency required'],
    ['crm-entities?amountBelow=1&amountCurrency=any', 'amountCurrency required'],
    ['crm-entities?amountBelow=1&amountAbove=1.0&amountCurrency=EUR', 'amountBelow too_small'],
    ['crm-entities?amountCurrency=eur', 'amountCurrency wrong_format'],
    ['tasks?customFields.size=any,7', 'customFields.size wrong_format'],
    ['tasks?startAfter=2026-01-02&startBefore=2026-01-03', 'startBefore too_small'],
  ])('that nobody can mean is refused by name: GET %s, %s', async (path, refusal) => {
    const { status, body } = await workspace.call('GET', `/${path}`)

    expect([status, body.code]).toEqual([400, 'invalid_parameter'])
    expect(`${body.errors[0].parameter} ${body.errors[0].code}`).toBe(refusal)
  })

  test('what is called none or any is found by its name behind a backslash', async () => {
    const own = await newWorkspace()
    await own.call('POST', '/projects', { name: 'Key', key: 'NONE' })
    const named = [['none'], ['any', 'x'], ['\\none'], []]
    for (const labels of named) await own.call('POST', '/projects', { name: JSON.stringify(labels), labels })
    await own.call('POST', '/documents', { title: 'of it', projectId: 'NONE' })
    await own.call('POST', '/documents', { title: 'of none' })
    const found = async (path: string) =>
      (await own.call('GET', path)).body.data.map(({ name, title }: Shown) => name ?? title).toSorted()
    const labelled = (value: string) => found(`/projects?labels=${encodeURIComponent(value)}`)

    expect(await labelled('\\none')).toEqual(['["none"]'])
    expect(await labelled('\\none,\\any')).toEqual(['["any","x"]', '["none"]'])
    expect(await labelled(String.raw`\\\\none`)).toEqual([String.raw`["\\none"]`])
    expect(await labelled('none')).toEqual(['Key', '[]'])
    expect(await labelled('!\\none,!none')).toEqual([String.raw`["\\none"]`, '["any","x"]'])
    expect(await found('/documents?projectId=NONE')).toEqual(['of it'])
    expect(await found('/documents?projectId=none')).toEqual(['of none'])
  })

  test('months are those of the time zone that is asked for, or of the workspace; an offset is none', async () => {
    const { call, db, workspaceId } = await newWorkspace()
    await call('POST', '/projects', { name: 'At the turn of a month' })
    await db.project.updateMany({ where: { workspaceId }, data: { createdAt: '2026-01-31T23:30:00Z' } })
    const months = async (zone: string) => {
      const { body } = await call('GET', `/projects/count?groupBy=createdAt:month${zone}`)
      return body.groups?.map(({ value }: Shown) => value) ?? `${body.errors[0].parameter} ${body.errors[0].code}`
    }
    const inZone = (timeZone: string) => db.workspace.update({ where: { id: workspaceId }, data: { timeZone } })

    await inZone('Asia/Tokyo')
    expect(await months('')).toEqual(['2026-02'])
    expect(await months('&timeZone=UTC')).toEqual(['2026-01'])
    expect(await months('&timeZone=Europe/Berlin')).toEqual(['2026-02'])
    expect(await months('&timeZone=%2B02:00')).toBe('timeZone wrong_format')
    expect(await months('&timeZone=Mars/Olympus')).toBe('timeZone wrong_format')
    await inZone('+02:00')
    expect(await months('')).toBe('timeZone required')
    const zones = Intl.supportedValuesOf('timeZone')
    expect(await db.$queryRaw`SELECT count(now() AT TIME ZONE zone)::int FROM unnest(${zones}::text[]) zone`).toEqual([
      { count: zones.length },
    ])
  })

  test('objects are found by the ids of one other system, and members by their email', async () => {
    const own = await newWorkspace()
    for (const [source, id] of [
      ['erp', '1'],
      ['erp', '2'],
      ['crm', '1'],
    ])
      await own.call('PUT', `/crm-entities/by-external-id/${source}/${id}`, {
        kind: 'company',
        name: `${source} ${id}`,
      })
    await own.settings('POST', '/members', { name: 'Ben', email: 'ben@example.com' })
    const names = async (path: string) =>
      (await own.call('GET', path)).body.data.map(({ name }: Shown) => name).toSorted()

    await own.call('PUT', '/crm-entities/ext:crm%2F1/external-ids/erp', { externalId: '3' })
    expect(await names('/crm-entities?externalSource=erp&externalId=1,3,4')).toEqual(['crm 1', 'erp 1'])
    expect(await names('/crm-entities?externalSource=!erp&externalId=1')).toEqual([])
    expect(await names('/crm-entities?externalSource=erp,crm&externalId=1')).toEqual(['crm 1', 'erp 1'])
    expect(await names('/members?email=BEN@example.com,nobody@example.com')).toEqual(['Ben'])
    expect(await names('/crm-entities?createdBy=me')).toEqual(['crm 1', 'erp 1', 'erp 2'])
    expect(await names(`/crm-entities?createdBy=!${keyId}`)).toEqual([])
  })
})

const pick = <T>(values: readonly T[], at: number): T => values[at % values.length]!
const day = (at: number): string => `2026-0${1 + (at % 8)}-1${at % 7}`

/** Objects whose fields have a value, or none, in most combinations. */
async function fill({ call, settings }: WorkspaceInService): Promise<void> {
  const made = async (path: string, body: object): Promise<string> => {
    const { status, body: shown } = await call('POST', path, body)
    if (status !== 201) throw new Error(JSON.stringify(shown))
    return shown.id
  }
  const members: string[] = []
  for (const name of ['Ada', 'Ben', 'Cyd'])
    members.push((await settings('POST', '/members', { name, email: `${name.toLowerCase()}@example.com` })).body.id)
  for (const target of ['project', 'task', 'company', 'contact', 'deal']) {
    await settings('POST', '/custom-fields', { key: 'size', target, type: 'number', label: 'Size' })
    const options = ['red', 'green', 'blue']
    await settings('POST', '/custom-fields', {
      key: 'colours',
      target,
      type: 'multi_select',
      label: 'Colours',
      options,
    })
  }
  const ids = (from: readonly string[], at: number): string[] => from.filter((_, index) => (at >> index) & 1)
  const history = (at: number) =>
    at % 3 === 1 && {
      imported: {
        createdAt: `20${10 + (at % 10)}-0${1 + (at % 9)}-01T00:00:00Z`,
        ...(at % 2 === 0 && {
          createdBy: { name: 'Dot', email: pick(['dot@old.example', 'eve@old.example'], at / 2) },
        }),
      },
    }
  const fieldsOf = (at: number) => ({
    ...history(at),
    labels: ids(['x', 'y', 'z'], at % 8),
    customFields: {
      ...(at % 3 > 0 && { size: at % 4 }),
      ...(at % 5 > 1 && { colours: ids(['red', 'green', 'blue'], at % 8) }),
    },
    ...(at % 4 > 1 && { externalSource: pick(['erp', 'crm'], at), externalId: `${at}` }),
  })
  const companies: string[] = []
  const contacts: string[] = []
  for (let at = 0; at < 12; at += 1) {
    const ownerId = pick([...members, null], at)
    const own = { ...fieldsOf(at), ownerId }
    const [parentCompanyId, companyId] = [pick([null, ...companies], at), pick([null, ...companies], at + 1)]
    companies.push(
      await made('/crm-entities', {
        ...own,
        kind: 'company',
        name: `Company ${at}`,
        parentCompanyId,
        externalId: undefined,
        externalSource: undefined,
        externalIds: ids(['erp', 'crm', 'old'], at % 8).map((source) => ({ source, id: `c${at}` })),
        domains: ids([`a${at}.example`, `b${at}.example`], at % 4),
      }),
    )
    contacts.push(
      await made('/crm-entities', {
        ...own,
        kind: 'contact',
        firstName: `Contact ${at}`,
        companyId,
        emails: ids([`a${at}@x.example`, `b${at}@x.example`], at % 4),
        externalSource: null,
        externalId: null,
      }),
    )
    const amount = at % 3 === 0 ? null : { amount: `${100 * (at % 5) - 200}.50`, currency: pick(['EUR', 'USD'], at) }
    const stage = pick(['new', 'won', 'lost', 'proposal'], at)
    await made('/crm-entities', {
      ...own,
      kind: 'deal',
      name: `Deal ${at}`,
      amount,
      stage,
      companyId,
      contactIds: ids(contacts, at % 8),
      expectedCloseDate: pick([null, day(at)], at >> 1),
      externalSource: null,
      externalId: null,
    })
  }
  const projects: string[] = []
  for (let at = 0; at < 24; at += 1) {
    const plan = {
      startDate: pick([null, day(at)], at >> 2),
      dueDate: pick([null, day(at).replace('2026', '2027')], at >> 1),
    }
    const [ownerId, companyId] = [pick([...members, null], at), pick([null, ...companies], at >> 1)]
    const state = {
      status: pick(['planned', 'active', 'completed'], at),
      priority: pick(ranks, at),
      health: pick([null, 'at_risk'], at >> 3),
    }
    projects.push(
      await made('/projects', {
        name: `Project ${at}`,
        ...fieldsOf(at),
        ...plan,
        ...state,
        ownerId,
        companyId,
        memberIds: ids(members, at % 8),
      }),
    )
    if (at % 6 === 5) await call('POST', `/projects/${projects.pop()}/archive`)
  }
  const tasks: string[] = []
  for (let at = 0; at < 40; at += 1) {
    const plan = {
      startDate: pick([null, day(at)], at >> 2),
      dueDate: pick([null, day(at).replace('2026', '2027')], at >> 1),
    }
    const state = {
      status: pick(['todo', 'done', 'backlog'], at),
      priority: pick(ranks, at),
      estimateMinutes: pick([null, 15, 30], at),
    }
    const naming = {
      parentTaskId: pick([null, ...tasks.slice(0, 3)], at >> 2),
      blockedByIds: ids(tasks.slice(0, 2), at % 4),
      crmEntityIds: ids(companies, at % 8),
    }
    tasks.push(
      await made('/tasks', {
        title: `Task ${at}`,
        projectId: pick(projects, at),
        ...fieldsOf(at),
        ...plan,
        ...state,
        ...naming,
        assigneeIds: ids(members, (at >> 1) % 8),
      }),
    )
  }
  for (let at = 0; at < 20; at += 1) {
    const of =
      at % 3 === 0 ? { projectId: pick(projects, at) } : at % 3 === 1 ? { crmEntityId: pick(companies, at) } : {}
    const { labels: tags, customFields: _none, ...own } = fieldsOf(at)
    await made('/documents', {
      title: `Document ${at}`,
      tags,
      ...own,
      ...of,
      folder: pick([null, 'a', 'a/b'], at),
      status: pick(['draft', 'published', 'archived'], at),
    })
  }
}
