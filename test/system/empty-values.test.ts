// One body has one answer, however it is written: null, empty text and the empty list in each field of each collection,
// by POST, PUT, PATCH and the items of a batch. An update is a JSON Merge Patch (RFC 7396): null clears.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operationNamed } from '#contract/api.ts'
import { kinds, writableFields } from '#contract/crm-entities.ts'
import { isListEdit, type SchemaNode } from '#contract/json-schema.ts'
import { answerFields } from '#contract/route-paths.ts'
import { startService, type InProcess, type Reply } from '../support/arbitrary/in-process-service.ts'
import { services } from '../support/services.ts'
import { describeOnce, must, sharedSystem } from '../support/system.ts'
import { callsOf, told } from './calls.ts'

type Fields = Record<string, unknown>
type Given = { readonly field: string; readonly value: unknown; readonly body: Fields }
/** What came of it: the value that is stored, or the code and the places that are refused. */
type Outcome = { readonly stored: unknown } | { readonly code: string; readonly errors: readonly string[] }

type Result = { readonly index: number; readonly status: number; readonly data?: Fields; readonly problem?: Fields }

const values = [null, '', []]
const customFields = ['text', 'number', 'date', 'boolean', 'select', 'multi_select', 'user', 'url']
const targets = ['project', 'task', 'company', 'contact', 'deal']
const beside = new Set(['id', 'expectedVersion', 'externalSource', 'externalId', ...answerFields])

/** What an object of each kind must have. */
const needed: Readonly<Record<string, Fields>> = {
  projects: { name: 'Website' },
  tasks: { title: 'Paint' },
  documents: { title: 'Handbook' },
  company: { kind: 'company', name: 'Ada Ltd' },
  contact: { kind: 'contact', firstName: 'Ada', lastName: 'Byron' },
  deal: { kind: 'deal', name: 'Bridge' },
}

const segmentOf = (noun: string): string => (kinds.some((kind) => kind === noun) ? 'crm-entities' : noun)

/** `amount/currency` is a part of an amount that has all of its parts. */
const whole: Readonly<Record<string, Fields>> = { amount: { amount: '1.00', currency: 'EUR' } }

/** Every field that an update of it takes, every part of one, and a custom field of each type; each with each value. */
function givenIn(noun: string): Given[] {
  const segment = segmentOf(noun)
  const { properties } = operationNamed(`${segment}.update`).input
  const own: readonly string[] = segment === noun ? Object.keys(properties) : writableFields[noun as 'deal']
  const fields = Object.keys(properties).filter((name) => !beside.has(name) && own.includes(name))
  const parts = fields.flatMap((name) => [name, ...partsOf(properties[name]).map((part) => `${name}/${part}`)])
  const custom = noun === 'documents' ? [] : customFields.map((type) => `customFields/of_${type}`)
  return [...parts, ...custom].flatMap((field) =>
    values.map((value) => {
      const [name = '', part] = field.split('/')
      return { field, value, body: { [name]: part === undefined ? value : { ...whole[name], [part]: value } } }
    }),
  )
}

/** What is added to a list and removed from it is no part of it. */
const partsOf = ({ anyOf = [], properties = {} }: SchemaNode = {}): string[] => [
  ...Object.keys(properties),
  ...anyOf.filter((each) => !isListEdit(each)).flatMap((each) => partsOf(each)),
]

function outcomeOf({ field }: Given, status: number, body: Fields): Outcome {
  if (status < 300) {
    const [name = '', part] = field.split('/')
    // Results of a batch leave the content of a document out.
    const value = name === 'content' ? null : body[name]
    return { stored: part === undefined ? value : ((value as Fields | null)?.[part] ?? null) }
  }
  const errors = (body['errors'] ?? []) as { pointer: string; code: string; detail: string }[]
  const places = errors.map(({ pointer, ...rest }) => ({
    pointer: pointer.replace(/^\/items\/\d+\/data/, ''),
    ...rest,
  }))
  return {
    code: String(body['code']),
    errors: places.map(({ pointer, code, detail }) => `${pointer} ${code} ${detail}`),
  }
}

describe.skipIf(services().postgres === null)('what is empty', () => {
  let service: InProcess
  const call = async (name: string, input: Fields): Promise<Reply> => service.call(operationNamed(name), input)
  const made = async (name: string, input: Fields): Promise<Fields> => {
    const { status, body } = await call(name, input)
    expect(status, JSON.stringify(body)).toBeLessThan(300)
    return body as Fields
  }
  beforeAll(async () => {
    service = await startService()
    needed['tasks']!['projectId'] = (await made('projects.create', { name: 'x' }))['id']
    for (const target of targets)
      for (const type of customFields) {
        const options = type.endsWith('select') && { options: ['a', 'b'] }
        await made('custom-fields.create', { key: `of_${type}`, target, type, label: type, ...options })
      }
  })
  afterAll(() => service?.[Symbol.asyncDispose]())

  let count = 0
  const newId = (): string => String((count += 1))

  test.each(Object.keys(needed))('%s: each field has one answer to it in all ways of writing', async (noun) => {
    const segment = segmentOf(noun)
    const base = needed[noun]!
    const { kind: _kind, ...rest } = base
    // Those of an upsert are added to what the object has: test/system/external-ids.test.ts.
    const all = givenIn(noun).filter(({ field }) => field !== 'externalIds')
    const [one, another] = [await made(`${segment}.create`, base), await made(`${segment}.create`, base)]
    const source = 'walk'
    const named = () => ({ externalSource: source, externalId: newId() })
    const there = newId()
    await made(`${segment}.upsert`, { source, externalId: there, ...base })

    const inCalls = async (action: string, inputOf: (body: Fields) => Fields): Promise<Outcome[]> => {
      const outcomes: Outcome[] = []
      for (const given of all) {
        const { status, body } = await call(`${segment}.${action}`, inputOf(given.body))
        outcomes.push(outcomeOf(given, status, body as Fields))
      }
      return outcomes
    }
    const inItems = async (action: string, itemOf: (body: Fields) => Fields): Promise<Outcome[]> => {
      const outcomes: Outcome[] = []
      for (let at = 0; at < all.length; at += 100) {
        const part = all.slice(at, at + 100)
        const items = part.map(({ body }) => ({ action, ...itemOf(body) }))
        const { results } = await made(`${segment}.batch`, { items })
        for (const { index, status, data, problem } of results as Result[])
          outcomes.push(outcomeOf(part[index]!, status, (data ?? problem)!))
      }
      return outcomes
    }
    const ways: Readonly<Record<string, readonly Outcome[]>> = {
      POST: await inCalls('create', (body) => ({ ...base, ...body })),
      'PUT of a new one': await inCalls('upsert', (body) => ({ source, externalId: newId(), ...base, ...body })),
      'PUT of one that exists': await inCalls('upsert', (body) => ({ source, externalId: there, ...base, ...body })),
      PATCH: await inCalls('update', (body) => ({ id: one['id'], ...rest, ...body })),
      'batch create': await inItems('create', (body) => ({ data: { ...base, ...body } })),
      'batch upsert': await inItems('upsert', (body) => ({ ...named(), data: { ...base, ...body } })),
      'batch update': await inItems('update', (body) => ({ id: another['id'], data: { ...rest, ...body } })),
    }

    const differing = all.flatMap(({ field, value }, at) => {
      const answers = Object.entries(ways).map(([way, outcomes]) => [way, JSON.stringify(outcomes[at])] as const)
      return new Set(answers.map(([, answer]) => answer)).size === 1
        ? []
        : [{ field, value, ...Object.fromEntries(answers) }]
    })
    expect(differing).toEqual([])
    for (const [at, { field, value }] of all.entries()) expectRule(field, value, ways['POST']![at]!)
  })
})

/** Null and empty text: there is no value. Null and the empty list: the list is empty. Or they are refused. */
function expectRule(field: string, value: unknown, found: Outcome): void {
  const said = JSON.stringify([field, value, found])
  if ('stored' in found) {
    expect(value === '' ? ['null'] : ['null', '[]', '{}'], said).toContain(JSON.stringify(found.stored))
  } else {
    const places = found.errors.map((error) => error.split(' ')[0])
    expect(places, said).toEqual([...new Set(places)])
    expect(places.length, said).toBeGreaterThan(0)
  }
}

describeOnce('null in a patch', (mode) => {
  const { tenant } = sharedSystem(mode)
  const { call, post, patch, eventsAfter } = callsOf(tenant)

  test('empties no custom field that is required, and the event shows what was emptied', async () => {
    await post('/custom-fields', { key: 'tier', target: 'project', type: 'text', label: 'Tier', required: true })
    const { id } = await post('/projects', { name: 'Website', labels: ['red'], customFields: { tier: 'gold' } })
    const before = await tenant.lastSequence()

    const refused = await call('PATCH', `/projects/${id}`, { labels: null, customFields: null })
    const changed = await patch(`/projects/${id}`, { labels: null })

    expect(told(refused)).toBe('422 validation_failed /customFields/tier required')
    expect(changed).toMatchObject({ labels: [], customFields: { tier: 'gold' }, version: 2 })
    expect(await eventsAfter(before)).toMatchObject([{ changes: { labels: { from: ['red'], to: [] } } }])
  })

  test('clears the allowlist of a key and the headers of a webhook', async () => {
    const key = await tenant.key(['projects:read'], { ipAllowlist: ['192.0.2.1'] })
    const hook = { name: 'x', url: 'https://example.com/', eventTypes: ['*'], headers: { 'x-team': 'a' } }
    const { id, headerNames } = await post('/webhooks', hook)

    const opened = must(await tenant.settings('PATCH', `/api-keys/${key.keyId}`, { ipAllowlist: null }))
    const bare = await patch(`/webhooks/${id}`, { headers: null })

    expect([opened.ipAllowlist, headerNames, bare.headerNames]).toEqual([[], ['x-team'], []])
    expect((await key.api('GET', '/api/v1/projects')).status).toBe(200)
  })
})
