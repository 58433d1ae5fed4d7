// Everything that can be asked of a list or a count, from the contract: each parameter with values that half of the
// objects have, that few have and that none has; lists in each order.
import { operationNamed } from '#contract/api.ts'
import type { CollectedSegment } from '#contract/scopes.ts'
import { rareAuthor } from '../../product/large-workspace.ts'

export type Ask = {
  /** What it is about, for several paths of which the slowest counts. */
  readonly name: string
  readonly paths: readonly string[]
}
/** Ids of a workspace by the parameter that takes them: one that is frequent, and one that is rare. */
export type Ids = Readonly<Record<string, readonly string[]>>

const shape = new Set(['limit', 'cursor', 'sort', 'fields', 'expand', 'groupBy', 'sum', 'timeZone', 'includeTotal'])
const nobody = '01900000-0000-7000-8000-000000000000'
const times = ['2026-01-01T00:00:00Z', '2026-03-01T00:00:00Z', '2027-12-01T00:00:00Z']
const days = ['2026-01-01', '2026-06-01', '2027-12-01']
const labels = ['half', '!half', 'l7,l9', 'rare', 'none']

const authors = [rareAuthor, `!${rareAuthor}`, nobody]
const mayBeEmpty = ['startDate', 'dueDate', 'completedAt', 'archivedAt', 'closedAt', 'expectedCloseDate']

const values: Readonly<Record<string, readonly string[]>> = {
  q: ['report', 're', 'ship report', '"ship report"', 'report 4711', 'nowhere', 'reporf', '税'],
  createdAfter: times,
  createdBefore: times,
  updatedAfter: times,
  updatedBefore: times,
  dueAfter: days,
  dueBefore: days,
  startAfter: days,
  startBefore: days,
  completedAfter: times,
  completedBefore: times,
  archivedAfter: times,
  archivedBefore: times,
  closedAfter: times,
  closedBefore: times,
  expectedCloseAfter: days,
  expectedCloseBefore: days,
  amountCurrency: ['EUR', '!EUR', 'none', 'any'],
  amountAbove: ['4000.00&amountCurrency=EUR', '999999&amountCurrency=EUR'],
  amountBelow: ['10&amountCurrency=EUR', '999999&amountCurrency=EUR'],
  externalId: ['e7&externalSource=rare', 'e2,e4,nowhere&externalSource=half'],
  createdBy: authors,
  imported: ['none', 'any'],
  importedEmail: ['half@old.example', 'rare@old.example', 'nobody@old.example'],
  updatedBy: authors,
  ...Object.fromEntries(mayBeEmpty.map((name) => [name, ['none', 'any']])),
  externalSource: ['half', '!half', 'rare', 'none'],
  labels,
  labelsAll: ['half,l7', 'rare', 'none'],
  tags: labels,
  tagsAll: ['half,l7', 'rare', 'none'],
  folder: ['half', '!half', 'rare', 'none'],
  health: ['at_risk', '!at_risk', 'off_track'],
  priority: ['none', '!none', 'none,high', 'urgent', 'low'],
  kind: ['contact', '!contact', 'deal'],
  stage: ['new', '!new', 'won'],
  domain: ['d7.example', 'none.example'],
  email: ['nobody@d7.example'],
  phone: ['+49301234', '0301234', 'none', 'any'],
  includeDeleted: ['true'],
  includeArchived: ['true'],
  subjectType: ['tasks', 'projects', '!tasks'],
}
const statuses: Readonly<Record<CollectedSegment, readonly string[]>> = {
  projects: ['active', '!active', 'cancelled'],
  tasks: ['todo', '!todo', 'todo,backlog', 'in_progress', 'done'],
  'crm-entities': [],
  documents: ['draft', '!draft', 'archived'],
  comments: [],
}
const byField = [
  'size=7',
  'size=!7',
  'size[gte]=10',
  'size[lte]=-1',
  'size[gte]=5&customFields.size[lte]=6',
  'note=n7',
  'note=none',
]

export function asksOf(segment: CollectedSegment, ids: Ids): Ask[] {
  const [list, count] = [operationNamed(`${segment}.list`).input, operationNamed(`${segment}.count`).input]
  const [sorts, fields] = [choices(list, 'sort'), choices(count, 'groupBy')]
  const groups = [...fields, fields.slice(0, 2).join()].map((by) => `groupBy=${by}`)
  const summed = choices(count, 'sum').flatMap((field) => [`sum=${field}`, `${groups[0]}&sum=${field}`])
  const parameters = Object.keys(list.properties).filter((name) => !shape.has(name))
  const given = (name: string) => settings(name, segment, ids)
  const all = (asked: readonly string[], more: readonly string[]) =>
    asked.flatMap((one) => more.map((other) => [one, other].filter((part) => part !== '').join('&')))
  return ['', ...parameters].flatMap((name) => {
    const asked = name === '' ? [''] : given(name)
    const counted = name === '' || Object.hasOwn(count.properties, name)
    const title = name === '' ? 'no filter' : name
    return [
      {
        name: `${segment}, ${title}: list`,
        paths: all(
          asked,
          sorts.map((sort) => `sort=${sort}`),
        ).map((query) => `/${segment}?${query}`),
      },
      {
        name: `${segment}, ${title}: includeTotal`,
        paths: all(asked, ['includeTotal=true']).map((query) => `/${segment}?${query}`),
      },
      ...(counted
        ? [
            {
              name: `${segment}, ${title}: count`,
              // Filters and groups cost by themselves: each group is counted once, over all objects.
              paths: all(asked, name === '' ? ['', ...groups, ...summed] : ['', ...groups.slice(0, 1)]).map(
                (query) => `/${segment}/count?${query}`,
              ),
            },
          ]
        : []),
    ]
  })
}

/** Lists beside those of collections, by operation and path. */
const ledgers = {
  'events.list': '/events',
  'deliveries.list': '/deliveries',
  'audit-entries.list': '/audit-entries',
  'tasks.list-comments': '/tasks/{id}/comments',
  'tasks.history': '/tasks/{id}/history',
  'files.list': '/files',
} as const
const recent = [19, 10, -100].map((days) => new Date(Date.now() - days * 86_400_000).toISOString())
const valuesOfLedgers: Readonly<Record<string, readonly string[]>> = {
  after: ['0', '2000'],
  occurredAfter: recent,
  createdAfter: recent,
  createdBefore: recent,
  eventTypes: ['tasks.updated', 'tasks.*', 'projects.created', 'projects.deleted'],
  status: ['delivered', 'dead_letter', 'pending'],
  requestId: ['r4711', 'nowhere'],
  search: ['report', 'nowhere'],
  surface: ['http', 'cli'],
  outcome: ['success', 'denied', 'failed'],
  action: ['tasks.update', 'projects.delete', 'webhooks.create'],
  actorId: ['half', 'key7', 'nobody'],
  targetId: ['half', 'task7', 'nowhere'],
  attached: ['true', 'false'],
  deleted: ['true'],
  includeDeleted: ['true'],
  field: ['status', 'title'],
}
const shapeOfLedgers = new Set([...shape, 'id', 'wait'])

/** The same of events, deliveries, the audit log, and the comments of a task that has most of them. */
export function asksOfLedgers(ids: Ids): Ask[] {
  return Object.entries(ledgers).flatMap(([name, template]) => {
    const { input } = operationNamed(name)
    const path = template.replace('{id}', ids['id']?.[0] ?? '')
    const sorts = choices(input, 'sort').map((sort) => `sort=${sort}`)
    const parameters = Object.keys(input.properties).filter((parameter) => !shapeOfLedgers.has(parameter))
    return ['', ...parameters].map((parameter) => {
      const own = name === 'files.list' && parameter === 'status' ? ['available', 'held'] : undefined
      const given = parameter === '' ? [] : (own ?? ids[parameter] ?? valuesOfLedgers[parameter])
      if (given === undefined) throw new Error(`There is no value for ${parameter} of ${name}`)
      const asked = parameter === '' ? [''] : given.map((value) => `${parameter}=${encodeURIComponent(value)}`)
      const queries = asked.flatMap((one) => (sorts.length === 0 ? [one] : sorts.map((sort) => `${one}&${sort}`)))
      return { name: `${name}, ${parameter || 'no filter'}`, paths: queries.map((query) => `${path}?${query}`) }
    })
  })
}

/** Throws for a parameter that it knows no value of, so that a new one is not left out. */
function settings(name: string, segment: CollectedSegment, ids: Ids): string[] {
  if (name === 'customFields') {
    const kind = segment === 'crm-entities' ? '&kind=company' : ''
    return byField.map((value) => `customFields.${value}${kind}`)
  }
  const of = name === 'status' ? statuses[segment] : (values[name] ?? ofIds(name, segment, ids[name]))
  if (of === undefined) throw new Error(`There is no value for ${name} of ${segment}`)
  // A value may carry further parameters, each after an ampersand.
  return of.map((value) => {
    const [own = '', ...others] = value.split('&')
    return [`${name}=${encodeURIComponent(own)}`, ...others].join('&')
  })
}

function ofIds(name: string, segment: CollectedSegment, ids: readonly string[] | undefined): string[] | undefined {
  if (name === 'ids') return ids?.concat(nobody)
  const empty = name === 'projectId' && segment === 'tasks' ? [] : ['none', 'any']
  return ids?.flatMap((id) => [id, `!${id}`]).concat(nobody, empty)
}

const choices = ({ properties }: ReturnType<typeof operationNamed>['input'], name: string): string[] => {
  const schema: { enum?: string[]; items?: { enum?: string[]; anyOf?: { enum?: string[] }[] } } | undefined =
    properties[name]
  return schema?.enum ?? schema?.items?.enum ?? schema?.items?.anyOf?.[0]?.enum ?? []
}
