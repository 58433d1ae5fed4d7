import { expect, test } from 'vitest'
import { operations } from '#contract/api.ts'
import { checker, boundsCheck } from '../../../service/validation/schema-validator.ts'
import { sample } from '../../support/sample-value.ts'
import fc from 'fast-check'
import { Type } from 'typebox'
import { Fault } from '#contract/faults/fault.ts'
import type { Operation } from '#contract/operation.ts'
import { assertInput } from '../../../service/validation/validate-operation.ts'
import { arrayPlaces, type Place } from '../../support/input-pointers.ts'

const check = (name: string) => checker(operations.find((operation) => operation.name === name)!.input)

test.each(operations.map((operation) => [operation.name, operation] as const))(
  '%s: what its schemas ask for fits, and nothing else does',
  (_name, { input, output }) => {
    const given = sample(input) as object
    expect(checker(input)(given)).toEqual([])
    expect(checker(input)({ ...given, noSuchName: 1 })).toMatchObject([{ code: 'unknown' }])
    for (const none of ['text', [], { noSuchName: 1 }]) expect(checker(output)(none)).not.toEqual([])
  },
)

test('what fits has nothing wrong with it', () => {
  expect(check('projects.create')({ name: 'x', ownerId: null })).toEqual([])
})

test('each refused value is named with a code', () => {
  const errors = check('projects.create')({
    name: '',
    status: 'open',
    ownerId: 3,
    labels: ['a', 'a'],
    startDate: '1.1.2026',
  })

  expect(errors.map(({ pointer, code }) => [pointer, code])).toEqual(
    expect.arrayContaining([
      ['/name', 'too_short'],
      ['/status', 'not_in_list'],
      ['/ownerId', 'wrong_type'],
      ['/labels', 'not_unique'],
      ['/startDate', 'wrong_format'],
    ]),
  )
})

test('an unknown field of an inner object is refused with the nearest name', () => {
  const errors = check('webhooks.create')({
    name: 'x',
    url: 'https://example.com',
    eventTypes: ['*'],
    filter: { projectId: [] },
  })

  expect(errors).toContainEqual({
    pointer: '/filter/projectId',
    code: 'unknown',
    detail: 'Unknown field. Did you mean `projectIds`?',
  })
})

test('a name in a map that is not taken is refused by name', () => {
  const errors = check('webhooks.create')({
    name: 'x',
    url: 'https://example.com',
    eventTypes: ['*'],
    headers: { 'a/b c': 'v' },
  })

  expect(errors).toMatchObject([{ pointer: '/headers/a~1b c', code: 'wrong_format' }])
})

test('at most twenty errors are told', () => {
  const unknown = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`nope${at}`, 1]))

  expect(check('projects.create')({ name: 'x', ...unknown }).length).toBe(20)
})

test('headers that are the sender’s own are refused', () => {
  for (const name of ['Host', 'content-length', 'webhook-id', 'X-Service-Signature', 'a b']) {
    const errors = check('webhooks.create')({
      name: 'x',
      url: 'https://example.com',
      eventTypes: ['*'],
      headers: { [name]: 'v' },
    })
    expect(errors.length, name).toBeGreaterThan(0)
  }
})

test('an allowlist takes addresses and ranges of both families, and no range with bits below its mask', () => {
  const errorsOf = (ipAllowlist: string[]) =>
    check('api-keys.create')({ name: 'x', scopes: ['projects:read'], ipAllowlist })

  expect(errorsOf(['192.0.2.1', '10.0.0.0/8', '2001:db8::/32', '::1'])).toEqual([])
  for (const wrong of ['10.0.0.7/24', '10.0.0.0/33', 'example.com', '1.2.3'])
    expect(errorsOf([wrong]).length, wrong).toBe(1)
})

test.each(['2026-01-31T12:00:00Z', '2026-01-31T12:00:00.123456+14:00', '0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z'])(
  '%s is a time that can be stored',
  (updatedAfter) => {
    expect(check('projects.list')({ updatedAfter })).toEqual([])
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
])('%s is refused: nothing could hold it', (updatedAfter) => {
  expect(check('projects.list')({ updatedAfter })).toMatchObject([{ pointer: '/updatedAfter', code: 'wrong_format' }])
})

test('dates are days of the years 1 to 9999', () => {
  expect(check('projects.create')({ name: 'x', startDate: '0001-01-01', dueDate: '9999-12-31' })).toEqual([])
  for (const startDate of ['0000-01-01', '2026-02-30', '2026-1-1']) {
    expect(check('projects.create')({ name: 'x', startDate }), startDate).toMatchObject([{ pointer: '/startDate' }])
  }
})

test.each([
  ['a currency', { kind: 'deal', name: 'x', amount: { amount: '1', currency: 'ZZZ' } }, '/amount/currency'],
  ['an address for a domain', { kind: 'company', name: 'x', domains: ['192.168.0.1'] }, '/domains/0'],
  ['an address in hex for a domain', { kind: 'company', name: 'x', domains: ['127.0x1'] }, '/domains/0'],
  ['an email at an address', { kind: 'contact', emails: ['ada@192.168.0.1'] }, '/emails/0'],
])('%s that there cannot be is refused', (_name, input, pointer) => {
  expect(check('crm-entities.create')(input)).toMatchObject([{ pointer, code: 'wrong_format' }])
})

test('every currency that this platform knows is taken, and every domain whose last label begins with a letter', () => {
  const deal = (currency: string) => ({ kind: 'deal', name: 'x', amount: { amount: '1', currency } })
  const company = (domain: string) => ({ kind: 'company', name: 'x', domains: [domain] })

  for (const currency of Intl.supportedValuesOf('currency'))
    expect(check('crm-entities.create')(deal(currency)), currency).toEqual([])
  for (const domain of ['example.com', '1.example.com', '163.com', 'xn--bcher-kva.example', 'a.xn--p1ai', 'A.B'])
    expect(check('crm-entities.create')(company(domain)), domain).toEqual([])
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
  arrayPlaces(operation.input).map((place): [string, Operation, Place] => [
    `${operation.name} ${place.pointer}`,
    operation,
    place,
  ]),
)

test.each(places)('%s: 50,000 items are refused for their number, at a bounded cost', (_name, operation, place) => {
  for (const [kind, items] of Object.entries(arrays)) {
    const input = place.inputWith(items)

    const refused = thrownBy(() => assertInput(operation, input))

    expect(refused, kind).toBeInstanceOf(Fault)
    expect((refused as Fault).members.errors, kind).toMatchObject([{ code: 'too_long' }])
    expect(
      leastCpuMs(() => thrownBy(() => assertInput(operation, input))),
      kind,
    ).toBeLessThan(cpuMsMax)
  }
})

test('unknown names are refused by name however many there are, at a bounded cost', () => {
  const operation = operations.find(({ name }) => name === 'webhooks.create')!
  const flood = Object.fromEntries(Array.from({ length: itemsCount }, (_, at) => [`f${at}`, at]))

  for (const input of [flood, { name: 'x', url: 'https://example.com', eventTypes: ['*'], filter: flood }]) {
    const refused = thrownBy(() => assertInput(operation, input)) as Fault

    expect(refused.code).toBe('unknown_field')
    expect(refused.members.errors).toHaveLength(20)
    expect(leastCpuMs(() => thrownBy(() => assertInput(operation, input)))).toBeLessThan(cpuMsMax)
  }
})

test('equal items of an array are found in one pass, whatever type they are of', () => {
  const check = checker(Type.Array(Type.Unknown(), { uniqueItems: true }))
  const items = itemsOf((at) => ({ at }))

  expect(check(items)).toEqual([])
  expect(check([...items, { at: 7 }])).toMatchObject([{ pointer: '', code: 'not_unique' }])
  expect(
    check([
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ]),
  ).toMatchObject([{ code: 'not_unique' }])
  expect(check([1, '1', null, 'null', [1], { 0: 1 }])).toEqual([])
  expect(leastCpuMs(() => check(items))).toBeLessThan(1_000)
})

test('a value that its schema accepts is within every bound', () => {
  const schema = Type.Object(
    {
      list: Type.Array(Type.String({ maxLength: 3 }), { maxItems: 4 }),
      either: Type.Union([Type.Array(Type.Integer(), { maxItems: 2 }), Type.String({ maxLength: 5 }), Type.Null()]),
      named: Type.Record(Type.String(), Type.Array(Type.Integer(), { maxItems: 3 }), { maxProperties: 3 }),
    },
    { additionalProperties: false },
  )
  const [bounds, check] = [boundsCheck(schema), checker(schema)]
  const arbitrary = fc.record({
    list: fc.array(fc.string({ maxLength: 5 }), { maxLength: 6 }),
    either: fc.oneof(fc.array(fc.integer(), { maxLength: 4 }), fc.string({ maxLength: 60 }), fc.constant(null)),
    named: fc.dictionary(fc.string({ minLength: 1 }), fc.array(fc.integer(), { maxLength: 5 }), { maxKeys: 5 }),
  })

  fc.assert(fc.property(arbitrary, (value) => check(value).length > 0 || bounds(value).length === 0))
  fc.assert(
    fc.property(arbitrary, (value) => {
      const tooMany = value.list.length > 4 || (Array.isArray(value.either) && value.either.length > 2)
      return !tooMany || bounds(value).some(({ code }) => code === 'too_long')
    }),
  )
})

test('text in another spelling is not refused for the length of that spelling', () => {
  const bounds = boundsCheck(Type.String({ maxLength: 10 }))

  expect(bounds('ᾂ'.repeat(10).normalize('NFD'))).toEqual([])
  expect(bounds('x'.repeat(81))).toMatchObject([{ pointer: '', code: 'too_long' }])
})

/** The least of a few runs: what comes between on a busy machine is not the check's. */
function leastCpuMs(work: () => unknown): number {
  const runs = Array.from({ length: 3 }, () => {
    const before = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1_000
  })
  return Math.min(...runs)
}

function thrownBy(work: () => unknown): unknown {
  try {
    return work()
  } catch (thrown) {
    return thrown
  }
}
