// What a webhook may be registered with: filters that can match, and addresses that anybody may call.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { eventCatalogue } from '#contract/api.ts'
import { Fault } from '#contract/faults/fault.ts'
import { judgedShapes, judgedTypes } from '#contract/webhook-conditions.ts'
import { WebhookFilterValuesInput, webhookUrlLengthMax } from '#contract/webhook-schema.ts'
import { ranges } from '#runtime/ip-address.ts'
import { isWebPort } from '#runtime/web-addresses.ts'
import { formats } from '../../../service/validation/string-formats.ts'
import { assertFilter } from '../../../service/webhooks/filter.ts'
import { type AllowedTargets, receiverUrl } from '../../../service/webhooks/receiver-url.ts'

type Given = Parameters<typeof assertFilter>[0]

const project = '01890000-0000-7000-8000-000000000001'
const fields = (eventTypes: string[], ...changedFields: string[]): Given => ({ eventTypes, filter: { changedFields } })
const kinds = (eventTypes: string[], more = {}): Given => ({ eventTypes, filter: { kinds: ['deal'], ...more } })
const projects = (...eventTypes: string[]): Given => ({ eventTypes, filter: { projectIds: [project] } })
const inProjects = ['projects.archived', 'tasks.created', 'tasks.comment_created', 'documents.updated', '*']
const never = ['staus', 'updatedAt', 'version', 'id', 'deletedAt', 'workspaceId']
const unchangeable = never.map((field) => fields(['*'], 'name', field))
type Values = NonNullable<NonNullable<Given['filter']>['values']>
const values = (eventTypes: string[], asked: Values, more = {}): Given => ({
  eventTypes,
  filter: { ...more, values: asked },
})
const onTasks = (asked: Values): Given => values(['tasks.*'], asked)
const euros = (above: string, below: string): Given => values(['*'], { amount: { currency: 'EUR', above, below } })
const ofDeals = { kinds: ['company'], changedFields: ['stage'] }

const refusalAt = (pointer: string) =>
  expect.objectContaining({
    code: 'validation_failed',
    members: { errors: [expect.objectContaining({ pointer, code: 'not_in_list' })] },
  })

test.each<[string, Given[]]>([
  ['no filter', [{ eventTypes: ['*'], filter: null }]],
  ['fields that some update can change', [fields(['*'], 'name', 'status', 'assigneeIds', 'customFields', 'domains')]],
  ['fields of its types', [fields(['tasks.*'], 'title')]],
  ['fields of its kind', [kinds(['crm-entities.*'], { changedFields: ['stage'] })]],
  ['kinds', ['crm-entities.comment_created', 'crm-entities.merged', '*'].map((type) => kinds([type]))],
  ['projects', inProjects.map((type) => projects(type))],
  [
    'values',
    [
      onTasks({
        status: { from: ['todo', 'done'], to: ['done'], is: ['done'] },
        labels: { added: ['a'], removed: ['b'] },
      }),
      values(['tasks.created'], { status: { is: ['done'] }, assigneeIds: { contains: [null] } }),
      values(['tasks.*', 'projects.*'], { status: { to: ['done', 'active'] } }),
      values(['documents.*'], { projectId: { is: [null] } }, { projectIds: [project] }),
      values(['*'], { stage: { to: ['won'] } }, { kinds: ['deal'] }),
      euros('9.9', '10'),
    ],
  ],
])('%s can match', (_what, filters) => {
  for (const given of filters) expect(() => assertFilter(given)).not.toThrow()
})

test.each<[string, string, Given[]]>([
  ['a field that no update changes', '/filter/changedFields/1', unchangeable],
  ['a field that its types lack', '/filter/changedFields/0', [fields(['tasks.*'], 'health')]],
  ['a field of another kind', '/filter/changedFields/0', [kinds(['crm-entities.*'], ofDeals)]],
  ['kinds of tasks', '/filter/kinds', [kinds(['tasks.*'])]],
  ['projects of none', '/filter/projectIds', [projects('crm-entities.*', 'members.*'), projects('webhooks.failing')]],
  ['values of no type', '/filter/values/stage', [onTasks({ stage: { is: ['won'] } })]],
  ['values of comments', '/filter/values/status', [values(['tasks.comment_created'], { status: { is: ['done'] } })]],
  [
    'values of another kind',
    '/filter/values/stage',
    [values(['*'], { stage: { is: ['won'] } }, { kinds: ['company'] })],
  ],
  [
    'values of no project',
    '/filter/values/stage',
    [values(['*'], { stage: { is: ['won'] } }, { projectIds: [project] })],
  ],
  [
    'a change without updates',
    '/filter/values/labels/added',
    [values(['tasks.created'], { labels: { added: ['a'] } })],
  ],
  ['a value of other types', '/filter/values/status/to/1', [onTasks({ status: { to: ['done', 'active'] } })]],
  ['null of what has a value', '/filter/values/projectId/is/0', [onTasks({ projectId: { is: [null] } })]],
  ['from and to one value', '/filter/values/status/to', [onTasks({ status: { from: ['done'], to: ['done'] } })]],
  ['a value that it is not', '/filter/values/status/to', [onTasks({ status: { is: ['todo'], to: ['done'] } })]],
  ['both ways at once', '/filter/values/labels/added', [onTasks({ labels: { added: ['a'], removed: ['a'] } })]],
  [
    'what goes against the list',
    '/filter/values/labels/contains',
    [onTasks({ labels: { contains: ['a'], removed: ['a'] } }), onTasks({ labels: { contains: [null], added: ['a'] } })],
  ],
  ['bounds without room', '/filter/values/amount/below', [euros('10', '9'), euros('10.0', '10')]],
  ['kinds and projects at once', '/filter/kinds', [kinds(['*'], { projectIds: [project] })]],
])('%s can never match, which is told at %s', (_what, pointer, filters) => {
  for (const given of filters) expect(() => assertFilter(given)).toThrow(refusalAt(pointer))
})

test('a refused field is told with the nearest one; where only the types are given, the refusal points at them', () => {
  expect(() => assertFilter(fields(['*'], 'staus'))).toThrow('Did you mean `status`?')
  expect(() => assertFilter(fields(['members.*'], 'title'), 'eventTypes')).toThrow(refusalAt('/eventTypes'))
})

test('a filter by fields is refused for every type that is no update, and taken for every one that is', () => {
  for (const { type } of eventCatalogue) {
    if (!type.endsWith('.updated'))
      expect(() => assertFilter(fields([type], 'labels')), type).toThrow(refusalAt('/filter/changedFields'))
    expect(() => assertFilter(fields([type, 'tasks.updated'], 'labels')), type).not.toThrow()
  }
})

test('every field of an object with a fixed set of values, with other objects or with labels can be asked for', () => {
  const asked = Object.keys(WebhookFilterValuesInput.properties)
  // What never changes, what is no object of the workspace, and files, whose ids nobody knows before.
  const others = new Set(['workspaceId', 'mergedIntoId', 'mergedFromId', 'externalId', 'externalIds', 'fileIds'])
  const isId = (field: string) => /[a-z]Ids?$/.test(field) && !others.has(field)
  const found = judgedTypes
    .flatMap(judgedShapes)
    .flatMap(({ properties }) =>
      Object.entries(properties).flatMap(([field, { enum: members, anyOf = [] }]) =>
        members || anyOf.some((one) => 'enum' in one) || isId(field) || /^(labels|tags|amount)$/.test(field)
          ? [field]
          : [],
      ),
    )

  expect(asked.toSorted()).toEqual([...new Set(found)].toSorted())
})

const strict: AllowedTargets = { ranges: [], http: false }
const lax: AllowedTargets = { ranges: ranges(['127.0.0.0/8', '10.1.0.0/16']), http: true }

/** As a registration would store it; null where it is refused. */
function stored(url: string, allowed = strict): string | null {
  if (!formats['iri']?.(url)) return null
  try {
    return receiverUrl(url, allowed)
  } catch (error) {
    if (error instanceof Fault && error.code === 'validation_failed') return null
    throw error
  }
}

test('a public address over https is taken, and stored as it is called', () => {
  const urls = `https://example.com/hook https://sub.example.com:8443/a?b=c https://8.8.8.8/ https://[2606:4700::1111]/
    https://example.com./`.split(/\s+/)
  const others = {
    'https://münchen.de/': 'https://xn--mnchen-3ya.de/',
    'https://MÜNCHEN.de:443/straße?größe=ä': 'https://xn--mnchen-3ya.de/stra%C3%9Fe?gr%C3%B6%C3%9Fe=%C3%A4',
    'https://例え.jp': 'https://xn--r8jz45g.jp/',
  }

  expect(urls.map((url) => stored(url))).toEqual(urls)
  for (const [url, called] of Object.entries(others)) expect(stored(url)).toBe(called)
})

// Many more addresses, and all ports, are refused in test/dispatcher/attempt/ssrf-corpus.test.ts.
test('what is no public address over https is refused, and ports of other services whatever the operator allows', () => {
  const urls = `http://example.com/ example.com https://example.com/#part https://xn--a/ https://printer./
    https://X.LAN/ https://x.corp./ https://x.home/ https://x.private/ https://x.example/ https://x.invalid/`

  const written = ['https://exa\tmple.com/', 'https://example.com/a b', ...urls.split(/\s+/)]
  expect(written.filter((url) => stored(url))).toEqual([])
  expect([0, 25, 6379].filter((port) => stored(`http://127.0.0.1:${port}/`, lax))).toEqual([])
})

test('addresses that the operator allows are accepted, and no others', () => {
  const allowed = ['http://127.0.0.1:9000/', 'http://10.1.2.3/', 'http://localhost:9000/', 'http://printer/']

  expect([...allowed, 'http://10.2.0.1/'].filter((url) => stored(url, lax))).toEqual(allowed)
})

test('a URL that is too long in its normalized form is refused', () => {
  const path = 'ä'.repeat(webhookUrlLengthMax / 6)

  expect(stored(`https://example.com/${path.slice(10)}`)).not.toBeNull()
  expect(stored(`https://example.com/${path}`)).toBeNull()
})

const label = fc.oneof(
  fc.stringMatching(/^[a-z0-9-]{1,12}$/),
  fc.constantFrom('münchen', 'LAN', 'corp', 'test', '例', ''),
)
const address = fc.record({
  scheme: fc.constantFrom('https', 'http', 'HTTPS', 'ws'),
  host: fc.oneof(
    fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join('.')),
    fc.ipV4(),
    fc.ipV6().map((ip) => `[${ip}]`),
  ),
  port: fc.option(fc.integer({ min: 0, max: 70_000 })),
  path: fc.webPath(),
})

test('every accepted URL is normalized: ASCII, public, on a port for HTTP, and unchanged when it is normalized again', () => {
  let count = 0
  fc.assert(
    fc.property(address, ({ scheme, host, port, path }) => {
      const taken = stored(`${scheme}://${host}${port === null ? '' : `:${port}`}${path}`)
      if (taken === null) return
      count += 1
      const url = new URL(taken)
      expect(taken).toMatch(/^https:\/\/[\x21-\x7e]+$/)
      expect(url.hostname).not.toMatch(/^[^.:]+\.?$|(^|\.)(lan|corp|test)\.?$/)
      expect(isWebPort(url.port)).toBe(true)
      expect(stored(taken)).toBe(taken)
    }),
    { numRuns: 2_000 },
  )
  expect(count).toBeGreaterThan(100)
})
