import { expect, test } from 'vitest'
import { operations } from '#contract/api.ts'
import { checker } from '../../../service/validation/schema-validator.ts'
import { sample } from '../../support/sample-value.ts'

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
