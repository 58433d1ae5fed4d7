// What the query of the inspector's URL asks for.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inspectorAnswer, inspectorBehavior, inspectorUrl, isInspectorHost } from '#contract/inspector.ts'

const behavior = (query: string) => inspectorBehavior(new URL(query, inspectorUrl))

test.each([
  ['', { status: 200, retryAfterSeconds: null, failures: null }],
  ['?', { status: 200, retryAfterSeconds: null, failures: null }],
  ['/any/path?status=404', { status: 404, retryAfterSeconds: null, failures: null }],
  ['?status=204', { status: 204, retryAfterSeconds: null, failures: null }],
  ['?status=429&retryAfter=30', { status: 429, retryAfterSeconds: 30, failures: null }],
  ['?failures=3', { status: 500, retryAfterSeconds: null, failures: 3 }],
  ['?failures=1&status=503&retryAfter=0', { status: 503, retryAfterSeconds: 0, failures: 1 }],
  ['?timeout', { status: null, retryAfterSeconds: null, failures: null }],
  ['?timeout=true&failures=2', { status: null, retryAfterSeconds: null, failures: 2 }],
])('%s is understood', (query, asked) => {
  expect(behavior(query)).toEqual(asked)
})

test.each([
  ['?status=500&delay=5', 'delay'],
  ['?Status=500', 'Status'],
  ['?status=100', 'status'],
  ['?status=600', 'status'],
  ['?status=', 'status'],
  ['?status=5e2', 'status'],
  ['?status=-500', 'status'],
  ['?status=500&status=200', 'status'],
  ['?timeout=5', 'timeout'],
  ['?timeout&status=500', 'status'],
  ['?timeout&retryAfter=5', 'retryAfter'],
  ['?retryAfter=5', 'retryAfter'],
  ['?status=200&retryAfter=5', 'retryAfter'],
  ['?status=429&retryAfter=86401', 'retryAfter'],
  ['?failures=0', 'failures'],
  ['?failures=20', 'failures'],
  ['?failures=2&status=201', 'status'],
])('%s is refused by the name of the parameter', (query, parameter) => {
  expect(behavior(query)).toEqual({ parameter, detail: expect.stringMatching(/\.$/) })
})

test('whatever the query says, it is understood or refused, and what is understood is a status that ends an attempt', () => {
  const name = fc.oneof(fc.constantFrom('status', 'retryAfter', 'failures', 'timeout'), fc.string())
  const value = fc.oneof(fc.integer({ min: -5, max: 700 }).map(String), fc.string())
  const property = fc.property(fc.array(fc.tuple(name, value), { maxLength: 4 }), fc.nat({ max: 30 }), (pairs, n) => {
    const asked = behavior(`?${new URLSearchParams(pairs).toString()}`)
    if ('parameter' in asked) expect(pairs.map(([each]) => each)).toContain(asked.parameter)
    else {
      const { status } = inspectorAnswer(asked, n + 1)
      expect(status === null || (status >= 200 && status <= 599)).toBe(true)
    }
  })
  fc.assert(property)
})

test('the first attempts fail as often as is said, and all later ones succeed', () => {
  const asked = behavior('?failures=2&status=503&retryAfter=7')
  if ('parameter' in asked) throw new Error(asked.detail)

  const failed = { status: 503, retryAfterSeconds: 7 }
  const fine = { status: 200, retryAfterSeconds: null }
  expect([1, 2, 3, 4].map((attempt) => inspectorAnswer(asked, attempt))).toEqual([failed, failed, fine, fine])
})

test('its host is known in any case and with the dot of the root; hosts that are like it are others', () => {
  for (const host of ['inspector.invalid', 'INSPECTOR.invalid', 'inspector.invalid.'])
    expect([host, isInspectorHost(host)]).toEqual([host, true])
  for (const host of ['an.inspector.invalid', 'inspector.invalid.example', 'inspector', 'inspector.invalid..'])
    expect([host, isInspectorHost(host)]).toEqual([host, false])
})
