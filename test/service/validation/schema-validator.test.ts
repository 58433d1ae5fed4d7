import fc from 'fast-check'
import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { operationNamed, operations } from '#contract/api.ts'
import { closed } from '#contract/shared-fields.ts'
import { Fault } from '#contract/faults/fault.ts'
import { checker, boundsCheck } from '../../../service/validation/schema-validator.ts'
import { assertInput } from '../../../service/validation/validate-operation.ts'
import { arrayPlaces } from '../../support/input-pointers.ts'
import { sample } from '../../support/sample-value.ts'

const checkOf = (name: string) => checker(operationNamed(name).input)
const project = (more: object) => checkOf('projects.create')({ name: 'x', ...more })
const hook = { name: 'x', url: 'https://example.com', eventTypes: ['*'] }
const webhook = (more: object) => checkOf('webhooks.create')({ ...hook, ...more })
const updatedAfter = (time: string) => checkOf('projects.list')({ updatedAfter: time })
const entity = checkOf('crm-entities.create')

test.each(operations.map((operation) => [operation.name, operation] as const))(
  '%s: what its schemas ask for fits, and nothing else does',
  (_name, { input, output }) => {
    const given = sample(input) as object
    expect(checker(input)(given)).toEqual([])
    expect(checker(input)({ ...given, noSuchName: 1 })).toMatchObject([{ code: 'unknown' }])
    for (const none of ['text', [], { noSuchName: 1 }]) expect(checker(output)(none)).not.toEqual([])
  },
)

test('each refused value is named with a code', () => {
  const errors = project({ name: '', status: 'open', ownerId: 3, labels: ['a', 'a'], startDate: '1.1.2026' })

  expect(Object.fromEntries(errors.map(({ pointer, code }) => [pointer, code]))).toMatchObject({
    '/name': 'too_short',
    '/status': 'not_in_list',
    '/ownerId': 'wrong_type',
    '/labels': 'not_unique',
    '/startDate': 'wrong_format',
  })
  expect(project({ ownerId: null })).toEqual([])
})

test('an unknown field of an inner object is refused with the nearest name, a name in a map by its own', () => {
  const detail = 'Unknown field. Did you mean `projectIds`?'

  expect(webhook({ filter: { projectId: [] } })).toContainEqual({
    pointer: '/filter/projectId',
    code: 'unknown',
    detail,
  })
  expect(webhook({ headers: { 'a/b c': 'v' } })).toMatchObject([{ pointer: '/headers/a~1b c', code: 'wrong_format' }])
})

test.each(['Host', 'content-length', 'webhook-id', 'X-Service-Signature', 'a b'])(
  'the header %s, which is the sender’s own or none, is refused',
  (name) => {
    expect(webhook({ headers: { [name]: 'v' } }).length).toBeGreaterThan(0)
  },
)

test('an allowlist takes addresses and ranges of both families, and no range with bits below its mask', () => {
  const errorsOf = (ipAllowlist: string[]) =>
    checkOf('api-keys.create')({ name: 'x', scopes: ['projects:read'], ipAllowlist })

  expect(errorsOf(['192.0.2.1', '10.0.0.0/8', '2001:db8::/32', '::1'])).toEqual([])
  for (const wrong of ['10.0.0.7/24', '10.0.0.0/33', 'example.com', '1.2.3']) expect(errorsOf([wrong])).toHaveLength(1)
})

test.each(['2026-01-31T12:00:00Z', '2026-01-31T12:00:00.123456+14:00', '0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z'])(
  '%s is a time that can be stored',
  (time) => {
    expect(updatedAfter(time)).toEqual([])
  },
)

test.each([
  '2016-12-31T23:59:60Z',
  '0000-06-01T00:00:00Z',
  '0001-01-01T00:00:00+14:00',
  '9999-12-31T23:59:59-14:00',
  '2026-02-30T00:00:00Z',
  '2026-01-31T12:00:00',
  '2026-01-31T24:00:00Z',
])('%s is refused: nothing could hold it', (time) => {
  expect(updatedAfter(time)).toMatchObject([{ pointer: '/updatedAfter', code: 'wrong_format' }])
})

test('dates are days of the years 1 to 9999', () => {
  expect(project({ startDate: '0001-01-01', dueDate: '9999-12-31' })).toEqual([])
  for (const startDate of ['0000-01-01', '2026-02-30', '2026-1-1'])
    expect(project({ startDate })).toMatchObject([{ pointer: '/startDate' }])
})

test.each([
  ['a currency', { kind: 'deal', name: 'x', amount: { amount: '1', currency: 'ZZZ' } }, '/amount/currency'],
  ['an address for a domain', { kind: 'company', name: 'x', domains: ['192.168.0.1'] }, '/domains/0'],
  ['an address in hex for a domain', { kind: 'company', name: 'x', domains: ['127.0x1'] }, '/domains/0'],
  ['an email at an address', { kind: 'contact', emails: ['ada@192.168.0.1'] }, '/emails/0'],
])('%s that there cannot be is refused', (_name, input, pointer) => {
  expect(entity(input)).toMatchObject([{ pointer, code: 'wrong_format' }])
})

test('every currency that this platform knows is taken, and every domain whose last label begins with a letter', () => {
  const currencies = Intl.supportedValuesOf('currency')
  const domains = ['example.com', '1.example.com', '163.com', 'xn--bcher-kva.example', 'a.xn--p1ai', 'A.B']

  for (const currency of currencies)
    expect(entity({ kind: 'deal', name: 'x', amount: { amount: '1', currency } }), currency).toEqual([])
  for (const domain of domains) expect(entity({ kind: 'company', name: 'x', domains: [domain] }), domain).toEqual([])
})

// What a caller sends too much of is refused for its size alone, before anything whose cost grows with it.

const itemsCount = 50_000
const cpuMsMax = 20

const itemsOf = (make: (at: number) => unknown): unknown[] => Array.from({ length: itemsCount }, (_, at) => make(at))
const arrays = {
  'of different texts': itemsOf((at) => `v${at}`),
  'of one text': itemsOf(() => 'x'),
  'of objects': itemsOf((at) => ({ [`f${at}`]: at })),
  'of empty lists': itemsOf(() => []),
} as const

const places = operations.flatMap((operation) =>
  arrayPlaces(operation.input).map((place) => ({ name: `${operation.name} ${place.pointer}`, operation, place })),
)

test.each(places)('$name: 50,000 items are refused for their number, at a bounded cost', ({ operation, place }) => {
  for (const [kind, items] of Object.entries(arrays)) {
    const refused = withinCost(cpuMsMax, () => assertInput(operation, place.inputWith(items)))

    expect(refused, kind).toBeInstanceOf(Fault)
    expect((refused as Fault).members.errors, kind).toMatchObject([{ code: 'too_long' }])
  }
})

test('unknown names are refused by name, twenty of however many, at a bounded cost', () => {
  const flood = Object.fromEntries(Array.from({ length: itemsCount }, (_, at) => [`f${at}`, at]))

  for (const input of [flood, { ...hook, filter: flood }]) {
    const refused = withinCost(cpuMsMax, () => assertInput(operationNamed('webhooks.create'), input)) as Fault

    expect(refused.code).toBe('unknown_field')
    expect(refused.members.errors).toHaveLength(20)
  }
})

test('equal items of an array are found in one pass, whatever type they are of', () => {
  const check = checker(Type.Array(Type.Unknown(), { uniqueItems: true }))
  const items = itemsOf((at) => ({ at }))
  const notUnique = [{ pointer: '', code: 'not_unique' }]
  const [some, same] = [
    { a: 1, b: 2 },
    { b: 2, a: 1 },
  ]

  expect(withinCost(1_000, () => check(items))).toEqual([])
  expect(check([...items, { at: 7 }])).toMatchObject(notUnique)
  expect(check([some, same])).toMatchObject(notUnique)
  expect(check([1, '1', null, 'null', [1], { 0: 1 }])).toEqual([])
})

test('a value that its schema accepts is within every bound', () => {
  const schema = closed({
    list: Type.Array(Type.String({ maxLength: 3 }), { maxItems: 4 }),
    either: Type.Union([Type.Array(Type.Integer(), { maxItems: 2 }), Type.String({ maxLength: 5 }), Type.Null()]),
    named: Type.Record(Type.String(), Type.Array(Type.Integer(), { maxItems: 3 }), { maxProperties: 3 }),
  })
  const [bounds, check] = [boundsCheck(schema), checker(schema)]
  const arbitrary = fc.record({
    list: fc.array(fc.string({ maxLength: 5 }), { maxLength: 6 }),
    either: fc.oneof(fc.array(fc.integer(), { maxLength: 4 }), fc.string({ maxLength: 60 }), fc.constant(null)),
    named: fc.dictionary(fc.string({ minLength: 1 }), fc.array(fc.integer(), { maxLength: 5 }), { maxKeys: 5 }),
  })

  fc.assert(
    fc.property(arbitrary, (value) => {
      const tooMany = value.list.length > 4 || (Array.isArray(value.either) && value.either.length > 2)
      const exceeded = bounds(value)
      if (check(value).length === 0) expect(exceeded).toEqual([])
      if (tooMany) expect(exceeded).toContainEqual(expect.objectContaining({ code: 'too_long' }))
    }),
  )
})

test('text in another spelling is not refused for the length of that spelling', () => {
  const bounds = boundsCheck(Type.String({ maxLength: 10 }))

  expect(bounds('ᾂ'.repeat(10).normalize('NFD'))).toEqual([])
  expect(bounds('x'.repeat(81))).toMatchObject([{ pointer: '', code: 'too_long' }])
})

/** What the work returns or throws. It is done again where it took too long: something may have come between. */
function withinCost(cpuMs: number, work: () => unknown): unknown {
  let last: { readonly took: number; readonly outcome: unknown } | null = null
  for (let run = 0; run < 3 && (last === null || last.took >= cpuMs); run += 1) {
    const before = process.cpuUsage()
    const outcome = outcomeOf(work)
    const { user, system } = process.cpuUsage(before)
    last = { took: (user + system) / 1_000, outcome }
  }
  expect(last?.took).toBeLessThan(cpuMs)
  return last?.outcome
}

function outcomeOf(work: () => unknown): unknown {
  try {
    return work()
  } catch (thrown) {
    return thrown
  }
}
