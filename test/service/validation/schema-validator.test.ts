import fc from 'fast-check'
import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { operationNamed, operations } from '#contract/api.ts'
import { Fault } from '#contract/faults/fault.ts'
import { closed } from '#contract/shared-fields.ts'
import { boundsCheck, checker } from '../../../service/validation/schema-validator.ts'
import { countryMessage, isCountry, isCurrency } from '../../../service/validation/string-formats.ts'
import { assertInput } from '../../../service/validation/validate-operation.ts'
import { arrayPlaces } from '../../support/input-pointers.ts'

const checkOf = (name: string) => checker(operationNamed(name).input)
const project = (more: object) => checkOf('projects.create')({ name: 'x', ...more })
const hook = { name: 'x', url: 'https://example.com', eventTypes: ['*'] }
const webhook = (more: object) => checkOf('webhooks.create')({ ...hook, ...more })
const entity = checkOf('crm-entities.create')

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

test('a header that is the sender’s own or none is refused', () => {
  const refused = ['Host', 'content-length', 'webhook-id', 'X-Service-Signature', 'a b']

  for (const name of refused) expect(webhook({ headers: { [name]: 'v' } }), name).not.toEqual([])
})

test('an allowlist takes addresses and ranges of both families, and no range with bits below its mask', () => {
  const errorsOf = (ipAllowlist: string[]) =>
    checkOf('api-keys.create')({ name: 'x', scopes: ['projects:read'], ipAllowlist })

  expect(errorsOf(['192.0.2.1', '10.0.0.0/8', '2001:db8::/32', '::1'])).toEqual([])
  for (const wrong of ['10.0.0.7/24', '10.0.0.0/33', 'example.com', '1.2.3']) expect(errorsOf([wrong])).toHaveLength(1)
})

test('a currency that there cannot be, and an address for a domain, written in whatever way, are refused', () => {
  const deal = { kind: 'deal', name: 'x', amount: { amount: '1', currency: 'ZZZ' } }
  const companies = ['192.168.0.1', '127.0x1'].map((domain) => ({ kind: 'company', name: 'x', domains: [domain] }))
  const contact = { kind: 'contact', emails: ['ada@192.168.0.1'] }

  const pointers = [deal, ...companies, contact].map((input) =>
    entity(input).map(({ pointer, code }) => pointer + code),
  )
  const at = ['/amount/currency', '/domains/0', '/domains/0', '/emails/0']
  expect(pointers).toEqual(at.map((pointer) => [`${pointer}wrong_format`]))
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

const itemsOf = (make: (at: number) => unknown): unknown[] => Array.from({ length: itemsCount }, (_, at) => make(at))
const arrays = {
  'of different texts': itemsOf((at) => `v${at}`),
  'of one text': itemsOf(() => 'x'),
  'of objects': itemsOf((at) => ({ [`f${at}`]: at })),
  'of empty lists': itemsOf(() => []),
} as const

const withLists = operations.filter(({ input }) => arrayPlaces(input).length > 0)

test.each(withLists.map((operation) => [operation.name, operation] as const))(
  '%s: 50,000 items of a list are refused for their number, and none of them is looked at',
  (_name, operation) => {
    for (const { pointer, inputWith } of arrayPlaces(operation.input))
      for (const [kind, items] of Object.entries(arrays)) {
        const { object, reads } = counted(items)

        const refused = refusalOf(() => assertInput(operation, inputWith(object)))

        expect(refused.members.errors, kind + pointer).toMatchObject([{ code: 'too_long' }])
        expect(reads(), kind + pointer).toBeLessThan(20)
      }
  },
)

test('unknown names are refused by name, twenty of however many, each looked at once', () => {
  const flood = Object.fromEntries(Array.from({ length: itemsCount }, (_, at) => [`f${at}`, at]))

  for (const inputWith of [(object: object) => object, (filter: object) => ({ ...hook, filter })]) {
    const { object, reads } = counted(flood)

    const refused = refusalOf(() => assertInput(operationNamed('webhooks.create'), inputWith(object)))

    expect(refused.code).toBe('unknown_field')
    expect(refused.members.errors).toHaveLength(20)
    expect(reads()).toBeLessThan(3 * itemsCount)
  }
})

test('equal items of an array are found in one pass, whatever type they are of', () => {
  const check = checker(Type.Array(Type.Unknown(), { uniqueItems: true }))
  const { object: items, reads } = counted(itemsOf((at) => ({ at })))
  const notUnique = [{ pointer: '', code: 'not_unique' }]
  const [some, same] = ['{"a":1,"b":2}', '{"b":2,"a":1}'].map((text) => JSON.parse(text) as unknown)

  expect(check(items)).toEqual([])
  expect(reads()).toBeLessThan(3 * itemsCount)
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

/** The object, and how often it has been read: each look at a member, and each listing of all names, counts as one. */
function counted<T extends object>(object: T): { object: T; reads: () => number } {
  let reads = 0
  const seen =
    <A extends unknown[], R>(look: (...args: A) => R) =>
    (...args: A) => {
      reads += 1
      return look(...args)
    }
  const { get, has, ownKeys, getOwnPropertyDescriptor } = Reflect
  const counting = { get: seen(get), has: seen(has), ownKeys: seen(ownKeys) }
  const descriptors = { getOwnPropertyDescriptor: seen(getOwnPropertyDescriptor) }
  return { object: new Proxy<T>(object, { ...counting, ...descriptors }), reads: () => reads }
}

const refusalOf = (work: () => unknown): Fault => {
  try {
    work()
  } catch (thrown) {
    if (thrown instanceof Fault) return thrown
    throw thrown
  }
  throw new Error('Was accepted.')
}

test('every code of ISO 3166-1 is a country, and XK; none that is reserved, unknown, of a union or not in capitals', () => {
  const countries = ['DE', 'GB', 'US', 'TW', 'AX', 'SS', 'BQ', 'XK']
  const others = ['UK', 'EL', 'ZZ', 'EU', 'UN', 'AA', 'SU', 'AN', 'de', 'D', '']

  expect([...countries, ...others].filter(isCountry)).toEqual(countries)
})

test('who sends UK or EL is told which code is meant', () => {
  expect(countryMessage('UK')).toContain('send GB')
  expect(countryMessage('EL')).toContain('send GR')
  expect(countryMessage('ZZ')).not.toContain('send')
})

test('currencies are those in use, those that old data has, and no metals, tests or absence of one', () => {
  const currencies = ['EUR', 'VED', 'VES', 'XCG', 'XOF', 'CLF', 'SLE', 'HRK']
  const others = ['XXX', 'XTS', 'XAU', 'BTC', 'eur', 'ZZZ', '']

  expect([...currencies, ...others].filter(isCurrency)).toEqual(currencies)
})
